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
//! The journal is written before any player is told of what it says, so a killed referee loses nothing.
//! A thread of its own synchronises it with the disk, so a slow disk does not delay the referee. After
//! a power failure the last fifth of a second may be missing; players are then reset to what is left.
//!
//! Journal and log do not have the extension `.epd`: common EPD readers fail on operations of the
//! protocol, which they take for moves or numbers (`refcom reset`, `ctcc 000.00:00:01.250`).

use std::collections::HashMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Sender, channel};
use std::thread;
use std::time::Duration;

use anyhow::{Context, bail};
use jiff::Timestamp;
use serde_json::Value;

use crate::core::journal::{self, Entry};
use crate::core::standings::Standings;

/// The copy of the opening book.
pub const OPENINGS: &str = "openings";
const JOURNAL: &str = "journal.log";
/// The name of the journal in events that earlier versions began.
const OLD_JOURNAL: &str = "journal.epd";
const LOG: &str = "records.log";
const EVENTS: &str = "events.jsonl";
/// Largest size of a file of standard error, in bytes.
const MAX_STDERR: u64 = 16 << 20;
/// The last line of a file of that size.
const TRUNCATED: &str = "... (truncated at 16 MiB)";
/// Shortest time between two synchronisations of the journal with the disk.
const SYNC_PAUSE: Duration = Duration::from_millis(200);

/// The open files of an event. A lock keeps other referees out of the folder.
pub struct Storage {
    directory: PathBuf,
    /// Locked while the referee runs.
    _lock: File,
    journal: File,
    log: File,
    games: File,
    events: File,
    /// Lines of `records.log` and `events.jsonl` that have not been written yet.
    pending: [Vec<u8>; 2],
    /// The current file of standard error of each player.
    stderr: HashMap<String, StderrFile>,
    sync: Sender<()>,
}

/// A file with the standard error of a player.
struct StderrFile {
    /// The game that it belongs to, if any.
    game: Option<usize>,
    file: File,
    /// The number of bytes that may still be written.
    room: u64,
    /// Whether the file was truncated.
    is_full: bool,
}

impl StderrFile {
    fn open(directory: &Path, player: &str, game: Option<usize>) -> io::Result<Self> {
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
    fn write(&mut self, lines: &str) -> io::Result<()> {
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

fn append(path: &Path) -> anyhow::Result<File> {
    let file = OpenOptions::new().create(true).append(true).open(path);
    file.with_context(|| format!("cannot write {}", path.display()))
}

impl Storage {
    /// Creates the folder of a new event, with copies of its event file and its opening book. It is an
    /// error if the folder has an event that has begun.
    pub fn create(directory: &Path, event: &str, openings: Option<&str>) -> anyhow::Result<Self> {
        fs::create_dir_all(directory.join("stderr"))
            .with_context(|| format!("cannot create {}", directory.display()))?;
        let lock = lock(directory)?;
        let has_begun = |journal| {
            let journal: PathBuf = directory.join(journal);
            journal.metadata().is_ok_and(|metadata| metadata.len() > 0)
        };
        if has_begun(JOURNAL) || has_begun(OLD_JOURNAL) {
            let name = directory.display();
            bail!(
                "the event in {name} has already begun; to continue it: epode-referee resume {name}"
            );
        }
        replace(&directory.join("event.toml"), event)?;
        if let Some(openings) = openings {
            replace(&directory.join(OPENINGS), openings)?;
        }
        Self::open(directory, lock)
    }

    /// Opens the folder of an event that has begun; returns the entries of its journal.
    pub fn resume(directory: &Path) -> anyhow::Result<(Self, Vec<Entry>)> {
        let lock = lock(directory)?;
        let (path, old) = (directory.join(JOURNAL), directory.join(OLD_JOURNAL));
        if !path.exists() && old.exists() {
            fs::rename(&old, &path).with_context(|| format!("cannot rename {}", old.display()))?;
        }
        let bytes = fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
        let (entries, whole) = journal::read(&bytes)?;
        let files = Self::open(directory, lock)?;
        // An incomplete last line was told to nobody: drop it.
        files
            .journal
            .set_len(whole as u64)
            .context("cannot truncate the journal")?;
        for (file, name) in [(&files.log, LOG), (&files.events, EVENTS)] {
            drop_torn_line(file, &directory.join(name))
                .with_context(|| format!("cannot truncate {name}"))?;
        }
        Ok((files, entries))
    }

    fn open(directory: &Path, lock: File) -> anyhow::Result<Self> {
        let journal = append(&directory.join(JOURNAL))?;
        let synchronised = journal
            .try_clone()
            .context("cannot open the journal twice")?;
        Ok(Self {
            directory: directory.to_owned(),
            _lock: lock,
            journal,
            log: append(&directory.join(LOG))?,
            games: append(&directory.join("games.pgn"))?,
            events: append(&directory.join(EVENTS))?,
            pending: [Vec::new(), Vec::new()],
            stderr: HashMap::new(),
            sync: synchronising_thread(synchronised),
        })
    }

    /// The event's folder.
    #[must_use]
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// Writes an entry of the journal. When this returns, a crash of the referee cannot lose it.
    pub fn journal(&mut self, entry: &Entry) -> anyhow::Result<()> {
        self.journal
            .write_all(entry.line().as_bytes())
            .context("cannot write the journal")?;
        // The thread ends only after this sender is dropped.
        let _ = self.sync.send(());
        Ok(())
    }

    /// Logs a record with the time and its direction: `<` received, `>` sent.
    pub fn log(&mut self, direction: char, who: &str, line: &str) {
        let now = Timestamp::now();
        // Writing to a vector cannot fail.
        let _ = writeln!(
            self.pending[0],
            "{now:.3} {direction} {who:?} {}",
            line.trim_end()
        );
    }

    /// Adds a line to `events.jsonl`.
    pub fn event(&mut self, mut what: Value) {
        what["at"] = Value::String(format!("{:.3}", Timestamp::now()));
        let _ = writeln!(self.pending[1], "{what}");
    }

    /// Writes the pending lines of the log and of `events.jsonl`.
    pub fn flush(&mut self) -> anyhow::Result<()> {
        for (file, pending) in [&mut self.log, &mut self.events]
            .into_iter()
            .zip(&mut self.pending)
        {
            if !pending.is_empty() {
                file.write_all(pending).context("cannot write the log")?;
                pending.clear();
            }
        }
        Ok(())
    }

    /// Adds a finished game to `games.pgn`.
    pub fn game(&mut self, pgn: &str) -> anyhow::Result<()> {
        self.games
            .write_all(pgn.as_bytes())
            .context("cannot write games.pgn")
    }

    /// Replaces `games.pgn`.
    pub fn rewrite_games(&mut self, pgn: &str) -> anyhow::Result<()> {
        replace(&self.directory.join("games.pgn"), pgn)?;
        self.games = append(&self.directory.join("games.pgn"))?;
        Ok(())
    }

    /// Replaces `standings.json`.
    pub fn standings(&self, standings: &Standings) -> anyhow::Result<()> {
        let text = serde_json::to_string_pretty(standings).context("cannot write the standings")?;
        replace(&self.directory.join("standings.json"), &(text + "\n"))
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

    /// Adds lines of a player's standard error, written in a game or outside of one.
    pub fn stderr(&mut self, player: &str, game: Option<usize>, lines: &str) -> io::Result<()> {
        match self.stderr.get_mut(player) {
            Some(file) if file.game == game => file.write(lines),
            _ => {
                let mut file = StderrFile::open(&self.directory, player, game)?;
                file.write(lines)?;
                self.stderr.insert(player.to_owned(), file);
                Ok(())
            }
        }
    }
}

/// Cuts off an incomplete last line.
fn drop_torn_line(file: &File, path: &Path) -> io::Result<()> {
    let mut reader = File::open(path)?;
    let length = reader.metadata()?.len();
    // The longest line is shorter than this.
    let from = length.saturating_sub(1 << 16);
    reader.seek(SeekFrom::Start(from))?;
    let mut tail = Vec::new();
    reader.read_to_end(&mut tail)?;
    let whole = memchr::memrchr(b'\n', &tail).map_or(0, |end| end as u64 + 1);
    file.set_len(from + whole)
}

/// Replaces a file at once, so that readers never see a part of it.
fn replace(path: &Path, text: &str) -> anyhow::Result<()> {
    let temporary = path.with_extension("new");
    fs::write(&temporary, text)
        .and_then(|()| fs::rename(&temporary, path))
        .with_context(|| format!("cannot write {}", path.display()))
}

fn lock(directory: &Path) -> anyhow::Result<File> {
    let path = directory.join("lock");
    let file = append(&path)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(fs::TryLockError::WouldBlock) => {
            bail!("another referee is running in {}", directory.display())
        }
        Err(fs::TryLockError::Error(error)) => {
            Err(error).with_context(|| format!("cannot lock {}", path.display()))
        }
    }
}

fn synchronising_thread(journal: File) -> Sender<()> {
    let (sender, requests) = channel::<()>();
    thread::spawn(move || {
        while requests.recv().is_ok() {
            // A failure is tried again with the next entry.
            let _ = journal.sync_data();
            thread::sleep(SYNC_PAUSE);
            while requests.try_recv().is_ok() {}
            let _ = journal.sync_data();
        }
    });
    sender
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A player that floods its standard error does not fill the disk.
    #[test]
    fn standard_error_is_bounded() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut files = Storage::create(folder.path(), "", None).expect("made");
        let line = "x".repeat(4095);
        for _ in 0..5000 {
            files.stderr("Ann A", Some(7), &line).expect("written");
        }
        files
            .stderr("Ann A", None, "between games")
            .expect("written");
        let path = folder.path().join("stderr/Ann_A-game-7.log");
        let text = fs::read_to_string(&path).expect("readable");
        assert_eq!(text.len(), (16 << 20) + TRUNCATED.len() + 1);
        assert!(text.ends_with(&format!("x\n{TRUNCATED}\n")));
        // A resumed event does not add to it either.
        drop(files);
        let (mut files, _) = Storage::resume(folder.path()).expect("resumed");
        files.stderr("Ann A", Some(7), "more").expect("written");
        assert_eq!(fs::read_to_string(path).expect("readable"), text);
        let other = folder.path().join("stderr/Ann_A.log");
        assert_eq!(
            fs::read_to_string(other).expect("readable"),
            "between games\n"
        );
    }

    #[test]
    fn a_file_of_standard_error_stays_open() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut files = Storage::create(folder.path(), "", None).expect("made");
        let path = folder.path().join("stderr/Ann-game-1.log");
        files.stderr("Ann", Some(1), "a\nb").expect("written");
        assert_eq!(fs::read_to_string(&path).expect("readable"), "a\nb\n");
        fs::remove_file(&path).expect("removed");
        files.stderr("Ann", Some(1), "c").expect("written");
        assert!(!path.exists(), "it was opened again");
        files.stderr("Ann", Some(2), "d").expect("written");
        let second = folder.path().join("stderr/Ann-game-2.log");
        assert_eq!(fs::read_to_string(second).expect("readable"), "d\n");
    }

    /// Events that began when the journal had another name can be resumed.
    #[test]
    fn an_old_journal_is_resumed() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut files = Storage::create(folder.path(), "", None).expect("made");
        let entry = Entry::Begun {
            game: 1,
            white: "A".to_owned(),
            black: "B".to_owned(),
            opening: crate::core::openings::Opening::default(),
            date: "2026.11.22".to_owned(),
        };
        files.journal(&entry).expect("written");
        drop(files);
        let (new, old) = (folder.path().join(JOURNAL), folder.path().join(OLD_JOURNAL));
        fs::rename(&new, &old).expect("renamed");
        assert!(
            Storage::create(folder.path(), "", None).is_err(),
            "it has begun"
        );
        let (mut files, entries) = Storage::resume(folder.path()).expect("resumed");
        assert_eq!(entries, std::slice::from_ref(&entry));
        files.journal(&entry).expect("written");
        assert!(!old.exists());
        let text = fs::read_to_string(new).expect("readable");
        assert_eq!(text, entry.line().repeat(2));
    }
}
