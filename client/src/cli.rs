//! The command line: verbs, options and their help texts. Parsing opens no file; files are read by the
//! methods that load them.

mod analysis;
mod book;
mod client;
mod common;
mod convert;
mod diagram;
mod files;
mod interface;
mod mine;
mod numbers;
mod positions;
mod ranges;
mod report;
mod tune;

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{ArgMatches, Args as Arguments, CommandFactory, FromArgMatches, Parser, Subcommand};
use clap_complete::Shell;

pub use analysis::{
    Analysis, Batch, Effort, Engine, EngineOption, Extra, Pfga, Pfms, Pfts, Prefix, Protocol,
    Written,
};
pub use book::{
    Book, BookBuild, BookClassify, BookDump, BookExport, BookImport, BookLookup, BookMerge,
    BookStats, DumpFormat,
};
pub use client::{Client, Referee, Speed, Tls};
pub use common::{
    BookFile, Castling, FrontEnd, MAX_BOOK_DEPTH, NetFile, SyzygyPath, is_opcode_letter,
    report_bad_tables,
};
pub use convert::{Convert, DataFormat, Selection};
pub use diagram::{Diagram, DiagramFormat, Orientation, Theme};
pub use files::{Files, Format, Pfdn, Pfdr, Pfop, Validate};
pub use mine::Mine;
pub use positions::{
    Conflict, Duplicates, EnPassant, MAX_FILES, Merge, Query, SamePosition, Sample, Sort, Split,
    Stats, StatsFormat, Unique,
};
pub use ranges::Ranges;
pub use report::{Least, Report, ReportFormat};
pub use tune::{DrawRule, Printed, ResignRule, TimeControl, Tune, TuneSettings};

use crate::build_info::build_info;
use crate::io::stream::Stream;

/// A chess engine and tools for EPD (Extended Position Description) files.
#[derive(Debug, Parser)]
#[command(
    version,
    about,
    propagate_version = true,
    max_term_width = 100,
    after_help = "\
Examples:
  epode pfts suite.epd solved.epd --time 1s      # solve a test suite
  epode report solved.epd                        # summarise the results
  epode pfdr found.epd repaired.epd              # repair a file
  epode query 'KRPkr' endings.epd selected.epd   # select positions
  epode convert games.pgn positions.epd --ply 16

`epode COMMAND --help` explains a command."
)]
pub struct Args {
    /// With --version: also print what the build is made for and which instructions it uses
    #[arg(long, requires = "version")]
    verbose: bool,
    #[command(subcommand)]
    pub command: Command,
}

impl Args {
    /// Reads the command line, and prints a note for each time that was given without a unit. Without arguments, the
    /// input can name the protocol of an interface.
    pub fn read() -> Self {
        if std::env::args_os().len() == 1
            && let Some(protocol) = interface::protocol_of_input()
        {
            let front_end = FrontEnd::default();
            return Self {
                verbose: false,
                command: match protocol {
                    Protocol::Uci => Command::Uci(front_end),
                    Protocol::Xboard => Command::Xboard(front_end),
                },
            };
        }
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
        if std::env::args_os().any(|argument| argument == "--verbose") {
            let version: &str = build_info().leak();
            command = command.version(version);
        }
        let matches = command
            .try_get_matches_from_mut(std::env::args_os())
            .unwrap_or_else(|error| numbers::in_words(error, &command).exit());
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
    /// Analyse every position of a file (EPD 7.2)
    #[command(visible_alias = "analyze", alias = "analyse")]
    Pfga(Box<Pfga>),
    /// Find forced mates, or prove that there are none (EPD 7.3)
    #[command(visible_alias = "mate")]
    Pfms(Box<Pfms>),
    /// Solve a test suite: search each position and check the move against bm and am (EPD 7.5)
    #[command(visible_alias = "solve")]
    Pfts(Box<Pfts>),
    /// Summarise the results of pfts and pfga, and compare several of them
    Report(Report),
    /// Normalise the records of a file, or check that they are normalised (EPD 7.1)
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
    /// Keep each position once, and drop, merge or report duplicates
    Unique(Unique),
    /// Merge the records of each position in several files into one
    Merge(Merge),
    /// Select the records that pass a test, such as `KRPkr and ce > 150`
    Query(Query),
    /// Sort records by position, by operations or at random
    Sort(Sort),
    /// Take a random sample of the records
    Sample(Sample),
    /// Split a file into several
    Split(Split),
    /// Count records, positions, materials and operations
    Stats(Stats),
    /// Find positions of games where one move is clearly best, as a test suite
    Mine(Box<Mine>),
    /// Convert positions between EPD, FEN, PGN, CSV and JSON
    Convert(Box<Convert>),
    /// Draw the positions of a file with their moves, as SVG or PNG
    Diagram(Box<Diagram>),
    /// Build, search and convert opening repositories and Polyglot books
    #[command(subcommand)]
    Book(Book),
    /// Play in an event run by a referee (EPD 8)
    Client(Box<Client>),
    /// Run as a UCI engine, for a graphical interface or a match runner
    #[command(after_help = "\
Examples:
  epode uci
  epode uci --book openings.epd --book-depth 8
  fastchess -engine cmd=epode args=uci name=Epode -engine cmd=stockfish name=Stockfish \\
      -each tc=10+0.1 -rounds 10

The command `uci` lists the options, `help` the commands.")]
    Uci(FrontEnd),
    /// Run as an engine for xboard and other interfaces of its protocol
    #[command(after_help = "\
Examples:
  xboard -fcp 'epode xboard' -mg 2 -tc 5 -inc 2
  xboard -fcp 'epode xboard --book openings.epd' -scp phalanx")]
    Xboard(FrontEnd),
    /// Tune numeric options of a UCI engine by SPSA, with games or a test suite
    Tune(Box<Tune>),
    /// Count the leaf nodes of the legal move tree, or check the counts of a suite
    Perft(Perft),
    /// Search a fixed set of positions and print the node count and speed
    Bench(Bench),
    /// Print a completion script for a shell
    Completions(Completions),
    /// Write man pages, one for the program and one for each command
    Man(Man),
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
    #[command(flatten)]
    pub castling: Castling,
}

#[derive(Debug, Arguments)]
#[command(after_help = "\
The node count is a signature of the search: it changes only when the search changes. With more than \
one thread it changes from run to run. The last line is what OpenBench reads.

Examples:
  epode bench
  epode bench 64 1 16
  epode bench --hash 64 --threads 4 --depth 16")]
pub struct Bench {
    /// Size of the transposition table in MiB (default: 16)
    #[arg(value_name = "HASH", value_parser = clap::value_parser!(u32).range(1..=1 << 20))]
    pub hash_mib: Option<u32>,
    /// Search threads (default: 1)
    #[arg(value_name = "THREADS", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub thread_count: Option<u16>,
    /// Depth in plies for each position (default: 12)
    #[arg(value_name = "DEPTH", value_parser = clap::value_parser!(u16).range(1..=64))]
    pub plies: Option<u16>,
    /// The same as DEPTH
    #[arg(long, value_name = "N", conflicts_with = "plies", value_parser = clap::value_parser!(u16).range(1..=64))]
    pub depth: Option<u16>,
    /// The same as HASH
    #[arg(long, value_name = "MIB", conflicts_with = "hash_mib", value_parser = clap::value_parser!(u32).range(1..=1 << 20))]
    pub hash: Option<u32>,
    /// The same as THREADS
    #[arg(long, value_name = "N", conflicts_with = "thread_count", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    #[command(flatten)]
    pub net: NetFile,
}

#[derive(Debug, Arguments)]
#[command(after_help = "\
Examples:
  epode completions bash > ~/.local/share/bash-completion/completions/epode
  epode completions zsh > ~/.zfunc/_epode    (a folder in $fpath)
  epode completions fish > ~/.config/fish/completions/epode.fish")]
pub struct Completions {
    /// The shell that reads the script
    pub shell: Shell,
}

#[derive(Debug, Arguments)]
#[command(after_help = "\
Example:
  epode man ~/.local/share/man/man1
  man epode-pfts")]
pub struct Man {
    /// The folder to write the pages into; created if it does not exist
    #[arg(value_name = "DIR")]
    pub directory: PathBuf,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_sound() {
        Args::command().debug_assert();
    }

    #[test]
    fn what_a_number_should_be_is_told() {
        let mut command = Args::command();
        for (line, expected) in [
            (
                "perft 3 --threads 0",
                "'0' for '--threads <N>': expected 1 or more",
            ),
            (
                "tune --games 0",
                "'0' for '--games <N>': expected 1 or more",
            ),
            (
                "pfts x --jobs 0",
                "'0' for '--jobs <N>': expected 1 or more",
            ),
            (
                "pfts x --nodes 1e5",
                "'1e5' for '--nodes <N>': expected a whole number",
            ),
            ("perft abc", "'abc' for '[DEPTH]': expected a whole number"),
            ("bench x", "'x' for '[HASH]': expected a whole number"),
            (
                "sort --shuffle=-1 x",
                "'-1' for '--shuffle <SEED>': expected a number that is not negative",
            ),
            (
                "sort --shuffle 99999999999999999999 x",
                "'99999999999999999999' for '--shuffle <SEED>': the number is too large",
            ),
            (
                "pfga x --multipv 0",
                "'0' for '--multipv <N>': 0 is not in 1..=256",
            ),
        ] {
            let words = format!("epode {line}");
            let read = command.try_get_matches_from_mut(words.split(' '));
            let error = numbers::in_words(read.expect_err(line), &command);
            assert_eq!(error.exit_code(), 2);
            let text =
                format!("error: invalid value {expected}\n\nFor more information, try '--help'.\n");
            assert_eq!(error.to_string(), text, "{line}");
        }
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
}
