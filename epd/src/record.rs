//! Records: a position and its operations.

use std::fmt;

use movegen::{IllegalPosition, Position, Setup};

use crate::opcode::{Opcode, Order};
use crate::operation::Operation;

/// One line of EPD.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// What the four position fields say. Its counters are those of the operations `hmvc` and
    /// `fmvn`, and are not written as fields.
    pub setup: Setup,
    /// In ASCII order of the opcodes; of one opcode in the order of arrival.
    operations: Vec<Operation>,
}

impl Record {
    /// The record of a setup. Counters other than those of a beginning become `hmvc` and `fmvn`.
    #[must_use]
    pub fn new(mut setup: Setup) -> Self {
        let counters = (setup.halfmove_clock, setup.fullmove_number);
        (setup.halfmove_clock, setup.fullmove_number) = (0, 1);
        let mut record = Self {
            setup,
            operations: Vec::new(),
        };
        if counters != (0, 1) {
            record.add(Operation::new("hmvc").symbol(counters.0));
            record.add(Operation::new("fmvn").symbol(counters.1));
        }
        record
    }

    /// The position, with the counters that `hmvc` and `fmvn` give.
    pub fn position(&self) -> Result<Position, IllegalPosition> {
        let mut position = Position::from_setup(&self.setup)?;
        let counter = |opcode, default| {
            let count = self
                .get(opcode)
                .and_then(|operation| operation.count().ok());
            count
                .and_then(|count| u16::try_from(count).ok())
                .unwrap_or(default)
        };
        position.set_counters(counter("hmvc", 0), counter("fmvn", 1).max(1));
        Ok(position)
    }

    /// Sorts the operands whose order means nothing, those of `am` and `bm`, which normal form asks
    /// for beside what a record does by itself (EPD 7.1; decisions 110 and 111).
    pub fn normalise(&mut self) {
        for operation in &mut self.operations {
            if Opcode::find(&operation.opcode).is_some_and(|entry| entry.order == Order::Free) {
                operation.operands.sort_by_cached_key(ToString::to_string);
            }
        }
    }

    /// The operations in ASCII order of their opcodes.
    #[must_use]
    pub fn operations(&self) -> &[Operation] {
        &self.operations
    }

    /// The operation of an opcode; the first where a faulty record has several (decision 109).
    #[must_use]
    pub fn get(&self, opcode: &str) -> Option<&Operation> {
        let at = self
            .operations
            .partition_point(|operation| operation.opcode.as_str() < opcode);
        self.operations
            .get(at)
            .filter(|operation| operation.opcode == opcode)
    }

    /// Adds an operation in the place of all others of its opcode.
    pub fn set(&mut self, operation: Operation) {
        self.remove(&operation.opcode);
        self.add(operation);
    }

    /// Adds an operation after any others of its opcode, which keeps what a faulty record says
    /// twice (decision 109).
    pub fn add(&mut self, operation: Operation) {
        let at = self
            .operations
            .partition_point(|other| other.opcode <= operation.opcode);
        self.operations.insert(at, operation);
    }

    /// Removes every operation of an opcode; tells whether there was one.
    pub fn remove(&mut self, opcode: &str) -> bool {
        let before = self.operations.len();
        self.operations
            .retain(|operation| operation.opcode != opcode);
        self.operations.len() < before
    }
}

/// Prints the record in normal form (EPD 7.1) but for the order of operands, which
/// [`normalise`](Record::normalise) sees to; without an end of line.
impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.setup.fields())?;
        for operation in &self.operations {
            write!(f, " {operation}")?;
        }
        Ok(())
    }
}
