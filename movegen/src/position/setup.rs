//! The content of a position's text, legal or not.

use std::fmt;

use crate::types::{
    Bitboard, CastlingMode, CastlingRights, CastlingSide, Color, File, Piece, Rank, Role, Square,
};

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
    /// Whether the castling rights are those of standard chess or of Chess960. Rights of standard chess
    /// are possible only for a king on the e-file and rooks in the corners.
    pub castling_mode: CastlingMode,
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
            castling_mode: CastlingMode::Standard,
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

    /// Whether this piece is on this square.
    fn has(&self, square: Square, color: Color, role: Role) -> bool {
        self.board[square.index()] == Some(Piece::new(color, role))
    }

    /// The file of the first king of a color on its first rank.
    pub(crate) fn king_on_first_rank(&self, color: Color) -> Option<File> {
        let mut files = File::ALL.into_iter();
        files.find(|&file| {
            self.has(
                Square::new(file, Rank::R1).relative_to(color),
                color,
                Role::King,
            )
        })
    }

    /// The file of the rook on the first rank that is farthest from the king toward a side.
    pub(crate) fn outermost_rook(&self, color: Color, side: CastlingSide) -> Option<File> {
        let king = self.king_on_first_rank(color)?;
        let is_rook = |file: &File| {
            self.has(
                Square::new(*file, Rank::R1).relative_to(color),
                color,
                Role::Rook,
            )
        };
        match side {
            CastlingSide::King => File::ALL[king as usize..]
                .iter()
                .rfind(|file| is_rook(file)),
            CastlingSide::Queen => File::ALL[..king as usize].iter().find(|file| is_rook(file)),
        }
        .copied()
    }

    /// Why a castling right cannot exist on this board; `None` if it can.
    #[must_use]
    pub fn castling_fault(&self, right: CastlingRights) -> Option<CastlingFault> {
        let (_, color, rook) = right.rooks().next()?;
        let home = Square::E1.relative_to(color);
        let king = match self.castling_mode {
            CastlingMode::Standard if !right.is_standard() => {
                return Some(CastlingFault::NotStandard);
            }
            CastlingMode::Standard if self.has(home, color, Role::King) => home.file(),
            CastlingMode::Standard => return Some(CastlingFault::NoKing(home)),
            CastlingMode::Chess960 => match self.king_on_first_rank(color) {
                Some(file) => file,
                None => return Some(CastlingFault::KingNotOnFirstRank),
            },
        };
        if !self.has(rook, color, Role::Rook) {
            return Some(CastlingFault::NoRook(rook));
        }
        let is_kingside = |rook: Square| rook.file() as u8 > king as u8;
        let rival = self.castling.rooks().find(|&(_, owner, other)| {
            owner == color
                && other != rook
                && is_kingside(other) == is_kingside(rook)
                && self.has(other, color, Role::Rook)
        });
        rival.map(|(.., other)| CastlingFault::TwoRooks(other))
    }

    /// The castling rights that cannot exist on this board.
    #[must_use]
    pub fn impossible_castling(&self) -> CastlingRights {
        if self.castling.is_empty() {
            return CastlingRights::empty();
        }
        self.castling
            .rooks()
            .map(|(right, ..)| right)
            .filter(|&right| self.castling_fault(right).is_some())
            .collect()
    }
}

/// Why a castling right cannot exist on a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CastlingFault {
    /// The rook is not in a corner, and the castling mode is that of standard chess.
    NotStandard,
    /// The king is not on this square, its only one in standard chess.
    NoKing(Square),
    /// The king is not on its first rank.
    KingNotOnFirstRank,
    /// There is no rook of the player on this square.
    NoRook(Square),
    /// The rook on this square, on the same side of the king, also has a right.
    TwoRooks(Square),
}

impl fmt::Display for CastlingFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotStandard => f.write_str("only Chess960 has it"),
            Self::NoKing(square) => write!(f, "no king on {square}"),
            Self::KingNotOnFirstRank => f.write_str("the king is not on its first rank"),
            Self::NoRook(square) => write!(f, "no rook on {square}"),
            Self::TwoRooks(other) => {
                write!(f, "the rook on {other} is on the same side of the king")
            }
        }
    }
}
