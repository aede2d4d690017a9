//! The opening book that an engine plays from.

use std::fmt;
use std::path::Path;

use book::{Book, BookError, BookMove, Choice};
use movegen::{CastlingMode, Game, UciMove};
use rand::rngs::ChaCha8Rng;
use rand::{Rng, SeedableRng};

use crate::cli::{BookFile, MAX_BOOK_DEPTH};

/// An opening book, or none, and how to play from it.
#[derive(Debug)]
pub struct OpeningBook {
    book: Option<Book>,
    /// Play from the book.
    pub is_used: bool,
    /// The number of the last move that is played from the book.
    pub depth: u32,
    pub choice: Choice,
    rng: ChaCha8Rng,
}

impl Default for OpeningBook {
    /// Without a file.
    fn default() -> Self {
        Self {
            book: None,
            is_used: false,
            depth: MAX_BOOK_DEPTH,
            choice: Choice::Weighted,
            rng: ChaCha8Rng::from_rng(&mut rand::rng()),
        }
    }
}

impl OpeningBook {
    /// The book of the command line. If there is one it is used.
    pub fn open(args: &BookFile) -> Result<Self, BookError> {
        let mut book = Self {
            is_used: args.file.is_some(),
            depth: args.depth,
            ..Self::default()
        };
        if args.best {
            book.choice = Choice::Best;
        }
        if let Some(seed) = args.seed {
            book.rng = ChaCha8Rng::seed_from_u64(seed);
        }
        if let Some(path) = &args.file {
            book.book = Some(Book::open(path)?);
        }
        Ok(book)
    }

    /// Opens another file in place of the one that is open; none if the name is empty.
    pub fn set_file(&mut self, name: &str) -> Result<(), String> {
        self.book = None;
        if !matches!(name, "" | "<empty>") {
            let book = Book::open(Path::new(name));
            self.book = Some(book.map_err(|error| with_source(&error))?);
        }
        Ok(())
    }

    /// Chooses a move for the position of a game; none if the book has none or is not to be used here.
    pub fn choose(&mut self, game: &Game) -> Result<Option<Chosen>, String> {
        let position = game.position();
        let Some(book) = self.book.as_ref().filter(|_| self.is_used) else {
            return Ok(None);
        };
        if u32::from(position.fullmove_number()) > self.depth {
            return Ok(None);
        }
        let moves = book.moves(position).map_err(|error| with_source(&error))?;
        let chosen = self.choice.of(&moves, self.rng.next_u64());
        let total = moves.iter().fold(0_u64, |sum, book_move| {
            sum.saturating_add(book_move.stats.weight)
        });
        Ok(chosen.map(|&book_move| Chosen {
            book_move,
            total,
            uci: UciMove::of(position, book_move.mv, position.castling_mode()),
        }))
    }
}

/// An error of a book with that of the system behind it.
fn with_source(error: &BookError) -> String {
    match std::error::Error::source(error) {
        Some(source) => format!("{error}: {source}"),
        None => error.to_string(),
    }
}

/// A move that was chosen from a book.
#[derive(Clone, Copy, Debug)]
pub struct Chosen {
    pub book_move: BookMove,
    /// The weights of all moves of the position.
    total: u64,
    uci: UciMove,
}

impl Chosen {
    /// The choice in words, with castling written as the mode of the game wants it.
    pub fn in_mode(mut self, game: &Game, mode: CastlingMode) -> Self {
        self.uci = UciMove::of(game.position(), self.book_move.mv, mode);
        self
    }
}

/// Describes the choice: `book e2e4, weight 3 of 5, 2 games`.
impl fmt::Display for Chosen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let stats = self.book_move.stats;
        let total = self.total;
        write!(f, "book {}, weight {} of {total}", self.uci, stats.weight)?;
        match stats.games {
            0 => Ok(()),
            1 => write!(f, ", 1 game"),
            games => write!(f, ", {games} games"),
        }
    }
}
