//! The exceptions of the package. All are `ValueError`s.

use epd::Line;
use pyo3::prelude::*;
use pyo3::{PyErr, Python};

pyo3::create_exception!(
    epode,
    EpodeError,
    pyo3::exceptions::PyValueError,
    "The base class of the errors of this package, a ValueError."
);
pyo3::create_exception!(
    epode,
    ReadError,
    EpodeError,
    "A line cannot be read as a record, or a file is not text.\n\n\
     Attributes: line and column (from 1), span (start and end in text), text (the line), code (a short \
     name such as 'open-string') and path. They are None where unknown."
);
pyo3::create_exception!(
    epode,
    PositionError,
    EpodeError,
    "A text is not a FEN, or the position is illegal."
);
pyo3::create_exception!(
    epode,
    MoveError,
    EpodeError,
    "A text is not a legal move of the position."
);
pyo3::create_exception!(
    epode,
    OperandError,
    EpodeError,
    "The operands of an operation are not what its opcode takes."
);

/// What is wrong with a line that cannot be read.
#[derive(Clone, Debug)]
pub struct LineError {
    pub line: usize,
    pub column: usize,
    /// In characters.
    pub span: (usize, usize),
    pub text: String,
    pub code: &'static str,
    pub message: String,
}

impl LineError {
    pub fn new(line: &Line<'_>, error: &epd::ReadError) -> Self {
        let (number, column) = line.place(error.span.start);
        Self {
            line: number,
            column,
            span: in_characters(&line.text, error.span),
            text: line.text.clone().into_owned(),
            code: error.kind.name(),
            message: error.kind.to_string(),
        }
    }

    /// The exception. A message begins with the path, if there is one, the line and the column.
    pub fn into_exception(self, py: Python<'_>, path: Option<&str>) -> PyErr {
        let place = path.map_or_else(String::new, |path| format!("{path}:"));
        let (line, column) = (self.line, self.column);
        let error = ReadError::new_err(format!("{place}{line}:{column}: {}", self.message));
        let set = || -> PyResult<()> {
            let value = error.value(py);
            value.setattr("line", line)?;
            value.setattr("column", column)?;
            value.setattr("span", self.span)?;
            value.setattr("text", self.text)?;
            value.setattr("code", self.code)?;
            value.setattr("path", path)
        };
        match set() {
            Ok(()) => error,
            Err(error) => error,
        }
    }
}

/// The exception for a file that is not text.
pub fn not_text(py: Python<'_>, path: Option<&str>, message: String) -> PyErr {
    let error = ReadError::new_err(message);
    let set = || -> PyResult<()> {
        let value = error.value(py);
        for name in ["line", "column", "span", "text", "code"] {
            value.setattr(name, py.None())?;
        }
        value.setattr("path", path)
    };
    match set() {
        Ok(()) => error,
        Err(error) => error,
    }
}

/// A span of bytes as the offsets of characters, by which Python counts.
pub fn in_characters(text: &str, span: epd::Span) -> (usize, usize) {
    let count = |end: usize| {
        let bytes = &text.as_bytes()[..end];
        bytes.iter().filter(|&&byte| byte & 0xC0 != 0x80).count()
    };
    (count(span.start), count(span.end))
}
