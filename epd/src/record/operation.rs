//! Operations: an opcode and its operands.

use std::fmt::{self, Write};
use std::str::FromStr;

use movegen::san::SanError;
use movegen::{Move, Position, San};
use smallvec::SmallVec;
use smol_str::{SmolStr, format_smolstr};

use crate::opcode::Opcode;
use crate::record::moves;
use crate::record::operand::Operand;

/// An opcode with its operands (EPD 5).
///
/// ```
/// use epode_epd::Operation;
///
/// let operation = Operation::new("Src").string("a book").symbol(12);
/// assert_eq!(operation.to_string(), "Src \"a book\" 12;");
/// assert_eq!(Operation::new("acn").symbol(u64::MAX).count(), Ok(u64::MAX));
/// // What cannot stand without quotes gets some.
/// assert_eq!(Operation::new("Src").symbol("x; y").to_string(), "Src \"x; y\";");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Operation {
    /// What the operation is about.
    pub opcode: Opcode,
    /// The operands in the order of the record; one, which is what most have, needs no memory of
    /// its own.
    pub operands: SmallVec<[Operand; 1]>,
}

/// The operands of an operation are not what its opcode asks for.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)]
pub enum OperandError {
    #[error("{opcode}: {found} operands, expected {expected}")]
    Count {
        opcode: Opcode,
        found: usize,
        expected: &'static str,
    },
    #[error("{opcode}: {text:?} is not {expected}")]
    Value {
        opcode: Opcode,
        text: SmolStr,
        expected: &'static str,
    },
    #[error("{opcode}: {text:?}: {error}")]
    Move {
        opcode: Opcode,
        text: SmolStr,
        error: SanError,
    },
}

impl Operation {
    /// An operation without operands. An opcode that is not known when the program is written is
    /// checked first, and goes to [`of`](Self::of).
    ///
    /// # Panics
    /// When the text is no [`Opcode`].
    #[must_use]
    pub fn new(opcode: &'static str) -> Self {
        match Opcode::new(opcode) {
            Ok(opcode) => Self::of(opcode),
            Err(error) => panic!("{error}"),
        }
    }

    /// An operation without operands.
    #[must_use]
    pub fn of(opcode: Opcode) -> Self {
        Self {
            opcode,
            operands: SmallVec::new(),
        }
    }

    /// The operation with one more operand, without quotes if what is printed can stand so: a
    /// number, a move, an identifier. Anything else is put in quotes.
    #[must_use]
    pub fn symbol(mut self, value: impl fmt::Display) -> Self {
        self.operands.push(Operand::new(format_smolstr!("{value}")));
        self
    }

    /// The operation with one more operand in quotes.
    #[must_use]
    pub fn string(mut self, text: &str) -> Self {
        self.operands.push(Operand::string(text));
        self
    }

    /// The operation with a line of play as operands, the first move played from `position`.
    ///
    /// # Panics
    /// When a move is not legal where it is played.
    #[must_use]
    pub fn line(mut self, position: &Position, moves: &[Move]) -> Self {
        let mut position = *position;
        for &mv in moves {
            self = self.symbol(San::of(&position, mv));
            position.play(mv);
        }
        self
    }

    pub(crate) fn print(&self, out: &mut impl Write) -> fmt::Result {
        out.write_str(&self.opcode)?;
        for operand in &self.operands {
            out.write_str(" ")?;
            operand.print(out)?;
        }
        out.write_str(";")
    }

    /// The one operand that the operation must have.
    pub fn single(&self) -> Result<&Operand, OperandError> {
        match &self.operands[..] {
            [operand] => Ok(operand),
            operands => Err(OperandError::Count {
                opcode: self.opcode.clone(),
                found: operands.len(),
                expected: "one",
            }),
        }
    }

    /// The one operand as a value of its text: a number, a date, a clock.
    pub fn value<T: FromStr>(&self, expected: &'static str) -> Result<T, OperandError> {
        self.read(self.single()?.text(), expected)
    }

    /// Both operands as values of their texts.
    pub fn values<T: FromStr, U: FromStr>(
        &self,
        expected: &'static str,
    ) -> Result<(T, U), OperandError> {
        let [one, other] = &self.operands[..] else {
            return Err(OperandError::Count {
                opcode: self.opcode.clone(),
                found: self.operands.len(),
                expected: "two",
            });
        };
        Ok((
            self.read(one.text(), expected)?,
            self.read(other.text(), expected)?,
        ))
    }

    fn read<T: FromStr>(&self, text: &str, expected: &'static str) -> Result<T, OperandError> {
        text.parse().map_err(|_| OperandError::Value {
            opcode: self.opcode.clone(),
            text: text.into(),
            expected,
        })
    }

    /// The one operand as a non-negative integer; more than 32 bits are read (decision 90).
    pub fn count(&self) -> Result<u64, OperandError> {
        let text = self.single()?.text();
        match crate::opcode::value::integer(text).map(u64::try_from) {
            Some(Ok(count)) if !text.starts_with('-') => Ok(count),
            _ => Err(OperandError::Value {
                opcode: self.opcode.clone(),
                text: text.into(),
                expected: "a non-negative integer",
            }),
        }
    }

    /// The operands as moves that are all playable from `position` (`bm`, `am`, `pm`, `sm`), read
    /// as [`san::parse_lenient`](movegen::san::parse_lenient) does. Numbers before moves and commas between them do
    /// not matter.
    pub fn moves(&self, position: &Position) -> Result<Vec<Move>, OperandError> {
        self.each_move(position).collect()
    }

    /// The operands one by one, as [`moves`](Self::moves) reads them: one that is no legal move
    /// takes nothing from the others.
    pub fn each_move(
        &self,
        position: &Position,
    ) -> impl Iterator<Item = Result<Move, OperandError>> {
        self.move_texts().map(|text| self.mv(position, text))
    }

    fn move_texts(&self) -> impl Iterator<Item = &str> {
        self.operands.iter().flat_map(moves::texts)
    }

    /// The operands as moves played one after the other (`pv`, `sv`).
    pub fn variation(&self, position: &Position) -> Result<Vec<Move>, OperandError> {
        let mut position = *position;
        self.move_texts()
            .map(|text| {
                let mv = self.mv(&position, text)?;
                position.play_unchecked(mv);
                Ok(mv)
            })
            .collect()
    }

    fn mv(&self, position: &Position, text: &str) -> Result<Move, OperandError> {
        moves::read(position, text).map_err(|error| OperandError::Move {
            opcode: self.opcode.clone(),
            text: text.into(),
            error,
        })
    }
}

/// Prints the operation with the semicolon that ends it.
impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.print(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Record;

    #[test]
    fn errors_tell_opcode_and_text() {
        let line = "8/8/8/8/8/k7/8/K7 w - - acn -1; bm Kc1; dm 1 2; pv Kb1 Kb1;";
        let record: Record = line.parse().expect("readable");
        let position = record.position().expect("legal");
        let get = |opcode| record.get(opcode).expect("there");
        for (error, text) in [
            (
                get("acn").count().expect_err("negative"),
                "acn: \"-1\" is not a non-negative integer",
            ),
            (
                get("dm").count().expect_err("two"),
                "dm: 2 operands, expected one",
            ),
            (
                get("bm").moves(&position).expect_err("far"),
                "bm: \"Kc1\": not a legal move here",
            ),
            (
                get("pv").variation(&position).expect_err("again"),
                "pv: \"Kb1\": not a legal move here",
            ),
        ] {
            assert_eq!(error.to_string(), text);
        }
    }

    /// Decision 90: counts of more than 32 bits.
    #[test]
    fn counts_are_wide() {
        let operation = Operation::new("acn").symbol(u64::MAX);
        assert_eq!(operation.count(), Ok(u64::MAX));
        assert_eq!(Operation::new("acs").symbol("+5").count(), Ok(5));
    }
}
