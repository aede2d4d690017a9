//! The results of the games in PGN files.

use std::collections::HashMap;
use std::fs;
use std::io::Read;
use std::path::Path;

use anyhow::Context;
use movegen::pgn::{self, ReadGame};
use referee::ratings::GameResult;

/// The players and results of some games.
#[derive(Debug, Default)]
pub struct Games {
    /// In the order in which they come first.
    pub names: Vec<String>,
    pub results: Vec<GameResult>,
    /// Games without a result, or that were broken off.
    pub without_result: usize,
    /// Games that cannot be read.
    pub faulty: usize,
    indices: HashMap<String, usize>,
}

impl Games {
    /// Reads a PGN file, or that of an event. A game that cannot be read is reported and left out.
    pub fn read(&mut self, path: &Path) -> anyhow::Result<()> {
        let path = if path.is_dir() {
            path.join("games.pgn")
        } else {
            path.to_owned()
        };
        let bytes = if path == Path::new("-") {
            let mut bytes = Vec::new();
            let read = std::io::stdin().read_to_end(&mut bytes);
            read.context("cannot read standard input")?;
            bytes
        } else {
            fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?
        };
        let text = String::from_utf8_lossy(&bytes);
        let mut line = 0;
        for part in split(&text) {
            // No moves are read: only tags and results matter.
            for game in pgn::Games::new(part, 0) {
                match game {
                    Ok(game) => self.add(&game),
                    Err(error) => {
                        self.faulty += 1;
                        let (line, column) = (line + error.place.line, error.place.column);
                        eprintln!(
                            "{}:{line}:{column}: game left out: {}",
                            path.display(),
                            error.kind
                        );
                    }
                }
            }
            line += part.matches('\n').count();
        }
        Ok(())
    }

    fn add(&mut self, game: &ReadGame) {
        let result = game.result.or(game.tag("Result"));
        let half_points = match result {
            // Who did not appear has not shown how it plays.
            _ if game
                .tag("Termination")
                .is_some_and(|why| matches!(why, "abandoned" | "unterminated")) =>
            {
                None
            }
            Some("1-0") => Some(2),
            Some("1/2-1/2") => Some(1),
            Some("0-1") => Some(0),
            _ => None,
        };
        let named = |tag| {
            game.tag(tag)
                .map(str::trim)
                .filter(|name| !name.is_empty() && *name != "?")
        };
        match (named("White"), named("Black"), half_points) {
            (Some(white), Some(black), Some(half_points)) if white != black => {
                let (white, black) = (self.index(white), self.index(black));
                self.results.push(GameResult {
                    white,
                    black,
                    half_points,
                });
            }
            _ => self.without_result += 1,
        }
    }

    fn index(&mut self, name: &str) -> usize {
        if let Some(&index) = self.indices.get(name) {
            return index;
        }
        self.names.push(name.to_owned());
        self.indices.insert(name.to_owned(), self.names.len() - 1);
        self.names.len() - 1
    }

    /// The names that are like one that is not there.
    pub fn nearest(&self, name: &str) -> String {
        let name = name.to_lowercase();
        let is_like = |known: &&String| {
            let known = known.to_lowercase();
            known.contains(&name) || name.contains(&known)
        };
        let like: Vec<_> = self
            .names
            .iter()
            .filter(is_like)
            .take(5)
            .map(|known| format!("{known:?}"))
            .collect();
        if like.is_empty() {
            format!("there are {} players", self.names.len())
        } else {
            format!("there is {}", like.join(", "))
        }
    }
}

/// Parts that begin with an `Event` tag after a blank line, so that an error spoils one game only.
fn split(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut begin, mut offset, mut after_blank) = (0, 0, false);
    for line in text.split_inclusive('\n') {
        if after_blank && line.starts_with("[Event ") && offset > begin {
            parts.push(&text[begin..offset]);
            begin = offset;
        }
        after_blank = line.trim().is_empty();
        offset += line.len();
    }
    parts.push(&text[begin..]);
    parts
}
