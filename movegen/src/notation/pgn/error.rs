//! What can be wrong in a PGN text, and where.

use crate::notation::fen::FenError;
use crate::notation::san::SanError;
use crate::position::validate::IllegalPosition;

/// An error in a PGN text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {}, column {}: {kind}", place.line, place.column)]
pub struct PgnError {
    /// Where it is.
    pub place: Place,
    /// What is wrong.
    pub kind: PgnErrorKind,
}

/// What is wrong in a PGN text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)]
pub enum PgnErrorKind {
    #[error("{}", .0.kind)]
    Fen(FenError),
    #[error("illegal position: {0}")]
    Position(IllegalPosition),
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
}

/// A place in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
}

impl Place {
    pub(super) const fn error(self, kind: PgnErrorKind) -> PgnError {
        PgnError { place: self, kind }
    }
}

/// The error for text that is not expected at a place.
pub(super) fn unexpected(place: Place, found: &str, expected: &'static str) -> PgnError {
    let found = found.to_owned();
    place.error(PgnErrorKind::Unexpected { found, expected })
}
