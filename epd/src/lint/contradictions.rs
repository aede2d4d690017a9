//! Operations that contradict each other.

use super::lints::{Lint, LintMessage};
use crate::opcode::PlayerActions;
use crate::opcode::value::integer;
use crate::parse::location::Part;
use crate::record::Record;
use crate::record::moves;
use crate::record::operand::Operand;

/// Opcodes that a record must not have together.
const EXCLUSIVE: [(&str, &str, Lint); 2] = [
    ("draw_accept", "draw_reject", Lint::AcceptAndReject),
    ("draw_claim", "draw_offer", Lint::ClaimAndOffer),
];

/// A move, and the variation that must begin with it (EPD 6.19, 6.26).
const FIRST_MOVES: [(&str, &str, Lint); 2] = [
    ("pm", "pv", Lint::PmNotFirstOfPv),
    ("sm", "sv", Lint::SmNotFirstOfSv),
];

/// Whether a check below begins with this opcode. Few records have such an operation, and the others need
/// no check.
fn can_contradict(opcode: &str) -> bool {
    matches!(
        opcode,
        "dm" | "draw_accept" | "draw_claim" | "draw_offer" | "pm" | "ptp" | "resign" | "sm"
    )
}

/// Checks operations against each other.
pub(super) fn check(record: &Record, messages: &mut Vec<LintMessage>) {
    let mut operations = record.operations().iter();
    if !operations.any(|operation| can_contradict(&operation.opcode)) {
        return;
    }
    let mut contradictions = Contradictions { record, messages };
    contradictions.first_moves();
    contradictions.draws();
    contradictions.resignation();
    contradictions.repeated_tags();
    contradictions.mate();
}

struct Contradictions<'a> {
    record: &'a Record,
    messages: &'a mut Vec<LintMessage>,
}

impl Contradictions<'_> {
    /// Adds a message about an operation of the record.
    fn add(&mut self, lint: Lint, opcode: &str, message: String) {
        let n = self.record.index(opcode).unwrap_or_default();
        let part = Part::Operation(n);
        self.messages.push(LintMessage::new(lint, part, message));
    }

    fn has(&self, opcode: &str) -> bool {
        self.record.get(opcode).is_some()
    }

    fn first_moves(&mut self) {
        let record = self.record;
        let first = |opcode| {
            let operands = &record.get(opcode)?.operands;
            operands.iter().flat_map(moves::texts).next()
        };
        for (opcode, variation, lint) in FIRST_MOVES {
            if let Some(mv) = first(opcode)
                && let Some(other) = first(variation)
                && mv != other
            {
                let message = format!("{opcode} is {mv}, but {variation} begins with {other}");
                self.add(lint, opcode, message);
            }
        }
    }

    fn draws(&mut self) {
        for (one, other, lint) in EXCLUSIVE {
            if self.has(one) && self.has(other) {
                let message = format!("{one} and {other} exclude each other");
                self.add(lint, other, message);
            }
        }
        for opcode in ["draw_claim", "draw_offer"] {
            if self.has(opcode) && !self.has("sm") {
                let message = format!("{opcode} without sm");
                self.add(Lint::DrawWithoutMove, opcode, message);
            }
        }
    }

    fn resignation(&mut self) {
        if !self.has("resign") {
            return;
        }
        for (opcode, action) in PlayerActions::opcodes() {
            if action != PlayerActions::RESIGN && self.has(opcode) {
                let message = format!("resign and {opcode} exclude each other");
                self.add(Lint::ResignAndDraw, "resign", message);
            }
        }
    }

    fn repeated_tags(&mut self) {
        let Some(n) = self.record.index("ptp") else {
            return;
        };
        let operands = &self.record.operations()[n].operands;
        let tags: Vec<_> = operands.iter().step_by(2).map(Operand::text).collect();
        for (i, tag) in tags.iter().enumerate() {
            if tags[..i].contains(tag) {
                let message = format!("the tag {tag} occurs twice");
                let part = Part::Operand(n, 2 * i);
                self.messages
                    .push(LintMessage::new(Lint::RepeatedTag, part, message));
            }
        }
    }

    /// `ce` must be the mate score for the number of moves in `dm` (EPD 6.7, 6.8).
    fn mate(&mut self) {
        let record = self.record;
        let number = |opcode| integer(record.get(opcode)?.single().ok()?.text());
        if let Some(moves @ 1..) = number("dm")
            && let Some(score) = number("ce")
        {
            let expected = 32767 - (2 * moves - 1);
            if score != expected {
                let message = format!("dm {moves} means ce {expected}, found ce {score}");
                self.add(Lint::DmAgainstCe, "dm", message);
            }
        }
    }
}
