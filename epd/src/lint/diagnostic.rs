//! Diagnostics for a line, like those of a compiler.

use std::fmt;

use smol_str::SmolStr;
use strum::IntoEnumIterator;

use crate::lint::check::{Lint, check};
use crate::parse::deviation::Deviation;
use crate::parse::lines::Line;
use crate::parse::location::Span;
use crate::parse::reader::Reader;

/// How serious a diagnostic is.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    strum::EnumString,
    strum::IntoStaticStr,
)]
#[strum(serialize_all = "kebab-case")]
pub enum Severity {
    /// Not what the standard asks for, but the meaning is clear.
    Note,
    /// Wrong or ambiguous, but the record can be used.
    Warning,
    /// The line cannot be read as a record.
    Error,
}

/// A message about a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// How serious it is.
    pub severity: Severity,
    /// The name of the [check](crate::Lint), [deviation](crate::Deviation) or
    /// [error](crate::ReadErrorKind).
    pub name: &'static str,
    /// Where in the line.
    pub span: Span,
    /// What was found and what was expected.
    pub message: String,
    /// What the reader used instead; `None` if it kept the text.
    pub taken: Option<SmolStr>,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.into())
    }
}

impl Diagnostic {
    /// All names that a diagnostic can have, with their meanings.
    pub fn names() -> impl Iterator<Item = (&'static str, String)> {
        let errors = [
            ("position", "a position that cannot be read"),
            ("open-string", "a string without a closing quote"),
            ("endless-line", "a line that is too long to be read"),
            (
                "no-record",
                "a blank line or a remark where a record must be",
            ),
        ];
        let errors = errors.map(|(name, meaning)| (name, meaning.to_owned()));
        let lints = Lint::iter().map(|lint| (lint.name(), lint.to_string()));
        let deviations = Deviation::iter().map(|odd| (odd.name(), odd.to_string()));
        errors.into_iter().chain(lints).chain(deviations)
    }
}

/// Prints `severity[name]: message`.
impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}[{}]: {}", self.severity, self.name, self.message)
    }
}

/// Reads and checks a line. Diagnostics are in the order of their columns; all spans lie within the line.
///
/// ```
/// use epode_epd::{Lines, Reader, diagnose};
///
/// let line = Lines::new(b"8/8/8/8/8/k7/8/K7 w - - bm  Ka2;", 1).next().unwrap();
/// let told: Vec<String> = diagnose(&line, &Reader::lenient())
///     .iter()
///     .map(|diagnostic| format!("{}: {diagnostic}", diagnostic.span.column()))
///     .collect();
/// assert_eq!(told, [
///     "28: note[surplus-space]: blank space that separates nothing",
///     "29: warning[bm-not-legal]: bm: Ka2: not a legal move here",
/// ]);
/// ```
#[must_use]
pub fn diagnose(line: &Line<'_>, reader: &Reader<'_>) -> Vec<Diagnostic> {
    let mut repairs = Vec::new();
    let read = line.locate(reader, &mut repairs);
    let mut all: Vec<_> = repairs
        .into_iter()
        .map(|repair| Diagnostic {
            severity: if repair.deviation.is_doubtful() {
                Severity::Warning
            } else {
                Severity::Note
            },
            name: repair.deviation.name(),
            span: repair.span,
            message: repair.deviation.to_string(),
            taken: repair.taken,
        })
        .collect();
    match read {
        Ok((record, locations)) => {
            let findings = check(&record, reader.lexicon());
            all.extend(findings.into_iter().map(|finding| Diagnostic {
                severity: Severity::Warning,
                name: finding.lint.name(),
                span: locations.span(finding.part),
                message: finding.message,
                taken: None,
            }));
        }
        Err(error) => all.push(Diagnostic {
            severity: Severity::Error,
            name: error.kind.name(),
            span: error.span,
            message: error.kind.to_string(),
            taken: None,
        }),
    }
    all.sort_by_key(|diagnostic| diagnostic.span.start);
    all
}
