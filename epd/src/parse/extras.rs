//! What a line may have besides operations: FEN counters, and text that is not an operation.

use smol_str::{SmolStrBuilder, format_smolstr};

use super::cursor::Parser;
use super::found::Found;
use super::location::{Location, Span};
use super::repair::RepairKind;
use crate::opcode::Opcode;
use crate::record::operand::Operand;
use crate::record::operation::Operation;

impl<'a> Parser<'a, '_> {
    /// Reads FEN counters, if the line has them, and a semicolon after them (decision 116). A single
    /// number is a counter only if no text follows it.
    pub(super) fn counters(&mut self) -> Option<(Span, [&'a str; 2])> {
        let before = self.at;
        let mut counters = [""; 2];
        let mut all = Span::new(before, before);
        for counter in &mut counters {
            let (word, span) = self.next_word();
            if word.is_empty() || !word.bytes().all(|byte| byte.is_ascii_digit()) {
                break;
            }
            if all.end == before {
                all.start = span.start;
            }
            *counter = word;
            self.at = span.end;
            all.end = span.end;
        }
        if counters[0].is_empty() {
            return None;
        }
        let (next, _) = self.next_word();
        if counters[1].is_empty() && !next.is_empty() && self.lexicon.find(next).is_none() {
            self.at = before;
            return None;
        }
        if next.is_empty() {
            let before = self.at;
            self.space();
            if self.peek() == Some(b';') {
                self.at += 1;
            } else {
                self.at = before;
            }
        }
        Some((all, counters))
    }

    /// Makes operations of FEN counters. The operations `hmvc` and `fmvn`, if the line has them, count
    /// instead.
    pub(super) fn add_counters(
        &mut self,
        counters: Option<(Span, [&'a str; 2])>,
        found: &mut Found,
    ) {
        let Some((span, counters)) = counters else {
            return;
        };
        let mut replacement = SmolStrBuilder::new();
        let mut agree = true;
        for (opcode, count) in ["hmvc", "fmvn"].into_iter().zip(counters) {
            if count.is_empty() {
                continue;
            }
            let same = found.operations.iter().find(|other| other.opcode == opcode);
            if let Some(same) = same {
                let number = |text: &str| text.parse::<u64>().ok();
                let value = same.operands.first().map(|operand| number(operand.text()));
                agree &= value == Some(number(count));
                continue;
            }
            let operation = Operation::of(Opcode::of_word(opcode)).symbol(count);
            replacement.push_str(&format_smolstr!(" {operation}"));
            self.add(found, operation, || Location {
                opcode: span,
                ..Location::default()
            });
        }
        let replacement = replacement.finish();
        if agree {
            self.repair(span, RepairKind::FenCounters, replacement.trim_start());
        } else {
            self.repair(span, RepairKind::CountersDisagree, replacement.trim_start());
        }
    }

    /// Puts texts that are not operations into the last comment register that is free, or adds them to
    /// `c9` if none is.
    pub(super) fn add_texts(&mut self, found: &mut Found) {
        let Some(&(_, first)) = found.texts.first() else {
            return;
        };
        let texts: Vec<_> = found.texts.iter().map(|(text, _)| text.as_str()).collect();
        let text = texts.join("; ");
        let repairs: Vec<_> = found.texts.iter().map(|&(_, repair)| repair).collect();
        let location = self.repairs[first].span;
        let mut registers = (0..10).rev().map(|n| Opcode::of_register('c', n));
        let comment = if let Some(free) = registers.find(|register| !found.has(register)) {
            let comment = Operation::of(free).string(&text);
            self.add(found, comment.clone(), || Location {
                opcode: location,
                ..Location::default()
            });
            comment
        } else {
            let mut comments = found.operations.iter_mut().rev();
            let last = comments
                .find(|other| other.opcode == "c9")
                .expect("all registers are used");
            let text = match last.operands.pop() {
                Some(comment) => format!("{}; {text}", comment.text()),
                None => text,
            };
            last.operands.push(Operand::string(text));
            last.clone()
        };
        for repair in repairs {
            self.repairs[repair].replacement = Some(format_smolstr!("{comment}"));
        }
    }

    fn add(&self, found: &mut Found, operation: Operation, location: impl FnOnce() -> Location) {
        found.push(operation);
        if self.locations.is_some() {
            found.locations.push(location());
        }
    }
}
