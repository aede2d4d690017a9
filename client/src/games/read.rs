//! Reads files of games, past what is damaged.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use anyhow::Context;
use engine::PlayedGame;

use super::codec;
use super::frame::{HEADER, Header, Kind, MAGIC, checksum};

/// The blocks of a file of games, one after the other. A damaged part is reported on standard error
/// and skipped.
pub struct Blocks {
    path: PathBuf,
    source: BufReader<File>,
    /// The bytes before the next one to be read.
    offset: u64,
    damaged: u64,
}

impl Blocks {
    /// Opens a file; `None` if it does not begin as a file of games does.
    pub fn open(path: &Path) -> anyhow::Result<Option<Self>> {
        let cannot_read = || format!("cannot read {}", path.display());
        let file = File::open(path).with_context(cannot_read)?;
        let mut source = BufReader::with_capacity(1 << 20, file);
        let is_ours = source
            .fill_buf()
            .with_context(cannot_read)?
            .starts_with(&MAGIC);
        Ok(is_ours.then(|| Self {
            path: path.to_owned(),
            source,
            offset: 0,
            damaged: 0,
        }))
    }

    /// The bytes that were skipped so far because they are damaged.
    pub fn damaged(&self) -> u64 {
        self.damaged
    }

    fn next_block(&mut self) -> io::Result<Option<Vec<PlayedGame>>> {
        loop {
            let Some((at, header, payload)) = self.next_frame()? else {
                return Ok(None);
            };
            if header.kind != Kind::Games {
                continue;
            }
            match codec::decode(&payload, header.games as usize) {
                Some(games) => return Ok(Some(games)),
                None => self.report(at, HEADER as u64 + u64::from(header.length)),
            }
        }
    }

    /// The next sound frame: where it begins, its header and its payload.
    fn next_frame(&mut self) -> io::Result<Option<(u64, Header, Vec<u8>)>> {
        let begin = self.offset;
        let mut window = Vec::with_capacity(HEADER);
        loop {
            self.fill(&mut window)?;
            let skipped = self.offset - window.len() as u64;
            let Some(bytes) = window.first_chunk::<HEADER>() else {
                self.report(begin, self.offset - begin);
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
                self.report(begin, skipped - begin);
                return Ok(Some((skipped, header, payload)));
            }
            // The header may have survived where the payload was cut out: look for the next one in
            // what was taken for the payload.
            self.source.seek_relative(-(payload.len() as i64))?;
            self.offset -= payload.len() as u64;
            window.drain(..1);
        }
    }

    /// Reads on until there are as many bytes as a header has, or no more.
    fn fill(&mut self, window: &mut Vec<u8>) -> io::Result<()> {
        let missing = (HEADER - window.len()) as u64;
        self.offset += self.source.by_ref().take(missing).read_to_end(window)? as u64;
        Ok(())
    }

    fn report(&mut self, begin: u64, length: u64) {
        if length > 0 {
            self.damaged += length;
            eprintln!(
                "{}: byte {begin}: {length} bytes are damaged and were skipped",
                self.path.display()
            );
        }
    }
}

impl Iterator for Blocks {
    type Item = anyhow::Result<Vec<PlayedGame>>;

    fn next(&mut self) -> Option<Self::Item> {
        let block = self.next_block();
        let block = block.with_context(|| format!("cannot read {}", self.path.display()));
        block.transpose()
    }
}
