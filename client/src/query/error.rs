//! Errors in queries.

use std::fmt;
use std::ops::Range;

/// Why a text is not a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueryError {
    pub text: String,
    /// The bytes of the text that are wrong.
    pub span: Range<usize>,
    pub message: String,
}

impl std::error::Error for QueryError {}

/// The message, the query, and a caret below what is wrong.
impl fmt::Display for QueryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            text,
            span,
            message,
        } = self;
        let before = text[..span.start].chars().count();
        let carets = text[span.clone()].chars().count().max(1);
        writeln!(f, "{message}")?;
        writeln!(f, "  {}", text.replace(['\n', '\t'], " "))?;
        write!(f, "  {:before$}{}", "", "^".repeat(carets))
    }
}
