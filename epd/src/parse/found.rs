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

/// The position of the line, which is set up only if a move must be checked.
pub(super) struct LinePosition<'s> {
    pub(super) setup: &'s Setup,
    /// Whether the castling field is that of Chess960, whose moves are not checked.
    pub(super) is_chess960: bool,
}

impl LinePosition<'_> {
    /// Whether a text is a legal move.
    pub(super) fn has_move(&self, text: &str) -> bool {
        !self.is_chess960
            && Position::from_setup(self.setup)
                .is_ok_and(|position| san::parse_lenient(&position, text).is_ok())
    }
}
