//! Checks of a record: a legal position, the operands that the opcodes take, legal moves, and no
//! contradictions between operations.

use movegen::Position;
use movegen::san::{self, SanError};
use smallvec::SmallVec;

use super::contradictions;
use super::lints::{Lint, LintMessage};
use crate::opcode::lexicon::Lexicon;
use crate::opcode::{Arity, LexiconEntry, Moves};
use crate::parse::location::Part;
use crate::record::Record;
use crate::record::moves as move_lists;
use crate::record::operation::Operation;

/// Checks a record. Messages are in the order of the operations; those about contradictions between
/// operations come last.
///
/// ```
/// use epode_epd::{Lexicon, Lint, check, read};
///
/// let record = read("8/8/8/8/8/k7/8/K7 w - - bm Ka2 Kb1; dm 2; ce 5;", &mut Vec::new())?;
/// let messages = check(&record, &Lexicon::standard());
/// assert_eq!(messages[0].lint, Lint::BmNotLegal);
/// assert_eq!(messages[0].to_string(), "bm: Ka2: not a legal move here");
/// assert_eq!(messages[1].lint.name(), "dm-against-ce");
/// # Ok::<(), epode_epd::ReadError>(())
/// ```
#[must_use]
pub fn check(record: &Record, lexicon: &Lexicon) -> Vec<LintMessage> {
    let mut messages = Vec::new();
    let operations = record.operations();
    let entries: SmallVec<[_; 8]> = operations
        .iter()
        .map(|operation| lexicon.find(&operation.opcode))
        .collect();
    // Only moves need a position to be set up.
    let has_moves = entries.iter().flatten().any(|entry| entry.takes_moves());
    let position = if has_moves {
        record.position().map(Some)
    } else {
        record.legality().map(|()| None)
    };
    if let Err(error) = &position {
        // Every move would fail as well: report the position only.
        messages.push(LintMessage::new(
            Lint::IllegalPosition,
            error.part(),
            error.to_string(),
        ));
    }
    for (n, (operation, entry)) in operations.iter().zip(entries).enumerate() {
        let Some(entry) = entry else { continue };
        check_operands(n, operation, entry, &mut messages);
        if let (true, Ok(Some(position))) = (entry.takes_moves(), &position) {
            check_moves(n, operation, entry.moves, *position, &mut messages);
        }
    }
    contradictions::check(record, &mut messages);
    messages
}

/// Checks the number and the types of the operands.
fn check_operands(
    n: usize,
    operation: &Operation,
    entry: &LexiconEntry,
    messages: &mut Vec<LintMessage>,
) {
    let arity = &entry.arity;
    if !arity.allows(operation.operands.len()) {
        let lint = match arity {
            Arity::Pairs(..) => Lint::OddTagPairs,
            _ => Lint::OperandCount,
        };
        let error = operation.count_error(&arity.describe());
        messages.push(LintMessage::new(
            lint,
            Part::Operation(n),
            error.to_string(),
        ));
        return;
    }
    for (i, operand) in operation.operands.iter().enumerate() {
        if let Some(basetype) = arity.basetype(i)
            && !basetype.accepts(operand)
        {
            let error = operation.value_error(operand, &basetype.describe());
            let part = Part::Operand(n, i);
            messages.push(LintMessage::new(Lint::OperandType, part, error.to_string()));
        }
    }
}

/// Checks that moves are legal and in exact SAN. Nothing is checked after an illegal move of a line.
fn check_moves(
    n: usize,
    operation: &Operation,
    moves: Moves,
    mut position: Position,
    messages: &mut Vec<LintMessage>,
) {
    let opcode = &operation.opcode;
    for (i, operand) in operation.operands.iter().enumerate() {
        for text in move_lists::texts(operand) {
            let (mv, error) = match san::parse(&position, text) {
                Ok(mv) => (Some(mv), None),
                Err(error) => (move_lists::read(&position, text).ok(), Some(error)),
            };
            if let Some(error) = error {
                let lint = match error {
                    SanError::Inexact { .. } => Lint::MoveNotExact,
                    _ => Lint::illegal_move(opcode, moves),
                };
                let message = format!("{opcode}: {text}: {error}");
                messages.push(LintMessage::new(lint, Part::Operand(n, i), message));
            }
            match (moves, mv) {
                (Moves::Variation, Some(mv)) => position.play_unchecked(mv),
                (Moves::Variation, None) => return,
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::reader::read;

    fn messages(operations: &str) -> Vec<(Lint, String)> {
        let line = format!("8/P7/8/8/8/8/5k2/K7 w - - {operations}");
        let record = read(&line, &mut Vec::new()).expect("readable");
        check(&record, &Lexicon::standard())
            .into_iter()
            .map(|message| (message.lint, message.message))
            .collect()
    }

    #[track_caller]
    fn fails(operations: &str, lint: Lint, message: &str) {
        assert_eq!(
            messages(operations),
            [(lint, message.to_owned())],
            "{operations}"
        );
    }

    #[test]
    fn correct_records() {
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
                messages(operations).len(),
                expected,
                "{operations}: {:?}",
                messages(operations)
            );
        }
    }

    #[test]
    fn operands() {
        fails(
            "acn -1;",
            Lint::OperandType,
            "acn: -1 is not an integer from 0",
        );
        fails(
            "ce 32767;",
            Lint::OperandType,
            "ce: 32767 is not an integer from -32768 to 32766",
        );
        fails(
            "dm 0;",
            Lint::OperandType,
            "dm: 0 is not an integer from 1 to 1023",
        );
        fails(
            "resign 1;",
            Lint::OperandCount,
            "resign has 1 operand, expected none",
        );
        fails(
            "cc 000:00:01:00;",
            Lint::OperandCount,
            "cc has 1 operand, expected a clock such as 000:01:05:59, a clock such as 000:01:05:59",
        );
        fails(
            "refreq quit;",
            Lint::OperandType,
            "refreq: quit is not one of fault reply sign_off sign_on",
        );
        fails(
            "ts 1995.02.29 10:00:00;",
            Lint::OperandType,
            "ts: 1995.02.29 is not a date such as 1995.11.26",
        );
    }

    #[test]
    fn moves() {
        fails(
            "bm Kc1;",
            Lint::BmNotLegal,
            "bm: Kc1: not a legal move here",
        );
        fails(
            "bm a8Q;",
            Lint::MoveNotExact,
            "bm: a8Q: inexact: expected a8=Q (spelling of the promotion)",
        );
        fails(
            "pv Kb2 Kb2 Kb3;",
            Lint::PvNotPlayable,
            "pv: Kb2: not a legal move here",
        );
    }

    #[test]
    fn contradictions() {
        fails(
            "pm a8=Q; pv Kb2;",
            Lint::PmNotFirstOfPv,
            "pm is a8=Q, but pv begins with Kb2",
        );
        fails(
            "sm a8=Q; sv Kb2;",
            Lint::SmNotFirstOfSv,
            "sm is a8=Q, but sv begins with Kb2",
        );
        fails(
            "draw_accept; draw_reject;",
            Lint::AcceptAndReject,
            "draw_accept and draw_reject exclude each other",
        );
        fails(
            "draw_claim; draw_offer; sm Kb2;",
            Lint::ClaimAndOffer,
            "draw_claim and draw_offer exclude each other",
        );
        fails(
            "draw_claim;",
            Lint::DrawWithoutMove,
            "draw_claim without sm",
        );
        fails(
            "draw_reject; resign;",
            Lint::ResignAndDraw,
            "resign and draw_reject exclude each other",
        );
        fails(
            "ptp Event \"x\" Part;",
            Lint::OddTagPairs,
            "ptp has 3 operands, expected pairs: an identifier of 1 to 15 letters, digits and underscores, a string in quotes",
        );
        fails(
            "ptp Event \"x\" Event \"y\";",
            Lint::RepeatedTag,
            "the tag Event occurs twice",
        );
        fails(
            "ce 10; dm 3;",
            Lint::DmAgainstCe,
            "dm 3 means ce 32762, found ce 10",
        );
    }

    #[test]
    fn illegal_positions() {
        let record = read("8/8/8/8/8/8/8/K7 w - - bm Kb1;", &mut Vec::new()).expect("readable");
        let found = check(&record, &Lexicon::standard());
        assert_eq!((found.len(), found[0].lint), (1, Lint::IllegalPosition));
        assert_eq!(found[0].to_string(), "illegal position: no black king");
    }
}
