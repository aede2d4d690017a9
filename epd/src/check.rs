//! What a record that can be read says wrongly: operands that its opcodes do not take, moves that
//! cannot be played, and operations that contradict each other.

use std::fmt;

use movegen::san::{self, SanError};
use movegen::{Position, SetupFaults};

use crate::opcode::{Arity, Basetype, Moves, Opcode};
use crate::operation::Operation;
use crate::record::Record;
use crate::value::integer;

/// What is wrong; its name is what messages and options call it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)]
pub enum Rule {
    IllegalPosition,
    OperandCount,
    OperandType,
    MoveNotLegal,
    MoveNotExact,
    PmNotFirstOfPv,
    SmNotFirstOfSv,
    AcceptAndReject,
    ClaimAndOffer,
    DrawWithoutMove,
    ResignAndDraw,
    OddTagPairs,
    RepeatedTag,
    DmAgainstCe,
    DuplicateOpcode,
}

impl Rule {
    /// The name of the rule, in words joined by dashes.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::IllegalPosition => "illegal-position",
            Self::OperandCount => "operand-count",
            Self::OperandType => "operand-type",
            Self::MoveNotLegal => "move-not-legal",
            Self::MoveNotExact => "move-not-exact",
            Self::PmNotFirstOfPv => "pm-not-first-of-pv",
            Self::SmNotFirstOfSv => "sm-not-first-of-sv",
            Self::AcceptAndReject => "accept-and-reject",
            Self::ClaimAndOffer => "claim-and-offer",
            Self::DrawWithoutMove => "draw-without-move",
            Self::ResignAndDraw => "resign-and-draw",
            Self::OddTagPairs => "odd-tag-pairs",
            Self::RepeatedTag => "repeated-tag",
            Self::DmAgainstCe => "dm-against-ce",
            Self::DuplicateOpcode => "duplicate-opcode",
        }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A rule that a record breaks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The rule.
    pub rule: Rule,
    /// The opcode of the operation concerned; none where it is the position.
    pub opcode: Option<String>,
    /// What was found and what was expected.
    pub message: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

/// Every rule that a record breaks, in the order of its operations.
#[must_use]
pub fn check(record: &Record) -> Vec<Finding> {
    let mut checker = Checker {
        record,
        findings: Vec::new(),
    };
    let position = record.position();
    if let Err(illegal) = &position {
        // Nothing can be played there, which needs no saying for every move.
        debug_assert!(illegal.faults() != SetupFaults::empty());
        checker.add(Rule::IllegalPosition, None, illegal.to_string());
    }
    let mut last = None;
    for operation in record.operations() {
        let opcode = operation.opcode.as_str();
        if last == Some(opcode) {
            checker.add(
                Rule::DuplicateOpcode,
                Some(opcode),
                format!("{opcode} appears again"),
            );
        }
        last = Some(opcode);
        if let Some(entry) = Opcode::find(opcode) {
            checker.operands(operation, &entry.arity);
            if let Ok(position) = &position {
                checker.moves(operation, entry.moves, position);
            }
        }
    }
    checker.across();
    checker.findings
}

struct Checker<'a> {
    record: &'a Record,
    findings: Vec<Finding>,
}

impl Checker<'_> {
    fn add(&mut self, rule: Rule, opcode: Option<&str>, message: String) {
        self.findings.push(Finding {
            rule,
            opcode: opcode.map(str::to_owned),
            message,
        });
    }

    fn has(&self, opcode: &str) -> bool {
        self.record.get(opcode).is_some()
    }

    /// Operands in number and kind.
    fn operands(&mut self, operation: &Operation, arity: &Arity) {
        let opcode = operation.opcode.as_str();
        let operands = &operation.operands;
        let types: &[Basetype] = match arity {
            Arity::Exactly(types) => types,
            Arity::Optional(basetype) | Arity::Many(basetype) => std::slice::from_ref(basetype),
            Arity::Pairs(first, second) => &[*first, *second],
        };
        let count_is_right = match arity {
            Arity::Exactly(types) => operands.len() == types.len(),
            Arity::Optional(_) => operands.len() <= 1,
            Arity::Many(_) | Arity::Pairs(..) => true,
        };
        if !count_is_right {
            let (found, expected) = (operands.len(), arity.describe());
            let message = format!("{opcode} has {found} operands, expected {expected}");
            self.add(Rule::OperandCount, Some(opcode), message);
            return;
        }
        for (operand, basetype) in operands.iter().zip(types.iter().cycle()) {
            if !basetype.accepts(operand) {
                let message = format!("{opcode}: {operand} is not {}", basetype.describe());
                self.add(Rule::OperandType, Some(opcode), message);
            }
        }
    }

    /// Moves that cannot be played, or are not written as they should be.
    fn moves(&mut self, operation: &Operation, moves: Moves, position: &Position) {
        let opcode = operation.opcode.as_str();
        if moves == Moves::None {
            return;
        }
        let mut position = *position;
        for operand in &operation.operands {
            match san::parse(&position, operand.text()) {
                Ok(mv) if moves == Moves::Line => position.play_unchecked(mv),
                Ok(_) => {}
                Err(error @ SanError::Inexact { .. }) => {
                    self.add(
                        Rule::MoveNotExact,
                        Some(opcode),
                        format!("{opcode}: {operand}: {error}"),
                    );
                    if let (Moves::Line, Ok((mv, _))) =
                        (moves, san::mend(&position, operand.text()))
                    {
                        position.play_unchecked(mv);
                    }
                }
                Err(error) => {
                    self.add(
                        Rule::MoveNotLegal,
                        Some(opcode),
                        format!("{opcode}: {operand}: {error}"),
                    );
                    if moves == Moves::Line {
                        return;
                    }
                }
            }
        }
    }

    /// Operations against each other.
    fn across(&mut self) {
        self.first_of("pm", "pv", Rule::PmNotFirstOfPv);
        self.first_of("sm", "sv", Rule::SmNotFirstOfSv);
        if self.has("draw_accept") && self.has("draw_reject") {
            let message = "draw_accept and draw_reject exclude each other".to_owned();
            self.add(Rule::AcceptAndReject, Some("draw_reject"), message);
        }
        if self.has("draw_claim") && self.has("draw_offer") {
            let message = "draw_claim and draw_offer exclude each other".to_owned();
            self.add(Rule::ClaimAndOffer, Some("draw_offer"), message);
        }
        for opcode in ["draw_claim", "draw_offer"] {
            if self.has(opcode) && !self.has("sm") {
                self.add(
                    Rule::DrawWithoutMove,
                    Some(opcode),
                    format!("{opcode} without sm"),
                );
            }
        }
        for opcode in ["draw_accept", "draw_claim", "draw_offer", "draw_reject"] {
            if self.has(opcode) && self.has("resign") {
                let message = format!("resign and {opcode} exclude each other");
                self.add(Rule::ResignAndDraw, Some("resign"), message);
            }
        }
        self.tag_pairs();
        self.mate();
    }

    /// The single move must be the first of the variation (EPD 6.19, 6.26).
    fn first_of(&mut self, single: &str, variation: &str, rule: Rule) {
        let first = |opcode| {
            let operation: Option<&Operation> = self.record.get(opcode);
            operation.and_then(|operation| operation.operands.first())
        };
        if let (Some(one), Some(other)) = (first(single), first(variation))
            && one.text() != other.text()
        {
            let message = format!("{single} is {one}, but {variation} begins with {other}");
            self.add(rule, Some(single), message);
        }
    }

    fn tag_pairs(&mut self) {
        let Some(operation) = self.record.get("ptp") else {
            return;
        };
        let operands = &operation.operands;
        if !operands.len().is_multiple_of(2) {
            let message = format!("ptp has {} operands, expected pairs", operands.len());
            self.add(Rule::OddTagPairs, Some("ptp"), message);
        }
        let tags: Vec<_> = operands
            .iter()
            .step_by(2)
            .map(crate::Operand::text)
            .collect();
        let mut repeated: Vec<_> = (1..tags.len())
            .filter(|&i| tags[..i].contains(&tags[i]))
            .map(|i| tags[i])
            .collect();
        repeated.dedup();
        for tag in repeated {
            self.add(
                Rule::RepeatedTag,
                Some("ptp"),
                format!("the tag {tag} appears again"),
            );
        }
    }

    /// A mate that `dm` announces must not be denied by `ce` (EPD 6.7, 6.8): a score that is no
    /// mate, or one of another length.
    fn mate(&mut self) {
        let number = |opcode| {
            let operation: Option<&Operation> = self.record.get(opcode);
            operation.and_then(|operation| integer(operation.single().ok()?.text()))
        };
        if let (Some(moves @ 1..), Some(score)) = (number("dm"), number("ce")) {
            let expected = 32767 - (2 * moves - 1);
            if score != expected {
                let message = format!("dm {moves} means ce {expected}, found ce {score}");
                self.add(Rule::DmAgainstCe, Some("dm"), message);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn findings(operations: &str) -> Vec<(Rule, String)> {
        let line = format!("8/P7/8/8/8/8/5k2/K7 w - - {operations}");
        let record = crate::read(&line, &mut Vec::new()).expect("readable");
        check(&record)
            .into_iter()
            .map(|found| (found.rule, found.message))
            .collect()
    }

    #[track_caller]
    fn finds(operations: &str, rule: Rule, message: &str) {
        assert_eq!(
            findings(operations),
            [(rule, message.to_owned())],
            "{operations}"
        );
    }

    #[test]
    fn sound_records() {
        for operations in [
            "",
            "acd 5; acn 123456789012; acs 0; bm a8=Q Kb2; ce -12; dm; Xyz 1 \"2\";",
            "c0 \"text\"; c1; eco; id \"x\"; noop 1 \"2\" x; rc 3; pm Kb2; pv Kb2 Ke2;",
            "cc 000:00:01:00 000:00:02:00; ts 1995.11.26 18:05:59; tcsi \"a@b\" \"c\";",
            "ptp Event \"x\" Site \"y\"; refcom inform;",
            "draw_offer; sm Kb2; hmvc 0; fmvn 1; D1 8; ce 32762; pes MateIn3;",
            "ce 32762; dm 3;",
        ] {
            let expected = usize::from(operations.contains("dm;"));
            assert_eq!(
                findings(operations).len(),
                expected,
                "{operations}: {:?}",
                findings(operations)
            );
        }
    }

    #[test]
    fn operands() {
        finds(
            "acn -1;",
            Rule::OperandType,
            "acn: -1 is not an integer from 0",
        );
        finds(
            "ce 32767;",
            Rule::OperandType,
            "ce: 32767 is not an integer from -32768 to 32766",
        );
        finds(
            "dm 0;",
            Rule::OperandType,
            "dm: 0 is not an integer from 1 to 1023",
        );
        finds(
            "resign 1;",
            Rule::OperandCount,
            "resign has 1 operands, expected none",
        );
        finds(
            "cc 000:00:01:00;",
            Rule::OperandCount,
            "cc has 1 operands, expected a clock such as 000:01:05:59, a clock such as 000:01:05:59",
        );
        finds(
            "refreq quit;",
            Rule::OperandType,
            "refreq: quit is not one of fault reply sign_off sign_on",
        );
        finds(
            "ts 1995.02.29 10:00:00;",
            Rule::OperandType,
            "ts: 1995.02.29 is not a date such as 1995.11.26",
        );
    }

    #[test]
    fn moves() {
        finds(
            "bm Kc1;",
            Rule::MoveNotLegal,
            "bm: Kc1: not a legal move here",
        );
        finds(
            "bm a8Q;",
            Rule::MoveNotExact,
            "bm: a8Q: inexact: expected a8=Q (spelling of the promotion)",
        );
        finds(
            "pv Kb2 Kb2 Kb3;",
            Rule::MoveNotLegal,
            "pv: Kb2: not a legal move here",
        );
    }

    #[test]
    fn contradictions() {
        finds(
            "pm a8=Q; pv Kb2;",
            Rule::PmNotFirstOfPv,
            "pm is a8=Q, but pv begins with Kb2",
        );
        finds(
            "sm a8=Q; sv Kb2;",
            Rule::SmNotFirstOfSv,
            "sm is a8=Q, but sv begins with Kb2",
        );
        finds(
            "draw_accept; draw_reject;",
            Rule::AcceptAndReject,
            "draw_accept and draw_reject exclude each other",
        );
        finds(
            "draw_claim; draw_offer; sm Kb2;",
            Rule::ClaimAndOffer,
            "draw_claim and draw_offer exclude each other",
        );
        finds(
            "draw_claim;",
            Rule::DrawWithoutMove,
            "draw_claim without sm",
        );
        finds(
            "draw_reject; resign;",
            Rule::ResignAndDraw,
            "resign and draw_reject exclude each other",
        );
        finds(
            "ptp Event \"x\" Site;",
            Rule::OddTagPairs,
            "ptp has 3 operands, expected pairs",
        );
        finds(
            "ptp Event \"x\" Event \"y\";",
            Rule::RepeatedTag,
            "the tag Event appears again",
        );
        finds(
            "ce 10; dm 3;",
            Rule::DmAgainstCe,
            "dm 3 means ce 32762, found ce 10",
        );
        finds("rc 1; rc 2;", Rule::DuplicateOpcode, "rc appears again");
    }

    #[test]
    fn illegal_positions() {
        let record =
            crate::read("8/8/8/8/8/8/8/K7 w - - bm Kb1;", &mut Vec::new()).expect("readable");
        let found = check(&record);
        assert_eq!((found.len(), found[0].rule), (1, Rule::IllegalPosition));
        assert_eq!(found[0].to_string(), "no black king");
    }
}
