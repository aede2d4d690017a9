//! The time control of each player.

use std::fmt;

use epd::protocol::time_control::TimeControl;

use super::{Config, ConfigError};
use crate::core::normalization::{TimeNormalization, scaled};

impl Config {
    /// The time control of a player with this speed.
    #[must_use]
    pub fn time_control_of(&self, speed: Option<u64>) -> TimeControl {
        let control = &self.time_control.0;
        self.time_normalization
            .map_or_else(|| control.clone(), |it| scaled(control, it.factor(speed)))
    }

    pub(super) fn check_speeds(&self) -> Result<(), ConfigError> {
        if let Some(player) = self.players.iter().find(|player| player.speed == Some(0)) {
            return Err(ConfigError::Speed(player.name.clone()));
        }
        let control = &self.time_control.0;
        match &self.time_normalization {
            Some(it) => it.check(control).map_err(ConfigError::TimeNormalization),
            None => Ok(()),
        }
    }

    /// How time is normalised, and the speeds that the event file states.
    pub(super) fn describe_speeds(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(TimeNormalization { speed, limits }) = self.time_normalization {
            let [least, greatest] = limits;
            writeln!(
                f,
                "time is normalised to {speed} nodes a second of `epode bench`, by factors from {least} to \
                 {greatest}; a player whose speed is not known has the factor 1"
            )?;
        }
        for player in &self.players {
            let Some(speed) = player.speed else { continue };
            write!(f, "{} has {speed} nodes a second", player.name)?;
            if let Some(it) = &self.time_normalization {
                let (factor, control) = (it.factor(Some(speed)), self.time_control_of(Some(speed)));
                write!(f, ": factor {factor:.3}, time control {control}")?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(settings: &str, ann: &str) -> Result<Config, ConfigError> {
        Config::read(&format!(
            "event = \"x\"\n{settings}\n[[player]]\nname = \"Ann\"\n{ann}\n[[player]]\nname = \"Bob\"\n"
        ))
    }

    #[test]
    fn check_tells_all_known_factors() {
        let settings = "time_control = \"60+0.5\"\ntime_normalization = { speed = 1000000 }";
        let text = read(settings, "speed = 600000").expect("sound").to_string();
        let expected = "\ntime control 60+0.5, time margin 100ms\n\
             time is normalised to 1000000 nodes a second of `epode bench`, by factors from 0.5 to 2; a player \
             whose speed is not known has the factor 1\n\
             Ann has 600000 nodes a second: factor 1.667, time control 100+0.833\npauses";
        assert!(text.contains(expected), "{text}");
        let text = read("", "speed = 600000").expect("sound").to_string();
        assert!(text.contains("\nAnn has 600000 nodes a second\n"), "{text}");
    }

    #[test]
    fn wrong_speeds_are_refused() {
        for (settings, ann, expected) in [
            (
                "",
                "speed = 0",
                "player \"Ann\" has speed = 0, expected nodes a second",
            ),
            (
                "time_normalization = { speed = 1 }",
                "",
                "[time_normalization]: there is no time control",
            ),
            (
                "time_control = \"1\"\ntime_normalization = { speed = 1, limits = [1.5, 2] }",
                "",
                "[time_normalization]: limits are expected as [LEAST, GREATEST]",
            ),
            (
                "time_normalization = { limits = [0.5, 2] }",
                "",
                "missing field `speed`",
            ),
            (
                "time_normalization = { speed = 1, limit = 2 }",
                "",
                "unknown field `limit`",
            ),
        ] {
            let error = read(settings, ann).expect_err(expected).to_string();
            assert!(error.contains(expected), "{error}");
        }
    }
}
