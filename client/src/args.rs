//! The words of the command line. Nothing is opened here.

use std::fmt;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

use clap::{Args as Arguments, Parser, Subcommand};
use engine::Limits;

/// A chess engine that speaks EPD.
#[derive(Debug, Parser)]
#[command(version, about, propagate_version = true, max_term_width = 100)]
pub struct Args {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Search for the best moves of a test suite and say which were found (EPD 7.5)
    Pfts(Pfts),
    /// Write the records of a file in normal form, and check them (EPD 7.1)
    Pfdn(Pfdn),
    /// Count the leaves of the move tree, or check the counts of a suite
    Perft(Perft),
    /// Search a fixed set of positions and print the node count and rate
    Bench(Bench),
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
Each record is copied with the operations pm (the move), pv (the line), ce (centipawns), acd \
(plies), acn (nodes) and acs (seconds) set; everything else in it is kept. A record is solved when \
the move is among those of bm and not among those of am.

Examples:
  epode pfts suites/bratko-kopec.epd --time 1s
  epode pfts --nodes 100000 --jobs 4 suite.epd solved.epd
  zcat huge.epd.gz | epode pfts - --depth 8 | gzip > out.epd.gz

Exit status: 0 if all went well, 1 if a record could not be searched (its position is illegal) or \
its target not be read, 2 if a line is no record.")]
pub struct Pfts {
    /// The suite; `-` for standard input
    #[arg(value_name = "IN")]
    pub input: Stream,
    /// Where the records go; a file is written whole or not at all
    #[arg(value_name = "OUT", default_value = "-")]
    pub output: Stream,
    #[command(flatten)]
    pub effort: Effort,
    /// Threads that search one position together
    #[arg(long, value_name = "N", default_value = "1")]
    pub threads: NonZeroUsize,
    /// The size of the transposition table of each job
    #[arg(long, value_name = "MIB", default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..=1 << 20))]
    pub hash: u32,
    /// Positions that are searched at the same time; with --nodes or --depth and one thread the
    /// output is the same for any number
    #[arg(long, value_name = "N", default_value = "1")]
    pub jobs: NonZeroUsize,
    /// Take only what is exactly as the standard has it, and stop at the first line that is not
    #[arg(long)]
    pub strict: bool,
}

#[derive(Debug, Arguments)]
#[command(after_help = "\
Records keep their order. Operations are sorted by opcode, the operands of am and bm by their text, \
white space is made single, counters of FEN become hmvc and fmvn, and everything else that \
circulates is mended; nothing is dropped. What a record says wrongly (an illegal position, a move \
that cannot be played, operations that contradict each other) is told, and written all the same.

Examples:
  epode pfdn suite.epd normal.epd
  epode pfdn - < suite.epd | sort -u

Exit status: 0 if all is well, 1 if a record says something wrongly, 2 if a line is no record.")]
pub struct Pfdn {
    /// The file; `-` for standard input
    #[arg(value_name = "IN")]
    pub input: Stream,
    /// Where the records go; a file is written whole or not at all
    #[arg(value_name = "OUT", default_value = "-")]
    pub output: Stream,
    /// Take only what is exactly as the standard has it, and stop at the first line that is not
    #[arg(long)]
    pub strict: bool,
}

/// How long each position is searched, whatever the others took.
#[derive(Debug, Arguments)]
#[group(required = true, multiple = true)]
pub struct Effort {
    /// Time a position: 1s, 500ms, 1.5s, 2m
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub time: Option<Duration>,
    /// Nodes a position
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: Option<u64>,
    /// Plies a position
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=engine::MAX_PLY as i64))]
    pub depth: Option<u16>,
}

impl Effort {
    pub fn limits(&self) -> Limits {
        Limits {
            depth: self.depth.map(usize::from),
            nodes: self.nodes,
            soft_time: None,
            hard_time: self.time,
        }
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
