//! Syzygy endgame tablebases: win, draw or loss (WDL) and distance to zeroing (DTZ).
//!
//! [`Tablebases::open`] finds the tables of a list of folders. [`Tablebases::wdl`] and
//! [`Tablebases::dtz`] probe a position, [`Tablebases::rank_moves`] ranks the moves of a game so that a
//! won position is won within the fifty-move rule.
//!
//! The crate has no unsafe code and no global state, and prints nothing. Files are read, not mapped into
//! memory. A damaged file is a [`BadTable`], and is treated as missing.
//!
//! | file | contents |
//! |---|---|
//! | `set` | [`Tablebases`]: the files of a list of folders |
//! | `probe` | results of positions, with captures and en passant searched |
//! | `rank` | moves of a game, ranked |
//! | `table`, `header` | one file: its parts, and the value of a position |
//! | `index` | the index of a position in a part |
//! | `pairs` | the compressed values of a part |
//! | `file`, `checksum` | the bytes of a file, and its checksum |
//! | `material`, `wdl`, `error` | the types of the interface |

#![forbid(unsafe_code)]

mod checksum;
mod error;
mod file;
mod header;
mod index;
mod material;
mod pairs;
mod probe;
mod rank;
mod set;
mod table;
mod wdl;

/// The chess rules that this crate plays by.
pub use movegen;

#[doc(hidden)]
pub use checksum::of as checksum;
pub use error::{BadTable, Fault, Kind, OpenError, ProbeError, TableName};
pub use material::Material;
pub use rank::{RankedMove, Ranking, Rule50};
pub use set::Tablebases;
pub use wdl::Wdl;

/// The examples of the crate's README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
