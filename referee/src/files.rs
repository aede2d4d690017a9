//! The folder of an event: what is written down, and how it survives a crash.
//!
//! | file | what is in it |
//! |---|---|
//! | `event.toml` | the event, as it was started |
//! | `journal.log` | what must not be forgotten: games, moves, clocks, results |
//! | `records.log` | every record, as it was sent or received, after its time, direction and player |
//! | `games.pgn` | the games that are over |
//! | `events.jsonl` | what happened, for programs, an object a line |
//! | `standings.json` | how the event stands |
//! | `stderr/` | what players that the referee started say, by game, up to 16 MiB each |
//! | `openings` | the openings, as they were when the event began |
//! | `address` | where to connect; a referee that goes on with the event listens there again |
//!
//! The journal is written before anybody is told what it says, so that a referee that is killed has
//! forgotten nothing. It is synchronised with the disk by a thread of its own, so that a slow disk
//! does not make the referee late; when the power fails, the last fifth of a second may be lost, and
//! the players are brought back to what is there. All other files are made from it and from what
//! goes on.
//!
//! Neither journal nor log is called EPD: their records have operations of the protocol that common
//! readers of EPD take for moves or numbers and fail on (`refcom reset`, `ctcc 000.00:00:01.250`).

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

use crate::journal::{self, Entry};
use crate::report::Standings;

/// The openings in the folder of an event.
pub const OPENINGS: &str = "openings";
const JOURNAL: &str = "journal.log";
/// What [`JOURNAL`] was called in events that earlier versions began.
const OLD_JOURNAL: &str = "journal.epd";
const LOG: &str = "records.log";
const EVENTS: &str = "events.jsonl";
/// The bytes that are kept of what a player says in a game.
const MOST_SAID: u64 = 16 << 20;
/// The last line of a file that holds so much.
const FULL: &str = "... (no more than 16 MiB are kept)";
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
    /// Where the words of each player go.
    said: HashMap<String, Said>,
    sync: Sender<()>,
}

/// A file of what a player says.
struct Said {
    /// The game, if it is in one.
    game: Option<usize>,
    file: File,
    /// The bytes that may still be written.
    room: u64,
    /// There was more than may be written.
    is_full: bool,
}

impl Said {
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
        let room = MOST_SAID.saturating_sub(file.metadata()?.len());
        Ok(Self {
            game,
            file,
            room,
            is_full: room == 0,
        })
    }

    /// Writes whole lines as long as there is room, and a word about what there is no room for.
    fn write(&mut self, lines: &str) -> io::Result<()> {
        if self.is_full {
            return Ok(());
        }
        let length = lines.len() as u64 + 1;
        if length > self.room {
            self.is_full = true;
            return writeln!(self.file, "{FULL}");
        }
        self.room -= length;
        writeln!(self.file, "{lines}")
    }
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
        let has_begun = |journal| {
            let journal: PathBuf = directory.join(journal);
            journal.metadata().is_ok_and(|metadata| metadata.len() > 0)
        };
        if has_begun(JOURNAL) || has_begun(OLD_JOURNAL) {
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
        let (path, old) = (directory.join(JOURNAL), directory.join(OLD_JOURNAL));
        if !path.exists() && old.exists() {
            fs::rename(&old, &path).with_context(|| format!("cannot rename {}", old.display()))?;
        }
        let bytes = fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
        let (entries, whole) = journal::read(&bytes)?;
        let files = Self::open(directory, lock)?;
        // A line that was being written when the referee died was told to nobody.
        files
            .journal
            .set_len(whole as u64)
            .context("cannot mend the journal")?;
        for (file, name) in [(&files.log, LOG), (&files.events, EVENTS)] {
            drop_torn_line(file, &directory.join(name))
                .with_context(|| format!("cannot mend {name}"))?;
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
            said: HashMap::new(),
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

    /// Adds lines that a player said in a game, or outside of one.
    pub fn said(&mut self, player: &str, game: Option<usize>, lines: &str) -> io::Result<()> {
        match self.said.get_mut(player) {
            Some(said) if said.game == game => said.write(lines),
            _ => {
                let mut said = Said::open(&self.directory, player, game)?;
                said.write(lines)?;
                self.said.insert(player.to_owned(), said);
                Ok(())
            }
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    /// A program that floods its standard error fills no disk, and its file is not opened for each
    /// line.
    #[test]
    fn what_players_say_is_bounded() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut files = Files::create(folder.path(), "", None).expect("made");
        let line = "x".repeat(4095);
        for _ in 0..5000 {
            files.said("Ann A", Some(7), &line).expect("written");
        }
        files.said("Ann A", None, "between games").expect("written");
        let path = folder.path().join("stderr/Ann_A-game-7.log");
        let text = fs::read_to_string(&path).expect("readable");
        assert_eq!(text.len(), (16 << 20) + FULL.len() + 1);
        assert!(text.ends_with(&format!("x\n{FULL}\n")));
        // Nor does another life of the referee add to it.
        drop(files);
        let (mut files, _) = Files::resume(folder.path()).expect("resumed");
        files.said("Ann A", Some(7), "more").expect("written");
        assert_eq!(fs::read_to_string(path).expect("readable"), text);
        let other = folder.path().join("stderr/Ann_A.log");
        assert_eq!(
            fs::read_to_string(other).expect("readable"),
            "between games\n"
        );
    }

    #[test]
    fn a_file_stays_open() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut files = Files::create(folder.path(), "", None).expect("made");
        let path = folder.path().join("stderr/Ann-game-1.log");
        files.said("Ann", Some(1), "a\nb").expect("written");
        assert_eq!(fs::read_to_string(&path).expect("readable"), "a\nb\n");
        fs::remove_file(&path).expect("removed");
        files.said("Ann", Some(1), "c").expect("written");
        assert!(!path.exists(), "it was opened again");
        files.said("Ann", Some(2), "d").expect("written");
        let second = folder.path().join("stderr/Ann-game-2.log");
        assert_eq!(fs::read_to_string(second).expect("readable"), "d\n");
    }

    /// Events that were begun when the journal had another name go on.
    #[test]
    fn an_old_journal_is_resumed() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut files = Files::create(folder.path(), "", None).expect("made");
        let entry = Entry::Begun {
            game: 1,
            white: "A".to_owned(),
            black: "B".to_owned(),
            opening: crate::openings::Opening::default(),
            date: "2026.11.22".to_owned(),
        };
        files.journal(&entry).expect("written");
        drop(files);
        let (new, old) = (folder.path().join(JOURNAL), folder.path().join(OLD_JOURNAL));
        fs::rename(&new, &old).expect("renamed");
        assert!(
            Files::create(folder.path(), "", None).is_err(),
            "it has begun"
        );
        let (mut files, entries) = Files::resume(folder.path()).expect("resumed");
        assert_eq!(entries, std::slice::from_ref(&entry));
        files.journal(&entry).expect("written");
        assert!(!old.exists());
        let text = fs::read_to_string(new).expect("readable");
        assert_eq!(text, entry.line().repeat(2));
    }
}
