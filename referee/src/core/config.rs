//! The event file, in TOML: its settings, their defaults and their checks.
//!
//! Settings that earlier versions called otherwise are refused with their present names
//! ([`Config::read`]); only the copy in the folder of an event that is being resumed may still have
//! the old names ([`Config::read_saved`]).

mod check;
mod command;
mod describe;
pub(crate) mod duration;
mod error;
mod growing;
mod observer;
mod pairings;
mod placeholders;
mod plan;
mod player;
pub mod presets;
mod renamed;
mod tables;
mod time;

use std::path::{Path, PathBuf};

use serde::Deserialize;

pub use self::error::ConfigError;
pub use self::growing::{Acceleration, KnockoutSettings, LadderSettings, SwissSettings, TieBreaks};
pub use self::observer::{ObserverSettings, WhenCut};
pub use self::placeholders::{replace_placeholders, unknown_placeholder};
pub use self::player::{Dialect, Player, Transport, TransportError};
use self::renamed::{rename_settings, renamed_settings};
pub use self::tables::{Delays, Limits, Openings, RuleSettings, Sprt, TlsFiles};
use crate::core::adjudication::Adjudication;
use crate::core::broadcast::Broadcast;
use crate::core::game::Rules;
use crate::core::normalization::TimeNormalization;
pub use crate::core::time_control::Control;
use crate::core::variant::Variant;

/// The settings of an event.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// The name of the event.
    pub event: String,
    /// The rules of a known event, for the settings that the file does not have ([`presets`]).
    pub preset: Option<String>,
    /// Where it takes place.
    #[serde(default = "unknown")]
    pub site: String,
    /// Address that players connect to; port 0 lets the system choose.
    #[serde(default = "listen")]
    pub listen: String,
    /// The certificate of the event, if players connect by TLS.
    pub tls: Option<TlsFiles>,
    /// Address of the page on which the event can be watched; without it, there is none.
    pub http: Option<String>,
    /// What the page shows, and when.
    #[serde(default)]
    pub broadcast: Broadcast,
    /// Folder for all output, relative to the event file; by default the file's name without `.toml`.
    pub directory: Option<PathBuf>,
    /// Time control, in PGN notation.
    #[serde(default)]
    pub time_control: Control,
    /// Whether and how players on slow machines get more time.
    pub time_normalization: Option<TimeNormalization>,
    /// Search limits that players are asked to respect; the referee cannot check that they do.
    #[serde(default)]
    pub limits: Limits,
    /// Who meets whom.
    #[serde(default)]
    pub format: FormatName,
    /// How many times the players of a round robin or gauntlet meet; in a Swiss event, the number of rounds
    /// ([`Config::rounds`]).
    pub rounds: Option<usize>,
    /// Games each time two players meet.
    #[serde(default = "two")]
    pub games_per_pairing: usize,
    /// Number of seeds in a gauntlet: that many of the first players ([`Config::seeds`]).
    pub seeds: Option<usize>,
    /// How the rounds of a Swiss event are paired.
    pub swiss: Option<SwissSettings>,
    /// How the matches of a knockout are decided.
    pub knockout: Option<KnockoutSettings>,
    /// When a ladder ends.
    pub ladder: Option<LadderSettings>,
    /// Lists of players who never meet, in Swiss events and ladders.
    #[serde(default)]
    pub forbidden: Vec<Vec<String>>,
    /// What decides between players of a Swiss event, a round robin or a gauntlet who have as many points.
    #[serde(default)]
    pub tie_breaks: TieBreaks,
    /// Number of games played at the same time.
    #[serde(default = "tables::one")]
    pub concurrency: usize,
    /// Random seed for the order of openings.
    #[serde(default)]
    pub seed: u64,
    /// Which chess is played.
    #[serde(default)]
    pub variant: Variant,
    /// Where games begin; by default from the starting position, or from the starting positions of the
    /// variant.
    pub openings: Option<Openings>,
    /// Pauses that give players time to get ready.
    #[serde(default)]
    pub delays: Delays,
    /// Draw rules and timeouts.
    #[serde(default)]
    pub rules: RuleSettings,
    /// When games are adjudicated.
    #[serde(default)]
    pub adjudication: Adjudication,
    /// A test that stops the event as soon as it is decided.
    pub sprt: Option<Sprt>,
    /// A second referee that follows the event and can take over.
    pub observer: Option<ObserverSettings>,
    /// The players that are known by name.
    #[serde(default, rename = "player")]
    pub players: Vec<Player>,
    /// Number of places for players of any name.
    #[serde(default)]
    pub open_entries: usize,
    /// How many times in a row the referee restarts a player's program after it has exited.
    #[serde(default = "three")]
    pub restarts: usize,
}

/// Who meets whom.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FormatName {
    /// Everyone meets everyone.
    #[default]
    RoundRobin,
    /// The seeds meet everyone else.
    Gauntlet,
    /// Two players meet.
    Match,
    /// Players with as many points meet, round by round.
    Swiss,
    /// Who loses a match is out.
    Knockout,
    /// Whoever is present is paired, without end.
    Ladder,
}

impl FormatName {
    /// As the event file has it.
    const fn quoted(self) -> &'static str {
        match self {
            Self::RoundRobin => "\"round-robin\"",
            Self::Gauntlet => "\"gauntlet\"",
            Self::Match => "\"match\"",
            Self::Swiss => "\"swiss\"",
            Self::Knockout => "\"knockout\"",
            Self::Ladder => "\"ladder\"",
        }
    }
}

fn unknown() -> String {
    "?".to_owned()
}

fn listen() -> String {
    "127.0.0.1:0".to_owned()
}

const fn two() -> usize {
    2
}

const fn three() -> usize {
    3
}

impl Config {
    /// Reads the text of an event file. Old names of settings are refused; the message has the new
    /// ones.
    pub fn read(text: &str) -> Result<Self, ConfigError> {
        let config: Self = toml::from_str(text)
            .map_err(|error| ConfigError::Syntax(format!("{error}{}", renamed_settings(text))))?;
        let config = match &config.preset {
            Some(name) => Self::with_preset(name, text)?,
            None => config,
        };
        config.check()?;
        Ok(config)
    }

    /// Reads an event file that has this preset and is valid without it.
    fn with_preset(name: &str, text: &str) -> Result<Self, ConfigError> {
        let file = presets::merged(name, text).ok_or_else(|| {
            let names: Vec<_> = presets::names().map(|name| format!("{name:?}")).collect();
            ConfigError::Preset(name.to_owned(), names.join(", "))
        })?;
        Self::deserialize(file)
            .map_err(|error| ConfigError::Syntax(format!("with the preset {name:?}: {error}")))
    }

    /// Reads the copy of an event file in an event's folder. An event that an earlier version began can
    /// be resumed: old names of settings count as the new ones.
    pub fn read_saved(text: &str) -> Result<Self, ConfigError> {
        let error = match Self::read(text) {
            Err(error @ ConfigError::Syntax(_)) => error,
            result => return result,
        };
        let Ok(mut root) = text.parse::<toml::Table>() else {
            return Err(error);
        };
        rename_settings(&mut root);
        let config: Self = root.try_into().map_err(|_| error)?;
        config.check()?;
        Ok(config)
    }

    /// The rules of each game.
    #[must_use]
    pub fn rules(&self) -> Rules {
        Rules {
            draws: self.rules.draws,
            time_margin: self.rules.time_margin,
            mate_reply_timeout: self.rules.mate_reply_timeout,
            move_timeout: self.rules.move_timeout,
            reconnect_timeout: self.rules.reconnect_timeout,
            adjudication: self.adjudication.clone(),
            judge: None,
        }
    }

    /// The folder of the event whose file is at `path`.
    #[must_use]
    pub fn directory(&self, path: &Path) -> PathBuf {
        let folder = path.parent().unwrap_or(Path::new(""));
        match &self.directory {
            Some(directory) => folder.join(directory),
            None => path.with_extension(""),
        }
    }
}

/// The commented event file that `init` writes.
pub const TEMPLATE: &str = include_str!("../../event.toml");

#[cfg(test)]
mod tests;
