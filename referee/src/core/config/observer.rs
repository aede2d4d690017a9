//! `[observer]`: a second referee that follows the event and can take over.

use std::fmt;
use std::time::Duration;

use serde::Deserialize;

use super::duration::duration;
use crate::core::secret::Secret;

/// The shortest `takeover` and `replicas_timeout`: below, a busy machine looks like one that is gone.
const MIN_TIMEOUT: Duration = Duration::from_millis(100);

/// Who may observe, and what happens when the two referees lose each other.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ObserverSettings {
    /// The hash of the token by which the observer proves who it is.
    pub token: Secret,
    /// How many copies of a move there must be on other machines before players are told of it.
    #[serde(default)]
    pub replicas: usize,
    /// How long the referee waits for the copy.
    #[serde(default = "two_seconds", deserialize_with = "duration")]
    pub replicas_timeout: Duration,
    /// The observer takes over when the referee has been gone for this long.
    #[serde(default = "five_seconds", deserialize_with = "duration")]
    pub takeover: Duration,
    /// Who goes on when the two lose each other.
    #[serde(default)]
    pub when_cut: WhenCut,
}

/// Who goes on when the referee and its observer lose each other, and neither can know whether the other
/// one still runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WhenCut {
    /// The referee, without a copy. The observer takes over by itself only if the referee's machine answers
    /// that nobody listens there.
    #[default]
    Primary,
    /// The observer. The referee waits with stopped clocks until it has an observer again.
    Observer,
}

const fn two_seconds() -> Duration {
    Duration::from_secs(2)
}

const fn five_seconds() -> Duration {
    Duration::from_secs(5)
}

impl ObserverSettings {
    /// What is wrong with the settings, if anything.
    pub(super) const fn check(&self) -> Result<(), &'static str> {
        if self.replicas > 1 {
            return Err("replicas is above 1: there is one observer, expected 0 or 1");
        }
        if self.takeover.as_nanos() < MIN_TIMEOUT.as_nanos()
            || self.replicas_timeout.as_nanos() < MIN_TIMEOUT.as_nanos()
        {
            return Err("takeover or replicas_timeout is below 100ms");
        }
        if matches!(self.when_cut, WhenCut::Observer) && self.replicas == 0 {
            return Err(
                "when_cut = \"observer\" needs replicas = 1: only a referee that waits for its observer's copy \
                 tells nobody of moves that the observer does not have",
            );
        }
        Ok(())
    }
}

/// Describes the settings in words, for `check`.
impl fmt::Display for ObserverSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let takeover = self.takeover;
        write!(
            f,
            "an observer may follow the event and take over after {takeover:?}; "
        )?;
        let timeout = self.replicas_timeout;
        match (self.replicas, self.when_cut) {
            (0, _) => write!(
                f,
                "players do not wait for its copy, so that a take-over may cost the last moves"
            ),
            (_, WhenCut::Primary) => write!(
                f,
                "players are told of a move when it has a copy; without an observer the referee goes on alone after \
                 {timeout:?}"
            ),
            (_, WhenCut::Observer) => write!(
                f,
                "players are told of a move when it has a copy; without an observer all games wait"
            ),
        }
    }
}
