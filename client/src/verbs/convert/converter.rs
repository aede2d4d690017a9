//! Converts a block of the input: reads its records, reports wrong content, and prints them in the other format.

use std::collections::HashSet;
use std::fmt::Write;

use epd::{Line, LineKind, Operation, Part, Reader, Record, check};
use movegen::{Field, Position};

use super::counts::Counts;
use super::csv::{self, Header};
use super::rows::{Found, RowResult};
use super::source::Chunk;
use super::{columns, json, pgn};
use crate::cli::{Convert, DataFormat, SamePosition};
use crate::io::input::{Block, DroppedCastling, LineError, Message};
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
            Chunk::Lines(block) => match self.from {
                DataFormat::Csv => self.rows(block, &mut done),
                DataFormat::Jsonl => self.objects(block, &mut done),
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
            let text = pgn::text(&game.bytes);
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
            self.row(block.first_line + line, text, record, done);
        });
    }

    fn objects(&self, block: &Block, done: &mut Converted) {
        let mut objects = json::Objects::default();
        for (n, text) in block.text.split(|&byte| byte == b'\n').enumerate() {
            let text = text.trim_ascii();
            if text.is_empty() {
                continue;
            }
            let line = block.first_line + n;
            let (record, unknown) = objects.read(text, &self.reader);
            for name in unknown {
                done.counts.faulty += 1;
                let message = format!("{name:?} is left out: it is not named like an opcode");
                self.report(
                    done,
                    (line, column(text, &Found::Value(name.clone()))),
                    &message,
                );
            }
            self.row(line, || text, record, done);
        }
    }

    /// Writes the record of a row, or reports why there is none.
    fn row<'b>(
        &self,
        line: usize,
        text: impl FnOnce() -> &'b [u8],
        record: RowResult,
        done: &mut Converted,
    ) {
        match record {
            Ok((record, dropped)) => self.write(record, dropped, done, &|_| (line, 1)),
            Err(error) => {
                done.counts.unreadable += 1;
                let place = (line, column(text(), &error.found));
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
            DataFormat::Jsonl => json::write(&columns::row(record, position), &mut done.out),
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

/// The column in characters, from 1, of what was found in a line; 1 if it is not there.
fn column(line: &[u8], found: &Found) -> usize {
    let line = String::from_utf8_lossy(line);
    let before = match found {
        Found::Row => 0,
        Found::Column(column) => line.floor_char_boundary(column.saturating_sub(1)),
        Found::Value(text) => {
            // A short value may occur in others, too.
            let quoted = line.find(&format!("\"{text}\"")).map(|at| at + 1);
            quoted.or_else(|| line.find(text)).unwrap_or(0)
        }
    };
    line[..before].chars().count() + 1
}
