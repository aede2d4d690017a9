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
//! `Server::carry_out` (io/server.rs) carries effects out in their order.
//!
//! A thread of its own synchronises it with the disk, so a slow disk does not delay the referee. After
//! a power failure the last fifth of a second may be missing; players are then reset to what is left.
//!
//! Journal and log do not have the extension `.epd`: common EPD readers fail on operations of the
//! protocol, which they take for moves or numbers (`refcom reset`, `ctcc 000.00:00:01.250`).

pub(crate) mod replace;
mod stderr;

use std::collections::HashMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::Duration;

use anyhow::{Context, bail};
use jiff::Timestamp;
use serde_json::Value;

use crate::core::event::stream::Stamped;
use crate::core::event::{Ledger, ProgramId, Report};
use crate::core::journal::{self, Entry};
use crate::core::standings::Standings;
use crate::core::text::visible;
use crate::web::Feed;

use self::replace::{replace, replace_fast};
use self::stderr::StderrFile;

/// The copy of the opening book.
pub const OPENINGS: &str = "openings";
/// The file that a running referee locks.
pub const LOCK: &str = "lock";
/// The journal.
pub const JOURNAL: &str = "journal.log";
/// The name of the journal in events that earlier versions began.
const OLD_JOURNAL: &str = "journal.epd";
const LOG: &str = "records.log";
/// The stream of events.
pub const EVENTS: &str = "events.jsonl";
/// Shortest time between two synchronisations of the journal with the disk.
const SYNC_PAUSE: Duration = Duration::from_millis(200);
/// The most that is kept of a log that cannot be written, in bytes.
const MAX_PENDING: usize = 4 << 20;

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

/// Keeps other referees and observers out of a folder as long as it exists.
#[derive(Debug)]
pub struct FolderLock {
    _file: File,
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
        let lock = FolderLock::take(directory)?;
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
        Self::resume_locked(directory, FolderLock::take(directory)?)
    }

    /// Opens the folder of an event that has begun and that is locked already.
    pub fn resume_locked(directory: &Path, lock: FolderLock) -> anyhow::Result<(Self, Vec<Entry>)> {
        let (path, old) = (directory.join(JOURNAL), directory.join(OLD_JOURNAL));
        if !path.exists() && old.exists() {
            fs::rename(&old, &path).with_context(|| format!("cannot rename {}", old.display()))?;
        }
        let bytes = fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
        let (entries, whole) = journal::read(&bytes)?;
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
            games: append(&directory.join("games.pgn"))?,
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
        self.journal_failed = false;
        // The thread ends only after this sender is dropped.
        let _ = self.sync.send(());
        Ok(())
    }

    /// The length of the journal in bytes.
    #[must_use]
    pub const fn journal_length(&self) -> u64 {
        self.journal_length
    }

    /// Checks what no attempt to write again can repair: the disk lost what was written to the journal, or
    /// the folder is gone.
    pub fn check(&self) -> anyhow::Result<()> {
        if let Some(feed) = &self.feed {
            feed.alive();
        }
        if let Some(why) = self.disk_failure.get() {
            bail!("the journal may have lost its last entries: {why}");
        }
        if !self.directory.join(JOURNAL).exists() {
            bail!("the journal is gone from {}", self.directory.display());
        }
        Ok(())
    }

    /// Remembers that the journal could not be written; returns whether that is new.
    pub const fn journal_failed(&mut self) -> bool {
        !std::mem::replace(&mut self.journal_failed, true)
    }

    /// Logs a record with the time and its direction: `<` received, `>` sent.
    pub fn log(&mut self, direction: char, who: &str, line: &str) {
        let now = Timestamp::now();
        // Writing to a vector cannot fail.
        let _ = writeln!(
            self.pending[0],
            "{now:.3} {direction} {who:?} {}",
            visible(line.trim_end())
        );
    }

    /// Adds a line to `events.jsonl`.
    pub fn event(&mut self, report: &Report) {
        self.last_event += 1;
        let stamped = Stamped {
            seq: self.last_event,
            report,
            at: format!("{:.3}", Timestamp::now()),
        };
        // A report is plain data, and writing to a vector cannot fail.
        if serde_json::to_writer(&mut self.pending[1], &stamped).is_ok() {
            self.pending[1].push(b'\n');
        }
        if let Some(feed) = &self.feed {
            feed.event(Stamped {
                seq: stamped.seq,
                report: report.clone(),
                at: stamped.at,
            });
        }
    }

    /// Passes the stream of events on from now on.
    pub fn set_feed(&mut self, feed: Feed) {
        self.feed = Some(feed);
    }

    /// The file of the stream of events, and how much of it has been written.
    pub fn events(&mut self) -> (PathBuf, u64) {
        self.flush();
        let length = self.events.metadata().map_or(0, |metadata| metadata.len());
        (self.directory.join(EVENTS), length)
    }

    /// Adds the finished games of the journal whose results `events.jsonl` lacks.
    pub fn add_missing_results(
        &mut self,
        ledger: &Ledger,
        entries: &[Entry],
    ) -> anyhow::Result<()> {
        let path = self.directory.join(EVENTS);
        let text = fs::read_to_string(&path);
        let text = text.with_context(|| format!("cannot read {}", path.display()))?;
        // A game that was replayed has several results.
        let mut known: HashMap<u64, usize> = HashMap::new();
        let lines = text
            .lines()
            .filter_map(|line| serde_json::from_str::<Value>(line).ok());
        for line in lines.filter(|line| line["event"] == "result") {
            *known.entry(line["game"].as_u64().unwrap_or(0)).or_default() += 1;
        }
        let ends = entries.iter().filter_map(|entry| match entry {
            Entry::Ended { game, .. } => Some(*game as u64),
            _ => None,
        });
        let are_missing: Vec<bool> = ends
            .map(|game| match known.get_mut(&game) {
                Some(count @ 1..) => {
                    *count -= 1;
                    false
                }
                _ => true,
            })
            .collect();
        // The games are played again only if they are needed.
        if !are_missing.contains(&true) {
            return Ok(());
        }
        let missing = ledger.finished_games(entries.to_vec(), &are_missing)?;
        for report in missing.iter().flatten() {
            self.event(report);
        }
        Ok(())
    }

    /// Writes the pending lines of the log and of `events.jsonl`, and games that could not be written
    /// before. What cannot be written now is kept, up to a limit, and tried again.
    pub fn flush(&mut self) {
        let mut failure = None;
        for (file, pending) in [&mut self.log, &mut self.events]
            .into_iter()
            .zip(&mut self.pending)
        {
            while !pending.is_empty() {
                match file.write(pending) {
                    Ok(written) => drop(pending.drain(..written)),
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                    Err(error) => {
                        failure = Some(error);
                        drop_oldest_lines(pending);
                        break;
                    }
                }
            }
        }
        if !self.pending_games.is_empty() {
            let games = std::mem::take(&mut self.pending_games);
            self.game(&games);
        }
        if let Some(error) = &failure
            && !self.logs_failed
        {
            eprintln!("epode-referee: cannot write the log, games go on: {error}");
        }
        self.logs_failed = failure.is_some();
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
        let bytes = fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
        let (entries, _) = journal::read(&bytes)?;
        let games = ledger.games_of(entries)?;
        self.pending_games.clear();
        self.rewrite_games(&games)
    }

    /// Replaces `games.pgn`.
    pub fn rewrite_games(&mut self, pgn: &str) -> anyhow::Result<()> {
        // They are in the journal too. A referee that takes over must not wait for a slow disk.
        replace_fast(&self.directory.join("games.pgn"), pgn)?;
        self.games = append(&self.directory.join("games.pgn"))?;
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

    /// Adds lines of a player's standard error, written in a game or outside of one.
    pub fn stderr(
        &mut self,
        program: ProgramId,
        player: &str,
        game: Option<usize>,
        lines: &str,
    ) -> io::Result<()> {
        match self.stderr.get_mut(&program) {
            Some(file) if file.game == game => file.write(lines),
            _ => {
                let mut file = StderrFile::open(&self.directory, player, game)?;
                file.write(lines)?;
                self.stderr.insert(program, file);
                Ok(())
            }
        }
    }
}

/// Cuts off an incomplete last line.
fn drop_torn_line(file: &File, path: &Path) -> io::Result<()> {
    let (_, whole) = last_line(path)?;
    file.set_len(whole)
}

/// The last whole line of a file, empty if it has none, and the length of all whole lines.
fn last_line(path: &Path) -> io::Result<(Vec<u8>, u64)> {
    let mut reader = File::open(path)?;
    let length = reader.metadata()?.len();
    let mut size = 1 << 14;
    loop {
        let from = length.saturating_sub(size);
        reader.seek(SeekFrom::Start(from))?;
        let mut tail = Vec::new();
        reader.read_to_end(&mut tail)?;
        let mut ends = memchr::memrchr_iter(b'\n', &tail);
        match (ends.next(), ends.next(), from) {
            (Some(end), Some(before), _) => {
                return Ok((tail[before + 1..end].to_vec(), from + end as u64 + 1));
            }
            (Some(end), None, 0) => return Ok((tail[..end].to_vec(), end as u64 + 1)),
            (None, _, 0) => return Ok((Vec::new(), 0)),
            _ => size *= 4,
        }
    }
}

/// The number of the last event in `events.jsonl`. Files of earlier versions have no numbers: their lines
/// count.
fn last_event(path: &Path) -> io::Result<u64> {
    let (line, _) = last_line(path)?;
    let line = serde_json::from_slice::<Value>(&line).unwrap_or_default();
    match line["seq"].as_u64() {
        Some(seq) => Ok(seq),
        None => Ok(memchr::memchr_iter(b'\n', &fs::read(path)?).count() as u64),
    }
}

/// Makes room if more is waiting for a file that cannot be written than may be kept.
fn drop_oldest_lines(pending: &mut Vec<u8>) {
    let excess = pending.len().saturating_sub(MAX_PENDING);
    if excess > 0 {
        let end = memchr::memchr(b'\n', &pending[excess..]);
        pending.drain(..end.map_or(pending.len(), |end| excess + end + 1));
    }
}

impl FolderLock {
    /// Locks a folder; an error if another referee or observer runs there.
    pub fn take(directory: &Path) -> anyhow::Result<Self> {
        let path = directory.join(LOCK);
        let file = append(&path)?;
        match file.try_lock() {
            Ok(()) => Ok(Self { _file: file }),
            Err(fs::TryLockError::WouldBlock) => {
                bail!("another referee is running in {}", directory.display())
            }
            Err(fs::TryLockError::Error(error)) => {
                Err(error).with_context(|| format!("cannot lock {}", path.display()))
            }
        }
    }
}

/// Synchronises the journal with the disk again and again. After a failure another attempt could succeed
/// although data is lost, so the first one is final.
fn synchronising_thread(journal: File, failure: Arc<OnceLock<String>>) -> Sender<()> {
    let (sender, requests) = channel::<()>();
    thread::spawn(move || {
        while requests.recv().is_ok() {
            let synchronised = journal.sync_data().and_then(|()| {
                thread::sleep(SYNC_PAUSE);
                while requests.try_recv().is_ok() {}
                journal.sync_data()
            });
            match synchronised {
                // A full disk makes the next write to the journal fail, which is dealt with there.
                Err(error) if error.kind() != io::ErrorKind::StorageFull => {
                    // Only this thread sets it, so this cannot fail.
                    let _ = failure.set(error.to_string());
                    return;
                }
                _ => {}
            }
        }
    });
    sender
}

#[cfg(test)]
mod tests {
    use super::stderr::TRUNCATED;
    use super::*;
    use crate::core::equipment::Conditions;

    /// A player that floods its standard error does not fill the disk.
    #[test]
    fn standard_error_is_bounded() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut files = Storage::create(folder.path(), "", None).expect("made");
        let line = "x".repeat(4095);
        for _ in 0..5000 {
            files.stderr(0, "Ann A", Some(7), &line).expect("written");
        }
        files
            .stderr(0, "Ann A", None, "between games")
            .expect("written");
        let path = folder.path().join("stderr/Ann_A-game-7.log");
        let text = fs::read_to_string(&path).expect("readable");
        assert_eq!(text.len(), (16 << 20) + TRUNCATED.len() + 1);
        assert!(text.ends_with(&format!("x\n{TRUNCATED}\n")));
        // A resumed event does not add to it either.
        drop(files);
        let (mut files, _) = Storage::resume(folder.path()).expect("resumed");
        files.stderr(0, "Ann A", Some(7), "more").expect("written");
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
        files.stderr(0, "Ann", Some(1), "a\nb").expect("written");
        assert_eq!(fs::read_to_string(&path).expect("readable"), "a\nb\n");
        fs::remove_file(&path).expect("removed");
        files.stderr(0, "Ann", Some(1), "c").expect("written");
        assert!(!path.exists(), "it was opened again");
        files.stderr(0, "Ann", Some(2), "d").expect("written");
        let second = folder.path().join("stderr/Ann-game-2.log");
        assert_eq!(fs::read_to_string(second).expect("readable"), "d\n");
    }

    /// What a full disk kept out of the stream of events comes into it when the event is resumed, and the
    /// numbers go on.
    #[test]
    fn missing_results_are_added() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut files = Storage::create(folder.path(), "", None).expect("made");
        let event = "event = \"Test\"\nformat = \"match\"\ngames_per_pairing = 3\n\
                     [[player]]\nname = \"A\"\n[[player]]\nname = \"B\"\n";
        let config = crate::core::config::Config::read(event).expect("sound");
        let ledger = Ledger::new(config, vec![crate::core::openings::Opening::default()])
            .expect("a schedule");
        let start = movegen::Position::start();
        for game in 1..=3 {
            let mut players = ["A", "B"].map(str::to_owned);
            players.rotate_left((game + 1) % 2);
            let [white, black] = players;
            let begun = Entry::Begun {
                game,
                white,
                black,
                opening: crate::core::openings::Opening::default(),
                date: "2026.11.22".to_owned(),
                time_control: None,
                conditions: Conditions::default(),
            };
            let ended = Entry::Ended {
                game,
                position: start,
                result: "0-1".to_owned(),
                termination: "abandoned".to_owned(),
                forfeit: Some("never_came".to_owned()),
                text: "Black wins: White has not connected".to_owned(),
            };
            files.journal(&begun).expect("written");
            files.journal(&ended).expect("written");
            if game == 2 {
                let entries = vec![begun, ended];
                let reports = ledger.finished_games(entries, &[true]).expect("readable");
                files.event(&reports[0][1]);
            }
        }
        files.flush();
        drop(files);
        for _ in 0..2 {
            let (mut files, entries) = Storage::resume(folder.path()).expect("resumed");
            files.add_missing_results(&ledger, &entries).expect("added");
            files.flush();
            let text = fs::read_to_string(folder.path().join(EVENTS)).expect("readable");
            let lines: Vec<Value> = text
                .lines()
                .map(|line| serde_json::from_str(line).expect("JSON"))
                .collect();
            let said: Vec<_> = lines
                .iter()
                .map(|line| (line["seq"].as_u64(), line["game"].as_u64(), &line["event"]))
                .collect();
            let expected = [
                (2, "result"),
                (1, "game"),
                (1, "result"),
                (3, "game"),
                (3, "result"),
            ];
            assert_eq!(said.len(), expected.len(), "{text}");
            for (i, (said, (game, event))) in said.iter().zip(expected).enumerate() {
                assert_eq!((said.0, said.1), (Some(i as u64 + 1), Some(game)), "{text}");
                assert_eq!(said.2, event);
            }
            assert_eq!(lines[4]["verdict"], "never_came");
        }
    }

    /// A file of an earlier version goes on with the number of its lines; a torn line does not count,
    /// however long it is.
    #[test]
    fn numbers_of_events_go_on() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join(EVENTS);
        let long = "x".repeat(100_000);
        for (text, last, length) in [
            (String::new(), 0, 0),
            ("{}\n{}\n".to_owned(), 2, 6),
            (format!("{{}}\n{{\"seq\":7}}\n{long}"), 7, 13),
            (format!("{{\"seq\":8,\"x\":\"{long}\"}}\n{{"), 8, 100_017),
            (long, 0, 0),
        ] {
            fs::write(&path, text).expect("written");
            drop_torn_line(&append(&path).expect("a file"), &path).expect("readable");
            let found = (
                last_event(&path).expect("readable"),
                fs::read(&path).expect("readable").len(),
            );
            assert_eq!(found, (last, length));
        }
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
            time_control: None,
            conditions: Conditions::default(),
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
