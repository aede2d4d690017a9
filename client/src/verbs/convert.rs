//! `epode convert`: positions between EPD, FEN, PGN, CSV and JSON.
//!
//! `source` (arrays with `elements`) splits the input into blocks, which a `converter` on each thread converts: it reads records (`pgn`, `csv`,
//! `json`, or the EPD reader) and prints them in the other format; `puzzles` plays the first move of those of Lichess. `columns` and `rows` say how CSV and
//! JSON contain a record, `counts` the summary at the end.

mod columns;
mod converter;
mod counts;
mod csv;
mod elements;
mod json;
mod pgn;
mod puzzles;
mod rows;
mod source;

use std::collections::HashSet;

use anyhow::bail;

use crate::cli::{Convert, DataFormat};
use crate::exit_status::ExitStatus;
use crate::io::input::{Blocks, reader};
use crate::io::output::{Output, check_destination};
use crate::io::parallel::map_in_order;
use crate::io::stream::Stream;
use crate::verbs::filter::progress_bar;
use converter::Converter;
use counts::Counts;
use csv::Header;
use rows::LeftOut;
use source::{Chunk, Source};

/// The maximum number of finished blocks that wait for an earlier one.
const BLOCKS_AHEAD: usize = 32;

pub fn run(args: &Convert) -> anyhow::Result<ExitStatus> {
    let from = named_format(&args.input, args.from, "--from")?;
    let to = named_format(&args.output, args.to, "--to")?.unwrap_or(DataFormat::Epd);
    let blocks = Blocks::open(&args.input)?;
    let from = from.unwrap_or_else(|| source::recognise(blocks.beginning()));
    if matches!(from, DataFormat::Epd | DataFormat::Fen) {
        blocks.expect_records()?;
    }
    if from != DataFormat::Pgn && !args.selection.is_empty() {
        bail!(
            "--ply, --last and --tags choose from the games of a PGN, and {} is none",
            args.input
        );
    }
    let is_table = matches!(from, DataFormat::Csv | DataFormat::Json | DataFormat::Jsonl);
    if args.puzzles && !is_table {
        bail!(
            "--puzzles expects CSV or JSON, and {} is neither",
            args.input
        );
    }
    let compression = blocks.compression();
    check_destination(&args.input, compression, &args.output, args.force)?;
    let (source, header, left_out) = Source::open(&args.input, blocks, from)?;
    for LeftOut { name, why } in left_out {
        eprintln!("{}:1: the column {name:?} is left out: {why}", args.input);
    }
    if !args.puzzles && header.as_ref().is_some_and(Header::has_puzzles) {
        eprintln!(
            "{}: this looks like puzzles of Lichess, whose position is the one before the first of Moves; \
             --puzzles plays that move and sets bm",
            args.input
        );
    }
    let mut output = Records::create(&args.output, to)?;
    let bar = progress_bar(&args.input, &args.output, compression.is_some());
    let converter = Converter {
        args,
        from,
        to,
        header,
        reader: reader(false, args.castling),
    };
    let mut counts = Counts::default();
    let mut seen = HashSet::new();
    map_in_order(
        source,
        args.jobs.get(),
        BLOCKS_AHEAD,
        || {
            |chunk: anyhow::Result<Chunk>| {
                chunk.map(|chunk| (chunk.size(), converter.chunk(&chunk)))
            }
        },
        |done| {
            let (size, result) = done?;
            bar.inc(size as u64);
            counts.add(&result.counts);
            if args.unique {
                output.write(&result.unique(&mut seen, &mut counts.repeated))?;
            } else {
                output.write(&result.out)?;
            }
            if !result.messages.is_empty() {
                bar.suspend(|| eprint!("{}", result.messages));
            }
            anyhow::Ok(())
        },
    )?;
    bar.finish_and_clear();
    output.finish()?;
    eprintln!("{}", counts.summary(from, to));
    Ok(counts.status())
}

/// The output: converted records with what comes before, between and after them.
struct Records {
    output: Output,
    format: DataFormat,
    /// A comma belongs before the next object of a JSON array.
    owes_comma: bool,
}

impl Records {
    fn create(stream: &Stream, format: DataFormat) -> anyhow::Result<Self> {
        let mut output = Output::create_records(stream)?;
        match format {
            DataFormat::Csv => output.write(csv::header().as_bytes())?,
            DataFormat::Json => output.write(b"[\n")?,
            DataFormat::Epd | DataFormat::Fen | DataFormat::Pgn | DataFormat::Jsonl => {}
        }
        Ok(Self {
            output,
            format,
            owes_comma: false,
        })
    }

    fn write(&mut self, records: &[u8]) -> anyhow::Result<()> {
        // The last object of an array has no comma after it.
        let Some(objects) = records
            .strip_suffix(b",\n")
            .filter(|_| self.format == DataFormat::Json)
        else {
            return self.output.write(records);
        };
        if std::mem::replace(&mut self.owes_comma, true) {
            self.output.write(b",\n")?;
        }
        self.output.write(objects)
    }

    fn finish(mut self) -> anyhow::Result<()> {
        if self.format == DataFormat::Json {
            let end: &[u8] = if self.owes_comma { b"\n]\n" } else { b"]\n" };
            self.output.write(end)?;
        }
        self.output.finish()
    }
}

/// The format that an option or the name of a file says; none for standard input or output without the option.
fn named_format(
    stream: &Stream,
    given: Option<DataFormat>,
    option: &str,
) -> anyhow::Result<Option<DataFormat>> {
    match (given, stream) {
        (Some(format), _) => Ok(Some(format)),
        (None, Stream::Standard) => Ok(None),
        (None, Stream::File(path)) => match DataFormat::of_name(path) {
            Some(format) => Ok(Some(format)),
            None => bail!(
                "{stream} does not end in .epd, .fen, .pgn, .csv, .json or .jsonl, and no {option} is given"
            ),
        },
    }
}
