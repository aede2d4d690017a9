//! The tables of an event file: certificate, search limits, openings, pauses, rules and SPRT.

use std::path::PathBuf;
use std::time::Duration;

use serde::Deserialize;

use super::duration::duration;
use crate::core::ending::DrawRule;
use crate::core::game::Rules;
use crate::core::schedule::OpeningOrder;
use crate::core::sprt;

pub(super) const fn one() -> usize {
    1
}

/// The files of a certificate, relative to the event file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TlsFiles {
    /// The certificate in PEM form, and after it those of the authorities in between.
    pub certificate: PathBuf,
    /// Its private key in PEM form.
    pub key: PathBuf,
}

/// Search limits for each move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Limits {
    /// Nodes.
    pub nodes: Option<u64>,
    /// Plies.
    pub depth: Option<u64>,
}

/// Where games begin.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Openings {
    /// A file of EPD records, FENs or PGN games, an opening repository or a Polyglot book, relative to the event
    /// file.
    pub file: PathBuf,
    /// Half-moves to take from each PGN game, or to follow a repository or a Polyglot book.
    #[serde(default = "sixteen")]
    pub plies: usize,
    /// In which order the openings are played.
    #[serde(default)]
    pub order: OpeningOrder,
    /// The number of the opening in this order that is played first, from 1.
    #[serde(default = "one")]
    pub start: usize,
}

/// Pauses that give players time to get ready (decision 28).
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Delays {
    /// After a player connects and before each game: between `reset` and what follows it.
    #[serde(deserialize_with = "duration")]
    pub reset: Duration,
    /// After each game: between `conclude` and the next game's `reset`.
    #[serde(deserialize_with = "duration")]
    pub conclude: Duration,
}

impl Default for Delays {
    fn default() -> Self {
        Self {
            reset: Duration::from_secs(5),
            conclude: Duration::from_secs(5),
        }
    }
}

/// Draw rules and timeouts.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RuleSettings {
    /// Whether draws by repetition and fifty moves must be claimed.
    pub draws: DrawRule,
    /// How late a move may arrive after the clock has run out.
    #[serde(deserialize_with = "duration")]
    pub time_margin: Duration,
    /// How long to wait until the mated side acknowledges the mate.
    #[serde(deserialize_with = "duration")]
    pub mate_reply_timeout: Duration,
    /// Longest time for a move where there is no time control.
    #[serde(deserialize_with = "duration")]
    pub move_timeout: Duration,
    /// A player that is disconnected for longer than this loses its game.
    #[serde(deserialize_with = "duration")]
    pub reconnect_timeout: Duration,
    /// A new connection must sign on within this time.
    #[serde(deserialize_with = "duration")]
    pub sign_on_timeout: Duration,
    /// Number of connections allowed at the same time.
    pub max_connections: usize,
    /// A peer that is cut off is noticed within about this time.
    #[serde(deserialize_with = "duration")]
    pub ping: Duration,
    /// Pause the event when a player forfeits so many games in a row; 0 for never.
    pub max_forfeits: usize,
    /// A player whose connection ends so many times in one game loses it; 0 for never.
    pub max_disconnections: usize,
}

impl Default for RuleSettings {
    fn default() -> Self {
        let rules = Rules::default();
        Self {
            draws: rules.draws,
            time_margin: rules.time_margin,
            mate_reply_timeout: rules.mate_reply_timeout,
            move_timeout: rules.move_timeout,
            reconnect_timeout: rules.reconnect_timeout,
            sign_on_timeout: Duration::from_secs(10),
            max_connections: 1024,
            ping: Duration::from_secs(5),
            max_forfeits: 3,
            max_disconnections: 3,
        }
    }
}

/// The hypotheses of a sequential probability ratio test, in Elo, and its error rates.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sprt {
    /// The Elo difference of the null hypothesis.
    pub elo0: f64,
    /// The Elo difference of the alternative hypothesis.
    pub elo1: f64,
    /// Probability of accepting `elo1` although `elo0` is true.
    #[serde(default = "five_percent")]
    pub alpha: f64,
    /// Probability of accepting `elo0` although `elo1` is true.
    #[serde(default = "five_percent")]
    pub beta: f64,
}

impl Sprt {
    /// The test that these settings describe.
    pub fn test(&self) -> Result<sprt::Sprt, sprt::SprtError> {
        sprt::Sprt::new(self.elo0, self.elo1, self.alpha, self.beta)
    }
}

const fn sixteen() -> usize {
    16
}

const fn five_percent() -> f64 {
    0.05
}
