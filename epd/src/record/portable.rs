//! Rewrites records so that other programs can read them.
//!
//! Most scripts read EPD with python-chess. Whatever the opcode, it reads an operand that starts with
//! a digit, a sign or a point as a number, and any other text without quotes as moves. If that fails,
//! it refuses the whole record. All programs read text in quotes.

use movegen::{Position, San};
use smol_str::SmolStr;

use crate::opcode::lexicon::Lexicon;
use crate::opcode::value::{integer, is_float};
use crate::opcode::{Arity, Basetype, LexiconEntry, Moves};
use crate::record::operand::Operand;
use crate::record::operation::Operation;
use crate::record::{Record, moves};

impl Record {
    /// Puts operands in quotes that other programs cannot read: text of opcodes without a meaning, and
    /// moves that are not legal. Moves that only this crate understands are rewritten in SAN. Clocks,
    /// dates, identifiers and lists of strings do not change, because EPD has no other form for them.
    ///
    /// ```
    /// use epode_epd::{Lexicon, read};
    ///
    /// let line = "8/8/8/8/8/k7/8/K7 w - - am Ka2 Kb1; bm Kb1; eval = draw; wdl 0;";
    /// let mut record = read(line, &mut Vec::new())?;
    /// record.make_portable(&Lexicon::standard());
    /// assert_eq!(
    ///     record.to_string(),
    ///     "8/8/8/8/8/k7/8/K7 w - - am \"Ka2 Kb1\"; bm Kb1; eval \"= draw\"; wdl 0;"
    /// );
    /// # Ok::<(), epode_epd::ReadError>(())
    /// ```
    pub fn make_portable(&mut self, lexicon: &Lexicon) {
        // Set up only if there are moves.
        let mut position = None;
        for n in 0..self.operations().len() {
            let operation = &self.operations()[n];
            if is_plain(operation) {
                continue;
            }
            let entry = lexicon.find(&operation.opcode);
            let changed = match entry {
                Some(entry) if entry.takes_moves() => {
                    let position = position.get_or_insert_with(|| self.position().ok());
                    portable_moves(operation, entry, position.as_ref())
                }
                Some(entry) if is_own_form(entry) => None,
                _ => Some(quoted(operation)),
            };
            if let Some(changed) = changed {
                self.operations_mut()[n] = changed;
            }
        }
    }
}

/// Whether all programs can read the operands: none, one string or one number.
fn is_plain(operation: &Operation) -> bool {
    match &operation.operands[..] {
        [] | [Operand::String(_)] => true,
        [Operand::Symbol(text)] => integer(text).is_some() || is_float(text),
        _ => false,
    }
}

/// Whether the standard allows the operands only one form, without quotes around all of them.
fn is_own_form(entry: &LexiconEntry) -> bool {
    match entry.arity {
        Arity::Exactly([one]) => matches!(
            one,
            Basetype::Identifier(_)
                | Basetype::Date
                | Basetype::TimeOfDay
                | Basetype::Clock
                | Basetype::MillisecondClock
        ),
        Arity::Exactly([_, _, ..]) | Arity::Pairs(..) => true,
        _ => false,
    }
}

/// The operation with all operands in one string.
fn quoted(operation: &Operation) -> Operation {
    let words: Vec<_> = operation.operands.iter().map(Operand::text).collect();
    Operation::of(operation.opcode.clone()).string(&words.join(" "))
}

/// The operation with moves that all programs can read, or with all moves in one string if one of
/// them is not legal; `None` if nothing changes.
fn portable_moves(
    operation: &Operation,
    entry: &LexiconEntry,
    position: Option<&Position>,
) -> Option<Operation> {
    let is_single = matches!(entry.arity, Arity::Exactly([_]));
    let Some(position) = position.filter(|_| !is_single || operation.operands.len() == 1) else {
        return Some(quoted(operation));
    };
    let mut position = *position;
    let mut changed: Option<Operation> = None;
    for (i, operand) in operation.operands.iter().enumerate() {
        let Operand::Symbol(text) = operand else {
            return Some(quoted(operation));
        };
        let Ok(mv) = moves::read(&position, text) else {
            return Some(quoted(operation));
        };
        if !is_common_spelling(text) {
            let operation = changed.get_or_insert_with(|| operation.clone());
            operation.operands[i] = Operand::new(SmolStr::new(&*San::of(&position, mv)));
        }
        if entry.moves == Moves::Variation {
            position.play_unchecked(mv);
        }
    }
    changed
}

/// Whether a move is spelt as other programs expect it: in SAN or coordinates, with nothing after the
/// check sign.
fn is_common_spelling(text: &str) -> bool {
    let text = text.strip_suffix(['+', '#']).unwrap_or(text);
    if matches!(text, "O-O" | "O-O-O") {
        return true;
    }
    let rest = text.strip_prefix(['N', 'B', 'R', 'Q', 'K']).unwrap_or(text);
    let (rest, promotes) = match rest.strip_suffix(['N', 'B', 'R', 'Q', 'n', 'b', 'r', 'q']) {
        Some(rest) => (rest.strip_suffix('=').unwrap_or(rest), true),
        None => (rest, false),
    };
    // The destination square; before it an optional file, rank and sign.
    let rest = rest.as_bytes();
    let [before @ .., b'a'..=b'h', b'1'..=b'8'] = rest else {
        return false;
    };
    let before = before
        .strip_suffix(b"x")
        .or_else(|| before.strip_suffix(b"-"))
        .unwrap_or(before);
    let is_origin = matches!(
        before,
        [] | [b'a'..=b'h' | b'1'..=b'8'] | [b'a'..=b'h', b'1'..=b'8']
    );
    is_origin && (!promotes || matches!(rest, [.., b'1' | b'8']))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::reader::read;

    #[track_caller]
    fn becomes(operations: &str, expected: &str) {
        const FIELDS: &str = "1n2k2r/P7/8/8/8/8/8/R3K2R w KQk -";
        let line = format!("{FIELDS} {operations}");
        let mut record = read(&line, &mut Vec::new()).expect(&line);
        record.make_portable(&Lexicon::standard());
        assert_eq!(record.to_string(), format!("{FIELDS} {expected}"));
        // The result reads back and does not change again.
        let mut again = read(&record.to_string(), &mut Vec::new()).expect("ours");
        assert_eq!(again, record);
        again.make_portable(&Lexicon::standard());
        assert_eq!(again, record);
    }

    #[test]
    fn unreadable_texts_are_quoted() {
        becomes("eval = draw;", "eval \"= draw\";");
        becomes("Src \"a\" 12;", "Src \"a 12\";");
        becomes("Sct 000.00:00:00.004;", "Sct \"000.00:00:00.004\";");
        becomes("noop a b; pes MateIn3;", "noop \"a b\"; pes \"MateIn3\";");
        becomes("draw; v=-328; Zz 1.5;", "Zz 1.5; draw; v -328;");
        let own = "cc 000:00:01:00 000:00:02:00; refcom inform; ts 1995.11.26 18:05:59;";
        becomes(own, own);
    }

    #[test]
    fn unreadable_moves_are_quoted_or_rewritten() {
        becomes(
            "bm h1h8 Rb1 O-O; pv Rxh8 Kd7;",
            "bm h1h8 Rb1 O-O; pv Rxh8 Kd7;",
        );
        becomes("bm Zz Rb1;", "bm \"Zz Rb1\";");
        becomes(
            "pm Rb1 Rc1; pv Rxh8+ Kd7 Kd7;",
            "pm \"Rb1 Rc1\"; pv \"Rxh8+ Kd7 Kd7\";",
        );
        becomes("am 0-0 Rb1; bm axb8(N);", "am O-O Rb1; bm axb8=N;");
        becomes("bm a7-a8q Ra1-b1 Rxh8mate;", "bm a7-a8q Ra1-b1 Rxh8+;");
    }

    #[test]
    fn moves_in_illegal_positions_are_quoted() {
        let mut record = read("8/8/8/8/8/8/8/K7 w - - bm Ka2;", &mut Vec::new()).expect("ok");
        record.make_portable(&Lexicon::standard());
        assert_eq!(record.to_string(), "8/8/8/8/8/8/8/K7 w - - bm \"Ka2\";");
    }
}
