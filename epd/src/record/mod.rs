//! Records: a position with its operations.

pub(crate) mod game_reader;
pub(crate) mod moves;
pub(crate) mod operand;
pub(crate) mod operation;
mod portable;
mod typed;

use std::fmt;

use movegen::{Field, IllegalPosition, Position, Setup, SetupFaults};

use crate::opcode::Order;
use crate::opcode::lexicon::Lexicon;
use crate::parse::location::Part;
use crate::record::operand::Operand;
use crate::record::operation::{OperandError, Operation};

/// One line of EPD.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// The contents of the four position fields. Its counters are not used: the operations `hmvc` and
    /// `fmvn` have them.
    pub setup: Setup,
    /// In ASCII order of their opcodes; those with the same opcode in the order of the line.
    operations: Vec<Operation>,
}

/// The position fields of the record describe an illegal position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("illegal position: {0}")]
pub struct NoPosition(pub IllegalPosition);

impl NoPosition {
    /// The field to blame: the placement, unless only another field is wrong.
    #[must_use]
    pub fn part(&self) -> Part {
        Part::Field(match self.0.faults() {
            SetupFaults::CASTLING => Field::Castling,
            SetupFaults::EN_PASSANT => Field::EnPassant,
            SetupFaults::OPPONENT_IN_CHECK => Field::Turn,
            _ => Field::Placement,
        })
    }
}

/// How a record prints its halfmove clock and fullmove number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, strum::Display, strum::EnumString)]
#[strum(serialize_all = "kebab-case")]
pub enum Counters {
    /// As the operations `hmvc` and `fmvn`, as in the standard.
    #[default]
    Operations,
    /// As fields five and six, as in FEN; 0 and 1 if the operations are missing.
    Fields,
}

impl Record {
    /// A record with the position of a setup. Its counters become `hmvc` and `fmvn` unless they are 0
    /// and 1.
    #[must_use]
    pub fn new(mut setup: Setup) -> Self {
        let counters = (setup.halfmove_clock, setup.fullmove_number);
        (setup.halfmove_clock, setup.fullmove_number) = (0, 1);
        let mut record = Self::from_parts(setup, Vec::new());
        if counters != (0, 1) {
            record.add(Operation::new("hmvc").symbol(counters.0));
            record.add(Operation::new("fmvn").symbol(counters.1));
        }
        record
    }

    /// A record with operations that are already sorted.
    pub(crate) const fn from_parts(setup: Setup, operations: Vec<Operation>) -> Self {
        Self { setup, operations }
    }

    /// Checks the setup and returns the legal position, with counters from `hmvc` and `fmvn`.
    pub fn position(&self) -> Result<Position, NoPosition> {
        let mut position = Position::from_setup(&self.setup).map_err(NoPosition)?;
        let (halfmove_clock, fullmove_number) = self.counters();
        position.set_counters(halfmove_clock, fullmove_number.max(1));
        Ok(position)
    }

    /// Whether [`position`](Self::position) succeeds, without making the position.
    pub fn legality(&self) -> Result<(), NoPosition> {
        self.setup.legality().map_err(NoPosition)
    }

    /// The values of `hmvc` and `fmvn`, or 0 and 1.
    fn counters(&self) -> (u16, u16) {
        let counter = |opcode, default| {
            let count = self
                .get(opcode)
                .and_then(|operation| operation.count().ok());
            count
                .and_then(|count| u16::try_from(count).ok())
                .unwrap_or(default)
        };
        (counter("hmvc", 0), counter("fmvn", 1))
    }

    /// Sorts the operands of `am` and `bm`, whose order means nothing. The record then prints in normal
    /// form (EPD 7.1; decisions 110 and 111). An operation with an operand that is only a part of a move
    /// is not sorted, because it would read back as other moves.
    pub fn normalise(&mut self, lexicon: &Lexicon) {
        for operation in &mut self.operations {
            let sorts = |opcode| {
                let entry = lexicon.find(opcode);
                entry.is_some_and(|entry| entry.order == Order::Free)
            };
            let operands = &operation.operands;
            if operands.len() > 1
                && sorts(&operation.opcode)
                && !operands.iter().any(Operand::is_part_of_move)
            {
                operation.operands.sort_by(Operand::cmp_as_written);
            }
        }
    }

    /// Rewrites numbers and times in canonical form: `+05` becomes `5`, `18:05` becomes `18:05:00`
    /// (decision 113).
    pub fn canonicalise(&mut self, lexicon: &Lexicon) {
        for operation in &mut self.operations {
            let Some(entry) = lexicon.find(&operation.opcode) else {
                continue;
            };
            for (i, operand) in operation.operands.iter_mut().enumerate() {
                let basetype = entry.arity.basetype(i);
                if let Some(text) = basetype.and_then(|basetype| basetype.canonical(operand)) {
                    *operand = operand.with_text(text);
                }
            }
        }
    }

    /// The record for printing, with its counters as operations or as fields.
    #[must_use]
    pub fn with_counters(&self, counters: Counters) -> impl fmt::Display + '_ {
        fmt::from_fn(move |f| self.print(counters, f))
    }

    /// Prints the record, with its counters as operations or as fields. This is faster than
    /// [`with_counters`](Self::with_counters) for output to a `String`.
    pub fn print(&self, counters: Counters, out: &mut impl fmt::Write) -> fmt::Result {
        out.write_str(&self.setup.fields())?;
        if counters == Counters::Fields {
            let (halfmove_clock, fullmove_number) = self.counters();
            write!(out, " {halfmove_clock} {fullmove_number}")?;
        }
        for operation in &self.operations {
            if counters == Counters::Operations || !self.is_counter(operation) {
                out.write_str(" ")?;
                operation.print(out)?;
            }
        }
        Ok(())
    }

    /// Whether an operation can be printed as a FEN counter instead.
    fn is_counter(&self, operation: &Operation) -> bool {
        matches!(&*operation.opcode, "hmvc" | "fmvn")
            && self
                .get(&operation.opcode)
                .is_some_and(|first| std::ptr::eq(first, operation))
            && operation
                .count()
                .is_ok_and(|count| u16::try_from(count).is_ok())
    }

    /// The part of the record that an error is about: an operand, or an operation with too many or too few of
    /// them.
    #[must_use]
    pub fn part_at_fault(&self, error: &OperandError) -> Part {
        let (OperandError::Count { opcode, .. }
        | OperandError::Value { opcode, .. }
        | OperandError::Move { opcode, .. }) = error;
        let n = self.index(opcode).unwrap_or_default();
        let is_at_fault = |operand: &Operand| match error {
            OperandError::Count { .. } => false,
            OperandError::Value { operand: other, .. } => operand.text() == other.text(),
            OperandError::Move { text, .. } => moves::texts(operand).any(|other| other == text),
        };
        let operation = self.operations.get(n);
        let operand =
            operation.and_then(|operation| operation.operands.iter().position(is_at_fault));
        operand.map_or(Part::Operation(n), |m| Part::Operand(n, m))
    }

    /// The operations in ASCII order of their opcodes.
    #[must_use]
    pub fn operations(&self) -> &[Operation] {
        &self.operations
    }

    /// The first operation with an opcode (decision 109).
    #[must_use]
    pub fn get(&self, opcode: &str) -> Option<&Operation> {
        Some(&self.operations[self.index(opcode)?])
    }

    /// The index of the first operation with an opcode.
    #[must_use]
    pub fn index(&self, opcode: &str) -> Option<usize> {
        // Records are too short for a binary search to be faster.
        let mut operations = self.operations.iter();
        operations.position(|operation| operation.opcode == opcode)
    }

    /// The operations. Callers must not change the order of the opcodes.
    pub(crate) fn operations_mut(&mut self) -> &mut [Operation] {
        &mut self.operations
    }

    /// Adds an operation in place of all others with its opcode.
    pub fn set(&mut self, operation: Operation) {
        self.remove(&operation.opcode);
        self.add(operation);
    }

    /// Adds an operation after any others with its opcode (decision 109).
    pub fn add(&mut self, operation: Operation) {
        let at = self
            .operations
            .partition_point(|other| other.opcode <= operation.opcode);
        self.operations.insert(at, operation);
    }

    /// Removes all operations with an opcode. Returns whether there were any.
    pub fn remove(&mut self, opcode: &str) -> bool {
        self.retain(|operation| operation.opcode != opcode) > 0
    }

    /// Keeps the operations that pass a test. Returns the number of those removed.
    pub fn retain(&mut self, passes: impl FnMut(&Operation) -> bool) -> usize {
        let before = self.operations.len();
        self.operations.retain(passes);
        before - self.operations.len()
    }
}

/// Prints the record in normal form (EPD 7.1), without a line ending. Only
/// [`normalise`](Record::normalise) sorts operands.
impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.print(Counters::Operations, f)
    }
}
