//! Opening books: the positions from which the games of an event begin.
//!
//! An error anywhere in a book is an error of the whole book. These formats are supported:
//! - EPD or FEN, one position per line, read leniently ([`epd::Reader`]). Only the opcodes `hmvc`, `fmvn`
//!   and `id` (the opening's name) are used;
//! - PGN, as [`movegen::pgn`] reads it. An opening is the main line of a game, up to a limit of plies; the rest
//!   is not checked. Its name comes from the tags `Opening` and `Variation`, or else `ECO`;
//! - an opening repository or a Polyglot book ([`book`]). Its openings are the positions that its moves reach from the
//!   starting position after so many plies, or where the book ends before: each once, by the most likely line, the most
//!   likely first. An opening that ends the game is left out.
//!
//! An opening that ends in checkmate, stalemate or a dead position is an error.

mod error;

use book::{Book, Name, Names, walk};
use epd::{LineKind, Lines, Reader, Record};
use movegen::pgn::{Games, PgnGame, Ply, ReadGame};
use movegen::{CastlingMode, Move, Position};

pub use self::error::{BookError, BookErrorKind, GameOver};

/// The beginning of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opening {
    /// The starting position.
    pub start: Position,
    /// The moves that are played from there before the players are asked.
    pub moves: Vec<Move>,
    /// Its name in the book.
    pub name: Option<String>,
}

impl Default for Opening {
    /// The standard starting position without moves.
    fn default() -> Self {
        Self {
            start: Position::start(),
            moves: Vec::new(),
            name: None,
        }
    }
}

impl Opening {
    /// The position after the opening's moves.
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
    /// EPD or FEN, one position per line.
    Epd,
    /// PGN games.
    Pgn,
}

impl Format {
    /// The format of a text, by its first line that is neither blank nor a comment: an EPD record begins
    /// with a piece placement, which has at least seven slashes.
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

/// Reads a book of either [`Format`] for games of this kind, with at most `max_plies` plies of each game.
pub fn read(text: &str, max_plies: usize, mode: CastlingMode) -> Result<Vec<Opening>, BookError> {
    match Format::of(text) {
        Format::Epd => from_epd(text, mode),
        Format::Pgn => from_pgn(text, max_plies),
    }
}

/// The most openings of a repository or a Polyglot book: the most likely ones.
pub const MAX_LINES: usize = 10_000;

/// Whether a text is an opening repository: EPD with moves of a book.
#[must_use]
pub fn is_repository(text: &str) -> bool {
    Format::of(text) == Format::Epd && text.contains(" Bk_")
}

/// The openings of a repository or a Polyglot book, of at most so many plies; none if it does not have the starting
/// position.
pub fn from_book(book: &Book, max_plies: usize) -> Result<Vec<Opening>, book::BookError> {
    let start = Position::start();
    let lines = walk::lines(book, &start, max_plies, MAX_LINES)?;
    let openings = lines
        .into_iter()
        .filter(|line| GameOver::of(&line.position).is_none());
    let names = Names::built_in();
    let text = |name: &Name| match name.text() {
        text if text.is_empty() => name.eco.clone(),
        text => text,
    };
    let opening = |line: walk::Line| {
        // A Polyglot book has no names.
        let name = line
            .name
            .as_ref()
            .or_else(|| names.of_line(&start, &line.moves));
        Opening {
            start,
            name: name.map(text),
            moves: line.moves,
        }
    };
    Ok(openings.map(opening).collect())
}

/// The openings as games in PGN, which [`from_pgn`] reads back.
#[must_use]
pub fn to_pgn(openings: &[Opening]) -> String {
    let game = |opening: &Opening| {
        let tags = opening
            .name
            .iter()
            .map(|name| ("Opening".to_owned(), name.clone()));
        let game = PgnGame {
            start: opening.start,
            plies: opening.moves.iter().map(|&mv| Ply::new(mv)).collect(),
            tags: tags.collect(),
            ..PgnGame::default()
        };
        // The moves of openings are legal.
        game.export().unwrap_or_default()
    };
    openings.iter().map(game).collect()
}

/// Reads a book of EPD records or FENs. In Chess960, castling letters `KQkq` mean the outermost rooks.
///
/// ```
/// let book = "# two\n\
///     rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - id \"array\";\n\
///     4k3/8/8/8/8/8/4P3/4K3 w - - 0 9\n";
/// let openings = referee::openings::from_epd(book, movegen::CastlingMode::Standard)?;
/// assert_eq!(openings[0].name.as_deref(), Some("array"));
/// assert_eq!(openings[1].start.fullmove_number(), 9);
/// # Ok::<(), referee::openings::BookError>(())
/// ```
pub fn from_epd(text: &str, mode: CastlingMode) -> Result<Vec<Opening>, BookError> {
    let mut openings = Vec::new();
    let mut repairs = Vec::new();
    let reader = Reader::lenient().with_castling_mode(mode);
    for line in Lines::new(text.as_bytes(), 1) {
        if line.kind() != LineKind::Record {
            continue;
        }
        repairs.clear();
        let fail = |offset, kind| {
            let (line, column) = line.place(offset);
            BookError { line, column, kind }
        };
        let record = line
            .read(&reader, &mut repairs)
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
    if let Some(end) = GameOver::of(&start) {
        return Err(BookErrorKind::Finished(end));
    }
    let id = record.get("id").and_then(|id| id.operands.first());
    Ok(Opening {
        start,
        moves: Vec::new(),
        name: id.map(|id| id.text().to_owned()),
    })
}

/// Reads a book of PGN games, with at most `max_plies` plies of each.
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
    if let Some(end) = GameOver::of(&game.position) {
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
