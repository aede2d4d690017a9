//! Converts a block of the input: reads its records, reports wrong content, and prints them in the other format.

use std::collections::HashSet;
use std::fmt::Write;

use epd::lines::decode;
use epd::{Line, LineKind, Operation, Part, Reader, Record, check};
use movegen::{Field, Position};

use super::counts::Counts;
use super::csv::{self, Header};
use super::elements::Element;
use super::puzzles::puzzle;
use super::rows::{Found, LeftOut, RowResult};
use super::source::Chunk;
use super::{columns, json, pgn};
use crate::cli::{Convert, DataFormat, SamePosition};
use crate::io::input::{Block, DroppedCastling, LineError, Message, without_mark};
use crate::io::pgn::GameGroup;
use crate::verbs::identity::Identity;

/// The result of a block.
#[derive(Default)]
pub struct Converted {
    pub out: Vec<u8>,
    /// For --unique: a hash of each position, and where its record ends.
    records: Vec<([u32; 4], usize)>,
    pub messages: String,
    pub counts: Counts,
}

impl Converted {
    /// The output without positions that were seen before.
    pub fn unique(&self, seen: &mut HashSet<[u32; 4]>, repeated: &mut usize) -> Vec<u8> {
        let mut kept = Vec::with_capacity(self.out.len());
        let mut begin = 0;
        for &(hash, end) in &self.records {
            if seen.insert(hash) {
                kept.extend_from_slice(&self.out[begin..end]);
            } else {
                *repeated += 1;
            }
            begin = end;
        }
        kept
    }
}

/// Converts blocks of the input, each on its own.
pub struct Converter<'a> {
    pub args: &'a Convert,
    pub from: DataFormat,
    pub to: DataFormat,
    /// The columns of CSV.
    pub header: Option<Header>,
    pub reader: Reader<'static>,
}

impl Converter<'_> {
    pub fn chunk(&self, chunk: &Chunk) -> Converted {
        let mut done = Converted {
            out: Vec::with_capacity(2 * chunk.size()),
            ..Converted::default()
        };
        match chunk {
            Chunk::Games(group) => self.games(group, &mut done),
            Chunk::Torn { block, quote } => self.torn_row(block, *quote, &mut done),
            Chunk::Objects { elements, torn } => self.objects(elements, *torn, &mut done),
            Chunk::Lines(block) => match self.from {
                DataFormat::Csv => self.rows(block, &mut done),
                DataFormat::Json | DataFormat::Jsonl => self.object_lines(block, &mut done),
                DataFormat::Epd | DataFormat::Fen | DataFormat::Pgn => self.lines(block, &mut done),
            },
        }
        done
    }

    fn lines(&self, block: &Block, done: &mut Converted) {
        let mut repairs = Vec::new();
        for line in block.lines() {
            repairs.clear();
            match line.read(&self.reader, &mut repairs) {
                Ok(record) => {
                    let places = |part| self.place(&line, part);
                    let dropped = DroppedCastling::of(&line, &record.setup, &repairs);
                    self.write(record, dropped, done, &places);
                }
                Err(_) if line.kind() != LineKind::Record => done.counts.skipped += 1,
                Err(error) => {
                    let error = LineError::new(&line, &error);
                    done.counts.unreadable += 1;
                    self.report(done, error.place, &error.message);
                }
            }
        }
    }

    /// The place of a part of a record.
    fn place(&self, line: &Line<'_>, part: Part) -> (usize, usize) {
        let places = line.locate(&self.reader, &mut Vec::new());
        let start = places.map_or(0, |(_, places)| places.span(part).start);
        line.place(start)
    }

    fn games(&self, group: &GameGroup, done: &mut Converted) {
        for game in &group.games {
            let text = decode(&game.bytes);
            if text.trim().is_empty() {
                continue;
            }
            done.counts.games += 1;
            let first = game.line;
            pgn::read(
                &text,
                &self.args.selection,
                &self.reader,
                |record| match record {
                    Ok(record) => self.write(record, None, done, &|_| (first, 1)),
                    Err(error) => {
                        done.counts.unreadable += 1;
                        let place = (first + error.place.line - 1, error.place.column);
                        self.report(done, place, &error.kind.to_string());
                    }
                },
            );
        }
    }

    fn rows(&self, block: &Block, done: &mut Converted) {
        let Some(header) = &self.header else { return };
        header.rows(&block.text, &self.reader, |line, record| {
            let text = || {
                let mut lines = block.text.split(|&byte| byte == b'\n');
                lines.nth(line).unwrap_or_default()
            };
            self.row((block.first_line + line, 1), text, record, done);
        });
    }

    /// Reports a row with a quote that is not closed.
    fn torn_row(&self, block: &Block, quote: usize, done: &mut Converted) {
        done.counts.unreadable += 1;
        let (line, column) = place_in(&block.text, quote);
        let place = (block.first_line + line, column + 1);
        self.report(done, place, "the quote is not closed");
    }

    /// JSON lines.
    fn object_lines(&self, block: &Block, done: &mut Converted) {
        let mut objects = json::Objects::default();
        for (n, text) in block.text.split(|&byte| byte == b'\n').enumerate() {
            let text = without_mark(text).trim_ascii();
            if !text.is_empty() {
                self.object((block.first_line + n, 1), text, &mut objects, done);
            }
        }
    }

    /// A part of a JSON array.
    fn objects(&self, elements: &[Element], torn: Option<(usize, usize)>, done: &mut Converted) {
        let mut objects = json::Objects::default();
        for element in elements {
            self.object(element.place, &element.text, &mut objects, done);
        }
        if let Some(place) = torn {
            done.counts.unreadable += 1;
            self.report(done, place, "the array is not closed, expected \"]\"");
        }
    }

    fn object(
        &self,
        begin: (usize, usize),
        text: &[u8],
        objects: &mut json::Objects,
        done: &mut Converted,
    ) {
        let (record, left_out) = objects.read(text, &self.reader);
        for LeftOut { name, why } in left_out {
            done.counts.faulty += 1;
            let message = format!("{name:?} is left out: {why}");
            self.report(done, place(begin, text, &Found::Value(name)), &message);
        }
        self.row(begin, || text, record, done);
    }

    /// Writes the record of a row that begins at a place, or reports why there is none.
    fn row<'b>(
        &self,
        begin: (usize, usize),
        text: impl FnOnce() -> &'b [u8],
        record: RowResult,
        done: &mut Converted,
    ) {
        let record = record.and_then(|(record, dropped)| {
            let record = if self.args.puzzles {
                puzzle(&record)?
            } else {
                record
            };
            Ok((record, dropped))
        });
        match record {
            Ok((record, dropped)) => self.write(record, dropped, done, &|_| begin),
            Err(error) => {
                done.counts.unreadable += 1;
                let place = place(begin, text(), &error.found);
                self.report(done, place, &error.message);
            }
        }
    }

    /// Writes a record in normal form, and reports wrong content.
    fn write(
        &self,
        mut record: Record,
        dropped: Option<DroppedCastling>,
        done: &mut Converted,
        place: &dyn Fn(Part) -> (usize, usize),
    ) {
        let lexicon = self.reader.lexicon();
        let faults = check(&record, lexicon);
        let is_warning = dropped.as_ref().is_some_and(DroppedCastling::is_warning);
        done.counts.faulty += usize::from(is_warning || !faults.is_empty());
        if let Some(dropped) = dropped {
            let place = place(Part::Field(Field::Castling));
            self.report(done, place, &dropped.diagnostic());
        }
        for fault in faults {
            let message = format!("warning[{}]: {fault}", fault.lint.name());
            self.report(done, place(fault.part), &message);
        }
        record.normalise(lexicon);
        record.make_portable(lexicon);
        let position = match self.to {
            DataFormat::Epd => None,
            _ => record.position().ok(),
        };
        if self.to == DataFormat::Pgn && position.is_none() {
            done.counts.left_out += 1;
            let message = "left out: PGN has no place for an illegal position";
            self.report(done, place(Part::Field(Field::Placement)), message);
            return;
        }
        self.print(&record, position.as_ref(), done);
        done.counts.records += 1;
        if self.args.unique {
            let end = done.out.len();
            done.records
                .push((Identity::new(&record, SamePosition::REPEATED).hash(), end));
        }
    }

    /// Appends a record in the format of the output.
    fn print(&self, record: &Record, position: Option<&Position>, done: &mut Converted) {
        match self.to {
            DataFormat::Epd => {
                let mut text = record.to_string();
                text.push('\n');
                done.out.extend(text.into_bytes());
            }
            DataFormat::Fen => {
                let is_counter =
                    |operation: &&Operation| matches!(&*operation.opcode, "hmvc" | "fmvn");
                let operations = record.operations();
                let others = operations.iter().filter(|operation| !is_counter(operation));
                done.counts.operations += others.count();
                done.out.extend(columns::fen(record, position).into_bytes());
                done.out.push(b'\n');
            }
            DataFormat::Csv => csv::write(&columns::row(record, position), &mut done.out),
            DataFormat::Jsonl => json::write(&columns::row(record, position), b"\n", &mut done.out),
            DataFormat::Json => json::write(&columns::row(record, position), b",\n", &mut done.out),
            DataFormat::Pgn => {
                if let Some(position) = position {
                    pgn::write(record, position, &mut done.out);
                }
            }
        }
    }

    fn report(&self, done: &mut Converted, (line, column): (usize, usize), text: &str) {
        let message = Message {
            stream: &self.args.input,
            line,
            column: Some(column),
            text,
        };
        let _ = writeln!(done.messages, "{message}");
    }
}

/// The line and column of what was found in a text that begins at a place; where it begins if it is not there.
fn place(begin: (usize, usize), text: &[u8], found: &Found) -> (usize, usize) {
    let find = |what: &str| memchr::memmem::find(text, what.as_bytes());
    let offset = match found {
        Found::Row => 0,
        Found::Place(line, column) => {
            let lines = text.split_inclusive(|&byte| byte == b'\n');
            let before: usize = lines.take(line.saturating_sub(1)).map(<[u8]>::len).sum();
            before + column.saturating_sub(1)
        }
        Found::Value(text) => {
            // A short value may occur in others, too.
            let quoted = find(&format!("\"{text}\"")).map(|at| at + 1);
            quoted.or_else(|| find(text)).unwrap_or(0)
        }
    };
    match place_in(text, offset) {
        (0, column) => (begin.0, begin.1 + column),
        (lines, column) => (begin.0 + lines, 1 + column),
    }
}

/// The numbers of line ends before a byte of a text, and of characters between the last of them and the byte.
fn place_in(text: &[u8], offset: usize) -> (usize, usize) {
    let before = &text[..offset.min(text.len())];
    let line = memchr::memrchr(b'\n', before).map_or(0, |end| end + 1);
    let lines = memchr::memchr_iter(b'\n', before).count();
    (lines, decode(&before[line..]).chars().count())
}
