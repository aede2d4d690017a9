//! What is wrong with the text of a position.

use std::fmt;

use crate::position::validate::IllegalPosition;

/// An error in the text of a position: its column and kind.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("column {column}: {kind}")]
pub struct FenError {
    /// The column of the error in bytes, from 1.
    pub column: usize,
    /// The kind of the error.
    pub kind: FenErrorKind,
}

/// What is wrong with the text of a position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)]
pub enum FenErrorKind {
    #[error("the {0} is missing")]
    Missing(Field),
    #[error("{0:?} is neither a piece letter nor a digit from 1 to 8")]
    UnknownPiece(char),
    #[error("rank {rank} has {}, expected 8", counted(.found, "square"))]
    RankSum { rank: char, found: u32 },
    #[error("{}, expected 8", counted(.0, "rank"))]
    RankCount(usize),
    #[error("the active colour is {0:?}, expected \"w\" or \"b\"")]
    Turn(String),
    #[error(
        "the castling availability is {0:?}, expected \"-\", letters of \"KQkq\", or files of rooks"
    )]
    Castling(String),
    #[error("the en passant square is {0:?}, expected \"-\" or a square")]
    EnPassant(String),
    #[error("the {0} is {1:?}, expected a number from 0 to 65535")]
    Number(Field, String),
    #[error("{0:?} after the last field")]
    TrailingText(String),
}

/// A number of things, such as `2 ranks`.
fn counted<N: fmt::Display + PartialEq + From<u8>>(number: &N, noun: &str) -> String {
    let ending = if *number == N::from(1) { "" } else { "s" };
    format!("{number} {noun}{ending}")
}

/// A field of a FEN.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Field {
    Placement,
    Turn,
    Castling,
    EnPassant,
    HalfmoveClock,
    FullmoveNumber,
}

impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Placement => "piece placement",
            Self::Turn => "active colour",
            Self::Castling => "castling availability",
            Self::EnPassant => "en passant square",
            Self::HalfmoveClock => "halfmove clock",
            Self::FullmoveNumber => "fullmove number",
        })
    }
}

/// A text is not a legal position: it cannot be read, or the position is illegal.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)]
pub enum PositionError {
    #[error(transparent)]
    Text(#[from] FenError),
    #[error("illegal position: {0}")]
    Illegal(IllegalPosition),
}

// Not `#[from]`: the message contains the cause, which must not be printed again as the source.
impl From<IllegalPosition> for PositionError {
    fn from(illegal: IllegalPosition) -> Self {
        Self::Illegal(illegal)
    }
}
