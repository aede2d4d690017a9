//! What several verbs share: arguments, and the reading of values.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::Context;
use clap::Args as Arguments;
use engine::Net;
use movegen::CastlingMode;
use syzygy::Tablebases;

/// The network of the built-in engine.
#[derive(Clone, Debug, Default, Arguments)]
pub struct NetFile {
    /// Evaluate with the network in this file instead of the built-in one
    #[arg(long, value_name = "FILE")]
    pub net: Option<PathBuf>,
}

impl NetFile {
    /// The network.
    pub fn load(&self) -> anyhow::Result<Arc<Net>> {
        match &self.net {
            None => Ok(Net::built_in()),
            Some(path) => read_net(path).map(Arc::new),
        }
    }
}

/// The opening book to play from.
#[derive(Clone, Debug, Default, Arguments)]
pub struct BookFile {
    /// Play from this opening book as long as it has moves: a repository (EPD) or a Polyglot book (.bin)
    #[arg(id = "book", long = "book", value_name = "FILE")]
    pub file: Option<PathBuf>,
    /// Play no move after this one from the book
    #[arg(id = "book_depth", long = "book-depth", value_name = "MOVE", requires = "book", default_value_t = MAX_BOOK_DEPTH, value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_BOOK_DEPTH)))]
    pub depth: u32,
    /// Choose the move with the highest weight (default: each move as often as its weight says)
    #[arg(id = "book_best", long = "book-best", requires = "book")]
    pub best: bool,
    /// Random seed of the choice (default: another one each time)
    #[arg(
        id = "book_seed",
        long = "book-seed",
        value_name = "N",
        requires = "book",
        conflicts_with = "book_best"
    )]
    pub seed: Option<u64>,
}

/// Arguments of the engine under an interface.
#[derive(Clone, Debug, Default, Arguments)]
pub struct FrontEnd {
    #[command(flatten)]
    pub net: NetFile,
    #[command(flatten)]
    pub book: BookFile,
}

/// The last move that can be played from a book, by default and at most.
pub const MAX_BOOK_DEPTH: u32 = 255;

/// The endgame tablebases.
#[derive(Clone, Debug, Default, Arguments)]
pub struct SyzygyPath {
    /// Use the Syzygy tablebases in these folders, separated by `:` (on Windows by `;`). Another engine
    /// gets them as its UCI option `SyzygyPath`
    #[arg(long = "syzygy", value_name = "PATH")]
    pub path: Option<String>,
    /// The tables, once they are opened: several searches share them.
    #[arg(skip)]
    opened: Arc<Mutex<Option<Arc<Tablebases>>>>,
}

impl SyzygyPath {
    /// The tables. Damaged ones are reported on standard error.
    pub fn load(&self) -> anyhow::Result<Option<Arc<Tablebases>>> {
        let Some(path) = &self.path else {
            return Ok(None);
        };
        let mut opened = self.opened.lock().unwrap_or_else(PoisonError::into_inner);
        if opened.is_none() {
            let tablebases = Tablebases::open(path).context("--syzygy")?;
            report_bad_tables(&tablebases);
            *opened = Some(Arc::new(tablebases));
        }
        Ok(opened.clone())
    }
}

/// Reports tables that were found to be damaged since the last call, on standard error.
pub fn report_bad_tables(tablebases: &Tablebases) {
    for bad in tablebases.bad_tables() {
        eprintln!("epode: {bad}; it is not used");
    }
}

/// The network of a file.
pub fn read_net(path: &Path) -> anyhow::Result<Net> {
    let name = || path.display().to_string();
    let bytes = std::fs::read(path).with_context(name)?;
    Net::from_bytes(&bytes).with_context(name)
}

/// How verbs that write EPD files treat other lines and an existing output.
#[derive(Clone, Copy, Debug, Arguments)]
pub struct Rewrite {
    /// Drop blank lines, comments and lines that cannot be read, instead of copying them unchanged
    #[arg(long)]
    pub drop_unreadable: bool,
    /// Overwrite OUT even if it is read-only
    #[arg(long)]
    pub force: bool,
}

/// How castling letters are read.
#[derive(Clone, Copy, Debug, Default, Arguments)]
pub struct Castling {
    /// Read castling letters `KQkq` that mean nothing in standard chess as those of Chess960 (X-FEN): the
    /// outermost rook on its side of the king
    #[arg(long)]
    pub chess960: bool,
}

impl Castling {
    pub const fn mode(self) -> CastlingMode {
        if self.chess960 {
            CastlingMode::Chess960
        } else {
            CastlingMode::Standard
        }
    }
}

/// Whether a byte may occur in an opcode (EPD 5.1).
pub fn is_opcode_letter(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// A number of search threads. The most is that of `uci` and of Stockfish.
pub fn search_threads(text: &str) -> Result<NonZeroUsize, String> {
    const MOST: usize = 1024;
    let threads = text.parse().ok();
    let threads = threads.filter(|threads: &NonZeroUsize| threads.get() <= MOST);
    threads.ok_or_else(|| format!("expected a number from 1 to {MOST}"))
}

/// A time above zero; seconds if there is no unit.
pub fn duration(text: &str) -> Result<Duration, String> {
    let time = match text.parse() {
        Ok(seconds) => Duration::try_from_secs_f64(seconds).map_err(|error| error.to_string()),
        Err(_) => humantime::parse_duration(text).map_err(|error| error.to_string()),
    };
    match time {
        Ok(time) if time.is_zero() => Err("expected a time above zero".to_owned()),
        Err(error) => Err(format!(
            "{error}; expected a time such as 500ms, 30s or 10m"
        )),
        time => time,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations() {
        for (text, milliseconds) in [
            ("1s", 1000),
            ("500ms", 500),
            ("1.5s", 1500),
            ("2m", 120_000),
            ("3", 3000),
            ("1h 30m", 5_400_000),
        ] {
            assert_eq!(
                duration(text),
                Ok(Duration::from_millis(milliseconds)),
                "{text}"
            );
        }
        for text in [
            "", "s", "0s", "0", "-1s", "-1", "1..2s", "1e99h", "NaN", "inf",
        ] {
            let error = duration(text).expect_err(text);
            assert!(error.contains("expected a time"), "{text}: {error}");
        }
    }
}
