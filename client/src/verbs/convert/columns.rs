//! The columns of CSV and JSON lines, and what they contain of a record. `rows` reads them.
//!
//! An operation is in the column of its opcode if its value has the column's type. If the column alone would not
//! give back the same operation (`ce +5`, a best move in coordinates, two operations with one opcode), or if there
//! is no such column, the operation is in the column `operations` as well, as EPD. When a row is read, `operations`
//! comes before the other columns, so that nothing is lost.

use std::borrow::Cow;
use std::fmt::Write;

use epd::{Counters, Operand, Operation, Record};
use movegen::{Color, Move, Position, San};

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

pub const FEN: usize = 0;
pub const TURN: usize = 1;
pub const OPERATIONS: usize = COLUMNS.len() - 1;

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

/// The six fields of a record, whose position may be illegal.
pub fn fen(record: &Record, position: Option<&Position>) -> String {
    if let Some(position) = position {
        return position.to_string();
    }
    let text = record.with_counters(Counters::Fields).to_string();
    let fields: Vec<_> = text.split(' ').take(6).collect();
    fields.join(" ")
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
