//! `epode book dump`.

use std::io::{self, Write};

use book::polyglot::PolyglotBook;
use book::{Book, BookError, Entry, Name};
use csv::{Terminator, WriterBuilder};
use movegen::San;

use super::entries::Entries;
use crate::cli::{BookDump, DumpFormat};
use crate::exit_status::ExitStatus;
use crate::io::output::{Output, refuse_same_file};
use crate::io::stream::Stream;

const COLUMNS: [&str; 11] = [
    "position", "uci", "san", "games", "wins", "draws", "losses", "weight", "year", "eco", "name",
];

pub fn run(args: &BookDump) -> anyhow::Result<ExitStatus> {
    refuse_same_file(&args.input, &args.output)?;
    let mut output = Output::create(&args.output)?;
    let rows = Rows {
        format: args.format,
    };
    match &args.input {
        Stream::File(path) if Book::is_polyglot(path) => {
            let book = PolyglotBook::open(path)?;
            output.write_with(|out| rows.write(out, ["key", "uci", "weight", "learn"]))?;
            for entry in book.entries() {
                let mv = entry.uci().map_or("-".to_owned(), |uci| uci.to_string());
                let row = [
                    format!("{:016x}", entry.key),
                    mv,
                    entry.weight.to_string(),
                    entry.learn.to_string(),
                ];
                output.write_with(|out| rows.write(out, row))?;
            }
        }
        input => {
            output.write_with(|out| rows.write(out, COLUMNS))?;
            for entry in Entries::open(input)? {
                let (line, entry) = entry?;
                let table = table(&entry)
                    .map_err(|error| BookError::entry(&input.to_string(), line, error))?;
                for row in table {
                    output.write_with(|out| rows.write(out, row))?;
                }
            }
        }
    }
    output.finish()?;
    Ok(ExitStatus::Success)
}

/// The rows of an entry, the best move first.
fn table(entry: &Entry) -> Result<Vec<[String; 11]>, book::EntryError> {
    let position = entry.position()?;
    let name = Name::of_entry(entry).unwrap_or_default();
    let moves = entry.book_moves(&position)?;
    let row = |book_move: &book::BookMove| {
        let stats = book_move.stats;
        [
            entry.fields.clone(),
            book::uci(&position, book_move.mv).to_string(),
            San::of(&position, book_move.mv).to_string(),
            stats.games.to_string(),
            stats.wins.to_string(),
            stats.draws.to_string(),
            stats.losses.to_string(),
            stats.weight.to_string(),
            stats.year.to_string(),
            name.eco.clone(),
            name.text(),
        ]
    };
    Ok(moves.iter().map(row).collect())
}

struct Rows {
    format: DumpFormat,
}

impl Rows {
    fn write<const N: usize>(
        &self,
        out: &mut dyn Write,
        row: [impl AsRef<[u8]>; N],
    ) -> io::Result<()> {
        let delimiter = match self.format {
            DumpFormat::Tsv => b'\t',
            DumpFormat::Csv => b',',
        };
        let mut writer = WriterBuilder::new()
            .delimiter(delimiter)
            .terminator(Terminator::Any(b'\n'))
            .from_writer(out);
        writer.write_record(row)?;
        writer.flush()
    }
}
