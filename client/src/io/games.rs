//! Splits PGN into blocks of whole games, so that several threads can read them.

use std::ops::Range;

use movegen::pgn::ReadGame;

use crate::io::input::{Block, Blocks, Part};

/// The size of a block in bytes, unless a game is longer.
const BLOCK: usize = 256 << 10;

/// A game in a block of PGN: its text, and the number of its first line within the block, from 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameText {
    pub text: Range<usize>,
    pub line: usize,
}

/// Finds where games begin: at the first tag after moves, outside of comments; after a blank line, at an
/// `Event` tag in any case, so that a comment that is not closed spoils one game only.
#[derive(Debug, Default)]
struct Scanner {
    has_moves: bool,
    in_comment: bool,
    after_blank: bool,
}

impl Scanner {
    /// Reads a line, and tells whether a game begins with it.
    fn begins_game(&mut self, line: &[u8]) -> bool {
        let line = line.trim_ascii();
        let is_tag = matches!(
            line,
            [b'[', b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b' ', ..]
        );
        let is_event = self.after_blank && line.starts_with(b"[Event ");
        let begins = self.has_moves && (is_event || is_tag && !self.in_comment);
        if begins || is_event {
            *self = Self::default();
        }
        self.after_blank = line.is_empty();
        if !(is_tag && !self.in_comment || line.is_empty()) {
            self.has_moves = true;
            self.read_moves(line);
        }
        begins
    }

    /// Follows comments through a line of moves.
    fn read_moves(&mut self, line: &[u8]) {
        for &byte in line {
            match byte {
                b'}' => self.in_comment = false,
                b'{' => self.in_comment = true,
                b';' if !self.in_comment => return,
                _ => {}
            }
        }
    }
}

/// Blocks of whole games.
pub struct GameBlocks {
    blocks: Blocks,
    text: Vec<u8>,
    first_line: usize,
    ended: bool,
}

impl GameBlocks {
    pub fn new(blocks: Blocks) -> Self {
        Self {
            blocks,
            text: Vec::new(),
            first_line: 1,
            ended: false,
        }
    }

    fn cut(&mut self, len: usize) -> Block {
        let rest = self.text.split_off(len);
        let text = std::mem::replace(&mut self.text, rest);
        let first_line = self.first_line;
        self.first_line += memchr::memchr_iter(b'\n', &text).count();
        Block {
            first_line,
            text,
            part: Part::Lines,
        }
    }
}

impl Iterator for GameBlocks {
    type Item = anyhow::Result<Block>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut wanted = BLOCK;
        loop {
            if self.text.len() >= wanted {
                match games(&self.text).last() {
                    Some(last) if last.text.start > 0 => {
                        return Some(Ok(self.cut(last.text.start)));
                    }
                    _ => wanted = 2 * self.text.len(),
                }
            }
            if self.ended {
                let len = self.text.len();
                return (len > 0).then(|| Ok(self.cut(len)));
            }
            match self.blocks.next() {
                None => self.ended = true,
                Some(Err(error)) => return Some(Err(error)),
                Some(Ok(block)) => {
                    self.text.extend(&block.text);
                    if block.part == (Part::Rest { ends: true }) {
                        self.text.push(b'\n');
                    }
                }
            }
        }
    }
}

/// The games of a text.
pub fn games(text: &[u8]) -> Vec<GameText> {
    let mut scanner = Scanner::default();
    let mut begins = vec![(0, 0)];
    let mut offset = 0;
    for (number, line) in text.split_inclusive(|&byte| byte == b'\n').enumerate() {
        if scanner.begins_game(line) {
            begins.push((offset, number));
        }
        offset += line.len();
    }
    let ends = begins
        .iter()
        .skip(1)
        .map(|&(begin, _)| begin)
        .chain([text.len()]);
    let games = begins.iter().zip(ends);
    games
        .map(|(&(begin, line), end)| GameText {
            text: begin..end,
            line,
        })
        .collect()
}

/// What a position of a game is called: `Ann - Bob, Cup, 2025.11.30, ply 16`, as far as it is known.
pub fn position_name(game: &ReadGame, ply: usize) -> String {
    let players = match (known_tag(game, "White"), known_tag(game, "Black")) {
        (None, None) => None,
        (white, black) => Some(format!(
            "{} - {}",
            white.unwrap_or("?"),
            black.unwrap_or("?")
        )),
    };
    let event = known_tag(game, "Event").map(str::to_owned);
    let date = known_tag(game, "Date").map(str::to_owned);
    let parts = [players, event, date, Some(format!("ply {ply}"))];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// The value of a tag that is not empty or unknown.
pub fn known_tag<'g>(game: &'g ReadGame, tag: &str) -> Option<&'g str> {
    let value = game.tag(tag)?.trim();
    (!value.is_empty() && !value.starts_with('?')).then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(text: &str) -> Vec<&str> {
        let games = games(text.as_bytes());
        for game in &games {
            let lines = text[..game.text.start].matches('\n').count();
            assert_eq!(game.line, lines);
        }
        games.into_iter().map(|game| &text[game.text]).collect()
    }

    #[test]
    fn games_begin_with_tags() {
        let one = "[Event \"a\"]\n[White \"x\"]\n\n1. e4 {a comment\n[%eval 0.3]\n[White \"y\"]\n} e5 *\n\n";
        let two = "[White \"b\"]\n\n1. d4 ; {\n*\n";
        assert_eq!(split(&[one, two, one].concat()), [one, two, one]);
        let open = "[Event \"a\"]\n\n1. e4 { never closed\n\n";
        assert_eq!(split(&[open, one].concat()), [open, one]);
        assert_eq!(split("1. e4 *\n1. d4 *\n").len(), 1);
        let empty = "[Event \"a\"]\n\n*\n\n";
        assert_eq!(split(&[empty, empty].concat()), [empty, empty]);
    }
}
