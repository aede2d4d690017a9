//! Splits a stream of PGN into games, so that files of any size are read in bounded memory, and names their positions.
//!
//! A game ends after a result at the end of a line, or before the tags of the next game. Comments and variations are
//! followed, so that what is inside of them ends nothing; but a line that begins with `[Event "` after a blank line
//! begins a game even if a comment of the game before is not closed.

use movegen::pgn::{ReadGame, result};

use crate::io::input::{Block, Part, without_mark};

/// The size of a group of games in bytes.
const GROUP: usize = 1 << 18;

/// Games as they are in the file.
#[derive(Debug, Default)]
pub struct GameGroup {
    pub games: Vec<GameText>,
    /// The number of bytes of all.
    pub size: usize,
}

/// The text of a game, with the blank lines before it.
#[derive(Debug)]
pub struct GameText {
    /// The number of its first line, from 1.
    pub line: usize,
    pub bytes: Vec<u8>,
}

/// The games of a stream, in groups.
pub struct PgnGroups<I> {
    blocks: I,
    splitter: Splitter,
    group: GameGroup,
    ended: bool,
}

impl<I: Iterator<Item = anyhow::Result<Block>>> PgnGroups<I> {
    pub fn new(blocks: I) -> Self {
        Self {
            blocks,
            splitter: Splitter::new(),
            group: GameGroup::default(),
            ended: false,
        }
    }

    /// Takes the games that have ended.
    fn take(&mut self) {
        for game in self.splitter.ended.drain(..) {
            self.group.size += game.bytes.len();
            self.group.games.push(game);
        }
    }
}

impl<I: Iterator<Item = anyhow::Result<Block>>> Iterator for PgnGroups<I> {
    type Item = anyhow::Result<GameGroup>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.ended && self.group.size < GROUP {
            match self.blocks.next() {
                Some(Err(error)) => {
                    self.ended = true;
                    return Some(Err(error));
                }
                Some(Ok(block)) => {
                    let mut bytes = block.text;
                    if let Part::Rest { ends: true } = block.part {
                        bytes.push(b'\n');
                    }
                    for piece in bytes.split_inclusive(|&byte| byte == b'\n') {
                        self.splitter.add(piece);
                    }
                    self.take();
                }
                None => {
                    self.ended = true;
                    self.splitter.end();
                    self.take();
                }
            }
        }
        let group = std::mem::take(&mut self.group);
        (!group.games.is_empty()).then_some(Ok(group))
    }
}

/// Finds where games end.
struct Splitter {
    ended: Vec<GameText>,
    /// The game that has not ended.
    game: GameText,
    /// The number of the current line.
    line: usize,
    /// The beginning of a line whose end is not there yet.
    open: Vec<u8>,
    has_moves: bool,
    in_comment: bool,
    /// The number of variations that are open.
    depth: usize,
    after_blank: bool,
    /// The last word of the current line that is outside of comments and variations.
    word: Vec<u8>,
}

impl Splitter {
    fn new() -> Self {
        Self {
            ended: Vec::new(),
            game: GameText {
                line: 1,
                bytes: Vec::new(),
            },
            line: 1,
            open: Vec::new(),
            has_moves: false,
            in_comment: false,
            depth: 0,
            after_blank: true,
            word: Vec::new(),
        }
    }

    /// Adds a line, or a part of one without its end.
    fn add(&mut self, piece: &[u8]) {
        self.open.extend(piece);
        if piece.ends_with(b"\n") {
            let line = std::mem::take(&mut self.open);
            self.add_line(&line);
        }
    }

    fn add_line(&mut self, line: &[u8]) {
        let line = without_mark(line);
        let text = line.trim_ascii();
        let is_tag = text.starts_with(b"[");
        let is_inside = self.in_comment || self.depth > 0;
        let begins_game = is_tag && !is_inside && self.has_moves
            || self.after_blank && is_inside && text.starts_with(b"[Event \"");
        if begins_game {
            self.cut();
        }
        self.game.bytes.extend(line);
        self.line += 1;
        self.after_blank = text.is_empty();
        self.word.clear();
        if is_tag && !self.in_comment && self.depth == 0 {
            // Moves may follow the tags of a line.
            let moves = text.windows(2).rposition(|pair| pair == b"\"]");
            self.scan(moves.map_or(&[], |at| &text[at + 2..]));
        } else if self.in_comment || !line.starts_with(b"%") {
            self.scan(text);
        }
        let is_result = str::from_utf8(&self.word).is_ok_and(|word| result(word).is_some());
        if !self.in_comment && self.depth == 0 && is_result {
            self.cut();
        }
    }

    /// Follows comments and variations, and keeps the last word outside of them.
    fn scan(&mut self, text: &[u8]) {
        let mut in_word = false;
        for &byte in text {
            let was_in_word = std::mem::take(&mut in_word);
            match byte {
                b'}' => self.in_comment = false,
                _ if self.in_comment => {}
                b'{' => self.in_comment = true,
                b';' => break,
                b'(' => self.depth += 1,
                b')' => self.depth = self.depth.saturating_sub(1),
                _ if byte.is_ascii_whitespace() => {}
                _ => {
                    self.has_moves = true;
                    in_word = self.depth == 0;
                    if in_word {
                        if !was_in_word {
                            self.word.clear();
                        }
                        self.word.push(byte);
                    }
                }
            }
        }
    }

    /// Ends the game; the next one begins at the current line.
    fn cut(&mut self) {
        let next = GameText {
            line: self.line,
            bytes: Vec::new(),
        };
        (self.has_moves, self.in_comment, self.depth) = (false, false, 0);
        self.ended.push(std::mem::replace(&mut self.game, next));
    }

    fn end(&mut self) {
        let rest = std::mem::take(&mut self.open);
        self.game.bytes.extend(rest);
        if !self.game.bytes.is_empty() {
            self.cut();
        }
    }
}

/// Whether a text begins with games and not with records, by its first line that is neither blank nor a comment: a
/// record begins with a piece placement, which has at least seven slashes.
pub fn is_pgn(beginning: &[u8]) -> bool {
    let text = String::from_utf8_lossy(beginning);
    let mut lines = text.lines().map(str::trim);
    let line = lines.find(|line| epd::LineKind::of(line) == epd::LineKind::Record);
    let word = line.and_then(|line| line.split_whitespace().next());
    word.is_some_and(|word| word.starts_with('[') || word.matches('/').count() < 7)
}

/// The name of a position of a game: `Ann - Bob, Cup, 2025.11.30, ply 16`, as far as its tags are known.
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

    fn split(text: &str, size: usize) -> Vec<(usize, String)> {
        let blocks = text.as_bytes().chunks(size).map(|bytes| {
            Ok(Block {
                first_line: 0,
                text: bytes.to_vec(),
                part: Part::Lines,
            })
        });
        let groups = PgnGroups::new(blocks).map(|group| group.expect("no error").games);
        let games = groups.flatten();
        games
            .map(|game| (game.line, String::from_utf8(game.bytes).expect("UTF-8")))
            .collect()
    }

    #[test]
    fn games_are_split_and_nothing_is_lost() {
        let games = [
            "[Event \"a\"]\n[Site \"{\"]\n\n1. e4 {a 1-0\n[Event \"inside\"]\n} e5 1-0\n",
            "\n[Event \"b\"]\n\n1. e4 (1. d4 1-0\n) e5 ; {\n",
            "[Event \"c\"]\n\n% {\n*\n",
            "1. d4 d5\n1/2-1/2\n",
            "[Event \"torn\"]\n\n1. e4 {never closed\n\n",
            "[Event \"d\"] 1. c4 *\n",
            "\n\n[Event \"e\"]\n\n1. e4 *",
        ];
        let text = games.concat();
        for size in [1, 7, 100, 10_000] {
            let found = split(&text, size);
            let texts: Vec<_> = found.iter().map(|(_, text)| text.as_str()).collect();
            assert_eq!(texts, games, "{size}");
            let mut line = 1;
            for ((found, _), game) in found.iter().zip(games) {
                assert_eq!(*found, line);
                line += game.matches('\n').count();
            }
        }
        assert!(split("", 9).is_empty());
    }

    #[test]
    fn games_and_records_are_told_apart() {
        let is_pgn = |text: &str| super::is_pgn(text.as_bytes());
        assert!(
            is_pgn("\n[Event \"a/b/c/d/e/f/g/h\"]\n") && is_pgn("1. e4 *") && is_pgn("% x\n[Event")
        );
        assert!(!is_pgn("# x\n8/8/8/8/8/8/8/8 w - -") && !is_pgn(""));
    }
}
