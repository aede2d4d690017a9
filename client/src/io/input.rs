//! Reading EPD records from files and streams.

mod blocks;
mod castling;
pub mod file_type;
mod message;

use std::collections::VecDeque;

use epd::{Line, LineKind, Lines, Mode, ReadError, Reader, Record, Repair};

use crate::cli::Castling;
use crate::io::compression::Compression;
use crate::io::stream::Stream;
pub use blocks::{Block, Blocks, Part, without_mark};
pub use castling::DroppedCastling;
pub use message::Message;

/// A line that should be a record, with its number.
pub struct NumberedLine {
    pub line: usize,
    pub record: Result<Record, LineError>,
    /// The castling rights that the record had and that mean nothing on its board.
    pub dropped: Option<DroppedCastling>,
    pub source: Source,
}

impl NumberedLine {
    /// Prints what was dropped from the record.
    pub fn tell_dropped(&self, stream: &Stream) {
        if let Some(dropped) = &self.dropped {
            eprintln!("{}", dropped.message(stream));
        }
    }
}

/// The text of a line that was read, in which the parts of its record are found once one of them has to be
/// reported.
#[derive(Default)]
pub struct Source {
    number: usize,
    raw: Vec<u8>,
}

impl Source {
    fn of(line: &Line<'_>) -> Self {
        Self {
            number: line.number,
            raw: line.raw.to_vec(),
        }
    }

    /// Line and column of a part of the record, which is chosen in the record as the reader reads it.
    pub fn place(
        &self,
        reader: &Reader<'_>,
        part: impl FnOnce(&Record) -> epd::Part,
    ) -> (usize, usize) {
        let place = || {
            let line = Lines::new(&self.raw, self.number).next()?;
            let (record, locations) = line.locate(reader, &mut Vec::new()).ok()?;
            Some(line.place(locations.span(part(&record)).start))
        };
        place().unwrap_or((self.number, 1))
    }
}

/// Why a line is not a record.
pub struct LineError {
    /// Line and column, from 1.
    pub place: (usize, usize),
    pub message: String,
    /// Not an error: a blank line, a comment, or the continuation of a line already reported.
    pub is_harmless: bool,
    /// The unchanged line, to be copied.
    pub copy: Vec<u8>,
}

impl LineError {
    pub fn new(line: &Line<'_>, error: &ReadError) -> Self {
        Self {
            place: line.place(error.span.start),
            message: error.kind.to_string(),
            is_harmless: line.kind() != LineKind::Record,
            copy: Vec::new(),
        }
    }
}

/// A strict or a lenient reader.
pub fn reader(strict: bool, castling: Castling) -> Reader<'static> {
    let mode = if strict { Mode::Strict } else { Mode::Lenient };
    Reader::new(mode).with_castling_mode(castling.mode())
}

/// The number of records in a file, without parsing them; unknown for streams that can be read only
/// once.
pub fn count_records(stream: &Stream) -> anyhow::Result<Option<u64>> {
    let Stream::File(path) = stream else {
        return Ok(None);
    };
    if !path.metadata().is_ok_and(|metadata| metadata.is_file()) {
        return Ok(None);
    }
    let mut count = 0;
    for block in Blocks::open(stream)? {
        let block = block?;
        let records = block.lines().filter(|line| line.kind() == LineKind::Record);
        count += records.count() as u64;
    }
    Ok(Some(count))
}

/// Reads the records of a stream. Blank lines and comments are skipped (decision 115), unless all
/// lines are requested.
pub struct Records<'l> {
    blocks: Blocks,
    reader: Reader<'l>,
    all_lines: bool,
    read: VecDeque<NumberedLine>,
    repairs: Vec<Repair>,
}

impl<'l> Records<'l> {
    pub fn open(stream: &Stream, reader: Reader<'l>) -> anyhow::Result<Self> {
        Ok(Self::new(Blocks::open_records(stream)?, reader))
    }

    pub fn new(blocks: Blocks, reader: Reader<'l>) -> Self {
        Self {
            blocks,
            reader,
            all_lines: false,
            read: VecDeque::new(),
            repairs: Vec::new(),
        }
    }

    /// Also returns the lines that are not records, each in its place, as errors.
    pub fn with_all_lines(mut self) -> Self {
        self.all_lines = true;
        self
    }

    /// The compression of the stream.
    pub fn compression(&self) -> Option<Compression> {
        self.blocks.compression()
    }

    fn read_block(&mut self, block: &Block) {
        for line in block.lines() {
            if line.kind() != LineKind::Record && !self.all_lines {
                continue;
            }
            self.repairs.clear();
            let record = line.read(&self.reader, &mut self.repairs);
            let record = record.map_err(|error| {
                let mut error = LineError::new(&line, &error);
                if self.all_lines {
                    block.copy_line(&line, &mut error.copy);
                }
                error
            });
            let dropped = record
                .as_ref()
                .ok()
                .and_then(|record| DroppedCastling::of(&line, &record.setup, &self.repairs));
            self.read.push_back(NumberedLine {
                line: line.number,
                record,
                dropped,
                source: Source::of(&line),
            });
        }
        if self.all_lines && matches!(block.part, Part::Rest { .. }) {
            let line = block.first_line;
            let mut error = LineError {
                place: (line, 1),
                message: String::new(),
                is_harmless: true,
                copy: Vec::new(),
            };
            block.copy_rest(&mut error.copy);
            self.read.push_back(NumberedLine {
                line,
                record: Err(error),
                dropped: None,
                source: Source::default(),
            });
        }
    }
}

impl Iterator for Records<'_> {
    type Item = anyhow::Result<NumberedLine>;

    fn next(&mut self) -> Option<Self::Item> {
        while self.read.is_empty() {
            match self.blocks.next()? {
                Ok(block) => self.read_block(&block),
                Err(error) => return Some(Err(error)),
            }
        }
        self.read.pop_front().map(Ok)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_counted_without_being_read() {
        let suites = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../suites");
        for file in ["bratko-kopec.epd", "perft.epd"] {
            let stream = Stream::File(suites.join(file));
            let records = Records::open(&stream, Reader::lenient()).expect("it is there");
            let expected = records.count() as u64;
            let count = count_records(&stream).expect("readable");
            assert_eq!(count, Some(expected), "{file}");
        }
        // Opening a pipe would consume its data, or block.
        for stream in [Stream::Standard, Stream::File("/dev/null".into())] {
            assert_eq!(count_records(&stream).expect("not opened"), None);
        }
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("x.epd");
        let text = "# a remark\n8/8 w\r\n\r8/8\n\0\n";
        std::fs::write(&path, text.repeat(10_000)).expect("written");
        let count = count_records(&Stream::File(path)).expect("readable");
        assert_eq!(count, Some(20_000));
    }
}
