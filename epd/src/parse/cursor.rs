//! The parser: its position in a line, and the repairs that it reports.

use movegen::{CastlingMode, Square};
use smol_str::SmolStr;

use super::location::{Locations, Span};
use super::repair::{Repair, RepairKind};
use crate::chars::{ends_word, is_any_space, is_printing, is_space, is_wide_space};
use crate::opcode::lexicon::Lexicon;

/// Looks for the first byte that may end a word, in eight bytes with the first one lowest: a semicolon,
/// or any byte up to the blank. Sets the highest bit of that byte; higher bits of the result have no
/// meaning (<https://graphics.stanford.edu/~seander/bithacks.html#HasLessInWord>).
const fn may_end(eight: u64) -> u64 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    let up_to_blank = eight.wrapping_sub(ONES * (b' ' as u64 + 1)) & !eight;
    let other = eight ^ (ONES * b';' as u64);
    let semicolon = other.wrapping_sub(ONES) & !other;
    (up_to_blank | semicolon) & (ONES << 7)
}

/// A line that is being read. Methods in this file move along the line and report repairs; those in
/// `fields` read the position, those in `operations` and its helpers read the rest.
pub(super) struct Parser<'a, 'r> {
    pub(super) line: &'a str,
    /// Whether all characters of the line are allowed by the standard.
    pub(super) is_plain: bool,
    /// The next byte to read.
    pub(super) at: usize,
    /// What castling letters `KQkq` mean.
    pub(super) castling_mode: CastlingMode,
    pub(super) lexicon: &'r Lexicon,
    pub(super) repairs: &'r mut Vec<Repair>,
    /// The locations of the parts of the record, if the caller wants them.
    pub(super) locations: Option<&'r mut Locations>,
}

impl<'a, 'r> Parser<'a, 'r> {
    pub(super) fn new(
        line: &'a str,
        lexicon: &'r Lexicon,
        repairs: &'r mut Vec<Repair>,
        locations: Option<&'r mut Locations>,
    ) -> Self {
        // No early exit, so that the compiler vectorises the loop.
        let is_plain = line.bytes().fold(true, |all, byte| all & is_printing(byte));
        Self {
            line,
            is_plain,
            at: 0,
            castling_mode: CastlingMode::Standard,
            lexicon,
            repairs,
            locations,
        }
    }
}

impl<'a> Parser<'a, '_> {
    /// Reports text that is replaced.
    pub(super) fn repair(&mut self, span: Span, kind: RepairKind, replacement: impl Into<SmolStr>) {
        self.repairs.push(Repair {
            span,
            kind,
            replacement: Some(replacement.into()),
        });
    }

    /// Reports text that is kept.
    pub(super) fn keep(&mut self, span: Span, kind: RepairKind) {
        self.repairs.push(Repair {
            span,
            kind,
            replacement: None,
        });
    }

    /// The span from an offset up to the next byte to read.
    pub(super) const fn since(&self, start: usize) -> Span {
        Span::new(start, self.at)
    }

    pub(super) fn peek(&self) -> Option<u8> {
        self.line.as_bytes().get(self.at).copied()
    }

    /// The offset of the end of the last word in the line.
    pub(super) fn end(&self) -> usize {
        self.line.trim_end_matches(is_any_space).len()
    }

    /// Skips white space and returns its length.
    pub(super) fn space(&mut self) -> usize {
        let before = self.at;
        loop {
            while self.peek().is_some_and(is_space) {
                self.at += 1;
            }
            match self.wide_space(self.at) {
                0 => return self.at - before,
                len => self.at += len,
            }
        }
    }

    /// The length in bytes of a character at an offset, if it is white space beyond ASCII; otherwise 0.
    fn wide_space(&self, at: usize) -> usize {
        if self.is_plain {
            return 0;
        }
        let letter = self.line[at..].chars().next();
        letter
            .filter(|&letter| is_wide_space(letter))
            .map_or(0, char::len_utf8)
    }

    /// Whether a word ends at an offset: at white space, at a semicolon or at the end of the line.
    pub(super) fn word_ends_at(&self, at: usize) -> bool {
        let byte = self.line.as_bytes().get(at);
        byte.is_none_or(|&byte| ends_word(byte)) || self.wide_space(at) > 0
    }

    /// Skips white space where the standard asks for one blank, or for nothing at the end of the line.
    #[inline]
    pub(super) fn separator(&mut self) {
        let bytes = self.line.as_bytes();
        // One blank: what nearly every line has.
        match bytes.get(self.at..) {
            Some([]) => {}
            Some([b' ', next, ..]) if !is_space(*next) && next.is_ascii() => self.at += 1,
            _ => self.odd_separator(),
        }
    }

    #[cold]
    fn odd_separator(&mut self) {
        let before = self.at;
        let skipped = self.space();
        if self.peek().is_none() {
            self.repair(self.since(before), RepairKind::SurplusSpace, "");
        } else if skipped == 0 || !self.line[before..].starts_with(' ') {
            self.repair(self.since(before), RepairKind::OddSpace, " ");
        } else if skipped > 1 {
            self.repair(self.since(before + 1), RepairKind::SurplusSpace, "");
        }
    }

    /// Reads up to white space or a semicolon.
    pub(super) fn word(&mut self) -> &'a str {
        let before = self.at;
        let bytes = self.line.as_bytes();
        let mut at = before;
        // Skips eight bytes at once while none of them can end a word.
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
        let word = &self.line[before..self.at];
        if !self.is_plain
            && let Some(len) = word.find(is_wide_space)
        {
            self.at = before + len;
            return &word[..len];
        }
        word
    }

    /// The next word after white space, without moving.
    pub(super) fn next_word(&mut self) -> (&'a str, Span) {
        let before = self.at;
        self.space();
        let begin = self.at;
        let word = self.word();
        self.at = before;
        (word, Span::new(begin, begin + word.len()))
    }

    /// Reads up to the next semicolon or to the end, and skips the semicolon.
    pub(super) fn text(&mut self) -> (&'a str, Span) {
        let begin = self.at;
        let rest = &self.line[begin..];
        let len = rest.find(';').unwrap_or(rest.len());
        self.at += (len + 1).min(rest.len());
        let text = rest[..len].trim_end_matches(is_any_space);
        (text, Span::new(begin, begin + text.len()))
    }

    /// Whether a word is an opcode with a meaning. `c4` counts as a square, not as a comment.
    pub(super) fn is_opcode(&self, word: &str) -> bool {
        self.lexicon.find(word).is_some() && word.parse::<Square>().is_err()
    }
}
