//! Errors: why a line cannot be read.

use movegen::{FenError, FenErrorKind};
use strum::IntoStaticStr;

use super::limits::MAX_READABLE_LINE;
use super::location::Span;
use super::repair::RepairKind;

/// The line cannot be read as a record.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("column {}: {kind}", span.column())]
pub struct ReadError {
    /// The text at fault, empty if something is missing.
    pub span: Span,
    /// What is wrong.
    pub kind: ReadErrorKind,
}

/// What is wrong with a line that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
#[non_exhaustive]
pub enum ReadErrorKind {
    /// A field of the position cannot be read.
    #[error(transparent)]
    Position(FenErrorKind),
    /// A string without a closing quote.
    #[error("the string has no closing quote")]
    OpenString,
    /// The line is longer than [`MAX_READABLE_LINE`](crate::lines::MAX_READABLE_LINE).
    #[error("a line of more than {limit} bytes, the most that can be read", limit = MAX_READABLE_LINE)]
    EndlessLine,
    /// The line is blank or a comment.
    #[error("a blank line or a comment, expected a record")]
    NoRecord,
    /// The line deviates from the standard. Only [`Mode::Strict`](crate::Mode::Strict) returns this.
    #[error(transparent)]
    NonStandard(RepairKind),
}

impl ReadErrorKind {
    /// The name of the error or repair in kebab case, such as `open-string`.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::NonStandard(repair) => repair.name(),
            other => other.into(),
        }
    }
}

impl ReadError {
    /// An error in the position fields, with the span of the word at fault.
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
