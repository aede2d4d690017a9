//! Polyglot books: binary files that most chess programs read.
//!
//! A book is a list of entries of 16 bytes, sorted by their keys: the key of the position (8 bytes), the move
//! (2 bytes), its weight (2 bytes) and 4 bytes for learning programs, all with the most significant byte first.

mod key;
mod random;

use std::fs;
use std::path::Path;

use movegen::{CastlingMode, Move, Position, Role, Square, UciMove};

pub use self::key::key;
use crate::entry::{BookMove, Entry, fields, sort};
use crate::error::BookError;
use crate::stats::Stats;

/// The size of an entry in bytes.
pub const ENTRY: usize = 16;

/// An entry of a Polyglot book.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PolyglotEntry {
    /// The [`key`] of the position.
    pub key: u64,
    /// The move, in the bits of the format; castling as the king takes its rook.
    pub mv: u16,
    /// How often to play the move; 0 for a move that is never played.
    pub weight: u16,
    /// What a learning program stores.
    pub learn: u32,
}

impl PolyglotEntry {
    /// An entry for a move in a position.
    #[must_use]
    pub fn new(position: &Position, mv: Move, weight: u16) -> Self {
        Self {
            key: key(position),
            mv: to_bits(UciMove::of(position, mv, CastlingMode::Chess960)),
            weight,
            learn: 0,
        }
    }

    /// The entry in these bytes.
    #[must_use]
    pub const fn from_bytes(bytes: [u8; ENTRY]) -> Self {
        let [
            k0,
            k1,
            k2,
            k3,
            k4,
            k5,
            k6,
            k7,
            m0,
            m1,
            w0,
            w1,
            l0,
            l1,
            l2,
            l3,
        ] = bytes;
        Self {
            key: u64::from_be_bytes([k0, k1, k2, k3, k4, k5, k6, k7]),
            mv: u16::from_be_bytes([m0, m1]),
            weight: u16::from_be_bytes([w0, w1]),
            learn: u32::from_be_bytes([l0, l1, l2, l3]),
        }
    }

    /// The bytes of the entry.
    #[must_use]
    pub fn to_bytes(self) -> [u8; ENTRY] {
        let mut bytes = [0; ENTRY];
        bytes[..8].copy_from_slice(&self.key.to_be_bytes());
        bytes[8..10].copy_from_slice(&self.mv.to_be_bytes());
        bytes[10..12].copy_from_slice(&self.weight.to_be_bytes());
        bytes[12..].copy_from_slice(&self.learn.to_be_bytes());
        bytes
    }

    /// The move of the entry, which need not be legal; none if the bits are not a move.
    #[must_use]
    pub fn uci(&self) -> Option<UciMove> {
        let square = |bits: u16| Square::from_index(usize::from(bits & 63));
        let (from, to) = (square(self.mv >> 6), square(self.mv));
        let promotes_to = match self.mv >> 12 {
            0 => None,
            1 => Some(Role::Knight),
            2 => Some(Role::Bishop),
            3 => Some(Role::Rook),
            4 => Some(Role::Queen),
            _ => return None,
        };
        let uci = UciMove {
            from,
            to,
            promotes_to,
        };
        (from != to).then_some(uci)
    }

    /// The move in a position; none if it is not legal there.
    #[must_use]
    pub fn legal_move(&self, position: &Position) -> Option<Move> {
        self.uci()?.find(position).ok()
    }

    /// What a repository says about the move: only its weight.
    #[must_use]
    pub fn stats(&self) -> Stats {
        Stats {
            weight: self.weight.into(),
            ..Stats::default()
        }
    }

    /// The move for messages.
    fn text(&self) -> String {
        match self.uci() {
            Some(uci) => uci.to_string(),
            None => format!("{:#06x}", self.mv),
        }
    }
}

fn to_bits(uci: UciMove) -> u16 {
    let promotion = match uci.promotes_to {
        Some(Role::Knight) => 1,
        Some(Role::Bishop) => 2,
        Some(Role::Rook) => 3,
        Some(Role::Queen) => 4,
        _ => 0,
    };
    promotion << 12 | (uci.from.index() as u16) << 6 | uci.to.index() as u16
}

/// The entries for the moves of a position, the best first. Weights above 65535 are scaled down, so that the highest
/// becomes 65535 and none becomes 0.
#[must_use]
pub fn entries(position: &Position, moves: &[BookMove]) -> Vec<PolyglotEntry> {
    const MOST: u128 = u16::MAX as u128;
    let highest = moves.iter().map(|book_move| book_move.stats.weight).max();
    let highest = u128::from(highest.unwrap_or(0));
    let scaled = |weight: u64| {
        if highest <= MOST {
            weight as u16
        } else {
            let scaled = (u128::from(weight) * MOST + highest / 2) / highest;
            scaled.max(u128::from(weight > 0)) as u16
        }
    };
    let entry = |book_move: &BookMove| {
        PolyglotEntry::new(position, book_move.mv, scaled(book_move.stats.weight))
    };
    let mut entries: Vec<_> = moves.iter().map(entry).collect();
    sort_entries(&mut entries);
    entries
}

/// Sorts entries as in a file: by key, the highest weight of each first, and equal ones by the bits of the move.
pub fn sort_entries(entries: &mut [PolyglotEntry]) {
    entries.sort_by_key(|entry| {
        (
            entry.key,
            std::cmp::Reverse(entry.weight),
            entry.mv,
            entry.learn,
        )
    });
}

/// A Polyglot book in memory.
#[derive(Debug)]
pub struct PolyglotBook {
    /// The name of the file, for messages.
    name: String,
    entries: Vec<PolyglotEntry>,
}

impl PolyglotBook {
    /// Reads a book, whose entries must be sorted.
    pub fn open(path: &Path) -> Result<Self, BookError> {
        let name = path.display().to_string();
        let bytes = fs::read(path).map_err(|error| BookError::read(&name, error))?;
        Self::from_bytes(&name, &bytes)
    }

    /// A book from the bytes of a file. The name is for messages.
    pub fn from_bytes(name: &str, bytes: &[u8]) -> Result<Self, BookError> {
        let entries = read_entries(name, bytes)?;
        let unsorted = (1..)
            .zip(entries.windows(2))
            .find(|(_, pair)| pair[1].key < pair[0].key);
        if let Some((before, pair)) = unsorted {
            return Err(BookError::UnsortedEntry {
                name: name.to_owned(),
                entry: before + 1,
                key: pair[1].key,
            });
        }
        Ok(Self {
            name: name.to_owned(),
            entries,
        })
    }

    /// A book of entries in any order.
    #[must_use]
    pub fn from_entries(name: &str, mut entries: Vec<PolyglotEntry>) -> Self {
        // Several entries of a position keep their order.
        entries.sort_by_key(|entry| entry.key);
        Self {
            name: name.to_owned(),
            entries,
        }
    }

    /// All entries, sorted by their keys.
    #[must_use]
    pub fn entries(&self) -> &[PolyglotEntry] {
        &self.entries
    }

    /// The entries with a key, and the number of the first in the file, from 0.
    #[must_use]
    pub fn with_key(&self, key: u64) -> (usize, &[PolyglotEntry]) {
        let begin = self.entries.partition_point(|entry| entry.key < key);
        let count = self.entries[begin..].partition_point(|entry| entry.key == key);
        (begin, &self.entries[begin..][..count])
    }

    /// The moves of a position, the best first; none if it is not in the book. Several entries of one move are added
    /// up. A move that is not legal is an error.
    pub fn moves(&self, position: &Position) -> Result<Vec<BookMove>, BookError> {
        let (begin, found) = self.with_key(key(position));
        let mut moves: Vec<BookMove> = Vec::with_capacity(found.len());
        for (number, entry) in (begin as u64 + 1..).zip(found) {
            let Some(mv) = entry.legal_move(position) else {
                return Err(self.illegal(number, entry, position));
            };
            let stats = entry.stats();
            match moves.iter_mut().find(|book_move| book_move.mv == mv) {
                Some(known) => known.stats.add(&stats),
                None => moves.push(BookMove { mv, stats }),
            }
        }
        sort(&mut moves);
        Ok(moves)
    }

    /// The error of an entry whose move is not legal; entries are numbered from 1.
    #[must_use]
    pub fn illegal(&self, number: u64, entry: &PolyglotEntry, position: &Position) -> BookError {
        BookError::IllegalEntry {
            name: self.name.clone(),
            entry: number,
            mv: entry.text(),
            fields: fields(position),
        }
    }

    /// The position as the entry of a repository; none if it is not in the book.
    pub fn get(&self, position: &Position) -> Result<Option<Entry>, BookError> {
        let moves = self.moves(position)?;
        if moves.is_empty() {
            return Ok(None);
        }
        let mut entry = Entry::new(fields(position));
        for BookMove { mv, stats } in moves {
            entry.add_move(crate::entry::uci(position, mv), &stats);
        }
        Ok(Some(entry))
    }
}

/// The entries of a file, in its order.
pub fn read_entries(name: &str, bytes: &[u8]) -> Result<Vec<PolyglotEntry>, BookError> {
    let (entries, rest) = bytes.as_chunks::<ENTRY>();
    if !rest.is_empty() {
        return Err(BookError::Length {
            name: name.to_owned(),
            length: bytes.len() as u64,
        });
    }
    Ok(entries
        .iter()
        .map(|&bytes| PolyglotEntry::from_bytes(bytes))
        .collect())
}
