//! Rows as CSV (RFC 4180, with LF at the end of lines). An absent value is an empty field.

use std::borrow::Cow;

use csv::{ByteRecord, ReaderBuilder, Terminator, WriterBuilder};
use epd::Reader;
use movegen::San;

use super::columns::{COLUMNS, Row, Value};
use super::rows::{self, Cell, Meaning, RowError, RowResult};

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

/// The columns of a file.
#[derive(Clone, Debug)]
pub struct Header {
    meanings: Vec<Meaning>,
    delimiter: u8,
    has_counters: bool,
}

impl Header {
    /// Reads the first line. Returns also the names of columns that mean nothing.
    pub fn read(line: &[u8]) -> Result<(Self, Vec<String>), String> {
        let line = line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line);
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
        let names: Vec<_> = names.iter().map(text).collect();
        let meanings: Vec<_> = names.iter().map(|name| Meaning::of(name.trim())).collect();
        if !meanings.contains(&Meaning::of("fen")) {
            return Err(format!(
                "there is no column \"fen\" in the first line: {}",
                names.join(" ")
            ));
        }
        let unknown = names.iter().zip(&meanings);
        let unknown = unknown
            .filter(|(name, meaning)| **meaning == Meaning::None && !name.is_empty())
            .map(|(name, _)| name.clone().into_owned())
            .collect();
        let has_counters = ["hmvc", "fmvn"]
            .iter()
            .any(|name| meanings.contains(&Meaning::of(name)));
        let header = Self {
            meanings,
            delimiter,
            has_counters,
        };
        Ok((header, unknown))
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
                .map(|(meaning, field)| (meaning.clone(), Cell::Text(text(field))))
                .collect();
            each(line, rows::record(&cells, self.has_counters, reader));
        }
    }
}

/// A field as text: what is not UTF-8 is Latin-1.
fn text(field: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(field) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => field.iter().map(|&byte| char::from(byte)).collect(),
    }
}
