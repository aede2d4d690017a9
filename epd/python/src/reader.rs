//! `read`: the records of a file; `check`: what is wrong with them.

use std::collections::VecDeque;
use std::io;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use epd::{LineKind, Lines, Mode, check as check_record};
use pyo3::exceptions::{PyOSError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use pyo3::types::{PyList, PyString};

use crate::blocks::{Blocks, FileObject, Refusal, Source, open_file};
use crate::diagnostic::{self, Diagnostic};
use crate::errors::{LineError, not_text};
use crate::record::{self, LEXICON, Record};

/// What happens to lines that cannot be read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum OnError {
    Raise,
    Skip,
}

/// An iterator over the records of a file. It reads and parses many lines at once, and meanwhile lets
/// other threads of Python run.
#[pyclass(module = "epode", frozen)]
pub struct RecordReader {
    path: Option<String>,
    mode: Mode,
    chess960: bool,
    on_error: OnError,
    state: Mutex<State>,
}

struct State {
    /// None once it is closed or at its end.
    blocks: Option<Blocks>,
    read: VecDeque<Result<Record, LineError>>,
    /// The lines that were skipped.
    errors: Vec<LineError>,
}

/// Reads the records of a file: plain, or compressed with gzip or zstd, whatever its name.
///
/// `source` is a path, '-' for standard input, or a file object open for bytes or text. Blank lines and
/// comments (`#`, `%`) are left out. A line that cannot be read raises ReadError, after which the iterator
/// continues with the next line; with `errors='skip'` it is left out and kept in `errors` of the iterator.
#[pyfunction]
#[pyo3(signature = (source, *, mode = "lenient", errors = "raise", chess960 = false))]
pub fn read(
    py: Python<'_>,
    source: &Bound<'_, PyAny>,
    mode: &str,
    errors: &str,
    chess960: bool,
) -> PyResult<RecordReader> {
    let mode = record::mode(mode)?;
    let on_error = match errors {
        "raise" => OnError::Raise,
        "skip" => OnError::Skip,
        other => {
            let message = format!("errors: expected 'raise' or 'skip', found '{other}'");
            return Err(PyValueError::new_err(message));
        }
    };
    let (blocks, path) = open_blocks(py, source)?;
    Ok(RecordReader {
        path,
        mode,
        chess960,
        on_error,
        state: Mutex::new(State {
            blocks: Some(blocks),
            read: VecDeque::new(),
            errors: Vec::new(),
        }),
    })
}

/// Begins to read a path, standard input or a file object; returns its name too.
fn open_blocks(py: Python<'_>, source: &Bound<'_, PyAny>) -> PyResult<(Blocks, Option<String>)> {
    let (source, path) = open(py, source)?;
    match py.detach(|| Blocks::open(source)) {
        Ok(blocks) => Ok((blocks, path)),
        Err(Refusal::Io(error)) => Err(os_error(error, path.as_deref())),
        Err(Refusal::NotText(what)) => {
            let name = path.as_deref().unwrap_or("the input");
            let message = format!("{name} is {what}");
            Err(not_text(py, path.as_deref(), message))
        }
    }
}

/// Opens a path, standard input or a file object; returns its name too.
fn open(py: Python<'_>, source: &Bound<'_, PyAny>) -> PyResult<(Source, Option<String>)> {
    if source.cast::<PyString>().is_ok_and(|text| text == "-") {
        let stdin = py.import("sys")?.getattr("stdin")?;
        // Where standard input was replaced by a stream of text, it has no bytes.
        let stdin = stdin.getattr("buffer").unwrap_or(stdin);
        return Ok((Box::new(FileObject::new(&stdin)?), Some("-".to_owned())));
    }
    if source.hasattr("read")? {
        let name = source
            .getattr("name")
            .and_then(|name| name.extract::<String>());
        return Ok((Box::new(FileObject::new(source)?), name.ok()));
    }
    let Ok(path) = source.extract::<PathBuf>() else {
        let found = source.get_type().name()?;
        return Err(PyTypeError::new_err(format!(
            "expected a path, '-' or a file object, found {found}"
        )));
    };
    let name = path.display().to_string();
    match py.detach(|| open_file(&path)) {
        Ok(source) => Ok((source, Some(name))),
        Err(error) => Err(os_error(error, Some(&name))),
    }
}

/// An OSError of the right kind (such as FileNotFoundError) with the path, or the exception that a file
/// object raised.
fn os_error(error: io::Error, path: Option<&str>) -> PyErr {
    match (error.raw_os_error(), path) {
        (Some(number), Some(path)) => {
            let text = error.to_string();
            let text = text
                .split(" (os error")
                .next()
                .unwrap_or_default()
                .to_owned();
            PyOSError::new_err((number, text, path.to_owned()))
        }
        _ if error
            .get_ref()
            .is_some_and(<dyn std::error::Error + Send + Sync>::is::<PyErr>) =>
        {
            error.into()
        }
        (_, path) => {
            let path = path.unwrap_or("the input");
            PyOSError::new_err(format!("cannot read {path}: {error}"))
        }
    }
}

impl State {
    /// Reads the next block.
    fn fill(&mut self, mode: Mode, chess960: bool) -> io::Result<()> {
        let Some(blocks) = &mut self.blocks else {
            return Ok(());
        };
        let Some(block) = blocks.next()? else {
            self.blocks = None;
            return Ok(());
        };
        for line in Lines::new(&block.text, block.first_line) {
            if line.kind() == LineKind::Record {
                self.read.push_back(Record::of_line(&line, mode, chess960));
            }
        }
        Ok(())
    }
}

#[pymethods]
impl RecordReader {
    /// The lines that `errors='skip'` has left out so far, as ReadErrors.
    #[getter]
    fn errors<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let errors = lock(&self.state, py).errors.clone();
        let errors = errors.into_iter();
        PyList::new(
            py,
            errors
                .map(|error| {
                    error
                        .into_exception(py, self.path.as_deref())
                        .into_value(py)
                })
                .collect::<Vec<_>>(),
        )
    }

    /// Closes the file. The iterator then ends.
    fn close(&self, py: Python<'_>) {
        let mut state = lock(&self.state, py);
        state.blocks = None;
        state.read.clear();
    }

    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Record>> {
        let mut state = lock(&self.state, py);
        loop {
            match state.read.pop_front() {
                Some(Ok(record)) => return Ok(Some(record)),
                Some(Err(error)) if self.on_error == OnError::Skip => state.errors.push(error),
                Some(Err(error)) => return Err(error.into_exception(py, self.path.as_deref())),
                None if state.blocks.is_none() => return Ok(None),
                None => {
                    let (mode, chess960) = (self.mode, self.chess960);
                    let filled = {
                        let state = &mut *state;
                        py.detach(|| state.fill(mode, chess960))
                    };
                    if let Err(error) = filled {
                        state.blocks = None;
                        return Err(os_error(error, self.path.as_deref()));
                    }
                }
            }
        }
    }

    fn __enter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&self, py: Python<'_>, _exception: &Bound<'_, pyo3::types::PyTuple>) {
        self.close(py);
    }
}

/// The state of an iterator, which threads may share.
fn lock<'a, T>(state: &'a Mutex<T>, py: Python<'a>) -> MutexGuard<'a, T> {
    // After a panic elsewhere, the state still has whole records.
    state
        .lock_py_attached(py)
        .unwrap_or_else(PoisonError::into_inner)
}

/// An iterator over what is wrong with the records of a file, or odd about them. It makes no Python
/// objects of records, and lets other threads of Python run meanwhile.
#[pyclass(module = "epode", frozen)]
pub struct DiagnosticReader {
    path: Option<String>,
    mode: Mode,
    chess960: bool,
    state: Mutex<Checked>,
}

struct Checked {
    /// None at the end.
    blocks: Option<Blocks>,
    found: VecDeque<Diagnostic>,
    records: usize,
}

/// Checks the records of a file, as `epode validate` does: an iterator over Diagnostics, with errors for
/// the lines that cannot be read.
///
/// `source`, `mode` and `chess960` are those of `read`. `records` of the iterator counts what was read.
#[pyfunction]
#[pyo3(signature = (source, *, mode = "lenient", chess960 = false))]
pub fn check(
    py: Python<'_>,
    source: &Bound<'_, PyAny>,
    mode: &str,
    chess960: bool,
) -> PyResult<DiagnosticReader> {
    let mode = record::mode(mode)?;
    let (blocks, path) = open_blocks(py, source)?;
    Ok(DiagnosticReader {
        path,
        mode,
        chess960,
        state: Mutex::new(Checked {
            blocks: Some(blocks),
            found: VecDeque::new(),
            records: 0,
        }),
    })
}

impl Checked {
    /// Checks blocks until something is found.
    fn fill(&mut self, mode: Mode, chess960: bool) -> io::Result<()> {
        let reader = record::reader(mode, chess960);
        let mut repairs = Vec::new();
        while self.found.is_empty()
            && let Some(blocks) = &mut self.blocks
        {
            let Some(block) = blocks.next()? else {
                self.blocks = None;
                break;
            };
            for line in Lines::new(&block.text, block.first_line) {
                if line.kind() != LineKind::Record {
                    continue;
                }
                repairs.clear();
                let read = line.read(&reader, &mut repairs);
                self.records += usize::from(read.is_ok());
                let is_clean = |record| check_record(record, &LEXICON).is_empty();
                if !repairs.is_empty() || !read.as_ref().is_ok_and(is_clean) {
                    self.found.extend(diagnostic::of_line(&line, &reader));
                }
            }
        }
        Ok(())
    }
}

#[pymethods]
impl DiagnosticReader {
    /// The number of records read so far, without the lines that cannot be read.
    #[getter]
    fn records(&self, py: Python<'_>) -> usize {
        lock(&self.state, py).records
    }

    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Diagnostic>> {
        let mut state = lock(&self.state, py);
        if state.found.is_empty() {
            let filled = {
                let state = &mut *state;
                py.detach(|| state.fill(self.mode, self.chess960))
            };
            if let Err(error) = filled {
                state.blocks = None;
                return Err(os_error(error, self.path.as_deref()));
            }
        }
        Ok(state.found.pop_front())
    }
}
