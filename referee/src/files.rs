//! The folder of an event: what is written down, and how it survives a crash.
//!
//! | file | what is in it |
//! |---|---|
//! | `event.toml` | the event, as it was started |
//! | `journal.epd` | what must not be forgotten: games, moves, clocks, results |
//! | `log.epd` | every record, with time, direction and player |
//! | `games.pgn` | the games that are over |
//! | `events.jsonl` | what happened, for programs, an object a line |
//! | `standings.json` | how the event stands |
//! | `stderr/` | what players that the referee started say, by game |
//! | `openings` | the openings, as they were when the event began |
//! | `address` | where to connect; a referee that goes on with the event listens there again |
//!
//! The journal is written before anybody is told what it says, so that a referee that is killed has
//! forgotten nothing. It is synchronised with the disk by a thread of its own, so that a slow disk
//! does not make the referee late; when the power fails, the last fifth of a second may be lost, and
//! the players are brought back to what is there. All other files are made from it and from what
//! goes on.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Sender, channel};
use std::thread;
use std::time::Duration;

use anyhow::{Context, bail};
use jiff::Timestamp;
use serde_json::Value;

use crate::journal::{self, Entry};
use crate::report::Standings;

/// The openings in the folder of an event.
pub const OPENINGS: &str = "openings";
/// The journal is synchronised with the disk at most so often.
const SYNC_PAUSE: Duration = Duration::from_millis(200);

/// The open files of an event. Nobody else can have them open.
pub struct Files {
    directory: PathBuf,
    /// Locked while the referee runs.
    _lock: File,
    journal: File,
    log: File,
    games: File,
    events: File,
    /// What is still to be written to the log and to the events.
    pending: [Vec<u8>; 2],
    sync: Sender<()>,
}

fn append(path: &Path) -> anyhow::Result<File> {
    let file = OpenOptions::new().create(true).append(true).open(path);
    file.with_context(|| format!("cannot write {}", path.display()))
}

impl Files {
    /// Makes the folder of a new event, of which the file and the openings are kept. One that has
    /// begun is refused.
    pub fn create(directory: &Path, event: &str, openings: Option<&str>) -> anyhow::Result<Self> {
        fs::create_dir_all(directory.join("stderr"))
            .with_context(|| format!("cannot make {}", directory.display()))?;
        let lock = lock(directory)?;
        let journal = directory.join("journal.epd");
        if journal.metadata().is_ok_and(|metadata| metadata.len() > 0) {
            let name = directory.display();
            bail!("{name} holds an event that has begun: epode-referee resume {name}");
        }
        replace(&directory.join("event.toml"), event)?;
        if let Some(openings) = openings {
            replace(&directory.join(OPENINGS), openings)?;
        }
        Self::open(directory, lock)
    }

    /// Opens the folder of an event that has begun; returns what its journal says.
    pub fn resume(directory: &Path) -> anyhow::Result<(Self, Vec<Entry>)> {
        let lock = lock(directory)?;
        let path = directory.join("journal.epd");
        let bytes = fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
        let (entries, whole) = journal::read(&bytes)?;
        let files = Self::open(directory, lock)?;
        // A line that was being written when the referee died was told to nobody.
        files
            .journal
            .set_len(whole as u64)
            .context("cannot mend the journal")?;
        for (file, name) in [(&files.log, "log.epd"), (&files.events, "events.jsonl")] {
            drop_torn_line(file, &directory.join(name))
                .with_context(|| format!("cannot mend {name}"))?;
        }
        Ok((files, entries))
    }

    fn open(directory: &Path, lock: File) -> anyhow::Result<Self> {
        let journal = append(&directory.join("journal.epd"))?;
        let synchronised = journal
            .try_clone()
            .context("cannot open the journal twice")?;
        Ok(Self {
            directory: directory.to_owned(),
            _lock: lock,
            journal,
            log: append(&directory.join("log.epd"))?,
            games: append(&directory.join("games.pgn"))?,
            events: append(&directory.join("events.jsonl"))?,
            pending: [Vec::new(), Vec::new()],
            sync: synchronising_thread(synchronised),
        })
    }

    /// The folder.
    #[must_use]
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// Writes an entry of the journal; when this returns, a crash of the referee does not lose it.
    pub fn journal(&mut self, entry: &Entry) -> anyhow::Result<()> {
        self.journal
            .write_all(entry.line().as_bytes())
            .context("cannot write the journal")?;
        // The thread lives as long as this does.
        let _ = self.sync.send(());
        Ok(())
    }

    /// Writes a record with the time and its direction: `<` came, `>` went.
    pub fn log(&mut self, direction: char, who: &str, line: &str) {
        let now = Timestamp::now();
        // A vector takes everything.
        let _ = writeln!(
            self.pending[0],
            "{now:.3} {direction} {who:?} {}",
            line.trim_end()
        );
    }

    /// Writes something that happened, for programs.
    pub fn event(&mut self, mut what: Value) {
        what["at"] = Value::String(format!("{:.3}", Timestamp::now()));
        let _ = writeln!(self.pending[1], "{what}");
    }

    /// Writes what has been gathered.
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

    /// Adds a game that is over.
    pub fn game(&mut self, pgn: &str) -> anyhow::Result<()> {
        self.games
            .write_all(pgn.as_bytes())
            .context("cannot write games.pgn")
    }

    /// Writes all games anew.
    pub fn rewrite_games(&mut self, pgn: &str) -> anyhow::Result<()> {
        replace(&self.directory.join("games.pgn"), pgn)?;
        self.games = append(&self.directory.join("games.pgn"))?;
        Ok(())
    }

    /// Writes how the event stands.
    pub fn standings(&self, standings: &Standings) -> anyhow::Result<()> {
        let text = serde_json::to_string_pretty(standings).context("cannot write the standings")?;
        replace(&self.directory.join("standings.json"), &(text + "\n"))
    }

    /// Tells where to connect.
    pub fn address(&self, address: &str) -> anyhow::Result<()> {
        replace(&self.directory.join("address"), &format!("{address}\n"))
    }

    /// Where the last referee listened.
    #[must_use]
    pub fn last_address(directory: &Path) -> Option<String> {
        let address = fs::read_to_string(directory.join("address")).ok()?;
        Some(address.trim().to_owned())
    }

    /// Adds a line that a player said in a game, or outside of one.
    pub fn said(&self, player: &str, game: Option<usize>, line: &str) -> io::Result<()> {
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
        let path = self.directory.join("stderr").join(name);
        let mut file = OpenOptions::new().create(true).append(true).open(path)?;
        writeln!(file, "{line}")
    }
}

/// Cuts off a line that has no end.
fn drop_torn_line(file: &File, path: &Path) -> io::Result<()> {
    let mut reader = File::open(path)?;
    let length = reader.metadata()?.len();
    // No line is longer than this.
    let from = length.saturating_sub(1 << 16);
    reader.seek(SeekFrom::Start(from))?;
    let mut tail = Vec::new();
    reader.read_to_end(&mut tail)?;
    let whole = memchr::memrchr(b'\n', &tail).map_or(0, |end| end as u64 + 1);
    file.set_len(from + whole)
}

/// A file that is there whole or not at all.
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
            bail!("another referee is at work in {}", directory.display())
        }
        Err(fs::TryLockError::Error(error)) => {
            Err(error).with_context(|| format!("cannot lock {}", path.display()))
        }
    }
}

fn synchronising_thread(journal: File) -> Sender<()> {
    let (sender, wishes) = channel::<()>();
    thread::spawn(move || {
        while wishes.recv().is_ok() {
            // What cannot be synchronised now is tried again with the next entry.
            let _ = journal.sync_data();
            thread::sleep(SYNC_PAUSE);
            while wishes.try_recv().is_ok() {}
            let _ = journal.sync_data();
        }
    });
    sender
}
