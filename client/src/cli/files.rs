//! Arguments of the verbs that copy or check EPD files: pfdn, pfop, pfdr and validate.

use std::num::NonZeroUsize;
use std::str::FromStr;

use clap::{Args as Arguments, ValueEnum};

use super::common::{Castling, Rewrite, is_opcode_letter};
use crate::io::stream::Stream;

#[derive(Debug, Arguments)]
#[command(after_help = "\
Records keep their order. In each record, operations are sorted by opcode and the operands of am and \
bm by their text, white space is reduced to single spaces, FEN move counters become hmvc and fmvn, and \
deviations from the standard are corrected. Moves and numbers keep their spelling (use pfdr to repair \
moves). Records with wrong content (an illegal position, an illegal move, operations that contradict \
each other) are reported and written nevertheless, and so is what may have meant something else (an en \
passant square that is left out because no pawn can have skipped it). Blank lines, comments and lines that cannot be read \
are copied unchanged, each in its place, unless --drop-unreadable is given.

Examples:
  epode pfdn suite.epd normal.epd
  epode pfdn --drop-unreadable - < suite.epd | sort -u
  epode pfdn huge.epd.gz normal.epd.zst
  epode pfdn --check suite.epd && echo normalised

Exit status: 0 on success, 1 if there were warnings (with --check: or a record is not in normal form), \
2 if a line is not a record.")]
#[allow(clippy::struct_excessive_bools, reason = "each is an option")]
pub struct Pfdn {
    #[command(flatten)]
    pub files: Files,
    /// Only print the lines that are not in normal form, as differences
    #[arg(long, conflicts_with = "output")]
    pub check: bool,
    /// Write numbers without superfluous signs and zeros, and times with all digits
    #[arg(long)]
    pub canonical: bool,
    /// Where to write the halfmove clock and the move number: in operations (hmvc, fmvn) or in FEN
    /// fields, which python-chess does not accept in EPD
    #[arg(long, value_name = "PLACE", value_enum, default_value_t = Counters::Operations)]
    pub counters: Counters,
    /// Report only the number of records with warnings
    #[arg(long, short)]
    pub quiet: bool,
    /// Accept only lines in the exact form of the standard, and stop at the first one that is not. Wrong
    /// values and moves are warnings nevertheless
    #[arg(long)]
    pub strict: bool,
}

#[derive(Debug, Arguments)]
#[command(after_help = "\
The output is in normal form, as written by pfdn. Blank lines, comments and lines that cannot be read \
are copied unchanged, unless --drop-unreadable is given.

Examples:
  epode pfop acn,acs,acd,ce,pv analysed.epd bare.epd
  epode pfop 'D*' perft.epd -
  epode pfop --keep bm,am,id suite.epd

Exit status: 0 on success, 2 if a line is not a record.")]
pub struct Pfop {
    /// Opcodes to remove, separated by commas; `D*` stands for every opcode that begins with D
    #[arg(value_name = "OPCODES")]
    pub opcodes: Opcodes,
    #[command(flatten)]
    pub files: Files,
    /// Keep these operations and remove all others
    #[arg(long)]
    pub keep: bool,
}

#[derive(Debug, Arguments)]
#[command(after_help = "\
Does everything that pfdn does, and also writes moves in standard notation: castling with the letter \
O, check and mate signs, promotions with an equals sign, SAN instead of coordinates, no move numbers. \
Each repair is reported with its place, the old text and the new text. Blank lines, comments and lines \
that cannot be read are copied unchanged, unless --drop-unreadable is given.

Examples:
  epode pfdr suite.epd repaired.epd
  epode pfdr --quiet suite.epd repaired.epd
  epode pfdr - < suite.epd 2> report.txt | wc -l

Exit status: 0 on success, 1 if there were warnings: something is wrong that cannot be repaired, or may \
mean something else. 2 if a line is not a record.")]
pub struct Pfdr {
    #[command(flatten)]
    pub files: Files,
    /// Report only warnings and the number of repairs of each kind
    #[arg(long, short)]
    pub quiet: bool,
}

/// Input and output of the verbs that copy records.
#[derive(Debug, Arguments)]
pub struct Files {
    /// Input file, plain or compressed with gzip or zstd; `-` for standard input
    #[arg(value_name = "IN")]
    pub input: Stream,
    /// Output file, which may be the same as IN. It is replaced only when it is complete, and
    /// compressed if its name ends in .gz or .zst
    #[arg(value_name = "OUT", default_value = "-")]
    pub output: Stream,
    #[command(flatten)]
    pub rewrite: Rewrite,
    #[command(flatten)]
    pub castling: Castling,
    /// Number of threads; the output does not depend on it
    #[arg(long, value_name = "N", default_value = "1")]
    pub jobs: NonZeroUsize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Counters {
    Operations,
    Fields,
}

impl From<Counters> for epd::Counters {
    fn from(counters: Counters) -> Self {
        match counters {
            Counters::Operations => Self::Operations,
            Counters::Fields => Self::Fields,
        }
    }
}

/// Opcodes by name or prefix: `acd,acn,D*`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Opcodes(Vec<String>);

impl Opcodes {
    pub fn has(&self, opcode: &str) -> bool {
        self.0.iter().any(|name| match name.strip_suffix('*') {
            Some(letters) => opcode.starts_with(letters),
            None => opcode == name,
        })
    }
}

impl FromStr for Opcodes {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let names = text.split(',').map(|name| {
            let letters = name.strip_suffix('*').unwrap_or(name);
            if letters.is_empty() || !letters.bytes().all(is_opcode_letter) {
                return Err(format!(
                    "{name:?} is not an opcode: letters, digits and underscores"
                ));
            }
            Ok(name.to_owned())
        });
        Ok(Self(names.collect::<Result<_, _>>()?))
    }
}

#[derive(Debug, Arguments)]
#[command(after_help = "\
Severities: a note is a deviation from the standard with a clear meaning, a warning is wrong content \
or text with an unclear meaning, an error is a line that is not a record.

Examples:
  epode validate suite.epd
  epode validate --level warning *.epd
  epode validate --format json - < suite.epd | jq .name | sort | uniq -c
  epode validate --format sarif suite.epd > suite.sarif

Exit status: 0 if nothing was reported, 1 if there were notes or warnings, 2 if there were errors or a file \
cannot be read.")]
pub struct Validate {
    /// Files to check, plain or compressed with gzip or zstd; `-` for standard input
    #[arg(value_name = "FILE", required = true)]
    pub inputs: Vec<Stream>,
    /// Output format: text, one JSON object per line, or SARIF 2.1.0
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
    /// Lowest severity to report
    #[arg(long, value_enum, default_value_t = Level::Note)]
    pub level: Level,
    /// Treat every deviation from the standard's form as an error. Wrong values and moves remain warnings
    #[arg(long)]
    pub strict: bool,
    #[command(flatten)]
    pub castling: Castling,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    Text,
    Json,
    Sarif,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Level {
    Note,
    Warning,
    Error,
}

impl From<Level> for epd::Severity {
    fn from(level: Level) -> Self {
        match level {
            Level::Note => Self::Note,
            Level::Warning => Self::Warning,
            Level::Error => Self::Error,
        }
    }
}
