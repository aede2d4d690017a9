//! Files with the standard error of players that the referee started.

use std::fs::{File, OpenOptions};
use std::io::{self, Write as _};
use std::path::Path;

/// Largest size of a file of standard error, in bytes.
const MAX_STDERR: u64 = 16 << 20;
/// The last line of a file of that size.
pub const TRUNCATED: &str = "... (truncated at 16 MiB)";

/// A file with the standard error of a player.
pub struct StderrFile {
    /// The game that it belongs to, if any.
    pub game: Option<usize>,
    file: File,
    /// The number of bytes that may still be written.
    room: u64,
    /// Whether the file was truncated.
    is_full: bool,
}

impl StderrFile {
    pub fn open(directory: &Path, player: &str, game: Option<usize>) -> io::Result<Self> {
        let plain = |letter: char| {
            if letter.is_ascii_alphanumeric() {
                letter
            } else {
                '_'
            }
        };
        let player: String = player.chars().map(plain).collect();
        let name = match game {
            Some(game) => format!("{player}-game-{game}.log"),
            None => format!("{player}.log"),
        };
        let path = directory.join("stderr").join(name);
        let file = OpenOptions::new().create(true).append(true).open(path)?;
        let room = MAX_STDERR.saturating_sub(file.metadata()?.len());
        Ok(Self {
            game,
            file,
            room,
            is_full: room == 0,
        })
    }

    /// Writes whole lines up to the limit, then a line that says so.
    pub fn write(&mut self, lines: &str) -> io::Result<()> {
        if self.is_full {
            return Ok(());
        }
        let length = lines.len() as u64 + 1;
        if length > self.room {
            self.is_full = true;
            return writeln!(self.file, "{TRUNCATED}");
        }
        self.room -= length;
        writeln!(self.file, "{lines}")
    }
}
