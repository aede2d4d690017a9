//! The words of the command line. Nothing is opened here.

mod analysis;
mod report;

use std::fmt;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use clap::{Args as Arguments, Parser, Subcommand, ValueEnum};
use engine::{Limits, Net};

pub use analysis::{Analysis, Batch, Engine, Extra, Pfga, Pfms, Pfts, Prefix, Written};
pub use report::{Least, Report, ReportFormat};

/// A chess engine that speaks EPD.
#[derive(Debug, Parser)]
#[command(version, about, propagate_version = true, max_term_width = 100)]
pub struct Args {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Analyse every position of a file (EPD 7.2)
    Pfga(Box<Pfga>),
    /// Find mates by force, or prove that there are none (EPD 7.3)
    Pfms(Box<Pfms>),
    /// Search for the best moves of a test suite and say which were found (EPD 7.5)
    Pfts(Box<Pfts>),
    /// Tell what the results of pfts and pfga come to, and compare them
    Report(Report),
    /// Write the records of a file in normal form, and check them (EPD 7.1)
    Pfdn(Pfdn),
    /// Purge operations from the records of a file (EPD 7.4)
    Pfop(Pfop),
    /// Repair the records of a file, and tell what was mended
    Pfdr(Pfdr),
    /// Tell everything that is wrong or odd about EPD files
    Validate(Validate),
    /// Play in an event that a referee mediates (EPD 8)
    Client(Box<Client>),
    /// Talk to a graphical interface or a match runner (Universal Chess Interface)
    Uci(NetFile),
    /// Count the leaves of the move tree, or check the counts of a suite
    Perft(Perft),
    /// Search a fixed set of positions and print the node count and rate
    Bench(Bench),
    /// Play the engine against itself and store positions to tune an evaluation on
    Datagen(Datagen),
}

/// What the built-in engine evaluates by.
#[derive(Clone, Debug, Default, Arguments)]
pub struct NetFile {
    /// Evaluate by the network of a file
    #[arg(long, value_name = "FILE")]
    pub net: Option<PathBuf>,
}

impl NetFile {
    /// The network, if there is to be one.
    pub fn load(&self) -> anyhow::Result<Option<Arc<Net>>> {
        let Some(path) = &self.net else {
            return Ok(None);
        };
        let told = || path.display().to_string();
        let bytes = std::fs::read(path).with_context(told)?;
        Ok(Some(Arc::new(Net::from_bytes(&bytes).with_context(told)?)))
    }
}

/// A file, or the standard stream for `-`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stream {
    Standard,
    File(PathBuf),
}

impl FromStr for Stream {
    type Err = std::convert::Infallible;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(if text == "-" {
            Self::Standard
        } else {
            Self::File(Path::new(text).to_owned())
        })
    }
}

/// Prints the name as messages have it.
impl fmt::Display for Stream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Standard => f.write_str("-"),
            Self::File(path) => path.display().fmt(f),
        }
    }
}

#[derive(Debug, Arguments)]
#[command(after_help = "\
Records keep their order. Operations are sorted by opcode, the operands of am and bm by their text, \
white space is made single, counters of FEN become hmvc and fmvn, and everything else that \
circulates is mended; nothing is dropped but blank lines and comments. Moves and numbers stay as \
they are spelt (pfdr mends moves). What a record says wrongly (an illegal position, a move that \
cannot be played, operations that contradict each other) is told, and written all the same.

Examples:
  epode pfdn suite.epd normal.epd
  epode pfdn - < suite.epd | sort -u
  epode pfdn --check suite.epd && echo it is in normal form

Exit status: 0 if all is well, 1 if a record says something wrongly (with --check: or is not in \
normal form), 2 if a line is no record.")]
pub struct Pfdn {
    #[command(flatten)]
    pub files: Files,
    /// Write nothing but the lines that are not in normal form, as differences
    #[arg(long, conflicts_with = "output")]
    pub check: bool,
    /// Write numbers without surplus signs and zeros, and times with all digits
    #[arg(long)]
    pub canonical: bool,
    /// Where the halfmove clock and the move number are written: in operations (hmvc, fmvn) or in
    /// the fields of FEN
    #[arg(long, value_name = "PLACE", value_enum, default_value_t = Counters::Operations)]
    pub counters: Counters,
    /// Take only what is exactly as the standard has it, and stop at the first line that is not
    #[arg(long)]
    pub strict: bool,
}

#[derive(Debug, Arguments)]
#[command(after_help = "\
What is written is in normal form, as by pfdn.

Examples:
  epode pfop acn,acs,acd,ce,pv analysed.epd bare.epd
  epode pfop 'D*' perft.epd -
  epode pfop --keep bm,am,id suite.epd

Exit status: 0 if all went well, 2 if a line is no record.")]
pub struct Pfop {
    /// The opcodes, with commas between them; `D*` is every opcode that begins with D
    #[arg(value_name = "OPCODES")]
    pub opcodes: Opcodes,
    #[command(flatten)]
    pub files: Files,
    /// Purge all other operations in place of these
    #[arg(long)]
    pub keep: bool,
}

#[derive(Debug, Arguments)]
#[command(after_help = "\
Everything that pfdn mends is mended, and besides moves are spelt as the standard has it: castling \
with letters O, check and mate signs, promotions with an equals sign, coordinates made SAN, move \
numbers left out. Each mend is told: where, what was there, what was taken.

Examples:
  epode pfdr suite.epd mended.epd
  epode pfdr --quiet suite.epd mended.epd
  epode pfdr - < suite.epd 2> report.txt | wc -l

Exit status: 0 if all is well, 1 if something is wrong that cannot be mended, 2 if a line is no \
record.")]
pub struct Pfdr {
    #[command(flatten)]
    pub files: Files,
    /// Tell only how many mends of each kind there were
    #[arg(long, short)]
    pub quiet: bool,
}

/// What every verb that copies records works on.
#[derive(Debug, Arguments)]
pub struct Files {
    /// The file; `-` for standard input
    #[arg(value_name = "IN")]
    pub input: Stream,
    /// Where the records go; a file is written whole or not at all
    #[arg(value_name = "OUT", default_value = "-")]
    pub output: Stream,
    /// What becomes of lines that are no records, after they were told
    #[arg(long, value_name = "WHAT", value_enum, default_value_t = BadLines::Omit)]
    pub bad_lines: BadLines,
    /// Threads; the output is the same for any number
    #[arg(long, value_name = "N", default_value = "1")]
    pub jobs: NonZeroUsize,
}

/// What becomes of lines that are no records (decision 112).
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum BadLines {
    Omit,
    Copy,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Counters {
    Operations,
    Fields,
}

impl From<Counters> for epd::Counters {
    fn from(counters: Counters) -> Self {
        match counters {
            Counters::Operations => Self::Operations,
            Counters::Fields => Self::Fields,
        }
    }
}

/// Opcodes by name, or by how they begin: `acd,acn,D*`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opcodes(Vec<String>);

impl Opcodes {
    pub fn has(&self, opcode: &str) -> bool {
        self.0.iter().any(|name| match name.strip_suffix('*') {
            Some(letters) => opcode.starts_with(letters),
            None => opcode == name,
        })
    }
}

impl FromStr for Opcodes {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
        let names = text.split(',').map(|name| {
            let letters = name.strip_suffix('*').unwrap_or(name);
            if letters.is_empty() || !letters.bytes().all(plain) {
                return Err(format!(
                    "{name:?} is no opcode: letters, digits and underscores"
                ));
            }
            Ok(name.to_owned())
        });
        Ok(Self(names.collect::<Result<_, _>>()?))
    }
}

#[derive(Debug, Arguments)]
#[command(after_help = "\
Notes are what is not as the standard has it but cannot be misunderstood, warnings what is wrong or \
had to be guessed, errors what is no record.

Examples:
  epode validate suite.epd
  epode validate --level warning *.epd
  epode validate --format json - < suite.epd | jq .name | sort | uniq -c
  epode validate --format sarif suite.epd > suite.sarif

Exit status: 0 if nothing was told, 1 if something was, 2 if that was an error.")]
pub struct Validate {
    /// The files; `-` for standard input
    #[arg(value_name = "FILE", required = true)]
    pub inputs: Vec<Stream>,
    /// For people, for programs line by line, or for tools that take SARIF 2.1.0
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
    /// The least that is told
    #[arg(long, value_enum, default_value_t = Level::Note)]
    pub level: Level,
    /// Understand only what is exactly as the standard has it; what is not is an error
    #[arg(long)]
    pub strict: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    Text,
    Json,
    Sarif,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Level {
    Note,
    Warning,
    Error,
}

impl From<Level> for epd::Severity {
    fn from(level: Level) -> Self {
        match level {
            Level::Note => Self::Note,
            Level::Warning => Self::Warning,
            Level::Error => Self::Error,
        }
    }
}

#[derive(Debug, Arguments)]
#[command(after_help = "\
The referee tells the time control and the time used; without a time control every move takes --time, \
--nodes or --depth. With --engine another program finds the moves.

Examples:
  epode client localhost:5001 --name Epode
  epode client referee.example:5001 --name Stockfish --engine 'stockfish' --option Hash=256
  epode client --fifo /tmp/duplex --name Epode --nodes 100000
  epode client host:5001 --name Epode --resign-score 900 --draw-score 5 --log records.log

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
    /// Time a move without a time control (1s if neither nodes nor depth are given)
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
    /// What each move may lose on its way, beside what is measured
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

/// An option of an engine: its name and value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineOption(pub String, pub String);

impl FromStr for EngineOption {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, value) = text.split_once('=').ok_or("expected NAME=VALUE")?;
        Ok(Self(name.to_owned(), value.to_owned()))
    }
}

#[derive(Debug, Arguments)]
#[command(after_help = "\
Examples:
  epode perft 6
  epode perft --divide 4 'r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -'
  epode perft --threads 4 --hash 256 8
  epode perft --suite suites/perft.epd --max-nodes 1000000

A suite has records with operations such as `D1 20; D2 400;`: so many leaves one and two plies down.

Exit status: 0 if every count is right, 1 if one is not, 2 if something could not be read.")]
pub struct Perft {
    /// Plies
    #[arg(required_unless_present = "suite", conflicts_with = "suite", value_parser = clap::value_parser!(u32).range(0..=64))]
    pub depth: Option<u32>,
    /// The position; the start array if none is given
    #[arg(value_name = "FEN", num_args = 0.., requires = "depth")]
    pub fen: Vec<String>,
    /// Print the leaves below each move
    #[arg(long, conflicts_with = "suite")]
    pub divide: bool,
    /// Threads that share the work
    #[arg(long, value_name = "N", default_value = "1")]
    pub threads: NonZeroUsize,
    /// The size of a table of positions already counted, 0 for none
    #[arg(long, value_name = "MIB", default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=1 << 20))]
    pub hash: u32,
    /// Check the counts of an EPD file; `-` for standard input
    #[arg(long, value_name = "FILE")]
    pub suite: Option<Stream>,
    /// Leave out counts above this
    #[arg(long, value_name = "N", requires = "suite")]
    pub max_nodes: Option<u64>,
}

#[derive(Debug, Arguments)]
#[command(after_help = "\
The node count is a signature: it changes only when a change to the program changes what it \
searches. It is made on one thread.

Examples:
  epode bench
  epode bench --depth 16 --hash 64")]
pub struct Bench {
    /// Plies a position
    #[arg(long, value_name = "N", default_value_t = 12, value_parser = clap::value_parser!(u16).range(1..=64))]
    pub depth: u16,
    /// The size of the transposition table
    #[arg(long, value_name = "MIB", default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..=1 << 20))]
    pub hash: u32,
    #[command(flatten)]
    pub net: NetFile,
}

#[derive(Debug, Arguments)]
#[command(after_help = "\
Each game begins with 8 to 10 random moves and is played until the rules, or scores that leave no \
doubt, end it. Every quiet position from the ninth move on is stored in 32 bytes, with its score and \
the result of the game: `cargo doc -p epode-engine` describes them (Sample). Every line that the \
search tells is played through; one that cannot be played ends it all.

The games are those of the seed, one after the other, whatever the number of threads. The same \
command continues where an earlier one ended, however that was: OUT.state tells how far it came. \
Ctrl-C ends it when the games that are whole are written.

Examples:
  epode datagen data.bin --threads 2 --positions 1000000
  epode datagen data.bin --nodes 1500 --time 8h --book openings.epd --seed 7
  epode datagen --check --games 100000 --nodes 200

Exit status: 0 if all went well, 1 if the search found no move or a line that cannot be played, 2 if \
something could not be read or written.")]
pub struct Datagen {
    /// Where the positions go; what is there already is kept
    #[arg(value_name = "OUT", required_unless_present = "check")]
    pub output: Option<PathBuf>,
    /// Store nothing: only play, and hold the search against the rules
    #[arg(long, conflicts_with = "output")]
    pub check: bool,
    /// Nodes a move, after which no further iteration begins
    #[arg(long, value_name = "N", default_value_t = 5000, value_parser = clap::value_parser!(u64).range(1..=1 << 40))]
    pub nodes: u64,
    /// Games that are played at the same time, each on a thread of its own
    #[arg(long, value_name = "N", default_value = "1")]
    pub threads: NonZeroUsize,
    /// What the openings are drawn by
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Begin from the positions of an EPD file in place of the start array
    #[arg(long, value_name = "FILE")]
    pub book: Option<Stream>,
    /// The size of the transposition table of each thread
    #[arg(long, value_name = "MIB", default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=1 << 20))]
    pub hash: u32,
    /// End when there are so many games, those of earlier runs with them
    #[arg(long, value_name = "N")]
    pub games: Option<u64>,
    /// End when there are so many positions, those of earlier runs with them
    #[arg(long, value_name = "N")]
    pub positions: Option<u64>,
    /// End after this time
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub time: Option<Duration>,
    #[command(flatten)]
    pub net: NetFile,
}

/// A number with a unit; seconds without one.
fn duration(text: &str) -> Result<Duration, String> {
    let digits = text.find(|letter: char| letter != '.' && !letter.is_ascii_digit());
    let (number, unit) = text.split_at(digits.unwrap_or(text.len()));
    let seconds = match unit {
        "ms" => 0.001,
        "s" | "" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return Err(format!("unknown unit {unit:?}, expected ms, s, m or h")),
    };
    let number: f64 = number
        .parse()
        .map_err(|_| "expected a number and a unit, such as 500ms".to_owned())?;
    Duration::try_from_secs_f64(number * seconds)
        .ok()
        .filter(|duration| !duration.is_zero())
        .ok_or_else(|| "expected more than nothing and less than for ever".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_sound() {
        Args::command().debug_assert();
    }

    #[test]
    fn durations() {
        for (text, milliseconds) in [
            ("1s", 1000),
            ("500ms", 500),
            ("1.5s", 1500),
            ("2m", 120_000),
            ("3", 3000),
            ("1h", 3_600_000),
        ] {
            assert_eq!(
                duration(text),
                Ok(Duration::from_millis(milliseconds)),
                "{text}"
            );
        }
        for text in ["", "s", "1d", "0s", "-1s", "1..2s", "1e99h"] {
            assert!(duration(text).is_err(), "{text}");
        }
    }
}
