//! Reads games from PGN of any style.

use std::iter::FusedIterator;

use super::cursor::{Cursor, Token};
use super::error::{PgnError, PgnErrorKind, Place, unexpected};
use crate::notation::san;
use crate::position::Position;
use crate::position::setup::Setup;
use crate::types::{CastlingMode, Move};

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

#[cfg(test)]
#[path = "reader_tests.rs"]
mod tests;
