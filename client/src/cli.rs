//! The command line: verbs, options and their help texts. Parsing opens no file; files are read by the
//! methods that load them.

mod analysis;
mod client;
mod files;
mod report;

use std::fmt;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{ArgMatches, Args as Arguments, CommandFactory, FromArgMatches, Parser, Subcommand};
use engine::Net;

pub use analysis::{
    Analysis, Batch, Engine, EngineOption, Extra, Pfga, Pfms, Pfts, Prefix, Written,
};
pub use client::{Client, Referee};
pub use files::{Files, Format, Pfdn, Pfdr, Pfop, Rewrite, Validate};
pub use report::{Least, Report, ReportFormat};

pub use crate::verbs::shell::{Completions, Man};

/// A chess engine and tools for EPD (Extended Position Description) files.
#[derive(Debug, Parser)]
#[command(version, about, propagate_version = true, max_term_width = 100)]
pub struct Args {
    #[command(subcommand)]
    pub command: Command,
}

impl Args {
    /// Reads the command line, and prints a note for each time that was given without a unit.
    pub fn read() -> Self {
        let mut command = Self::command();
        if let Some(verb) = std::env::args_os().nth(1)
            && ["datagen", "unpack", "train"]
                .iter()
                .any(|moved| verb == *moved)
        {
            let verb = verb.display();
            let message = format!("training has a program of its own: epode-train {verb}");
            command.error(ErrorKind::InvalidSubcommand, message).exit();
        }
        let matches = command.get_matches_mut();
        if let Some((verb, matches)) = matches.subcommand()
            && let Some(verb) = command.find_subcommand(verb)
        {
            for note in unit_notes(verb, matches) {
                eprintln!("{note}");
            }
        }
        Self::from_arg_matches(&matches).unwrap_or_else(|error| error.exit())
    }
}

/// A note for each time without a unit: that it is in seconds.
fn unit_notes(verb: &clap::Command, matches: &ArgMatches) -> Vec<String> {
    let note = |argument: &clap::Arg| {
        let (id, name) = (argument.get_id().as_str(), argument.get_long()?);
        matches
            .try_get_one::<Duration>(id)
            .ok()?
            .filter(|_| matches.value_source(id) == Some(ValueSource::CommandLine))?;
        let text = matches.get_raw(id)?.next()?.to_str()?;
        let has_unit = text.ends_with(|last: char| last.is_ascii_alphabetic());
        (!has_unit)
            .then(|| format!("--{name} {text} means {text} s: times without a unit are in seconds"))
    };
    verb.get_arguments().filter_map(note).collect()
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Analyze every position of a file (EPD 7.2)
    #[command(visible_alias = "analyze", alias = "analyse")]
    Pfga(Box<Pfga>),
    /// Find forced mates, or prove that there are none (EPD 7.3)
    #[command(visible_alias = "mate")]
    Pfms(Box<Pfms>),
    /// Solve a test suite: search each position and check the move against bm and am (EPD 7.5)
    #[command(visible_alias = "solve")]
    Pfts(Box<Pfts>),
    /// Summarize the results of pfts and pfga, and compare several of them
    Report(Report),
    /// Normalize the records of a file, or check that they are normalized (EPD 7.1)
    #[command(visible_alias = "normalize", alias = "normalise")]
    Pfdn(Pfdn),
    /// Strip operations from the records of a file (EPD 7.4)
    #[command(visible_alias = "strip")]
    Pfop(Pfop),
    /// Repair the records of a file, and report every repair
    #[command(visible_alias = "repair")]
    Pfdr(Pfdr),
    /// Report errors and deviations from the standard in EPD files
    Validate(Validate),
    /// Play in an event run by a referee (EPD 8)
    Client(Box<Client>),
    /// Run as a UCI engine, for a graphical interface or a match runner
    Uci(NetFile),
    /// Count the leaf nodes of the legal move tree, or check the counts of a suite
    Perft(Perft),
    /// Search a fixed set of positions and print the node count and speed
    Bench(Bench),
    /// Print a completion script for a shell
    Completions(Completions),
    /// Write man pages, one for the program and one for each command
    Man(Man),
}

/// The network of the built-in engine.
#[derive(Clone, Debug, Default, Arguments)]
pub struct NetFile {
    /// Evaluate with the network in this file instead of the built-in one
    #[arg(long, value_name = "FILE")]
    pub net: Option<PathBuf>,
}

impl NetFile {
    /// The network.
    pub fn load(&self) -> anyhow::Result<Arc<Net>> {
        match &self.net {
            None => Ok(Net::built_in()),
            Some(path) => read_net(path).map(Arc::new),
        }
    }
}

/// The network of a file.
fn read_net(path: &Path) -> anyhow::Result<Net> {
    let name = || path.display().to_string();
    let bytes = std::fs::read(path).with_context(name)?;
    Net::from_bytes(&bytes).with_context(name)
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

/// Prints the name as it appears in messages.
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
Examples:
  epode perft 6
  epode perft --divide 4 'r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -'
  epode perft --threads 4 --hash 256 8
  epode perft --suite suites/perft.epd --max-nodes 1000000

A suite has records with operations such as `D1 20; D2 400;`, the numbers of leaf nodes at depths 1 and 2.

Exit status: 0 if every count is right, 1 if a count is wrong or there are none, 2 if something could not be read.")]
pub struct Perft {
    /// Depth in plies
    #[arg(required_unless_present = "suite", conflicts_with = "suite", value_parser = clap::value_parser!(u32).range(0..=64))]
    pub depth: Option<u32>,
    /// The position (default: the starting position)
    #[arg(value_name = "FEN", num_args = 0.., requires = "depth")]
    pub fen: Vec<String>,
    /// Print the number of leaf nodes below each move
    #[arg(long, conflicts_with = "suite")]
    pub divide: bool,
    /// Number of threads
    #[arg(long, value_name = "N", default_value = "1")]
    pub threads: NonZeroUsize,
    /// Size in MiB of a table of positions already counted; 0 for no table
    #[arg(long, value_name = "MIB", default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=1 << 20))]
    pub hash: u32,
    /// Check the counts in an EPD file; `-` for standard input
    #[arg(long, value_name = "FILE")]
    pub suite: Option<Stream>,
    /// Skip counts greater than N
    #[arg(long, value_name = "N", requires = "suite")]
    pub max_nodes: Option<u64>,
}

#[derive(Debug, Arguments)]
#[command(after_help = "\
The node count is a signature of the search: it changes only when the search changes. The search \
uses one thread.

Examples:
  epode bench
  epode bench --depth 16 --hash 64")]
pub struct Bench {
    /// Depth in plies for each position
    #[arg(long, value_name = "N", default_value_t = 12, value_parser = clap::value_parser!(u16).range(1..=64))]
    pub depth: u16,
    /// Size of the transposition table in MiB
    #[arg(long, value_name = "MIB", default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..=1 << 20))]
    pub hash: u32,
    #[command(flatten)]
    pub net: NetFile,
}

/// Whether a byte may occur in an opcode (EPD 5.1).
fn is_opcode_letter(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
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
        .ok_or_else(|| "expected a time above zero and of finite length".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_sound() {
        Args::command().debug_assert();
    }

    #[test]
    fn the_unit_of_a_bare_number_is_told() {
        let mut command = Args::command();
        let mut notes = |line: &str| {
            let matches = command.try_get_matches_from_mut(line.split(' '));
            let matches = matches.expect("a command line");
            let (name, matches) = matches.subcommand().expect("a verb");
            unit_notes(command.find_subcommand(name).expect("a verb"), matches)
        };
        let told = |option: &str, number: &str| {
            format!("--{option} {number} means {number} s: times without a unit are in seconds")
        };
        for verb in ["epode pfts x", "epode pfga x", "epode pfms --moves 2 x"] {
            assert_eq!(notes(&format!("{verb} --time 1")), [told("time", "1")]);
            assert!(notes(&format!("{verb} --time 1s --nodes 5")).is_empty());
        }
        assert_eq!(
            notes("epode pfga x --timeout=2.5 --time 1"),
            [told("time", "1"), told("timeout", "2.5")]
        );
        assert_eq!(
            notes("epode client x:1 --overhead 1 --time 20ms"),
            [told("overhead", "1")]
        );
        assert!(notes("epode client x:1 --depth 2").is_empty());
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
