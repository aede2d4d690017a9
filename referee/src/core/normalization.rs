//! Normalised time: a player on a slow machine gets more time, one on a fast machine less.
//!
//! The event states the speed that its time control is meant for. The base times and increments of a
//! player are multiplied by that speed over its own, within limits; numbers of moves stay. A player whose
//! speed is not known gets the time control of the event.

use std::time::Duration;

use epd::protocol::time_control::{Stage, TimeControl};
use serde::{Deserialize, Serialize};

/// How time is normalised.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct TimeNormalization {
    /// The speed that the time control is meant for, in nodes a second as `epode bench` prints them.
    pub speed: u64,
    /// The least factor and the greatest one.
    #[serde(default = "usual_limits")]
    pub limits: [f64; 2],
}

const fn usual_limits() -> [f64; 2] {
    [0.5, 2.0]
}

impl TimeNormalization {
    /// What is wrong with the settings, if anything is.
    pub fn check(&self, control: &TimeControl) -> Result<(), &'static str> {
        let [least, greatest] = self.limits;
        if self.speed == 0 {
            return Err("speed is 0, expected nodes a second");
        }
        if !(least > 0.0 && least <= 1.0 && (1.0..=100.0).contains(&greatest)) {
            return Err(
                "limits are expected as [LEAST, GREATEST]: from above 0 to 1, and from 1 to 100",
            );
        }
        match control {
            TimeControl::None | TimeControl::Unknown => {
                Err("there is no time control to normalise")
            }
            TimeControl::Stages(_) | TimeControl::Hourglass(_) => Ok(()),
        }
    }

    /// The factor for a player with this speed.
    #[must_use]
    pub fn factor(&self, speed: Option<u64>) -> f64 {
        let [least, greatest] = self.limits;
        speed.map_or(1.0, |speed| {
            (self.speed as f64 / speed as f64).clamp(least, greatest)
        })
    }
}

/// A time control with all times multiplied, in whole milliseconds.
#[must_use]
pub fn scaled(control: &TimeControl, factor: f64) -> TimeControl {
    // What need not change is not rounded either.
    if (factor - 1.0).abs() < f64::EPSILON {
        return control.clone();
    }
    let scaled = |time: Duration| {
        if time.is_zero() {
            return time;
        }
        let milliseconds = (time.as_secs_f64() * 1000.0 * factor).round();
        Duration::from_millis((milliseconds as u64).max(1))
    };
    match control {
        TimeControl::Stages(stages) => {
            let stages = stages.iter().map(|stage| Stage {
                moves: stage.moves,
                time: scaled(stage.time),
                increment: scaled(stage.increment),
            });
            TimeControl::Stages(stages.collect())
        }
        TimeControl::Hourglass(time) => TimeControl::Hourglass(scaled(*time)),
        TimeControl::None | TimeControl::Unknown => control.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn control(text: &str) -> TimeControl {
        text.parse().expect(text)
    }

    #[test]
    fn factors_have_limits() {
        let normalization = TimeNormalization {
            speed: 1_000_000,
            limits: usual_limits(),
        };
        for (speed, factor) in [
            (None, 1.0),
            (Some(1_000_000), 1.0),
            (Some(800_000), 1.25),
            (Some(1), 2.0),
            (Some(1_600_000), 0.625),
            (Some(u64::MAX), 0.5),
        ] {
            let difference: f64 = normalization.factor(speed) - factor;
            assert!(difference.abs() < 1e-12, "{speed:?}");
        }
    }

    #[test]
    fn times_change_and_moves_stay() {
        for (text, factor, expected) in [
            ("60+0.5", 2.0, "120+1"),
            ("60+0.5", 1.0, "60+0.5"),
            (
                "40/5400+30:20/3600:900+30",
                0.5,
                "40/2700+15:20/1800:450+15",
            ),
            ("10", 2.0 / 3.0, "6.667"),
            ("*60", 1.5, "*90"),
            ("0+1", 0.001, "0+0.001"),
            ("1+0.001", 0.1, "0.1+0.001"),
            ("0.0005", 1.0, "0.0005"),
            ("-", 2.0, "-"),
        ] {
            assert_eq!(
                scaled(&control(text), factor).to_string(),
                expected,
                "{text}"
            );
        }
    }

    #[test]
    fn settings_that_make_no_sense() {
        let check =
            |speed, limits, text: &str| TimeNormalization { speed, limits }.check(&control(text));
        assert_eq!(check(1, [0.5, 2.0], "60"), Ok(()));
        assert_eq!(check(1, [1.0, 1.0], "*60"), Ok(()));
        for (speed, limits, text, expected) in [
            (0, [0.5, 2.0], "60", "speed is 0"),
            (1, [0.0, 2.0], "60", "limits are expected"),
            (1, [2.0, 0.5], "60", "limits are expected"),
            (1, [0.5, 0.9], "60", "limits are expected"),
            (1, [f64::NAN, 2.0], "60", "limits are expected"),
            (1, [0.5, f64::INFINITY], "60", "limits are expected"),
            (1, [0.5, 2.0], "-", "there is no time control"),
        ] {
            let error = check(speed, limits, text).expect_err(expected);
            assert!(error.starts_with(expected), "{error}");
        }
    }

    proptest! {
        /// What is written is read again without a loss: the journal has it as text.
        #[test]
        fn scaled_controls_are_exact(base in 1..7_200_000_u64, increment in 0..60_000_u64, factor in 0.1..10.0) {
            let stage = Stage {
                moves: None,
                time: Duration::from_millis(base),
                increment: Duration::from_millis(increment),
            };
            let scaled = scaled(&TimeControl::Stages(vec![stage]), factor);
            prop_assert_eq!(control(&scaled.to_string()), scaled);
        }
    }
}
