//! The event file, in TOML: its settings, their defaults and their checks.
//!
//! Settings that earlier versions called otherwise are refused with their present names
//! ([`Config::read`]); only the copy in the folder of an event that is being resumed may still have
//! the old names ([`Config::read_saved`]).

mod duration;
mod growing;
mod observer;
mod plan;
mod player;
pub mod presets;
mod time;

use std::fmt::{self, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use movegen::Position;
use serde::Deserialize;

use self::duration::duration;
pub use self::growing::{Acceleration, KnockoutSettings, LadderSettings, SwissSettings, TieBreaks};
pub use self::observer::{ObserverSettings, WhenCut};
pub use self::player::{Dialect, Player, Transport, TransportError};
use crate::core::adjudication::Adjudication;
use crate::core::broadcast::{Broadcast, Delay};
use crate::core::ending::DrawRule;
use crate::core::game::Rules;
use crate::core::normalization::TimeNormalization;
use crate::core::openings::Opening;
use crate::core::schedule::{self, OpeningOrder};
use crate::core::sprt;
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
    /// Number of seeds in a gauntlet: that many of the first players.
    #[serde(default = "one")]
    pub seeds: usize,
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
    #[serde(default = "one")]
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

const fn three() -> usize {
    3
}

const fn sixteen() -> usize {
    16
}

const fn five_percent() -> f64 {
    0.05
}

/// An event file that cannot be used.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[allow(missing_docs)]
pub enum ConfigError {
    /// Not TOML, or a setting of the wrong name or type; the message quotes the line.
    #[error("{0}")]
    Syntax(String),
    #[error("preset {0:?} is unknown, expected one of {1}")]
    Preset(String, String),
    #[error("two players have the name {0:?}")]
    TwoNames(String),
    #[error("a player has an empty name")]
    NoName,
    #[error("concurrency is 0, expected at least 1")]
    Concurrency,
    #[error("player {0:?} has instances = 0, expected at least 1")]
    Instances(String),
    #[error(transparent)]
    Transport(#[from] TransportError),
    #[error(
        "opening {1} does not begin from the starting position, but player {0:?} has dialect = \"kit\": \
         the EPD Kit cannot set up positions; use openings that are games from the starting position \
         (PGN), or none"
    )]
    KitOpening(String, usize),
    #[error("[adjudication]: mode is about tablebases, but there is no `tablebases`")]
    Mode,
    #[error("[openings]: start is {0}, expected from 1 to {1}, the number of openings")]
    OpeningStart(usize, usize),
    #[error("[openings]: start is 0, expected at least 1")]
    OpeningStartZero,
    #[error("ping is below 1s")]
    Ping,
    #[error("[time_normalization]: {0}")]
    TimeNormalization(&'static str),
    #[error("player {0:?} has speed = 0, expected nodes a second as `epode bench` prints them")]
    Speed(String),
    #[error("[observer]: {0}")]
    Observer(&'static str),
    #[error("[{0}] is about events with format = \"{0}\"")]
    OtherFormat(&'static str),
    #[error("`{0}` is about events with format = {1}")]
    OtherFormatKey(&'static str, &'static str),
    #[error("forbidden: no player has the name {0:?}")]
    Forbidden(String),
    #[error("player {0:?} has an anchor of {1} and a rating of {2}, expected one of them")]
    Anchor(String, u32, u32),
    #[error("player {0:?} has a bye in round {1}, expected a round from 1 to {2}")]
    Bye(String, usize, usize),
    #[error("[sprt]: {0}")]
    Sprt(#[from] sprt::SprtError),
    #[error("[sprt] compares two players, but the event has {0}")]
    SprtPlayers(usize),
    #[error(transparent)]
    Schedule(#[from] schedule::ScheduleError),
}

/// A setting that earlier versions had under another name.
struct Renamed {
    /// The table that it is in; empty for the top level.
    table: &'static str,
    old: &'static str,
    new: &'static str,
}

impl Renamed {
    const fn new(table: &'static str, old: &'static str, new: &'static str) -> Self {
        Self { table, old, new }
    }

    /// The table that the setting is in, if the file has it.
    fn table_in<'a>(&self, root: &'a mut toml::Table) -> Option<&'a mut toml::Table> {
        match self.table {
            "" => Some(root),
            name => root.get_mut(name)?.as_table_mut(),
        }
    }
}

const RENAMED: [Renamed; 8] = [
    Renamed::new("", "advice", "limits"),
    Renamed::new("", "cycles", "rounds"),
    Renamed::new("rules", "margin", "time_margin"),
    Renamed::new("rules", "grace", "reconnect_timeout"),
    Renamed::new("rules", "stall", "move_timeout"),
    Renamed::new("rules", "mate_wait", "mate_reply_timeout"),
    Renamed::new("rules", "sign_on", "sign_on_timeout"),
    Renamed::new("rules", "connections", "max_connections"),
];

/// A line for each setting of a file that has an old name, to follow an error message.
fn renamed_settings(text: &str) -> String {
    let Ok(mut root) = text.parse::<toml::Table>() else {
        return String::new();
    };
    let mut lines = String::new();
    for renamed in &RENAMED {
        let table = renamed.table_in(&mut root);
        if table.is_some_and(|table| table.contains_key(renamed.old)) {
            let _ = write!(
                lines,
                "\nthe setting `{}` is now called `{}`",
                renamed.old, renamed.new
            );
        }
    }
    lines
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
        for renamed in &RENAMED {
            if let Some(table) = renamed.table_in(&mut root)
                && !table.contains_key(renamed.new)
                && let Some(value) = table.remove(renamed.old)
            {
                table.insert(renamed.new.to_owned(), value);
            }
        }
        let config: Self = root.try_into().map_err(|_| error)?;
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
        if self.openings.as_ref().is_some_and(|book| book.start == 0) {
            return Err(ConfigError::OpeningStartZero);
        }
        if let Some(player) = self
            .players
            .iter()
            .find(|player| player.instances == Some(0))
        {
            return Err(ConfigError::Instances(player.name.clone()));
        }
        player::check(&self.players)?;
        self.check_growing()?;
        self.check_speeds()?;
        if self.rules.ping < Duration::from_secs(1) {
            return Err(ConfigError::Ping);
        }
        if let Some(observer) = &self.observer {
            observer.check().map_err(ConfigError::Observer)?;
        }
        if self.adjudication.mode.is_some() && self.adjudication.tablebases.is_none() {
            return Err(ConfigError::Mode);
        }
        schedule::schedule(&self.pairings(1))?;
        if let Some(sprt) = &self.sprt {
            sprt.test()?;
            if self.player_count() != 2 {
                return Err(ConfigError::SprtPlayers(self.player_count()));
            }
        }
        Ok(())
    }

    /// Checks that all players can play these openings, and that there are as many as the event begins with.
    pub fn check_openings(&self, openings: &[Opening]) -> Result<(), ConfigError> {
        let start = self.openings.as_ref().map_or(1, |book| book.start);
        if start > openings.len() {
            return Err(ConfigError::OpeningStart(start, openings.len()));
        }
        let mut players = self.players.iter();
        let kit = players.find(|player| player.dialect == Dialect::Kit);
        let placed = openings
            .iter()
            .position(|opening| opening.start != Position::start());
        match (kit, placed) {
            (Some(player), Some(opening)) => {
                Err(ConfigError::KitOpening(player.name.clone(), opening + 1))
            }
            _ => Ok(()),
        }
    }

    /// How many games of a player may run at the same time. If the event file does not say, a player
    /// that the referee starts is started as often as it takes to keep all games of
    /// [`Config::concurrency`] running; any other player has one connection.
    #[must_use]
    pub fn instances(&self, player: usize) -> usize {
        let Some(player) = self.players.get(player) else {
            return 1;
        };
        let needed = || (2 * self.concurrency).div_ceil(self.player_count());
        let by_default = match player.transport() {
            Transport::Network | Transport::Stdio => {
                player.command.as_ref().map_or(1, |_| needed())
            }
            Transport::Fifo(_) | Transport::Serial(..) => 1,
        };
        player.instances.unwrap_or(by_default).min(self.concurrency)
    }

    /// The number of games that can really run at the same time: each takes an instance of either of
    /// two players who meet.
    #[must_use]
    pub fn games_at_once(&self) -> usize {
        let instances: Vec<_> = (0..self.player_count())
            .map(|player| self.instances(player))
            .collect();
        let total: usize = instances.iter().sum();
        let possible = match self.format {
            FormatName::Gauntlet => {
                let seeds: usize = instances[..self.seeds].iter().sum();
                seeds.min(total - seeds)
            }
            FormatName::RoundRobin
            | FormatName::Match
            | FormatName::Swiss
            | FormatName::Knockout
            | FormatName::Ladder => {
                let most = instances.iter().max().copied().unwrap_or(0);
                (total / 2).min(total - most)
            }
        };
        possible.min(self.concurrency)
    }

    /// The number of players, those of any name included.
    #[must_use]
    pub const fn player_count(&self) -> usize {
        self.players.len() + self.open_entries
    }

    /// The settings of the schedule, given the number of openings.
    #[must_use]
    pub fn pairings(&self, openings: usize) -> schedule::Settings {
        let rounds = self.rounds();
        let book = self.openings.as_ref();
        schedule::Settings {
            players: self.player_count(),
            format: match self.format {
                FormatName::RoundRobin => schedule::Format::RoundRobin { cycles: rounds },
                FormatName::Gauntlet => schedule::Format::Gauntlet {
                    seeds: self.seeds,
                    cycles: rounds,
                },
                FormatName::Match => schedule::Format::Match,
                FormatName::Swiss => schedule::Format::Swiss(self.swiss_schedule()),
                FormatName::Knockout => schedule::Format::Knockout(self.knockout_schedule()),
                FormatName::Ladder => schedule::Format::Ladder(self.ladder_schedule()),
            },
            games_per_pairing: self.games_per_pairing,
            openings,
            seed: self.seed,
            order: book.map_or(OpeningOrder::Random, |book| book.order),
            first_opening: book.map_or(0, |book| book.start.saturating_sub(1)),
        }
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

impl Config {
    /// How many games are played, and how many of them at the same time.
    fn describe_games(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let games = schedule::schedule(&self.pairings(1)).map_or(0, |games| games.len());
        match self.format {
            FormatName::RoundRobin => write!(f, "round robin, {games} games")?,
            FormatName::Gauntlet => write!(f, "gauntlet, {games} games")?,
            FormatName::Match => write!(f, "match, {games} games")?,
            FormatName::Swiss | FormatName::Knockout | FormatName::Ladder => {
                self.describe_growing(f)?;
            }
        }
        let at_once = self.games_at_once();
        write!(f, ", up to {at_once} at the same time")?;
        if at_once < self.concurrency {
            write!(
                f,
                " (concurrency is {}, but the players cannot play more games at once; see instances)",
                self.concurrency
            )?;
        }
        writeln!(f)
    }
}

/// Describes the event in words, for `check`.
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
            write!(f, " and {} with any name", self.open_entries)?;
        }
        let started = self
            .players
            .iter()
            .filter(|player| player.command.is_some())
            .count();
        writeln!(f, "; {started} started by the referee")?;
        if let Some(tls) = &self.tls {
            let certificate = tls.certificate.display();
            writeln!(f, "connections use TLS with the certificate {certificate}")?;
        }
        if let Some(http) = &self.http {
            let Broadcast {
                delay,
                show_thinking,
            } = self.broadcast;
            let thinking = match (show_thinking, delay) {
                (false, Delay::None | Delay::Plies(_)) => "after the opponent's reply",
                _ => "at once",
            };
            writeln!(
                f,
                "page for viewers at http://{http}/, delay {delay}, evaluations and lines {thinking}"
            )?;
        }
        self.describe_games(f)?;
        let tie_breaks: Vec<_> = self.tie_breaks().iter().map(ToString::to_string).collect();
        if !tie_breaks.is_empty() {
            writeln!(f, "tie-breaks: {}", tie_breaks.join(", "))?;
        }
        if self.variant != Variant::Standard {
            writeln!(f, "variant {}", self.variant)?;
        }
        writeln!(
            f,
            "time control {}, time margin {:?}",
            self.time_control.0, self.rules.time_margin
        )?;
        self.describe_speeds(f)?;
        writeln!(
            f,
            "pauses: {:?} before each game, {:?} after each game",
            self.delays.reset, self.delays.conclude
        )?;
        let draws = match self.rules.draws {
            DrawRule::Automatic => {
                "threefold repetition and the fifty-move rule end a game automatically"
            }
            DrawRule::Claims => {
                "players must claim draws by threefold repetition and the fifty-move rule"
            }
        };
        writeln!(f, "{draws}")?;
        if let Some(moves) = self.adjudication.max_moves {
            writeln!(f, "a game is drawn after {moves} moves of each side")?;
        }
        match &self.openings {
            Some(openings) => {
                let file = openings.file.display();
                match openings.order {
                    OpeningOrder::Random => write!(f, "openings from {file}, seed {}", self.seed)?,
                    OpeningOrder::Sequential => {
                        write!(f, "openings from {file}, in its own order")?;
                    }
                }
                if openings.start > 1 {
                    write!(f, ", from number {} on", openings.start)?;
                }
            }
            None => match self.variant {
                Variant::Standard => write!(f, "every game begins from the starting position")?,
                Variant::Chess960 | Variant::Dfrc => {
                    write!(f, "starting positions drawn by seed {}", self.seed)?;
                }
            },
        }
        if let Some(observer) = &self.observer {
            write!(f, "\n{observer}")?;
        }
        if let Some(Ok(test)) = self.sprt.as_ref().map(Sprt::test) {
            write!(f, "\n{test}")?;
        }
        Ok(())
    }
}

/// The commented event file that `init` writes.
pub const TEMPLATE: &str = include_str!("../../event.toml");

#[cfg(test)]
mod tests;
