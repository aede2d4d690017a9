//! What an operand means, once its opcode has told its basetype.
//!
//! ```
//! use epode_epd::opcode::Basetype;
//! use epode_epd::{Operand, value::PawnScore};
//!
//! let centipawns = Basetype::Integer(-32768, 32766);
//! assert!(centipawns.accepts(&Operand::new("+15")));
//! assert_eq!(centipawns.canonical(&Operand::new("+15")).as_deref(), Some("15"));
//! assert!(!centipawns.accepts(&Operand::new("40000")));
//! assert_eq!("MateIn3".parse(), Ok(PawnScore::MateIn(3)));
//! ```

use std::fmt;
use std::str::FromStr;

use smol_str::{SmolStr, format_smolstr};

use super::time::{Clock, Date, MillisecondClock, TimeOfDay, ValueError};
use crate::record::operand::Operand;

/// An evaluation in pawns (the later lexicon of the standard's author).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PawnScore {
    /// Thousandths of a pawn for the side to move: `+12.982`, `-0.030`, `0.000`.
    Millipawns(i64),
    /// `MateIn3`: the side to move mates in so many moves, at least one.
    MateIn(u32),
    /// `LoseIn10`: the side to move is mated in so many moves, at least one.
    LoseIn(u32),
    /// `Checkmated`.
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

/// A draw is written without a sign, every other number with one.
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

/// What an operand is (EPD 5.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Basetype {
    /// One of these words, or any identifier where there are none.
    Identifier(&'static [&'static str]),
    /// A move in SAN.
    Move,
    /// A whole number from the first to the second.
    Integer(i64, u64),
    /// A number with a decimal point, for private opcodes: none of the standard takes one.
    Float,
    /// `YYYY.MM.DD`.
    Date,
    /// `HH:MM:SS`.
    TimeOfDay,
    /// `DDD:HH:MM:SS`.
    Clock,
    /// `DDD.HH:MM:SS.mmm`.
    MillisecondClock,
    /// Text in quotes.
    String,
    /// Pawns with three decimals and a sign, `MateIn3`, `LoseIn10` or `Checkmated`.
    PawnScore,
    /// Anything.
    Any,
}

impl Basetype {
    /// What is expected, in words.
    #[must_use]
    pub fn describe(&self) -> String {
        match self {
            Self::Identifier([]) => "an identifier".to_owned(),
            Self::Identifier(words) => format!("one of {}", words.join(" ")),
            Self::Move => "a move in SAN".to_owned(),
            Self::Integer(least, most) => match *most {
                u64::MAX => format!("an integer from {least}"),
                most if most == u64::from(u32::MAX) => format!("an integer from {least}"),
                most => format!("an integer from {least} to {most}"),
            },
            Self::Float => "a number such as -1.25".to_owned(),
            Self::Date => "a date such as 1995.11.26".to_owned(),
            Self::TimeOfDay => "a time of day such as 18:05:59".to_owned(),
            Self::Clock => "a clock such as 000:01:05:59".to_owned(),
            Self::MillisecondClock => "a clock such as 000.01:05:59.250".to_owned(),
            Self::String => "a string in quotes".to_owned(),
            Self::PawnScore => "a score such as +0.250, MateIn3, LoseIn4 or Checkmated".to_owned(),
            Self::Any => "anything".to_owned(),
        }
    }

    /// Whether a text is an identifier (EPD 5.2.1): 1 to 15 letters, digits and underscores.
    #[must_use]
    pub fn is_identifier(text: &str) -> bool {
        (1..=15).contains(&text.len())
            && text
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    }

    /// The usual form of an operand: no surplus signs and zeros, every digit of a time (decision
    /// 113). None where it is not of the basetype or has but one form.
    #[must_use]
    pub fn canonical(&self, operand: &Operand) -> Option<SmolStr> {
        fn usual<T: FromStr + fmt::Display>(text: &str) -> Option<SmolStr> {
            text.parse::<T>()
                .ok()
                .map(|value| format_smolstr!("{value}"))
        }
        let text = operand.text();
        if matches!(operand, Operand::String(_)) && !self.may_be_quoted() {
            return None;
        }
        match self {
            Self::Integer(..) => plain_integer(text),
            Self::TimeOfDay => usual::<TimeOfDay>(text),
            Self::Clock => usual::<Clock>(text),
            Self::MillisecondClock => usual::<MillisecondClock>(text),
            Self::PawnScore => usual::<PawnScore>(text),
            Self::Any
            | Self::String
            | Self::Identifier(_)
            | Self::Move
            | Self::Float
            | Self::Date => None,
        }
    }

    /// Whether operands may stand in quotes though they are no strings, for programs that take a
    /// bare word for a move and what begins with a digit for a number.
    const fn may_be_quoted(&self) -> bool {
        matches!(self, Self::MillisecondClock | Self::Move | Self::PawnScore)
    }

    /// Whether an operand is of this basetype; moves are looked at only for their form, since
    /// their meaning depends on the position.
    #[must_use]
    pub fn accepts(&self, operand: &Operand) -> bool {
        let text = operand.text();
        let quoted = matches!(operand, Operand::String(_));
        match self {
            Self::Any => true,
            Self::String => quoted,
            _ if quoted && !self.may_be_quoted() => false,
            Self::Identifier(words) => {
                let known = words.is_empty() || words.contains(&text);
                Self::is_identifier(text) && known
            }
            Self::Move => !text.is_empty(),
            Self::Integer(least, most) => {
                // From -2^63 to 2^64 - 1 in one type.
                let number = integer(text);
                number.is_some_and(|number| {
                    (i128::from(*least)..=i128::from(*most)).contains(&number)
                })
            }
            Self::Float => is_float(text),
            Self::Date => text.parse::<Date>().is_ok(),
            Self::TimeOfDay => text.parse::<TimeOfDay>().is_ok(),
            Self::Clock => text.parse::<Clock>().is_ok(),
            Self::MillisecondClock => text.parse::<MillisecondClock>().is_ok(),
            Self::PawnScore => text.parse::<PawnScore>().is_ok(),
        }
    }
}

/// A float as EPD 5.2.4 has it: digits, a point and digits, after at most one sign.
pub(crate) fn is_float(text: &str) -> bool {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    unsigned
        .split_once('.')
        .is_some_and(|(whole, fraction)| digits(whole) && digits(fraction))
}

/// A number without a plus sign and without zeros before it (decision 113).
fn plain_integer(text: &str) -> Option<SmolStr> {
    integer(text)?;
    let digits = text.trim_start_matches(['+', '-']).trim_start_matches('0');
    Some(match digits {
        "" => SmolStr::new_static("0"),
        digits if text.starts_with('-') => format_smolstr!("-{digits}"),
        digits => digits.into(),
    })
}

/// An integer as EPD 5.2.3 has it: digits after at most one sign.
#[must_use]
pub fn integer(text: &str) -> Option<i128> {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    // Nearly every number is small, and large types are slow to read.
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

    /// The samples of the later lexicon.
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

    #[test]
    fn operands_of_each_basetype() {
        let symbol = |text: &str| Operand::new(text);
        let ce = Basetype::Integer(-32768, 32766);
        for (basetype, good, bad) in [
            (
                ce,
                vec!["-32768", "32766", "+5", "007"],
                vec!["32767", "-32769", "1.5", "", "-", "+-1", "x"],
            ),
            (
                Basetype::Integer(0, u64::MAX),
                vec!["18446744073709551615"],
                vec!["18446744073709551616", "-1"],
            ),
            (
                Basetype::Identifier(&["fault"]),
                vec!["fault"],
                vec!["Fault", "reply"],
            ),
            (
                Basetype::Identifier(&[]),
                vec!["White", "_1"],
                vec!["White-1", "sixteen_letters_", ""],
            ),
            (
                Basetype::Float,
                vec!["-1.25", "+0.5", "3.0"],
                vec!["1", ".5", "3.", ".", "1e5", "1.2.3", "NaN"],
            ),
            (Basetype::Date, vec!["1995.11.26"], vec!["1995-11-26"]),
            (Basetype::TimeOfDay, vec!["18:05"], vec!["18.05"]),
            (Basetype::Clock, vec!["000:00:05:00"], vec!["00:05:00"]),
            (
                Basetype::MillisecondClock,
                vec!["000.00:05:00.000"],
                vec!["000:00:05:00"],
            ),
            (Basetype::PawnScore, vec!["0.000"], vec!["0"]),
        ] {
            assert!(
                good.iter().all(|text| basetype.accepts(&symbol(text))),
                "{basetype:?} {good:?}"
            );
            assert!(
                !bad.iter().any(|text| basetype.accepts(&symbol(text))),
                "{basetype:?} {bad:?}"
            );
            let quoted = matches!(basetype, Basetype::PawnScore | Basetype::MillisecondClock);
            assert_eq!(
                basetype.accepts(&Operand::string(good[0])),
                quoted,
                "in quotes"
            );
        }
        assert!(Basetype::String.accepts(&Operand::string("")));
        assert!(!Basetype::String.accepts(&symbol("x")));
    }
}
