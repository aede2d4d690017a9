//! The content of a position's text, legal or not.

use crate::types::{Bitboard, CastlingRights, CastlingSide, Color, Piece, Role, Square};

/// The content of a FEN, or of the four position fields of an EPD record (EPD 4). It may break the
/// rules of chess; a [`Position`](crate::Position) is always legal.
///
/// ```
/// use epode_movegen::{Position, Setup, SetupFaults};
///
/// let setup: Setup = "4k3/8/8/8/8/8/8/8 w K - 0 1".parse()?;
/// assert_eq!(setup.to_string(), "4k3/8/8/8/8/8/8/8 w K - 0 1");
/// let illegal = Position::from_setup(&setup).unwrap_err();
/// assert_eq!(illegal.faults(), SetupFaults::WHITE_KINGS | SetupFaults::CASTLING);
/// # Ok::<(), epode_movegen::FenError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Setup {
    /// The piece on each square, from A1 to H8.
    pub board: [Option<Piece>; Square::COUNT],
    /// The side to move.
    pub turn: Color,
    /// The castling rights.
    pub castling: CastlingRights,
    /// The en passant square, as written.
    pub en_passant: Option<Square>,
    /// The number of plies since the last pawn move or capture (EPD 6.15).
    pub halfmove_clock: u16,
    /// The number of the next move. It starts at 1 and increases after each move of Black (EPD 6.14).
    pub fullmove_number: u16,
}

impl Setup {
    /// An empty board, White to move.
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

    /// The squares of the pieces that pass a test.
    pub fn squares(&self, test: impl Fn(Piece) -> bool) -> Bitboard {
        Square::all()
            .filter(|square| self.board[square.index()].is_some_and(&test))
            .collect()
    }

    /// Whether a king and the rook of this side are on their original squares.
    pub(crate) fn is_at_home(&self, color: Color, side: CastlingSide) -> bool {
        let has =
            |square: Square, role| self.board[square.index()] == Some(Piece::new(color, role));
        has(Square::E1.relative_to(color), Role::King) && has(side.rook_from(color), Role::Rook)
    }

    /// The castling rights whose king or rook is not on its original square.
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
