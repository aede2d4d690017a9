//! `normalize` and `repair`: text with the same records, written better.

use epd::{LineKind, Lines, Mode, check};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::diagnostic::{self, Diagnostic};
use crate::errors::LineError;
use crate::record::{LEXICON, reader};

/// The new text and what was found on the way.
type Rewritten = (String, Vec<Diagnostic>);

/// How to rewrite.
#[derive(Clone, Copy)]
struct Options {
    mode: Mode,
    chess960: bool,
    canonical: bool,
    keeps_unreadable: bool,
}

/// Writes records in the normal form of the standard, as `epode pfdn` does. Moves keep their spelling.
///
/// Returns the text and what deviated from the standard or is wrong, as Diagnostics. `canonical`
/// rewrites numbers and times too; `strict` accepts only what the standard allows. A line that cannot
/// be read raises ReadError, or is kept and reported as an error with `errors='keep'`. Blank lines and
/// comments are kept.
#[pyfunction]
#[pyo3(signature = (text, *, canonical = false, strict = false, errors = "raise", chess960 = false))]
pub fn normalize(
    py: Python<'_>,
    text: &str,
    canonical: bool,
    strict: bool,
    errors: &str,
    chess960: bool,
) -> PyResult<Rewritten> {
    let options = Options {
        mode: if strict { Mode::Strict } else { Mode::Lenient },
        chess960,
        canonical,
        keeps_unreadable: keeps_unreadable(errors)?,
    };
    run(py, text, options)
}

/// Repairs records, as `epode pfdr` does: the normal form, with moves in exact SAN and times with all
/// digits.
///
/// Returns the text, and each repair and whatever is still wrong, as Diagnostics. `errors` is that of
/// `normalize`.
#[pyfunction]
#[pyo3(signature = (text, *, errors = "raise", chess960 = false))]
pub fn repair(py: Python<'_>, text: &str, errors: &str, chess960: bool) -> PyResult<Rewritten> {
    let options = Options {
        mode: Mode::Repair,
        chess960,
        canonical: false,
        keeps_unreadable: keeps_unreadable(errors)?,
    };
    run(py, text, options)
}

fn keeps_unreadable(errors: &str) -> PyResult<bool> {
    match errors {
        "raise" => Ok(false),
        "keep" => Ok(true),
        other => {
            let message = format!("errors: expected 'raise' or 'keep', found '{other}'");
            Err(PyValueError::new_err(message))
        }
    }
}

fn run(py: Python<'_>, text: &str, options: Options) -> PyResult<Rewritten> {
    py.detach(|| rewrite(text, options))
        .map_err(|error| error.into_exception(py, None))
}

fn rewrite(text: &str, options: Options) -> Result<Rewritten, LineError> {
    let reader = reader(options.mode, options.chess960);
    let (mut out, mut diagnostics) = (String::with_capacity(text.len()), Vec::new());
    for line in Lines::new(text.as_bytes(), 1) {
        let mut repairs = Vec::new();
        match line.read(&reader, &mut repairs) {
            Ok(mut record) => {
                if !repairs.is_empty() || !check(&record, &LEXICON).is_empty() {
                    diagnostics.extend(diagnostic::of_line(&line, &reader));
                }
                if options.canonical {
                    record.canonicalise(&LEXICON);
                }
                record.normalise(&LEXICON);
                record.make_portable(&LEXICON);
                out += &record.to_string();
            }
            Err(error) => {
                if line.kind() == LineKind::Record {
                    if !options.keeps_unreadable {
                        return Err(LineError::new(&line, &error));
                    }
                    diagnostics.extend(diagnostic::of_line(&line, &reader));
                }
                out += line.text.trim_end_matches('\r');
            }
        }
        out.push('\n');
    }
    if !text.ends_with(['\n', '\r']) {
        out.pop();
    }
    Ok((out, diagnostics))
}
