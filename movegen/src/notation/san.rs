//! Moves in Standard Algebraic Notation (PGN standard, section 8.2.3; EPD 5.2.2).
//!
//! [`San::of`] writes the letter of the piece; the file, rank or square of origin if other pieces of
//! the same kind can legally move to the destination (the first of the three that is unambiguous);
//! `x` for a capture; the destination square; `=` and a letter for a promotion; `+` for check or `#`
//! for checkmate. Castling is `O-O` or `O-O-O`.
//!
//! [`parse`] accepts exactly that text. [`parse_lenient`] also accepts common variants and reports
//! how the text deviates:
//! - missing or extra `+`, `++`, `#`, and annotations made of `!` and `?`;
//! - castling with zeros or lower-case letters: `0-0`, `o-o-o`;
//! - promotions such as `e8Q`, `e8q`, `e8=q`, `e8(Q)`, `e8/Q`;
//! - a missing or extra `x` or `-`, or `:` for `x`: `Ne4` for `Nxe4`, `Ng1-f3`;
//! - more of the origin square than needed: `Ng1f3`, `Rhxh8`;
//! - UCI notation: `e2e4`, `g8f6`, `e1g1` for castling, `e7e8q`;
//! - the suffixes `ep`, `e.p.`, `ch` and `mate`, in any order with the check signs.
//!
//! Neither function guesses: a text that fits two legal moves is an error.
//!
//! ```
//! use epode_movegen::san::{self, Deviations};
//! use epode_movegen::{Position, San};
//!
//! let position: Position = "4k3/P7/8/8/8/8/8/4K2R w K - 0 1".parse()?;
//! let castling = san::parse(&position, "O-O")?;
//! assert_eq!(san::parse_lenient(&position, "0-0")?, (castling, Deviations::CASTLING));
//!
//! let (promotion, deviations) = san::parse_lenient(&position, "a8Q")?;
//! assert_eq!(San::of(&position, promotion).as_str(), "a8=Q+");
//! assert_eq!(deviations, Deviations::PROMOTION | Deviations::CHECK_SIGN);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod deviations;
mod error;
mod finding;
mod origin;
mod parsed;
mod text;

use self::parsed::ParsedSan;
use crate::position::Position;
use crate::types::Move;

pub use self::deviations::Deviations;
pub use self::error::SanError;
pub use self::text::San;

/// Reads the exact SAN of a legal move.
pub fn parse(position: &Position, text: &str) -> Result<Move, SanError> {
    match read(position, text)? {
        (mv, _, deviations) if deviations.is_empty() => Ok(mv),
        (_, san, deviations) => Err(SanError::Inexact { san, deviations }),
    }
}

/// Reads the SAN of a legal move or a common variant, and returns how the text deviates.
pub fn parse_lenient(position: &Position, text: &str) -> Result<(Move, Deviations), SanError> {
    let (mv, _, deviations) = read(position, text)?;
    Ok((mv, deviations))
}

/// The move that a text names, its exact SAN, and how the text deviates from it.
fn read(position: &Position, text: &str) -> Result<(Move, San, Deviations), SanError> {
    let (parsed, mut deviations) = ParsedSan::read(text)?;
    let (role, mv, origin) = parsed.find(position)?;
    let san = San::write(position, role, mv, origin);
    if *san != *text {
        deviations |= parsed.differences(&san, origin);
    }
    Ok((mv, san, deviations))
}

#[cfg(test)]
mod tests;
