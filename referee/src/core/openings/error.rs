//! What can be wrong with a book of openings.

use epd::{NoPosition, ReadErrorKind};
use movegen::Position;
use movegen::pgn::{PgnError, PgnErrorKind};

/// An error in a book.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {kind}")]
pub struct BookError {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// What is wrong.
    pub kind: BookErrorKind,
}

impl From<PgnError> for BookError {
    fn from(error: PgnError) -> Self {
        Self {
            line: error.place.line,
            column: error.place.column,
            kind: BookErrorKind::Pgn(error.kind),
        }
    }
}

/// What can be wrong with a book.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)]
pub enum BookErrorKind {
    #[error("{0}")]
    Record(ReadErrorKind),
    #[error("{0}")]
    Position(NoPosition),
    #[error("{0}")]
    Pgn(PgnErrorKind),
    #[error("the opening ends in {0}, expected a position with moves left to play")]
    Finished(GameOver),
    #[error("no openings, expected EPD records or PGN games")]
    Empty,
}

/// Why a game cannot be continued from a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)]
pub enum GameOver {
    #[error("checkmate")]
    Checkmate,
    #[error("stalemate")]
    Stalemate,
    #[error("a dead position")]
    DeadPosition,
}

impl GameOver {
    /// Whether the game is over at this position, and why.
    #[must_use]
    pub fn of(position: &Position) -> Option<Self> {
        if position.is_checkmate() {
            Some(Self::Checkmate)
        } else if position.is_stalemate() {
            Some(Self::Stalemate)
        } else if position.is_insufficient_material() {
            Some(Self::DeadPosition)
        } else {
            None
        }
    }
}
