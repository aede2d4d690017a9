//! Why a line cannot be read.

use movegen::{FenError, FenErrorKind};
use strum::IntoStaticStr;

use super::deviation::Deviation;
use super::limits::LIMIT;
use super::location::Span;

/// A line cannot be read as a record.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("column {}: {kind}", span.column())]
pub struct ReadError {
    /// The text at fault; empty if something is missing.
    pub span: Span,
    /// What is wrong with it.
    pub kind: ReadErrorKind,
}

/// Why a line cannot be read as a record.
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
    /// In strict mode only.
    #[error(transparent)]
    Deviation(Deviation),
}

impl ReadErrorKind {
    /// The name of the error or deviation in kebab case.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Deviation(deviation) => deviation.name(),
            other => other.into(),
        }
    }
}

impl ReadError {
    /// An error in the position fields, at the word that shows it.
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
