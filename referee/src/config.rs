//! The file that describes an event, in TOML.

use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use epd::protocol::time_control::TimeControl;
use serde::Deserialize;

use crate::adjudication::Adjudication;
use crate::ending::DrawRule;
use crate::game::Rules;
use crate::pairing;

/// An event as its file has it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// The name of the event.
    pub event: String,
    /// Where it takes place.
    #[serde(default = "unknown")]
    pub site: String,
    /// Where players connect; port 0 is any.
    #[serde(default = "listen")]
    pub listen: String,
    /// Where everything is written; beside the file of the event, and named as it, if not given.
    pub directory: Option<PathBuf>,
    /// The time control, as PGN has it.
    #[serde(default)]
    pub time_control: Control,
    /// How far players are asked to search each move; nobody can check that they do.
    #[serde(default)]
    pub advice: Advice,
    /// Who meets whom.
    #[serde(default)]
    pub format: FormatName,
    /// How often everyone meets everyone.
    #[serde(default = "one")]
    pub cycles: usize,
    /// The games of two players when they meet.
    #[serde(default = "two")]
    pub games_per_pairing: usize,
    /// The seeds of a gauntlet: so many of the first players.
    #[serde(default = "one")]
    pub seeds: usize,
    /// The games that go on at the same time.
    #[serde(default = "one")]
    pub concurrency: usize,
    /// What the draw of openings depends on.
    #[serde(default)]
    pub seed: u64,
    /// Openings.
    pub openings: Option<Openings>,
    /// Pauses.
    #[serde(default)]
    pub delays: Delays,
    /// What the referee judges by.
    #[serde(default)]
    pub rules: RuleBook,
    /// Games that are ended by the evaluations of the players.
    #[serde(default)]
    pub adjudication: Adjudication,
    /// Bounds of a test that stops the event.
    pub sprt: Option<Sprt>,
    /// The players, the first one number 1.
    #[serde(default, rename = "player")]
    pub players: Vec<Player>,
    /// So many players of any name beside those of the list.
    #[serde(default)]
    pub open_entries: usize,
}

/// How far to search each move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Advice {
    /// Nodes.
    pub nodes: Option<u64>,
    /// Plies.
    pub depth: Option<u64>,
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
}

/// Where games begin.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Openings {
    /// A file of EPD records, FENs or PGN games, relative to the file of the event.
    pub file: PathBuf,
    /// The plies that are taken of a PGN game.
    #[serde(default = "sixteen")]
    pub plies: usize,
}

/// Pauses between records (decision 28).
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Delays {
    /// After a reset command.
    #[serde(deserialize_with = "duration")]
    pub reset: Duration,
    /// After a conclude command.
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

/// What the referee judges by.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RuleBook {
    /// Which draws need no claim.
    pub draws: DrawRule,
    /// How long after the flag a reply still counts.
    #[serde(deserialize_with = "duration")]
    pub margin: Duration,
    /// How long the mated side is waited for.
    #[serde(deserialize_with = "duration")]
    pub mate_wait: Duration,
    /// How long a move may take without a clock.
    #[serde(deserialize_with = "duration")]
    pub stall: Duration,
    /// How long a player may be away in a game.
    #[serde(deserialize_with = "duration")]
    pub grace: Duration,
    /// How long a connection may take to sign on.
    #[serde(deserialize_with = "duration")]
    pub sign_on: Duration,
    /// How many connections there may be at once.
    pub connections: usize,
}

impl Default for RuleBook {
    fn default() -> Self {
        let rules = Rules::default();
        Self {
            draws: rules.draws,
            margin: rules.margin,
            mate_wait: rules.mate_wait,
            stall: rules.stall,
            grace: rules.grace,
            sign_on: Duration::from_secs(10),
            connections: 1024,
        }
    }
}

/// The bounds of a sequential probability ratio test, in Elo.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sprt {
    /// The difference that is no gain.
    pub elo0: f64,
    /// The difference that is one.
    pub elo1: f64,
    /// How often a gain may be seen where there is none.
    #[serde(default = "five_percent")]
    pub alpha: f64,
    /// How often a gain may be overlooked.
    #[serde(default = "five_percent")]
    pub beta: f64,
}

/// A player of the list.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Player {
    /// The name it signs on with.
    pub name: String,
    /// The command that starts it, if the referee is to do that: `{host}`, `{port}`, `{address}` and
    /// `{name}` are replaced.
    pub command: Option<String>,
}

/// A time control in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Control(pub TimeControl);

impl Default for Control {
    fn default() -> Self {
        Self(TimeControl::None)
    }
}

impl<'de> Deserialize<'de> for Control {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map(Self).map_err(serde::de::Error::custom)
    }
}

fn unknown() -> String {
    "?".to_owned()
}

fn listen() -> String {
    "127.0.0.1:0".to_owned()
}

const fn one() -> usize {
    1
}

const fn two() -> usize {
    2
}

const fn sixteen() -> usize {
    16
}

const fn five_percent() -> f64 {
    0.05
}

/// Reads `5s`, `100ms`, `1min`.
fn duration<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Duration, D::Error> {
    let text = String::deserialize(deserializer)?;
    humantime::parse_duration(&text).map_err(|error| {
        serde::de::Error::custom(format!(
            "{text:?} is no time ({error}), expected 5s, 100ms, 1min"
        ))
    })
}

/// A file does not describe an event that can take place.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)]
pub enum ConfigError {
    /// With the place and the line, as the reader of TOML tells it.
    #[error("{0}")]
    Syntax(String),
    #[error("the name {0:?} is given to two players")]
    TwoNames(String),
    #[error("a player without a name")]
    NoName,
    #[error("concurrency 0, expected at least 1")]
    Concurrency,
    #[error("no time control and no time for a stalled move")]
    Endless,
    #[error(transparent)]
    Schedule(#[from] pairing::ScheduleError),
}

impl Config {
    /// Reads the text of a file.
    pub fn read(text: &str) -> Result<Self, ConfigError> {
        let config: Self =
            toml::from_str(text).map_err(|error| ConfigError::Syntax(error.to_string()))?;
        config.check()?;
        Ok(config)
    }

    fn check(&self) -> Result<(), ConfigError> {
        for (i, player) in self.players.iter().enumerate() {
            if player.name.trim().is_empty() {
                return Err(ConfigError::NoName);
            }
            if self.players[..i]
                .iter()
                .any(|other| other.name == player.name)
            {
                return Err(ConfigError::TwoNames(player.name.clone()));
            }
        }
        if self.concurrency == 0 {
            return Err(ConfigError::Concurrency);
        }
        pairing::schedule(&self.pairings(1))?;
        Ok(())
    }

    /// The players that there will be.
    #[must_use]
    pub const fn player_count(&self) -> usize {
        self.players.len() + self.open_entries
    }

    /// What the schedule is made from, given so many openings.
    #[must_use]
    pub const fn pairings(&self, openings: usize) -> pairing::Settings {
        let cycles = self.cycles;
        pairing::Settings {
            players: self.player_count(),
            format: match self.format {
                FormatName::RoundRobin => pairing::Format::RoundRobin { cycles },
                FormatName::Gauntlet => pairing::Format::Gauntlet {
                    seeds: self.seeds,
                    cycles,
                },
                FormatName::Match => pairing::Format::Match,
            },
            games_per_pairing: self.games_per_pairing,
            openings,
            seed: self.seed,
        }
    }

    /// The rules of each game.
    #[must_use]
    pub const fn rules(&self) -> Rules {
        Rules {
            draws: self.rules.draws,
            margin: self.rules.margin,
            mate_wait: self.rules.mate_wait,
            stall: self.rules.stall,
            grace: self.rules.grace,
            adjudication: self.adjudication,
        }
    }

    /// The folder of an event whose file lies at `path`.
    #[must_use]
    pub fn directory(&self, path: &Path) -> PathBuf {
        let folder = path.parent().unwrap_or(Path::new(""));
        match &self.directory {
            Some(directory) => folder.join(directory),
            None => path.with_extension(""),
        }
    }
}

/// Explains the event in words.
impl fmt::Display for Config {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} ({})", self.event, self.site)?;
        let names: Vec<_> = self
            .players
            .iter()
            .map(|player| player.name.as_str())
            .collect();
        write!(f, "{} players: {}", self.player_count(), names.join(", "))?;
        if self.open_entries > 0 {
            write!(f, " and {} of any name", self.open_entries)?;
        }
        let started = self
            .players
            .iter()
            .filter(|player| player.command.is_some())
            .count();
        writeln!(f, "; {started} started by the referee")?;
        let games = pairing::schedule(&self.pairings(1)).map_or(0, |games| games.len());
        let format = match self.format {
            FormatName::RoundRobin => "round robin",
            FormatName::Gauntlet => "gauntlet",
            FormatName::Match => "match",
        };
        writeln!(
            f,
            "{format}, {games} games, {} at the same time",
            self.concurrency
        )?;
        writeln!(
            f,
            "time control {}, margin {:?}",
            self.time_control.0, self.rules.margin
        )?;
        writeln!(
            f,
            "delays: {:?} after reset, {:?} after conclude",
            self.delays.reset, self.delays.conclude
        )?;
        let draws = match self.rules.draws {
            DrawRule::Automatic => "threefold repetition and fifty moves are draws",
            DrawRule::Claims => "threefold repetition and fifty moves must be claimed",
        };
        writeln!(f, "{draws}")?;
        match &self.openings {
            Some(openings) => write!(
                f,
                "openings from {}, seed {}",
                openings.file.display(),
                self.seed
            )?,
            None => write!(f, "every game begins from the start array")?,
        }
        Ok(())
    }
}

/// An event's file to begin with.
pub const TEMPLATE: &str = include_str!("../event.toml");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_template_is_an_event() {
        let config = Config::read(TEMPLATE).expect("sound");
        assert_eq!(config.players.len(), 2);
        assert!(config.to_string().contains("2 games"));
        // What the template says of defaults is so.
        let bare = "event = \"x\"\n[[player]]\nname = \"a\"\n[[player]]\nname = \"b\"\n";
        let bare = Config::read(bare).expect("sound");
        for (one, other) in [
            (bare.delays.reset, config.delays.reset),
            (bare.delays.conclude, config.delays.conclude),
            (bare.rules.margin, config.rules.margin),
            (bare.rules.grace, config.rules.grace),
            (bare.rules.stall, config.rules.stall),
            (bare.rules.mate_wait, config.rules.mate_wait),
            (bare.rules.sign_on, config.rules.sign_on),
        ] {
            assert_eq!(one, other);
        }
    }

    #[track_caller]
    fn refuses(text: &str, message: &str) {
        let error = Config::read(text).expect_err(text).to_string();
        assert!(error.contains(message), "{error}");
    }

    #[test]
    fn what_is_no_event() {
        let two = "event = \"x\"\n[[player]]\nname = \"a\"\n[[player]]\nname = \"b\"\n";
        refuses("", "missing field `event`");
        refuses("event = \"x\"", "0 players, expected at least 2");
        refuses(
            &two.replace("\"b\"", "\"a\""),
            "the name \"a\" is given to two players",
        );
        refuses(&two.replace("\"b\"", "\" \""), "a player without a name");
        refuses(
            &format!("tme_control = \"5\"\n{two}"),
            "unknown field `tme_control`",
        );
        refuses(
            &format!("time_control = \"5m\"\n{two}"),
            "\"5m\" is no time control",
        );
        refuses(&format!("concurrency = 0\n{two}"), "concurrency 0");
        refuses(
            &format!("{two}[rules]\nmargin = \"x\"\n"),
            "\"x\" is no time",
        );
        refuses(
            &format!("format = \"swiss\"\n{two}"),
            "unknown variant `swiss`",
        );
        let syntax = Config::read("event = \"x\nlisten = 1")
            .expect_err("open string")
            .to_string();
        assert!(syntax.contains("line 1, column"), "{syntax}");
    }

    #[test]
    fn where_an_event_is_kept() {
        let config = Config::read(TEMPLATE).expect("sound");
        assert_eq!(
            config.directory(Path::new("a/cup.toml")),
            Path::new("a/cup")
        );
        let elsewhere = Config {
            directory: Some("b".into()),
            ..config
        };
        assert_eq!(
            elsewhere.directory(Path::new("a/cup.toml")),
            Path::new("a/b")
        );
    }
}
