//! The command line: verbs, options and their help texts. Parsing opens no file.

use std::ffi::OsString;
use std::num::{NonZeroU8, NonZeroUsize};
use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context;
use clap::{Args as Arguments, Parser, Subcommand};
use engine::{BadNet, Net};
use epode_train::selection::Selection;
use epode_train::trainer::Training;

/// Play self-play games with the Epode chess engine, and train its neural network on them
#[derive(Debug, Parser)]
#[command(
    name = "epode-train",
    version,
    about,
    propagate_version = true,
    max_term_width = 100
)]
#[command(after_help = "\
Examples:
  epode-train datagen games.epg --threads 2 --positions 1000000
  epode-train train games.epg --out new.net --threads 2
  epode uci --net new.net")]
pub struct Args {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Play the engine against itself and store the games
    Datagen(Datagen),
    /// Expand stored games into data points, and count them
    Unpack(Unpack),
    /// Train a network on stored games
    Train(Train),
}

#[derive(Debug, Arguments)]
#[command(after_help = "\
Each game begins with 8 to 10 random moves (`--random-moves`) and ends by the rules of chess, when the search finds a \
mate, or when the tablebases have the result. The search does not prune moves of the principal variation, \
because scores of so few nodes are more accurate then. OUT stores moves and scores in about 3 bytes per data point (8 with --label-every 4). Data points are the quiet positions \
from the ninth move on, with score and result, and, for every move, the first quiet position \
after a random move, with its score only. With --label-every 4, only every fourth move makes data points, and \
the other moves are chosen with a quarter of the nodes, so that there are more games in the same time. `epode-train train` reads OUT directly; `epode-train unpack` \
expands it to 32 bytes per data point.

The games depend on the seed, not on the number of threads. To continue a run that was interrupted or \
killed, give the same command again. Ctrl-C writes the finished games and quits.

With --check, every line that the search reports is played through, and the first illegal move stops \
the run.

Examples:
  epode-train datagen games.epg --threads 2 --positions 1000000
  epode-train datagen games.epg --nodes 1500 --time 8h --book openings.epd --seed 7
  epode-train datagen games.epg --book openings.epd --random-moves 3
  epode-train datagen games.epg --nodes 100 --label-every 4 --resign 90 --side-line-limit 1000
  epode-train datagen games.epg --endings 20 --chess960 8 --syzygy tables/3-4
  epode-train datagen --check --games 100000 --nodes 200

Exit status: 0 on success, 1 if a search returned no move or an illegal line, 2 if something could \
not be read or written.")]
pub struct Datagen {
    /// The game file; new games are appended to it
    #[arg(value_name = "OUT", required_unless_present = "check")]
    pub output: Option<PathBuf>,
    /// Only play and check every line that the search reports; store nothing
    #[arg(long, conflicts_with = "output")]
    pub check: bool,
    /// Nodes per move; no new iteration starts after that
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..=1 << 40))]
    pub nodes: u64,
    /// Search only every Nth move of a game, and side lines before these, with all nodes, and only these
    /// positions are data points; the other moves are searched with a quarter of the nodes
    #[arg(long, value_name = "N", default_value = "1")]
    pub label_every: NonZeroU8,
    /// Games to play at the same time, each on its own thread
    #[arg(long, value_name = "N", default_value = "1")]
    pub threads: NonZeroUsize,
    /// Seed of the random openings
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Start from the positions in an EPD file instead of the starting position; `-` for standard input
    #[arg(long, value_name = "FILE")]
    pub book: Option<PathBuf>,
    /// Random moves at the beginning of each game; up to two more are played
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = random_moves)]
    pub random_moves: usize,
    /// Percentage of games that start from shuffled back ranks (double Chess960)
    #[arg(long, value_name = "PERCENT", default_value_t = 0, value_parser = percentage)]
    pub chess960: usize,
    /// Percentage of games that start from random endings, without random moves
    #[arg(long, value_name = "PERCENT", default_value_t = 0, value_parser = percentage)]
    pub endings: usize,
    /// Percentage of moves before which a side line is searched: a random move and its replies
    #[arg(long, value_name = "PERCENT", default_value_t = 100, value_parser = percentage)]
    pub side_lines: usize,
    /// Search no side lines from positions whose score is beyond this many centipawns, and drop those that
    /// lead to such positions
    #[arg(long, value_name = "CENTIPAWNS", value_parser = clap::value_parser!(u16).range(1..))]
    pub side_line_limit: Option<u16>,
    /// Percentage of games that a side resigns when it is 10 pawns behind for four plies in a row; the others
    /// are played on
    #[arg(long, value_name = "PERCENT", default_value_t = 0, value_parser = percentage)]
    pub resign: usize,
    /// Probe the Syzygy tablebases in these folders, separated by `:` (on Windows by `;`), and end a game
    /// when they have its result
    #[arg(long, value_name = "PATH")]
    pub syzygy: Option<OsString>,
    /// Size of the transposition table of each thread in MiB
    #[arg(long, value_name = "MIB", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1 << 20))]
    pub hash: u32,
    /// Stop at this total number of games, earlier runs included
    #[arg(long, value_name = "N")]
    pub games: Option<u64>,
    /// Stop at this total number of data points, earlier runs included
    #[arg(long, value_name = "N")]
    pub positions: Option<u64>,
    /// Stop after this time, such as 30s, 10m or 8h; a number without a unit is in seconds
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub time: Option<Duration>,
    /// Evaluate with the network in this file instead of the built-in one
    #[arg(long, value_name = "FILE")]
    pub net: Option<PathBuf>,
}

#[derive(Debug, Arguments)]
#[command(after_help = "\
Prints the number of games and data points in each file. Each data point takes 32 bytes in OUT; \
engine/train/src/data_point.rs describes the format. Damaged blocks are reported and skipped.

Examples:
  epode-train unpack games.epg
  epode-train unpack old.epg new.epg --out positions.bin
  epode-train unpack new.epg --max-score 1000 --game-share 50 --out positions.bin

Exit status: 0 on success, 1 if a block is damaged, 2 if something could not be read or written.")]
pub struct Unpack {
    /// Game files written by datagen
    #[arg(value_name = "GAMES", required = true)]
    pub games: Vec<PathBuf>,
    /// Mix in later scores of the game too (0 to 1): each ply later weighs less by this factor, as in
    /// TD(lambda)
    #[arg(long, value_name = "LAMBDA", default_value_t = 0.0, value_parser = td_lambda)]
    pub td_lambda: f64,
    /// Leave out data points whose score is beyond this many centipawns, for either side
    #[arg(long, value_name = "CENTIPAWNS", value_parser = clap::value_parser!(u16).range(1..))]
    pub max_score: Option<u16>,
    /// Percentage of the data points of the games themselves to keep, always the same ones; those of side
    /// lines are all kept
    #[arg(long, value_name = "PERCENT", default_value_t = Selection::default().game_share, value_parser = percentage)]
    pub game_share: usize,
    /// Write the data points to this file; `-` for standard output
    #[arg(long, value_name = "OUT")]
    pub out: Option<PathBuf>,
    /// Number of threads
    #[arg(long, value_name = "N", default_value_t = NonZeroUsize::MIN)]
    pub threads: NonZeroUsize,
}

#[derive(Debug, Arguments)]
#[command(after_help = "\
The network learns to predict the score of the search and, with less weight, the result of the game. \
One data point in fifty goes into the validation set, which is never trained on. The loss is the mean \
squared error in points, where a game is worth one. After each epoch the quantized network is written.

The same data and seed give the same network for any number of threads.

Examples:
  epode-train train games.epg --out new.net --threads 8
  epode-train train new.epg old.epg --begin old.net --out new.net --epochs 12
  epode uci --net new.net")]
pub struct Train {
    /// Game files written by datagen, or data points written by unpack
    #[arg(value_name = "DATA", required = true)]
    pub data: Vec<PathBuf>,
    /// Write the network to this file
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// Start from the network in this file instead of random weights; it may have fewer neurons
    #[arg(long, value_name = "FILE")]
    pub begin: Option<PathBuf>,
    /// Number of passes over the data
    #[arg(long, value_name = "N", default_value_t = Training::default().epochs)]
    pub epochs: NonZeroUsize,
    /// Data points per batch
    #[arg(long, value_name = "N", default_value_t = Training::default().batch)]
    pub batch: NonZeroUsize,
    /// Maximum learning rate
    #[arg(long, value_name = "RATE", default_value_t = Training::default().rate, value_parser = rate)]
    pub rate: f32,
    /// Weight of the game result against the score, from 0 to 1
    #[arg(long, value_name = "WEIGHT", default_value_t = Training::default().wdl_weight, value_parser = wdl_weight)]
    pub wdl_weight: f32,
    /// Learn from later scores of the game too (0 to 1): each ply later weighs less by this factor, as in
    /// TD(lambda)
    #[arg(long, value_name = "LAMBDA", default_value_t = 0.0, value_parser = td_lambda)]
    pub td_lambda: f64,
    /// Seed of the initial weights and of the order of data points
    #[arg(long, value_name = "N", default_value_t = Training::default().seed)]
    pub seed: u64,
    /// Number of threads; the neurons are divided among at most 16
    #[arg(long, value_name = "N", default_value_t = Training::default().threads)]
    pub threads: NonZeroUsize,
}

/// Reads a network with this function.
pub fn read_net(
    path: &std::path::Path,
    read: fn(&[u8]) -> Result<Net, BadNet>,
) -> anyhow::Result<Net> {
    let name = || path.display().to_string();
    let bytes = std::fs::read(path).with_context(|| format!("cannot read {}", name()))?;
    read(&bytes).with_context(name)
}

fn rate(text: &str) -> Result<f32, String> {
    let rate = text.parse().ok().filter(|rate| (1e-9..=1.0).contains(rate));
    rate.ok_or_else(|| "expected a number above 0, at most 1".to_owned())
}

fn percentage(text: &str) -> Result<usize, String> {
    let percentage = text.parse().ok().filter(|percentage| *percentage <= 100);
    percentage.ok_or_else(|| "expected a number from 0 to 100".to_owned())
}

fn random_moves(text: &str) -> Result<usize, String> {
    let moves = text.parse().ok().filter(|moves| *moves <= 100);
    moves.ok_or_else(|| "expected a number from 0 to 100".to_owned())
}

fn wdl_weight(text: &str) -> Result<f32, String> {
    fraction(text).map(|weight| weight as f32)
}

fn td_lambda(text: &str) -> Result<f64, String> {
    fraction(text)
}

fn fraction(text: &str) -> Result<f64, String> {
    let weight = text
        .parse()
        .ok()
        .filter(|weight| (0.0..=1.0).contains(weight));
    weight.ok_or_else(|| "expected a number from 0 to 1".to_owned())
}

/// A time above zero; seconds if there is no unit.
fn duration(text: &str) -> Result<Duration, String> {
    let time = match text.parse() {
        Ok(seconds) => Duration::try_from_secs_f64(seconds).map_err(|error| error.to_string()),
        Err(_) => humantime::parse_duration(text).map_err(|error| error.to_string()),
    };
    match time {
        Ok(time) if time.is_zero() => Err("expected a time above zero".to_owned()),
        Err(error) => Err(format!("{error}; expected a time such as 30s, 10m or 8h")),
        time => time,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        Args::command().debug_assert();
    }

    #[test]
    fn durations() {
        for (text, milliseconds) in [
            ("1s", 1000),
            ("500ms", 500),
            ("1.5", 1500),
            ("2m", 120_000),
            ("3", 3000),
            ("1h 30m", 5_400_000),
        ] {
            assert_eq!(
                duration(text),
                Ok(Duration::from_millis(milliseconds)),
                "{text}"
            );
        }
        for text in ["", "s", "0s", "0", "-1s", "-1", "1..2s", "NaN", "inf"] {
            let error = duration(text).expect_err(text);
            assert!(error.contains("expected a time"), "{text}: {error}");
        }
    }
}
