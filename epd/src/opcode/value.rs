//! Values of operands: evaluations in pawns and numbers.
//!
//! ```
//! use epode_epd::value::{PawnScore, integer};
//!
//! assert_eq!("MateIn3".parse(), Ok(PawnScore::MateIn(3)));
//! assert_eq!(PawnScore::Millipawns(-30).to_string(), "-0.030");
//! assert_eq!(integer("+15"), Some(15));
//! ```

use std::fmt;
use std::str::FromStr;

use super::time::ValueError;

/// An evaluation in pawns (the later lexicon of the standard's author).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PawnScore {
    /// Thousandths of a pawn for the side to move: `+12.982`, `-0.030`, `0.000`.
    Millipawns(i64),
    /// `MateIn3`: the side to move mates in this number of moves, at least 1.
    MateIn(u32),
    /// `LoseIn10`: the side to move is mated in this number of moves, at least 1.
    LoseIn(u32),
    /// `Checkmated`: the side to move is checkmated.
    Checkmated,
}

impl FromStr for PawnScore {
    type Err = ValueError;

    fn from_str(text: &str) -> Result<Self, ValueError> {
        let moves = |digits: &str| digits.parse().ok().filter(|&moves| moves > 0);
        let read = || {
            if text == "Checkmated" {
                return Some(Self::Checkmated);
            }
            if let Some(digits) = text.strip_prefix("MateIn") {
                return moves(digits).map(Self::MateIn);
            }
            if let Some(digits) = text.strip_prefix("LoseIn") {
                return moves(digits).map(Self::LoseIn);
            }
            let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
            let (whole, fraction) = unsigned.split_once('.')?;
            let digits =
                |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
            if !digits(whole) || !digits(fraction) || fraction.len() != 3 {
                return None;
            }
            let size: i64 = format!("{whole}{fraction}").parse().ok()?;
            Some(Self::Millipawns(if text.starts_with('-') {
                -size
            } else {
                size
            }))
        };
        read().ok_or(ValueError {
            expected: "a score such as +0.250, MateIn3 or Checkmated",
        })
    }
}

/// Prints every number but zero with a sign.
impl fmt::Display for PawnScore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Millipawns(0) => f.write_str("0.000"),
            Self::Millipawns(size) => {
                let sign = if size < 0 { '-' } else { '+' };
                let size = size.unsigned_abs();
                write!(f, "{sign}{}.{:03}", size / 1000, size % 1000)
            }
            Self::MateIn(moves) => write!(f, "MateIn{moves}"),
            Self::LoseIn(moves) => write!(f, "LoseIn{moves}"),
            Self::Checkmated => f.write_str("Checkmated"),
        }
    }
}

/// Whether a text is a float as in EPD 5.2.4: an optional sign, digits, a point and digits.
pub(crate) fn is_float(text: &str) -> bool {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    unsigned
        .split_once('.')
        .is_some_and(|(whole, fraction)| digits(whole) && digits(fraction))
}

/// Reads an integer as in EPD 5.2.3: an optional sign and digits.
#[must_use]
pub fn integer(text: &str) -> Option<i128> {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    // Nearly every number is small, and reading an `i128` is slow.
    if (1..19).contains(&digits.len()) {
        let size = digits.bytes().try_fold(0_i64, |size, byte| {
            byte.is_ascii_digit()
                .then(|| 10 * size + i64::from(byte - b'0'))
        })?;
        return Some(i128::from(if text.starts_with('-') { -size } else { size }));
    }
    text.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The examples of the later lexicon.
    #[test]
    fn pawn_scores() {
        for text in [
            "+12.982",
            "-0.030",
            "0.000",
            "MateIn3",
            "LoseIn10",
            "Checkmated",
        ] {
            let score: PawnScore = text.parse().expect(text);
            assert_eq!(score.to_string(), text);
        }
        for text in [
            "", "12", "+1.98", "MateIn0", "MateIn", "LoseIn-1", "mated", "+.500", "1.0000",
        ] {
            assert!(text.parse::<PawnScore>().is_err(), "{text}");
        }
    }
}
