//! The input in blocks that can be converted each on its own.

use anyhow::bail;
use epd::lines::count_line_ends;

use super::csv::{Header, OpenQuote};
use super::elements::{Element, Splitter};
use super::rows::LeftOut;
use crate::cli::DataFormat;
use crate::io::input::{Block, Blocks, Part, file_type, without_mark};
use crate::io::pgn::{GameGroup, PgnGroups};
use crate::io::stream::Stream;

/// The longest line that is read, the longest CSV field with line breaks and the longest object of a JSON array, in
/// bytes.
const MOST: usize = 16 << 20;

/// The size of a group of objects in bytes.
const GROUP: usize = 1 << 18;

/// The format of a text by its beginning: games begin with a tag or a move number, JSON with a bracket or a brace, and
/// CSV with a line that names a column "fen". Other text is EPD.
pub fn recognise(beginning: &[u8]) -> DataFormat {
    let text = without_mark(beginning).trim_ascii_start();
    let first_line = text.split(|&byte| byte == b'\n').next();
    if file_type::begins_with_tag(text) || begins_with_move_number(text) {
        DataFormat::Pgn
    } else if Splitter::is_array(text) {
        DataFormat::Json
    } else if text.starts_with(b"{") {
        DataFormat::Jsonl
    } else if first_line.is_some_and(|line| Header::read(line).is_ok()) {
        DataFormat::Csv
    } else {
        DataFormat::Epd
    }
}

/// Whether a text begins with the number of a move, as games without tags do. Piece placements, which can begin with a
/// digit too, have no period.
fn begins_with_move_number(text: &[u8]) -> bool {
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    digits > 0 && text.get(digits) == Some(&b'.')
}

/// The input in blocks of whole lines, games, rows or objects.
pub enum Source {
    /// EPD and FEN, whose reader knows overlong lines.
    Lines(Blocks),
    Games(Box<PgnGroups<Blocks>>),
    Rows(Box<Rows>),
    Objects(Box<Objects>),
}

impl Source {
    /// Opens the input. CSV has a header; its columns that are left out are returned too.
    pub fn open(
        stream: &Stream,
        blocks: Blocks,
        format: DataFormat,
    ) -> anyhow::Result<(Self, Option<Header>, Vec<LeftOut>)> {
        let source = match format {
            DataFormat::Epd | DataFormat::Fen => Self::Lines(blocks),
            DataFormat::Pgn => Self::Games(Box::new(PgnGroups::new(blocks))),
            DataFormat::Csv => {
                let mut rows = Rows::new(stream, blocks);
                let left_out = rows.read_header()?;
                let header = rows.header.clone();
                return Ok((Self::Rows(Box::new(rows)), header, left_out));
            }
            DataFormat::Json | DataFormat::Jsonl if Splitter::is_array(blocks.beginning()) => {
                Self::Objects(Box::new(Objects::new(stream, blocks)))
            }
            DataFormat::Json | DataFormat::Jsonl => Self::Rows(Box::new(Rows::new(stream, blocks))),
        };
        Ok((source, None, Vec::new()))
    }
}

/// A part of the input that is converted on its own.
pub enum Chunk {
    /// Lines or rows.
    Lines(Block),
    Games(GameGroup),
    /// A row of CSV with a quote that is not closed, up to the end of the line of the quote; where the quote is.
    Torn {
        block: Block,
        quote: usize,
    },
    /// Objects of a JSON array, and the place where the array should have ended and did not.
    Objects {
        elements: Vec<Element>,
        torn: Option<(usize, usize)>,
    },
}

impl Chunk {
    /// The number of bytes.
    pub fn size(&self) -> usize {
        match self {
            Self::Lines(block) | Self::Torn { block, .. } => block.text.len(),
            Self::Games(group) => group.size,
            Self::Objects { elements, .. } => {
                elements.iter().map(|element| element.text.len()).sum()
            }
        }
    }
}

impl Iterator for Source {
    type Item = anyhow::Result<Chunk>;

    fn next(&mut self) -> Option<Self::Item> {
        match self {
            Self::Lines(blocks) => Some(blocks.next()?.map(Chunk::Lines)),
            Self::Games(groups) => Some(groups.next()?.map(Chunk::Games)),
            Self::Rows(rows) => rows.next(),
            Self::Objects(objects) => objects.next(),
        }
    }
}

/// Blocks of whole rows: long lines and CSV fields with line breaks are not split.
pub struct Rows {
    blocks: Blocks,
    name: Stream,
    /// The columns of CSV, once they are known. Only with them, quotes matter.
    header: Option<Header>,
    /// What has been read and follows what was passed on.
    rest: Option<Block>,
}

impl Rows {
    fn new(stream: &Stream, blocks: Blocks) -> Self {
        Self {
            blocks,
            name: stream.clone(),
            header: None,
            rest: None,
        }
    }

    /// Reads the first line of CSV. Returns the columns that are left out.
    fn read_header(&mut self) -> anyhow::Result<Vec<LeftOut>> {
        let Some(mut block) = self.lines().transpose()? else {
            bail!(
                "{} is empty, expected a line with the names of the columns",
                self.name
            );
        };
        let end = memchr::memchr(b'\n', &block.text).map_or(block.text.len(), |end| end + 1);
        self.rest = split_off(&mut block, end);
        let header = Header::read(&block.text);
        let (header, left_out) =
            header.map_err(|error| anyhow::anyhow!("{}:1:1: {error}", self.name))?;
        self.header = Some(header);
        Ok(left_out)
    }

    /// The next whole lines.
    fn lines(&mut self) -> Option<anyhow::Result<Block>> {
        if let Some(rest) = self.rest.take() {
            return Some(Ok(rest));
        }
        let mut block = match self.blocks.next()? {
            Ok(block) => block,
            Err(error) => return Some(Err(error)),
        };
        while block.part == Part::Begin {
            if block.text.len() > MOST {
                let (name, line) = (&self.name, block.first_line);
                return Some(Err(anyhow::anyhow!(
                    "{name}:{line}: a line of more than {MOST} bytes, expected shorter ones"
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

    /// Passes on the rows before one that has a quote which is not closed, or else that row. What follows its line is
    /// read on.
    fn torn(&mut self, mut block: Block, open: OpenQuote) -> Chunk {
        if open.row > 0 {
            self.rest = split_off(&mut block, open.row);
            return Chunk::Lines(block);
        }
        let line = &block.text[open.quote..];
        let end = memchr::memchr(b'\n', line).map_or(line.len(), |end| end + 1);
        self.rest = split_off(&mut block, open.quote + end);
        let quote = open.quote;
        Chunk::Torn { block, quote }
    }
}

/// Cuts a block into two; the second is none if it is empty.
fn split_off(block: &mut Block, at: usize) -> Option<Block> {
    let text = block.text.split_off(at);
    let first_line = block.first_line + count_line_ends(&block.text);
    let part = std::mem::replace(&mut block.part, Part::Lines);
    (!text.is_empty()).then_some(Block {
        first_line,
        text,
        part,
    })
}

impl Iterator for Rows {
    type Item = anyhow::Result<Chunk>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut block = match self.lines()? {
            Ok(block) => block,
            Err(error) => return Some(Err(error)),
        };
        loop {
            let header = self.header.as_ref();
            let Some(open) = header.and_then(|header| header.open_quote(&block.text)) else {
                return Some(Ok(Chunk::Lines(block)));
            };
            if open.is_certain || block.text.len() - open.row > MOST {
                return Some(Ok(self.torn(block, open)));
            }
            match self.lines() {
                None => return Some(Ok(self.torn(block, open))),
                Some(Err(error)) => return Some(Err(error)),
                Some(Ok(more)) => block.text.extend(&more.text),
            }
        }
    }
}

/// The objects of a JSON array in groups.
pub struct Objects {
    blocks: Blocks,
    name: Stream,
    splitter: Splitter,
    has_ended: bool,
}

impl Objects {
    fn new(stream: &Stream, blocks: Blocks) -> Self {
        Self {
            blocks,
            name: stream.clone(),
            splitter: Splitter::new(),
            has_ended: false,
        }
    }
}

impl Iterator for Objects {
    type Item = anyhow::Result<Chunk>;

    fn next(&mut self) -> Option<Self::Item> {
        let (mut size, mut torn) = (0, None);
        while !self.has_ended && size < GROUP {
            match self.blocks.next() {
                Some(Err(error)) => {
                    self.has_ended = true;
                    return Some(Err(error));
                }
                Some(Ok(block)) => {
                    size += block.text.len();
                    self.splitter.add(&block);
                }
                None => {
                    self.has_ended = true;
                    torn = self.splitter.end();
                }
            }
            if self.splitter.open_len() > MOST {
                self.has_ended = true;
                let (name, (line, column)) = (&self.name, self.splitter.open_place());
                return Some(Err(anyhow::anyhow!(
                    "{name}:{line}:{column}: an object of more than {MOST} bytes, expected shorter ones"
                )));
            }
        }
        let elements = std::mem::take(&mut self.splitter.ended);
        let is_empty = elements.is_empty() && torn.is_none();
        (!is_empty || !self.has_ended).then_some(Ok(Chunk::Objects { elements, torn }))
    }
}
