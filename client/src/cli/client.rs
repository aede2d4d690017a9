//! Arguments of `epode client`.

use std::fs;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use anyhow::{Context, bail};
use clap::Args as Arguments;
use engine::Limits;
use epd::protocol::secret;
use trust::Trust;

use super::analysis::Engine;
use super::common::{BookFile, duration};
use crate::engines::strength::Strength;

#[derive(Debug, Arguments)]
#[command(after_help = "\
The referee sends the time control and the time used. Without a time control each move takes --time, \
--nodes or --depth. With --engine, another engine plays: a UCI engine, or with --protocol xboard one of \
xboard's protocol.

Examples:
  epode client localhost:5001 --name Epode
  epode client referee.example:5001 --name Stockfish --engine stockfish --reconnect
  epode client referee.example:5001 --name Phalanx --engine phalanx --protocol xboard
  epode client referee.example:5001 --tls --ca cup.crt --name Epode --password-file secret
  epode client one.example:5001,two.example:5001 --name Epode --reconnect
  epode client --fifo /tmp/duplex --name Epode --nodes 100000
  epode client host:5001 --name Stockfish --engine stockfish --book openings.epd --book-depth 8
  epode client host:5001 --name Epode --speed measure --machine 'old laptop'
  epode client host:5001 --name Epode --resign-score 900 --draw-score 5 --log records.log

An engine of --engine that dies or hangs is started again (--restarts). With --reconnect the client also \
leaves a connection on which nothing passes any more, and comes back.

Ctrl-C signs off and quits; press it again to quit at once.

Exit status: 0 if Ctrl-C closed the connection, or the referee after it had admitted the player; 2 if the \
referee refused the player, if there was no connection or it was lost, or if the engine failed.")]
#[allow(
    clippy::struct_excessive_bools,
    reason = "each is an option of its own"
)]
pub struct Client {
    /// Address of the referee; several, separated by commas, are tried in turn: the referee, and the second
    /// one that takes over when it fails
    #[arg(value_name = "HOST:PORT[,HOST:PORT]", value_parser = addresses, required_unless_present_any = ["fifo", "serial", "stdio"])]
    pub address: Option<String>,
    /// Name to play under
    #[arg(long, value_name = "NAME", default_value = "Epode")]
    pub name: String,
    /// Connect through two named pipes instead: BASE.pc0 is written, BASE.pc1 is read
    #[arg(long, value_name = "BASE", conflicts_with_all = ["address", "serial", "stdio"])]
    pub fifo: Option<PathBuf>,
    /// Connect through a serial line instead
    #[arg(long, value_name = "DEVICE", conflicts_with_all = ["address", "stdio"])]
    pub serial: Option<PathBuf>,
    /// Speed of the serial line in baud
    #[arg(long, default_value_t = 9600, requires = "serial")]
    pub baud: u32,
    /// Connect through standard input and output instead
    #[arg(long, conflicts_with = "address")]
    pub stdio: bool,
    /// Encrypt the connection by TLS, for an event with `tls` in its file
    #[arg(long, conflicts_with_all = ["fifo", "serial", "stdio"])]
    pub tls: bool,
    /// Trust the certificates in this PEM file, such as the referee's own (default: those of the system's
    /// authorities; for players that a referee starts the certificate in the file that it names by the
    /// environment variable `EPODE_TLS_CERTIFICATE`)
    #[arg(long, value_name = "FILE", requires = "tls")]
    pub ca: Option<PathBuf>,
    /// The name that the referee's certificate must have, if it is not HOST (at the end of a tunnel, for
    /// example)
    #[arg(long, value_name = "NAME", requires = "tls")]
    pub server_name: Option<String>,
    /// Time per move without a time control; a number without a unit is in seconds (default: 1s unless
    /// --nodes or --depth is given)
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub time: Option<Duration>,
    /// Nodes per move without a time control
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: Option<u64>,
    /// Search depth in plies without a time control
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=engine::MAX_PLY as i64))]
    pub depth: Option<u16>,
    /// Think on the opponent's time (ponder)
    #[arg(long)]
    pub ponder: bool,
    /// Move overhead to allow for, in addition to the measured lag; a number without a unit is in
    /// seconds
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "10ms")]
    pub overhead: Duration,
    #[command(flatten)]
    pub engine: Engine,
    #[command(flatten)]
    pub book: BookFile,
    /// Let the built-in engine play at about this rating instead of its full strength, on the scale of
    /// Stockfish's `UCI_Elo`
    #[arg(long, value_name = "RATING", conflicts_with = "engine", value_parser = clap::value_parser!(u32).range(i64::from(Strength::MIN_ELO)..=i64::from(Strength::MAX_ELO)))]
    pub elo: Option<u32>,
    /// Start the engine of --engine again when it dies or hangs, up to this many times; it goes on with the
    /// game while its clock runs. One more failure loses the game and ends the client
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub restarts: u32,
    /// Resign when this many centipawns behind
    #[arg(long, value_name = "CP", value_parser = clap::value_parser!(i32).range(1..=32_000))]
    pub resign_score: Option<i32>,
    /// Resign only after this many such moves in a row
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub resign_moves: u32,
    /// Offer a draw when the score is within this many centipawns of zero
    #[arg(long, value_name = "CP", value_parser = clap::value_parser!(i32).range(0..=32_000))]
    pub draw_score: Option<i32>,
    /// Offer a draw only after this many such moves in a row
    #[arg(long, value_name = "N", default_value_t = 8)]
    pub draw_moves: u32,
    /// Offer no draw before this move number
    #[arg(long, value_name = "MOVE", default_value_t = 40)]
    pub draw_after: u32,
    /// Accept and claim draws only when at least this many centipawns behind
    #[arg(
        long,
        value_name = "CP",
        default_value_t = 0,
        allow_negative_numbers = true
    )]
    pub contempt: i32,
    /// Send the analysis of each move to the referee: ce pv acd acn acs
    #[arg(long)]
    pub analysis: bool,
    /// Say what the player runs on, which viewers are shown (default: the processor, and the threads and
    /// the hash table of the engine; '' says nothing)
    #[arg(long, value_name = "TEXT")]
    pub machine: Option<String>,
    /// Say how fast the machine is in nodes a second, as `epode bench` prints them: an event may give slow
    /// machines more time. `measure` runs that benchmark first, with --threads and --hash; it is for the
    /// built-in engine
    #[arg(long, value_name = "NPS|measure")]
    pub speed: Option<Speed>,
    /// Reconnect when the connection is lost or refused, or when the referee stops before the end of its
    /// event
    #[arg(long, conflicts_with = "stdio")]
    pub reconnect: bool,
    /// Leave a TCP connection on which the referee does not answer the sign-on within this time; a number
    /// without a unit is in seconds
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "30s")]
    pub sign_on_timeout: Duration,
    /// File with the password of the event (default: the file that the environment variable
    /// `EPODE_PASSWORD_FILE` names, which the referee sets for the players that it starts)
    #[arg(long, value_name = "FILE")]
    pub password_file: Option<PathBuf>,
    /// Append every record sent or received to this file, with time and direction
    #[arg(long, value_name = "FILE")]
    pub log: Option<PathBuf>,
    /// Append every game to this PGN file
    #[arg(long, value_name = "FILE")]
    pub pgn: Option<PathBuf>,
}

/// The speed of a machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Speed {
    /// Nodes a second.
    Stated(u64),
    /// The benchmark is to find it out.
    Measure,
}

impl FromStr for Speed {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.parse() {
            Ok(speed @ 1..) => Ok(Self::Stated(speed)),
            _ if text == "measure" => Ok(Self::Measure),
            _ => Err("expected nodes a second, or `measure`"),
        }
    }
}

/// Addresses that are separated by commas.
fn addresses(text: &str) -> Result<String, String> {
    let has_port = |address: &str| {
        address
            .rsplit_once(':')
            .is_some_and(|(host, port)| !host.is_empty() && port.parse::<u16>().is_ok())
    };
    if !text.split(',').all(has_port) {
        return Err("expected HOST:PORT, or several with a comma between two".to_owned());
    }
    Ok(text.to_owned())
}

/// How to reach the referee.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Referee {
    Tcp(String),
    /// TCP with TLS.
    Tls(String, Tls),
    Fifo(PathBuf),
    /// A device and its speed in baud.
    Serial(PathBuf, u32),
    Standard,
}

/// How to know the referee.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tls {
    pub trust: Trust,
    /// The name that its certificate must have, if it is not the host.
    pub server_name: Option<String>,
}

/// A variable of the environment that names a file.
fn inherited(variable: &str) -> Option<PathBuf> {
    std::env::var_os(variable).map(PathBuf::from)
}

impl Client {
    /// The referee, and those that may take over from it.
    pub fn referees(&self) -> Vec<Referee> {
        match (&self.address, &self.fifo, &self.serial) {
            (Some(addresses), ..) => {
                let tls = self.tls();
                let referees = addresses.split(',').map(|address| match tls.clone() {
                    Some(tls) => Referee::Tls(address.to_owned(), tls),
                    None => Referee::Tcp(address.to_owned()),
                });
                referees.collect()
            }
            (_, Some(base), _) => vec![Referee::Fifo(base.clone())],
            (.., Some(device)) => vec![Referee::Serial(device.clone(), self.baud)],
            _ => vec![Referee::Standard],
        }
    }

    /// What a referee says of its certificate to the players that it starts counts if the options say
    /// nothing else.
    fn tls(&self) -> Option<Tls> {
        let pinned = || inherited("EPODE_TLS_CERTIFICATE").map(Trust::Pinned);
        let trust = match &self.ca {
            Some(path) => Trust::File(path.clone()),
            None if self.server_name.is_some() => Trust::System,
            None => pinned().or(self.tls.then_some(Trust::System))?,
        };
        let server_name = self.server_name.clone();
        Some(Tls { trust, server_name })
    }

    /// The password of the event, by the rule of [`secret`].
    pub fn password(&self) -> anyhow::Result<Option<String>> {
        let inherited = || inherited("EPODE_PASSWORD_FILE");
        let Some(path) = self.password_file.clone().or_else(inherited) else {
            return Ok(None);
        };
        let path = path.as_path();
        let text = fs::read_to_string(path);
        let text = text.with_context(|| format!("cannot read {}", path.display()))?;
        if let Some(warning) = secret::warning(path, &fs::metadata(path)?) {
            eprintln!("epode: warning: {warning}");
        }
        let Some(password) = secret::first_line(&text) else {
            bail!("{} has no password in its first line", path.display());
        };
        Ok(Some(password.to_owned()))
    }

    /// The limits of a move without a clock.
    pub fn effort(&self) -> Limits {
        let unlimited = self.nodes.is_none() && self.depth.is_none();
        let second = unlimited.then_some(Duration::from_secs(1));
        Limits {
            depth: self.depth.map(usize::from),
            nodes: self.nodes,
            hard_time: self.time.or(second),
            ..Limits::default()
        }
    }
}
