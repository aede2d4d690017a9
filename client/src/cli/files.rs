//! The words of the verbs that go through EPD files.

use std::num::NonZeroUsize;
use std::str::FromStr;

use clap::{Args as Arguments, ValueEnum};

use super::{Stream, is_opcode_letter};

#[derive(Debug, Arguments)]
#[command(after_help = "\
Records keep their order. Operations are sorted by opcode, the operands of am and bm by their text, \
white space is made single, counters of FEN become hmvc and fmvn, and everything else that \
circulates is mended. Lines that cannot be read, blank lines and comments are copied unchanged, each \
in its place, unless --drop-unreadable is given. Moves and numbers stay as they are spelt (pfdr mends \
moves). What a record says wrongly (an illegal position, a move that \
cannot be played, operations that contradict each other) is told, and written all the same.

Examples:
  epode pfdn suite.epd normal.epd
  epode pfdn --drop-unreadable - < suite.epd | sort -u
  epode pfdn huge.epd.gz normal.epd.zst
  epode pfdn --check suite.epd && echo it is in normal form

Exit status: 0 if all is well, 1 if a record says something wrongly (with --check: or is not in \
normal form), 2 if a line is no record.")]
pub struct Pfdn {
    #[command(flatten)]
    pub files: Files,
    /// Write nothing but the lines that are not in normal form, as differences
    #[arg(long, conflicts_with = "output")]
    pub check: bool,
    /// Write numbers without surplus signs and zeros, and times with all digits
    #[arg(long)]
    pub canonical: bool,
    /// Where the halfmove clock and the move number are written: in operations (hmvc, fmvn) or in
    /// the fields of FEN, which python-chess does not read as EPD
    #[arg(long, value_name = "PLACE", value_enum, default_value_t = Counters::Operations)]
    pub counters: Counters,
    /// Take only what is exactly as the standard has it, and stop at the first line that is not
    #[arg(long)]
    pub strict: bool,
}

#[derive(Debug, Arguments)]
#[command(after_help = "\
What is written is in normal form, as by pfdn. Lines that cannot be read, blank lines and comments are \
copied unchanged, unless --drop-unreadable is given.

Examples:
  epode pfop acn,acs,acd,ce,pv analysed.epd bare.epd
  epode pfop 'D*' perft.epd -
  epode pfop --keep bm,am,id suite.epd

Exit status: 0 if all went well, 2 if a line is no record.")]
pub struct Pfop {
    /// The opcodes, with commas between them; `D*` is every opcode that begins with D
    #[arg(value_name = "OPCODES")]
    pub opcodes: Opcodes,
    #[command(flatten)]
    pub files: Files,
    /// Purge all other operations in place of these
    #[arg(long)]
    pub keep: bool,
}

#[derive(Debug, Arguments)]
#[command(after_help = "\
Everything that pfdn mends is mended, and besides moves are spelt as the standard has it: castling \
with letters O, check and mate signs, promotions with an equals sign, coordinates made SAN, move \
numbers left out. Each mend is told: where, what was there, what was taken. Lines that cannot be read, \
blank lines and comments are copied unchanged, unless --drop-unreadable is given.

Examples:
  epode pfdr suite.epd mended.epd
  epode pfdr --quiet suite.epd mended.epd
  epode pfdr - < suite.epd 2> report.txt | wc -l

Exit status: 0 if all is well, 1 if something is wrong that cannot be mended, 2 if a line is no \
record.")]
pub struct Pfdr {
    #[command(flatten)]
    pub files: Files,
    /// Tell only how many mends of each kind there were
    #[arg(long, short)]
    pub quiet: bool,
}

/// What every verb that copies records works on.
#[derive(Debug, Arguments)]
pub struct Files {
    /// The file, plain or compressed with gzip or zstd; `-` for standard input
    #[arg(value_name = "IN")]
    pub input: Stream,
    /// Where the records go, which may be IN; a file is written whole or not at all, and compressed
    /// if its name ends in .gz or .zst
    #[arg(value_name = "OUT", default_value = "-")]
    pub output: Stream,
    #[command(flatten)]
    pub rewrite: Rewrite,
    /// Threads; the output is the same for any number
    #[arg(long, value_name = "N", default_value = "1")]
    pub jobs: NonZeroUsize,
}

/// What every verb that writes a file anew does with what is there.
#[derive(Clone, Copy, Debug, Arguments)]
pub struct Rewrite {
    /// Leave out lines that are not records: lines that cannot be read, blank lines and comments.
    /// Without it they are copied unchanged
    #[arg(long)]
    pub drop_unreadable: bool,
    /// Overwrite OUT even if it is read-only
    #[arg(long)]
    pub force: bool,
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

/// Opcodes by name, or by how they begin: `acd,acn,D*`.
#[derive(Clone, Debug, PartialEq, Eq)]
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
                    "{name:?} is no opcode: letters, digits and underscores"
                ));
            }
            Ok(name.to_owned())
        });
        Ok(Self(names.collect::<Result<_, _>>()?))
    }
}

#[derive(Debug, Arguments)]
#[command(after_help = "\
Notes are what is not as the standard has it but cannot be misunderstood, warnings what is wrong or \
had to be guessed, errors what is no record.

Examples:
  epode validate suite.epd
  epode validate --level warning *.epd
  epode validate --format json - < suite.epd | jq .name | sort | uniq -c
  epode validate --format sarif suite.epd > suite.sarif

Exit status: 0 if nothing was told, 1 if something was, 2 if that was an error.")]
pub struct Validate {
    /// The files, plain or compressed with gzip or zstd; `-` for standard input
    #[arg(value_name = "FILE", required = true)]
    pub inputs: Vec<Stream>,
    /// For people, for programs line by line, or for tools that take SARIF 2.1.0
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
    /// The least that is told
    #[arg(long, value_enum, default_value_t = Level::Note)]
    pub level: Level,
    /// Understand only what is exactly as the standard has it; what is not is an error
    #[arg(long)]
    pub strict: bool,
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
