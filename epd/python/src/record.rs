//! `Record`: a position and its operations.

use std::borrow::Cow;

use epd::{Lexicon, Line, Mode, Opcode, Operand, Reader, check};
use movegen::CastlingMode;
use pyo3::exceptions::{PyKeyError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString, PyTuple};

use crate::diagnostic;
use crate::errors::{LineError, OperandError, PositionError};
use crate::position::{self, Position};
use crate::{moves, values};

/// The standard opcodes.
pub static LEXICON: Lexicon = Lexicon::standard();

/// A record of EPD: a position and its operations. It is used like a dict from opcodes to values.
///
/// Parse one with `Record.parse(line)`, read a file with `epode.read(path)`, or make one from a FEN and
/// operations: `Record(fen, bm=['e4'], id='first')`. `str(record)` is a line of EPD in normal form.
#[pyclass(module = "epode")]
pub struct Record {
    inner: epd::Record,
    chess960: bool,
    source: Option<Source>,
}

/// The line that a record was read from, until the record is changed.
#[derive(Clone)]
pub struct Source {
    text: Box<str>,
    number: usize,
    broken_at: Option<usize>,
    mode: Mode,
    /// Whether the line deviates from the standard.
    deviates: bool,
}

/// A reader of lines.
pub fn reader(mode: Mode, chess960: bool) -> Reader<'static> {
    Reader::new(mode).with_castling_mode(moves::mode(chess960))
}

/// Reads the name of a mode.
pub fn mode(name: &str) -> PyResult<Mode> {
    name.parse().map_err(|_| {
        PyValueError::new_err(format!(
            "mode: expected 'strict', 'lenient' or 'repair', found '{name}'"
        ))
    })
}

impl Source {
    fn line(&self) -> Line<'_> {
        Line {
            number: self.number,
            text: Cow::Borrowed(&self.text),
            raw: self.text.as_bytes(),
            broken_at: self.broken_at,
        }
    }
}

impl Record {
    /// Reads a line.
    pub fn of_line(line: &Line<'_>, mode: Mode, chess960: bool) -> Result<Self, LineError> {
        let mut repairs = Vec::new();
        let record = line
            .read(&reader(mode, chess960), &mut repairs)
            .map_err(|error| LineError::new(line, &error))?;
        let chess960 = chess960 || record.setup.castling_mode == CastlingMode::Chess960;
        let source = Source {
            text: line.text.trim_end_matches('\r').into(),
            number: line.number,
            broken_at: line.broken_at,
            mode,
            deviates: !repairs.is_empty(),
        };
        Ok(Self {
            inner: record,
            chess960,
            source: Some(source),
        })
    }

    /// The line that the record was read from, or would be printed as.
    fn source(&self) -> Cow<'_, Source> {
        match &self.source {
            Some(source) => Cow::Borrowed(source),
            None => Cow::Owned(Source {
                text: self.inner.to_string().into(),
                number: 1,
                broken_at: None,
                mode: Mode::Lenient,
                deviates: false,
            }),
        }
    }

    /// The position; an error if it is illegal.
    pub fn legal_position(&self) -> PyResult<Position> {
        let position = self.inner.position();
        let position = position.map_err(|error| {
            PositionError::new_err(format!("{error}: {}", self.inner.setup.fields()))
        })?;
        Ok(Position::of(position, self.chess960))
    }

    fn set_value(&mut self, opcode: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        match values::to_operation(opcode, value, || self.legal_position())? {
            Some(operation) => self.inner.set(operation),
            None => {
                self.inner.remove(opcode);
            }
        }
        self.source = None;
        Ok(())
    }

    fn value<'py>(&self, py: Python<'py>, opcode: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
        let operation = self.inner.get(opcode);
        operation
            .map(|operation| values::of_operation(py, operation, || self.legal_position()))
            .transpose()
    }

    /// The opcodes, each once.
    fn opcodes(&self) -> Vec<&Opcode> {
        let mut opcodes: Vec<_> = self
            .inner
            .operations()
            .iter()
            .map(|one| &one.opcode)
            .collect();
        opcodes.dedup();
        opcodes
    }
}

/// A function that makes a copy, and its arguments.
type Reduced<'py> = (
    Bound<'py, PyAny>,
    (String, String, bool, usize, Option<usize>, bool),
);

#[pymethods]
impl Record {
    /// A record with the position of a FEN or a `Position`, and operations by their opcodes.
    #[new]
    #[pyo3(signature = (position, **operations))]
    fn new(position: &Bound<'_, PyAny>, operations: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let (setup, chess960) = if let Ok(position) = position.cast::<Position>() {
            (position.get().inner.setup(), position.get().chess960)
        } else if let Ok(fen) = position.cast::<PyString>() {
            (position::setup(&fen.to_cow()?, false)?, false)
        } else {
            return Err(PyTypeError::new_err("expected a FEN or a Position"));
        };
        let mut record = Self {
            chess960: chess960 || setup.castling_mode == CastlingMode::Chess960,
            inner: epd::Record::new(setup),
            source: None,
        };
        for (opcode, value) in operations.into_iter().flatten() {
            record.set_value(&opcode.cast::<PyString>()?.to_cow()?, &value)?;
        }
        Ok(record)
    }

    /// Reads a line. `mode` is 'strict' (only what the standard allows), 'lenient' (also deviations
    /// whose meaning is clear) or 'repair' (the same, and moves are rewritten in SAN).
    #[staticmethod]
    #[pyo3(signature = (line, *, mode = "lenient", chess960 = false))]
    fn parse(py: Python<'_>, line: &str, mode: &str, chess960: bool) -> PyResult<Self> {
        let mode = self::mode(mode)?;
        let text = line.strip_suffix('\n').unwrap_or(line);
        let line = Line {
            number: 1,
            text: Cow::Borrowed(text),
            raw: text.as_bytes(),
            broken_at: None,
        };
        Self::of_line(&line, mode, chess960).map_err(|error| error.into_exception(py, None))
    }

    #[staticmethod]
    fn _restore(
        py: Python<'_>,
        text: &str,
        mode: &str,
        chess960: bool,
        number: usize,
        broken_at: Option<usize>,
        is_changed: bool,
    ) -> PyResult<Self> {
        let line = Line {
            number,
            text: Cow::Borrowed(text),
            raw: text.as_bytes(),
            broken_at,
        };
        let record = Self::of_line(&line, self::mode(mode)?, chess960);
        let mut record = record.map_err(|error| error.into_exception(py, None))?;
        if is_changed {
            record.source = None;
        }
        Ok(record)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Reduced<'py>> {
        let this = slf.borrow();
        let source = this.source();
        let arguments = (
            source.text.to_string(),
            source.mode.to_string(),
            this.chess960,
            source.number,
            source.broken_at,
            this.source.is_none(),
        );
        Ok((slf.get_type().getattr("_restore")?, arguments))
    }

    /// The position. An illegal one raises PositionError.
    #[getter]
    fn position(&self) -> PyResult<Position> {
        self.legal_position()
    }

    /// The position as a FEN, with the counters of `hmvc` and `fmvn`. It may be illegal.
    #[getter]
    fn fen(&self) -> String {
        let mut record = self.inner.clone();
        record.retain(|one| matches!(&*one.opcode, "hmvc" | "fmvn"));
        let text = record.with_counters(epd::Counters::Fields).to_string();
        // A counter that is no number stays behind the fields.
        let words: Vec<_> = text.splitn(7, ' ').take(6).collect();
        words.join(" ")
    }

    /// Whether castling moves are written as the king that takes its own rook.
    #[getter]
    fn chess960(&self) -> bool {
        self.chess960
    }

    /// The name of the position (opcode `id`), or None.
    #[getter]
    fn id<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.value(py, "id")
    }

    /// The line that the record was read from; None after a change.
    #[getter]
    fn text(&self) -> Option<&str> {
        self.source.as_ref().map(|source| &*source.text)
    }

    /// The number of that line, from 1; None after a change.
    #[getter]
    fn line(&self) -> Option<usize> {
        self.source.as_ref().map(|source| source.number)
    }

    /// All operations, as a new dict. Operands that are not what the opcode takes, such as a move that
    /// is not legal, are one str as written; `record[opcode]` raises OperandError.
    #[getter]
    fn operations<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let all = PyDict::new(py);
        let mut last = None;
        // Every operation with moves needs the position.
        let mut position = None;
        for operation in self.inner.operations() {
            if last == Some(&operation.opcode) {
                continue;
            }
            last = Some(&operation.opcode);
            let value = values::of_operation(py, operation, || match &position {
                Some(position) => Ok(*position),
                None => Ok(*position.insert(self.legal_position()?)),
            });
            let value = match value {
                Err(error)
                    if error.is_instance_of::<OperandError>(py)
                        || error.is_instance_of::<PositionError>(py) =>
                {
                    PyString::new(py, &values::as_written(operation)).into_any()
                }
                other => other?,
            };
            all.set_item(operation.opcode.as_str(), value)?;
        }
        Ok(all)
    }

    /// What is wrong with the record, or odd about the line that it was read from.
    #[getter]
    fn diagnostics<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let deviates = self.source.as_ref().is_some_and(|source| source.deviates);
        if !deviates && check(&self.inner, &LEXICON).is_empty() {
            return Ok(PyTuple::empty(py));
        }
        let source = self.source();
        let found = diagnostic::of_line(&source.line(), &reader(source.mode, self.chess960));
        PyTuple::new(py, found)
    }

    /// The operands of an opcode as written, without quotes; an empty list if there are none.
    fn operands(&self, opcode: &str) -> Vec<&str> {
        let operation = self.inner.get(opcode).into_iter();
        operation
            .flat_map(|one| one.operands.iter().map(Operand::text))
            .collect()
    }

    /// The value of an opcode, or `default`.
    #[pyo3(signature = (opcode, default = None))]
    fn get<'py>(
        &self,
        py: Python<'py>,
        opcode: &str,
        default: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        Ok(self.value(py, opcode)?.or(default))
    }

    /// The opcodes, in ASCII order.
    fn keys(&self) -> Vec<&str> {
        self.opcodes().into_iter().map(Opcode::as_str).collect()
    }

    /// Sets the operations of a dict, such as `Analysis.operations`.
    fn update(&mut self, operations: &Bound<'_, PyDict>) -> PyResult<()> {
        for (opcode, value) in operations {
            self.set_value(&opcode.cast::<PyString>()?.to_cow()?, &value)?;
        }
        Ok(())
    }

    fn __getitem__<'py>(&self, py: Python<'py>, opcode: &str) -> PyResult<Bound<'py, PyAny>> {
        self.value(py, opcode)?
            .ok_or_else(|| PyKeyError::new_err(opcode.to_owned()))
    }

    fn __setitem__(&mut self, opcode: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        self.set_value(opcode, value)
    }

    fn __delitem__(&mut self, opcode: &str) -> PyResult<()> {
        if !self.inner.remove(opcode) {
            return Err(PyKeyError::new_err(opcode.to_owned()));
        }
        self.source = None;
        Ok(())
    }

    fn __contains__(&self, opcode: &str) -> bool {
        self.inner.get(opcode).is_some()
    }

    fn __len__(&self) -> usize {
        self.opcodes().len()
    }

    /// A record without operations is a record.
    #[allow(clippy::unused_self)]
    fn __bool__(&self) -> bool {
        true
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, pyo3::types::PyIterator>> {
        PyList::new(py, self.keys())?.try_iter()
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.inner == other.inner
    }

    fn __copy__(&self) -> Self {
        Self {
            inner: self.inner.clone(),
            chess960: self.chess960,
            source: self.source.clone(),
        }
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Self {
        self.__copy__()
    }

    fn __str__(&self) -> String {
        self.inner.to_string()
    }

    fn __repr__(&self) -> String {
        format!("<epode.Record {}>", self.inner)
    }
}
