//! Reads the operations of a line.

use movegen::Setup;
use smol_str::format_smolstr;

use super::cursor::Parser;
use super::error::ReadError;
use super::found::Found;
use super::location::{Location, Span};
use super::repair::RepairKind;
use crate::opcode::{Arity, Basetype, LexiconEntry, Opcode, SYNONYMS};
use crate::record::operand::Operand;
use crate::record::operation::Operation;

/// The lengths that the standard allows for opcodes (EPD 5.1 and 5.3).
const OPCODE_LENGTHS: std::ops::RangeInclusive<usize> = 2..=15;

impl<'a> Parser<'a, '_> {
    /// Reads everything after the position. Returns the operations in ASCII order.
    pub(super) fn operations(&mut self, setup: &Setup) -> Result<Vec<Operation>, ReadError> {
        // Nearly every semicolon ends an operation: one allocation is enough, and wastes nothing.
        let rest = &self.line.as_bytes()[self.at..];
        let semicolons = memchr::memchr_iter(b';', rest).count();
        let mut found = Found {
            operations: Vec::with_capacity(semicolons.min(16)),
            ..Found::default()
        };
        let counters = self.counters();
        while self.statement(&mut found, setup)? {}
        self.add_counters(counters, &mut found);
        self.add_texts(&mut found);
        Ok(self.sort(found))
    }

    /// Puts the operations and their locations in ASCII order.
    fn sort(&mut self, found: Found) -> Vec<Operation> {
        let Found {
            mut operations,
            mut locations,
            ..
        } = found;
        if found.disordered {
            if self.locations.is_some() {
                let mut order: Vec<_> = (0..locations.len()).collect();
                order.sort_by_key(|&i| &operations[i].opcode);
                locations = order.into_iter().map(|i| locations[i].clone()).collect();
            }
            operations.sort_by(|one, other| one.opcode.cmp(&other.opcode));
        }
        if let Some(wanted) = &mut self.locations {
            wanted.operations = locations;
        }
        operations
    }

    /// Reads an operation, or whatever is in its place. Returns `false` at the end of the line.
    fn statement(&mut self, found: &mut Found, setup: &Setup) -> Result<bool, ReadError> {
        self.separator();
        let begin = self.at;
        match self.peek() {
            None => return Ok(false),
            Some(b';') => {
                self.at += 1;
                self.repair(self.since(begin), RepairKind::SurplusSemicolon, "");
                return Ok(true);
            }
            Some(_) => {}
        }
        let opcode = self.opcode();
        let lexicon = self.lexicon;
        let entry = opcode.and_then(|opcode| lexicon.find(opcode));
        if entry.is_none() && self.split_moves(found, setup, begin) {
            return Ok(true);
        }
        if let Some(opcode) = opcode {
            self.operation(found, begin, opcode, entry)?;
        } else {
            self.at = begin;
            let (text, span) = self.text();
            found.texts.push((text.into(), self.repairs.len()));
            self.keep(span, RepairKind::FreeText);
        }
        Ok(true)
    }

    /// Reads the operands of an operation and repairs them.
    fn operation(
        &mut self,
        found: &mut Found,
        begin: usize,
        opcode: &'a str,
        entry: Option<&LexiconEntry>,
    ) -> Result<(), ReadError> {
        let span = self.since(begin);
        self.check_opcode(span, opcode);
        let mut opcode = opcode;
        if let Some((_, standard)) = SYNONYMS.iter().find(|(synonym, _)| *synonym == opcode) {
            opcode = standard;
            self.repair(span, RepairKind::OpcodeSynonym, opcode);
        }
        let (operation, again) = found.push(Operation::of(Opcode::of_word(opcode)));
        if again {
            self.keep(span, RepairKind::DuplicateOpcode);
        }
        let mut location = Location {
            opcode: span,
            ..Location::default()
        };
        let takes_moves = entry.is_some_and(LexiconEntry::takes_moves);
        let mut no_space = self.equals_sign(span);
        while !self.runs_into_next(operation, entry) {
            let Some(span) = self.operand(no_space, &mut operation.operands)? else {
                break;
            };
            no_space = false;
            if takes_moves && self.join_sign(operation, &mut location, span) {
                continue;
            }
            if self.locations.is_some() || takes_moves {
                location.operands.push(span);
            }
        }
        if takes_moves {
            self.strip_moves(operation, &mut location);
        }
        if entry.is_some_and(LexiconEntry::takes_one_string) {
            self.quote_words(operation, &mut location);
        }
        if self.locations.is_some() {
            found.locations.push(location);
        }
        Ok(())
    }

    /// Reads an opcode, which may end at an equals sign or a quote. Returns `None` if the next word is
    /// not an opcode.
    fn opcode(&mut self) -> Option<&'a str> {
        let begin = self.at;
        let rest = &self.line.as_bytes()[begin..];
        let is_letter = |&&byte: &&u8| byte.is_ascii_alphanumeric() || byte == b'_';
        let letters = rest.iter().take_while(is_letter).count();
        let ends = match &rest[letters..] {
            [] | [b'"', ..] => true,
            [b'=', ..] => !self.word_ends_at(begin + letters + 1),
            _ => self.word_ends_at(begin + letters),
        };
        if !ends || !rest[0].is_ascii_alphabetic() {
            return None;
        }
        self.at = begin + letters;
        Some(&self.line[begin..self.at])
    }

    fn check_opcode(&mut self, span: Span, opcode: &str) {
        if opcode.len() < *OPCODE_LENGTHS.start() {
            self.keep(span, RepairKind::ShortOpcode);
        } else if opcode.len() > *OPCODE_LENGTHS.end() {
            self.keep(span, RepairKind::LongOpcode);
        }
    }

    /// Skips an equals sign after an opcode. Returns whether there was one.
    fn equals_sign(&mut self, opcode: Span) -> bool {
        let key = self.at == opcode.end && self.peek() == Some(b'=');
        if key {
            self.at += 1;
            self.repair(self.since(opcode.end), RepairKind::KeyValue, " ");
        }
        key
    }

    /// Whether the next word begins another operation, although no semicolon ends this one. That is so
    /// if this operation takes moves, or has the one string that it takes, and the next word is an opcode of the lexicon.
    fn runs_into_next(&mut self, operation: &Operation, entry: Option<&LexiconEntry>) -> bool {
        let Some(entry) = entry else {
            return false;
        };
        let takes_moves = entry.takes_moves();
        let first = operation.operands.first();
        let is_complete = match entry.arity {
            Arity::Exactly([Basetype::String]) => first.is_some(),
            // The words of a comment without quotes may be opcodes.
            Arity::Optional(Basetype::String) => matches!(first, Some(Operand::String(_))),
            _ => false,
        };
        if !takes_moves && !is_complete {
            return false;
        }
        if matches!(self.peek(), None | Some(b';')) {
            return false;
        }
        let (word, span) = self.next_word();
        let runs = if takes_moves {
            self.is_opcode(word)
        } else {
            self.lexicon.find(word).is_some()
        };
        if runs {
            self.repair(span, RepairKind::RunTogether, format_smolstr!("; {word}"));
        }
        runs
    }
}
