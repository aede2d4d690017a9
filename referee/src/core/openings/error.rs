//! What can be wrong with a book of openings.

use epd::{NoPosition, ReadErrorKind};
use movegen::Position;
use movegen::san::SanError;

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

/// What can be wrong with a book.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)]
pub enum BookErrorKind {
    #[error("{0}")]
    Record(ReadErrorKind),
    #[error("{0}")]
    Position(NoPosition),
    #[error("{found:?}: {error}, expected a legal move or a result")]
    Move { found: String, error: SanError },
    #[error("found {found:?}, expected {expected}")]
    Unexpected {
        found: String,
        expected: &'static str,
    },
    #[error("{found} is not closed, expected {expected:?}")]
    Open {
        found: &'static str,
        expected: &'static str,
    },
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
