//! Reading game files; damaged parts are skipped.

use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use anyhow::Context;

use super::codec;
use super::frame::{HEADER, Header, Kind, MAGIC, checksum};
use crate::selfplay::PlayedGame;

/// Iterates over the blocks of a game file. Damaged parts are skipped and noted.
///
/// Expanding a block takes far longer than reading it, so that several threads may share one reader.
pub struct Blocks {
    path: PathBuf,
    source: BufReader<File>,
    /// The number of bytes read so far.
    offset: u64,
    damages: Vec<Damage>,
}

/// A damaged part of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Damage {
    /// The offset of the first damaged byte.
    pub offset: u64,
    /// The number of damaged bytes.
    pub length: u64,
}

/// A block of games as it is stored: its checksum is right.
pub struct Block {
    at: Damage,
    games: u32,
    payload: Vec<u8>,
}

impl Block {
    /// Expands the games.
    ///
    /// # Errors
    ///
    /// The payload does not hold as many games as its header says.
    pub fn games(&self) -> Result<Vec<PlayedGame>, Damage> {
        codec::decode(&self.payload, self.games as usize).ok_or(self.at)
    }
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { offset, length } = self;
        write!(
            f,
            "byte {offset}: {length} bytes are damaged and were skipped"
        )
    }
}

impl Blocks {
    /// Opens a file; `None` if it does not start like a game file.
    ///
    /// # Errors
    ///
    /// The file cannot be read.
    pub fn open(path: &Path) -> anyhow::Result<Option<Self>> {
        let cannot_read = || format!("cannot read {}", path.display());
        let file = File::open(path).with_context(cannot_read)?;
        let mut source = BufReader::with_capacity(1 << 20, file);
        let is_game_file = source
            .fill_buf()
            .with_context(cannot_read)?
            .starts_with(&MAGIC);
        Ok(is_game_file.then(|| Self {
            path: path.to_owned(),
            source,
            offset: 0,
            damages: Vec::new(),
        }))
    }

    /// The damaged parts found so far, without blocks that [`Block::games`] finds to be damaged.
    #[must_use]
    pub fn damages(&self) -> &[Damage] {
        &self.damages
    }

    fn next_block(&mut self) -> io::Result<Option<Block>> {
        while let Some((offset, header, payload)) = self.next_frame()? {
            if header.kind == Kind::Games {
                let length = HEADER as u64 + u64::from(header.length);
                return Ok(Some(Block {
                    at: Damage { offset, length },
                    games: header.games,
                    payload,
                }));
            }
        }
        Ok(None)
    }

    /// The next undamaged frame: its offset, header and payload.
    fn next_frame(&mut self) -> io::Result<Option<(u64, Header, Vec<u8>)>> {
        let begin = self.offset;
        let mut window = Vec::with_capacity(HEADER);
        loop {
            self.fill(&mut window)?;
            let skipped = self.offset - window.len() as u64;
            let Some(bytes) = window.first_chunk::<HEADER>() else {
                self.note_damage(begin, self.offset - begin);
                return Ok(None);
            };
            let Some(header) = Header::from_bytes(bytes) else {
                let next = memchr::memchr(MAGIC[0], &window[1..]);
                window.drain(..next.map_or(HEADER, |next| next + 1));
                continue;
            };
            let mut payload = Vec::new();
            let length = u64::from(header.length);
            self.source
                .by_ref()
                .take(length)
                .read_to_end(&mut payload)?;
            self.offset += payload.len() as u64;
            if payload.len() as u64 == length && checksum(&payload) == header.checksum {
                self.note_damage(begin, skipped - begin);
                return Ok(Some((skipped, header, payload)));
            }
            // A part of the payload may be missing: the next header may be in what was read as the
            // payload.
            self.source.seek_relative(-(payload.len() as i64))?;
            self.offset -= payload.len() as u64;
            window.drain(..1);
        }
    }

    /// Reads until the window has the length of a header, or to the end of the file.
    fn fill(&mut self, window: &mut Vec<u8>) -> io::Result<()> {
        let missing = (HEADER - window.len()) as u64;
        self.offset += self.source.by_ref().take(missing).read_to_end(window)? as u64;
        Ok(())
    }

    fn note_damage(&mut self, offset: u64, length: u64) {
        if length > 0 {
            self.damages.push(Damage { offset, length });
        }
    }
}

impl Iterator for Blocks {
    type Item = anyhow::Result<Block>;

    fn next(&mut self) -> Option<Self::Item> {
        let block = self.next_block();
        let block = block.with_context(|| format!("cannot read {}", self.path.display()));
        block.transpose()
    }
}
