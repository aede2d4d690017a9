//! The logs of a player: all records sent and received, and its games as PGN.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::Path;

use anyhow::Context;
use jiff::Timestamp;

use super::pgn;
use super::session::Played;

/// The log files of a player, each of them optional.
pub struct Log {
    records: Option<File>,
    games: Option<File>,
}

impl Log {
    /// Appends to these files.
    pub fn open(records: Option<&Path>, games: Option<&Path>) -> anyhow::Result<Self> {
        let open = |path: &Path| {
            let file = OpenOptions::new().create(true).append(true).open(path);
            file.with_context(|| format!("cannot write {}", path.display()))
        };
        Ok(Self {
            records: records.map(open).transpose()?,
            games: games.map(open).transpose()?,
        })
    }

    /// Writes a record with the time, in milliseconds of UTC, and its direction: `<` came, `>` went.
    pub fn record(&mut self, direction: char, line: &str) -> anyhow::Result<()> {
        let Some(file) = &mut self.records else {
            return Ok(());
        };
        let now = Timestamp::now();
        writeln!(file, "{now:.3} {direction} {line}").context("cannot write the log")
    }

    /// Writes what is no record, such as the restart of an engine, as a comment with the time.
    pub fn note(&mut self, text: &str) -> anyhow::Result<()> {
        self.record('#', text)
    }

    /// Writes a game that is over.
    pub fn game(&mut self, played: &Played) -> anyhow::Result<()> {
        let Some(file) = &mut self.games else {
            return Ok(());
        };
        let text = pgn::text(played)?;
        // In one piece: another player may append to the same file.
        file.write_all(text.as_bytes())
            .context("cannot write the game")
    }
}
