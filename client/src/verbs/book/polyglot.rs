//! `epode book export` and `epode book import`: Polyglot books.

use std::collections::{HashMap, HashSet};
use std::fs;

use anyhow::Context;
use book::polyglot::{self, PolyglotBook, PolyglotEntry, entries, read_entries, sort_entries};
use book::{BookError, Entry, walk};
use movegen::Position;

use super::entries::Entries;
use super::labels::Labels;
use crate::cli::{BookExport, BookImport, Castling};
use crate::exit_status::ExitStatus;
use crate::io::input::{Message, Records, reader};
use crate::io::output::{Output, check_destination, refuse_same_file};
use crate::io::stream::Stream;
use crate::text::grouped_count;

pub fn export(args: &BookExport) -> anyhow::Result<ExitStatus> {
    let source = Entries::open(&args.input)?;
    refuse_same_file(&args.input, &args.output)?;
    check_destination(&args.input, source.compression(), &args.output, args.force)?;
    let mut all = Vec::new();
    let (mut positions, mut left_out, mut scaled) = (0_u64, 0_u64, 0_u64);
    for entry in source {
        let (line, entry) = entry?;
        let of_entry = || -> Result<_, book::EntryError> {
            let position = entry.position()?;
            Ok((position, entry.book_moves(&position)?))
        };
        let (position, mut moves) =
            of_entry().map_err(|error| BookError::entry(&args.input.to_string(), line, error))?;
        if !args.all {
            let before = moves.len();
            moves.retain(|book_move| book_move.stats.weight > 0);
            left_out += (before - moves.len()) as u64;
        }
        let is_large = |book_move: &book::BookMove| book_move.stats.weight > u64::from(u16::MAX);
        scaled += u64::from(moves.iter().any(is_large));
        positions += u64::from(!moves.is_empty());
        all.extend(entries(&position, &moves));
    }
    sort_entries(&mut all);
    let mut output = Output::create_as_it_is(&args.output)?;
    output.write_with(|out| {
        all.iter()
            .try_for_each(|entry| out.write_all(&entry.to_bytes()))
    })?;
    output.finish()?;
    let positions = grouped_count(positions, "position", "positions");
    let mut parts = vec![format!(
        "{positions}, {}",
        grouped_count(all.len(), "move", "moves")
    )];
    if left_out > 0 {
        let moves = grouped_count(left_out, "move", "moves");
        parts.push(format!("{moves} of weight 0 left out (--all writes them)"));
    }
    if scaled > 0 {
        let positions = grouped_count(scaled, "position", "positions");
        parts.push(format!("weights of {positions} scaled down"));
    }
    eprintln!("{}", parts.join("; "));
    Ok(ExitStatus::Success)
}

pub fn import(args: &BookImport) -> anyhow::Result<ExitStatus> {
    let name = args.input.display().to_string();
    let input = Stream::File(args.input.clone());
    refuse_same_file(&input, &args.output)?;
    check_destination(&input, None, &args.output, args.force)?;
    let bytes = fs::read(&args.input).with_context(|| format!("cannot read {name}"))?;
    let all = read_entries(&name, &bytes)?;
    if !all.is_sorted_by_key(|entry| entry.key) {
        eprintln!("{name}: the entries are not sorted: other programs do not find all of them");
    }
    let mut starts = vec![Position::start()];
    if let Some(file) = &args.start {
        starts.extend(positions(file, args.castling)?);
    }
    let numbers = all.iter().copied().zip(1..).collect();
    let mut import = Import {
        book: PolyglotBook::from_entries(&name, all),
        numbers,
        moves: 0,
        illegal: 0,
    };
    let labels = Labels::new(!args.no_names);
    let mut lines = Vec::new();
    let mut found = HashSet::new();
    for position in walk::positions(&import.book, &starts) {
        found.insert(polyglot::key(&position));
        let mut entry = import.entry(&position);
        if !entry.moves.is_empty() {
            labels.label(&mut entry);
            lines.push(format!("{entry}\n"));
        }
    }
    lines.sort_unstable();
    let mut output = Output::create_records(&args.output)?;
    for line in &lines {
        output.write_with(|out| out.write_all(line.as_bytes()))?;
    }
    output.finish()?;
    let all = import.book.entries().iter();
    let missing = all.filter(|entry| !found.contains(&entry.key)).count();
    let positions = grouped_count(lines.len(), "position", "positions");
    let moves = grouped_count(import.moves, "move", "moves");
    let missing = match missing {
        0 => String::new(),
        missing => {
            let entries = grouped_count(missing, "entry", "entries");
            format!("; {entries} of positions that were not found left out (--start)")
        }
    };
    eprintln!("{positions}, {moves}{missing}");
    Ok(if import.illegal > 0 {
        ExitStatus::Faulty
    } else {
        ExitStatus::Success
    })
}

/// A Polyglot book that is imported.
struct Import {
    book: PolyglotBook,
    /// The number of each entry in the file, for messages.
    numbers: HashMap<PolyglotEntry, u64>,
    moves: u64,
    illegal: u64,
}

impl Import {
    /// The entry of a position. Moves that are not legal are reported.
    fn entry(&mut self, position: &Position) -> Entry {
        let mut entry = Entry::new(book::fields(position));
        let (_, of_position) = self.book.with_key(polyglot::key(position));
        for polyglot_entry in of_position {
            if let Some(mv) = polyglot_entry.legal_move(position) {
                entry.add_move(book::uci(position, mv), &polyglot_entry.stats());
            } else {
                self.illegal += 1;
                let number = self.numbers.get(polyglot_entry).copied().unwrap_or(0);
                let error = self.book.illegal(number, polyglot_entry, position);
                eprintln!("{error}; left out");
            }
        }
        self.moves += entry.moves.len() as u64;
        entry
    }
}

/// The positions of an EPD file.
fn positions(file: &Stream, castling: Castling) -> anyhow::Result<Vec<Position>> {
    let mut positions = Vec::new();
    for line in Records::open(file, reader(false, castling))? {
        let line = line?;
        line.tell_dropped(file);
        let read = line.record.map_err(|error| error.message);
        let position = read.and_then(|record| record.position().map_err(|error| error.to_string()));
        positions.push(position.map_err(|text| {
            let message = Message {
                stream: file,
                line: line.line,
                column: None,
                text,
            };
            anyhow::anyhow!("{message}")
        })?);
    }
    Ok(positions)
}
