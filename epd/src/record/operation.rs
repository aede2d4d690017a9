//! Operations: an opcode and its operands.

use std::fmt::{self, Write};
use std::str::FromStr;

use movegen::san::SanError;
use movegen::{Move, Position, San};
use smallvec::SmallVec;
use smol_str::{SmolStr, format_smolstr};

use crate::opcode::value::integer;
use crate::opcode::{Basetype, LexiconEntry, Opcode};
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
/// // Text that cannot do without quotes gets them.
/// assert_eq!(Operation::new("Src").symbol("x; y").to_string(), "Src \"x; y\";");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Operation {
    /// The opcode.
    pub opcode: Opcode,
    /// The operands, in the order of the record. Most operations have one, which needs no allocation.
    pub operands: SmallVec<[Operand; 1]>,
}

/// The operands of an operation are not what its opcode takes.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum OperandError {
    /// There are too many or too few.
    #[error("{opcode} has {found} operand{}, expected {expected}", if *found == 1 { "" } else { "s" })]
    Count {
        /// The opcode of the operation.
        opcode: Opcode,
        /// The number of operands.
        found: usize,
        /// The operands that the opcode takes.
        expected: String,
    },
    /// One of them has the wrong type.
    #[error("{opcode}: {operand} is not {expected}")]
    Value {
        /// The opcode of the operation.
        opcode: Opcode,
        /// The operand.
        operand: Operand,
        /// What the opcode takes in its place.
        expected: String,
    },
    /// One of them is not a legal move.
    #[error("{opcode}: {text}: {error}")]
    Move {
        /// The opcode of the operation.
        opcode: Opcode,
        /// The text of the move.
        text: SmolStr,
        /// Why it is not a legal move.
        error: SanError,
    },
}

impl Operation {
    /// An operation without operands, for an opcode that the program knows. One that comes from
    /// outside goes through [`Opcode::new`] and [`of`](Self::of).
    ///
    /// # Panics
    /// If the text is not an [`Opcode`].
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

    /// Adds an operand, such as a number, a move or an identifier. It gets quotes only if it cannot do
    /// without them.
    #[must_use]
    pub fn symbol(mut self, value: impl fmt::Display) -> Self {
        self.operands.push(Operand::new(format_smolstr!("{value}")));
        self
    }

    /// Adds an operand in quotes.
    #[must_use]
    pub fn string(mut self, text: &str) -> Self {
        self.operands.push(Operand::string(text));
        self
    }

    /// Adds moves as operands. The first is played in `position`, every other one after the move before
    /// it.
    ///
    /// # Panics
    /// If a move is not legal.
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

    /// The operand of an operation that must have exactly one.
    pub fn single(&self) -> Result<&Operand, OperandError> {
        match &self.operands[..] {
            [operand] => Ok(operand),
            _ => Err(self.count_error("one")),
        }
    }

    /// The single operand as a value, such as a number, a date or a clock. `expected` describes it in
    /// the error.
    pub fn value<T: FromStr>(&self, expected: &str) -> Result<T, OperandError> {
        let operand = self.single()?;
        let value = operand.text().parse();
        value.map_err(|_| self.value_error(operand, expected))
    }

    /// The n-th operand as a value. The standard lexicon tells what is expected.
    pub(crate) fn standard_value<T: FromStr>(&self, n: usize) -> Result<T, OperandError> {
        let value = self.operands.get(n).map(|operand| operand.text().parse());
        match value {
            Some(Ok(value)) => Ok(value),
            Some(Err(_)) => {
                let entry = LexiconEntry::find(&self.opcode);
                let basetype = entry.and_then(|entry| entry.arity.basetype(n));
                let expected = basetype.map_or_else(|| "a value".to_owned(), Basetype::describe);
                Err(self.value_error(&self.operands[n], &expected))
            }
            None => Err(self.standard_count_error()),
        }
    }

    /// Returns an error if the number of operands is not what the standard lexicon asks for.
    pub(crate) fn check_standard_count(&self) -> Result<(), OperandError> {
        match LexiconEntry::find(&self.opcode) {
            Some(entry) if !entry.arity.allows(self.operands.len()) => {
                Err(self.standard_count_error())
            }
            _ => Ok(()),
        }
    }

    fn standard_count_error(&self) -> OperandError {
        let entry = LexiconEntry::find(&self.opcode);
        let expected = entry.map_or_else(|| "more".to_owned(), |entry| entry.arity.describe());
        self.count_error(&expected)
    }

    /// The error of an operation with too many or too few operands.
    pub(crate) fn count_error(&self, expected: &str) -> OperandError {
        OperandError::Count {
            opcode: self.opcode.clone(),
            found: self.operands.len(),
            expected: expected.to_owned(),
        }
    }

    /// The error of an operand of the wrong type.
    pub(crate) fn value_error(&self, operand: &Operand, expected: &str) -> OperandError {
        OperandError::Value {
            opcode: self.opcode.clone(),
            operand: operand.clone(),
            expected: expected.to_owned(),
        }
    }

    /// The single operand as a non-negative integer of up to 64 bits (decision 90).
    pub fn count(&self) -> Result<u64, OperandError> {
        let operand = self.single()?;
        match integer(operand.text()).map(u64::try_from) {
            Some(Ok(count)) if !operand.text().starts_with('-') => Ok(count),
            _ => Err(self.value_error(operand, "a non-negative integer")),
        }
    }

    /// The operands as moves that are all legal in `position` (`bm`, `am`, `pm`, `sm`), read with
    /// [`san::parse_lenient`](movegen::san::parse_lenient). Move numbers and commas are ignored.
    pub fn moves(&self, position: &Position) -> Result<Vec<Move>, OperandError> {
        self.each_move(position).collect()
    }

    /// Reads the operands one by one as [`moves`](Self::moves) does, and goes on after a move that is
    /// not legal.
    pub fn each_move(
        &self,
        position: &Position,
    ) -> impl Iterator<Item = Result<Move, OperandError>> {
        self.move_texts().map(|text| self.mv(position, text))
    }

    fn move_texts(&self) -> impl Iterator<Item = &str> {
        self.operands.iter().flat_map(moves::texts)
    }

    /// The operands as moves that are played one after the other (`pv`, `sv`).
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

/// Prints the operation with its semicolon.
impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.print(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::location::Part;
    use crate::record::Record;

    #[test]
    fn errors_name_opcode_and_operand() {
        let line = "8/8/8/8/8/k7/8/K7 w - - acn -1; bm Kb1 Kc1; dm 1 2; pv Kb1 Kb1;";
        let record: Record = line.parse().expect("readable");
        let position = record.position().expect("legal");
        let get = |opcode| record.get(opcode).expect("there");
        for (error, text, part) in [
            (
                get("acn").count().expect_err("negative"),
                "acn: -1 is not a non-negative integer",
                Part::Operand(0, 0),
            ),
            (
                get("dm").count().expect_err("two"),
                "dm has 2 operands, expected one",
                Part::Operation(2),
            ),
            (
                get("bm").moves(&position).expect_err("far"),
                "bm: Kc1: not a legal move here",
                Part::Operand(1, 1),
            ),
            (
                get("pv").variation(&position).expect_err("again"),
                "pv: Kb1: not a legal move here",
                Part::Operand(3, 0),
            ),
        ] {
            assert_eq!(error.to_string(), text);
            assert_eq!(record.part_at_fault(&error), part, "{text}");
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
