//! Opening repositories: chess opening books that are plain EPD files, and Polyglot books.
//!
//! # The format
//!
//! A repository is an EPD file with one record for each position, sorted by the bytes of the position fields
//! (`LC_ALL=C sort` sorts it). For each move of the position a record has an operation whose opcode is `Bk_` and the
//! move in UCI notation. Its operand is one string of six numbers: the games in which the move was played, the wins,
//! draws and losses of the side that played it, the weight of the move, and the year of the last game:
//!
//! ```text
//! rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - Bk_d2d4 "3 1 2 0 4 2021"; Bk_e2e4 "5 3 1 1 7 2023";
//! ```
//!
//! A number is 0 where nothing is known; games without a result are in no other number. A move is chosen as often as
//! its weight says. Castling is written as the move of the king, but in a position that only Chess960 has as the king
//! takes its rook. The en passant square is there only if a capture is legal. All other operations, such as `eco`,
//! `nic`, `v0` to `v9`, `ce` and `pv`, have their meanings in EPD. Comments and blank lines may be at the beginning.
//! Decision 144 of `epd/DECISIONS.md` has the reasons.
//!
//! # Map
//!
//! | To | use | in the source |
//! |---|---|---|
//! | look a position up | [`Repository`], [`Book`] for Polyglot too | `repository.rs`, `book.rs` |
//! | choose a move | [`Choice`] | `entry.rs` |
//! | read and write a record | [`Entry`], [`Stats`] | `entry.rs`, `stats.rs` |
//! | build a repository from any number of games | [`Builder`] | `builder.rs`, `runs.rs` |
//! | unite sorted repositories | [`Merge`] | `merge.rs` |
//! | read and write Polyglot books | [`polyglot`] | `polyglot/` |
//! | find the positions of a Polyglot book, which has only their keys | [`walk::positions`] | `walk.rs` |
//! | list the openings of a book | [`walk::lines`] | `walk.rs` |
//! | know the name of an opening | [`Names`] | `names.rs` |

#![forbid(unsafe_code)]

mod book;
mod builder;
mod entry;
mod error;
mod merge;
mod names;
pub mod polyglot;
mod repository;
mod runs;
mod stats;
pub mod walk;

pub use book::Book;
pub use builder::{Batch, Builder, Totals};
pub use entry::{BookMove, Choice, Entry, PREFIX, fields, uci};
pub use error::{BookError, EntryError};
pub use merge::Merge;
pub use names::{Name, Names, OPENINGS};
pub use repository::{Order, Repository};
pub use stats::{Stats, StatsError};

/// The examples of the crate's README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
