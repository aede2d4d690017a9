//! The words of `epode client`.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context;
use clap::Args as Arguments;
use engine::Limits;

use super::{Engine, duration};

#[derive(Debug, Arguments)]
#[command(after_help = "\
The referee tells the time control and the time used; without a time control every move takes --time, \
--nodes or --depth. With --engine another program finds the moves.

Examples:
  epode client localhost:5001 --name Epode
  epode client referee.example:5001 --name Stockfish --engine 'stockfish' --option Hash=256
  epode client --fifo /tmp/duplex --name Epode --nodes 100000
  epode client host:5001 --name Epode --resign-score 900 --draw-score 5 --log records.log

Ctrl-C signs off; once more ends at once.

Exit status: 0 if the referee ended the connection or Ctrl-C did, 2 if it was refused or lost, or the \
engine failed.")]
#[allow(
    clippy::struct_excessive_bools,
    reason = "each is an option of its own"
)]
pub struct Client {
    /// The referee
    #[arg(value_name = "HOST:PORT", required_unless_present_any = ["fifo", "serial", "stdio"])]
    pub address: Option<String>,
    /// The name to play under
    #[arg(long, value_name = "NAME", default_value = "Epode")]
    pub name: String,
    /// Two named pipes in place of a host: BASE.pc0 is written, BASE.pc1 read
    #[arg(long, value_name = "BASE", conflicts_with_all = ["address", "serial", "stdio"])]
    pub fifo: Option<PathBuf>,
    /// A serial line in place of a host
    #[arg(long, value_name = "DEVICE", conflicts_with_all = ["address", "stdio"])]
    pub serial: Option<PathBuf>,
    /// The speed of the serial line
    #[arg(long, default_value_t = 9600, requires = "serial")]
    pub baud: u32,
    /// Standard input and output in place of a host
    #[arg(long, conflicts_with = "address")]
    pub stdio: bool,
    /// Time a move without a time control, in seconds if no unit is given (1s if neither nodes nor depth are given)
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub time: Option<Duration>,
    /// Nodes a move without a time control
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: Option<u64>,
    /// Plies a move without a time control
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=engine::MAX_PLY as i64))]
    pub depth: Option<u16>,
    /// Think on the opponent's time
    #[arg(long)]
    pub ponder: bool,
    /// What each move may lose on its way, beside what is measured; in seconds if no unit is given
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "10ms")]
    pub overhead: Duration,
    #[command(flatten)]
    pub engine: Engine,
    /// Resign when so many centipawns behind
    #[arg(long, value_name = "CP", value_parser = clap::value_parser!(i32).range(1..=32_000))]
    pub resign_score: Option<i32>,
    /// ... for so many moves in a row
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub resign_moves: u32,
    /// Offer a draw when within so many centipawns of equality
    #[arg(long, value_name = "CP", value_parser = clap::value_parser!(i32).range(0..=32_000))]
    pub draw_score: Option<i32>,
    /// ... for so many moves in a row
    #[arg(long, value_name = "N", default_value_t = 8)]
    pub draw_moves: u32,
    /// ... and not before this move
    #[arg(long, value_name = "MOVE", default_value_t = 40)]
    pub draw_after: u32,
    /// Accept and claim draws only when so many centipawns behind
    #[arg(
        long,
        value_name = "CP",
        default_value_t = 0,
        allow_negative_numbers = true
    )]
    pub contempt: i32,
    /// Tell the referee what the engine thinks: ce pv acd acn acs
    #[arg(long)]
    pub analysis: bool,
    /// Connect again when the connection is lost or refused
    #[arg(long, conflicts_with = "stdio")]
    pub reconnect: bool,
    /// A file with the password of the event
    #[arg(long, value_name = "FILE")]
    pub password_file: Option<PathBuf>,
    /// Append every record with its time and direction
    #[arg(long, value_name = "FILE")]
    pub log: Option<PathBuf>,
    /// Append every game
    #[arg(long, value_name = "FILE")]
    pub pgn: Option<PathBuf>,
}

/// Where a referee is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Referee {
    Tcp(String),
    Fifo(PathBuf),
    /// A device and its speed in baud.
    Serial(PathBuf, u32),
    Standard,
}

impl Client {
    pub fn referee(&self) -> Referee {
        match (&self.address, &self.fifo, &self.serial) {
            (Some(address), ..) => Referee::Tcp(address.clone()),
            (_, Some(base), _) => Referee::Fifo(base.clone()),
            (.., Some(device)) => Referee::Serial(device.clone(), self.baud),
            _ => Referee::Standard,
        }
    }

    /// The password of the event: the first line of its file.
    pub fn password(&self) -> anyhow::Result<Option<String>> {
        let Some(path) = &self.password_file else {
            return Ok(None);
        };
        let text = std::fs::read_to_string(path);
        let text = text.with_context(|| format!("cannot read {}", path.display()))?;
        Ok(Some(
            text.lines().next().unwrap_or_default().trim().to_owned(),
        ))
    }

    /// How much a move takes without a clock.
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
