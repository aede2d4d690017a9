//! From a file to records, line by line.

use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufReader};

use anyhow::Context;
use epd::{Deviation, Line, ReadError, Record};

use crate::args::Stream;

/// A line that ought to be a record.
pub struct Numbered {
    /// From 1, as editors count.
    pub line: usize,
    pub record: Result<Read, ReadError>,
}

/// A record with what it took to understand it.
pub struct Read {
    pub record: Record,
    pub deviations: Vec<Deviation>,
}

/// Reads the records of a stream; blank lines and comments are passed over (decision 115).
pub struct Records {
    source: Box<dyn BufRead + Send>,
    line: usize,
    buffer: Vec<u8>,
}

impl Records {
    pub fn open(stream: &Stream) -> anyhow::Result<Self> {
        let source: Box<dyn BufRead + Send> = match stream {
            Stream::Standard => Box::new(BufReader::new(io::stdin())),
            Stream::File(path) => {
                let file = File::open(path).with_context(|| format!("cannot open {stream}"))?;
                Box::new(BufReader::with_capacity(1 << 16, file))
            }
        };
        Ok(Self {
            source,
            line: 0,
            buffer: Vec::new(),
        })
    }
}

impl Iterator for Records {
    type Item = io::Result<Numbered>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            self.buffer.clear();
            match self.source.read_until(b'\n', &mut self.buffer) {
                Ok(0) => return None,
                Ok(_) => {}
                Err(error) => return Some(Err(error)),
            }
            self.line += 1;
            let bytes = self.buffer.strip_suffix(b"\n").unwrap_or(&self.buffer);
            if let Some(record) = read_bytes(bytes) {
                return Some(Ok(Numbered {
                    line: self.line,
                    record,
                }));
            }
        }
    }
}

/// Reads a line unless it is blank or a comment. Bytes that are no UTF-8 are taken for Latin-1,
/// where every byte is a letter, and columns still count bytes of the file.
fn read_bytes(bytes: &[u8]) -> Option<Result<Read, ReadError>> {
    let mut deviations = Vec::new();
    if let Ok(text) = str::from_utf8(bytes) {
        return (Line::of(text) == Line::Record)
            .then(|| epd::read(text, &mut deviations).map(|record| Read { record, deviations }));
    }
    let text: String = bytes.iter().copied().map(char::from).collect();
    if Line::of(&text) != Line::Record {
        return None;
    }
    let in_file = |column: usize| text[..column - 1].chars().count() + 1;
    let record = epd::read(&text, &mut deviations).map_err(|error| ReadError {
        column: in_file(error.column),
        ..error
    });
    for deviation in &mut deviations {
        deviation.column = in_file(deviation.column);
    }
    Some(record.map(|record| Read { record, deviations }))
}

/// A message about a place in a stream, as compilers write it: `file:line:column: text`.
pub struct Message<'a, T> {
    pub stream: &'a Stream,
    pub line: usize,
    pub column: Option<usize>,
    pub text: T,
}

impl<T: fmt::Display> fmt::Display for Message<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:", self.stream, self.line)?;
        if let Some(column) = self.column {
            write!(f, "{column}:")?;
        }
        write!(f, " {}", self.text)
    }
}
