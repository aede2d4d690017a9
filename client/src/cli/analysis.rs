//! Arguments of the verbs that analyse: pfga, pfms and pfts. Options that they share are defined once.

use std::fmt;
use std::num::NonZeroUsize;
use std::str::FromStr;
use std::time::Duration;

use clap::{Args as Arguments, ValueEnum};
use engine::{Limits, MateSolver};
use epd::Opcode;

use super::common::{
    Castling, NetFile, Rewrite, SyzygyPath, duration, is_opcode_letter, search_threads,
};
use crate::io::stream::Stream;

/// The engine and its options.
#[derive(Clone, Debug, Arguments)]
pub struct Engine {
    /// Number of threads of a search
    #[arg(long, value_name = "N", default_value = "1", value_parser = search_threads)]
    pub threads: NonZeroUsize,
    /// Size of the transposition table in MiB (default: 16, or less if --nodes cannot fill it)
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u32).range(1..=1 << 20))]
    pub hash: Option<u32>,
    /// Use this engine instead of the built-in one: a path, or a command line quoted as in a shell
    #[arg(long = "engine", value_name = "COMMAND", id = "engine")]
    pub command: Option<String>,
    /// The protocol of that engine
    #[arg(long, value_name = "NAME", default_value = "uci", requires = "engine")]
    pub protocol: Protocol,
    /// Set an option of that engine; NAME alone presses a button. An unknown option or an invalid
    /// value is an error. With --protocol xboard also memory, cores, egtpath=KIND PATH, and scores=white
    /// for an engine whose scores are from White's point of view
    #[arg(long = "option", value_name = "NAME=VALUE", requires = "engine")]
    pub options: Vec<EngineOption>,
    #[command(flatten)]
    pub net: NetFile,
    #[command(flatten)]
    pub syzygy: SyzygyPath,
}

impl Engine {
    /// The checksum of the network of the built-in engine; none for another engine.
    pub fn network(&self) -> anyhow::Result<Option<u32>> {
        match &self.command {
            Some(_) => Ok(None),
            None => Ok(Some(self.net.load()?.checksum())),
        }
    }

    /// The size of the transposition table in MiB for searches of up to `nodes` nodes.
    pub fn hash(&self, nodes: Option<u64>) -> u32 {
        const USUAL: u32 = 16;
        // Clearing a large table would take longer than a small search.
        const BYTES_A_NODE: u64 = 32;
        let enough = |nodes: u64| ((nodes.saturating_mul(BYTES_A_NODE)) >> 20).clamp(1, 16) as u32;
        self.hash.unwrap_or_else(|| nodes.map_or(USUAL, enough))
    }
}

/// How another program is spoken to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Protocol {
    /// Universal Chess Interface
    Uci,
    /// Chess Engine Communication Protocol, versions 2 and 1
    Xboard,
}

/// An option of another program: its name and value; the value is empty for a button.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineOption(pub String, pub String);

impl FromStr for EngineOption {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, value) = text.split_once('=').unwrap_or((text, ""));
        if name.is_empty() {
            return Err("expected NAME=VALUE".to_owned());
        }
        Ok(Self(name.to_owned(), value.to_owned()))
    }
}

/// Prints it as it was given.
impl fmt::Display for EngineOption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)?;
        if !self.1.is_empty() {
            write!(f, "={}", self.1)?;
        }
        Ok(())
    }
}

/// The limits of the search of each position.
#[derive(Clone, Debug, Arguments)]
#[group(required = true, multiple = true)]
pub struct Effort {
    /// Time per position, such as 500ms, 1.5s or 2m; a number without a unit is in seconds
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub time: Option<Duration>,
    /// Nodes per position
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: Option<u64>,
    /// Search depth in plies
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=engine::MAX_PLY as i64))]
    pub depth: Option<u16>,
}

/// How positions are analysed, and which results are written.
#[derive(Clone, Debug, Arguments)]
pub struct Analysis {
    #[command(flatten)]
    pub effort: Effort,
    /// Stop as soon as a limit is reached (the default)
    #[arg(long)]
    pub hard: bool,
    /// Finish the current iteration when a limit is reached, but stop at three times the limit
    #[arg(long, conflicts_with = "hard")]
    pub soft: bool,
    /// Give up on a position after this time (a number without a unit is in seconds) and copy its record
    /// with a note in c9
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub timeout: Option<Duration>,
    #[command(flatten)]
    pub engine: Engine,
    /// Number of lines to find; further lines are written as Ce2 Pv2, Ce3 Pv3 ...
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    pub multipv: u16,
    #[command(flatten)]
    pub written: Written,
}

impl Analysis {
    /// The limits of a search (decision 134).
    pub fn limits(&self) -> Limits {
        const MOST: u32 = 3;
        let Effort { time, nodes, depth } = self.effort;
        let depth = depth.map(usize::from);
        let mut limits = if self.soft {
            Limits {
                depth,
                nodes: nodes.map(|nodes| nodes.saturating_mul(MOST.into())),
                soft_nodes: nodes,
                soft_time: time,
                hard_time: time.map(|time| time.saturating_mul(MOST)),
                ..Limits::default()
            }
        } else {
            Limits {
                depth,
                nodes,
                hard_time: time,
                ..Limits::default()
            }
        };
        if let Some(timeout) = self.timeout {
            let time = limits.hard_time.map_or(timeout, |time| time.min(timeout));
            limits.hard_time = Some(time);
        }
        limits
    }

    /// Whether an operation is written.
    pub fn writes(&self, extra: Extra) -> bool {
        self.written.has(extra, self.effort.time.is_some())
    }

    /// Whether measured times are written: otherwise the output depends only on the input.
    pub fn writes_time(&self) -> bool {
        [Extra::Acs, Extra::Cte, Extra::Ctu]
            .iter()
            .any(|&extra| self.writes(extra))
    }
}

/// Which results of an analysis are written.
#[derive(Clone, Debug, Arguments)]
pub struct Written {
    /// Operations to write in addition to ce and pv, separated by commas; `default` stands for
    /// acd,acn,pm, and acs if --time is given
    #[arg(
        long,
        value_name = "OPCODES",
        value_delimiter = ',',
        default_value = "default"
    )]
    pub write: Vec<Extra>,
    /// Smallest value to write as acs
    #[arg(long, value_name = "SECONDS", default_value_t = 0)]
    pub min_acs: u64,
    /// Keep the operations of an older analysis under opcodes with this prefix: with `Old_`, ce is kept as
    /// `Old_ce`. Values other than numbers are quoted
    #[arg(long, value_name = "PREFIX")]
    pub keep_old: Option<Prefix>,
}

impl Written {
    /// Whether an operation is to be written, given whether the time is limited.
    pub fn has(&self, extra: Extra, is_timed: bool) -> bool {
        let usual = match extra {
            Extra::Acd | Extra::Acn | Extra::Pm => true,
            Extra::Acs => is_timed,
            _ => false,
        };
        self.write.contains(&extra) || usual && self.write.contains(&Extra::Default)
    }
}

/// An operation that an analysis can write, by its opcode.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Extra {
    Default,
    /// Nothing
    None,
    /// Depth in plies
    Acd,
    /// Nodes
    Acn,
    /// Seconds
    Acs,
    /// Time in milliseconds, in a form that python-chess cannot read
    Cte,
    /// Processor time in milliseconds, where available, in a form that python-chess cannot read
    Ctu,
    /// Number of moves to mate, if the side to move mates
    Dm,
    /// The evaluation in pawns
    Pes,
    /// The best move, as the predicted move
    Pm,
    /// The best move, as the supplied move with which the game continues
    Sm,
    /// Date and time of writing, in a form that python-chess cannot read; always updated in records
    /// that have a ts
    Ts,
}

/// The prefix of private opcodes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prefix(String);

impl Prefix {
    /// Opcodes have up to 15 characters (decision 104), and those of an analysis up to five.
    const MOST: usize = 10;

    /// The opcode without the prefix, if it has it.
    pub fn strip<'o>(&self, opcode: &'o str) -> Option<&'o str> {
        opcode.strip_prefix(&self.0)
    }

    /// The opcode with the prefix.
    pub fn before(&self, opcode: &str) -> Opcode {
        Opcode::new(format!("{}{opcode}", self.0)).expect("letters, digits and underscores")
    }
}

impl fmt::Display for Prefix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for Prefix {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let capital = text.starts_with(|first: char| first.is_ascii_uppercase());
        if capital && text.len() <= Self::MOST && text.bytes().all(is_opcode_letter) {
            return Ok(Self(text.to_owned()));
        }
        Err(format!(
            "expected a capital letter, then up to {} letters, digits and underscores",
            Self::MOST - 1
        ))
    }
}

/// Input, output and job control of the verbs that analyse.
#[derive(Debug, Arguments)]
pub struct Batch {
    /// Input file, plain or compressed with gzip or zstd; `-` for standard input
    #[arg(value_name = "IN")]
    pub input: Stream,
    /// Output file; `-` for standard output. Without OUT, records go to standard output, or, if that
    /// is a terminal, a readable line per position is printed instead. OUT is written as OUT.part and
    /// renamed when it is complete, and compressed if its name ends in .gz or .zst. Engine, limits and
    /// dates of the run are written to OUT.run.json
    #[arg(value_name = "OUT")]
    pub output: Option<Stream>,
    #[command(flatten)]
    pub rewrite: Rewrite,
    /// Number of positions to analyse at the same time
    #[arg(long, value_name = "N", default_value = "1")]
    pub jobs: NonZeroUsize,
    #[command(flatten)]
    pub castling: Castling,
    /// Accept only lines in the exact form of the standard, and stop at the first one that is not. Values
    /// and moves are checked as without this option
    #[arg(long)]
    pub strict: bool,
    /// Continue an unfinished run from OUT.journal
    #[arg(long)]
    pub resume: bool,
    /// Start over and ignore OUT.journal
    #[arg(long, conflicts_with = "resume")]
    pub restart: bool,
}

impl Batch {
    /// The output for records.
    pub fn output(&self) -> &Stream {
        self.output.as_ref().unwrap_or(&Stream::Standard)
    }
}

#[derive(Debug, Arguments)]
#[command(after_help = "\
Sets these operations in each record: pv (the principal variation), ce (the score in centipawns; a \
mate in n plies is 32767 - n), and those of --write. The operations of an older analysis are removed, \
dm and sm only if --write names them; all others are kept. At checkmate and stalemate pv is empty. Measured times are written only if --time is given or --write names them; \
otherwise, with one thread, the output does not depend on the number of jobs.

On a terminal, without OUT, a line per position is printed instead of the records: number, id, move, \
score in pawns for the side to move (#3: mate in three), depth, time and principal variation. Give \
OUT, or - for the terminal, to get the records. If OUT is a file, OUT.run.json describes the run: \
engine and version, limits, threads, dates.

Ctrl-C finishes the positions in progress and quits; press it again to quit at once. If OUT is a file, \
the same command with --resume continues a run that was interrupted or killed.

Examples:
  epode pfga games.epd analysed.epd --time 1s --jobs 4
  epode pfga --nodes 100000 --multipv 3 --write default,pes,dm - < in.epd > out.epd
  epode pfga games.epd analysed.epd --time 1s --jobs 4 --resume
  epode pfga --depth 20 --engine stockfish --option Hash=256 in.epd out.epd

Exit status: 0 on success, 1 if a record could not be analysed (its position is illegal, or the engine \
failed), 2 if a line is not a record or the run was interrupted.")]
pub struct Pfga {
    #[command(flatten)]
    pub batch: Batch,
    #[command(flatten)]
    pub analysis: Analysis,
}

#[derive(Debug, Arguments)]
#[command(after_help = "\
Every result is proven: a reported mate is the shortest one, and \"no mate\" means that there is none \
within N moves. A record with a mate gets dm (the number of moves), pm, pv (the whole line), ce, and \
the operations of --write. A record without a mate is copied unchanged, and so is a record that the \
limits leave undecided, which is reported. Records with a dm of N or less are skipped. The fifty-move \
rule applies, starting from hmvc.

On a terminal, without OUT, a line per position is printed instead of the records. If OUT is a file, \
OUT.run.json describes the run: limits, dates and the version of the program.

Examples:
  epode pfms --moves 5 suite.epd mates.epd
  epode pfms --moves 12 --time 30s --jobs 2 suite.epd mates.epd
  epode pfms --moves 8 --scan --nodes 10000000 claimed.epd shortest.epd
  epode pfms --moves 5 --check puzzles.epd proven.epd
  epode pfms --moves 3 - < suite.epd | grep -c ' dm 3;'

Exit status: 0 on success, 1 if a position is illegal or could not be searched, or a dm is wrong, 2 if a line is not a \
record or the run was interrupted.")]
pub struct Pfms {
    #[command(flatten)]
    pub batch: Batch,
    /// Look for mates in at most N moves of the side to move
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=MateSolver::MAX_MOVES as i64))]
    pub moves: u16,
    /// Search for mates in 1, 2, 3 ... up to N moves in turn; if a record has dm, look for a shorter
    /// mate
    #[arg(long)]
    pub scan: bool,
    /// Prove the mates of records that have dm, and report each dm that is wrong; skip other records
    #[arg(long, conflicts_with = "scan")]
    pub check: bool,
    /// Time per position, such as 500ms, 1.5s or 2m; a number without a unit is in seconds. Without
    /// --time and --nodes each position is searched until it is decided
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub time: Option<Duration>,
    /// Nodes per position
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: Option<u64>,
    /// Size of the table of proof numbers in MiB
    #[arg(long, value_name = "MIB", default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=1 << 20))]
    pub hash: u32,
    #[command(flatten)]
    pub written: Written,
}

impl Pfms {
    /// The limits of the search of a position.
    pub fn limits(&self) -> Limits {
        Limits {
            nodes: self.nodes,
            hard_time: self.time,
            ..Limits::default()
        }
    }

    /// Whether an operation is written; `dm` and `pm` always are (EPD 7.3).
    pub fn writes(&self, extra: Extra) -> bool {
        matches!(extra, Extra::Dm | Extra::Pm) || self.written.has(extra, self.time.is_some())
    }
}

#[derive(Debug, Arguments)]
#[command(after_help = "\
Analyses and writes each record as pfga does. A record is solved if the best move is among those of bm \
and not among those of am; a record with neither has no target. A solved record gets Scn, Scd and, with \
--time, Sct: the nodes, depth and time at which the best move first became correct and stayed so. Points \
are counted in records with c0 (\"f5=10, Bf2=5\"), or c7 and c8 (\"f5 Bf2\", \"10 5\").

On a terminal, without OUT, a line per position is printed instead of the records, with the expected \
moves if they were missed. Give OUT, or - for the terminal, to get the records. If OUT is a file, \
OUT.run.json describes the run: engine and version, limits, threads, dates.

Examples:
  epode pfts suites/bratko-kopec.epd --time 1s
  epode pfts --nodes 100000 --jobs 4 suite.epd solved.epd
  epode pfts --time 10s --until-solved 3 suite.epd solved.epd
  epode pfts --time 1s --engine stockfish suite.epd other.epd
  epode pfts --depth 8 huge.epd.gz out.epd.gz

Exit status: 0 on success, 1 if a record could not be analysed (its position is illegal, or the engine \
failed) or its target could not be read, 2 if a line is not a record or the run was interrupted.")]
pub struct Pfts {
    #[command(flatten)]
    pub batch: Batch,
    #[command(flatten)]
    pub analysis: Analysis,
    /// Stop searching a position once the best move has been correct for K iterations in a row
    #[arg(long, value_name = "K")]
    pub until_solved: Option<NonZeroUsize>,
}
