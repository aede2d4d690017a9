//! Lists of moves: what may stand around and between them.

use movegen::Setup;
use smol_str::format_smolstr;

use super::cursor::Parser;
use super::found::{Found, is_move};
use super::location::{Location, Span};
use super::repair::RepairKind;
use crate::opcode::Moves;
use crate::record::moves::{without_glyphs, without_number};
use crate::record::operand::{Operand, Symbol, is_sign};
use crate::record::operation::Operation;

/// Whether an operand has commas, a move number or glyphs besides a move.
fn has_more_than_a_move(operand: &Operand) -> bool {
    let Operand::Symbol(text) = operand else {
        return false;
    };
    text.contains(',')
        || without_number(text).len() < text.len()
        || without_glyphs(text).len() < text.len()
}

/// Whether a text belongs to the move before it: a sign, or the piece of a promotion.
fn is_part_of(mv: &str, text: &str) -> bool {
    mv.ends_with('=') || is_sign(text)
}

impl Parser<'_, '_> {
    /// Joins the last operand to the move before it if it is a sign. Returns whether it did.
    pub(super) fn join_sign(
        &mut self,
        operation: &mut Operation,
        location: &mut Location,
        span: Span,
    ) -> bool {
        let [.., Operand::Symbol(mv), Operand::Symbol(text)] = &operation.operands[..] else {
            return false;
        };
        if !is_part_of(mv, text) {
            return false;
        }
        if !mv.ends_with('=') && text.trim_matches(['!', '?']).is_empty() {
            operation.operands.pop();
            self.repair(span, RepairKind::MoveGlyph, "");
            return true;
        }
        if let Some(part) = operation.operands.pop() {
            self.push_move(operation, location, part, span);
        }
        true
    }

    /// Removes commas, move numbers and glyphs from the moves of an operation.
    pub(super) fn strip_moves(&mut self, operation: &mut Operation, location: &mut Location) {
        if operation.operands.iter().any(has_more_than_a_move) {
            self.strip_untidy_moves(operation, location);
        }
    }

    #[cold]
    fn strip_untidy_moves(&mut self, operation: &mut Operation, location: &mut Location) {
        let operands = std::mem::take(&mut operation.operands);
        let spans = std::mem::take(&mut location.operands);
        for (operand, span) in operands.into_iter().zip(spans) {
            let text = operand.text();
            // What would be an opcode without its glyphs, as in `Qd1 dm! 3`, would begin an operation in normal form.
            let has_opcode = text
                .split(',')
                .any(|part| self.is_opcode(without_glyphs(without_number(part))));
            if has_opcode || !has_more_than_a_move(&operand) {
                self.push_move(operation, location, operand, span);
                continue;
            }
            // A move that was joined has blanks in the line: all its parts get the same location.
            let is_whole = span.of(self.line) == text;
            let mut begin = span.start;
            for part in text.split(',') {
                let part_span = if is_whole {
                    Span::new(begin, begin + part.len())
                } else {
                    span
                };
                begin += part.len() + 1;
                if is_whole && part_span.end < span.end {
                    let comma = Span::new(part_span.end, part_span.end + 1);
                    self.repair(comma, RepairKind::CommaList, " ");
                }
                if let Some((mv, mv_span)) = self.strip_move(part, part_span, is_whole) {
                    // Text after a comma may begin with a quote, which a symbol must not.
                    self.push_move(operation, location, Operand::new(mv), mv_span);
                }
            }
            if !is_whole && text.contains(',') {
                self.repair(span, RepairKind::CommaList, " ");
            }
        }
    }

    /// Adds an operand to the moves, or to the last of them if it is a part of that: a comma may have separated them.
    fn push_move(
        &mut self,
        operation: &mut Operation,
        location: &mut Location,
        operand: Operand,
        span: Span,
    ) {
        if let (Some(Operand::Symbol(mv)), Operand::Symbol(text)) =
            (operation.operands.last_mut(), &operand)
            && is_part_of(mv, text)
        {
            let joined = format_smolstr!("{}{}", &**mv, &**text);
            *mv = Symbol::of_word(joined.clone());
            if let Some(last) = location.operands.last_mut() {
                last.end = span.end;
            }
            self.repair(span, RepairKind::ApartSign, joined);
            return;
        }
        operation.operands.push(operand);
        location.operands.push(span);
    }

    /// A move without number and glyphs, and its location; `None` if no move is left.
    fn strip_move<'t>(
        &mut self,
        text: &'t str,
        span: Span,
        is_whole: bool,
    ) -> Option<(&'t str, Span)> {
        let numbered = without_number(text);
        let mv = without_glyphs(numbered);
        let mut bare = span;
        if is_whole {
            bare.start += text.len() - numbered.len();
            bare.end -= numbered.len() - mv.len();
        }
        if numbered.len() < text.len() {
            let number = if is_whole {
                Span::new(span.start, bare.start)
            } else {
                span
            };
            self.repair(number, RepairKind::MoveNumber, "");
        }
        if mv.len() < numbered.len() {
            let glyph = if is_whole {
                Span::new(bare.end, span.end)
            } else {
                span
            };
            self.repair(glyph, RepairKind::MoveGlyph, "");
        }
        (!mv.is_empty()).then_some((mv, bare))
    }

    /// Adds the text at `begin` to the operation before it, if that takes moves and the text is a legal
    /// move (decision 118). Returns whether it did.
    pub(super) fn split_moves(&mut self, found: &mut Found, setup: &Setup, begin: usize) -> bool {
        let Some(last) = found.operations.last_mut() else {
            return false;
        };
        let entry = self.lexicon.find(&last.opcode);
        if entry.is_none_or(|entry| entry.moves != Moves::Each) {
            return false;
        }
        let before = std::mem::replace(&mut self.at, begin);
        let (text, span) = self.text();
        let mv: String = text.split_ascii_whitespace().collect();
        // A promotion that waits for its piece would take a part of the move.
        let is_open = last.operands.last().is_some_and(Operand::is_part_of_move);
        if is_open || !is_move(setup, &mv) {
            self.at = before;
            return false;
        }
        let bare = without_glyphs(&mv);
        last.operands.push(Operand::Symbol(Symbol::of_word(bare)));
        if let Some(location) = found.locations.last_mut() {
            location.operands.push(span);
        }
        self.repair(span, RepairKind::SplitMoves, bare);
        true
    }
}
