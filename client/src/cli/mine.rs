//! Arguments of the verb that makes test suites of games.

use std::num::NonZeroUsize;

use clap::Args as Arguments;

use super::analysis::Engine;
use super::common::Castling;
use crate::io::stream::Stream;

#[derive(Debug, Arguments)]
#[command(after_help = "\
Each position of the games (or each record of an EPD file) is searched for two lines with --nodes. One move is \
clearly best if its score is at least --margin above that of the second one; scores of more than 600 centipawns \
count as 600, so that a choice between two won games does not count. A search for one line with twice the nodes \
has to find the same move. To save time, a search with an eighth of the nodes comes first, and positions where it \
neither sees half of the margin nor changes its mind are passed over.

Left out are positions with a single legal move, recaptures (unless --recaptures is given), moves that the last \
search has settled on within --min-nodes, and positions that were found before.

A record has bm, ce, acd, acn, pv, Scd and Scn (the depth and nodes at which the search settled on the move, as \
written by pfts), the counters hmvc and fmvn, and the game in id. Finished games are written at once: to OUT.part, \
which becomes OUT at the end.

Examples:
  epode mine games.pgn suite.epd --nodes 100000 --jobs 4
  epode mine games.pgn.zst hard.epd --nodes 1000000 --min-nodes 50000
  epode mine positions.epd suite.epd --engine stockfish --margin 200

Exit status: 0 on success, 1 if a game or record is wrong, 2 if something cannot be read or written.")]
pub struct Mine {
    /// PGN or EPD, plain or compressed with gzip or zstd; `-` for standard input
    #[arg(value_name = "IN")]
    pub input: Stream,
    /// Output file, compressed if its name ends in .gz or .zst
    #[arg(value_name = "OUT", default_value = "-")]
    pub output: Stream,
    /// Nodes of the search for two lines
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = clap::value_parser!(u64).range(100..))]
    pub nodes: u64,
    /// How much better the best move has to be, in centipawns
    #[arg(long, value_name = "CP", default_value_t = 150, value_parser = clap::value_parser!(i32).range(1..=1200))]
    pub margin: i32,
    /// Leave out positions whose best move is found sooner
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub min_nodes: u64,
    /// The first ply of a game to look at, counted from 0
    #[arg(long, value_name = "PLY", default_value_t = 16)]
    pub from_ply: usize,
    /// The last ply of a game to look at
    #[arg(long, value_name = "PLY", default_value_t = usize::MAX, hide_default_value = true)]
    pub to_ply: usize,
    /// Keep positions where the best move captures what has just captured
    #[arg(long)]
    pub recaptures: bool,
    /// Stop after this many positions
    #[arg(long, value_name = "N")]
    pub max_count: Option<u64>,
    /// Overwrite OUT even if it is read-only, and OUT.part of an unfinished run
    #[arg(long)]
    pub force: bool,
    /// Number of games to search at the same time; the output does not depend on it
    #[arg(long, value_name = "N", default_value = "1")]
    pub jobs: NonZeroUsize,
    #[command(flatten)]
    pub castling: Castling,
    #[command(flatten)]
    pub engine: Engine,
}
