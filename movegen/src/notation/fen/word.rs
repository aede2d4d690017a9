//! The words of a line, with their columns for messages.

use super::error::{FenError, FenErrorKind};

/// A field of a text and its column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word<'a> {
    /// The text of the field.
    pub text: &'a str,
    /// The column of the first byte, from 1.
    pub column: usize,
}

impl Word<'_> {
    pub(super) fn error(self, kind: FenErrorKind) -> FenError {
        FenError {
            column: self.column,
            kind,
        }
    }
}

/// The words of a line, separated by white space, with their columns.
pub fn words(line: &str) -> impl Iterator<Item = Word<'_>> {
    line.split_ascii_whitespace().map(|text| Word {
        text,
        column: text.as_ptr().addr() - line.as_ptr().addr() + 1,
    })
}
