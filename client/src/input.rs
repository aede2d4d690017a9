//! From a file to records.

use std::collections::VecDeque;
use std::fmt;
use std::fs::File;
use std::io::{self, Read};

use anyhow::{Context, bail};
use epd::lines::{LIMIT, opens_string};
use epd::{Line, LineKind, Lines, Mend, Mode, ReadError, Reader, Record};

use crate::args::Stream;

/// How much of a file is read at a time.
const BLOCK: usize = 2 * LIMIT;

/// Whole lines of a file.
pub struct Block {
    /// The number of the first line, from 1.
    pub first_line: usize,
    pub text: Vec<u8>,
}

impl Block {
    pub fn lines(&self) -> Lines<'_> {
        Lines::new(&self.text, self.first_line)
    }
}

/// Cuts a stream into blocks. Lines that have come are handed on at once, so that a program that
/// waits for an answer gets it; what one line can take is bounded ([`LIMIT`]).
pub struct Blocks {
    source: Box<dyn Read + Send>,
    name: Stream,
    /// What has been read and not handed on.
    buffer: Vec<u8>,
    first_line: usize,
    ended: bool,
}

impl Blocks {
    pub fn open(stream: &Stream) -> anyhow::Result<Self> {
        let source: Box<dyn Read + Send> = match stream {
            Stream::Standard => Box::new(io::stdin()),
            Stream::File(path) => {
                let file = File::open(path).with_context(|| format!("cannot open {stream}"))?;
                Box::new(file)
            }
        };
        Ok(Self {
            source,
            name: stream.clone(),
            buffer: Vec::new(),
            first_line: 1,
            ended: false,
        })
    }

    /// Reads what there is, up to the size of a block.
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
        if self.first_line == 1 && matches!(self.buffer[..], [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..]) {
            bail!("{} is UTF-16, expected ASCII, UTF-8 or Latin-1", self.name);
        }
        // Nobody keeps what goes on beyond the limit; the line is told to be too long all the same.
        if self.last_line() > LIMIT {
            let begin = self.buffer.len() - self.last_line();
            self.buffer.truncate(begin + LIMIT + 1);
        }
        Ok(())
    }

    /// The bytes after the last line feed.
    fn last_line(&self) -> usize {
        let last = self.buffer.iter().rposition(|&byte| byte == b'\n');
        self.buffer.len() - last.map_or(0, |last| last + 1)
    }

    /// How much of the buffer is whole lines, none of which goes on in the next.
    fn whole(&self) -> usize {
        if self.ended {
            return self.buffer.len();
        }
        let end = self.buffer.len() - self.last_line();
        let Some(before) = end.checked_sub(1) else {
            return 0;
        };
        let begin = self.buffer[..before]
            .iter()
            .rposition(|&byte| byte == b'\n');
        let begin = begin.map_or(0, |begin| begin + 1);
        if opens_string(&self.buffer[begin..before]) {
            begin
        } else {
            end
        }
    }
}

impl Iterator for Blocks {
    type Item = anyhow::Result<Block>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if self.ended && self.buffer.is_empty() {
                return None;
            }
            if !self.ended
                && let Err(error) = self.fill()
            {
                (self.ended, self.buffer) = (true, Vec::new());
                return Some(Err(error));
            }
            let rest = self.buffer.split_off(self.whole());
            let text = std::mem::replace(&mut self.buffer, rest);
            if !text.is_empty() {
                let first_line = self.first_line;
                self.first_line += memchr::memchr_iter(b'\n', &text).count();
                return Some(Ok(Block { first_line, text }));
            }
        }
    }
}

/// A line that ought to be a record.
pub struct Numbered {
    pub line: usize,
    pub record: Result<Record, Fault>,
}

/// Why a line is no record.
pub struct Fault {
    /// Where, in lines and columns from 1.
    pub place: (usize, usize),
    pub message: String,
}

impl Fault {
    pub fn new(line: &Line<'_>, error: &ReadError) -> Self {
        Self {
            place: line.place(error.span.start),
            message: error.kind.to_string(),
        }
    }
}

/// What reads records: only exact ones, or all that circulate.
pub fn reader(strict: bool) -> Reader<'static> {
    Reader::new(if strict { Mode::Strict } else { Mode::Lenient })
}

/// Reads the records of a stream; blank lines and comments are passed over (decision 115).
pub struct Records<'l> {
    blocks: Blocks,
    reader: Reader<'l>,
    read: VecDeque<Numbered>,
    mends: Vec<Mend>,
}

impl<'l> Records<'l> {
    pub fn open(stream: &Stream, reader: Reader<'l>) -> anyhow::Result<Self> {
        Ok(Self {
            blocks: Blocks::open(stream)?,
            reader,
            read: VecDeque::new(),
            mends: Vec::new(),
        })
    }
}

impl Iterator for Records<'_> {
    type Item = anyhow::Result<Numbered>;

    fn next(&mut self) -> Option<Self::Item> {
        while self.read.is_empty() {
            let block = match self.blocks.next()? {
                Ok(block) => block,
                Err(error) => return Some(Err(error)),
            };
            for line in block.lines().filter(|line| line.kind() == LineKind::Record) {
                self.mends.clear();
                let record = line.read(&self.reader, &mut self.mends);
                self.read.push_back(Numbered {
                    line: line.number,
                    record: record.map_err(|error| Fault::new(&line, &error)),
                });
            }
        }
        self.read.pop_front().map(Ok)
    }
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
