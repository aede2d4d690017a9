//! The operations of a line while it is being read.

use movegen::{Position, Setup, san};
use smol_str::SmolStr;

use super::location::Location;
use crate::record::operation::Operation;

/// What follows the position in a line, in the order of the line.
#[derive(Default)]
pub(super) struct Found {
    pub(super) operations: Vec<Operation>,
    /// Whether the opcodes are out of ASCII order.
    pub(super) disordered: bool,
    /// The locations of the operations; empty if the caller does not want them.
    pub(super) locations: Vec<Location>,
    /// Texts that are not operations, and the indices of their repairs.
    pub(super) texts: Vec<(SmolStr, usize)>,
}

impl Found {
    pub(super) fn has(&self, opcode: &str) -> bool {
        self.operations.iter().any(|other| other.opcode == opcode)
    }

    /// Adds an operation and returns it, so that its operands are added in place, which is faster than
    /// moving it later. Also returns whether the line already has this opcode.
    pub(super) fn push(&mut self, operation: Operation) -> (&mut Operation, bool) {
        let last = self.operations.last();
        self.disordered |= last.is_some_and(|last| last.opcode >= operation.opcode);
        // As long as the opcodes are in order, each of them is new.
        let again = self.disordered && self.has(&operation.opcode);
        (self.operations.push_mut(operation), again)
    }
}

/// Whether a text is a legal move in the position of the line, which is set up only if a move must be
/// checked.
pub(super) fn is_move(setup: &Setup, text: &str) -> bool {
    Position::from_setup(setup).is_ok_and(|position| san::parse_lenient(&position, text).is_ok())
}
