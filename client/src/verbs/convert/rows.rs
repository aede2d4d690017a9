//! The record that a row of CSV or an object of JSON describes.

use std::borrow::Cow;

use epd::{Opcode, Operation, Reader, Record};
use movegen::Color;

use super::columns::{COLUMNS, FEN, Kind, OPERATIONS, TURN};
use crate::io::input::DroppedCastling;

/// What a column of a file that is read stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// One of [`COLUMNS`].
    Known(usize),
    /// An opcode without a column of its own.
    Opcode(Opcode),
    /// Nothing: the name is not an opcode.
    None,
    /// The same as a column before it.
    Repeated,
}

/// A column that is left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOut {
    pub name: String,
    pub why: &'static str,
}

impl Meaning {
    pub fn of(name: &str) -> Self {
        let known = |(known, _): &(&str, Kind)| *known == name;
        if let Some(n) = COLUMNS.iter().position(known) {
            return Self::Known(n);
        }
        // Other programs name it `FEN` or `Fen`.
        if name.eq_ignore_ascii_case("fen") {
            return Self::Known(FEN);
        }
        Opcode::new(name).map_or(Self::None, Self::Opcode)
    }

    /// The meaning of the column that comes after others.
    pub fn after(before: &[Self], name: &str) -> Self {
        match Self::of(name) {
            meaning if meaning != Self::None && before.contains(&meaning) => Self::Repeated,
            meaning => meaning,
        }
    }

    /// The column of this name, if it is left out.
    pub fn left_out(&self, name: &str) -> Option<LeftOut> {
        let why = match self {
            Self::Known(_) | Self::Opcode(_) => return None,
            Self::None => "it is not named like an opcode",
            Self::Repeated => "a column before it has the same name",
        };
        let name = name.to_owned();
        Some(LeftOut { name, why })
    }
}

/// A value that was read; an absent one is left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cell<'a> {
    Text(Cow<'a, str>),
    List(Vec<String>),
}

/// Why a row is not a record.
#[derive(Debug, PartialEq, Eq)]
pub struct RowError {
    /// What is at fault, by which its column is found.
    pub found: Found,
    pub message: String,
}

/// The record of a row, and what was dropped from its FEN.
pub type RowResult = Result<(Record, Option<DroppedCastling>), RowError>;

/// A place in a row.
#[derive(Debug, PartialEq, Eq)]
pub enum Found {
    /// The row as a whole.
    Row,
    /// A value.
    Value(String),
    /// A line, and a column in bytes, from 1.
    Place(usize, usize),
}

impl RowError {
    /// An error of the row as a whole.
    pub fn of_row(message: impl Into<String>) -> Self {
        Self {
            found: Found::Row,
            message: message.into(),
        }
    }

    pub fn of_value(found: &str, message: String) -> Self {
        Self {
            found: Found::Value(found.to_owned()),
            message,
        }
    }
}

/// Reads a row. `has_counters` tells whether `hmvc` and `fmvn` are columns of the file, so that the
/// counters of the FEN do not count.
pub fn record(cells: &[(Meaning, Cell<'_>)], has_counters: bool, reader: &Reader<'_>) -> RowResult {
    let text = |column| {
        cells
            .iter()
            .find_map(|(meaning, cell)| match (meaning, cell) {
                (&Meaning::Known(n), Cell::Text(text)) if n == column => Some(&**text),
                _ => None,
            })
    };
    let fen = text(FEN).ok_or_else(|| RowError::of_row("there is no fen"))?;
    let fields = if has_counters { four_fields(fen) } else { fen };
    let operations = text(OPERATIONS).unwrap_or_default();
    let line = format!("{fields} {operations}");
    let mut repairs = Vec::new();
    let record = reader.read(&line, &mut repairs);
    let mut record = record.map_err(|error| {
        let found = if error.span.start <= fields.len() {
            fen
        } else {
            operations
        };
        RowError::of_value(found, format!("{found:?}: {}", error.kind))
    })?;
    if let Some(turn) = text(TURN) {
        let expected = match record.setup.turn {
            Color::White => "w",
            Color::Black => "b",
        };
        if turn != expected {
            let message = format!("turn is {turn:?}, but the FEN says {expected:?}");
            return Err(RowError::of_value(turn, message));
        }
    }
    for (meaning, cell) in cells {
        let operation = match meaning {
            Meaning::Known(FEN | TURN | OPERATIONS) | Meaning::None | Meaning::Repeated => {
                continue;
            }
            Meaning::Known(n) if record.get(COLUMNS[*n].0).is_some() => continue,
            Meaning::Known(n) => known_operation(COLUMNS[*n], cell),
            Meaning::Opcode(opcode) if record.get(opcode).is_some() => continue,
            Meaning::Opcode(opcode) => other_operation(opcode.clone(), cell),
        };
        record.add(operation);
    }
    let dropped = DroppedCastling::in_text(&line, &record.setup, &repairs);
    Ok((record, dropped))
}

/// A FEN without its counters.
fn four_fields(fen: &str) -> &str {
    let words = || movegen::words(fen);
    match words().nth(3) {
        Some(fourth) if words().count() == 6 => &fen[..fourth.column - 1 + fourth.text.len()],
        _ => fen,
    }
}

/// The operation of a column with a type. A value of another type is kept as text.
fn known_operation((opcode, kind): (&'static str, Kind), cell: &Cell<'_>) -> Operation {
    let operation = Operation::new(opcode);
    match (kind, cell) {
        (Kind::Moves | Kind::Variation | Kind::Move, cell) => {
            let words: Vec<&str> = match cell {
                Cell::List(moves) => moves.iter().map(|mv| mv.trim()).collect(),
                // DuckDB writes lists as `[Qd1+, Nf3]`, pandas as `['Qd1+', 'Nf3']`.
                Cell::Text(text) => {
                    let listed = |letter: char| {
                        letter.is_whitespace() || matches!(letter, ',' | '[' | ']' | '\'' | '"')
                    };
                    text.split(listed).collect()
                }
            };
            let words = words.into_iter().filter(|word| !word.is_empty());
            words.fold(operation, Operation::symbol)
        }
        (Kind::Integer, Cell::Text(text)) => operation.symbol(without_decimals(text)),
        (_, cell) => operation.string(&joined(cell)),
    }
}

/// The operation of a column that is named like an opcode: numbers remain numbers, all else is text.
fn other_operation(opcode: Opcode, cell: &Cell<'_>) -> Operation {
    let text = joined(cell);
    let operation = Operation::of(opcode);
    if text.parse::<i64>().is_ok() {
        operation.symbol(text)
    } else {
        operation.string(&text)
    }
}

fn joined(cell: &Cell<'_>) -> String {
    match cell {
        Cell::Text(text) => text.clone().into_owned(),
        Cell::List(texts) => texts.join(" "),
    }
}

/// `15` of `15.0`: pandas has no integers in columns with missing values.
fn without_decimals(text: &str) -> &str {
    let text = text.trim();
    match text.split_once('.') {
        Some((number, zeros)) if !number.is_empty() && zeros.bytes().all(|byte| byte == b'0') => {
            number
        }
        _ => text,
    }
}
