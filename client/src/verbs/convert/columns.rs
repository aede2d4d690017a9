//! The columns of CSV and JSON lines: what they contain of a record, and the record that they describe.
//!
//! An operation is in the column of its opcode if its value has the column's type. If the column alone would not
//! give back the same operation (`ce +5`, a best move in coordinates, two operations with one opcode), or if there
//! is no such column, the operation is in the column `operations` as well, as EPD. When a row is read, `operations`
//! comes before the other columns, so that nothing is lost.

use std::borrow::Cow;
use std::fmt::Write;

use epd::{Opcode, Operand, Operation, Reader, Record};
use movegen::{Color, Move, Position, San};

use super::fen;

/// The type of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The position as a FEN with six fields.
    Fen,
    /// `w` or `b`.
    Turn,
    Text,
    Integer,
    /// One move in SAN.
    Move,
    /// Moves in the position.
    Moves,
    /// Moves one after the other.
    Variation,
    /// Operations as EPD.
    Operations,
}

use Kind::{Fen, Integer, Moves, Operations, Text, Turn, Variation};

/// The columns in the order in which they are written.
pub const COLUMNS: [(&str, Kind); 29] = [
    ("fen", Fen),
    ("turn", Turn),
    ("id", Text),
    ("bm", Moves),
    ("am", Moves),
    ("pm", Kind::Move),
    ("pv", Variation),
    ("sm", Kind::Move),
    ("sv", Variation),
    ("ce", Integer),
    ("dm", Integer),
    ("acd", Integer),
    ("acn", Integer),
    ("acs", Integer),
    ("hmvc", Integer),
    ("fmvn", Integer),
    ("eco", Text),
    ("nic", Text),
    ("c0", Text),
    ("c1", Text),
    ("c2", Text),
    ("c3", Text),
    ("c4", Text),
    ("c5", Text),
    ("c6", Text),
    ("c7", Text),
    ("c8", Text),
    ("c9", Text),
    ("operations", Operations),
];

const FEN: usize = 0;
const TURN: usize = 1;
const OPERATIONS: usize = COLUMNS.len() - 1;

/// The column of an opcode.
fn column(opcode: &str) -> Option<usize> {
    let columns = &COLUMNS[TURN + 1..OPERATIONS];
    let found = columns.iter().position(|(name, _)| *name == opcode)?;
    Some(found + TURN + 1)
}

/// A value in a column.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Value<'a> {
    #[default]
    Null,
    Text(Cow<'a, str>),
    Integer(i64),
    Moves(Vec<San>),
}

/// The values of a record, in the order of the columns.
pub type Row<'a> = [Value<'a>; COLUMNS.len()];

/// The row of a record in normal form.
pub fn row<'a>(record: &'a Record, position: Option<&Position>) -> Row<'a> {
    let mut row = <Row<'_>>::default();
    row[FEN] = Value::Text(fen(record, position).into());
    row[TURN] = Value::Text(Cow::Borrowed(match record.setup.turn {
        Color::White => "w",
        Color::Black => "b",
    }));
    let mut others = String::new();
    let operations = record.operations();
    for (n, operation) in operations.iter().enumerate() {
        let is =
            |other: Option<&Operation>| other.is_some_and(|other| other.opcode == operation.opcode);
        let repeats = n > 0 && is(operations.get(n - 1));
        let is_repeated = repeats || is(operations.get(n + 1));
        let mut is_exact = false;
        if let Some(column) = column(&operation.opcode).filter(|_| !repeats) {
            (row[column], is_exact) = value(operation, COLUMNS[column].1, position);
        }
        if !is_exact || is_repeated {
            let separator = if others.is_empty() { "" } else { " " };
            let _ = write!(others, "{separator}{operation}");
        }
    }
    if !others.is_empty() {
        row[OPERATIONS] = Value::Text(others.into());
    }
    row
}

/// The value of an operation in a column of this type, and whether the value alone gives back the operation.
fn value<'a>(
    operation: &'a Operation,
    kind: Kind,
    position: Option<&Position>,
) -> (Value<'a>, bool) {
    let none = (Value::Null, false);
    match (kind, &operation.operands[..]) {
        (Kind::Text, [Operand::String(text)]) if !text.is_empty() => {
            (Value::Text(Cow::Borrowed(text)), true)
        }
        (Kind::Text, [Operand::Symbol(text)]) => (Value::Text(Cow::Borrowed(text)), false),
        (Kind::Integer, [Operand::Symbol(text)]) => match text.parse::<i64>() {
            Ok(number) => (Value::Integer(number), number.to_string() == **text),
            Err(_) => none,
        },
        (Kind::Move, [_]) => match moves(operation, false, position) {
            (Value::Moves(moves), is_exact) if moves.len() == 1 => {
                (Value::Text(moves[0].to_string().into()), is_exact)
            }
            _ => none,
        },
        (Kind::Moves, [_, ..]) => moves(operation, false, position),
        (Kind::Variation, [_, ..]) => moves(operation, true, position),
        _ => none,
    }
}

/// The moves of an operation in exact SAN.
fn moves<'a>(
    operation: &Operation,
    is_variation: bool,
    position: Option<&Position>,
) -> (Value<'a>, bool) {
    let none = (Value::Null, false);
    let Some(position) = position else {
        return none;
    };
    // Quotes around moves mean that they are not legal.
    if operation
        .operands
        .iter()
        .any(|operand| matches!(operand, Operand::String(_)))
    {
        return none;
    }
    let read: Result<Vec<Move>, _> = if is_variation {
        operation.variation(position)
    } else {
        operation.moves(position)
    };
    let Ok(moves) = read else {
        return none;
    };
    let mut current = *position;
    let sans: Vec<San> = moves
        .iter()
        .map(|&mv| {
            let san = San::of(&current, mv);
            if is_variation {
                current.play_unchecked(mv);
            }
            san
        })
        .collect();
    let texts = operation.operands.iter().map(Operand::text);
    let is_exact = texts.eq(sans.iter().map(San::as_str));
    (Value::Moves(sans), is_exact)
}

/// What a column of a file that is read stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// One of [`COLUMNS`].
    Known(usize),
    /// An opcode without a column of its own.
    Opcode(Opcode),
    /// Nothing: the name is not an opcode.
    None,
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

/// A place in a row.
#[derive(Debug, PartialEq, Eq)]
pub enum Found {
    /// The row as a whole.
    Row,
    /// A value.
    Value(String),
    /// A column in bytes, from 1.
    Column(usize),
}

impl RowError {
    /// An error of the row as a whole.
    pub fn of_row(message: impl Into<String>) -> Self {
        Self {
            found: Found::Row,
            message: message.into(),
        }
    }

    fn of_value(found: &str, message: String) -> Self {
        Self {
            found: Found::Value(found.to_owned()),
            message,
        }
    }
}

/// The record of a row. `has_counters` tells whether `hmvc` and `fmvn` are columns of the file, so that the
/// counters of the FEN do not count.
pub fn record(
    cells: &[(Meaning, Cell<'_>)],
    has_counters: bool,
    reader: &Reader<'_>,
) -> Result<Record, RowError> {
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
    let record = reader.read(&line, &mut Vec::new());
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
            Meaning::Known(FEN | TURN | OPERATIONS) | Meaning::None => continue,
            Meaning::Known(n) if record.get(COLUMNS[*n].0).is_some() => continue,
            Meaning::Known(n) => known_operation(COLUMNS[*n], cell),
            Meaning::Opcode(opcode) if record.get(opcode).is_some() => continue,
            Meaning::Opcode(opcode) => other_operation(opcode.clone(), cell),
        };
        record.add(operation);
    }
    Ok(record)
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
