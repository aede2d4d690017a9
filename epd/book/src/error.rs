//! What can be wrong with a book.

use std::io;

use epd::{NoPosition, OperandError, ReadErrorKind};

use crate::stats::StatsError;

/// What is wrong with a record of a repository.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)]
pub enum EntryError {
    #[error("{0}")]
    Record(ReadErrorKind),
    #[error("{0}: expected Bk_ and a move in UCI notation, such as Bk_e2e4")]
    Opcode(String),
    #[error("{0}: {1}")]
    Stats(String, StatsError),
    #[error("{0}: not a legal move here")]
    Move(String),
    #[error(transparent)]
    Operand(#[from] OperandError),
    #[error(transparent)]
    Position(#[from] NoPosition),
}

/// What is wrong with a book.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)]
pub enum BookError {
    #[error("cannot read {name}")]
    Read {
        name: String,
        #[source]
        source: io::Error,
    },
    #[error("{name} is PGN; `epode book build {name} -o BOOK.epd` makes a book of games")]
    Games { name: String },
    #[error(
        "{name} is binary data, expected a repository; the name of a Polyglot book must end in .bin"
    )]
    Binary { name: String },
    #[error("{name}:{line}: {error}")]
    Entry {
        name: String,
        line: usize,
        error: Box<EntryError>,
    },
    #[error(
        "{name}:{line}: not sorted: this position belongs before that of line {before}; \
         `epode book build --min-games 1 {name} -o SORTED.epd` sorts a repository"
    )]
    Unsorted {
        name: String,
        line: usize,
        before: usize,
    },
    #[error(
        "{name}:{line}: this position is in line {before} too; `epode book build --min-games 1 {name} -o UNITED.epd` unites them"
    )]
    Twice {
        name: String,
        line: usize,
        before: usize,
    },
    #[error(
        "{name}:{line}: a blank line or comment after the first record, where a search does not expect it; \
         `epode book merge {name} -o CLEAN.epd` leaves it out"
    )]
    Comment { name: String, line: usize },
    #[error(
        "{name} is compressed with {compression}: a book is searched in its file, so decompress it first"
    )]
    Compressed {
        name: String,
        compression: &'static str,
    },
    #[error("{name}: {length} bytes are not a Polyglot book, whose entries have 16 bytes each")]
    Length { name: String, length: u64 },
    #[error(
        "{name}: entry {entry} is not sorted: its key {key:016x} belongs before that of the entry before it; \
         `epode book import` reads such a file, and `epode book export` writes a sorted one"
    )]
    UnsortedEntry { name: String, entry: u64, key: u64 },
    #[error("{name}: entry {entry}: {mv} is not a legal move in {fields}")]
    IllegalEntry {
        name: String,
        entry: u64,
        mv: String,
        fields: String,
    },
}

impl BookError {
    /// The error of a line.
    #[must_use]
    pub fn entry(name: &str, line: usize, error: EntryError) -> Self {
        Self::Entry {
            name: name.to_owned(),
            line,
            error: Box::new(error),
        }
    }

    /// The error of the system in reading a file.
    pub(crate) fn read(name: &str, source: io::Error) -> Self {
        Self::Read {
            name: name.to_owned(),
            source,
        }
    }
}
