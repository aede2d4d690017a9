//! Players, the transports by which they reach the referee, and the dialects that they speak.

use std::fmt;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::core::secret::Secret;
use crate::core::text::shown;

/// The speed of a serial line if the event file does not say.
const BAUD: u32 = 9600;

/// A player that is known by name.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Player {
    /// The name it signs on with.
    pub name: String,
    /// The command that starts it, if the referee is to do that: `{host}`, `{port}`, `{address}` and
    /// `{name}` are replaced.
    pub command: Option<String>,
    /// How many of its games may run at the same time, each on a connection of its own.
    pub instances: Option<usize>,
    /// The hash of the token that proves who it is.
    pub token: Option<Secret>,
    /// The speed of its machine in nodes a second, as `epode bench` prints it there. It counts instead of
    /// what the player says.
    pub speed: Option<u64>,
    /// It connects through a pair of named pipes, which the referee makes: it writes `BASE.pc0` and
    /// reads `BASE.pc1`.
    pub fifo: Option<PathBuf>,
    /// It connects through this serial line.
    pub serial: Option<PathBuf>,
    /// The speed of the serial line in baud.
    pub baud: Option<u32>,
    /// The referee talks to its command over standard input and output.
    #[serde(default)]
    pub stdio: bool,
    /// The dialect of the protocol that it speaks.
    #[serde(default)]
    pub dialect: Dialect,
    /// The rating that it enters with. Players of a Swiss or knockout event and of a ladder are seeded by it.
    pub rating: Option<u32>,
    /// Its rating in a ladder, which never changes.
    pub anchor: Option<u32>,
    /// Players of the same group are never paired, in Swiss events and ladders.
    pub group: Option<String>,
    /// The rounds of a Swiss event, from 1, in which it has asked for a bye of half the points.
    #[serde(default)]
    pub byes: Vec<usize>,
}

/// How a player reaches the referee.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Transport<'a> {
    /// TCP.
    Network,
    /// Two named pipes with this path and the ends `.pc0` and `.pc1`.
    Fifo(&'a Path),
    /// A serial line and its speed in baud.
    Serial(&'a Path, u32),
    /// Standard input and output of its command.
    Stdio,
}

impl fmt::Display for Transport<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Network => f.write_str("the network"),
            Self::Fifo(base) => {
                let base = shown(&base.to_string_lossy());
                write!(f, "the named pipes {base}.pc0 and {base}.pc1")
            }
            Self::Serial(device, baud) => {
                let device = shown(&device.to_string_lossy());
                write!(f, "the serial line {device} at {baud} baud")
            }
            Self::Stdio => f.write_str("standard input and output"),
        }
    }
}

/// The dialect of the protocol that a player speaks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Dialect {
    /// The protocol of the standard.
    #[default]
    Epd,
    /// What the standard author's EPD Kit understands of it.
    Kit,
}

/// A player whose transport makes no sense.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)]
pub enum TransportError {
    #[error("player {0:?} has {1} and {2}, expected one of fifo, serial and stdio")]
    TwoRoads(String, &'static str, &'static str),
    #[error("player {0:?} has stdio, but no command to talk to")]
    StdioWithoutCommand(String),
    #[error("player {0:?} has baud, but no serial line")]
    BaudWithoutSerial(String),
    #[error("player {0:?} has baud = 0, expected for example 9600")]
    NoBaud(String),
    #[error("player {0:?} has instances = {1}, but it can play only one game at a time by {2}")]
    Instances(String, usize, String),
    #[error("players {0:?} and {1:?} both have {2}")]
    SharedRoad(String, String, String),
    #[error(
        "player {0:?} has a token, which is for players on the network; {1} says already who it is"
    )]
    Token(String, String),
    #[error(
        "player {0:?} has dialect = \"kit\", but no fifo, serial or stdio: players of the EPD Kit give \
         no name, so each needs a dedicated connection"
    )]
    KitOnNetwork(String),
}

impl Player {
    /// The rating that it enters with.
    #[must_use]
    pub fn elo(&self) -> Option<u32> {
        self.anchor.or(self.rating)
    }

    /// How it reaches the referee.
    #[must_use]
    pub fn transport(&self) -> Transport<'_> {
        match (&self.fifo, &self.serial, self.stdio) {
            (Some(base), ..) => Transport::Fifo(base),
            (_, Some(device), _) => Transport::Serial(device, self.baud.unwrap_or(BAUD)),
            (.., true) => Transport::Stdio,
            (.., false) => Transport::Network,
        }
    }

    fn check_transport(&self) -> Result<(), TransportError> {
        let name = || self.name.clone();
        let transports = [
            ("fifo", self.fifo.is_some()),
            ("serial", self.serial.is_some()),
            ("stdio", self.stdio),
        ];
        let mut transports = transports.into_iter().filter(|&(_, has)| has);
        if let (Some((one, _)), Some((other, _))) = (transports.next(), transports.next()) {
            return Err(TransportError::TwoRoads(name(), one, other));
        }
        if self.stdio && self.command.is_none() {
            return Err(TransportError::StdioWithoutCommand(name()));
        }
        match (self.baud, &self.serial) {
            (Some(_), None) => return Err(TransportError::BaudWithoutSerial(name())),
            (Some(0), _) => return Err(TransportError::NoBaud(name())),
            _ => {}
        }
        let transport = self.transport();
        match transport {
            Transport::Network if self.dialect == Dialect::Kit => {
                return Err(TransportError::KitOnNetwork(name()));
            }
            Transport::Network => return Ok(()),
            Transport::Fifo(_) | Transport::Serial(..) => {
                if let Some(instances @ 2..) = self.instances {
                    return Err(TransportError::Instances(
                        name(),
                        instances,
                        transport.to_string(),
                    ));
                }
            }
            Transport::Stdio => {}
        }
        match self.token {
            Some(_) => Err(TransportError::Token(name(), transport.to_string())),
            None => Ok(()),
        }
    }
}

/// Checks the transports of all players, each by itself and against the others.
pub fn check(players: &[Player]) -> Result<(), TransportError> {
    for (i, player) in players.iter().enumerate() {
        player.check_transport()?;
        let file = |player: &Player| player.fifo.clone().or_else(|| player.serial.clone());
        let Some(ours) = file(player) else { continue };
        let mut others = players[..i].iter();
        if let Some(other) = others.find(|other| file(other).as_ref() == Some(&ours)) {
            let transport = player.transport().to_string();
            return Err(TransportError::SharedRoad(
                other.name.clone(),
                player.name.clone(),
                transport,
            ));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::config::Config;
    use crate::core::openings;

    fn read(ann: &str, bob: &str) -> Result<Config, String> {
        let text = format!(
            "event = \"x\"\nconcurrency = 4\n[[player]]\nname = \"Ann\"\n{ann}\n[[player]]\nname = \"Bob\"\n{bob}\n"
        );
        Config::read(&text).map_err(|error| error.to_string())
    }

    #[test]
    fn every_transport_is_understood() {
        let config = read("fifo = \"a\"", "serial = \"b\"\nbaud = 300").expect("sound");
        assert_eq!(
            config.players[0].transport(),
            Transport::Fifo(Path::new("a"))
        );
        assert_eq!(
            config.players[1].transport(),
            Transport::Serial(Path::new("b"), 300)
        );
        assert_eq!(config.games_at_once(), 1);
        let config = read("serial = \"a\"", "stdio = true\ncommand = \"x\"").expect("sound");
        assert_eq!(
            config.players[0].transport(),
            Transport::Serial(Path::new("a"), 9600)
        );
        assert_eq!(config.players[1].transport(), Transport::Stdio);
        assert_eq!(config.players[1].dialect, Dialect::Epd);
        // A command is started as often as the games need, except on a transport that carries one game.
        assert_eq!(config.instances(1), 4);
        let config = read("fifo = \"a\"\ncommand = \"x\"", "").expect("sound");
        assert_eq!(config.instances(0), 1);
    }

    #[test]
    fn contradictions_are_refused() {
        let token = format!("token = \"sha256:{}\"", "0".repeat(64));
        let kit = "dialect = \"kit\"";
        for (ann, bob, wanted) in [
            (
                "fifo = \"a\"\nserial = \"b\"",
                "",
                "player \"Ann\" has fifo and serial, expected one of",
            ),
            ("serial = \"a\"\nstdio = true", "", "has serial and stdio"),
            (
                "stdio = true",
                "",
                "player \"Ann\" has stdio, but no command",
            ),
            (
                "baud = 9600",
                "",
                "player \"Ann\" has baud, but no serial line",
            ),
            (
                "serial = \"a\"\nbaud = 0",
                "",
                "baud = 0, expected for example 9600",
            ),
            (
                "fifo = \"a\"\ninstances = 2",
                "",
                "instances = 2, but it can play only one game at a time by the named pipes",
            ),
            (
                "fifo = \"a\"",
                "fifo = \"a\"",
                "players \"Ann\" and \"Bob\" both have the named pipes a.pc0",
            ),
            (
                "serial = \"a\"",
                "serial = \"a\"\nbaud = 300",
                "both have the serial line a",
            ),
            (
                &format!("fifo = \"a\"\n{token}"),
                "",
                "has a token, which is for players on the network",
            ),
            (kit, "", "each needs a dedicated connection"),
            (
                "dialect = \"uci\"",
                "",
                "unknown variant `uci`, expected `epd` or `kit`",
            ),
        ] {
            let error = read(ann, bob).expect_err(wanted);
            assert!(error.contains(wanted), "{error}");
        }
    }

    /// A player of the kit begins every game from the starting position; moves may have been made.
    #[test]
    fn the_kit_cannot_set_up_positions() {
        let kit = read("fifo = \"a\"\ndialect = \"kit\"", "").expect("sound");
        let plain = read("fifo = \"a\"", "").expect("sound");
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - id \"start\";\n";
        let other = "4k3/8/8/8/8/8/4P3/4K3 w - - id \"pawn\";\n";
        let book = openings::read(
            &format!("{start}{other}"),
            16,
            movegen::CastlingMode::Standard,
        )
        .expect("openings");
        assert_eq!(plain.check_openings(&book), Ok(()));
        let error = kit
            .check_openings(&book)
            .expect_err("a position")
            .to_string();
        assert!(
            error.starts_with(
                "opening 2 does not begin from the starting position, but player \"Ann\""
            ) && error.contains("the EPD Kit cannot set up positions"),
            "{error}"
        );
        let games = openings::read(
            "[Event \"x\"]\n\n1. e4 e5 *\n",
            16,
            movegen::CastlingMode::Standard,
        )
        .expect("openings");
        assert_eq!(games[0].moves.len(), 2);
        assert_eq!(kit.check_openings(&games), Ok(()));
    }
}
