//! What the text of a position says, legal or not.

use crate::types::{Bitboard, CastlingRights, CastlingSide, Color, Piece, Role, Square};

/// The content of a FEN or of the four position fields of an EPD record (EPD 4), whatever the
/// rules say of it. [`Position`](crate::Position) is the legal kind.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Setup {
    /// The piece on each square, from A1 to H8.
    pub board: [Option<Piece>; Square::COUNT],
    /// The side to move.
    pub turn: Color,
    /// The castling availability.
    pub castling: CastlingRights,
    /// The en passant target square, as written.
    pub en_passant: Option<Square>,
    /// Plies since the last pawn move or capture (EPD 6.15).
    pub halfmove_clock: u16,
    /// The number of the move, from 1, incremented after Black's (EPD 6.14).
    pub fullmove_number: u16,
}

impl Setup {
    /// A board without pieces, White to move.
    #[must_use]
    pub const fn empty() -> Self {
        Self {
            board: [None; Square::COUNT],
            turn: Color::White,
            castling: CastlingRights::empty(),
            en_passant: None,
            halfmove_clock: 0,
            fullmove_number: 1,
        }
    }

    /// The squares of the pieces that a test picks out.
    pub fn squares(&self, test: impl Fn(Piece) -> bool) -> Bitboard {
        Square::all()
            .filter(|square| self.board[square.index()].is_some_and(&test))
            .collect()
    }

    /// Whether a king and the rook of a side stand where castling begins.
    pub(crate) fn is_at_home(&self, color: Color, side: CastlingSide) -> bool {
        let has =
            |square: Square, role| self.board[square.index()] == Some(Piece::new(color, role));
        has(Square::E1.relative_to(color), Role::King) && has(side.rook_from(color), Role::Rook)
    }

    /// The castling rights that cannot be: their king or rook is not at home.
    #[must_use]
    pub fn impossible_castling(&self) -> CastlingRights {
        if self.castling.is_empty() {
            return CastlingRights::empty();
        }
        CastlingRights::each()
            .filter(|&(right, color, side)| {
                self.castling.contains(right) && !self.is_at_home(color, side)
            })
            .map(|(right, ..)| right)
            .collect()
    }
}
