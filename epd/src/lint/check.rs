//! Checks of a record that could be read: operands that its opcodes do not take, moves that cannot be
//! played, and operations that contradict each other.

use std::fmt;

use movegen::san::{self, SanError};
use movegen::{Field, IllegalPosition, Position, SetupFaults};
use smallvec::SmallVec;
use strum::{EnumIter, IntoStaticStr};

use crate::opcode::lexicon::{Arity, Lexicon, LexiconEntry, Moves};
use crate::opcode::value::integer;
use crate::parse::location::Part;
use crate::record::moves as move_lists;
use crate::record::operand::Operand;
use crate::record::operation::Operation;
use crate::record::{NoPosition, Record};

/// A check. Messages and reports use its [name](Self::name).
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    thiserror::Error,
    EnumIter,
    IntoStaticStr,
)]
#[strum(serialize_all = "kebab-case")]
#[allow(missing_docs)]
pub enum Lint {
    #[error("a position that the rules of chess do not allow")]
    IllegalPosition,
    #[error("a position of another chess, where nothing is checked")]
    ForeignPosition,
    #[error("more or fewer operands than the opcode takes")]
    OperandCount,
    #[error("an operand of another basetype than the opcode takes")]
    OperandType,
    #[error("an avoid move that is not legal in the position")]
    AmNotLegal,
    #[error("a best move that is not legal in the position")]
    BmNotLegal,
    #[error("a predicted move that is not legal in the position")]
    PmNotLegal,
    #[error("a supplied move that is not legal in the position")]
    SmNotLegal,
    #[error("a predicted variation that cannot be played")]
    PvNotPlayable,
    #[error("a supplied variation that cannot be played")]
    SvNotPlayable,
    #[error("a move of a private opcode that cannot be played")]
    MoveNotLegal,
    #[error("a move that is not spelt in standard notation")]
    MoveNotExact,
    #[error("a predicted move that does not begin the predicted variation")]
    PmNotFirstOfPv,
    #[error("a supplied move that does not begin the supplied variation")]
    SmNotFirstOfSv,
    #[error("a draw offer accepted and rejected")]
    AcceptAndReject,
    #[error("a draw claimed and offered")]
    ClaimAndOffer,
    #[error("a draw claimed or offered without a move")]
    DrawWithoutMove,
    #[error("a resignation with a draw operation")]
    ResignAndDraw,
    #[error("a tag without a value")]
    OddTagPairs,
    #[error("a tag given twice")]
    RepeatedTag,
    #[error("a mate that the evaluation denies")]
    DmAgainstCe,
}

impl Lint {
    /// The name of the check in kebab case, such as `bm-not-legal`.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// The check that the moves of an opcode can be played.
    fn legality(opcode: &str) -> Self {
        match opcode {
            "am" => Self::AmNotLegal,
            "bm" => Self::BmNotLegal,
            "pm" => Self::PmNotLegal,
            "sm" => Self::SmNotLegal,
            "pv" => Self::PvNotPlayable,
            "sv" => Self::SvNotPlayable,
            _ => Self::MoveNotLegal,
        }
    }
}

/// A check that a record fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The check.
    pub lint: Lint,
    /// The part of the record that fails it.
    pub part: Part,
    /// What was found and what was expected.
    pub message: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

/// Checks a record. Findings are in the order of the operations; contradictions between operations come
/// last.
///
/// ```
/// use epode_epd::{Lexicon, Lint, check, read};
///
/// let record = read("8/8/8/8/8/k7/8/K7 w - - bm Ka2 Kb1; dm 2; ce 5;", &mut Vec::new())?;
/// let found = check(&record, &Lexicon::standard());
/// assert_eq!(found[0].lint, Lint::BmNotLegal);
/// assert_eq!(found[0].to_string(), "bm: Ka2: not a legal move here");
/// assert_eq!(found[1].lint.name(), "dm-against-ce");
/// # Ok::<(), epode_epd::ReadError>(())
/// ```
#[must_use]
pub fn check(record: &Record, lexicon: &Lexicon) -> Vec<Finding> {
    let mut checker = Checker {
        record,
        findings: Vec::new(),
    };
    let operations = record.operations();
    let entries: SmallVec<[_; 8]> = operations
        .iter()
        .map(|operation| lexicon.find(&operation.opcode))
        .collect();
    // A position is needed only if there are moves to play.
    let plays = |entry: &&LexiconEntry| entry.moves != Moves::None;
    let position = if entries.iter().flatten().any(plays) {
        record.position().map(Some)
    } else {
        record.legality().map(|()| None)
    };
    if let Err(nowhere) = &position {
        let (lint, field) = match nowhere {
            NoPosition::Illegal(illegal) => (Lint::IllegalPosition, field_at_fault(illegal)),
            NoPosition::ForeignCastling(_) => (Lint::ForeignPosition, Field::Castling),
        };
        // Every move would fail here, so the position alone is reported.
        checker.add(lint, Part::Field(field), nowhere.to_string());
    }
    let mut concern_others = false;
    for (n, (operation, entry)) in operations.iter().zip(&entries).enumerate() {
        // Opcodes that can contradict each other begin with one of these letters.
        concern_others |= operation.opcode.starts_with(['d', 'p', 'r', 's']);
        if let Some(entry) = entry {
            checker.operands(n, operation, &entry.arity);
            if let (true, Ok(Some(position))) = (plays(entry), &position) {
                checker.moves(n, operation, entry.moves, position);
            }
        }
    }
    if concern_others {
        checker.across();
    }
    checker.findings
}

/// The field to blame for an illegal position: the placement, unless only another field is wrong.
fn field_at_fault(illegal: &IllegalPosition) -> Field {
    match illegal.faults() {
        SetupFaults::CASTLING => Field::Castling,
        SetupFaults::EN_PASSANT => Field::EnPassant,
        SetupFaults::OPPONENT_IN_CHECK => Field::Turn,
        _ => Field::Placement,
    }
}

struct Checker<'a> {
    record: &'a Record,
    findings: Vec<Finding>,
}

impl Checker<'_> {
    fn add(&mut self, lint: Lint, part: Part, message: String) {
        self.findings.push(Finding {
            lint,
            part,
            message,
        });
    }

    /// Adds a contradiction between two operations.
    fn add_across(&mut self, lint: Lint, opcode: &str, message: String) {
        let n = self.record.index(opcode).unwrap_or_default();
        self.add(lint, Part::Operation(n), message);
    }

    fn has(&self, opcode: &str) -> bool {
        self.record.get(opcode).is_some()
    }

    /// Checks the number and the types of operands.
    fn operands(&mut self, n: usize, operation: &Operation, arity: &Arity) {
        let opcode = &operation.opcode;
        let operands = &operation.operands;
        let count_is_right = match arity {
            Arity::Exactly(types) => operands.len() == types.len(),
            Arity::Optional(_) => operands.len() <= 1,
            Arity::Many(_) | Arity::Pairs(..) => true,
        };
        if !count_is_right {
            let (found, expected) = (operands.len(), arity.describe());
            let s = if found == 1 { "" } else { "s" };
            let message = format!("{opcode} has {found} operand{s}, expected {expected}");
            self.add(Lint::OperandCount, Part::Operation(n), message);
            return;
        }
        for (i, operand) in operands.iter().enumerate() {
            if let Some(basetype) = arity.basetype(i)
                && !basetype.accepts(operand)
            {
                let message = format!("{opcode}: {operand} is not {}", basetype.describe());
                self.add(Lint::OperandType, Part::Operand(n, i), message);
            }
        }
    }

    /// Checks that moves can be played and are in exact SAN.
    fn moves(&mut self, n: usize, operation: &Operation, moves: Moves, position: &Position) {
        let mut position = *position;
        let texts = operation.operands.iter().enumerate();
        let texts =
            texts.flat_map(|(i, operand)| move_lists::texts(operand).map(move |text| (i, text)));
        for (i, text) in texts {
            let (mv, error) = match san::parse(&position, text) {
                Ok(mv) => (Some(mv), None),
                Err(error) => (move_lists::read(&position, text).ok(), Some(error)),
            };
            if let Some(error) = error {
                let lint = match error {
                    SanError::Inexact { .. } => Lint::MoveNotExact,
                    _ => Lint::legality(&operation.opcode),
                };
                let message = format!("{}: {text}: {error}", operation.opcode);
                self.add(lint, Part::Operand(n, i), message);
            }
            match (moves, mv) {
                (Moves::Line, Some(mv)) => position.play_unchecked(mv),
                (Moves::Line, None) => return,
                _ => {}
            }
        }
    }

    /// Checks operations against each other.
    fn across(&mut self) {
        self.first_of("pm", "pv", Lint::PmNotFirstOfPv);
        self.first_of("sm", "sv", Lint::SmNotFirstOfSv);
        if self.has("draw_accept") && self.has("draw_reject") {
            let message = "draw_accept and draw_reject exclude each other".to_owned();
            self.add_across(Lint::AcceptAndReject, "draw_reject", message);
        }
        if self.has("draw_claim") && self.has("draw_offer") {
            let message = "draw_claim and draw_offer exclude each other".to_owned();
            self.add_across(Lint::ClaimAndOffer, "draw_offer", message);
        }
        for opcode in ["draw_claim", "draw_offer"] {
            if self.has(opcode) && !self.has("sm") {
                self.add_across(
                    Lint::DrawWithoutMove,
                    opcode,
                    format!("{opcode} without sm"),
                );
            }
        }
        for opcode in ["draw_accept", "draw_claim", "draw_offer", "draw_reject"] {
            if self.has(opcode) && self.has("resign") {
                let message = format!("resign and {opcode} exclude each other");
                self.add_across(Lint::ResignAndDraw, "resign", message);
            }
        }
        self.tag_pairs();
        self.mate();
    }

    /// Checks that a single move is the first of the variation (EPD 6.19, 6.26).
    fn first_of(&mut self, single: &str, variation: &str, lint: Lint) {
        let first = |opcode| {
            let operation: Option<&Operation> = self.record.get(opcode);
            operation.and_then(|operation| {
                let mut texts = operation.operands.iter().flat_map(move_lists::texts);
                texts.next()
            })
        };
        if let (Some(one), Some(other)) = (first(single), first(variation))
            && one != other
        {
            let message = format!("{single} is {one}, but {variation} begins with {other}");
            self.add_across(lint, single, message);
        }
    }

    fn tag_pairs(&mut self) {
        let Some(operation) = self.record.get("ptp") else {
            return;
        };
        let operands = &operation.operands;
        if !operands.len().is_multiple_of(2) {
            let message = format!("ptp has {} operands, expected pairs", operands.len());
            self.add_across(Lint::OddTagPairs, "ptp", message);
        }
        let tags: Vec<_> = operands.iter().step_by(2).map(Operand::text).collect();
        let n = self.record.index("ptp").unwrap_or_default();
        for (i, tag) in tags.iter().enumerate() {
            if tags[..i].contains(tag) {
                let message = format!("the tag {tag} appears again");
                self.add(Lint::RepeatedTag, Part::Operand(n, 2 * i), message);
            }
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
                self.add_across(Lint::DmAgainstCe, "dm", message);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn findings(operations: &str) -> Vec<(Lint, String)> {
        let line = format!("8/P7/8/8/8/8/5k2/K7 w - - {operations}");
        let record = crate::read(&line, &mut Vec::new()).expect("readable");
        check(&record, &Lexicon::standard())
            .into_iter()
            .map(|found| (found.lint, found.message))
            .collect()
    }

    #[track_caller]
    fn finds(operations: &str, lint: Lint, message: &str) {
        assert_eq!(
            findings(operations),
            [(lint, message.to_owned())],
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
            "ptp Event \"x\" Part \"y\"; refcom inform;",
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
            Lint::OperandType,
            "acn: -1 is not an integer from 0",
        );
        finds(
            "ce 32767;",
            Lint::OperandType,
            "ce: 32767 is not an integer from -32768 to 32766",
        );
        finds(
            "dm 0;",
            Lint::OperandType,
            "dm: 0 is not an integer from 1 to 1023",
        );
        finds(
            "resign 1;",
            Lint::OperandCount,
            "resign has 1 operand, expected none",
        );
        finds(
            "cc 000:00:01:00;",
            Lint::OperandCount,
            "cc has 1 operand, expected a clock such as 000:01:05:59, a clock such as 000:01:05:59",
        );
        finds(
            "refreq quit;",
            Lint::OperandType,
            "refreq: quit is not one of fault reply sign_off sign_on",
        );
        finds(
            "ts 1995.02.29 10:00:00;",
            Lint::OperandType,
            "ts: 1995.02.29 is not a date such as 1995.11.26",
        );
    }

    #[test]
    fn moves() {
        finds(
            "bm Kc1;",
            Lint::BmNotLegal,
            "bm: Kc1: not a legal move here",
        );
        finds(
            "bm a8Q;",
            Lint::MoveNotExact,
            "bm: a8Q: inexact: expected a8=Q (spelling of the promotion)",
        );
        finds(
            "pv Kb2 Kb2 Kb3;",
            Lint::PvNotPlayable,
            "pv: Kb2: not a legal move here",
        );
    }

    #[test]
    fn contradictions() {
        finds(
            "pm a8=Q; pv Kb2;",
            Lint::PmNotFirstOfPv,
            "pm is a8=Q, but pv begins with Kb2",
        );
        finds(
            "sm a8=Q; sv Kb2;",
            Lint::SmNotFirstOfSv,
            "sm is a8=Q, but sv begins with Kb2",
        );
        finds(
            "draw_accept; draw_reject;",
            Lint::AcceptAndReject,
            "draw_accept and draw_reject exclude each other",
        );
        finds(
            "draw_claim; draw_offer; sm Kb2;",
            Lint::ClaimAndOffer,
            "draw_claim and draw_offer exclude each other",
        );
        finds(
            "draw_claim;",
            Lint::DrawWithoutMove,
            "draw_claim without sm",
        );
        finds(
            "draw_reject; resign;",
            Lint::ResignAndDraw,
            "resign and draw_reject exclude each other",
        );
        finds(
            "ptp Event \"x\" Part;",
            Lint::OddTagPairs,
            "ptp has 3 operands, expected pairs",
        );
        finds(
            "ptp Event \"x\" Event \"y\";",
            Lint::RepeatedTag,
            "the tag Event appears again",
        );
        finds(
            "ce 10; dm 3;",
            Lint::DmAgainstCe,
            "dm 3 means ce 32762, found ce 10",
        );
    }

    #[test]
    fn illegal_positions() {
        let record =
            crate::read("8/8/8/8/8/8/8/K7 w - - bm Kb1;", &mut Vec::new()).expect("readable");
        let found = check(&record, &Lexicon::standard());
        assert_eq!((found.len(), found[0].lint), (1, Lint::IllegalPosition));
        assert_eq!(found[0].to_string(), "illegal position: no black king");
    }
}
