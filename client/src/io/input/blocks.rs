//! Blocks of whole lines, which the threads of a command parse.

use std::fs::File;
use std::io::{self, Read};

use anyhow::{Context, bail};
use epd::lines::{MAX_READABLE_LINE, count_line_ends, first_line, opens_string, whole_lines};
use epd::{Line, Lines};

use super::file_type;
use crate::io::compression::Compression;
use crate::io::stream::Stream;

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

#[cfg(test)]
mod tests {
    use super::*;

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
