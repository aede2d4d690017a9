//! The folder of an observer: a copy of the event's files that `resume` needs.
//!
//! What an earlier referee wrote into its journal, and the present one never got, is not lost: a journal that
//! is not a beginning of the referee's is kept under another name, `journal-1.log`, and so is the stream of
//! events that goes with it.

use std::fs::{self, File, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use jiff::Timestamp;

use crate::core::config::Config;
use crate::core::journal::{self, Entry};
use crate::core::observer::ReplicaState;
use crate::io::server::hash;
use crate::io::storage::replace::replace;
use crate::io::storage::{EVENTS, FolderLock, JOURNAL, OPENINGS};

/// Marks a folder as that of an observer: `resume` there would make two referees of one term.
const OBSERVER: &str = "observer";
/// The copy of the event file.
const EVENT: &str = "event.toml";

/// Refuses a folder that is an observer's: its journal is only a copy.
pub fn check_referee(directory: &Path) -> anyhow::Result<()> {
    if directory.join(OBSERVER).exists() {
        let name = directory.display();
        bail!(
            "{name} is the folder of an observer: start `epode-referee observe` there again, then \
             epode-referee control {name} takeover"
        );
    }
    Ok(())
}

/// A copy of an event's files.
#[derive(Debug)]
pub struct Replica {
    directory: PathBuf,
    lock: FolderLock,
    journal: File,
    /// The length of its whole lines.
    length: u64,
}

impl Replica {
    /// Opens the folder, which may be new, or that of a referee that was replaced.
    pub fn open(directory: &Path) -> anyhow::Result<Self> {
        fs::create_dir_all(directory.join("stderr"))
            .with_context(|| format!("cannot create {}", directory.display()))?;
        let lock = FolderLock::take(directory)?;
        replace(&directory.join(OBSERVER), "")?;
        let mut replica = Self {
            directory: directory.to_owned(),
            lock,
            journal: open_journal(directory)?,
            length: 0,
        };
        let bytes = replica.read()?;
        // Half a line may be there after a crash.
        let whole = memchr::memrchr(b'\n', &bytes).map_or(0, |end| end + 1);
        replica.length = whole as u64;
        replica
            .journal
            .set_len(replica.length)
            .context("cannot truncate the journal")?;
        Ok(replica)
    }

    fn read(&self) -> anyhow::Result<Vec<u8>> {
        let path = self.directory.join(JOURNAL);
        fs::read(&path).with_context(|| format!("cannot read {}", path.display()))
    }

    /// The folder.
    #[must_use]
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// The length of the copy in bytes.
    #[must_use]
    pub const fn length(&self) -> u64 {
        self.length
    }

    /// Whether there is enough to take over: the event file has come.
    #[must_use]
    pub fn has_event(&self) -> bool {
        self.directory.join(EVENT).exists()
    }

    /// What the copy holds.
    pub fn state(&self) -> anyhow::Result<ReplicaState> {
        let bytes = self.read()?;
        Ok(ReplicaState {
            length: self.length,
            hash: hash(&bytes),
            term: last_term(&bytes).with_context(|| self.directory.display().to_string())?,
        })
    }

    /// Takes the files of the referee; its journal follows from this byte on. Returns the name of the file
    /// that now has the former journal, if it was another one.
    pub fn begin(
        &mut self,
        files: &[(String, String)],
        from: u64,
    ) -> anyhow::Result<Option<String>> {
        for (name, _) in files {
            if name != EVENT && name != OPENINGS {
                bail!("the referee sends a file {name:?}, expected {EVENT} or {OPENINGS}");
            }
        }
        let Some((_, text)) = files.iter().find(|(name, _)| name == EVENT) else {
            bail!("the referee sends no {EVENT}");
        };
        self.compare_names(text)?;
        let kept = match from {
            _ if from == self.length => None,
            0 => Some(self.set_aside()?),
            _ => bail!(
                "the referee sends its journal from byte {from} on, expected {} or 0",
                self.length
            ),
        };
        for (name, text) in files {
            replace(&self.directory.join(name), text)?;
        }
        Ok(kept)
    }

    /// A folder is for one event.
    fn compare_names(&self, text: &str) -> anyhow::Result<()> {
        let path = self.directory.join(EVENT);
        let Ok(before) = fs::read_to_string(&path) else {
            return Ok(());
        };
        let names = [&before, text].map(|text| Config::read_saved(text).map(|event| event.event));
        match names {
            [Ok(old), Ok(new)] if old != new => bail!(
                "{} is the folder of another event ({old}), the referee's is {new}: name another --directory",
                self.directory.display()
            ),
            [_, Err(error)] => Err(error).context("the event file of the referee"),
            _ => Ok(()),
        }
    }

    /// Keeps the journal and the stream of events under other names.
    fn set_aside(&mut self) -> anyhow::Result<String> {
        let name = |stem: &str, number: usize, end: &str| format!("{stem}-{number}.{end}");
        let number = (1..=usize::MAX).find(|&number| {
            let names = [
                name("journal", number, "log"),
                name("events", number, "jsonl"),
            ];
            names.iter().all(|name| !self.directory.join(name).exists())
        });
        let number = number.unwrap_or_default();
        let kept = name("journal", number, "log");
        let rename = |from: &str, to: &str| {
            let renamed = fs::rename(self.directory.join(from), self.directory.join(to));
            renamed.with_context(|| format!("cannot rename {from} in {}", self.directory.display()))
        };
        rename(JOURNAL, &kept)?;
        if self.directory.join(EVENTS).exists() {
            rename(EVENTS, &name("events", number, "jsonl"))?;
        }
        self.journal = open_journal(&self.directory)?;
        self.length = 0;
        Ok(kept)
    }

    /// Adds whole lines, and makes them survive a power failure if `is_synced`.
    pub fn append(&mut self, lines: &[u8], is_synced: bool) -> anyhow::Result<()> {
        let written = self.journal.write_all(lines).and_then(|()| {
            if is_synced {
                self.journal.sync_data()?;
            }
            Ok(())
        });
        if let Err(error) = written {
            // Half a line must not come before the next one.
            let _ = self.journal.set_len(self.length);
            return Err(error).context("cannot write the journal");
        }
        self.length += lines.len() as u64;
        Ok(())
    }

    /// Makes this the folder of the event's next referee; returns its term, and the lock of the folder.
    pub fn take_over(mut self) -> anyhow::Result<(u64, FolderLock)> {
        if !self.has_event() {
            bail!(
                "{} has no {EVENT}: nothing has been copied yet",
                self.directory.display()
            );
        }
        let term = last_term(&self.read()?)? + 1;
        let entry = Entry::Term {
            term,
            at: format!("{:.3}", Timestamp::now()),
        };
        self.append(entry.line().as_bytes(), true)?;
        let mark = self.directory.join(OBSERVER);
        fs::remove_file(&mark).with_context(|| format!("cannot remove {}", mark.display()))?;
        Ok((term, self.lock))
    }
}

fn open_journal(directory: &Path) -> anyhow::Result<File> {
    let path = directory.join(JOURNAL);
    let file = OpenOptions::new().create(true).append(true).open(&path);
    file.with_context(|| format!("cannot write {}", path.display()))
}

/// The number of the last referee in a journal.
fn last_term(journal: &[u8]) -> anyhow::Result<u64> {
    let read = journal::read(journal);
    let (entries, _) = read.map_err(|error| anyhow::anyhow!("{JOURNAL}:{error}"))?;
    let terms = entries.iter().filter_map(|entry| match entry {
        Entry::Term { term, .. } => Some(*term),
        _ => None,
    });
    Ok(terms.max().unwrap_or(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    const EVENT_FILE: &str =
        "event = \"Test\"\n[[player]]\nname = \"A\"\n[[player]]\nname = \"B\"\n";

    fn files(event: &str) -> Vec<(String, String)> {
        vec![(EVENT.to_owned(), event.to_owned())]
    }

    fn term(term: u64) -> Vec<u8> {
        let at = "2026-11-23T02:46:10.123Z".to_owned();
        Entry::Term { term, at }.line().into_bytes()
    }

    /// A journal of another course of the event is kept; nothing is lost, however often it happens.
    #[test]
    fn what_the_referee_never_got_is_kept() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut replica = Replica::open(folder.path()).expect("opened");
        assert!(!replica.has_event());
        for (round, number) in [(2, 1), (3, 2)] {
            assert!(replica.begin(&files(EVENT_FILE), replica.length()).is_ok());
            replica.append(&term(round), true).expect("written");
            fs::write(folder.path().join(EVENTS), format!("{round}")).expect("written");
            let kept = replica.begin(&files(EVENT_FILE), 0).expect("begun");
            assert_eq!(kept, Some(format!("journal-{number}.log")));
            assert_eq!(replica.length(), 0);
            let read = |name: &str| fs::read(folder.path().join(name)).expect(name);
            assert_eq!(read(&format!("journal-{number}.log")), term(round));
            let events = read(&format!("events-{number}.jsonl"));
            assert_eq!(events, format!("{round}").into_bytes());
        }
        replica.append(&term(7), false).expect("written");
        assert_eq!(replica.state().expect("readable").term, 7);
        let error = check_referee(folder.path()).expect_err("an observer's");
        assert!(error.to_string().contains("is the folder of an observer"));
        let (next, _lock) = replica.take_over().expect("taken over");
        assert!(check_referee(folder.path()).is_ok());
        assert_eq!(next, 8);
        let journal = fs::read(folder.path().join(JOURNAL)).expect("a journal");
        assert!(journal.starts_with(&term(7)) && journal.len() == 2 * term(7).len());
    }

    #[test]
    fn what_is_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut replica = Replica::open(folder.path()).expect("opened");
        let mut fails = |files: &[(String, String)], from| {
            let error = replica.begin(files, from).expect_err("refused");
            format!("{error:#}")
        };
        assert_eq!(fails(&[], 0), "the referee sends no event.toml");
        let secret = [("../x".to_owned(), String::new())];
        assert!(fails(&secret, 0).starts_with("the referee sends a file \"../x\", expected"));
        let why = "the referee sends its journal from byte 5 on, expected 0 or 0";
        assert_eq!(fails(&files(EVENT_FILE), 5), why);
        assert!(replica.begin(&files(EVENT_FILE), 0).is_ok());
        let other = EVENT_FILE.replace("Test", "Other");
        let error = replica.begin(&files(&other), 0).expect_err("refused");
        assert!(
            error
                .to_string()
                .contains("is the folder of another event (Test)")
        );
        let error = Replica::open(folder.path()).expect_err("locked");
        assert!(error.to_string().contains("another referee is running"));
        drop(replica);
        // A crash has left half a line.
        fs::write(
            folder.path().join(JOURNAL),
            [&term(2)[..], b"8/8/"].concat(),
        )
        .expect("written");
        let replica = Replica::open(folder.path()).expect("opened");
        assert_eq!(replica.length(), term(2).len() as u64);
    }
}
