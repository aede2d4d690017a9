//! A diagnostic with its place, as text and as JSON.

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use epd::{Diagnostic, Line, Severity};
use serde_json::{Value, json};

use crate::io::stream::Stream;

/// A diagnostic with its place in a file.
pub struct LocatedDiagnostic<'a> {
    pub stream: &'a Stream,
    pub line: &'a Line<'a>,
    pub diagnostic: &'a Diagnostic,
}

impl LocatedDiagnostic<'_> {
    /// Line and column of its beginning and of its end.
    pub fn places(&self) -> [(usize, usize); 2] {
        let span = self.diagnostic.span;
        [span.start, span.end].map(|offset| self.line.place(offset))
    }

    /// `file:line:column: severity[name]: message`, and the line with the place marked.
    pub fn text(&self, renderer: &Renderer) -> String {
        let [(line, column), _] = self.places();
        let span = self.diagnostic.span;
        let annotation = AnnotationKind::Primary.span(span.start..span.end);
        let annotation = match self.diagnostic.replacement.as_deref() {
            None => annotation,
            Some(" ") if span.start == span.end => annotation.label("a blank is missing"),
            Some(taken) if taken.trim().is_empty() => annotation.label("left out"),
            Some(taken) => annotation.label(format!("taken as {taken}")),
        };
        let snippet = Snippet::source(&*self.line.text)
            .line_start(self.line.number)
            .annotation(annotation);
        let level = match self.diagnostic.severity {
            Severity::Note => Level::NOTE,
            Severity::Warning => Level::WARNING,
            Severity::Error => Level::ERROR,
        };
        let drawn = renderer.render(&[Group::with_level(level).element(snippet)]);
        format!(
            "{}:{line}:{column}: {}\n{drawn}",
            self.stream, self.diagnostic
        )
    }

    pub fn json(&self) -> Value {
        let [(line, column), (end_line, end_column)] = self.places();
        json!({
            "file": self.stream.to_string(),
            "line": line,
            "column": column,
            "endLine": end_line,
            "endColumn": end_column,
            "severity": self.diagnostic.severity.to_string(),
            "name": self.diagnostic.name,
            "message": self.diagnostic.message,
            "found": self.diagnostic.span.of(&self.line.text),
            "taken": self.diagnostic.replacement.as_deref(),
        })
    }
}
