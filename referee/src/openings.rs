//! Openings: the positions from which the games of an event begin, from the text of a book.
//!
//! A book is read whole or not at all: a game from a position that is not what the book meant would
//! be worth nothing. Two formats are understood:
//! - EPD, a position a line, as lenient as [`epd::Reader`] is; lines of FEN are such records too.
//!   The operations say nothing about the game but `hmvc`, `fmvn` and the name, `id`;
//! - PGN, as [`games`] reads it. The main line of each game is an opening up to a limit of plies;
//!   what comes after the limit is not examined. Its name is that of the tags `Opening` and
//!   `Variation`, or else `ECO`.
//!
//! Every opening leaves a game to be played: mate, stalemate and dead positions are errors.

pub mod games;

use epd::{LineKind, Lines, NoPosition, ReadErrorKind, Reader, Record};
use movegen::san::SanError;
use movegen::{Move, Position};

use self::games::{Games, ReadGame};

/// How a game begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opening {
    /// Where it begins.
    pub start: Position,
    /// The moves played from there before the players are asked.
    pub moves: Vec<Move>,
    /// What the book calls it.
    pub name: Option<String>,
}

impl Default for Opening {
    /// The starting array.
    fn default() -> Self {
        Self {
            start: Position::start(),
            moves: Vec::new(),
            name: None,
        }
    }
}

impl Opening {
    /// The position in which the players are asked first.
    #[must_use]
    pub fn position(&self) -> Position {
        let mut position = self.start;
        for &mv in &self.moves {
            position.play(mv);
        }
        position
    }
}

/// The format of a book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// A position a line, EPD or FEN.
    Epd,
    /// Games.
    Pgn,
}

impl Format {
    /// The format of a text by its first line that is neither blank nor a remark: a record begins
    /// with a placement, which has solidi.
    #[must_use]
    pub fn of(text: &str) -> Self {
        let line = text
            .lines()
            .find(|line| LineKind::of(line) == LineKind::Record);
        let word = line.and_then(|line| line.split_whitespace().next());
        match word {
            Some(word) if !word.starts_with('[') && word.matches('/').count() >= 7 => Self::Epd,
            _ => Self::Pgn,
        }
    }
}

/// A book cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {kind}")]
pub struct BookError {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// What is wrong there.
    pub kind: BookErrorKind,
}

/// Why a book cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)]
pub enum BookErrorKind {
    #[error("{0}")]
    Record(ReadErrorKind),
    #[error("{0}")]
    Position(NoPosition),
    #[error("{found:?}: {error}, expected a legal move or a result")]
    Move { found: String, error: SanError },
    #[error("found {found:?}, expected {expected}")]
    Unexpected {
        found: String,
        expected: &'static str,
    },
    #[error("{found} that does not end, expected {expected:?}")]
    Open {
        found: &'static str,
        expected: &'static str,
    },
    #[error("an opening that ends in {0}, expected a position to play on from")]
    Finished(End),
    #[error("no opening, expected records of EPD or games of PGN")]
    Empty,
}

/// Why there is nothing to play in a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)]
pub enum End {
    #[error("checkmate")]
    Checkmate,
    #[error("stalemate")]
    Stalemate,
    #[error("a dead position")]
    DeadPosition,
}

impl End {
    /// Why there is nothing to play here, if there is not.
    #[must_use]
    pub fn of(position: &Position) -> Option<Self> {
        if position.is_checkmate() {
            Some(Self::Checkmate)
        } else if position.is_stalemate() {
            Some(Self::Stalemate)
        } else if position.is_insufficient_material() {
            Some(Self::DeadPosition)
        } else {
            None
        }
    }
}

/// Reads a book of either [`Format`]; of games at most `max_plies` moves each.
pub fn read(text: &str, max_plies: usize) -> Result<Vec<Opening>, BookError> {
    match Format::of(text) {
        Format::Epd => from_epd(text),
        Format::Pgn => from_pgn(text, max_plies),
    }
}

/// Reads a book of records.
///
/// ```
/// let book = "# two\n\
///     rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - id \"array\";\n\
///     4k3/8/8/8/8/8/4P3/4K3 w - - 0 9\n";
/// let openings = referee::openings::from_epd(book)?;
/// assert_eq!(openings[0].name.as_deref(), Some("array"));
/// assert_eq!(openings[1].start.fullmove_number(), 9);
/// # Ok::<(), referee::openings::BookError>(())
/// ```
pub fn from_epd(text: &str) -> Result<Vec<Opening>, BookError> {
    let mut openings = Vec::new();
    let mut mends = Vec::new();
    for line in Lines::new(text.as_bytes(), 1) {
        if line.kind() != LineKind::Record {
            continue;
        }
        mends.clear();
        let fail = |offset, kind| {
            let (line, column) = line.place(offset);
            BookError { line, column, kind }
        };
        let record = line
            .read(&Reader::lenient(), &mut mends)
            .map_err(|error| fail(error.span.start, BookErrorKind::Record(error.kind)))?;
        let opening = from_record(&record).map_err(|kind| {
            let blank = |letter: char| letter.is_whitespace() || letter == '\u{FEFF}';
            fail(
                line.text.len() - line.text.trim_start_matches(blank).len(),
                kind,
            )
        })?;
        openings.push(opening);
    }
    filled(openings)
}

fn from_record(record: &Record) -> Result<Opening, BookErrorKind> {
    let start = record.position().map_err(BookErrorKind::Position)?;
    if let Some(end) = End::of(&start) {
        return Err(BookErrorKind::Finished(end));
    }
    let id = record.get("id").and_then(|id| id.operands.first());
    Ok(Opening {
        start,
        moves: Vec::new(),
        name: id.map(|id| id.text().to_owned()),
    })
}

/// Reads a book of games, at most `max_plies` moves of each.
///
/// ```
/// let book = "[Event \"Book\"]\n[Opening \"Ruy Lopez\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *\n";
/// let openings = referee::openings::from_pgn(book, 5)?;
/// assert_eq!(openings[0].moves.last().map(ToString::to_string).as_deref(), Some("f1b5"));
/// assert_eq!(openings[0].name.as_deref(), Some("Ruy Lopez"));
/// # Ok::<(), referee::openings::BookError>(())
/// ```
pub fn from_pgn(text: &str, max_plies: usize) -> Result<Vec<Opening>, BookError> {
    let openings = Games::new(text, max_plies).map(|game| from_game(game?));
    filled(openings.collect::<Result<_, _>>()?)
}

fn from_game(game: ReadGame) -> Result<Opening, BookError> {
    let tag = |name| game.tag(name).filter(|value| !matches!(*value, "" | "?"));
    let name = match (tag("Opening"), tag("Variation")) {
        (Some(opening), Some(variation)) => Some(format!("{opening}, {variation}")),
        (opening, _) => opening.or(tag("ECO")).map(str::to_owned),
    };
    if let Some(end) = End::of(&game.position) {
        return Err(BookError {
            line: game.end.line,
            column: game.end.column,
            kind: BookErrorKind::Finished(end),
        });
    }
    Ok(Opening {
        name,
        start: game.start,
        moves: game.moves,
    })
}

fn filled(openings: Vec<Opening>) -> Result<Vec<Opening>, BookError> {
    if openings.is_empty() {
        return Err(BookError {
            line: 1,
            column: 1,
            kind: BookErrorKind::Empty,
        });
    }
    Ok(openings)
}

#[cfg(test)]
mod tests;
