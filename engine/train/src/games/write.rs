//! Writing game files, and continuing them.

use std::fs::File;
use std::io::{ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use serde_json::Value;

use super::codec;
use super::frame::{Counts, HEADER, Header, Kind, MAGIC, checksum};
use crate::selfplay::PlayedGame;

/// Games per block: a crash loses at most this number.
const BLOCK_GAMES: usize = 64;

/// A game file that grows.
pub struct Store {
    file: File,
    path: PathBuf,
    /// The games in the file.
    stored: Counts,
    /// The games of the block that is not yet full.
    waiting: Vec<PlayedGame>,
    waiting_positions: u64,
}

impl Store {
    /// Opens a new file, or one that has games with the same settings. A block that is cut off at
    /// the end of the file is removed.
    ///
    /// # Errors
    ///
    /// The file cannot be written, is not a game file, has games with other settings, or is damaged
    /// before its last block.
    pub fn open(path: &Path, settings: &Value) -> anyhow::Result<Self> {
        let cannot_write = || format!("cannot write {}", path.display());
        let options = File::options()
            .create(true)
            .truncate(false)
            .read(true)
            .write(true)
            .open(path);
        let mut file = options.with_context(cannot_write)?;
        let length = file.metadata().with_context(cannot_write)?.len();
        let mut stored = Counts::default();
        if length == 0 {
            let payload = settings.to_string().into_bytes();
            write_frame(&mut file, Kind::Settings, 0, Counts::default(), &payload)
                .with_context(cannot_write)?;
        } else {
            let end = scan(&mut file, path, settings, &mut stored)?;
            file.set_len(end).with_context(cannot_write)?;
            file.seek(SeekFrom::End(0)).with_context(cannot_write)?;
        }
        Ok(Self {
            file,
            path: path.to_owned(),
            stored,
            waiting: Vec::new(),
            waiting_positions: 0,
        })
    }

    /// The games in the file, those of earlier runs and of the unfinished block included.
    #[must_use]
    pub fn counts(&self) -> Counts {
        Counts {
            games: self.stored.games + self.waiting.len() as u64,
            positions: self.stored.positions + self.waiting_positions,
        }
    }

    /// Adds a game with this number of data points. It is written when its block is full, or by
    /// [`finish`](Self::finish).
    pub fn append(&mut self, game: PlayedGame, positions: u64) -> anyhow::Result<()> {
        self.waiting.push(game);
        self.waiting_positions += positions;
        if self.waiting.len() >= BLOCK_GAMES {
            self.finish()?;
        }
        Ok(())
    }

    /// Writes the unfinished block.
    pub fn finish(&mut self) -> anyhow::Result<()> {
        if self.waiting.is_empty() {
            return Ok(());
        }
        let payload = codec::encode(&self.waiting)?;
        let counts = Counts {
            games: self.waiting.len() as u64,
            positions: self.waiting_positions,
        };
        write_frame(
            &mut self.file,
            Kind::Games,
            self.stored.games,
            counts,
            &payload,
        )
        .with_context(|| format!("cannot write {}", self.path.display()))?;
        self.stored = self.counts();
        self.waiting.clear();
        self.waiting_positions = 0;
        Ok(())
    }
}

fn write_frame(
    file: &mut File,
    kind: Kind,
    first: u64,
    counts: Counts,
    payload: &[u8],
) -> std::io::Result<()> {
    let header = Header {
        kind,
        first,
        games: counts.games as u32,
        positions: counts.positions as u32,
        length: payload.len() as u32,
        checksum: checksum(payload),
    };
    // A single write, so that a crash rarely cuts a frame off.
    let mut frame = header.to_bytes().to_vec();
    frame.extend_from_slice(payload);
    file.write_all(&frame)
}

/// Counts the games of a file with these settings. Returns the end of its last whole frame.
fn scan(
    file: &mut File,
    path: &Path,
    settings: &Value,
    counts: &mut Counts,
) -> anyhow::Result<u64> {
    let name = path.display();
    let mut end = 0;
    loop {
        let Some((header, payload)) = read_frame(file).context(format!("cannot read {name}"))?
        else {
            break;
        };
        if end == 0 {
            let found = serde_json::from_slice(&payload).unwrap_or(Value::Null);
            if header.kind != Kind::Settings || found != *settings {
                bail!("{name} has games with other settings: found {found}, expected {settings}");
            }
        } else if header.first != counts.games {
            bail!(
                "{name}: byte {end}: a block begins with game {}, expected {}",
                header.first,
                counts.games
            );
        }
        counts.games += u64::from(header.games);
        counts.positions += u64::from(header.positions);
        end = file.stream_position()?;
    }
    if end == 0 {
        bail!("{name} is not a game file: it is left unchanged");
    }
    let rest = file.metadata()?.len() - end;
    // A crash leaves less than a block. If games follow, the file is damaged.
    if rest > 0 {
        let mut bytes = Vec::new();
        file.seek(SeekFrom::Start(end))?;
        file.read_to_end(&mut bytes)?;
        if memchr::memmem::find(&bytes[1..], &MAGIC).is_some() {
            bail!("{name}: byte {end}: damaged, with games after it; choose another file");
        }
    }
    Ok(end)
}

/// The next frame; `None` at the end of the file, or if the frame is damaged or cut off.
fn read_frame(file: &mut File) -> std::io::Result<Option<(Header, Vec<u8>)>> {
    let mut bytes = [0; HEADER];
    match file.read_exact(&mut bytes) {
        Err(error) if error.kind() == ErrorKind::UnexpectedEof => return Ok(None),
        read => read?,
    }
    let Some(header) = Header::from_bytes(&bytes) else {
        return Ok(None);
    };
    let mut payload = vec![0; header.length as usize];
    match file.read_exact(&mut payload) {
        Err(error) if error.kind() == ErrorKind::UnexpectedEof => return Ok(None),
        read => read?,
    }
    let sound = checksum(&payload) == header.checksum;
    Ok(sound.then_some((header, payload)))
}
