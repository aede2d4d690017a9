//! A book of either format.

use std::path::Path;

use movegen::Position;

use crate::entry::{BookMove, Entry};
use crate::error::BookError;
use crate::polyglot::PolyglotBook;
use crate::repository::Repository;

/// A book that can be searched.
#[derive(Debug)]
pub enum Book {
    /// An opening repository.
    Repository(Repository),
    /// A Polyglot book.
    Polyglot(PolyglotBook),
}

impl Book {
    /// Opens a book: a Polyglot book if the name of the file ends in `.bin`, else a repository.
    pub fn open(path: &Path) -> Result<Self, BookError> {
        if Self::is_polyglot(path) {
            PolyglotBook::open(path).map(Self::Polyglot)
        } else {
            Repository::open(path).map(Self::Repository)
        }
    }

    /// Whether a file is a Polyglot book, by its name.
    #[must_use]
    pub fn is_polyglot(path: &Path) -> bool {
        path.extension()
            .is_some_and(|extension| extension.eq_ignore_ascii_case("bin"))
    }

    /// The moves of a position, the best first; none if it is not in the book.
    pub fn moves(&self, position: &Position) -> Result<Vec<BookMove>, BookError> {
        match self {
            Self::Repository(repository) => repository.moves(position),
            Self::Polyglot(book) => book.moves(position),
        }
    }

    /// The entry of a position; none if it is not in the book.
    pub fn get(&self, position: &Position) -> Result<Option<Entry>, BookError> {
        match self {
            Self::Repository(repository) => repository.get(position),
            Self::Polyglot(book) => book.get(position),
        }
    }

    /// The moves of an entry that [`get`](Self::get) has returned for a position.
    pub(crate) fn moves_of(
        &self,
        entry: &Entry,
        position: &Position,
    ) -> Result<Vec<BookMove>, BookError> {
        // The error of a repository has the number of the line, which only its own search knows.
        entry.book_moves(position).or_else(|_| self.moves(position))
    }
}
