//! Arguments of `epode convert`.

use std::num::NonZeroUsize;
use std::path::Path;

use clap::{Args as Arguments, ValueEnum};

use super::common::Castling;
use super::ranges::Ranges;
use crate::io::compression::Compression;
use crate::io::stream::Stream;

#[derive(Debug, Arguments)]
#[command(after_help = "\
The formats are those of the file names: .epd, .fen, .pgn, .csv, .json (an array of objects), .jsonl or .ndjson \
(an object a line), each also with .gz or .zst; --from and --to name others. The format of standard input is \
recognised by its first lines, standard output is EPD. An input of JSON may have either form.

CSV and JSON have columns with types: fen, turn, id, bm, am, pm, pv, sm, sv (moves in SAN), ce, dm, acd, \
acn, acs, hmvc, fmvn (integers), eco, nic, c0 ... c9, and operations with all that the others do not say \
exactly, as EPD. Read back, they give the same records. A column of another file that is named like an opcode \
becomes an operation.

Of the games of a PGN, every position becomes a record, or those of --ply or --last. A PGN that is written has \
one game for each record, which begins from its position.

Examples:
  epode convert suite.epd suite.csv
  epode convert suite.epd - --to jsonl | duckdb -c \"from read_json('/dev/stdin')\"
  epode convert games.pgn.zst positions.epd --ply 16 --unique --jobs 4
  epode convert analysed.jsonl analysed.epd
  curl -s https://lichess.org/api/games/user/NAME | epode convert - games.epd --last
  epode convert --puzzles lichess_db_puzzle.csv.zst puzzles.epd

Exit status: 0 on success, 1 if a record has wrong content or was left out, 2 if a line or a game is not \
understood.")]
pub struct Convert {
    /// Input file, plain or compressed with gzip or zstd; `-` for standard input
    #[arg(value_name = "IN")]
    pub input: Stream,
    /// Output file, which is replaced only when it is complete, and compressed if its name ends in .gz or
    /// .zst
    #[arg(value_name = "OUT", default_value = "-")]
    pub output: Stream,
    /// Format of IN
    #[arg(long, value_name = "FORMAT", value_enum)]
    pub from: Option<DataFormat>,
    /// Format of OUT
    #[arg(long, value_name = "FORMAT", value_enum)]
    pub to: Option<DataFormat>,
    #[command(flatten)]
    pub selection: Selection,
    /// From CSV or JSON of Lichess's puzzles: play the first of Moves, and set bm, sv, id and, for a mate, dm
    #[arg(long)]
    pub puzzles: bool,
    /// Leave out positions that came before: those with the same pieces, side to move, castling rights and
    /// possible en passant capture
    #[arg(long)]
    pub unique: bool,
    /// Overwrite OUT even if it is read-only
    #[arg(long)]
    pub force: bool,
    #[command(flatten)]
    pub castling: Castling,
    /// Number of threads; the output does not depend on it
    #[arg(long, value_name = "N", default_value = "1")]
    pub jobs: NonZeroUsize,
}

/// Which positions of the games of a PGN become records.
#[derive(Debug, Default, Arguments)]
pub struct Selection {
    /// From PGN: the positions after these numbers of plies, such as 16 or 8-20,40-; 0 is the first position
    #[arg(long, value_name = "PLIES", conflicts_with = "last", allow_negative_numbers = true, value_parser = Ranges::from_zero)]
    pub ply: Option<Ranges>,
    /// From PGN: the last position of each game
    #[arg(long)]
    pub last: bool,
    /// From PGN: keep the tags of the game, as ptp, which python-chess does not read
    #[arg(long)]
    pub tags: bool,
}

impl Selection {
    pub fn is_empty(&self) -> bool {
        self.ply.is_none() && !self.last && !self.tags
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum DataFormat {
    Epd,
    /// Six fields and nothing else
    Fen,
    Pgn,
    Csv,
    /// An array of JSON objects
    Json,
    /// One JSON object a line
    Jsonl,
}

impl DataFormat {
    /// The format that a file name stands for.
    pub fn of_name(path: &Path) -> Option<Self> {
        let plain = match Compression::of_name(path) {
            Some(_) => Path::new(path.file_stem()?),
            None => path,
        };
        match plain.extension()?.to_ascii_lowercase().to_str()? {
            "epd" => Some(Self::Epd),
            "fen" => Some(Self::Fen),
            "pgn" => Some(Self::Pgn),
            "csv" => Some(Self::Csv),
            "json" => Some(Self::Json),
            "jsonl" | "ndjson" => Some(Self::Jsonl),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_by_name() {
        for (name, format) in [
            ("a.epd", Some(DataFormat::Epd)),
            ("a.PGN", Some(DataFormat::Pgn)),
            ("a.csv.gz", Some(DataFormat::Csv)),
            ("a.jsonl.zst", Some(DataFormat::Jsonl)),
            ("a.ndjson", Some(DataFormat::Jsonl)),
            ("a.json", Some(DataFormat::Json)),
            ("a.xml", None),
            ("a.gz", None),
            ("csv", None),
        ] {
            assert_eq!(DataFormat::of_name(Path::new(name)), format, "{name}");
        }
    }
}
