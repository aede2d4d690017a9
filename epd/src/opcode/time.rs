//! Dates, times of day and clocks (EPD 5.2.5 to 5.2.7).
//!
//! ```
//! use epode_epd::time::{Clock, TimeOfDay};
//! use std::time::Duration;
//!
//! let clock: Clock = "000:01:05:59".parse()?;
//! assert_eq!(clock.duration(), Duration::from_secs(3959));
//! assert_eq!(Clock::rounded_up(Duration::from_millis(61_001)).to_string(), "000:00:01:02");
//! assert_eq!("18:05".parse::<TimeOfDay>()?.to_string(), "18:05:00");
//! assert!("24:00:00".parse::<TimeOfDay>().is_err());
//! # Ok::<(), epode_epd::time::ValueError>(())
//! ```

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// A text is not a value of the expected type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected {expected}")]
pub struct ValueError {
    /// The expected type, with an example.
    pub expected: &'static str,
}

/// A day, written `YYYY.MM.DD` (EPD 5.2.5).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Date {
    year: u16,
    month: u8,
    day: u8,
}

/// A time of day, written `HH:MM:SS` (EPD 5.2.6). `HH:MM` is read as well (decision 101).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TimeOfDay {
    hour: u8,
    minute: u8,
    second: u8,
}

/// A duration in seconds, written `DDD:HH:MM:SS` (EPD 5.2.7). Days of one to four digits are read;
/// a duration of 1000 days or more is written as the maximum (decision 87).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Clock {
    seconds: u64,
}

/// A duration in milliseconds, written `DDD.HH:MM:SS.mmm` (the later lexicon). A point follows the
/// days, not a colon.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MillisecondClock {
    milliseconds: u64,
}

const SECONDS_A_DAY: u64 = 24 * 60 * 60;
/// The longest duration that can be written with three digits of days, in seconds.
const CLOCK_LIMIT: u64 = 1000 * SECONDS_A_DAY - 1;

/// Reads a number with a given count of digits, below a limit.
fn digits<T: FromStr + PartialOrd + Copy>(
    text: &str,
    counts: std::ops::RangeInclusive<usize>,
    limit: T,
) -> Option<T> {
    let plain = counts.contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    plain
        .then(|| text.parse().ok())
        .flatten()
        .filter(|number| *number < limit)
}

/// Splits a text at a separator into exactly N parts.
fn split<const N: usize>(text: &str, separator: char) -> Option<[&str; N]> {
    let mut parts = text.split(separator);
    let mut found = [""; N];
    for slot in &mut found {
        *slot = parts.next()?;
    }
    parts.next().is_none().then_some(found)
}

/// The seconds of `HH:MM:SS`.
fn seconds_of_day(hour: &str, minute: &str, second: &str) -> Option<u64> {
    let hour: u64 = digits(hour, 2..=2, 24)?;
    let minute: u64 = digits(minute, 2..=2, 60)?;
    let second: u64 = digits(second, 2..=2, 60)?;
    Some((hour * 60 + minute) * 60 + second)
}

impl Date {
    /// The date, or `None` if it does not exist. Years are 1 to 9999 (decision 103).
    #[must_use]
    pub fn new(year: u16, month: u8, day: u8) -> Option<Self> {
        let leap =
            year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
        let days = match month {
            1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
            4 | 6 | 9 | 11 => 30,
            2 if leap => 29,
            2 => 28,
            _ => return None,
        };
        let exists = (1..=9999).contains(&year) && (1..=days).contains(&day);
        exists.then_some(Self { year, month, day })
    }

    fn read(text: &str) -> Option<Self> {
        let [year, month, day] = split(text, '.')?;
        Self::new(
            digits(year, 4..=4, 10_000)?,
            digits(month, 2..=2, 13)?,
            digits(day, 2..=2, 32)?,
        )
    }
}

impl TimeOfDay {
    /// The time, or `None` if it does not exist. There are no leap seconds (decision 101).
    #[must_use]
    pub const fn new(hour: u8, minute: u8, second: u8) -> Option<Self> {
        if hour < 24 && minute < 60 && second < 60 {
            Some(Self {
                hour,
                minute,
                second,
            })
        } else {
            None
        }
    }

    fn read(text: &str) -> Option<Self> {
        let [hour, minute, second] = split(text, ':')
            .or_else(|| split(text, ':').map(|[hour, minute]| [hour, minute, "00"]))?;
        let seconds = seconds_of_day(hour, minute, second)?;
        Self::new(
            (seconds / 3600) as u8,
            (seconds / 60 % 60) as u8,
            (seconds % 60) as u8,
        )
    }
}

impl Clock {
    /// A duration in seconds.
    #[must_use]
    pub const fn from_seconds(seconds: u64) -> Self {
        Self { seconds }
    }

    /// A duration rounded up to seconds, so that no player thinks it has more time than it has
    /// (decision 86).
    #[must_use]
    pub const fn rounded_up(time: Duration) -> Self {
        Self {
            seconds: time.as_secs() + (time.subsec_nanos() > 0) as u64,
        }
    }

    /// The duration.
    #[must_use]
    pub const fn duration(self) -> Duration {
        Duration::from_secs(self.seconds)
    }

    fn read(text: &str) -> Option<Self> {
        let [days, hour, minute, second] = split(text, ':')?;
        let days: u64 = digits(days, 1..=4, 10_000)?;
        Some(Self {
            seconds: days * SECONDS_A_DAY + seconds_of_day(hour, minute, second)?,
        })
    }
}

impl MillisecondClock {
    /// A duration rounded down to milliseconds.
    #[must_use]
    pub const fn new(time: Duration) -> Self {
        Self {
            milliseconds: time.as_millis() as u64,
        }
    }

    /// The duration.
    #[must_use]
    pub const fn duration(self) -> Duration {
        Duration::from_millis(self.milliseconds)
    }

    fn read(text: &str) -> Option<Self> {
        let [days, rest, fraction] = split(text, '.')?;
        let [hour, minute, second] = split(rest, ':')?;
        let days: u64 = digits(days, 1..=4, 10_000)?;
        let fraction: u64 = digits(fraction, 3..=3, 1000)?;
        let seconds = days * SECONDS_A_DAY + seconds_of_day(hour, minute, second)?;
        Some(Self {
            milliseconds: seconds * 1000 + fraction,
        })
    }
}

macro_rules! read_from_text {
    ($($Type:ident $expected:literal),*) => {$(
        impl FromStr for $Type {
            type Err = ValueError;

            fn from_str(text: &str) -> Result<Self, ValueError> {
                Self::read(text).ok_or(ValueError { expected: $expected })
            }
        }
    )*};
}
read_from_text!(
    Date "a date such as 1995.11.26",
    TimeOfDay "a time of day such as 18:05:59",
    Clock "a clock such as 000:01:05:59",
    MillisecondClock "a clock such as 000.01:05:59.250"
);

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}.{:02}.{:02}", self.year, self.month, self.day)
    }
}

impl fmt::Display for TimeOfDay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:02}:{:02}:{:02}", self.hour, self.minute, self.second)
    }
}

/// Days, hours, minutes and seconds, at most 999 days.
const fn parts(seconds: u64) -> [u64; 4] {
    let seconds = if seconds < CLOCK_LIMIT {
        seconds
    } else {
        CLOCK_LIMIT
    };
    [
        seconds / SECONDS_A_DAY,
        seconds / 3600 % 24,
        seconds / 60 % 60,
        seconds % 60,
    ]
}

impl fmt::Display for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [days, hours, minutes, seconds] = parts(self.seconds);
        write!(f, "{days:03}:{hours:02}:{minutes:02}:{seconds:02}")
    }
}

impl fmt::Display for MillisecondClock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let most = CLOCK_LIMIT * 1000 + 999;
        let milliseconds = self.milliseconds.min(most);
        let [days, hours, minutes, seconds] = parts(milliseconds / 1000);
        write!(
            f,
            "{days:03}.{hours:02}:{minutes:02}:{seconds:02}.{:03}",
            milliseconds % 1000
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round_trip<T: FromStr + fmt::Display>(text: &str) -> Option<String> {
        text.parse::<T>().ok().map(|value| value.to_string())
    }

    #[test]
    fn values_round_trip() {
        for text in ["1995.11.26", "0001.01.01", "2000.02.29", "9999.12.31"] {
            assert_eq!(round_trip::<Date>(text).as_deref(), Some(text));
        }
        for text in ["00:00:00", "23:59:59"] {
            assert_eq!(round_trip::<TimeOfDay>(text).as_deref(), Some(text));
        }
        for text in ["000:00:00:00", "999:23:59:59", "001:02:03:04"] {
            assert_eq!(round_trip::<Clock>(text).as_deref(), Some(text));
        }
        for text in ["000.00:03:08.475", "999.23:59:59.999"] {
            assert_eq!(round_trip::<MillisecondClock>(text).as_deref(), Some(text));
        }
    }

    /// Decision 101.
    #[test]
    fn dates_and_times_that_do_not_exist() {
        for text in [
            "1900.02.29",
            "1995.04.31",
            "1995.13.01",
            "1995.00.01",
            "1995.01.00",
            "0000.01.01",
            "95.01.01",
        ] {
            assert_eq!(round_trip::<Date>(text), None, "{text}");
        }
        assert_eq!(
            round_trip::<TimeOfDay>("18:05").as_deref(),
            Some("18:05:00")
        );
        for text in [
            "24:00:00",
            "23:60:00",
            "23:59:60",
            "1:00:00",
            "18",
            "18:05:00:00",
            "+1:00:00",
        ] {
            assert_eq!(round_trip::<TimeOfDay>(text), None, "{text}");
        }
    }

    /// Decisions 86 and 87.
    #[test]
    fn clocks() {
        assert_eq!(
            round_trip::<Clock>("0001:00:00:00").as_deref(),
            Some("001:00:00:00")
        );
        assert_eq!(
            round_trip::<Clock>("1:00:00:00").as_deref(),
            Some("001:00:00:00")
        );
        assert_eq!(
            round_trip::<Clock>("1000:00:00:00").as_deref(),
            Some("999:23:59:59")
        );
        assert_eq!(
            Clock::rounded_up(Duration::from_millis(61_001)).to_string(),
            "000:00:01:02"
        );
        assert_eq!(
            Clock::rounded_up(Duration::from_secs(61)).duration(),
            Duration::from_secs(61)
        );
        for text in [
            "00:00:00",
            "000:24:00:00",
            "000:00:00:60",
            "00000:00:00:00",
            ":00:00:00",
            "é:00:00:00",
        ] {
            assert_eq!(round_trip::<Clock>(text), None, "{text}");
        }
        for text in ["000:00:03:08.475", "000.00:03:08", "000.00:03:08.4"] {
            assert_eq!(round_trip::<MillisecondClock>(text), None, "{text}");
        }
    }
}
