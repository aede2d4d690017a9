//! Diagnostics for a line of text, like those of a compiler.

use std::fmt;

use smol_str::SmolStr;
use strum::IntoEnumIterator;

use super::check::check;
use super::lints::Lint;
use crate::parse::lines::Line;
use crate::parse::location::Span;
use crate::parse::reader::{Mode, Reader};
use crate::parse::repair::{Repair, RepairKind};

/// How serious a diagnostic is.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, strum::Display, strum::EnumString,
)]
#[strum(serialize_all = "kebab-case")]
pub enum Severity {
    /// The line deviates from the standard, but its meaning is clear.
    Note,
    /// Something is wrong or ambiguous, but the record can be used.
    Warning,
    /// The line cannot be read as a record.
    Error,
}

impl RepairKind {
    /// How serious the deviation is: a warning if it [is ambiguous](Self::is_ambiguous), otherwise a note.
    #[must_use]
    pub const fn severity(self) -> Severity {
        if self.is_ambiguous() {
            Severity::Warning
        } else {
            Severity::Note
        }
    }
}

/// A message about a line.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Diagnostic {
    /// How serious it is.
    pub severity: Severity,
    /// The name of the [lint](crate::Lint), [repair](crate::RepairKind) or
    /// [error](crate::ReadErrorKind).
    pub name: &'static str,
    /// The location in the line.
    pub span: Span,
    /// What was found and what was expected.
    pub message: String,
    /// The text that the reader used in its place; `None` if it kept the text.
    pub replacement: Option<SmolStr>,
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
                "a blank line or a comment in place of a record",
            ),
        ];
        let errors = errors.map(|(name, meaning)| (name, meaning.to_owned()));
        let lints = Lint::iter().map(|lint| (lint.name(), lint.to_string()));
        let repairs = RepairKind::iter().map(|repair| (repair.name(), repair.to_string()));
        errors.into_iter().chain(lints).chain(repairs)
    }
}

/// Prints `severity[name]: message`.
impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}[{}]: {}", self.severity, self.name, self.message)
    }
}

/// Reads and checks a line. Diagnostics are in the order of their columns, and their spans lie within
/// the line.
///
/// ```
/// use epode_epd::{Lines, Reader, diagnose};
///
/// let line = Lines::new(b"8/8/8/8/8/k7/8/K7 w - - bm  Ka2;", 1).next().unwrap();
/// let diagnostics: Vec<String> = diagnose(&line, &Reader::lenient())
///     .iter()
///     .map(|diagnostic| format!("{}: {diagnostic}", diagnostic.span.column()))
///     .collect();
/// assert_eq!(diagnostics, [
///     "28: note[surplus-space]: white space where the standard allows none",
///     "29: warning[bm-not-legal]: bm: Ka2: not a legal move here",
/// ]);
/// ```
#[must_use]
pub fn diagnose(line: &Line<'_>, reader: &Reader<'_>) -> Vec<Diagnostic> {
    let is_strict = reader.mode() == Mode::Strict;
    let mut repairs = Vec::new();
    let read = line.locate(reader, &mut repairs);
    let dropped = |repair: &Repair| {
        let (record, _) = read.as_ref().ok()?;
        repair.dropped_rights(&line.text, &record.setup)
    };
    let mut all: Vec<_> = repairs
        .into_iter()
        .map(|repair| Diagnostic {
            severity: if is_strict {
                Severity::Error
            } else {
                repair.kind.severity()
            },
            name: repair.kind.name(),
            span: repair.span,
            message: match dropped(&repair) {
                Some(rights) => rights.to_string(),
                None => repair.kind.to_string(),
            },
            replacement: repair.replacement,
        })
        .collect();
    match read {
        Ok((record, locations)) => {
            let messages = check(&record, reader.lexicon());
            all.extend(messages.into_iter().map(|message| Diagnostic {
                severity: Severity::Warning,
                name: message.lint.name(),
                span: locations.span(message.part),
                message: message.message,
                replacement: None,
            }));
        }
        // The strict reader ends at a deviation that it has noted already.
        Err(error) if is_strict && all.iter().any(|noted| noted.span == error.span) => {}
        Err(error) => all.push(Diagnostic {
            severity: Severity::Error,
            name: error.kind.name(),
            span: error.span,
            message: error.kind.to_string(),
            replacement: None,
        }),
    }
    all.sort_by_key(|diagnostic| diagnostic.span.start);
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::lines::Lines;

    /// The error of a strict reader is named once, at the deviation where it stops.
    #[test]
    fn a_strict_reader_reports_each_fault_once() {
        for (text, expected) in [
            ("8/8/8/8/8/k7/8/K7 w - - bm Kb1", &["missing-semicolon"][..]),
            (
                "8/8/8/8/8/k7/8/K7 w - -  bm Kb1; id \"open",
                &["surplus-space", "open-string"],
            ),
            ("8/8/8/8/8/k7/8/K7 w - - bm Kb1;", &[]),
        ] {
            let line = Lines::new(text.as_bytes(), 1).next().expect("a line");
            let found = diagnose(&line, &Reader::strict());
            let names: Vec<_> = found.iter().map(|diagnostic| diagnostic.name).collect();
            assert_eq!(names, expected, "{text}");
            let severities = found.iter().map(|diagnostic| diagnostic.severity);
            assert!(
                severities
                    .clone()
                    .all(|severity| severity == Severity::Error)
            );
        }
    }
}
