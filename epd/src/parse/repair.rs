//! Spelling what operands say as the standard has it ([`Mode::Repair`](crate::Mode::Repair)).
//!
//! - moves in exact SAN, as far as they can be played (EPD 5.2.2, decision 114);
//! - a move that `am` or `bm` names twice, once (decision 111);
//! - moves in quotes without them: `bm "e4 d4"`;
//! - dates, times and clocks with all their digits (decisions 87 and 101).

use movegen::{Move, Position, San};
use smallvec::SmallVec;
use smol_str::SmolStr;

use crate::opcode::lexicon::{Lexicon, LexiconEntry, Moves};
use crate::opcode::value::Basetype;
use crate::parse::deviation::{Deviation, Repair};
use crate::parse::location::{Locations, Part, Span};
use crate::record::operand::Operand;
use crate::record::operation::Operation;
use crate::record::{Record, moves};

/// Repairs a record whose operations stand at `places`, which follow what is left out.
pub(crate) fn located(
    record: &mut Record,
    locations: &mut Locations,
    lexicon: &Lexicon,
    repairs: &mut Vec<Repair>,
) {
    let position = record.position().ok();
    for (n, operation) in record.operations_mut().iter_mut().enumerate() {
        let Some(entry) = lexicon.find(&operation.opcode) else {
            continue;
        };
        let spans = (0..operation.operands.len())
            .map(|i| locations.span(Part::Operand(n, i)))
            .collect();
        let mut operands = OperandRepair {
            operands: SmallVec::new(),
            kept: SmallVec::new(),
            spans,
            repairs,
        };
        match (entry.moves, position) {
            (Moves::None, _) => operands.values(operation, entry),
            (_, None) => continue,
            (moves, Some(position)) => operands.moves(operation, moves, position),
        }
        operation.operands = operands.operands;
        if let Some(location) = locations.operations.get_mut(n) {
            // What had no place of its own before has none now.
            if !location.operands.is_empty() {
                location.operands = operands.kept;
            }
        }
    }
}

/// The operands of one operation, old and new.
struct OperandRepair<'m> {
    operands: SmallVec<[Operand; 1]>,
    /// Where those that are kept stand.
    kept: SmallVec<[Span; 2]>,
    /// Where the old ones stand.
    spans: SmallVec<[Span; 4]>,
    repairs: &'m mut Vec<Repair>,
}

impl OperandRepair<'_> {
    fn keep(&mut self, i: usize, operand: Operand) {
        self.operands.push(operand);
        self.kept.push(self.spans[i]);
    }

    fn replace(&mut self, i: usize, deviation: Deviation, taken: SmolStr) {
        self.repair(i, deviation, taken.clone());
        self.keep(i, Operand::new(taken));
    }

    fn repair(&mut self, i: usize, deviation: Deviation, taken: SmolStr) {
        self.repairs.push(Repair {
            span: self.spans[i],
            deviation,
            taken: Some(taken),
        });
    }

    fn values(&mut self, operation: &Operation, entry: &LexiconEntry) {
        for (i, operand) in operation.operands.iter().enumerate() {
            let basetype = entry.arity.basetype(i);
            let usual = basetype
                .filter(|basetype| !matches!(basetype, Basetype::Integer(..)))
                .and_then(|basetype| basetype.canonical(operand));
            match usual {
                Some(usual) if usual != operand.text() => {
                    self.repair(i, Deviation::ValueSpelling, usual.clone());
                    self.keep(i, operand.with_text(usual));
                }
                _ => self.keep(i, operand.clone()),
            }
        }
    }

    /// Moves up to the first that cannot be played, after which a line is kept as it is.
    fn moves(&mut self, operation: &Operation, moves: Moves, mut position: Position) {
        let mut playable = true;
        // Without its quotes a move would take a sign that follows it.
        let joins = operation.operands.iter().any(Operand::is_part_of_move);
        let mut seen: SmallVec<[Move; 8]> = SmallVec::new();
        for (i, operand) in operation.operands.iter().enumerate() {
            let mut after = position;
            let is_fixed = joins && matches!(operand, Operand::String(_));
            let read = (playable && !is_fixed).then(|| read_all(operand, moves, &mut after));
            let Some(Some(read)) = read else {
                playable &= moves == Moves::Each;
                self.keep(i, operand.clone());
                continue;
            };
            if read.is_empty() {
                self.repair(i, Deviation::MoveNumber, SmolStr::default());
            }
            for (mv, usual) in read {
                if moves == Moves::Each && seen.contains(&mv) {
                    self.repair(i, Deviation::DuplicateMove, SmolStr::default());
                    continue;
                }
                seen.push(mv);
                if matches!(operand, Operand::Symbol(text) if **text == *usual) {
                    self.keep(i, operand.clone());
                } else {
                    self.replace(i, Deviation::MoveSpelling, SmolStr::new(&*usual));
                }
            }
            position = after;
        }
    }
}

/// The moves of an operand and how they are written; `None` if one cannot be played. In a line
/// the position is the one after them.
fn read_all(
    operand: &Operand,
    moves: Moves,
    position: &mut Position,
) -> Option<SmallVec<[(Move, San); 1]>> {
    let mut all = SmallVec::new();
    for text in moves::texts(operand) {
        let mv = moves::read(position, text).ok()?;
        all.push((mv, San::of(position, mv)));
        if moves == Moves::Line {
            position.play_unchecked(mv);
        }
    }
    Some(all)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Reader;

    /// The record as repaired, and what was there and taken for each repair.
    fn repaired(line: &str) -> (String, Vec<(Deviation, String, String)>) {
        let mut repairs = Vec::new();
        let record = Reader::repair().read(line, &mut repairs).expect(line);
        let repairs = repairs.into_iter().map(|repair| {
            let taken = repair.taken.unwrap_or_default().to_string();
            (repair.deviation, repair.span.of(line).to_owned(), taken)
        });
        (record.to_string(), repairs.collect())
    }

    #[track_caller]
    fn repairs(operations: &str, expected: &str, repairs: &[(Deviation, &str, &str)]) {
        const FIELDS: &str = "1n2k2r/P7/8/8/8/8/8/R3K2R w KQk -";
        let (line, found) = repaired(&format!("{FIELDS} {operations}"));
        assert_eq!(line, format!("{FIELDS} {expected}"), "{operations}");
        let found: Vec<_> = found
            .iter()
            .map(|(deviation, there, taken)| (*deviation, there.as_str(), taken.as_str()))
            .collect();
        assert_eq!(found, repairs, "{operations}");
    }

    /// Decision 114, and what the original kit maps.
    #[test]
    fn moves() {
        use Deviation::{ApartSign, CommaList, DuplicateMove, MoveGlyph, MoveNumber, MoveSpelling};
        repairs("bm Rxh8+;", "bm Rxh8+;", &[]);
        repairs(
            "am e1g1 0-0-0; bm a7b8q axb8(N);",
            "am O-O O-O-O; bm axb8=Q+ axb8=N;",
            &[
                (MoveSpelling, "e1g1", "O-O"),
                (MoveSpelling, "0-0-0", "O-O-O"),
                (MoveSpelling, "a7b8q", "axb8=Q+"),
                (MoveSpelling, "axb8(N)", "axb8=N"),
            ],
        );
        repairs(
            "bm Rxh8 + h1h8 Rb1;",
            "bm Rxh8+ Rb1;",
            &[(ApartSign, "+", "Rxh8+"), (DuplicateMove, "h1h8", "")],
        );
        repairs(
            "pv 1. Rh1xh8 Kd7 2.axb8=N+ Kd6;",
            "pv Rxh8+ Kd7 axb8=N+ Kd6;",
            &[
                (MoveNumber, "1.", ""),
                (MoveSpelling, "Rh1xh8", "Rxh8+"),
                (MoveNumber, "2.", ""),
            ],
        );
        repairs(
            "am Zz,Rb1!?, 1.e1d1; bm \"h1h8, Rb1\";",
            "am Zz Rb1 Kd1; bm Rxh8+ Rb1;",
            &[
                (CommaList, ",", " "),
                (MoveGlyph, "!?", ""),
                (CommaList, ",", " "),
                (MoveNumber, "1.", ""),
                (MoveSpelling, "e1d1", "Kd1"),
                (MoveSpelling, "\"h1h8, Rb1\"", "Rxh8+"),
                (MoveSpelling, "\"h1h8, Rb1\"", "Rb1"),
            ],
        );
        // From its first move that cannot be played a line is kept.
        repairs(
            "pv h1h8 a1a1 h8h7;",
            "pv Rxh8+ a1a1 h8h7;",
            &[(MoveSpelling, "h1h8", "Rxh8+")],
        );
        repairs(
            "bm Zz h1h8;",
            "bm Zz Rxh8+;",
            &[(MoveSpelling, "h1h8", "Rxh8+")],
        );
        repairs("id \"h1h8\"; Xx h1h8;", "Xx h1h8; id \"h1h8\";", &[]);
    }

    /// Decisions 87, 101 and 113: numbers are left as they are.
    #[test]
    fn values() {
        use Deviation::ValueSpelling;
        repairs(
            "acs +07; cc 0:00:01:00 0001:00:00:00; ts 1995.11.26 18:05;",
            "acs +07; cc 000:00:01:00 001:00:00:00; ts 1995.11.26 18:05:00;",
            &[
                (ValueSpelling, "0:00:01:00", "000:00:01:00"),
                (ValueSpelling, "0001:00:00:00", "001:00:00:00"),
                (ValueSpelling, "18:05", "18:05:00"),
            ],
        );
    }

    #[test]
    fn nothing_is_played_in_no_position() {
        let line = "8/8/8/8/8/8/8/K7 w - - bm a1a2;";
        assert_eq!(repaired(line), (line.to_owned(), vec![]));
    }
}
