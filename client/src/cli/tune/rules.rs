//! Rules of games, as the command line and journals write them.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use crate::text::trimmed;

/// A time control: `60+0.6` (seconds and increment) or `40/60+0.6` (the same for every 40 moves).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeControl {
    pub moves: Option<u32>,
    pub base: Duration,
    pub increment: Duration,
}

impl FromStr for TimeControl {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let read = || {
            let (moves, rest) = match text.split_once('/') {
                None => (None, text),
                Some((moves, rest)) => (Some(moves.parse().ok().filter(|&moves| moves > 0)?), rest),
            };
            let (base, increment) = rest.split_once('+').unwrap_or((rest, "0"));
            let seconds = |text: &str| Duration::try_from_secs_f64(text.parse().ok()?).ok();
            let (base, increment) = (seconds(base)?, seconds(increment)?);
            (!base.is_zero()).then_some(Self {
                moves,
                base,
                increment,
            })
        };
        read().ok_or_else(|| "expected seconds such as 10+0.1 or 40/60+0.6".to_owned())
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(moves) = self.moves {
            write!(f, "{moves}/")?;
        }
        let seconds = |time: Duration| trimmed(time.as_secs_f64(), 3);
        write!(f, "{}+{}", seconds(self.base), seconds(self.increment))
    }
}

/// When a game is a draw by the scores of both engines: `movenumber=34,movecount=8,score=20`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DrawRule {
    /// The first move at which a game can end.
    pub from_move: u32,
    /// So many moves in a row of both engines ...
    pub moves: u32,
    /// ... within so many centipawns of equality.
    pub score: i32,
}

/// When an engine loses by its own scores: `movecount=3,score=600`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ResignRule {
    /// So many moves in a row ...
    pub moves: u32,
    /// ... so many centipawns behind or more.
    pub score: i32,
}

/// Reads `key=number` for each of the keys, in any order, with commas or blanks between. Keys before
/// `required` need not be there, and are 0 then.
fn read_keys<const N: usize>(text: &str, keys: [&str; N], required: usize) -> Option<[u32; N]> {
    let mut numbers = [None; N];
    let pairs = text.split([',', ' ']).filter(|pair| !pair.is_empty());
    for pair in pairs {
        let (key, number) = pair.split_once('=')?;
        let at = keys.iter().position(|known| *known == key)?;
        numbers[at] = Some(
            number
                .parse()
                .ok()
                .filter(|&number: &u32| number <= 32_000)?,
        );
    }
    let all = numbers.iter().skip(required).all(Option::is_some);
    all.then(|| numbers.map(Option::unwrap_or_default))
}

impl FromStr for DrawRule {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let read = read_keys(text, ["movenumber", "movecount", "score"], 1);
        let [from_move, moves, score] = read
            .filter(|numbers| numbers[1] > 0)
            .ok_or_else(|| "expected movenumber=34,movecount=8,score=20".to_owned())?;
        Ok(Self {
            from_move,
            moves,
            score: score as i32,
        })
    }
}

impl fmt::Display for DrawRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            from_move,
            moves,
            score,
        } = self;
        write!(f, "movenumber={from_move},movecount={moves},score={score}")
    }
}

impl FromStr for ResignRule {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let [moves, score] = read_keys(text, ["movecount", "score"], 0)
            .filter(|numbers| numbers[0] > 0)
            .ok_or_else(|| "expected movecount=3,score=600".to_owned())?;
        Ok(Self {
            moves,
            score: score as i32,
        })
    }
}

impl fmt::Display for ResignRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "movecount={},score={}", self.moves, self.score)
    }
}

/// Options are written into journals as on the command line.
macro_rules! as_text {
    ($($kind:ty),*) => {$(
        impl serde::Serialize for $kind {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> serde::Deserialize<'de> for $kind {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = <String as serde::Deserialize>::deserialize(deserializer)?;
                text.parse().map_err(serde::de::Error::custom)
            }
        }
    )*};
}
as_text!(TimeControl, DrawRule, ResignRule);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_read_and_written() {
        for text in ["1+0.01", "60+0", "40/60+0.6"] {
            assert_eq!(text.parse::<TimeControl>().expect(text).to_string(), text);
        }
        for text in ["", "x", "0+1", "1+-1", "0/1+1", "1+1+1"] {
            assert!(text.parse::<TimeControl>().is_err(), "{text}");
        }
        let draw = "movenumber=34,movecount=8,score=20";
        assert_eq!(draw.parse::<DrawRule>().expect(draw).to_string(), draw);
        let other: DrawRule = "score=20 movecount=8".parse().expect("without a number");
        assert_eq!(other.from_move, 0);
        let resign = "movecount=3,score=600";
        assert_eq!(
            resign.parse::<ResignRule>().expect(resign).to_string(),
            resign
        );
        for text in [
            "",
            "3",
            "movecount=3",
            "movecount=0,score=1",
            "score=1,moves=3",
        ] {
            assert!(text.parse::<ResignRule>().is_err(), "{text}");
            assert!(text.parse::<DrawRule>().is_err(), "{text}");
        }
    }
}
