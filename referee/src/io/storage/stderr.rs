//! Files with the standard error of players that the referee started.

use std::fs::{File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// Largest size of a file of standard error, in bytes.
const MAX_STDERR: u64 = 16 << 20;
/// The last line of a file of that size.
pub const TRUNCATED: &str = "... (truncated at 16 MiB)";

/// The longest part of a name that is in the name of a file, in characters.
const MAX_NAME: usize = 48;

/// The name of a player for the names of its files: letters and digits of any alphabet stay, and so do dots that do not
/// begin it. Players whose names would come out alike have their numbers as well.
pub fn label(names: &[String], player: usize) -> String {
    let own = plain(&names[player]);
    let is_alike = |other: &String| plain(other).to_lowercase() == own.to_lowercase();
    if names.iter().filter(|other| is_alike(other)).count() > 1 {
        format!("{own}#{}", player + 1)
    } else {
        own
    }
}

fn plain(name: &str) -> String {
    let plain = |(i, letter): (usize, char)| {
        let stays = letter.is_alphanumeric() || (letter == '.' && i > 0);
        if stays { letter } else { '_' }
    };
    name.chars().take(MAX_NAME).enumerate().map(plain).collect()
}

/// A file with the standard error of a player.
pub struct StderrFile {
    /// The game that it belongs to, if any.
    pub game: Option<usize>,
    /// Where it is.
    pub path: PathBuf,
    file: File,
    /// The number of bytes that may still be written.
    room: u64,
    /// Whether the file was truncated.
    is_full: bool,
}

impl StderrFile {
    /// Opens the file of the player with this [`label`].
    pub fn open(directory: &Path, player: &str, game: Option<usize>) -> io::Result<Self> {
        let name = match game {
            Some(game) => format!("{player}-game-{game}.log"),
            None => format!("{player}.log"),
        };
        let path = directory.join("stderr").join(name);
        let file = OpenOptions::new().create(true).append(true).open(&path)?;
        let room = MAX_STDERR.saturating_sub(file.metadata()?.len());
        Ok(Self {
            game,
            path,
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_players_are_told_apart() {
        let names = [
            "SF 1",
            "SF_1",
            "?",
            "-",
            "\u{c1}rv\u{ed}z",
            "\u{41b}\u{435}\u{43b}\u{430}",
            "..",
            "SF 15.1",
            "a/b",
        ];
        let names = names.map(str::to_owned);
        let labels: Vec<_> = (0..names.len())
            .map(|player| label(&names, player))
            .collect();
        let wanted = [
            "SF_1#1",
            "SF_1#2",
            "_#3",
            "_#4",
            "\u{c1}rv\u{ed}z",
            "\u{41b}\u{435}\u{43b}\u{430}",
            "_.",
            "SF_15.1",
            "a_b",
        ];
        assert_eq!(labels, wanted);
        // Names may be longer than those of files, and differ at their ends or in their case.
        let long = ["x".repeat(300), "x".repeat(299), "X".repeat(300)];
        assert_eq!(label(&long, 1), "x".repeat(MAX_NAME) + "#2");
    }
}
