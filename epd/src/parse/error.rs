//! Why a line cannot be read.

use movegen::{FenError, FenErrorKind};
use strum::IntoStaticStr;

use super::deviation::Deviation;
use super::limits::LIMIT;
use super::location::Span;

/// A line is no record.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("column {}: {kind}", span.column())]
pub struct ReadError {
    /// What is wrong; empty where something is missing.
    pub span: Span,
    /// What is wrong about it.
    pub kind: ReadErrorKind,
}

/// Why a line is no record.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
#[allow(missing_docs)]
pub enum ReadErrorKind {
    #[error(transparent)]
    Position(FenErrorKind),
    #[error("the string has no closing quote")]
    OpenString,
    #[error("a line of more than {limit} bytes, expected at most that", limit = LIMIT)]
    EndlessLine,
    #[error("a blank line or a remark, expected a record")]
    NoRecord,
    /// Only when a record must be exact.
    #[error(transparent)]
    Deviation(Deviation),
}

impl ReadErrorKind {
    /// The name of the error, in words joined by dashes; that of the deviation where it is one.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Deviation(deviation) => deviation.name(),
            other => other.into(),
        }
    }
}

impl ReadError {
    /// An error in the fields of the position, in the word of the line where it shows.
    pub(crate) fn position(error: FenError, line: &str) -> Self {
        let start = line.floor_char_boundary(error.column - 1);
        let word = line.get(start..).unwrap_or_default();
        let len = word.find(|letter: char| letter.is_ascii_whitespace() || letter == ';');
        Self {
            span: Span::new(start, start + len.unwrap_or(word.len())),
            kind: ReadErrorKind::Position(error.kind),
        }
    }
}
