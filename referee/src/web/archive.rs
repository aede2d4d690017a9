//! Finished games on disk, so that events of any length fit into memory.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::sync::{Arc, Mutex, PoisonError};

use crate::core::event::stream::Start;
use crate::core::event::view::GameView;

/// A part of a file.
#[derive(Clone, Copy, Debug)]
pub struct Range {
    from: u64,
    length: usize,
}

/// Texts in a temporary file.
#[derive(Clone, Debug)]
pub struct Texts(Arc<Mutex<File>>);

impl Texts {
    fn new() -> io::Result<Self> {
        Ok(Self(Arc::new(Mutex::new(tempfile::tempfile()?))))
    }

    fn add(&self, text: &[u8]) -> io::Result<Range> {
        let mut file = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let from = file.seek(SeekFrom::End(0))?;
        file.write_all(text)?;
        Ok(Range {
            from,
            length: text.len(),
        })
    }

    /// Reads a text.
    pub fn read(&self, range: Range) -> io::Result<Vec<u8>> {
        let mut file = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        file.seek(SeekFrom::Start(range.from))?;
        let mut text = vec![0; range.length];
        file.read_exact(&mut text)?;
        Ok(text)
    }
}

/// A finished game.
#[derive(Clone, Debug)]
struct Entry {
    json: Range,
    pgn: Range,
    opening: Option<String>,
}

/// The finished games of an event.
#[derive(Debug)]
pub struct Archive {
    texts: Texts,
    games: BTreeMap<usize, Entry>,
}

impl Archive {
    /// An empty archive.
    pub fn new() -> io::Result<Self> {
        Ok(Self {
            texts: Texts::new()?,
            games: BTreeMap::new(),
        })
    }

    /// Adds a game; one that was played again replaces the one before.
    pub fn add(&mut self, game: &GameView, event: &Start) -> io::Result<()> {
        let json = serde_json::to_vec(game)?;
        let pgn = game.pgn(event).export().unwrap_or_default();
        let entry = Entry {
            json: self.texts.add(&json)?,
            pgn: self.texts.add(pgn.as_bytes())?,
            opening: game.game.opening.clone(),
        };
        self.games.insert(game.game.game, entry);
        Ok(())
    }

    /// Drops a game whose result was cancelled.
    pub fn remove(&mut self, number: usize) {
        self.games.remove(&number);
    }

    /// The name of the opening of a game.
    #[must_use]
    pub fn opening(&self, number: usize) -> Option<&str> {
        self.games.get(&number)?.opening.as_deref()
    }

    /// A game with all its moves.
    #[must_use]
    pub fn game(&self, number: usize) -> Option<GameView> {
        let json = self.texts.read(self.games.get(&number)?.json).ok()?;
        serde_json::from_slice(&json).ok()
    }

    /// Where the PGN of a game is.
    #[must_use]
    pub fn pgn(&self, number: usize) -> Option<Range> {
        Some(self.games.get(&number)?.pgn)
    }

    /// The texts, to read from while the archive grows.
    #[must_use]
    pub fn texts(&self) -> Texts {
        self.texts.clone()
    }
}
