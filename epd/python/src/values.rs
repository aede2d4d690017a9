//! Operands as Python values, and Python values as operands. The lexicon tells the type; where it has
//! none, a number without quotes is a number and anything else text.

use std::time::Duration;

use epd::opcode::{Arity, Basetype, LexiconEntry, Moves};
use epd::time::{Clock, MillisecondClock};
use epd::value::{PawnScore, integer};
use epd::{Opcode, Operand, OperandError as Error, Operation};
use movegen::San;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{
    PyBool, PyDate, PyDateTime, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple, PyTzInfo,
};

use crate::errors::OperandError;
use crate::moves;
use crate::position::Position;

type Value<'py> = PyResult<Bound<'py, PyAny>>;

fn wrong(error: &Error) -> PyErr {
    OperandError::new_err(error.to_string())
}

/// The entry of an opcode in the standard lexicon.
pub fn entry(opcode: &str) -> Option<&'static LexiconEntry> {
    LexiconEntry::find(opcode)
}

/// The value of an operation.
pub fn of_operation<'py>(
    py: Python<'py>,
    operation: &Operation,
    position: impl FnOnce() -> PyResult<Position>,
) -> Value<'py> {
    let Some(entry) = entry(&operation.opcode) else {
        return guessed(py, operation);
    };
    check(operation, entry).map_err(|error| wrong(&error))?;
    if entry.takes_moves() {
        return of_moves(py, operation, entry, &position()?);
    }
    let operands = &operation.operands[..];
    match entry.arity {
        Arity::Exactly([]) => Ok(PyBool::new(py, true).to_owned().into_any()),
        Arity::Exactly([Basetype::Date, Basetype::TimeOfDay]) => timestamp(py, operands),
        Arity::Exactly([one]) => scalar(py, &operands[0], one),
        Arity::Exactly(types) => {
            let values = operands.iter().zip(types);
            let values: PyResult<Vec<_>> = values.map(|(one, of)| scalar(py, one, of)).collect();
            Ok(PyTuple::new(py, values?)?.into_any())
        }
        Arity::Optional(ref one) => match operands {
            [] => Ok(py.None().into_bound(py)),
            [operand, ..] => scalar(py, operand, one),
        },
        Arity::Many(ref one) => {
            let values: PyResult<Vec<_>> = operands.iter().map(|of| scalar(py, of, one)).collect();
            Ok(PyList::new(py, values?)?.into_any())
        }
        Arity::Pairs(..) => {
            let pairs = PyDict::new(py);
            for pair in operands.chunks_exact(2) {
                pairs.set_item(pair[0].text(), pair[1].text())?;
            }
            if pairs.len() * 2 < operands.len() {
                let message = format!("{}: a tag occurs twice", operation.opcode);
                return Err(OperandError::new_err(message));
            }
            Ok(pairs.into_any())
        }
    }
}

/// The operands as one text, where they are not what the opcode takes.
pub fn as_written(operation: &Operation) -> String {
    let words: Vec<_> = operation.operands.iter().map(Operand::text).collect();
    words.join(" ")
}

/// Checks the number of the operands and their types.
fn check(operation: &Operation, entry: &LexiconEntry) -> Result<(), Error> {
    let (arity, opcode) = (&entry.arity, &operation.opcode);
    if !arity.allows(operation.operands.len()) {
        return Err(Error::Count {
            opcode: opcode.clone(),
            found: operation.operands.len(),
            expected: arity.describe(),
        });
    }
    for (n, operand) in operation.operands.iter().enumerate() {
        if let Some(basetype) = arity.basetype(n)
            && !basetype.accepts(operand)
        {
            return Err(Error::Value {
                opcode: opcode.clone(),
                operand: operand.clone(),
                expected: basetype.describe(),
            });
        }
    }
    Ok(())
}

/// Moves in UCI notation: one, or a list.
fn of_moves<'py>(
    py: Python<'py>,
    operation: &Operation,
    entry: &LexiconEntry,
    position: &Position,
) -> Value<'py> {
    let (inner, chess960) = (&position.inner, position.chess960);
    if entry.moves == Moves::Variation {
        let played = operation.variation(inner).map_err(|error| wrong(&error))?;
        return Ok(moves::line(py, inner, &played, chess960)?.into_any());
    }
    let found = operation.moves(inner).map_err(|error| wrong(&error))?;
    match (&entry.arity, &found[..]) {
        (Arity::Exactly(_), [mv]) => Ok(moves::text(py, inner, *mv, chess960).into_any()),
        (Arity::Exactly(_), found) => Err(wrong(&Error::Count {
            opcode: operation.opcode.clone(),
            found: found.len(),
            expected: "one".to_owned(),
        })),
        _ => Ok(moves::list(py, inner, &found, chess960)?.into_any()),
    }
}

/// The value of an operand that its type accepts.
fn scalar<'py>(py: Python<'py>, operand: &Operand, basetype: &Basetype) -> Value<'py> {
    let text = operand.text();
    Ok(match basetype {
        Basetype::Integer(..) => match integer(text) {
            Some(number) => number.into_pyobject(py)?.into_any(),
            None => PyString::new(py, text).into_any(),
        },
        Basetype::Clock => match text.parse::<Clock>() {
            Ok(clock) => clock.duration().into_pyobject(py)?.into_any(),
            Err(_) => PyString::new(py, text).into_any(),
        },
        Basetype::MillisecondClock => match text.parse::<MillisecondClock>() {
            Ok(clock) => clock.duration().into_pyobject(py)?.into_any(),
            Err(_) => PyString::new(py, text).into_any(),
        },
        Basetype::PawnScore => match text.parse::<PawnScore>() {
            Ok(PawnScore::Millipawns(size)) => PyFloat::new(py, size as f64 / 1000.0).into_any(),
            _ => PyString::new(py, text).into_any(),
        },
        Basetype::Any | Basetype::Float => guess(py, operand)?,
        _ => PyString::new(py, text).into_any(),
    })
}

/// The date and the time of `ts`, in UTC.
fn timestamp<'py>(py: Python<'py>, operands: &[Operand]) -> Value<'py> {
    let canonical = |operand: &Operand, basetype: Basetype| {
        let rewritten = basetype.canonical(operand);
        rewritten.map_or_else(|| operand.text().to_owned(), Into::into)
    };
    let day = canonical(&operands[0], Basetype::Date);
    let time = canonical(&operands[1], Basetype::TimeOfDay);
    let number = |text: &str, from: usize, to: usize| -> PyResult<u16> {
        let digits = text.get(from..to).and_then(|digits| digits.parse().ok());
        digits.ok_or_else(|| OperandError::new_err(format!("ts: {day} {time}")))
    };
    let utc = PyTzInfo::utc(py)?;
    let value = PyDateTime::new(
        py,
        i32::from(number(&day, 0, 4)?),
        number(&day, 5, 7)? as u8,
        number(&day, 8, 10)? as u8,
        number(&time, 0, 2)? as u8,
        number(&time, 3, 5)? as u8,
        number(&time, 6, 8)? as u8,
        0,
        Some(&utc),
    )?;
    Ok(value.into_any())
}

/// The value of an operation whose opcode has no meaning.
fn guessed<'py>(py: Python<'py>, operation: &Operation) -> Value<'py> {
    match &operation.operands[..] {
        [] => Ok(py.None().into_bound(py)),
        [operand] => guess(py, operand),
        operands => {
            let values: PyResult<Vec<_>> = operands.iter().map(|of| guess(py, of)).collect();
            Ok(PyList::new(py, values?)?.into_any())
        }
    }
}

fn guess<'py>(py: Python<'py>, operand: &Operand) -> Value<'py> {
    if let Operand::Symbol(text) = operand {
        if let Some(number) = integer(text) {
            return Ok(number.into_pyobject(py)?.into_any());
        }
        if Basetype::Float.accepts(operand)
            && let Ok(number) = text.parse::<f64>()
        {
            return Ok(PyFloat::new(py, number).into_any());
        }
    }
    Ok(PyString::new(py, operand.text()).into_any())
}

/// The operation that a value makes; none if the value is False.
pub fn to_operation(
    opcode: &str,
    value: &Bound<'_, PyAny>,
    position: impl FnOnce() -> PyResult<Position>,
) -> PyResult<Option<Operation>> {
    let name = Opcode::new(opcode).map_err(|error| OperandError::new_err(error.to_string()))?;
    let mut operation = Operation::of(name);
    let entry = entry(opcode);
    if value.is_none() {
        // No operands.
    } else if let Ok(flag) = value.cast::<PyBool>() {
        if !flag.is_true() {
            return Ok(None);
        }
    } else if let Some(entry) = entry.filter(|entry| entry.takes_moves()) {
        operation = moves_from(operation, entry, value, &position()?)?;
    } else if let Ok(pairs) = value.cast::<PyDict>() {
        for (tag, value) in pairs {
            operation = operation
                .symbol(tag.str()?.to_cow()?)
                .string(&value.str()?.to_cow()?);
        }
    } else if let Ok(time) = value.cast::<PyDateTime>() {
        operation = timestamp_from(operation, time)?;
    } else {
        let is_sequence = value.is_instance_of::<PyList>() || value.is_instance_of::<PyTuple>();
        let values: Vec<_> = if is_sequence {
            value.try_iter()?.collect::<PyResult<_>>()?
        } else {
            vec![value.clone()]
        };
        for (n, value) in values.iter().enumerate() {
            let basetype = entry.and_then(|entry| entry.arity.basetype(n));
            let operand = operand_from(opcode, value, basetype)?;
            operation.operands.push(operand);
        }
    }
    if let Some(entry) = entry {
        check(&operation, entry).map_err(|error| wrong(&error))?;
    }
    Ok(Some(operation))
}

/// Moves in UCI notation or SAN as operands in SAN.
fn moves_from(
    mut operation: Operation,
    entry: &LexiconEntry,
    value: &Bound<'_, PyAny>,
    position: &Position,
) -> PyResult<Operation> {
    let texts: Vec<String> = match value.cast::<PyString>() {
        Ok(text) => vec![text.to_cow()?.into_owned()],
        Err(_) => value.extract()?,
    };
    let mut position = *position;
    for text in texts {
        let mv = position.parse(&text)?;
        operation = operation.symbol(San::of(&position.inner, mv));
        if entry.moves == Moves::Variation {
            position.inner.play_unchecked(mv);
        }
    }
    Ok(operation)
}

/// A date and time as operands of `ts`.
fn timestamp_from(operation: Operation, time: &Bound<'_, PyDateTime>) -> PyResult<Operation> {
    if time.getattr("tzinfo")?.is_none() {
        let message = "expected a datetime with a time zone; EPD has times in UTC";
        return Err(OperandError::new_err(format!(
            "{}: {message}",
            operation.opcode
        )));
    }
    let utc = PyTzInfo::utc(time.py())?;
    let time = time.call_method1("astimezone", (utc,))?;
    let part = |format| -> PyResult<String> { time.call_method1("strftime", (format,))?.extract() };
    Ok(operation
        .symbol(part("%Y.%m.%d")?)
        .symbol(part("%H:%M:%S")?))
}

/// An operand of a value, which has a type if the lexicon knows one.
fn operand_from(
    opcode: &str,
    value: &Bound<'_, PyAny>,
    basetype: Option<&Basetype>,
) -> PyResult<Operand> {
    if let Ok(number) = value.cast::<PyInt>() {
        return Ok(match (basetype, number.extract::<i64>()) {
            (Some(Basetype::PawnScore), Ok(pawns)) => pawn_score(pawns.saturating_mul(1000)),
            _ => Operand::new(number.str()?.to_cow()?.as_ref()),
        });
    }
    if let Ok(number) = value.cast::<PyFloat>() {
        let number = number.value();
        if !number.is_finite() {
            return Err(OperandError::new_err(format!(
                "{opcode}: {number} is not a number of EPD"
            )));
        }
        return Ok(match basetype {
            Some(Basetype::PawnScore) => pawn_score((number * 1000.0).round() as i64),
            _ => Operand::new(format!("{number:?}")),
        });
    }
    if let Ok(text) = value.cast::<PyString>() {
        let text = &*text.to_cow()?;
        let is_symbol = match basetype {
            None | Some(Basetype::Any | Basetype::String | Basetype::PawnScore) => false,
            Some(_) => true,
        };
        return Ok(if is_symbol {
            Operand::new(text)
        } else {
            Operand::string(text)
        });
    }
    if let Ok(day) = value.cast::<PyDate>() {
        let text: String = day.call_method1("strftime", ("%Y.%m.%d",))?.extract()?;
        return Ok(Operand::new(text));
    }
    if let Ok(duration) = value.extract::<Duration>() {
        return Ok(match basetype {
            Some(Basetype::Clock) => Operand::new(Clock::rounded_up(duration).to_string()),
            _ => Operand::new(MillisecondClock::new(duration).to_string()),
        });
    }
    let found = value.get_type().name()?;
    Err(PyTypeError::new_err(format!(
        "{opcode}: expected int, float, str, timedelta, datetime or a list of them, found {found}"
    )))
}

/// A score in pawns. A number starts with a sign or a digit, so that it needs no quotes.
fn pawn_score(millipawns: i64) -> Operand {
    Operand::new(PawnScore::Millipawns(millipawns).to_string())
}
