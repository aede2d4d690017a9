//! The folder of an event: its files, and how they survive a crash.
//!
//! | file | content |
//! |---|---|
//! | `event.toml` | a copy of the event file |
//! | `journal.log` | games, moves, clocks and results: everything that `resume` needs |
//! | `records.log` | every record sent or received, with its time, direction and player |
//! | `games.pgn` | finished games |
//! | `events.jsonl` | what happened, one JSON object per line |
//! | `standings.json` | the current standings |
//! | `stderr/` | standard error of the players that the referee started, a file per game of at most 16 MiB |
//! | `openings` | a copy of the opening book |
//! | `address` | the address to connect to; a resumed event listens there again |
//!
//! The journal is written before any player is told of what it says, so a killed referee loses nothing:
//! `Event::act` (core/event/games.rs) puts each entry before the commands that depend on it, and
//! `Server::carry_out` (io/server/effects.rs) carries effects out in their order.
//!
//! A thread of its own synchronises it with the disk, so a slow disk does not delay the referee. After
//! a power failure the last fifth of a second may be missing; players are then reset to what is left.
//!
//! Journal and log do not have the extension `.epd`: common EPD readers fail on operations of the
//! protocol, which they take for moves or numbers (`refcom reset`, `ctcc 000.00:00:01.250`).

mod append;
mod lock;
mod logs;
pub(crate) mod replace;
mod stderr;
mod sync;
mod tail;

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::mpsc::Sender;
use std::sync::{Arc, OnceLock};

use anyhow::{Context, bail};

use crate::core::event::stream::OVER;
use crate::core::event::{Ledger, ProgramId, Report};
use crate::core::journal::{self, Entry};
use crate::core::standings::Standings;
use crate::web::Feed;

use self::append::append;
pub use self::lock::{FolderLock, LOCK, is_in_use};
use self::replace::{replace, replace_fast};
use self::stderr::StderrFile;
use self::sync::synchronising_thread;
use self::tail::{drop_torn_line, last_event, last_report};

/// The copy of the opening book.
pub const OPENINGS: &str = "openings";
/// The journal.
pub const JOURNAL: &str = "journal.log";
/// The name of the journal in events that earlier versions began.
const OLD_JOURNAL: &str = "journal.epd";
const LOG: &str = "records.log";
/// The finished games.
const GAMES: &str = "games.pgn";
/// The stream of events.
pub const EVENTS: &str = "events.jsonl";
/// The open files of an event. A lock keeps other referees out of the folder.
pub struct Storage {
    directory: PathBuf,
    _lock: FolderLock,
    journal: File,
    log: File,
    games: File,
    events: File,
    /// The number of the last line of `events.jsonl`.
    last_event: u64,
    /// Lines of `records.log` and `events.jsonl` that have not been written yet.
    pending: [Vec<u8>; 2],
    /// Whether the last attempt to write to these two failed.
    logs_failed: bool,
    /// The length of the journal up to its last whole line.
    journal_length: u64,
    journal_failed: bool,
    /// Finished games that could not be written yet.
    pending_games: String,
    /// The current file of standard error of each program.
    stderr: HashMap<ProgramId, StderrFile>,
    sync: Sender<()>,
    /// Who else takes in the stream of events.
    feed: Option<Feed>,
    /// Why the disk cannot be relied on any more, if so.
    disk_failure: Arc<OnceLock<String>>,
}

impl Storage {
    /// Creates the folder of a new event, with copies of its event file and its opening book. It is an
    /// error if the folder has an event that has begun.
    pub fn create(directory: &Path, event: &str, openings: Option<&str>) -> anyhow::Result<Self> {
        fs::create_dir_all(directory.join("stderr"))
            .with_context(|| format!("cannot create {}", directory.display()))?;
        let lock = FolderLock::take(directory)?;
        let has_begun = |journal| {
            let journal: PathBuf = directory.join(journal);
            journal.metadata().is_ok_and(|metadata| metadata.len() > 0)
        };
        if has_begun(JOURNAL) || has_begun(OLD_JOURNAL) {
            bail!(already_there(directory));
        }
        replace(&directory.join("event.toml"), event)?;
        if let Some(openings) = openings {
            replace(&directory.join(OPENINGS), openings)?;
        }
        Self::open(directory, lock)
    }

    /// Opens the folder of an event that has begun; returns the entries of its journal.
    pub fn resume(directory: &Path) -> anyhow::Result<(Self, Vec<Entry>)> {
        Self::resume_locked(directory, FolderLock::take(directory)?)
    }

    /// Opens the folder of an event that has begun and that is locked already.
    pub fn resume_locked(directory: &Path, lock: FolderLock) -> anyhow::Result<(Self, Vec<Entry>)> {
        let (path, old) = (directory.join(JOURNAL), directory.join(OLD_JOURNAL));
        if !path.exists() && old.exists() {
            fs::rename(&old, &path).with_context(|| format!("cannot rename {}", old.display()))?;
        }
        let (entries, whole) = read_journal(&path)?;
        let games = directory.join(GAMES);
        if entries.is_empty() && games.metadata().is_ok_and(|games| games.len() > 0) {
            bail!(
                "{} is empty, but {} has games: what the event needs to go on is lost. Restore the journal, or \
                 run the event in another folder",
                path.display(),
                games.display()
            );
        }
        let mut files = Self::open(directory, lock)?;
        // An incomplete last line was told to nobody: drop it.
        files
            .journal
            .set_len(whole as u64)
            .context("cannot truncate the journal")?;
        files.journal_length = whole as u64;
        for (file, name) in [(&files.log, LOG), (&files.events, EVENTS)] {
            drop_torn_line(file, &directory.join(name))
                .with_context(|| format!("cannot truncate {name}"))?;
        }
        Ok((files, entries))
    }

    fn open(directory: &Path, lock: FolderLock) -> anyhow::Result<Self> {
        let journal = append(&directory.join(JOURNAL))?;
        let metadata = journal.metadata().context("cannot read the journal")?;
        let synchronised = journal
            .try_clone()
            .context("cannot open the journal twice")?;
        let disk_failure = Arc::new(OnceLock::new());
        Ok(Self {
            directory: directory.to_owned(),
            _lock: lock,
            sync: synchronising_thread(synchronised, Arc::clone(&disk_failure)),
            disk_failure,
            journal,
            log: append(&directory.join(LOG))?,
            games: append(&directory.join(GAMES))?,
            events: append(&directory.join(EVENTS))?,
            last_event: last_event(&directory.join(EVENTS)).context("cannot read events.jsonl")?,
            pending: [Vec::new(), Vec::new()],
            logs_failed: false,
            journal_length: metadata.len(),
            journal_failed: false,
            pending_games: String::new(),
            stderr: HashMap::new(),
            feed: None,
        })
    }

    /// The event's folder.
    #[must_use]
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// Writes an entry of the journal. When this returns, a crash of the referee cannot lose it. If it
    /// fails, it may be tried again.
    pub fn journal(&mut self, entry: &Entry) -> anyhow::Result<()> {
        self.journal_line(&entry.line())
    }

    /// The same for the line of an entry.
    pub fn journal_line(&mut self, line: &str) -> anyhow::Result<()> {
        if let Err(error) = self.journal.write_all(line.as_bytes()) {
            // Half a line must not come before the next attempt.
            let _ = self.journal.set_len(self.journal_length);
            return Err(error).context("cannot write the journal");
        }
        self.journal_length += line.len() as u64;
        if std::mem::take(&mut self.journal_failed)
            && let Some(feed) = &self.feed
        {
            feed.waits(None);
        }
        // The thread ends only after this sender is dropped.
        let _ = self.sync.send(());
        Ok(())
    }

    /// The length of the journal in bytes.
    #[must_use]
    pub const fn journal_length(&self) -> u64 {
        self.journal_length
    }

    /// Tells whoever takes in the stream of events that the referee is at work.
    pub fn sign_of_life(&self) {
        if let Some(feed) = &self.feed {
            feed.alive();
        }
    }

    /// Checks what no attempt to write again can repair: the disk lost what was written to the journal, or
    /// the folder is gone.
    pub fn check(&self) -> anyhow::Result<()> {
        self.sign_of_life();
        if let Some(why) = self.disk_failure.get() {
            bail!("the journal may have lost its last entries: {why}");
        }
        if !self.directory.join(JOURNAL).exists() {
            bail!("the journal is gone from {}", self.directory.display());
        }
        Ok(())
    }

    /// Remembers that the journal could not be written, in these words; returns whether that is new.
    pub fn journal_failed(&mut self, why: &str) -> bool {
        let is_new = !std::mem::replace(&mut self.journal_failed, true);
        if is_new && let Some(feed) = &self.feed {
            feed.waits(Some(why.to_owned()));
        }
        is_new
    }

    /// Adds finished games to `games.pgn`. If that fails, it is tried again with the next flush.
    pub fn game(&mut self, pgn: &str) {
        let length = self.games.metadata().map(|metadata| metadata.len());
        if self.games.write_all(pgn.as_bytes()).is_err() {
            if let Ok(length) = length {
                // Half a game must not come before the next attempt.
                let _ = self.games.set_len(length);
            }
            self.pending_games.push_str(pgn);
        }
    }

    /// Writes `games.pgn` again from the journal, after a result was withdrawn.
    pub fn rebuild_games(&mut self, ledger: &Ledger) -> anyhow::Result<()> {
        let path = self.directory.join(JOURNAL);
        let (entries, _) = read_journal(&path)?;
        let games = ledger.games_of(entries)?;
        self.pending_games.clear();
        self.rewrite_games(&games)
    }

    /// Replaces `games.pgn`.
    pub fn rewrite_games(&mut self, pgn: &str) -> anyhow::Result<()> {
        // They are in the journal too. A referee that takes over must not wait for a slow disk.
        replace_fast(&self.directory.join(GAMES), pgn)?;
        self.games = append(&self.directory.join(GAMES))?;
        Ok(())
    }

    /// Replaces `standings.json`.
    pub fn standings(&self, standings: &Standings) -> anyhow::Result<()> {
        let text = serde_json::to_string_pretty(standings).context("cannot write the standings")?;
        replace_fast(&self.directory.join("standings.json"), &(text + "\n"))
    }

    /// Writes the address that players connect to.
    pub fn address(&self, address: &str) -> anyhow::Result<()> {
        replace(&self.directory.join("address"), &format!("{address}\n"))
    }

    /// The address at which the event's last referee listened.
    #[must_use]
    pub fn last_address(directory: &Path) -> Option<String> {
        let address = fs::read_to_string(directory.join("address")).ok()?;
        Some(address.trim().to_owned())
    }
}

/// The entries of a journal, and the number of bytes in whole lines.
fn read_journal(path: &Path) -> anyhow::Result<(Vec<Entry>, usize)> {
    let bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    journal::read(&bytes).map_err(|error| anyhow::anyhow!("{}:{error}", path.display()))
}

/// Why no event can begin in a folder that has one, and what to do.
fn already_there(directory: &Path) -> String {
    let name = directory.display();
    if ended(directory).is_some_and(|why| why == OVER) {
        return format!(
            "the event in {name} is finished; to play it again, move or delete that folder, or give another \
             `directory` in the event file"
        );
    }
    format!("the event in {name} has already begun; to continue it: epode-referee resume {name}")
}

/// Why the last referee in a folder ended; `None` if it runs, or was killed.
#[must_use]
pub fn ended(directory: &Path) -> Option<String> {
    match last_report(&directory.join(EVENTS)) {
        Ok(Some(Report::End { why })) => Some(why),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
