//! The input in blocks that can be converted each on its own.

use anyhow::bail;

use super::csv::Header;
use crate::cli::DataFormat;
use crate::io::input::{Block, Blocks, Part};
use crate::io::pgn::{GameGroup, PgnGroups};
use crate::io::stream::Stream;

/// The longest line that is read, and the longest CSV field with line breaks, in bytes.
const MOST: usize = 16 << 20;

/// The input in blocks of whole lines, games or rows.
pub enum Source {
    /// EPD and FEN, whose reader knows overlong lines.
    Lines(Blocks),
    Games(Box<PgnGroups<Blocks>>),
    Rows(Box<Rows>),
}

impl Source {
    /// Opens the input. CSV has a header; its columns that mean nothing are returned too.
    pub fn open(
        stream: &Stream,
        blocks: Blocks,
        format: DataFormat,
    ) -> anyhow::Result<(Self, Option<Header>, Vec<String>)> {
        match format {
            DataFormat::Epd | DataFormat::Fen => Ok((Self::Lines(blocks), None, Vec::new())),
            DataFormat::Pgn => {
                let games = Box::new(PgnGroups::new(blocks));
                Ok((Self::Games(games), None, Vec::new()))
            }
            DataFormat::Jsonl | DataFormat::Csv => {
                let is_csv = format == DataFormat::Csv;
                let mut rows = Rows {
                    blocks,
                    name: stream.clone(),
                    quotes_matter: is_csv,
                    first: None,
                };
                if !is_csv {
                    return Ok((Self::Rows(Box::new(rows)), None, Vec::new()));
                }
                let (header, unknown) = rows.header()?;
                Ok((Self::Rows(Box::new(rows)), Some(header), unknown))
            }
        }
    }
}

/// A part of the input that is converted on its own.
pub enum Chunk {
    /// Lines or rows.
    Lines(Block),
    Games(GameGroup),
}

impl Chunk {
    /// The number of bytes.
    pub fn size(&self) -> usize {
        match self {
            Self::Lines(block) => block.text.len(),
            Self::Games(group) => group.size,
        }
    }
}

impl Iterator for Source {
    type Item = anyhow::Result<Chunk>;

    fn next(&mut self) -> Option<Self::Item> {
        match self {
            Self::Lines(blocks) => Some(blocks.next()?.map(Chunk::Lines)),
            Self::Games(groups) => Some(groups.next()?.map(Chunk::Games)),
            Self::Rows(rows) => Some(rows.next()?.map(Chunk::Lines)),
        }
    }
}

/// Blocks of whole rows: long lines and CSV fields with line breaks are not split.
pub struct Rows {
    blocks: Blocks,
    name: Stream,
    quotes_matter: bool,
    /// What follows the header in its block.
    first: Option<Block>,
}

impl Rows {
    fn header(&mut self) -> anyhow::Result<(Header, Vec<String>)> {
        let Some(mut block) = self.next().transpose()? else {
            bail!(
                "{} is empty, expected a line with the names of the columns",
                self.name
            );
        };
        let end = memchr::memchr(b'\n', &block.text).map_or(block.text.len(), |end| end + 1);
        let rest = block.text.split_off(end);
        let header = Header::read(&block.text);
        let header = header.map_err(|error| anyhow::anyhow!("{}:1:1: {error}", self.name))?;
        self.first = Some(Block {
            first_line: 2,
            text: rest,
            part: Part::Lines,
        });
        Ok(header)
    }

    /// Whether a text ends within a row.
    fn is_open(&self, block: &Block) -> bool {
        let quotes = || memchr::memchr_iter(b'"', &block.text).count();
        block.part == Part::Begin || self.quotes_matter && !quotes().is_multiple_of(2)
    }
}

impl Iterator for Rows {
    type Item = anyhow::Result<Block>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut block = match self.first.take() {
            Some(first) => first,
            None => match self.blocks.next()? {
                Ok(block) => block,
                Err(error) => return Some(Err(error)),
            },
        };
        while self.is_open(&block) {
            if block.text.len() > MOST {
                let (name, line) = (&self.name, block.first_line);
                let what = if block.part == Part::Begin {
                    "a line"
                } else {
                    "a field in quotes"
                };
                return Some(Err(anyhow::anyhow!(
                    "{name}:{line}: {what} of more than {MOST} bytes, expected shorter ones"
                )));
            }
            match self.blocks.next() {
                None => break,
                Some(Err(error)) => return Some(Err(error)),
                Some(Ok(more)) => {
                    block.text.extend(&more.text);
                    match more.part {
                        Part::Rest { ends: false } => {}
                        Part::Rest { ends: true } => {
                            block.text.push(b'\n');
                            block.part = Part::Lines;
                        }
                        part => block.part = part,
                    }
                }
            }
        }
        Some(Ok(block))
    }
}
