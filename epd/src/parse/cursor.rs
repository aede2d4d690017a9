//! The parser's position in a line, and its reports.

use smol_str::SmolStr;

use crate::chars::{ends_word, is_printing, is_space};
use crate::opcode::lexicon::Lexicon;
use crate::parse::deviation::{Deviation, Repair};
use crate::parse::location::{Locations, Span};

/// The highest bit of the first byte that may end a word, in eight bytes of which the lowest comes
/// first: a semicolon, or any up to the blank. Bits above that one mean nothing
/// (<https://graphics.stanford.edu/~seander/bithacks.html#HasLessInWord>).
const fn may_end(eight: u64) -> u64 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    let up_to_blank = eight.wrapping_sub(ONES * (b' ' as u64 + 1)) & !eight;
    let other = eight ^ (ONES * b';' as u64);
    let semicolon = other.wrapping_sub(ONES) & !other;
    (up_to_blank | semicolon) & (ONES << 7)
}

/// A line that is being read. This file moves along it; `fields` reads the position and
/// `operations` the rest.
pub(super) struct Parser<'a, 'r> {
    pub(super) line: &'a str,
    /// Whether the line has only characters that the standard allows.
    pub(super) is_plain: bool,
    /// The next byte to read.
    pub(super) at: usize,
    pub(super) lexicon: &'r Lexicon,
    pub(super) repairs: &'r mut Vec<Repair>,
    /// The locations of the operations, if the caller wants them.
    pub(super) locations: Option<&'r mut Locations>,
}

impl<'a, 'r> Parser<'a, 'r> {
    pub(super) fn new(
        line: &'a str,
        lexicon: &'r Lexicon,
        repairs: &'r mut Vec<Repair>,
        locations: Option<&'r mut Locations>,
    ) -> Self {
        // Without an early exit, so that the loop is vectorised.
        let is_plain = line.bytes().fold(true, |all, byte| all & is_printing(byte));
        Self {
            line,
            is_plain,
            at: 0,
            lexicon,
            repairs,
            locations,
        }
    }
}

impl<'a> Parser<'a, '_> {
    /// Reports a deviation that is replaced.
    pub(super) fn repair(&mut self, span: Span, deviation: Deviation, taken: impl Into<SmolStr>) {
        self.repairs.push(Repair {
            span,
            deviation,
            taken: Some(taken.into()),
        });
    }

    /// Reports a deviation that is kept.
    pub(super) fn keep(&mut self, span: Span, deviation: Deviation) {
        self.repairs.push(Repair {
            span,
            deviation,
            taken: None,
        });
    }

    /// The span from an offset to the next byte to read.
    pub(super) const fn since(&self, start: usize) -> Span {
        Span::new(start, self.at)
    }

    pub(super) fn peek(&self) -> Option<u8> {
        self.line.as_bytes().get(self.at).copied()
    }

    /// The offset of the end of the last word in the line.
    pub(super) fn end(&self) -> usize {
        let bytes = self.line.as_bytes();
        let last = bytes.iter().rposition(|&byte| !is_space(byte));
        last.map_or(0, |last| last + 1)
    }

    /// Skips white space and returns its length.
    pub(super) fn space(&mut self) -> usize {
        let before = self.at;
        while self.peek().is_some_and(is_space) {
            self.at += 1;
        }
        self.at - before
    }

    /// Skips white space where the standard asks for one blank, or for none at the end of the line.
    #[inline]
    pub(super) fn separator(&mut self) {
        let bytes = self.line.as_bytes();
        // The one blank that nearly every line has everywhere.
        match bytes.get(self.at..) {
            Some([]) => {}
            Some([b' ', next, ..]) if !is_space(*next) => self.at += 1,
            _ => self.odd_separator(),
        }
    }

    #[cold]
    fn odd_separator(&mut self) {
        let before = self.at;
        let skipped = self.space();
        if self.peek().is_none() {
            self.repair(self.since(before), Deviation::SurplusSpace, "");
        } else if skipped == 0 || self.line.as_bytes()[before] != b' ' {
            self.repair(self.since(before), Deviation::OddSpace, " ");
        } else {
            self.repair(self.since(before + 1), Deviation::SurplusSpace, "");
        }
    }

    /// Reads up to white space or a semicolon.
    pub(super) fn word(&mut self) -> &'a str {
        let before = self.at;
        let bytes = self.line.as_bytes();
        let mut at = before;
        // Eight bytes at once as long as none of them can end a word.
        while let Some(eight) = bytes.get(at..).and_then(|rest| rest.first_chunk()) {
            let marks = may_end(u64::from_le_bytes(*eight));
            at += (marks.trailing_zeros() / 8) as usize;
            if marks != 0 {
                break;
            }
        }
        while at < bytes.len() && !ends_word(bytes[at]) {
            at += 1;
        }
        self.at = at;
        &self.line[before..self.at]
    }

    /// The next word after any white space, without moving.
    pub(super) fn next_word(&mut self) -> (&'a str, Span) {
        let before = self.at;
        self.space();
        let begin = self.at;
        let word = self.word();
        self.at = before;
        (word, Span::new(begin, begin + word.len()))
    }
}
