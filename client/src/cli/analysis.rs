//! The words of the verbs that analyse, each option said once.

use std::collections::BTreeMap;
use std::fmt;
use std::num::NonZeroUsize;
use std::str::FromStr;
use std::time::Duration;

use clap::{Args as Arguments, ValueEnum};
use engine::{Limits, MateSolver};
use epd::Opcode;

use super::{NetFile, Rewrite, Stream, duration, is_opcode_letter};
use crate::batch::run_info::{RunEngine, RunInfo, RunLimits};
use crate::batch::settings::Settings;

/// What finds the moves.
#[derive(Clone, Debug, Arguments)]
pub struct Engine {
    /// Threads that search one position together
    #[arg(long, value_name = "N", default_value = "1")]
    pub threads: NonZeroUsize,
    /// The size of the transposition table; less than the usual 16 where --nodes cannot fill it
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u32).range(1..=1 << 20))]
    pub hash: Option<u32>,
    /// A UCI engine in place of the built-in one, by its path or its command line, in which blanks
    /// are quoted as in a shell
    #[arg(long = "engine", value_name = "COMMAND", id = "engine")]
    pub command: Option<String>,
    /// An option of that engine, which must have it and take the value; NAME alone presses a button
    #[arg(long = "option", value_name = "NAME=VALUE", requires = "engine")]
    pub options: Vec<EngineOption>,
    #[command(flatten)]
    pub net: NetFile,
}

impl Engine {
    /// What tells the network of the built-in engine from others, whatever its file is called; none
    /// for another engine.
    pub fn network(&self) -> anyhow::Result<Option<u32>> {
        match &self.command {
            Some(_) => Ok(None),
            None => Ok(Some(self.net.load()?.checksum())),
        }
    }

    /// Adds the options that decide what is found. Each field is named, so that none is forgotten.
    fn add_to(&self, settings: &mut Settings) -> anyhow::Result<()> {
        let Self {
            threads,
            hash,
            command,
            options,
            net: _,
        } = self;
        settings.set("--threads", threads);
        settings.set_some("--hash", *hash);
        settings.set_some("--engine", command.as_ref());
        for EngineOption(name, value) in options {
            settings.set(format!("--option {name}"), value);
        }
        let network = self.network()?;
        settings.set_some(
            "the network",
            network.map(|checksum| format!("{checksum:08x}")),
        );
        Ok(())
    }

    /// The size of the table in MiB, for searches of so many nodes at most.
    pub fn hash(&self, nodes: Option<u64>) -> u32 {
        const USUAL: u32 = 16;
        // Clearing what was never filled would take longer than a small search.
        const BYTES_A_NODE: u64 = 32;
        let enough = |nodes: u64| ((nodes.saturating_mul(BYTES_A_NODE)) >> 20).clamp(1, 16) as u32;
        self.hash.unwrap_or_else(|| nodes.map_or(USUAL, enough))
    }
}

/// An option of an engine: its name and value, which a button has not.
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

/// How long each position is searched, whatever the others took.
#[derive(Clone, Debug, Arguments)]
#[group(required = true, multiple = true)]
pub struct Effort {
    /// Time a position: 1s, 500ms, 1.5s, 2m; a number without a unit is seconds
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub time: Option<Duration>,
    /// Nodes a position
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: Option<u64>,
    /// Plies a position
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=engine::MAX_PLY as i64))]
    pub depth: Option<u16>,
}

/// How positions are analysed, and what is written of it.
#[derive(Clone, Debug, Arguments)]
pub struct Analysis {
    #[command(flatten)]
    pub effort: Effort,
    /// Break off when a limit is reached (the default)
    #[arg(long)]
    pub hard: bool,
    /// Finish the iteration in which a limit is reached, unless it takes three times as much
    #[arg(long, conflicts_with = "hard")]
    pub soft: bool,
    /// Give a position up after this time (seconds without a unit): its record is copied with a note in c9
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub timeout: Option<Duration>,
    #[command(flatten)]
    pub engine: Engine,
    /// Find so many lines; the others are written as Ce2 Pv2, Ce3 Pv3 ...
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    pub multipv: u16,
    #[command(flatten)]
    pub written: Written,
}

impl Analysis {
    /// What a search may spend (decision 134).
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

    /// What the options say of a run.
    pub fn info(&self) -> RunInfo {
        let Effort { time, nodes, depth } = self.effort;
        let mut options: BTreeMap<_, _> = self
            .engine
            .options
            .iter()
            .map(|EngineOption(name, value)| (name.clone(), value.clone()))
            .collect();
        if let Some(net) = &self.engine.net.net {
            options.insert("net".to_owned(), net.display().to_string());
        }
        RunInfo {
            limits: RunLimits {
                time_ms: RunLimits::milliseconds(time),
                nodes,
                depth: depth.map(u64::from),
                moves: None,
            },
            engine: RunEngine {
                name: String::new(),
                command: self.engine.command.clone(),
                options,
            },
            threads: self.engine.threads.get() as u64,
            multipv: self.multipv.into(),
            hash_mib: self.engine.hash(nodes).into(),
            ..RunInfo::default()
        }
    }

    /// The options that decide what a record comes to.
    pub fn settings(&self) -> anyhow::Result<Settings> {
        let Self {
            effort: Effort { time, nodes, depth },
            // The default, whether it is said or not.
            hard: _,
            soft,
            timeout,
            engine,
            multipv,
            written,
        } = self;
        let mut settings = Settings::default();
        settings.set_time("--time", *time);
        settings.set_some("--nodes", *nodes);
        settings.set_some("--depth", *depth);
        settings.set_flag("--soft", *soft);
        settings.set_time("--timeout", *timeout);
        settings.set("--multipv", multipv);
        engine.add_to(&mut settings)?;
        written.add_to(&mut settings);
        Ok(settings)
    }

    /// Whether an operation is written.
    pub fn writes(&self, extra: Extra) -> bool {
        self.written.has(extra, self.effort.time.is_some())
    }

    /// Whether what a clock says is written: otherwise the output depends on the input alone.
    pub fn tells_time(&self) -> bool {
        [Extra::Acs, Extra::Cte, Extra::Ctu]
            .iter()
            .any(|&extra| self.writes(extra))
    }
}

/// What is written of an analysis.
#[derive(Clone, Debug, Arguments)]
pub struct Written {
    /// What is written beside ce and pv, with commas between: `default` is acd,acn,pm, and acs when
    /// --time is given
    #[arg(
        long,
        value_name = "OPCODES",
        value_delimiter = ',',
        default_value = "default"
    )]
    pub write: Vec<Extra>,
    /// The least that is written as acs
    #[arg(long, value_name = "SECONDS", default_value_t = 0)]
    pub min_acs: u64,
    /// Keep what is replaced, under opcodes that begin so: with `Old_`, ce becomes `Old_ce`. What is
    /// no number is put in quotes
    #[arg(long, value_name = "PREFIX")]
    pub keep_old: Option<Prefix>,
}

impl Written {
    /// Adds these options to those of a run.
    pub fn add_to(&self, settings: &mut Settings) {
        let Self {
            write,
            min_acs,
            keep_old,
        } = self;
        let names = write.iter().filter_map(ValueEnum::to_possible_value);
        let names: Vec<_> = names.map(|value| value.get_name().to_owned()).collect();
        settings.set("--write", names.join(","));
        settings.set("--min-acs", min_acs);
        settings.set_some("--keep-old", keep_old.as_ref());
    }

    /// Whether an operation is asked for, when there is a limit of time or none.
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
    /// Milliseconds, in a form of the standard's author that python-chess cannot read
    Cte,
    /// Milliseconds of processor time, where the system tells it; python-chess cannot read it
    Ctu,
    /// Moves to the mate that the side to move was found to have
    Dm,
    /// The evaluation in pawns
    Pes,
    /// The move, as the one predicted
    Pm,
    /// The move, as the one supplied: the game goes on with it
    Sm,
    /// When it was written, in the standard's form, which python-chess cannot read; where there is
    /// one it is set anyway
    Ts,
}

/// How private opcodes begin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prefix(String);

impl Prefix {
    /// Opcodes have 15 letters (decision 104), and what is written has up to five.
    const MOST: usize = 10;

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

/// What the verbs that analyse have in common but for the analysis.
#[derive(Debug, Arguments)]
pub struct Batch {
    /// The file, plain or compressed with gzip or zstd; `-` for standard input
    #[arg(value_name = "IN")]
    pub input: Stream,
    /// Where the records go; `-` for standard output, where they go too if OUT is not given, unless
    /// that is a terminal: it gets a line a position for people. A file is written whole, and until
    /// then as OUT.part. It is compressed if its name ends in .gz or .zst. Engine, limits and dates
    /// of the run go into OUT.run.json beside it
    #[arg(value_name = "OUT")]
    pub output: Option<Stream>,
    #[command(flatten)]
    pub rewrite: Rewrite,
    /// Positions that are analysed at the same time
    #[arg(long, value_name = "N", default_value = "1")]
    pub jobs: NonZeroUsize,
    /// Take only what is exactly as the standard has it, and stop at the first line that is not
    #[arg(long)]
    pub strict: bool,
    /// Go on where an earlier run ended, by what it wrote into OUT.journal
    #[arg(long)]
    pub resume: bool,
    /// Begin anew, whatever OUT.journal says
    #[arg(long, conflicts_with = "resume")]
    pub restart: bool,
}

impl Batch {
    /// Where the records go.
    pub fn output(&self) -> &Stream {
        self.output.as_ref().unwrap_or(&Stream::Standard)
    }
}

#[derive(Debug, Arguments)]
#[command(after_help = "\
Each record is copied with the operations pv (the line) and ce (centipawns, a mate in n plies is \
32767 - n) set, and those of --write; everything else in it is kept. At checkmate and stalemate pv is \
empty. What a clock says is written only when --time is given or --write names it: without it the \
output is the same for any number of jobs, with one thread.

Where standard output is a terminal and OUT is not given, a line a position is printed in place of \
the records: number, id, move, score in pawns for the side to move (#3: mate in three), depth, time \
and line. Give OUT, or - for the terminal, to have the records. Beside a file OUT, OUT.run.json tells \
of the run: engine and version, limits, threads, dates.

Ctrl-C finishes the positions under way. An interrupted or killed run is gone on with by the same \
command and --resume, when OUT is a file.

Examples:
  epode pfga games.epd analysed.epd --time 1s --jobs 4
  epode pfga --nodes 100000 --multipv 3 --write default,pes,dm - < in.epd > out.epd
  epode pfga games.epd analysed.epd --time 1s --jobs 4 --resume
  epode pfga --depth 20 --engine stockfish --option Hash=256 in.epd out.epd

Exit status: 0 if all went well, 1 if a record could not be analysed (its position is illegal, or it \
was given up), 2 if a line is no record or the run was interrupted.")]
pub struct Pfga {
    #[command(flatten)]
    pub batch: Batch,
    #[command(flatten)]
    pub analysis: Analysis,
}

#[derive(Debug, Arguments)]
#[command(after_help = "\
For each position it is proven that the side to move mates by force within so many moves, or that it \
does not; nothing is guessed. A record with a mate is copied with dm (the least number of moves), pm, \
pv (the whole line) and ce set, and what --write names. A record without one is copied as it is; one \
that the limits leave undecided too, and told. Records are skipped that have a mate of N moves or less \
already (dm). The fifty-move rule counts, from hmvc.

On a terminal without OUT a line a position is printed in place of the records. Beside a file OUT, \
OUT.run.json tells of the run: limits, dates, the version of the program.

Examples:
  epode pfms --moves 5 suite.epd mates.epd
  epode pfms --moves 12 --time 30s --jobs 2 suite.epd mates.epd
  epode pfms --moves 8 --scan --nodes 10000000 claimed.epd shortest.epd
  epode pfms --moves 3 - < suite.epd | grep -c ' dm 3;'

Exit status: 0 if all went well, 1 if a position is illegal or was given up, 2 if a line is no record \
or the run was interrupted.")]
pub struct Pfms {
    #[command(flatten)]
    pub batch: Batch,
    /// Look for mates in at most so many moves of the side to move
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=MateSolver::MAX_MOVES as i64))]
    pub moves: u16,
    /// Do what one run each with 1, 2, 3 ... up to N moves would: where dm tells of a mate, look for
    /// a shorter one
    #[arg(long)]
    pub scan: bool,
    /// Time a position: 1s, 500ms, 1.5s, 2m; a number without a unit is seconds; without --time and
    /// --nodes each position is decided
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub time: Option<Duration>,
    /// Nodes a position
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: Option<u64>,
    /// The size of the table of what is known
    #[arg(long, value_name = "MIB", default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=1 << 20))]
    pub hash: u32,
    #[command(flatten)]
    pub written: Written,
}

impl Pfms {
    /// What a position may take.
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
Each record is analysed and written as by pfga. It is solved when the move is among those of bm and \
not among those of am; with neither it has no target. A solved record gains Scn and Scd, and with \
--time Sct: the nodes, the depth and the seconds of the first iteration after which the choice never left \
the target. Points are counted where c0 (\"f5=10, Bf2=5\") or c7 and c8 (\"f5 Bf2\", \"10 5\") give \
them.

Where standard output is a terminal and OUT is not given, a line a position is printed in place of \
the records, with what was expected where it was missed; give OUT, or - for the terminal, to have the \
records. Beside a file OUT, OUT.run.json tells of the run: engine and version, limits, threads, dates.

Examples:
  epode pfts suites/bratko-kopec.epd --time 1s
  epode pfts --nodes 100000 --jobs 4 suite.epd solved.epd
  epode pfts --time 10s --until-solved 3 suite.epd solved.epd
  epode pfts --time 1s --engine stockfish suite.epd other.epd
  epode pfts --depth 8 huge.epd.gz out.epd.gz

Exit status: 0 if all went well, 1 if a record could not be analysed (its position is illegal, or it \
was given up) or its target not be read, 2 if a line is no record or the run was interrupted.")]
pub struct Pfts {
    #[command(flatten)]
    pub batch: Batch,
    #[command(flatten)]
    pub analysis: Analysis,
    /// End a position when the choice was in the target after so many iterations in a row
    #[arg(long, value_name = "K")]
    pub until_solved: Option<NonZeroUsize>,
}
