//! Messages about a place in a file.

use std::fmt;

use crate::io::stream::Stream;

/// A message in the format of compilers: `file:line:column: text`.
pub struct Message<'a, T> {
    pub stream: &'a Stream,
    pub line: usize,
    pub column: Option<usize>,
    pub text: T,
}

impl<T: fmt::Display> fmt::Display for Message<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:", self.stream, self.line)?;
        if let Some(column) = self.column {
            write!(f, "{column}:")?;
        }
        write!(f, " {}", self.text)
    }
}
