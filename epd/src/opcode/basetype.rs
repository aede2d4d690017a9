//! The types of operands.

use std::fmt;
use std::str::FromStr;

use smol_str::{SmolStr, format_smolstr};

use super::time::{Clock, Date, MillisecondClock, TimeOfDay};
use super::value::{PawnScore, integer, is_float};
use crate::record::operand::Operand;

/// The type of an operand (EPD 5.2).
///
/// ```
/// use epode_epd::Operand;
/// use epode_epd::opcode::Basetype;
///
/// let centipawns = Basetype::Integer(-32768, 32766);
/// assert!(centipawns.accepts(&Operand::new("+15")));
/// assert_eq!(centipawns.canonical(&Operand::new("+15")).as_deref(), Some("15"));
/// assert!(!centipawns.accepts(&Operand::new("40000")));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Basetype {
    /// One of these words, or any identifier if the list is empty.
    Identifier(&'static [&'static str]),
    /// A move in SAN.
    Move,
    /// An integer within these bounds, both included.
    Integer(i64, u64),
    /// A number with a decimal point. Only private opcodes take one.
    Float,
    /// `YYYY.MM.DD`.
    Date,
    /// `HH:MM:SS`.
    TimeOfDay,
    /// `DDD:HH:MM:SS`.
    Clock,
    /// `DDD.HH:MM:SS.mmm`.
    MillisecondClock,
    /// A text in quotes.
    String,
    /// An evaluation in pawns with sign and three decimals, `MateIn3`, `LoseIn10` or `Checkmated`.
    PawnScore,
    /// Anything.
    Any,
}

impl Basetype {
    /// Describes the expected operand in words.
    #[must_use]
    pub fn describe(&self) -> String {
        match self {
            Self::Identifier([]) => {
                "an identifier of 1 to 15 letters, digits and underscores".to_owned()
            }
            Self::Identifier(words) => format!("one of {}", words.join(" ")),
            Self::Move => "a move in SAN".to_owned(),
            Self::Integer(least, most) => match *most {
                u64::MAX => format!("an integer from {least}"),
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

    /// The canonical form of an operand: a number without plus sign and leading zeros, a time with
    /// all its digits (decision 113). `None` if the operand is not of this type, or if the type has
    /// only one form.
    #[must_use]
    pub fn canonical(&self, operand: &Operand) -> Option<SmolStr> {
        fn rewritten<T: FromStr + fmt::Display>(text: &str) -> Option<SmolStr> {
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
            Self::TimeOfDay => rewritten::<TimeOfDay>(text),
            Self::Clock => rewritten::<Clock>(text),
            Self::MillisecondClock => rewritten::<MillisecondClock>(text),
            Self::PawnScore => rewritten::<PawnScore>(text),
            Self::Any
            | Self::String
            | Self::Identifier(_)
            | Self::Move
            | Self::Float
            | Self::Date => None,
        }
    }

    /// Whether an operand may be in quotes though it is not a string. Other programs read a word
    /// without quotes as a move, and anything that starts with a digit as a number.
    const fn may_be_quoted(&self) -> bool {
        matches!(self, Self::MillisecondClock | Self::Move | Self::PawnScore)
    }

    /// Whether an operand is of this type. Any text can be a move here: whether it is legal depends on
    /// the position.
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

/// A number without plus sign and leading zeros (decision 113).
fn plain_integer(text: &str) -> Option<SmolStr> {
    integer(text)?;
    let digits = text.trim_start_matches(['+', '-']).trim_start_matches('0');
    Some(match digits {
        "" => SmolStr::new_static("0"),
        digits if text.starts_with('-') => format_smolstr!("-{digits}"),
        digits => digits.into(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

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
