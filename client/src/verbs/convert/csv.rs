//! Rows as CSV (RFC 4180, with LF at the end of lines). An absent value is an empty field.

use csv::{ByteRecord, ReaderBuilder, Terminator, WriterBuilder};
use epd::Reader;
use epd::lines::decode;
use movegen::San;

use super::columns::{COLUMNS, Row, Value};
use super::puzzles;
use super::rows::{self, Cell, LeftOut, Meaning, RowError, RowResult};
use crate::io::input::without_mark;

/// The first line.
pub fn header() -> String {
    COLUMNS.map(|(name, _)| name).join(",") + "\n"
}

/// Appends a row.
pub fn write(row: &Row<'_>, out: &mut Vec<u8>) {
    let mut writer = WriterBuilder::new()
        .terminator(Terminator::Any(b'\n'))
        .buffer_capacity(1 << 9)
        .from_writer(out);
    // Writing to a vector cannot fail.
    for value in row {
        let _ = match value {
            Value::Null => writer.write_field(""),
            Value::Text(text) => writer.write_field(&**text),
            Value::Integer(number) => writer.write_field(number.to_string()),
            Value::Moves(moves) => {
                let texts: Vec<_> = moves.iter().map(San::as_str).collect();
                writer.write_field(texts.join(" "))
            }
        };
    }
    let _ = writer.write_record(None::<&[u8]>);
    let _ = writer.flush();
}

/// A quote that begins a field which does not end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpenQuote {
    /// Where its row begins.
    pub row: usize,
    /// Where it is.
    pub quote: usize,
    /// No more text can close it: after other lines, a quote follows that is not the end of a field.
    pub is_certain: bool,
}

/// The quote that ends a field; two quotes stand for one in it.
fn closing_quote(text: &[u8], begin: usize) -> Option<usize> {
    let mut at = begin;
    loop {
        let quote = at + memchr::memchr(b'"', &text[at..])?;
        if text.get(quote + 1) != Some(&b'"') {
            return Some(quote);
        }
        at = quote + 2;
    }
}

/// The columns of a file.
#[derive(Clone, Debug)]
pub struct Header {
    meanings: Vec<Meaning>,
    delimiter: u8,
    has_counters: bool,
}

impl Header {
    /// Whether the columns are those of puzzles.
    pub fn has_puzzles(&self) -> bool {
        let has = |name: &&str| self.meanings.contains(&Meaning::of(name));
        puzzles::COLUMNS.iter().all(has)
    }

    /// Reads the first line. Returns also the columns that are left out.
    pub fn read(line: &[u8]) -> Result<(Self, Vec<LeftOut>), String> {
        let line = without_mark(line);
        let delimiter = *b",;\t"
            .iter()
            .rev()
            .max_by_key(|&&delimiter| memchr::memchr_iter(delimiter, line).count())
            .unwrap_or(&b',');
        let mut names = ByteRecord::new();
        let mut reader = ReaderBuilder::new()
            .has_headers(false)
            .delimiter(delimiter)
            .from_reader(line);
        let _ = reader.read_byte_record(&mut names);
        let names: Vec<_> = names.iter().map(decode).collect();
        let mut meanings = Vec::new();
        for name in &names {
            meanings.push(Meaning::after(&meanings, name.trim()));
        }
        if !meanings.contains(&Meaning::of("fen")) {
            return Err(format!(
                "there is no column \"fen\" in the first line: {}",
                names.join(" ")
            ));
        }
        let left_out = names.iter().zip(&meanings);
        let left_out = left_out
            .filter(|(name, _)| !name.is_empty())
            .filter_map(|(name, meaning)| meaning.left_out(name))
            .collect();
        let has_counters = ["hmvc", "fmvn"]
            .iter()
            .any(|name| meanings.contains(&Meaning::of(name)));
        let header = Self {
            meanings,
            delimiter,
            has_counters,
        };
        Ok((header, left_out))
    }

    /// What is wrong with the quotes of a text that begins with a row.
    pub fn open_quote(&self, text: &[u8]) -> Option<OpenQuote> {
        let (mut row, mut at) = (0, 0);
        while let Some(next) = memchr::memchr(b'"', &text[at..]) {
            let quote = at + next;
            if let Some(end) = memchr::memrchr2(b'\n', b'\r', &text[at..quote]) {
                row = at + end + 1;
            }
            let begins_field = quote == row || text[quote - 1] == self.delimiter;
            at = if begins_field {
                let Some(closing) = closing_quote(text, quote + 1) else {
                    return Some(OpenQuote {
                        row,
                        quote,
                        is_certain: false,
                    });
                };
                let follows = text.get(closing + 1);
                let ends_field = follows
                    .is_none_or(|&byte| byte == self.delimiter || matches!(byte, b'\n' | b'\r'));
                if !ends_field && text[quote..closing].contains(&b'\n') {
                    return Some(OpenQuote {
                        row,
                        quote,
                        is_certain: true,
                    });
                }
                closing + 1
            } else {
                quote + 1
            };
        }
        None
    }

    /// Calls `each` for every row with its line number, counted from 0.
    pub fn rows(&self, block: &[u8], reader: &Reader<'_>, mut each: impl FnMut(usize, RowResult)) {
        let mut rows = ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .delimiter(self.delimiter)
            .from_reader(block);
        let mut row = ByteRecord::new();
        while let Ok(true) = rows.read_byte_record(&mut row) {
            let line = row
                .position()
                .map_or(0, |position| position.line() as usize - 1);
            if row.len() == 1 && row[0].is_empty() {
                continue;
            }
            if row.len() > self.meanings.len() {
                let (found, expected) = (row.len(), self.meanings.len());
                let error = format!("{found} fields, expected {expected} as in the first line");
                each(line, Err(RowError::of_row(error)));
                continue;
            }
            let cells = self.meanings.iter().zip(&row);
            let cells: Vec<_> = cells
                .filter(|(_, field)| !field.is_empty())
                .map(|(meaning, field)| (meaning.clone(), Cell::Text(decode(field))))
                .collect();
            each(line, rows::record(&cells, self.has_counters, reader));
        }
    }
}
