//! Arguments of `epode book`.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args as Arguments, Subcommand, ValueEnum};

use super::common::{Castling, Rewrite};
use crate::io::stream::Stream;

#[derive(Debug, Subcommand)]
pub enum Book {
    /// Build a repository from games in PGN, analysed EPD files and other repositories
    Build(BookBuild),
    /// Unite sorted repositories into one
    Merge(BookMerge),
    /// Print all moves of a book as a table for other programs
    Dump(BookDump),
    /// Check a book and print what it has
    Stats(BookStats),
    /// Print the moves of a position, or a line through the book
    Lookup(BookLookup),
    /// Write the ECO code and the name of the opening into records or games
    Classify(BookClassify),
    /// Write a Polyglot book
    Export(BookExport),
    /// Read a Polyglot book
    Import(BookImport),
}

#[derive(Debug, Arguments)]
#[command(after_help = "\
A repository is an EPD file with one record for each position, sorted. Each move of the position has an \
operation such as `Bk_e2e4 \"12 5 3 4 13 2024\"`: games, wins, draws and losses of the side that played it, \
weight, and the year of the last game. The weight of a move from games is twice its wins plus its draws. \
Records of analysed EPD files keep ce, pv, id and the like; their bm or pm becomes a move of weight 1.

A game or record that cannot be read is reported and left out. Memory stays bounded: moves are sorted in \
temporary files. The output does not depend on --jobs and --memory.

Examples:
  epode book build *.pgn -o book.epd
  epode book build --plies 24 --min-games 1 event/games.pgn -o openings.epd
  zstdcat lichess.pgn.zst | epode book build --jobs 4 - -o book.epd
  epode book build --min-games 1 unsorted.epd -o sorted.epd

Exit status: 0 on success, 1 if a game or a record is wrong, 2 if a line is not a record.")]
pub struct BookBuild {
    /// PGN or EPD files, plain or compressed with gzip or zstd; `-` for standard input
    #[arg(value_name = "IN", required = true)]
    pub inputs: Vec<Stream>,
    /// The repository; `-` for standard output. It is replaced only when it is complete, and compressed if its
    /// name ends in .gz or .zst
    #[arg(long, short, value_name = "OUT", default_value = "-")]
    pub output: Stream,
    /// Number of half-moves to take from each game
    #[arg(long, value_name = "N", default_value_t = 40)]
    pub plies: usize,
    /// Leave out moves that were played in fewer games
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub min_games: u64,
    /// Do not write eco and the names v0 to v9 into the records of named positions
    #[arg(long)]
    pub no_names: bool,
    /// Memory to use in MiB, besides a few for each thread
    #[arg(long, value_name = "MIB", default_value_t = 1024, value_parser = clap::value_parser!(u32).range(1..=1 << 20))]
    pub memory: u32,
    /// Folder for temporary files, which can need more space than the games (default: that of the system)
    #[arg(long, value_name = "DIR")]
    pub temp: Option<PathBuf>,
    #[command(flatten)]
    pub castling: Castling,
    /// Number of threads that read games; the output does not depend on it
    #[arg(long, value_name = "N", default_value = "1")]
    pub jobs: NonZeroUsize,
    /// Overwrite OUT even if it is read-only
    #[arg(long)]
    pub force: bool,
}

#[derive(Debug, Arguments)]
#[command(after_help = "\
Games, results and weights of the same move are added up. Of several analyses of a position (acd, acn, \
acs, am, bm, ce, dm, pm, pv) that with the highest acd is kept, of other operations that of the first file. \
The files must be sorted, as `epode book build` writes them.

Examples:
  epode book merge a.epd b.epd -o both.epd
  epode book merge book.epd - -o both.epd < other.epd

Exit status: 0 on success, 2 if a file is not a sorted repository.")]
pub struct BookMerge {
    /// Repositories, plain or compressed with gzip or zstd; `-` for standard input
    #[arg(value_name = "FILE", required = true)]
    pub inputs: Vec<Stream>,
    /// Output file; `-` for standard output
    #[arg(long, short, value_name = "OUT", default_value = "-")]
    pub output: Stream,
    /// Overwrite OUT even if it is read-only
    #[arg(long)]
    pub force: bool,
}

#[derive(Debug, Arguments)]
#[command(after_help = "\
Each move is a line: position fields, move in UCI notation and in SAN, games, wins, draws, losses, weight, \
year of the last game, eco, name. A Polyglot book has no positions: there the columns are key, move, weight, \
learn.

Examples:
  epode book dump book.epd | sort -t '\t' -k 4,4nr | head
  epode book dump --format csv book.epd book.csv
  epode book dump book.bin

Exit status: 0 on success, 2 if the book is damaged.")]
pub struct BookDump {
    /// A repository, or a Polyglot book (.bin)
    #[arg(value_name = "FILE")]
    pub input: Stream,
    /// Output file; `-` for standard output
    #[arg(value_name = "OUT", default_value = "-")]
    pub output: Stream,
    /// Separate the columns with tabs or commas
    #[arg(long, value_enum, default_value_t = DumpFormat::Tsv)]
    pub format: DumpFormat,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum DumpFormat {
    Tsv,
    Csv,
}

#[derive(Debug, Arguments)]
#[command(after_help = "\
Examples:
  epode book stats book.epd
  epode book stats book.bin

Exit status: 0 if the book is in order, 2 if it is damaged or not sorted.")]
pub struct BookStats {
    /// A repository, or a Polyglot book (.bin)
    #[arg(value_name = "FILE")]
    pub input: Stream,
}

#[derive(Debug, Arguments)]
#[command(after_help = "\
The repository is searched in its file, which is not loaded. Percentages are those of the games with a \
result, for the side that moves; `play` says how often a player chooses the move, by its weight.

Examples:
  epode book lookup book.epd
  epode book lookup book.epd --moves 'e4 c5 Nf3'
  epode book lookup book.bin 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1'
  epode book lookup --record book.epd --moves e4
  epode book lookup --line --seed 7 book.epd

Exit status: 0 if the position is in the book, 1 if it is not, 2 if the book cannot be read.")]
pub struct BookLookup {
    /// A repository, or a Polyglot book (.bin)
    #[arg(value_name = "FILE")]
    pub book: PathBuf,
    /// Position in FEN or EPD (default: the starting position)
    #[arg(value_name = "FEN", num_args = 0..)]
    pub fen: Vec<String>,
    #[command(flatten)]
    pub castling: Castling,
    /// Play these moves first, in SAN or UCI notation
    #[arg(long, value_name = "MOVES")]
    pub moves: Option<String>,
    /// Print the record of the position
    #[arg(long)]
    pub record: bool,
    /// Print a line: follow the book from the position until it ends, choosing moves by weight
    #[arg(long, conflicts_with = "record")]
    pub line: bool,
    /// Follow the moves with the highest weight
    #[arg(long, requires = "line")]
    pub best: bool,
    /// Random seed of the line; the same seed gives the same line
    #[arg(
        long,
        value_name = "N",
        requires = "line",
        conflicts_with = "best",
        default_value_t = 0
    )]
    pub seed: u64,
}

#[derive(Debug, Arguments)]
#[command(after_help = "\
The name is that of the deepest named position reached, by whatever moves. A record gets eco, and v0, v1, \
... for the opening, its variation and so on. It is named for its own position, after the moves of sv if it has \
them; a record whose position is one move after that of the record before it keeps the name reached so far. A \
record without a name is not changed. A game gets the tags ECO, Opening, Variation and SubVariation; the rest of \
its text is not changed.

The names are those of the Lichess project (CC0), which are built in, or those of --names.

Examples:
  epode book classify games.pgn named.pgn
  epode book classify suite.epd named.epd
  epode book classify --names my-names.epd - < games.pgn

Exit status: 0 on success, 1 if a game or a record is wrong, 2 if a line is not a record.")]
pub struct BookClassify {
    /// PGN or EPD file, plain or compressed with gzip or zstd; `-` for standard input
    #[arg(value_name = "IN")]
    pub input: Stream,
    /// Output file, which may be the same as IN
    #[arg(value_name = "OUT", default_value = "-")]
    pub output: Stream,
    /// Take the names from an EPD file with eco, v0, v1, ...
    #[arg(long, value_name = "FILE")]
    pub names: Option<PathBuf>,
    #[command(flatten)]
    pub rewrite: Rewrite,
    #[command(flatten)]
    pub castling: Castling,
    /// Number of threads for games; the output does not depend on it
    #[arg(long, value_name = "N", default_value = "1")]
    pub jobs: NonZeroUsize,
}

#[derive(Debug, Arguments)]
#[command(after_help = "\
Each move becomes an entry of 16 bytes, sorted by the key of its position. Weights above 65535 are scaled \
down for the whole position. Moves of weight 0, which no program plays, are left out unless --all is given. A \
Polyglot book has no names, games and analyses.

Examples:
  epode book export book.epd book.bin
  epode book export --all book.epd book.bin

Exit status: 0 on success, 2 if the repository cannot be read.")]
pub struct BookExport {
    /// A repository, plain or compressed with gzip or zstd; `-` for standard input
    #[arg(value_name = "IN")]
    pub input: Stream,
    /// The Polyglot book
    #[arg(value_name = "OUT.bin")]
    pub output: Stream,
    /// Write moves of weight 0 too
    #[arg(long)]
    pub all: bool,
    /// Overwrite OUT.bin even if it is read-only
    #[arg(long)]
    pub force: bool,
}

#[derive(Debug, Arguments)]
#[command(after_help = "\
A Polyglot book has keys in place of positions. Its positions are found by following moves from the \
starting position and from those of --start. Entries whose positions are not found are counted and left out. \
The entries need not be sorted. Values for learning programs are left out.

Examples:
  epode book import book.bin book.epd
  epode book import --start setups.epd book.bin book.epd

Exit status: 0 on success, 1 if a move is not legal, 2 if the book cannot be read.")]
pub struct BookImport {
    /// The Polyglot book
    #[arg(value_name = "BOOK.bin")]
    pub input: PathBuf,
    /// The repository; `-` for standard output
    #[arg(value_name = "OUT", default_value = "-")]
    pub output: Stream,
    /// Look for positions from those of this EPD file too
    #[arg(long, value_name = "FILE")]
    pub start: Option<Stream>,
    #[command(flatten)]
    pub castling: Castling,
    /// Do not write eco and the names v0 to v9 into the records of named positions
    #[arg(long)]
    pub no_names: bool,
    /// Overwrite OUT even if it is read-only
    #[arg(long)]
    pub force: bool,
}
