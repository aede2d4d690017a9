//! The rules of a chess clock, written as in the PGN tag `TimeControl` (PGN standard 9.6.1,
//! decision 39).
//!
//! ```
//! use epode_epd::protocol::time_control::TimeControl;
//! use std::time::Duration;
//!
//! let control: TimeControl = "40/7200:3600".parse()?;
//! assert_eq!(control.allotted(0, Duration::ZERO), Some(Duration::from_secs(7200)));
//! assert_eq!(control.allotted(40, Duration::ZERO), Some(Duration::from_secs(10_800)));
//! assert_eq!(control.moves_to_go(38), Some(2));
//! # Ok::<(), epode_epd::protocol::time_control::TimeControlError>(())
//! ```

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// The time for a number of moves, or for the rest of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Stage {
    /// The moves to be made in this time; `None` for the rest of the game.
    pub moves: Option<u32>,
    /// The time for them.
    pub time: Duration,
    /// The time that each move adds.
    pub increment: Duration,
}

/// The rules of a clock.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum TimeControl {
    /// `?`: unknown.
    #[default]
    Unknown,
    /// `-`: no clock.
    None,
    /// `40/7200:3600`, `300+2`: one stage after the other. The last is repeated if it has moves.
    Stages(Vec<Stage>),
    /// `*60`: an hourglass. Each side gains the time that the other one uses.
    Hourglass(Duration),
}

/// The text is not a time control.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{found:?} is not a time control: expected seconds (300), with an increment (300+2), moves and \
     seconds (40/7200), stages (40/7200:3600), an hourglass (*60), - or ?"
)]
pub struct TimeControlError {
    /// The text.
    pub found: String,
}

impl TimeControl {
    /// The total time that a side has received after a number of moves (decision 40). The hourglass adds
    /// the time that the opponent has used. `None` without a clock.
    #[must_use]
    pub fn allotted(&self, moves: u32, used_by_opponent: Duration) -> Option<Duration> {
        match self {
            Self::Unknown | Self::None => None,
            Self::Hourglass(time) => Some(*time + used_by_opponent),
            Self::Stages(stages) => {
                let mut allotted = Duration::ZERO;
                let mut left = moves;
                for stage in Self::in_order(stages) {
                    allotted += stage.time;
                    let made = stage.moves.map_or(left, |moves| moves.min(left));
                    allotted += stage.increment * made;
                    left -= made;
                    if stage.moves.is_none_or(|moves| made < moves) {
                        break;
                    }
                }
                Some(allotted)
            }
        }
    }

    /// The moves until the next stage, for a side that has made a number of moves.
    #[must_use]
    pub fn moves_to_go(&self, moves: u32) -> Option<u32> {
        let Self::Stages(stages) = self else {
            return None;
        };
        let mut left = moves;
        for stage in Self::in_order(stages) {
            let of_stage = stage.moves?;
            if left < of_stage {
                return Some(of_stage - left);
            }
            left -= of_stage;
        }
        None
    }

    /// The time that the next move adds, for a side that has made a number of moves.
    #[must_use]
    pub fn increment(&self, moves: u32) -> Duration {
        let Self::Stages(stages) = self else {
            return Duration::ZERO;
        };
        let mut left = moves;
        for stage in Self::in_order(stages) {
            match stage.moves {
                Some(moves) if left >= moves => left -= moves,
                _ => return stage.increment,
            }
        }
        Duration::ZERO
    }

    /// The stages; the last one is repeated without end.
    fn in_order(stages: &[Stage]) -> impl Iterator<Item = &Stage> {
        stages.iter().chain(stages.last().into_iter().cycle())
    }
}

/// Reads seconds, perhaps with a decimal point, of up to three centuries.
fn seconds(text: &str) -> Option<Duration> {
    let plain = text
        .bytes()
        .all(|byte| byte.is_ascii_digit() || byte == b'.');
    let number: f64 = plain.then(|| text.parse().ok()).flatten()?;
    (number < 1e10).then(|| Duration::from_secs_f64(number))
}

fn stage(text: &str) -> Option<Stage> {
    let (moves, time) = match text.split_once('/') {
        Some((moves, time)) => (Some(moves.parse().ok().filter(|&moves| moves > 0)?), time),
        None => (None, text),
    };
    let (time, increment) = time.split_once('+').unwrap_or((time, "0"));
    let stage = Stage {
        moves,
        time: seconds(time)?,
        increment: seconds(increment)?,
    };
    (stage.time + stage.increment > Duration::ZERO).then_some(stage)
}

impl FromStr for TimeControl {
    type Err = TimeControlError;

    fn from_str(text: &str) -> Result<Self, TimeControlError> {
        let read = || match text {
            "?" => Some(Self::Unknown),
            "-" => Some(Self::None),
            _ => {
                if let Some(time) = text.strip_prefix('*') {
                    let time = seconds(time).filter(|time| !time.is_zero())?;
                    return Some(Self::Hourglass(time));
                }
                let stages: Vec<_> = text.split(':').map(stage).collect::<Option<_>>()?;
                // Only the last stage may have no number of moves.
                let (_, before) = stages.split_last()?;
                let ends = before.iter().all(|stage| stage.moves.is_some());
                ends.then_some(Self::Stages(stages))
            }
        };
        read().ok_or_else(|| TimeControlError {
            found: text.to_owned(),
        })
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown => f.write_str("?"),
            Self::None => f.write_str("-"),
            Self::Hourglass(time) => write!(f, "*{}", time.as_secs_f64()),
            Self::Stages(stages) => {
                for (i, stage) in stages.iter().enumerate() {
                    if i > 0 {
                        f.write_str(":")?;
                    }
                    if let Some(moves) = stage.moves {
                        write!(f, "{moves}/")?;
                    }
                    write!(f, "{}", stage.time.as_secs_f64())?;
                    if !stage.increment.is_zero() {
                        write!(f, "+{}", stage.increment.as_secs_f64())?;
                    }
                }
                Ok(())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn control(text: &str) -> TimeControl {
        text.parse().expect(text)
    }

    #[test]
    fn time_controls_round_trip() {
        for text in [
            "?",
            "-",
            "300",
            "300+2",
            "1+0.01",
            "40/7200:3600",
            "40/7200",
            "*60",
            "40/5400+30:20/3600:900+30",
        ] {
            assert_eq!(control(text).to_string(), text);
        }
        for text in [
            "",
            "x",
            "-1",
            "+2",
            "0",
            "40/",
            "/60",
            "0/60",
            "300:40/60",
            "1e3",
            "*0",
            "*",
            "1..2",
            "60:",
            "99999999999",
        ] {
            let error = text.parse::<TimeControl>().expect_err(text);
            assert!(
                error
                    .to_string()
                    .starts_with(&format!("{text:?} is not a time control"))
            );
        }
    }

    #[test]
    fn stages_follow_each_other() {
        let seconds = |control: &TimeControl, moves| {
            control
                .allotted(moves, Duration::ZERO)
                .expect("a clock")
                .as_secs()
        };
        let fischer = control("300+2");
        assert_eq!(
            [0, 1, 10].map(|moves| seconds(&fischer, moves)),
            [300, 302, 320]
        );
        assert_eq!(
            (fischer.moves_to_go(5), fischer.increment(5)),
            (None, Duration::from_secs(2))
        );
        let repeated = control("40/60");
        assert_eq!(
            [0, 39, 40, 79, 80].map(|moves| seconds(&repeated, moves)),
            [60, 60, 120, 120, 180]
        );
        assert_eq!(
            [0, 39, 40].map(|moves| repeated.moves_to_go(moves)),
            [Some(40), Some(1), Some(40)]
        );
        let staged = control("40/60+1:20/30:10+3");
        assert_eq!(
            [39, 40, 59, 60, 62].map(|moves| seconds(&staged, moves)),
            [99, 130, 130, 140, 146]
        );
        assert_eq!(
            [59, 60].map(|moves| staged.moves_to_go(moves)),
            [Some(1), None]
        );
        assert_eq!(
            [39, 40, 60].map(|moves| staged.increment(moves).as_secs()),
            [1, 0, 3]
        );
        assert_eq!(control("-").allotted(0, Duration::ZERO), None);
    }

    #[test]
    fn an_hourglass_adds_the_time_of_the_opponent() {
        let allotted = control("*60").allotted(7, Duration::from_secs(25));
        assert_eq!(allotted, Some(Duration::from_secs(85)));
    }
}
