//! Rewrites operands in standard form ([`Mode::Repair`](crate::Mode::Repair)):
//!
//! - legal moves in exact SAN (EPD 5.2.2, decision 114);
//! - a move that `am` or `bm` has twice, only once (decision 111);
//! - moves in quotes without the quotes: `bm "e4 d4"`;
//! - dates, times and clocks with all their digits (decisions 87 and 101).

use movegen::{Move, Position, San};
use smallvec::SmallVec;
use smol_str::SmolStr;

use super::location::{Locations, Part, Span};
use super::repair::{Repair, RepairKind};
use crate::opcode::lexicon::Lexicon;
use crate::opcode::{Basetype, LexiconEntry, Moves};
use crate::record::operand::Operand;
use crate::record::operation::Operation;
use crate::record::{Record, moves};

/// Rewrites the operands of a record, and keeps `locations` up to date.
pub(super) fn rewrite(
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
        let mut operands = Rewriter {
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
            // Operands without a location still have none.
            if !location.operands.is_empty() {
                location.operands = operands.kept;
            }
        }
    }
}

/// The operands of one operation, old and new.
struct Rewriter<'m> {
    operands: SmallVec<[Operand; 1]>,
    /// The locations of the new ones.
    kept: SmallVec<[Span; 2]>,
    /// The locations of the old ones.
    spans: SmallVec<[Span; 4]>,
    repairs: &'m mut Vec<Repair>,
}

impl Rewriter<'_> {
    fn keep(&mut self, i: usize, operand: Operand) {
        self.operands.push(operand);
        self.kept.push(self.spans[i]);
    }

    fn replace(&mut self, i: usize, kind: RepairKind, text: SmolStr) {
        self.repair(i, kind, text.clone());
        self.keep(i, Operand::new(text));
    }

    fn repair(&mut self, i: usize, kind: RepairKind, replacement: SmolStr) {
        self.repairs.push(Repair {
            span: self.spans[i],
            kind,
            replacement: Some(replacement),
        });
    }

    fn values(&mut self, operation: &Operation, entry: &LexiconEntry) {
        for (i, operand) in operation.operands.iter().enumerate() {
            let basetype = entry.arity.basetype(i);
            let canonical = basetype
                .filter(|basetype| !matches!(basetype, Basetype::Integer(..)))
                .and_then(|basetype| basetype.canonical(operand));
            match canonical {
                Some(text) if text != operand.text() => {
                    self.repair(i, RepairKind::ValueSpelling, text.clone());
                    self.keep(i, operand.with_text(text));
                }
                _ => self.keep(i, operand.clone()),
            }
        }
    }

    /// Rewrites moves, in a line only those before the first illegal move.
    fn moves(&mut self, operation: &Operation, moves: Moves, mut position: Position) {
        let mut is_legal = true;
        // Without its quotes a move would be joined with a sign that follows it.
        let joins = operation.operands.iter().any(Operand::is_part_of_move);
        let mut seen: SmallVec<[Move; 8]> = SmallVec::new();
        for (i, operand) in operation.operands.iter().enumerate() {
            let mut after = position;
            let is_fixed = joins && matches!(operand, Operand::String(_));
            let read = (is_legal && !is_fixed).then(|| read_all(operand, moves, &mut after));
            let Some(Some(read)) = read else {
                is_legal &= moves == Moves::Each;
                self.keep(i, operand.clone());
                continue;
            };
            if read.is_empty() {
                self.repair(i, RepairKind::MoveNumber, SmolStr::default());
            }
            for (mv, san) in read {
                if moves == Moves::Each && seen.contains(&mv) {
                    self.repair(i, RepairKind::DuplicateMove, SmolStr::default());
                    continue;
                }
                seen.push(mv);
                if matches!(operand, Operand::Symbol(text) if **text == *san) {
                    self.keep(i, operand.clone());
                } else {
                    self.replace(i, RepairKind::MoveSpelling, SmolStr::new(&*san));
                }
            }
            position = after;
        }
    }
}

/// The moves of an operand with their SAN; `None` if one is not legal. In a line they are played in
/// `position`.
fn read_all(
    operand: &Operand,
    moves: Moves,
    position: &mut Position,
) -> Option<SmallVec<[(Move, San); 1]>> {
    let mut all = SmallVec::new();
    for text in moves::texts(operand) {
        let mv = moves::read(position, text).ok()?;
        all.push((mv, San::of(position, mv)));
        if moves == Moves::Variation {
            position.play_unchecked(mv);
        }
    }
    Some(all)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::reader::Reader;

    /// The repaired record, and for each repair its kind, the text and the replacement.
    fn repaired(line: &str) -> (String, Vec<(RepairKind, String, String)>) {
        let mut repairs = Vec::new();
        let record = Reader::repair().read(line, &mut repairs).expect(line);
        let repairs = repairs.into_iter().map(|repair| {
            let replacement = repair.replacement.unwrap_or_default().to_string();
            (repair.kind, repair.span.of(line).to_owned(), replacement)
        });
        (record.to_string(), repairs.collect())
    }

    #[track_caller]
    fn repairs(operations: &str, expected: &str, repairs: &[(RepairKind, &str, &str)]) {
        const FIELDS: &str = "1n2k2r/P7/8/8/8/8/8/R3K2R w KQk -";
        let (line, found) = repaired(&format!("{FIELDS} {operations}"));
        assert_eq!(line, format!("{FIELDS} {expected}"), "{operations}");
        let found: Vec<_> = found
            .iter()
            .map(|(kind, text, replacement)| (*kind, text.as_str(), replacement.as_str()))
            .collect();
        assert_eq!(found, repairs, "{operations}");
    }

    /// Decision 114, and the spellings that the original kit accepts.
    #[test]
    fn moves() {
        use RepairKind::{
            ApartSign, CommaList, DuplicateMove, MoveGlyph, MoveNumber, MoveSpelling,
        };
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
        // A line is kept from its first illegal move on.
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

    /// Decisions 87, 101 and 113: numbers do not change.
    #[test]
    fn values() {
        use RepairKind::ValueSpelling;
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
    fn moves_in_illegal_positions_are_kept() {
        let line = "8/8/8/8/8/8/8/K7 w - - bm a1a2;";
        assert_eq!(repaired(line), (line.to_owned(), vec![]));
    }
}
