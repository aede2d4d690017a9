//! Arguments of the verbs that select, order, unite and count positions.

use std::num::{NonZeroU64, NonZeroUsize};
use std::path::PathBuf;

use clap::{ArgGroup, Args as Arguments, ValueEnum};

use super::common::Castling;
use super::files::Files;
use crate::io::stream::Stream;

/// Which positions are the same.
#[derive(Clone, Copy, Debug, Arguments)]
#[command(next_help_heading = "Which positions are the same")]
pub struct SamePosition {
    /// Positions with different halfmove clocks or move numbers are different
    #[arg(long)]
    pub counters: bool,
    /// Positions that differ only in their castling rights are the same
    #[arg(long)]
    pub ignore_castling: bool,
    /// Whether an en passant square counts only if a legal capture is possible, or as it is written
    #[arg(long, value_name = "HOW", value_enum, default_value_t = EnPassant::Capturable)]
    pub en_passant: EnPassant,
}

impl SamePosition {
    /// The rule for repetitions in the Laws of Chess.
    pub const REPEATED: Self = Self {
        counters: false,
        ignore_castling: false,
        en_passant: EnPassant::Capturable,
    };
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum EnPassant {
    Capturable,
    Written,
}

#[derive(Debug, Arguments)]
#[command(after_help = "\
Two records have the same position if pieces, side to move, castling rights and the possibility to \
capture en passant are the same: the rule for repetitions in the Laws of Chess. The options change that. \
Lines are copied as they are; blank lines, comments and lines that cannot be read too, unless \
--drop-unreadable is given.

Examples:
  epode unique suite.epd unique.epd
  epode unique --duplicates report suite.epd
  epode unique --duplicates merge --conflict union a.epd united.epd
  cat *.epd | epode unique --counters - > all.epd

Exit status: 0 on success, 1 if --duplicates report found any, 2 if a line is not a record.")]
pub struct Unique {
    #[command(flatten)]
    pub files: Files,
    /// Keep the first record of each position, merge all of them as `epode merge` does, or only report
    /// duplicates
    #[arg(long, value_name = "WHAT", value_enum, default_value_t = Duplicates::Keep)]
    pub duplicates: Duplicates,
    /// With --duplicates merge: what happens to operations that contradict each other (default: union)
    #[arg(long, value_name = "HOW", value_enum)]
    pub conflict: Option<Conflict>,
    #[command(flatten)]
    pub same: SamePosition,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Duplicates {
    /// Keep the first record
    Keep,
    /// Unite the operations of all records
    Merge,
    /// Print the line numbers of duplicates, to standard output or another file than IN
    Report,
}

/// What happens to operations of one opcode that differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Conflict {
    /// Moves of bm and am: all of them. Others: those of the first record
    Union,
    /// Moves of bm and am: those that all records with the operation have. Others: those of the first
    /// record
    Intersection,
    /// Those of the first record
    First,
    /// Those of the last record
    Last,
    /// Stop with an error
    Error,
}

#[derive(Debug, Arguments)]
#[command(after_help = "\
The records of one position become one record, at the place of the first:
  acd acn acs ce cte ctu pes   from the record with the greatest acd; if these
  pm pv Ce2 ... Scd Scn Sct    are equal, with the greatest acn, or the first
  bm am                        the moves of all records, or as --conflict says
  c0 ... c9                    all different comments, while registers are free
  others                       from the first record that has the operation
What is left out for another reason than a deeper analysis is reported. The output is in normal form, as \
written by pfdn.

Examples:
  epode merge suite.epd analysed.epd -o both.epd
  epode merge run1.epd run2.epd.zst run3.epd -o deepest.epd
  epode merge --conflict intersection a.epd b.epd > agreed.epd

Exit status: 0 on success, 2 if a line is not a record, or with --conflict error if operations contradict \
each other.")]
pub struct Merge {
    /// Input files, plain or compressed; `-` for standard input
    #[arg(value_name = "IN", required = true)]
    pub inputs: Vec<Stream>,
    /// Output file, compressed if its name ends in .gz or .zst
    #[arg(long, short, value_name = "OUT", default_value = "-")]
    pub output: Stream,
    /// What happens to operations that contradict each other
    #[arg(long, value_name = "HOW", value_enum, default_value_t = Conflict::Union)]
    pub conflict: Conflict,
    /// Drop blank lines, comments and lines that cannot be read, instead of copying them unchanged
    #[arg(long)]
    pub drop_unreadable: bool,
    /// Overwrite OUT even if it is read-only
    #[arg(long)]
    pub force: bool,
    #[command(flatten)]
    pub castling: Castling,
    /// Report only the number of operations that are left out
    #[arg(long, short)]
    pub quiet: bool,
    /// Number of threads; the output does not depend on it
    #[arg(long, value_name = "N", default_value = "1")]
    pub jobs: NonZeroUsize,
    #[command(flatten)]
    pub same: SamePosition,
}

/// Input and output of the verbs that select records.
#[derive(Debug, Arguments)]
pub struct Selected {
    /// Input file, plain or compressed with gzip or zstd; `-` for standard input
    #[arg(value_name = "IN")]
    pub input: Stream,
    /// Output file, which may be the same as IN. It is replaced only when it is complete, and
    /// compressed if its name ends in .gz or .zst
    #[arg(value_name = "OUT", default_value = "-")]
    pub output: Stream,
    /// Overwrite OUT even if it is read-only
    #[arg(long)]
    pub force: bool,
    #[command(flatten)]
    pub castling: Castling,
    /// Number of threads; the output does not depend on it
    #[arg(long, value_name = "N", default_value = "1")]
    pub jobs: NonZeroUsize,
}

#[derive(Debug, Arguments)]
#[command(after_help = "\
A query has tests, joined by `and`, `or`, `not` and parentheses:
  ce > 150              an operation: = != < <= > >= ~ (contains)
  bm = Qd1              with several operands: if one of them is Qd1
  has bm                the record has the operation
  pieces <= 5           also pawns, legal-moves, phase (24 at the start, 0 with
                        pawns only)
  Q = 0, p >= 6         the number of white queens, of black pawns
  side = white          also castling = KQkq, material = KRPkr
  in-check              also legal, checkmate, stalemate, chess960, en-passant
                        (a legal capture)
  KRPkr, KRPvKR, KR*kr  material: exactly, with either color, or at least (*)
  N@f5, Rr@7, P@d       a piece on a square, rank or file; one of several
  pattern '*/5ppp/*/*/*/*/*/5RK1'
                        the board, with ? for any square, * for any number of
                        squares, ! for any piece, A for any white piece, a for
                        any black one, [Nn] for one of several and [^Nn] for
                        none of them
A test of an operation that a record lacks fails. Matching lines are copied as they are.

Examples:
  epode query 'KRPkr and ce > 150' endings.epd won.epd
  epode query 'acd < 20 or not has ce' analysed.epd todo.epd
  epode query --count 'in-check and legal-moves = 1' - < all.epd
  epode query 'id ~ \"BK\" and bm = Qd1' suites/bratko-kopec.epd

Exit status: 0 if a record matches, 1 if none does, 2 if the query is wrong or a line is not a record.")]
pub struct Query {
    /// The query
    #[arg(value_name = "EXPR")]
    pub expression: String,
    #[command(flatten)]
    pub files: Selected,
    /// Print only the number of records that match
    #[arg(long, conflicts_with = "output")]
    pub count: bool,
    /// Select the records that do not match
    #[arg(long, short = 'v')]
    pub invert: bool,
}

#[derive(Debug, Arguments)]
#[command(after_help = "\
The order is stable: records with equal keys keep their order. Numbers come before texts, and a record \
without a key comes last, also in a reversed order. In texts, numbers count by their value: BK.9 comes before \
BK.10. Lines are copied as they are; blank lines, comments and lines that cannot be read come first. More \
than 192 MB are sorted in temporary files (in TMPDIR).

Keys: position (the bytes of the position fields), line (the whole line), an opcode such as ce or id, or one of \
pieces, pawns, phase, legal-moves, side, castling, material, and a letter such as Q for the number of these pieces.

Examples:
  epode sort suite.epd sorted.epd
  epode sort --by id suite.epd sorted.epd
  epode sort --by -ce,id analysed.epd best-first.epd
  epode sort --shuffle 7 positions.epd shuffled.epd

Exit status: 0 on success, 2 if a line is not a record.")]
pub struct Sort {
    #[command(flatten)]
    pub files: Files,
    /// Keys, separated by commas, the most important first; `-` before a key reverses its order
    #[arg(
        long,
        value_name = "KEYS",
        value_delimiter = ',',
        default_value = "position",
        allow_hyphen_values = true,
        conflicts_with = "shuffle"
    )]
    pub by: Vec<String>,
    /// Put the records in a random order, which is the same for the same seed
    #[arg(long, value_name = "SEED")]
    pub shuffle: Option<u64>,
}

#[derive(Debug, Arguments)]
#[command(after_help = "\
The sample is in the order of the input, and the same for the same seed and input. Lines are copied as they \
are; blank lines and comments are left out.

Examples:
  epode sample --count 1000 huge.epd.zst sample.epd
  epode sample --fraction 0.01 --seed 3 - < huge.epd > sample.epd

Exit status: 0 on success, 2 if a line is not a record.")]
pub struct Sample {
    #[command(flatten)]
    pub files: Selected,
    /// How many records, all equally likely; they are kept in memory until the end of the input
    #[arg(
        long,
        value_name = "N",
        required_unless_present = "fraction",
        conflicts_with = "fraction"
    )]
    pub count: Option<NonZeroUsize>,
    /// The probability of each record, between 0 and 1
    #[arg(long, value_name = "P", value_parser = probability)]
    pub fraction: Option<f64>,
    /// The seed of the random numbers
    #[arg(long, value_name = "SEED", default_value_t = 0)]
    pub seed: u64,
}

fn probability(text: &str) -> Result<f64, String> {
    let number = text
        .parse()
        .ok()
        .filter(|number| (0.0..=1.0).contains(number));
    number.ok_or_else(|| "expected a number from 0 to 1".to_owned())
}

#[derive(Debug, Arguments)]
#[command(group(ArgGroup::new("how").required(true)), after_help = "\
Lines are copied as they are. Those that are not records go to DIR/rest.txt. Files that exist already are \
replaced when all are complete, but not IN itself.

Examples:
  epode split huge.epd parts --records 1000000    # parts/huge-001.epd, parts/huge-002.epd ...
  epode split suite.epd parts --parts 8           # one record to each file in turn
  epode split games.epd parts --by eco            # parts/B33.epd ..., parts/none.epd

Exit status: 0 on success, 2 if a line is not a record.")]
pub struct Split {
    /// Input file, plain or compressed with gzip or zstd; `-` for standard input
    #[arg(value_name = "IN")]
    pub input: Stream,
    /// The folder for the files, which is made if it does not exist
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
    /// A file for each so many records
    #[arg(long, value_name = "N", group = "how")]
    pub records: Option<NonZeroU64>,
    /// So many files, which get the records in turn
    #[arg(long, value_name = "N", group = "how", value_parser = clap::value_parser!(u64).range(1..=MAX_FILES))]
    pub parts: Option<u64>,
    /// A file for each value of this key: an opcode, or one of those of `epode sort`; in names of files,
    /// characters such as `/` become `_`, and values that then have the same name share a file
    #[arg(long, value_name = "KEY", group = "how", allow_hyphen_values = true)]
    pub by: Option<String>,
    #[command(flatten)]
    pub castling: Castling,
    /// Replace files even if they are read-only
    #[arg(long)]
    pub force: bool,
    /// Number of threads; the output does not depend on it
    #[arg(long, value_name = "N", default_value = "1")]
    pub jobs: NonZeroUsize,
}

/// The maximum number of files that are open at once.
pub const MAX_FILES: u64 = 500;

#[derive(Debug, Arguments)]
#[command(after_help = "\
Examples:
  epode stats suite.epd
  epode stats --format json - < all.epd | jq .opcodes.ce

Exit status: 0 on success, 2 if a line is not a record.")]
pub struct Stats {
    /// Input file, plain or compressed with gzip or zstd; `-` for standard input
    #[arg(value_name = "IN")]
    pub input: Stream,
    /// The form of the output
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = StatsFormat::Text)]
    pub format: StatsFormat,
    #[command(flatten)]
    pub castling: Castling,
    /// Number of threads; the output does not depend on it
    #[arg(long, value_name = "N", default_value = "1")]
    pub jobs: NonZeroUsize,
    #[command(flatten)]
    pub same: SamePosition,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum StatsFormat {
    Text,
    Json,
}
