//! Reading EPD records from files and streams.

mod castling;
pub mod file_type;
mod message;

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, Read};

use anyhow::{Context, bail};
use epd::lines::{MAX_READABLE_LINE, count_line_ends, first_line, opens_string, whole_lines};
use epd::{Line, LineKind, Lines, Mode, ReadError, Reader, Record, Repair};

use crate::cli::Castling;
use crate::io::compression::Compression;
use crate::io::stream::Stream;
pub use castling::DroppedCastling;
pub use message::Message;

/// The size of a block in bytes.
const BLOCK: usize = 2 * MAX_READABLE_LINE;

/// A block of whole lines, or a part of an overlong line.
pub struct Block {
    /// The number of the first line, from 1.
    pub first_line: usize,
    pub text: Vec<u8>,
    pub part: Part,
}

/// Which part of its lines a block contains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Whole lines.
    Lines,
    /// The beginning of a line of more than [`MAX_READABLE_LINE`] bytes.
    Begin,
    /// The continuation of such a line, which is copied but not parsed.
    Rest { ends: bool },
}

impl Block {
    /// The lines to read.
    pub fn lines(&self) -> Lines<'_> {
        let text = match self.part {
            Part::Lines | Part::Begin => &self.text[..],
            Part::Rest { .. } => &[],
        };
        Lines::new(text, self.first_line)
    }

    /// Appends a line of this block unchanged, with a line feed, but without a byte order mark: that belongs to
    /// the file, and the line may get another place.
    pub fn copy_line(&self, line: &Line<'_>, copy: &mut Vec<u8>) {
        for (i, raw) in line.raw_lines().enumerate() {
            if i > 0 {
                copy.push(b'\n');
            }
            copy.extend(without_mark(raw));
        }
        if self.part != Part::Begin {
            copy.push(b'\n');
        }
    }

    /// Appends the continuation of an overlong line unchanged.
    pub fn copy_rest(&self, copy: &mut Vec<u8>) {
        if let Part::Rest { ends } = self.part {
            copy.extend(&self.text);
            copy.extend(ends.then_some(b'\n'));
        }
    }
}

/// A line without the byte order mark that some editors put at the beginning of a file.
pub fn without_mark(line: &[u8]) -> &[u8] {
    line.strip_prefix("\u{FEFF}".as_bytes()).unwrap_or(line)
}

/// Splits a stream into blocks. Complete lines are passed on at once, so that a program that waits
/// for an answer gets it. An overlong line is split into several blocks to bound the memory.
pub struct Blocks {
    source: Box<dyn Read + Send>,
    compression: Option<Compression>,
    name: Stream,
    /// Bytes that were read but not yet passed on.
    buffer: Vec<u8>,
    first_line: usize,
    /// The beginning of an overlong line was passed on, but not yet its end.
    inside_long: bool,
    ended: bool,
}

impl Blocks {
    /// Opens a stream; input that is not text is an error.
    pub fn open(stream: &Stream) -> anyhow::Result<Self> {
        let opened = match stream {
            Stream::Standard => file_type::open(io::stdin(), stream)?,
            Stream::File(path) => {
                let file = File::open(path).with_context(|| format!("cannot open {stream}"))?;
                file_type::open(file, stream)?
            }
        };
        let mut blocks = Self {
            source: opened.rest,
            compression: opened.compression,
            name: stream.clone(),
            buffer: opened.begin,
            first_line: 1,
            inside_long: false,
            ended: false,
        };
        if whole_lines(&blocks.buffer) == 0 {
            blocks.fill()?;
        }
        file_type::check_text(&blocks.buffer, stream)?;
        Ok(blocks)
    }

    /// Opens a stream of records; games are an error.
    pub fn open_records(stream: &Stream) -> anyhow::Result<Self> {
        let blocks = Self::open(stream)?;
        blocks.expect_records()?;
        Ok(blocks)
    }

    /// Fails if the stream begins with a game.
    pub fn expect_records(&self) -> anyhow::Result<()> {
        if file_type::begins_with_tag(without_mark(&self.buffer)) {
            bail!(
                "{} is PGN, expected EPD text (`epode convert --from pgn` makes records of the positions of games)",
                self.name
            );
        }
        Ok(())
    }

    /// The compression of the stream.
    pub fn compression(&self) -> Option<Compression> {
        self.compression
    }

    /// What has been read, but not yet passed on: once the stream is open, its first lines.
    pub fn beginning(&self) -> &[u8] {
        &self.buffer
    }

    /// Reads the available bytes, up to the size of a block.
    fn fill(&mut self) -> anyhow::Result<()> {
        let before = self.buffer.len();
        self.buffer.resize(before + BLOCK, 0);
        let read = loop {
            match self.source.read(&mut self.buffer[before..]) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                other => break other,
            }
        };
        self.buffer.truncate(before + *read.as_ref().unwrap_or(&0));
        self.ended = read.with_context(|| format!("cannot read {}", self.name))? == 0;
        Ok(())
    }

    /// Removes the next block from the buffer, if it is complete.
    fn take(&mut self) -> Option<Block> {
        if self.inside_long {
            return self.take_rest();
        }
        let whole = self.whole();
        if whole > 0 {
            return Some(self.cut(whole, Part::Lines));
        }
        // A line with an open string is joined with the next, unless it becomes too long.
        let lines = whole_lines(&self.buffer);
        if self.buffer.len() - lines <= MAX_READABLE_LINE {
            None
        } else if lines > 0 {
            Some(self.cut(lines, Part::Lines))
        } else {
            self.inside_long = true;
            Some(self.cut(self.without_returns(), Part::Begin))
        }
    }

    /// Removes the available part of an overlong line.
    fn take_rest(&mut self) -> Option<Block> {
        let (end, next) = if whole_lines(&self.buffer) > 0 {
            first_line(&self.buffer)
        } else if self.ended {
            (self.without_returns(), self.buffer.len())
        } else {
            let end = self.without_returns();
            if end == 0 {
                return None;
            }
            return Some(self.cut(end, Part::Rest { ends: false }));
        };
        self.inside_long = false;
        let mut block = self.cut(next, Part::Rest { ends: true });
        block.text.truncate(end);
        Some(block)
    }

    fn cut(&mut self, len: usize, part: Part) -> Block {
        let rest = self.buffer.split_off(len);
        let text = std::mem::replace(&mut self.buffer, rest);
        let first_line = self.first_line;
        self.first_line += count_line_ends(&text);
        Block {
            first_line,
            text,
            part,
        }
    }

    /// The length of the buffer without trailing carriage returns, which may end the line.
    fn without_returns(&self) -> usize {
        let last = self.buffer.iter().rposition(|&byte| byte != b'\r');
        last.map_or(0, |last| last + 1)
    }

    /// The length of the complete lines at the beginning of the buffer.
    fn whole(&self) -> usize {
        if self.ended {
            return self.buffer.len();
        }
        let end = whole_lines(&self.buffer);
        let last = without_line_end(&self.buffer[..end]);
        let begin = memchr::memrchr2(b'\n', b'\r', last).map_or(0, |before| before + 1);
        if opens_string(&last[begin..]) {
            begin
        } else {
            end
        }
    }
}

/// The lines without the line end of the last.
fn without_line_end(lines: &[u8]) -> &[u8] {
    match lines.strip_suffix(b"\n") {
        None => lines.strip_suffix(b"\r").unwrap_or(lines),
        Some(lines) => {
            let returns = lines.iter().rev().take_while(|&&byte| byte == b'\r');
            &lines[..lines.len() - returns.take(2).count()]
        }
    }
}

impl Iterator for Blocks {
    type Item = anyhow::Result<Block>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(block) = self.take() {
                return Some(Ok(block));
            }
            if self.ended {
                return None;
            }
            if let Err(error) = self.fill() {
                (self.ended, self.inside_long) = (true, false);
                self.buffer.clear();
                return Some(Err(error));
            }
        }
    }
}

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

    /// However a source splits its bytes, the blocks together contain all of them, and no block is
    /// much larger than the size of a read.
    #[test]
    fn blocks_have_everything_and_stay_small() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("x.epd");
        let long = "z".repeat(1_000_000);
        let text = format!("# a\n{long}\n8/8/8/8/8/k7/8/K7 w - - id \"torn\n{long}\n\nend");
        std::fs::write(&path, &text).expect("written");
        let mut copy = Vec::new();
        for block in Blocks::open(&Stream::File(path)).expect("it is there") {
            let block = block.expect("readable");
            assert!(block.text.len() <= MAX_READABLE_LINE + 2 * BLOCK);
            for line in block.lines() {
                block.copy_line(&line, &mut copy);
            }
            block.copy_rest(&mut copy);
        }
        assert!(copy == format!("{text}\n").as_bytes());
    }
}
