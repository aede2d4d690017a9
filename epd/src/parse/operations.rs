//! The operations of a line, and what stands between them.

use movegen::{Position, Setup, Square, san};
use smallvec::SmallVec;
use smol_str::{SmolStr, SmolStrBuilder, format_smolstr};

use super::cursor::Parser;
use super::limits::MAX_STRING;
use crate::chars::{ends_word, is_printing, is_space};
use crate::opcode::Opcode;
use crate::opcode::lexicon::{Arity, LexiconEntry, Moves};
use crate::opcode::value::Basetype;
use crate::parse::deviation::Deviation;
use crate::parse::error::{ReadError, ReadErrorKind};
use crate::parse::location::{Location, Span};
use crate::record::moves::{without_glyphs, without_number};
use crate::record::operand::{Operand, Symbol, is_sign};
use crate::record::operation::Operation;

/// The lengths that the standard allows for opcodes (EPD 5.1 and 5.3).
const OPCODE_LENGTHS: std::ops::RangeInclusive<usize> = 2..=15;

/// Whether an opcode takes one string and nothing else.
fn takes_one_string(entry: &LexiconEntry) -> bool {
    matches!(
        entry.arity,
        Arity::Exactly([Basetype::String]) | Arity::Optional(Basetype::String)
    )
}

/// Whether an operand without quotes holds commas, a number or glyphs beside a move.
fn holds_more_than_a_move(operand: &Operand) -> bool {
    let Operand::Symbol(text) = operand else {
        return false;
    };
    text.contains(',')
        || without_number(text).len() < text.len()
        || without_glyphs(text).len() < text.len()
}

/// What a line holds behind its position, in the order of the line.
#[derive(Default)]
struct Found {
    operations: Vec<Operation>,
    /// Whether an opcode came that does not follow the one before it in ASCII order.
    disordered: bool,
    /// Empty if nobody wants to know.
    locations: Vec<Location>,
    /// Texts that are no operation, and the indices of their repairs.
    texts: Vec<(SmolStr, usize)>,
}

impl Found {
    fn has(&self, opcode: &str) -> bool {
        self.operations.iter().any(|other| other.opcode == opcode)
    }

    /// Adds an operation, to be changed where it stays: to move it as soon as it is made would be
    /// slow. Tells whether its opcode was there already.
    fn push(&mut self, operation: Operation) -> (&mut Operation, bool) {
        let last = self.operations.last();
        self.disordered |= last.is_some_and(|last| last.opcode >= operation.opcode);
        // What follows all the others in their order is none of them.
        let again = self.disordered && self.has(&operation.opcode);
        (self.operations.push_mut(operation), again)
    }
}

/// The position that moves are legal in, made when first needed.
struct Board<'s> {
    setup: &'s Setup,
    /// Moves of another chess are not looked at.
    usual: bool,
}

impl Board<'_> {
    fn has_move(&self, text: &str) -> bool {
        let position = self.usual.then(|| Position::from_setup(self.setup));
        position.is_some_and(|position| {
            position.is_ok_and(|position| san::parse_lenient(&position, text).is_ok())
        })
    }
}

impl<'a> Parser<'a, '_> {
    /// Reads everything behind the position; the operations are returned in ASCII order.
    pub(super) fn operations(
        &mut self,
        setup: &Setup,
        usual: bool,
    ) -> Result<Vec<Operation>, ReadError> {
        let board = Board { setup, usual };
        // Few operations take less than eight bytes: one reservation does, but for long lists.
        let rest = self.line.len() - self.at;
        let mut found = Found {
            operations: Vec::with_capacity((rest / 8).min(8)),
            ..Found::default()
        };
        let counters = self.counters();
        while self.statement(&mut found, &board)? {}
        self.add_counters(counters, &mut found);
        self.add_texts(&mut found);
        Ok(self.sort(found))
    }

    /// Puts the operations in ASCII order, and their places with them.
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

    fn add(&self, found: &mut Found, operation: Operation, location: impl FnOnce() -> Location) {
        found.push(operation);
        if self.locations.is_some() {
            found.locations.push(location());
        }
    }

    /// Reads the counters of FEN, if they are there, and a semicolon after them (decision 116). One
    /// number alone is a counter only where no text goes on from it.
    fn counters(&mut self) -> Option<(Span, [&'a str; 2])> {
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

    /// Makes operations of the counters of FEN; operations that are there say it better.
    fn add_counters(&mut self, counters: Option<(Span, [&'a str; 2])>, found: &mut Found) {
        let Some((span, counters)) = counters else {
            return;
        };
        let mut taken = SmolStrBuilder::new();
        let mut agree = true;
        for (opcode, count) in ["hmvc", "fmvn"].into_iter().zip(counters) {
            if count.is_empty() {
                continue;
            }
            let there = found.operations.iter().find(|other| other.opcode == opcode);
            if let Some(there) = there {
                let number = |text: &str| text.parse::<u64>().ok();
                let said = there.operands.first().map(|operand| number(operand.text()));
                agree &= said == Some(number(count));
                continue;
            }
            let operation = Operation::of(Opcode::of_word(opcode)).symbol(count);
            taken.push_str(&format_smolstr!(" {operation}"));
            self.add(found, operation, || Location {
                opcode: span,
                ..Location::default()
            });
        }
        let taken = taken.finish();
        if agree {
            self.repair(span, Deviation::FenCounters, taken.trim_start());
        } else {
            self.repair(span, Deviation::CountersDisagree, taken.trim_start());
        }
    }

    /// Puts the texts that are no operation into the last comment register that is free, or adds
    /// them to the last register if none is.
    fn add_texts(&mut self, found: &mut Found) {
        let Some(&(_, first)) = found.texts.first() else {
            return;
        };
        let texts: Vec<_> = found.texts.iter().map(|(text, _)| text.as_str()).collect();
        let text = texts.join("; ");
        let repairs: Vec<_> = found.texts.iter().map(|&(_, repair)| repair).collect();
        let location = self.repairs[first].span;
        let mut registers = (0..10).rev().map(|n| format_smolstr!("c{n}"));
        let comment = if let Some(free) = registers.find(|register| !found.has(register)) {
            let comment = Operation::of(Opcode::of_word(&free)).string(&text);
            self.add(found, comment.clone(), || Location {
                opcode: location,
                ..Location::default()
            });
            comment
        } else {
            let mut comments = found.operations.iter_mut().rev();
            let last = comments
                .find(|other| other.opcode == "c9")
                .expect("no register is free");
            let text = match last.operands.pop() {
                Some(said) => format!("{}; {text}", said.text()),
                None => text,
            };
            last.operands.push(Operand::string(text));
            last.clone()
        };
        for repair in repairs {
            self.repairs[repair].taken = Some(format_smolstr!("{comment}"));
        }
    }

    /// Reads up to the next semicolon; false at the end of the line.
    fn statement(&mut self, found: &mut Found, board: &Board<'_>) -> Result<bool, ReadError> {
        self.separator();
        let begin = self.at;
        match self.peek() {
            None => return Ok(false),
            Some(b';') => {
                self.at += 1;
                self.repair(self.since(begin), Deviation::SurplusSemicolon, "");
                return Ok(true);
            }
            Some(_) => {}
        }
        let opcode = self.opcode();
        let lexicon = self.lexicon;
        let entry = opcode.and_then(|opcode| lexicon.find(opcode));
        if entry.is_none() && self.split_moves(found, board, begin) {
            return Ok(true);
        }
        if let Some(opcode) = opcode {
            self.operation(found, begin, opcode, entry)?;
        } else {
            self.at = begin;
            let (text, span) = self.text();
            found.texts.push((text.into(), self.repairs.len()));
            self.keep(span, Deviation::FreeText);
        }
        Ok(true)
    }

    /// Reads the operands of an operation.
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
        if opcode == "draw_decline" {
            opcode = "draw_reject";
            self.repair(span, Deviation::DrawDecline, opcode);
        }
        let (operation, again) = found.push(Operation::of(Opcode::of_word(opcode)));
        if again {
            self.keep(span, Deviation::DuplicateOpcode);
        }
        let mut location = Location {
            opcode: span,
            ..Location::default()
        };
        let takes_moves = entry.is_some_and(|entry| entry.moves != Moves::None);
        let mut glued = self.key(span);
        while !self.runs_into_next(operation, entry) {
            let Some(span) = self.operand(glued, &mut operation.operands)? else {
                break;
            };
            glued = false;
            if takes_moves && self.joins(operation, &mut location, span) {
                continue;
            }
            if self.locations.is_some() || takes_moves {
                location.operands.push(span);
            }
        }
        if takes_moves && operation.operands.iter().any(holds_more_than_a_move) {
            self.bare_moves(operation, &mut location);
        }
        if entry.is_some_and(takes_one_string) {
            self.quote(operation, &mut location);
        }
        if self.locations.is_some() {
            found.locations.push(location);
        }
        Ok(())
    }

    /// Joins the last operand to the move before it, if it is a sign that stands apart.
    fn joins(&mut self, operation: &mut Operation, location: &mut Location, span: Span) -> bool {
        let [.., Operand::Symbol(mv), Operand::Symbol(text)] = &mut operation.operands[..] else {
            return false;
        };
        if !mv.ends_with('=') && !is_sign(text) {
            return false;
        }
        if !mv.ends_with('=') && text.trim_matches(['!', '?']).is_empty() {
            operation.operands.pop();
            self.repair(span, Deviation::MoveGlyph, "");
            return true;
        }
        let joined = format_smolstr!("{}{}", &**mv, &**text);
        *mv = Symbol::of_word(joined.clone());
        let (taken, last) = (joined, location.operands.last_mut());
        operation.operands.pop();
        if let Some(last) = last {
            last.end = span.end;
        }
        self.repair(span, Deviation::ApartSign, taken);
        true
    }

    /// Takes off what stands around the moves of an operation and is no part of them: commas,
    /// numbers and glyphs.
    #[cold]
    fn bare_moves(&mut self, operation: &mut Operation, location: &mut Location) {
        let operands = std::mem::take(&mut operation.operands);
        let spans = std::mem::take(&mut location.operands);
        for (operand, span) in operands.into_iter().zip(spans) {
            if !holds_more_than_a_move(&operand) {
                operation.operands.push(operand);
                location.operands.push(span);
                continue;
            }
            let text = operand.text();
            // A move that was joined has blanks in the line: there its parts have one place.
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
                    self.repair(comma, Deviation::CommaList, " ");
                }
                if let Some((mv, mv_span)) = self.bare_move(part, part_span, is_whole) {
                    // What follows a comma may begin with a quote, which no symbol does.
                    operation.operands.push(Operand::new(mv));
                    location.operands.push(mv_span);
                }
            }
            if !is_whole && text.contains(',') {
                self.repair(span, Deviation::CommaList, " ");
            }
        }
    }

    /// A move without its number and glyphs, and its place; nothing if no move is left.
    fn bare_move<'t>(
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
            self.repair(number, Deviation::MoveNumber, "");
        }
        if mv.len() < numbered.len() {
            let glyph = if is_whole {
                Span::new(bare.end, span.end)
            } else {
                span
            };
            self.repair(glyph, Deviation::MoveGlyph, "");
        }
        (!mv.is_empty()).then_some((mv, bare))
    }

    /// Makes one string of words without quotes (decisions 108 and 117).
    fn quote(&mut self, operation: &mut Operation, location: &mut Location) {
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
        // The operands end before the semicolon that was read last.
        let rest = &self.line[location.opcode.end..self.at];
        let words = rest.trim_end_matches(|letter: char| {
            letter == ';' || u8::try_from(letter).is_ok_and(is_space)
        });
        let begin = words.len() - words.trim_start().len();
        let span = Span::new(
            location.opcode.end + begin,
            location.opcode.end + words.len(),
        );
        location.operands.truncate(0);
        location.operands.push(span);
        let taken = format_smolstr!("{}", operation.operands[0]);
        self.repair(span, Deviation::UnquotedString, taken);
    }

    /// Reads an opcode, up to an equals sign or a string glued to it; `None` if there is no identifier.
    fn opcode(&mut self) -> Option<&'a str> {
        let begin = self.at;
        let rest = &self.line.as_bytes()[begin..];
        let is_letter = |&&byte: &&u8| byte.is_ascii_alphanumeric() || byte == b'_';
        let letters = rest.iter().take_while(is_letter).count();
        let ends = match &rest[letters..] {
            [] | [b'"', ..] => true,
            [b'=', next, ..] => !ends_word(*next),
            [next, ..] => ends_word(*next),
        };
        if !ends || !rest[0].is_ascii_alphabetic() {
            return None;
        }
        self.at = begin + letters;
        Some(&self.line[begin..self.at])
    }

    fn check_opcode(&mut self, span: Span, opcode: &str) {
        if opcode.len() < *OPCODE_LENGTHS.start() {
            self.keep(span, Deviation::ShortOpcode);
        } else if opcode.len() > *OPCODE_LENGTHS.end() {
            self.keep(span, Deviation::LongOpcode);
        }
    }

    /// Skips an equals sign after an opcode; true if there was one.
    fn key(&mut self, opcode: Span) -> bool {
        let key = self.at == opcode.end && self.peek() == Some(b'=');
        if key {
            self.at += 1;
            self.repair(self.since(opcode.end), Deviation::KeyValue, " ");
        }
        key
    }

    /// Reads up to the next semicolon, or to the end, and skips the semicolon.
    fn text(&mut self) -> (&'a str, Span) {
        let begin = self.at;
        let rest = &self.line[begin..];
        let len = rest.find(';').unwrap_or(rest.len());
        self.at += (len + 1).min(rest.len());
        let space = |letter: char| u8::try_from(letter).is_ok_and(is_space);
        let text = rest[..len].trim_end_matches(space);
        (text, Span::new(begin, begin + text.len()))
    }

    /// Adds what stands at `begin` to the moves of the operation before, if it is a move there and
    /// that takes moves of the record's position (decision 118).
    fn split_moves(&mut self, found: &mut Found, board: &Board<'_>, begin: usize) -> bool {
        let Some(last) = found.operations.last_mut() else {
            return false;
        };
        let entry = self.lexicon.find(&last.opcode);
        if entry.is_none_or(|entry| entry.moves != Moves::Each) {
            return false;
        }
        let reached = std::mem::replace(&mut self.at, begin);
        let (text, span) = self.text();
        let mv: String = text.split_ascii_whitespace().collect();
        // A move would end a promotion that has no piece yet.
        let is_open = last.operands.last().is_some_and(Operand::is_part_of_move);
        if is_open || !board.has_move(&mv) {
            self.at = reached;
            return false;
        }
        let bare = without_glyphs(&mv);
        last.operands.push(Operand::Symbol(Symbol::of_word(bare)));
        if let Some(location) = found.locations.last_mut() {
            location.operands.push(span);
        }
        self.repair(span, Deviation::SplitMoves, bare);
        true
    }

    /// Whether a word is an opcode with a meaning; `c4` is a square before it is a comment.
    pub(super) fn is_opcode(&self, word: &str) -> bool {
        self.lexicon.find(word).is_some() && word.parse::<Square>().is_err()
    }

    /// Whether the next word begins another operation, though no semicolon ends this one: the
    /// operands of a move or string opcode never look like an opcode of the lexicon.
    fn runs_into_next(&mut self, operation: &Operation, entry: Option<&LexiconEntry>) -> bool {
        let Some(entry) = entry else {
            return false;
        };
        let takes_moves = entry.moves != Moves::None;
        let takes_string = entry.arity == Arity::Exactly(&[Basetype::String]);
        if !takes_moves && (!takes_string || operation.operands.is_empty()) {
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
            self.repair(span, Deviation::RunTogether, format_smolstr!("; {word}"));
        }
        runs
    }

    /// Reads one operand and adds it to the others, or reads the semicolon after the last one. An
    /// operand `glued` to an equals sign needs no separator.
    fn operand(
        &mut self,
        glued: bool,
        operands: &mut SmallVec<[Operand; 1]>,
    ) -> Result<Option<Span>, ReadError> {
        match &self.line.as_bytes()[self.at..] {
            // What nearly every operand begins with, and what nearly every last one ends with.
            [b' ', next, ..] if !ends_word(*next) => self.at += 1,
            [b';', ..] => {
                self.at += 1;
                return Ok(None);
            }
            _ if self.ends_oddly(glued) => return Ok(None),
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

    /// Reads what stands between an opcode or operand and what is next, and the semicolon if that is
    /// one; tells whether the operation ends here.
    #[cold]
    fn ends_oddly(&mut self, glued: bool) -> bool {
        let before = self.at;
        let skipped = self.space();
        let next = self.peek();
        if matches!(next, None | Some(b';')) {
            if next.is_some() {
                self.at += 1;
            } else {
                let end = self.end();
                self.repair(Span::new(end, end), Deviation::MissingSemicolon, ";");
            }
            if skipped > 0 {
                let span = Span::new(before, before + skipped);
                self.repair(span, Deviation::SurplusSpace, "");
            }
            return true;
        }
        self.at = before;
        if !glued || skipped > 0 {
            self.separator();
        }
        false
    }

    fn symbol(&mut self) -> Operand {
        let begin = self.at;
        let text = self.word();
        self.check_letters(begin, text);
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
            let after = self.line.as_bytes().get(quote + 1);
            let ends = after.is_none_or(|&byte| byte == b';' || is_space(byte));
            let part = &self.line[from..quote];
            if let (Some(part), false) = (part.strip_suffix('\\'), ends) {
                let escape = Span::new(quote - 1, quote + 1);
                self.repair(escape, Deviation::EscapedQuote, "'");
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
            self.keep(self.since(open), Deviation::LongString);
        }
        self.check_letters(open, &text);
        Ok(Operand::string(text))
    }

    /// Tells of letters that are none of the standard.
    fn check_letters(&mut self, begin: usize, text: &str) {
        if self.is_plain || text.bytes().all(is_printing) {
            return;
        }
        if !text.is_ascii() {
            self.keep(self.since(begin), Deviation::NotAscii);
        }
        if text.contains(char::is_control) {
            self.keep(self.since(begin), Deviation::ControlCharacter);
        }
    }
}
