//! Arguments of `epode tune`.

mod rules;

use std::num::{NonZeroU32, NonZeroU64, NonZeroUsize};
use std::path::PathBuf;
use std::time::Duration;

use clap::{ArgGroup, Args as Arguments, ValueEnum};
use serde::{Deserialize, Serialize};

use super::common::{Castling, duration};
use crate::io::stream::Stream;
pub use rules::{DrawRule, ResignRule, TimeControl};

#[derive(Debug, Arguments)]
#[command(
    group(ArgGroup::new("mode").args(["list", "show", "resume", "restart"])),
    after_help = "\
Adjusts numeric UCI options by SPSA, as fishtest and OpenBench do. In each iteration all parameters are moved \
up or down at random, by a step; an engine with these values plays a pair of games from the same opening \
against one with the opposite moves, or both search the same positions of a suite; and the parameters move \
a little towards the better side. Options of type spin can be tuned, and those of type string whose value \
is a number.

A line of --params is that of OpenBench, `name, int|float, value, min, max, c_end, r_end`, or that of fishtest, \
without the type. c_end is the step at the end of the run (default: a twentieth of the range) and r_end the \
learning rate (default: 0.002).

Every finished iteration is appended to the file of -o at once. Ctrl-C finishes the games in progress and \
quits; press it again to quit at once. --resume FILE continues a run that was interrupted or killed, with the \
same settings.

Examples:
  epode tune --list --engine ./stockfish > params.txt
  epode tune --params params.txt --engine ./stockfish --nodes 8000 --jobs 8 -o run.tune
  epode tune --param 'Margin=120,50..250' --param 'Base=0.7,0.2..1.5,step=0.05' --engine ./mine
  epode tune --params params.txt --engine ./mine --book openings.epd --tc 1+0.01 -o run.tune
  epode tune --params params.txt --engine ./mine --suite wacnew.epd --movetime 1s -o run.tune
  epode tune --resume run.tune --jobs 4
  epode tune --show run.tune --chart run.svg
  epode tune --show run.tune --print params > next.txt
  epode tune --show run.tune --print effects

Exit status: 0 on success, 1 if games were lost by crashes, illegal moves or on time, 2 if something could not \
be read, written or started, or the run was interrupted."
)]
pub struct Tune {
    /// A parameter with its start value and range, and perhaps its step at the end of the run, its learning
    /// rate (`r_end=R`) or its type (`int`, `float`), if the numbers do not tell it
    #[arg(long = "param", value_name = "NAME=VALUE,MIN..MAX[,step=C]")]
    pub param: Vec<String>,
    /// A file of parameters, one in each line; `-` for standard input
    #[arg(long, value_name = "FILE")]
    pub params: Option<Stream>,
    #[command(flatten)]
    pub settings: TuneSettings,
    /// The journal of the run, which must not exist yet
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Number of iterations at the same time, with two engines each
    #[arg(long, value_name = "N", default_value = "1")]
    pub jobs: NonZeroUsize,
    /// Continue the run of this journal
    #[arg(long, value_name = "FILE", conflicts_with = "output")]
    pub resume: Option<PathBuf>,
    /// Start over, if the file of -o exists
    #[arg(long, requires = "output")]
    pub restart: bool,
    /// Print the state of the run of this journal, which may still be under way
    #[arg(long, value_name = "FILE", conflicts_with = "output")]
    pub show: Option<PathBuf>,
    /// List the numeric options of the engine in the form of --params
    #[arg(long)]
    pub list: bool,
    /// Draw the course of the parameters as SVG or PNG, by the extension of FILE
    #[arg(long, value_name = "FILE", value_parser = chart, conflicts_with = "list")]
    pub chart: Option<PathBuf>,
    /// What to print at the end
    #[arg(long, value_name = "WHAT", value_enum, default_value_t = Printed::All)]
    pub print: Printed,
}

/// The file of a chart. With its extension required, no file of another kind is replaced by mistake.
fn chart(text: &str) -> anyhow::Result<PathBuf> {
    let path = PathBuf::from(text);
    let extension = path.extension().map(std::ffi::OsStr::to_ascii_lowercase);
    if extension.is_none_or(|extension| extension != "svg" && extension != "png") {
        anyhow::bail!("expected a name that ends in .svg or .png");
    }
    Ok(path)
}

/// What is printed about a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Printed {
    All,
    /// The values at the start and now
    Table,
    /// How much one step of each parameter is worth, by linear regression, with the standard error
    Effects,
    /// Lines for --params
    Params,
    /// UCI commands
    Setoption,
}

/// The settings that a resumed run must not change. A journal has them under the names of the options.
#[derive(Clone, Debug, Default, Arguments, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TuneSettings {
    /// The UCI engine: a path, or a command line quoted as in a shell (default: the built-in engine)
    #[arg(long, value_name = "COMMAND")]
    #[serde(rename = "--engine", default, skip_serializing_if = "Option::is_none")]
    pub engine: Option<String>,
    /// Set another option of the engine
    #[arg(long = "option", value_name = "NAME=VALUE")]
    #[serde(rename = "--option", default, skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<String>,
    /// Search threads of each engine (default: 1)
    #[arg(long, value_name = "N")]
    #[serde(rename = "--threads", default, skip_serializing_if = "Option::is_none")]
    pub threads: Option<NonZeroUsize>,
    /// Size of the transposition table in MiB (default: 16, or less if --nodes cannot fill it)
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u32).range(1..=1 << 20))]
    #[serde(rename = "--hash", default, skip_serializing_if = "Option::is_none")]
    pub hash: Option<u32>,
    /// Openings of the games: positions in EPD or FEN, or games in PGN, which are continued (default: 8
    /// random plies)
    #[arg(long, value_name = "FILE", conflicts_with = "suite")]
    #[serde(rename = "--book", default, skip_serializing_if = "Option::is_none")]
    pub book: Option<String>,
    /// Read castling letters `KQkq` of --book and --suite that mean nothing in standard chess as those of
    /// Chess960 (X-FEN): the outermost rook on its side of the king
    #[arg(long)]
    #[serde(
        rename = "--chess960",
        default,
        skip_serializing_if = "std::ops::Not::not"
    )]
    pub chess960: bool,
    /// Search the positions of this test suite (EPD with bm or am) instead of playing games
    #[arg(long, value_name = "FILE", conflicts_with_all = ["tc", "games", "pairs"])]
    #[serde(rename = "--suite", default, skip_serializing_if = "Option::is_none")]
    pub suite: Option<String>,
    /// With --suite: number of positions in an iteration (default: 50)
    #[arg(long, value_name = "N", requires = "suite")]
    #[serde(rename = "--sample", default, skip_serializing_if = "Option::is_none")]
    pub sample: Option<NonZeroUsize>,
    /// Nodes per move or position
    #[arg(long, value_name = "N", conflicts_with_all = ["movetime", "tc"])]
    #[serde(rename = "--nodes", default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<NonZeroU64>,
    /// Time per move or position, such as 500ms or 1s; a number without a unit is in seconds
    #[arg(long, value_name = "TIME", value_parser = duration, conflicts_with = "tc")]
    #[serde(
        rename = "--movetime",
        default,
        with = "as_time",
        skip_serializing_if = "Option::is_none"
    )]
    pub movetime: Option<Duration>,
    /// Clocks: seconds for the game and for each move, such as 10+0.1, or 40/60+0.6 for every 40 moves
    #[arg(long, value_name = "TC")]
    #[serde(rename = "--tc", default, skip_serializing_if = "Option::is_none")]
    pub tc: Option<TimeControl>,
    /// By how much an engine may exceed its time (default: 20ms)
    #[arg(long, value_name = "TIME", value_parser = duration)]
    #[serde(
        rename = "--time-margin",
        default,
        with = "as_time",
        skip_serializing_if = "Option::is_none"
    )]
    pub time_margin: Option<Duration>,
    /// End a game as a draw from this move on, after so many moves of both engines within so many centipawns
    #[arg(
        long,
        value_name = "movenumber=M,movecount=N,score=CP",
        conflicts_with = "suite"
    )]
    #[serde(rename = "--draw", default, skip_serializing_if = "Option::is_none")]
    pub draw: Option<DrawRule>,
    /// An engine loses after so many moves in a row with so many centipawns less than 0, or more
    #[arg(long, value_name = "movecount=N,score=CP", conflicts_with = "suite")]
    #[serde(rename = "--resign", default, skip_serializing_if = "Option::is_none")]
    pub resign: Option<ResignRule>,
    /// End a game as a draw after so many plies (default: 400)
    #[arg(long, value_name = "N", conflicts_with = "suite")]
    #[serde(
        rename = "--max-plies",
        default,
        skip_serializing_if = "Option::is_none"
    )]
    pub max_plies: Option<NonZeroU32>,
    /// Number of games of the whole run, on which the steps depend (default: 20000)
    #[arg(long, value_name = "N", conflicts_with = "iterations")]
    #[serde(rename = "--games", default, skip_serializing_if = "Option::is_none")]
    pub games: Option<NonZeroU64>,
    /// The number of iterations in place of that of games (default with --suite: 1000)
    #[arg(long, value_name = "N")]
    #[serde(
        rename = "--iterations",
        default,
        skip_serializing_if = "Option::is_none"
    )]
    pub iterations: Option<NonZeroU64>,
    /// Pairs of games in an iteration (default: 1)
    #[arg(long, value_name = "N")]
    #[serde(rename = "--pairs", default, skip_serializing_if = "Option::is_none")]
    pub pairs: Option<NonZeroU32>,
    /// Seed of the random numbers (default: 0)
    #[arg(long, value_name = "N")]
    #[serde(rename = "--seed", default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
}

impl TuneSettings {
    pub const fn castling(&self) -> Castling {
        Castling {
            chess960: self.chess960,
        }
    }
}

/// Times in journals: `500ms`.
mod as_time {
    use std::time::Duration;

    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    #[expect(clippy::ref_option, reason = "serde passes a field by reference")]
    pub fn serialize<S: Serializer>(
        time: &Option<Duration>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        match time {
            Some(time) => serializer.collect_str(&humantime::format_duration(*time)),
            None => serializer.serialize_none(),
        }
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Duration>, D::Error> {
        let text = String::deserialize(deserializer)?;
        humantime::parse_duration(&text)
            .map(Some)
            .map_err(D::Error::custom)
    }
}
