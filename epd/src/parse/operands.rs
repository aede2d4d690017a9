//! Reads operands, and the semicolon after the last one.

use smallvec::SmallVec;
use smol_str::{SmolStrBuilder, format_smolstr};

use super::cursor::Parser;
use super::error::{ReadError, ReadErrorKind};
use super::limits::MAX_STRING;
use super::location::{Location, Span};
use super::repair::RepairKind;
use crate::chars::{ends_word, is_any_space, is_printing};
use crate::record::operand::{Operand, Symbol};
use crate::record::operation::Operation;

impl Parser<'_, '_> {
    /// Reads one operand, adds it to the others and returns its span, or reads the semicolon after the
    /// last one and returns `None`. With `no_space` the operand may follow without a separator, as
    /// after an equals sign.
    pub(super) fn operand(
        &mut self,
        no_space: bool,
        operands: &mut SmallVec<[Operand; 1]>,
    ) -> Result<Option<Span>, ReadError> {
        match &self.line.as_bytes()[self.at..] {
            // Nearly every operand begins with one blank, and nearly every last one ends with a semicolon.
            [b' ', next, ..] if !ends_word(*next) && next.is_ascii() => self.at += 1,
            [b';', ..] => {
                self.at += 1;
                return Ok(None);
            }
            _ if self.ends_operation(no_space) => return Ok(None),
            _ => {}
        }
        let begin = self.at;
        operands.push(if self.peek() == Some(b'"') {
            self.string()?
        } else {
            self.symbol()
        });
        Ok(Some(self.since(begin)))
    }

    /// Reads white space before an operand or a semicolon, and the semicolon. Returns whether the
    /// operation ends here.
    #[cold]
    fn ends_operation(&mut self, no_space: bool) -> bool {
        let before = self.at;
        let skipped = self.space();
        let next = self.peek();
        if matches!(next, None | Some(b';')) {
            if next.is_some() {
                self.at += 1;
            } else {
                let end = self.end();
                self.repair(Span::new(end, end), RepairKind::MissingSemicolon, ";");
            }
            if skipped > 0 {
                let span = Span::new(before, before + skipped);
                self.repair(span, RepairKind::SurplusSpace, "");
            }
            return true;
        }
        self.at = before;
        if !no_space || skipped > 0 {
            self.separator();
        }
        false
    }

    fn symbol(&mut self) -> Operand {
        let begin = self.at;
        let text = self.word();
        self.check_characters(begin, text);
        Operand::Symbol(Symbol::of_word(text))
    }

    fn string(&mut self) -> Result<Operand, ReadError> {
        let open = self.at;
        let mut unescaped = String::new();
        let mut from = open + 1;
        let text = loop {
            let rest = &self.line.as_bytes()[from..];
            let Some(quote) = memchr::memchr(b'"', rest).map(|found| from + found) else {
                return Err(ReadError {
                    span: Span::new(open, self.line.len()),
                    kind: ReadErrorKind::OpenString,
                });
            };
            let ends = self.word_ends_at(quote + 1);
            let part = &self.line[from..quote];
            if let (Some(part), false) = (part.strip_suffix('\\'), ends) {
                let escape = Span::new(quote - 1, quote + 1);
                self.repair(escape, RepairKind::EscapedQuote, "'");
                unescaped.push_str(part);
                unescaped.push('"');
                from = quote + 1;
            } else {
                self.at = quote + 1;
                break if unescaped.is_empty() {
                    part.into()
                } else {
                    format_smolstr!("{unescaped}{part}")
                };
            }
        };
        if text.len() > MAX_STRING {
            self.keep(self.since(open), RepairKind::LongString);
        }
        self.check_characters(open, &text);
        Ok(Operand::string(text))
    }

    /// Reports characters that the standard does not allow.
    fn check_characters(&mut self, begin: usize, text: &str) {
        if self.is_plain || text.bytes().all(is_printing) {
            return;
        }
        if !text.is_ascii() {
            self.keep(self.since(begin), RepairKind::NotAscii);
        }
        if text.contains(char::is_control) {
            self.keep(self.since(begin), RepairKind::ControlCharacter);
        }
    }

    /// Makes one string of several words without quotes (decisions 108 and 117).
    pub(super) fn quote_words(&mut self, operation: &mut Operation, location: &mut Location) {
        let quoted = |operand: &Operand| matches!(operand, Operand::String(_));
        if operation.operands.iter().any(quoted) || operation.operands.is_empty() {
            return;
        }
        let mut text = SmolStrBuilder::new();
        for (i, operand) in operation.operands.iter().enumerate() {
            if i > 0 {
                text.push(' ');
            }
            text.push_str(operand.text());
        }
        operation.operands.truncate(0);
        operation.operands.push(Operand::string(text.finish()));
        // The operands end before the last semicolon that was read.
        let rest = &self.line[location.opcode.end..self.at];
        let words = rest.trim_end_matches(|letter| letter == ';' || is_any_space(letter));
        let begin = words.len() - words.trim_start().len();
        let span = Span::new(
            location.opcode.end + begin,
            location.opcode.end + words.len(),
        );
        location.operands.truncate(0);
        location.operands.push(span);
        let quoted = format_smolstr!("{}", operation.operands[0]);
        self.repair(span, RepairKind::UnquotedString, quoted);
    }
}
