//! Reads games from PGN of any style.

use std::iter::FusedIterator;

use crate::notation::fen::FenError;
use crate::notation::san::{self, SanError};
use crate::position::Position;
use crate::position::setup::Setup;
use crate::position::validate::IllegalPosition;
use crate::types::{CastlingMode, Move};

/// An error in a PGN text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {}, column {}: {kind}", place.line, place.column)]
pub struct PgnError {
    /// Where it is.
    pub place: Place,
    /// What is wrong.
    pub kind: PgnErrorKind,
}

/// What is wrong in a PGN text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)]
pub enum PgnErrorKind {
    #[error("{}", .0.kind)]
    Fen(FenError),
    #[error("illegal position: {0}")]
    Position(IllegalPosition),
    #[error("{found:?}: {error}, expected a legal move or a result")]
    Move { found: String, error: SanError },
    #[error("found {found:?}, expected {expected}")]
    Unexpected {
        found: String,
        expected: &'static str,
    },
    #[error("{found} is not closed, expected {expected:?}")]
    Open {
        found: &'static str,
        expected: &'static str,
    },
}

/// A game that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadGame {
    /// The tag pairs, in the text's order.
    pub tags: Vec<(String, String)>,
    /// The position before the first move: that of the `FEN` tag, or the starting position.
    pub start: Position,
    /// The moves of the main line, up to the limit.
    pub moves: Vec<Move>,
    /// The position after these moves.
    pub position: Position,
    /// The result at the end of the moves: `1-0`, `0-1`, `1/2-1/2` or `*`; `None` if it is missing.
    pub result: Option<&'static str>,
    /// The place of the last move; without moves, the place where the game begins.
    pub end: Place,
}

impl ReadGame {
    /// The value of the first tag of this name.
    #[must_use]
    pub fn tag(&self, name: &str) -> Option<&str> {
        let tag = self.tags.iter().find(|(known, _)| known == name);
        tag.map(|(_, value)| value.as_str())
    }
}

/// A place in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
}

impl Place {
    const fn error(self, kind: PgnErrorKind) -> PgnError {
        PgnError { place: self, kind }
    }
}

/// The games of a PGN text, as an iterator. It ends after the first error.
///
/// ```
/// use epode_movegen::pgn::Games;
///
/// let text = "[White \"Ann\"]\n\n1. e4 {best by test} e5 2.Nf3 (2.f4) Nc6 1/2-1/2\n";
/// let game = Games::new(text, usize::MAX).next().unwrap()?;
/// assert_eq!(game.tag("White"), Some("Ann"));
/// assert_eq!(game.moves.len(), 4);
/// assert_eq!(game.result, Some("1/2-1/2"));
/// # Ok::<(), epode_movegen::pgn::PgnError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Games<'a> {
    cursor: Cursor<'a>,
    max_plies: usize,
    failed: bool,
}

impl<'a> Games<'a> {
    /// The games of `text`, with at most `max_plies` plies of each.
    #[must_use]
    pub fn new(text: &'a str, max_plies: usize) -> Self {
        Self {
            cursor: Cursor::new(text),
            max_plies,
            failed: false,
        }
    }

    fn game(&mut self) -> Result<Option<ReadGame>, PgnError> {
        let mut game = Draft::default();
        // The places of the variations that are open.
        let mut variations: Vec<Place> = Vec::new();
        loop {
            let before = self.cursor;
            let Some((place, token)) = self.cursor.token()? else {
                break;
            };
            match (token, variations.last()) {
                (Token::Open, _) => variations.push(place),
                (Token::Close, Some(_)) => drop(variations.pop()),
                (Token::Close, None) => {
                    let expected = "a move, a result or \"(\" first";
                    return Err(unexpected(place, ")", expected));
                }
                (Token::Tag { .. }, Some(_)) => break,
                (Token::Word(_), Some(_)) => {}
                (
                    Token::Tag {
                        name,
                        value,
                        inside,
                    },
                    None,
                ) => {
                    if game.ends_before(name) {
                        self.cursor = before;
                        break;
                    }
                    game.add_tag(place, name, value, inside);
                }
                (Token::Word(word), None) => {
                    game.add_word(place, word, self.max_plies)?;
                    if game.result.is_some() {
                        break;
                    }
                }
            }
        }
        match variations.last() {
            None => game.finish(),
            Some(place) => Err(place.error(PgnErrorKind::Open {
                found: "a variation",
                expected: ")",
            })),
        }
    }
}

impl Iterator for Games<'_> {
    type Item = Result<ReadGame, PgnError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.failed {
            return None;
        }
        let game = self.game().transpose();
        self.failed = matches!(game, Some(Err(_)));
        game
    }
}

impl FusedIterator for Games<'_> {}

/// A game while it is read.
#[derive(Default)]
struct Draft {
    tags: Vec<(String, String)>,
    /// The text of the `FEN` tag and its place, until the position is set up.
    fen: Option<(Place, String)>,
    start: Position,
    position: Position,
    moves: Vec<Move>,
    /// Whether the movetext has begun.
    has_moves: bool,
    result: Option<&'static str>,
    end: Option<Place>,
}

impl Draft {
    /// Whether a tag of this name belongs to the next game.
    fn ends_before(&self, tag: &str) -> bool {
        self.has_moves || tag == "Event" && self.tags.iter().any(|(name, _)| name == tag)
    }

    fn add_tag(&mut self, place: Place, name: &str, value: String, inside: Place) {
        self.end.get_or_insert(place);
        if name == "FEN" {
            self.fen = Some((inside, value.clone()));
        }
        self.tags.push((name.to_owned(), value));
    }

    /// Sets up the position of the `FEN` tag, once all tags are known: `Variant` may follow it.
    fn set_up(&mut self) -> Result<(), PgnError> {
        if let Some((place, fen)) = self.fen.take() {
            self.start = from_fen(place, &fen, castling_mode(&self.tags))?;
            self.position = self.start;
        }
        Ok(())
    }

    fn add_word(&mut self, place: Place, word: &str, max_plies: usize) -> Result<(), PgnError> {
        self.set_up()?;
        self.has_moves = true;
        self.end.get_or_insert(place);
        self.result = result(word);
        if self.result.is_none() && self.moves.len() < max_plies {
            let (mv, _) =
                san::parse_lenient(&self.position, without_signs(word)).map_err(|error| {
                    place.error(PgnErrorKind::Move {
                        found: word.to_owned(),
                        error,
                    })
                })?;
            self.position.play(mv);
            self.moves.push(mv);
            self.end = Some(place);
        }
        Ok(())
    }

    /// The game; `None` if nothing was read.
    fn finish(mut self) -> Result<Option<ReadGame>, PgnError> {
        self.set_up()?;
        Ok(self.end.map(|end| ReadGame {
            tags: self.tags,
            start: self.start,
            moves: self.moves,
            position: self.position,
            result: self.result,
            end,
        }))
    }
}

/// What the `Variant` tag says, in the names that python-chess knows.
fn castling_mode(tags: &[(String, String)]) -> CastlingMode {
    let names = [
        "chess960",
        "chess 960",
        "fischerandom",
        "fischerrandom",
        "fischer random",
    ];
    let is_chess960 = tags.iter().any(|(name, value)| {
        name == "Variant" && names.contains(&value.to_ascii_lowercase().as_str())
    });
    if is_chess960 {
        CastlingMode::Chess960
    } else {
        CastlingMode::Standard
    }
}

/// The position of a `FEN` tag, with or without counters. In Chess960, `KQkq` are read as in X-FEN.
fn from_fen(place: Place, text: &str, mode: CastlingMode) -> Result<Position, PgnError> {
    let setup = match mode {
        CastlingMode::Standard => Setup::from_fen_lenient(text).map(|(setup, _)| setup),
        CastlingMode::Chess960 => Setup::from_fen(text, mode),
    };
    let setup = setup.map_err(|error| {
        let before = error.column.saturating_sub(1).min(text.len());
        let before = text.get(..before).unwrap_or(text);
        let column = place.column + before.chars().count();
        Place { column, ..place }.error(PgnErrorKind::Fen(error))
    })?;
    Position::from_setup(&setup).map_err(|error| place.error(PgnErrorKind::Position(error)))
}

/// A move without the comma and the signs of annotators, such as `□`, that follow it.
fn without_signs(word: &str) -> &str {
    // A promotion can end with the figure of a piece.
    let is_figure = |letter: char| ('\u{2654}'..='\u{265F}').contains(&letter);
    let is_sign = |letter: char| {
        letter == ',' || !letter.is_ascii() && !letter.is_alphanumeric() && !is_figure(letter)
    };
    word.trim_end_matches(is_sign)
}

/// The result that a word of the movetext stands for: `1-0`, `0-1`, `1/2-1/2` or `*`.
///
/// ```
/// use epode_movegen::pgn::result;
///
/// assert_eq!(result("1:0"), Some("1-0"));
/// assert_eq!(result("O-O"), None);
/// ```
#[must_use]
pub fn result(word: &str) -> Option<&'static str> {
    match word {
        "1-0" | "1:0" => Some("1-0"),
        "0-1" | "0:1" => Some("0-1"),
        "1/2-1/2" | "1/2" | "\u{BD}-\u{BD}" => Some("1/2-1/2"),
        "*" => Some("*"),
        _ => None,
    }
}

fn unexpected(place: Place, found: &str, expected: &'static str) -> PgnError {
    let found = found.to_owned();
    place.error(PgnErrorKind::Unexpected { found, expected })
}

/// A token of PGN, apart from those that are skipped.
enum Token<'a> {
    /// A tag pair; `inside` is where its value begins.
    Tag {
        name: &'a str,
        value: String,
        inside: Place,
    },
    /// A move or a result.
    Word(&'a str),
    Open,
    Close,
}

/// The rest of a text, and its place.
#[derive(Clone, Copy, Debug)]
struct Cursor<'a> {
    rest: &'a str,
    place: Place,
}

impl<'a> Cursor<'a> {
    fn new(text: &'a str) -> Self {
        Self {
            rest: text.strip_prefix('\u{FEFF}').unwrap_or(text),
            place: Place { line: 1, column: 1 },
        }
    }

    /// Advances by a number of bytes and returns them.
    fn take(&mut self, len: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(len);
        self.rest = rest;
        for letter in taken.chars() {
            if letter == '\n' {
                self.place.line += 1;
                self.place.column = 1;
            } else {
                self.place.column += 1;
            }
        }
        taken
    }

    /// Advances while characters match, and returns them.
    fn take_while(&mut self, matches: impl Fn(char) -> bool) -> &'a str {
        let len = self.rest.find(|letter| !matches(letter));
        self.take(len.unwrap_or(self.rest.len()))
    }

    fn token(&mut self) -> Result<Option<(Place, Token<'a>)>, PgnError> {
        loop {
            // Files that were joined have byte order marks in the middle.
            self.take_while(|letter| letter.is_whitespace() || letter == '\u{FEFF}');
            let place = self.place;
            let Some(letter) = self.rest.chars().next() else {
                return Ok(None);
            };
            match letter {
                '%' if place.column == 1 => self.skip_line(),
                ';' => self.skip_line(),
                '{' => self.skip_comment(place)?,
                '$' => {
                    self.take(1);
                    self.take_while(|letter| letter.is_ascii_digit());
                }
                '(' | ')' => {
                    let token = if letter == '(' {
                        Token::Open
                    } else {
                        Token::Close
                    };
                    self.take(1);
                    return Ok(Some((place, token)));
                }
                '[' => return Ok(Some((place, self.tag()?))),
                ']' | '}' => {
                    let expected = "a tag, a move or a result";
                    return Err(unexpected(place, &self.rest[..1], expected));
                }
                _ => {
                    if let Some((place, word)) = self.word() {
                        return Ok(Some((place, Token::Word(word))));
                    }
                }
            }
        }
    }

    fn skip_line(&mut self) {
        self.take_while(|letter| letter != '\n');
    }

    fn skip_comment(&mut self, place: Place) -> Result<(), PgnError> {
        let len = self.rest.find('}').ok_or_else(|| {
            place.error(PgnErrorKind::Open {
                found: "a comment",
                expected: "}",
            })
        })?;
        self.take(len + 1);
        Ok(())
    }

    /// A move or a result; `None` for move numbers, glyphs and the like.
    fn word(&mut self) -> Option<(Place, &'a str)> {
        let digits = self.rest.trim_start_matches(|c: char| c.is_ascii_digit());
        if digits.starts_with(['.', '\u{2026}']) {
            self.take(self.rest.len() - digits.len());
            self.take_while(|letter| matches!(letter, '.' | '\u{2026}'));
        }
        let place = self.place;
        let word = self.take_while(|letter| {
            !letter.is_whitespace()
                && !matches!(letter, '{' | '}' | '(' | ')' | '[' | ']' | ';' | '$')
        });
        let is_skipped = word.bytes().all(|byte| byte.is_ascii_digit())
            // The last two are those of ChessBase for a novelty and a diagram.
            || matches!(word, "e.p." | "ep" | "N" | "D")
            // `--` is a null move, not a glyph, and illegal.
            || word.is_ascii()
                && !matches!(word, "*" | "--")
                && !word.contains(|letter: char| letter.is_ascii_alphanumeric());
        (!is_skipped).then_some((place, word))
    }

    /// `[Name "value"]`; the quote that ends the value is the one before the bracket.
    fn tag(&mut self) -> Result<Token<'a>, PgnError> {
        self.take(1);
        self.blanks();
        let name = self.take_while(|letter| letter.is_alphanumeric() || letter == '_');
        if name.is_empty() {
            return Err(self.unexpected_here("the name of a tag"));
        }
        self.blanks();
        if !self.rest.starts_with('"') {
            return Err(self.unexpected_here("the value of a tag in quotes"));
        }
        self.take(1);
        let inside = self.place;
        let mut value = String::new();
        loop {
            let Some(letter) = self.rest.chars().next().filter(|&letter| letter != '\n') else {
                return Err(inside.error(PgnErrorKind::Open {
                    found: "the value of a tag",
                    expected: "\"]",
                }));
            };
            self.take(letter.len_utf8());
            if letter == '"' && self.rest.trim_start_matches([' ', '\t']).starts_with(']') {
                break;
            }
            let escaped = letter == '\\' && self.rest.starts_with(['"', '\\']);
            value.push_str(if escaped { self.take(1) } else { "" });
            value.extend((!escaped).then_some(letter));
        }
        self.blanks();
        self.take(1);
        Ok(Token::Tag {
            name,
            value,
            inside,
        })
    }

    fn blanks(&mut self) {
        self.take_while(|letter| matches!(letter, ' ' | '\t'));
    }

    /// The error for unexpected text at the present place.
    fn unexpected_here(&self, expected: &'static str) -> PgnError {
        let found: String = self
            .rest
            .chars()
            .take_while(|&letter| letter != '\n')
            .take(20)
            .collect();
        unexpected(self.place, found.trim_end(), expected)
    }
}

#[cfg(test)]
#[path = "reader_tests.rs"]
mod tests;
