//! Arguments of `epode diagram`.

use std::num::NonZeroUsize;
use std::str::FromStr;

use clap::{Args as Arguments, ValueEnum};

use super::common::Castling;
use super::files::Opcodes;
use super::ranges::Ranges;
use crate::io::stream::Stream;

#[derive(Debug, Arguments)]
#[command(after_help = "\
Arrows show bm (green), am (red, dotted), pm (blue) and the next moves of pv (thin, blue). The last move is \
highlighted if the en passant square tells it, or if the record before has it as sm. Above the board are \
the id and a circle for the side to move, below it the moves and other operations.

OUT is a file name that ends in .svg or .png, for all diagrams on one sheet or for sheets with N diagrams \
(OUT-1.svg, OUT-2.svg, ...), or a folder for a file of each record (or each sheet), named after its id.

Records with an illegal position or move are reported, and drawn without such moves. Lines that are not \
records are reported and left out.

Examples:
  epode diagram suite.epd pictures/
  epode diagram suite.epd sheet.svg --per-page 6
  epode diagram --only 3,7-9 --format png suite.epd - > four.png
  epode diagram --no-moves --orientation mover suite.epd exercises/ --per-page 12

Exit status: 0 on success, 1 if a record has an illegal position or move, 2 if a line is not a record.")]
pub struct Diagram {
    /// Input file, plain or compressed with gzip or zstd; `-` for standard input
    #[arg(value_name = "IN")]
    pub input: Stream,
    /// A folder, a file that ends in .svg or .png, or `-` for standard output
    #[arg(value_name = "OUT", default_value = "-")]
    pub output: Stream,
    /// File format (default: by the name of OUT, otherwise SVG)
    #[arg(long, value_enum)]
    pub format: Option<DiagramFormat>,
    /// Draw N diagrams on a sheet
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=200))]
    pub per_page: Option<u16>,
    /// Diagrams beside each other on a sheet (default: as fits a sheet that is higher than wide)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=50))]
    pub columns: Option<u16>,
    /// Draw only these records: numbers and ranges such as 3,7-9,20-
    #[arg(long, value_name = "NUMBERS", allow_negative_numbers = true)]
    pub only: Option<Ranges>,
    /// Width of a diagram in pixels
    #[arg(long, value_name = "PX", default_value_t = 360, value_parser = clap::value_parser!(u16).range(60..=4000))]
    pub size: u16,
    /// Who sees the board from below
    #[arg(long, value_enum, default_value_t = Orientation::White)]
    pub orientation: Orientation,
    /// Leave out the letters and numbers at the edges
    #[arg(long)]
    pub no_coordinates: bool,
    /// Draw no arrows and print no moves, for exercises
    #[arg(long)]
    pub no_moves: bool,
    /// Draw arrows for the first N moves of pv
    #[arg(long, value_name = "N", default_value_t = 3, conflicts_with = "no_moves", value_parser = clap::value_parser!(u8).range(0..=20))]
    pub pv: u8,
    /// Operations to print below the board besides moves, separated by commas; `c*` stands for every
    /// opcode that begins with c
    #[arg(long, value_name = "OPCODES", default_value = "c0", value_parser = opcodes_or_none)]
    pub text: Opcodes,
    /// Colours: for paper, for dark pages, or (SVG only) by the settings of the reader's system
    #[arg(long, value_enum, default_value_t = Theme::Light)]
    pub theme: Theme,
    /// Another colour, such as dark=#769656; the names are light and dark (squares), best, wrong and
    /// expected (arrows), last, check, soft (coordinates), ink (text) and paper
    #[arg(long = "color", visible_alias = "colour", value_name = "NAME=#RRGGBB")]
    pub colors: Vec<Paint>,
    #[command(flatten)]
    pub castling: Castling,
    /// Number of threads; the output does not depend on it
    #[arg(long, value_name = "N", default_value = "1")]
    pub jobs: NonZeroUsize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum DiagramFormat {
    Svg,
    Png,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Orientation {
    White,
    Black,
    /// The side to move
    Mover,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Theme {
    Light,
    Dark,
    Auto,
}

/// A name of a colour and its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Paint {
    /// The CSS variable: `--dark`.
    pub name: String,
    pub value: String,
}

impl FromStr for Paint {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, value) = text.split_once('=').ok_or("expected NAME=#RRGGBB")?;
        let name = format!("--{name}");
        let mut names = svg::PALETTE
            .iter()
            .map(|colour| colour.name)
            .chain(["--ink"]);
        if !names.any(|known| known == name) {
            let known: Vec<_> = svg::PALETTE
                .iter()
                .map(|colour| &colour.name[2..])
                .collect();
            let known = known.join(", ");
            return Err(format!(
                "{:?} is not a colour: expected {known} or ink",
                &name[2..]
            ));
        }
        let digits = value.strip_prefix('#').unwrap_or_default();
        if !matches!(digits.len(), 3 | 6) || !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(format!("{value:?} is not a colour such as #769656 or #fff"));
        }
        Ok(Self {
            name,
            value: value.to_owned(),
        })
    }
}

/// Opcodes, or none for an empty text.
fn opcodes_or_none(text: &str) -> Result<Opcodes, String> {
    if text.is_empty() {
        Ok(Opcodes::default())
    } else {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_by_name() {
        let paint: Paint = "dark=#769656".parse().expect("a colour");
        assert_eq!((&*paint.name, &*paint.value), ("--dark", "#769656"));
        for text in [
            "dark",
            "night=#fff",
            "dark=red",
            "dark=#12345",
            "dark=#ffé1",
        ] {
            assert!(text.parse::<Paint>().is_err(), "{text}");
        }
    }
}
