//! `Diagnostic`: a message about a line.

use epd::{Line, Reader, diagnose};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::errors::in_characters;

/// What is wrong with a line, odd about it, or changed in it.
///
/// `span` has the start and the end in the text of the record: `record.text[slice(*diagnostic.span)]`.
/// `replacement` is the text that was read in its place, None if the text was kept.
#[pyclass(module = "epode", frozen, eq, hash, get_all)]
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Diagnostic {
    severity: String,
    code: String,
    message: String,
    line: usize,
    column: usize,
    span: (usize, usize),
    replacement: Option<String>,
}

/// Positional and keyword arguments that make a copy.
type NewArguments<'a, 'py> = ((&'a str, &'a str, &'a str), Bound<'py, PyDict>);

#[pymethods]
impl Diagnostic {
    #[new]
    #[pyo3(signature = (severity, code, message, *, line, column, span, replacement = None))]
    fn new(
        severity: String,
        code: String,
        message: String,
        line: usize,
        column: usize,
        span: (usize, usize),
        replacement: Option<String>,
    ) -> Self {
        Self {
            severity,
            code,
            message,
            line,
            column,
            span,
            replacement,
        }
    }

    /// The line and the column, then severity, code and message.
    fn __str__(&self) -> String {
        let Self {
            severity,
            code,
            message,
            line,
            column,
            ..
        } = self;
        let replacement = match &self.replacement {
            Some(text) if !text.trim().is_empty() => format!("; read as {text}"),
            _ => String::new(),
        };
        format!("{line}:{column}: {severity}[{code}]: {message}{replacement}")
    }

    fn __repr__(&self) -> String {
        format!("<epode.Diagnostic {}>", self.__str__())
    }

    fn __getnewargs_ex__<'py>(&self, py: Python<'py>) -> PyResult<NewArguments<'_, 'py>> {
        let keywords = PyDict::new(py);
        keywords.set_item("line", self.line)?;
        keywords.set_item("column", self.column)?;
        keywords.set_item("span", self.span)?;
        keywords.set_item("replacement", self.replacement.as_deref())?;
        Ok(((&self.severity, &self.code, &self.message), keywords))
    }
}

/// Reads and checks a line.
pub fn of_line(line: &Line<'_>, reader: &Reader<'_>) -> Vec<Diagnostic> {
    let diagnostics = diagnose(line, reader).into_iter();
    diagnostics
        .map(|found| {
            let (number, column) = line.place(found.span.start);
            Diagnostic {
                severity: found.severity.to_string(),
                code: found.name.to_owned(),
                message: found.message,
                line: number,
                column,
                span: in_characters(&line.text, found.span),
                replacement: found.replacement.map(Into::into),
            }
        })
        .collect()
}
