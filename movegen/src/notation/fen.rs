//! FEN: the text of positions.
//!
//! A FEN has six fields, of which the last two can be missing: the halfmove clock is then 0 and the
//! fullmove number 1. The first four are the position fields of an EPD record (EPD 4). Any white space
//! can separate fields. Adjacent digits in the piece placement are added (decision 120), and castling
//! letters can be in any order (decision 48).
//!
//! Castling letters are `KQkq`, which mean the castlings of standard chess, or the files of rooks
//! (Shredder-FEN, `HAha`), for Chess960. [`Setup::from_fen`] also reads `KQkq` as Chess960 does (X-FEN),
//! and [`Setup::from_fen_lenient`] accepts castling rights that are impossible on the board.
//!
//! Output has one space between fields, no adjacent digits, and castling letters in the order `KQkq`.
//! Rights that standard chess does not have are written as files; [`Setup::to_x_fen`] and
//! [`Setup::to_shredder_fen`] write either notation.
//!
//! [`Setup::from_fen`]: crate::Setup::from_fen
//! [`Setup::from_fen_lenient`]: crate::Setup::from_fen_lenient
//! [`Setup::to_x_fen`]: crate::Setup::to_x_fen
//! [`Setup::to_shredder_fen`]: crate::Setup::to_shredder_fen

mod error;
mod placement;
mod reading;
mod word;
mod writing;

pub use self::error::{FenError, FenErrorKind, Field, PositionError};
pub use self::word::{Word, words};
pub use self::writing::Fields;

#[cfg(test)]
mod tests;
