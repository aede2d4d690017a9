//! The journal of a run: the result of each record, from which the run can be resumed after it was
//! killed.
//!
//! A journal is a file of JSON lines. The first line, a [`Head`], identifies the run; every other line
//! is a [`JournalEntry`], in the order of completion. An incomplete last line is ignored.

use std::collections::{BTreeSet, HashMap};
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use anyhow::{Context, bail};
use crc::{CRC_32_ISO_HDLC, Crc};
use epd::Record;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::counts::Counts;
use super::screen::Row;
use super::settings::Settings;

/// The result of one record: what is written to OUT and counted, and, if the run has a journal, a line
/// of it. Every result becomes an entry, with or without a journal.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct JournalEntry {
    /// The number of its line.
    pub line: usize,
    /// The fingerprint of the record.
    pub fingerprint: u32,
    /// The text of the record with its result, as it is written to OUT.
    pub record: String,
    pub counts: Counts,
    /// The fault of the record, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<String>,
    /// Line and column of the fault, where it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<(usize, usize)>,
    /// A remark that is not a fault.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remark: Option<String>,
    /// The analysis failed; the record has a note that says why.
    pub given_up: bool,
    /// The line for a terminal; absent where there is a journal.
    #[serde(skip)]
    pub row: Option<Row>,
}

impl JournalEntry {
    /// Prints a record with its result. The [`fingerprint`] of the original record is set only for a
    /// journal.
    pub fn new(
        line: usize,
        record: &Record,
        counts: Counts,
        fault: Option<String>,
        given_up: bool,
    ) -> Self {
        Self {
            line,
            fingerprint: 0,
            record: record.to_string(),
            counts,
            fault,
            place: None,
            remark: None,
            given_up,
            row: None,
        }
    }
}

/// A checksum that tells records apart.
pub fn fingerprint(record: &Record) -> u32 {
    const CRC: Crc<u32> = Crc::<u32>::new(&CRC_32_ISO_HDLC);
    CRC.checksum(record.to_string().as_bytes())
}

/// The first line.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Head {
    /// Always [`Head::FORMAT`].
    format: String,
    version: u32,
    started: Timestamp,
    /// The options, which must be unchanged for the entries to be used.
    settings: Settings,
    /// The name of the input, for messages.
    #[serde(default)]
    input: String,
}

impl Head {
    const FORMAT: &str = "epode-journal";
    const VERSION: u32 = 2;

    /// Reads the first line of a journal, and checks its version.
    fn read(line: &[u8]) -> anyhow::Result<Self> {
        /// The fields that identify the version of the format.
        #[derive(Deserialize)]
        struct Probe {
            format: Option<String>,
            version: Option<u32>,
            /// The only field of the first version besides the options as one text.
            epode: Option<String>,
        }
        let probe: Probe =
            serde_json::from_slice(line).context("line 1 is not the first line of a journal")?;
        let found = match (probe.format.as_deref(), probe.version, probe.epode) {
            (Some(Self::FORMAT), Some(Self::VERSION), _) => {
                return serde_json::from_slice(line).context("line 1");
            }
            (Some(Self::FORMAT), Some(version), _) => version,
            (None, None, Some(_)) => 1,
            _ => bail!("line 1 is not the first line of a journal"),
        };
        bail!(
            "journal version {found} was written by another version of epode (expected version \
             {}); finish the run with that one, or start over with --restart",
            Self::VERSION
        )
    }

    /// Refuses to resume with other options.
    fn check(&self, settings: &Settings) -> anyhow::Result<()> {
        let differences = self.settings.differences(settings);
        if !differences.is_empty() {
            bail!(
                "the unfinished run had other options: {}; --resume needs the same options, \
                 --restart starts over",
                differences.join("; ")
            );
        }
        Ok(())
    }
}

/// The input is not that of the run which began the journal.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct OtherInput(String);

/// Where an entry of an earlier run is in the file, and the fingerprint of its record.
#[derive(Clone, Copy, Debug)]
struct Earlier {
    begin: u64,
    length: usize,
    fingerprint: u32,
}

/// An open journal.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: Mutex<File>,
    /// The entries of earlier runs, by line.
    earlier: HashMap<usize, Earlier>,
    /// The names of the input of this run and of earlier ones.
    input: String,
    earlier_input: String,
    started: Timestamp,
    is_empty: AtomicBool,
}

impl Journal {
    /// Creates the journal of a run over an input, and replaces an existing one.
    pub fn create(path: &Path, settings: &Settings, input: &str) -> anyhow::Result<Self> {
        let mut journal = Self::open(path, input)?;
        journal.begin(settings)?;
        Ok(journal)
    }

    /// Opens a journal to resume; creates it if there is none.
    pub fn resume(path: &Path, settings: &Settings, input: &str) -> anyhow::Result<Self> {
        let mut journal = Self::open(path, input)?;
        let name = || path.display().to_string();
        if !journal.read(settings).with_context(name)? {
            journal.begin(settings)?;
        }
        Ok(journal)
    }

    fn open(path: &Path, input: &str) -> anyhow::Result<Self> {
        let mut options = OpenOptions::new();
        let file = options.read(true).append(true).create(true).open(path)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => bail!("another run writes {}", path.display()),
            Err(TryLockError::Error(error)) => return Err(error.into()),
        }
        Ok(Self {
            path: path.to_owned(),
            file: Mutex::new(file),
            earlier: HashMap::new(),
            input: input.to_owned(),
            earlier_input: String::new(),
            started: Timestamp::now(),
            is_empty: AtomicBool::new(true),
        })
    }

    fn file(&mut self) -> &mut File {
        self.file.get_mut().unwrap_or_else(PoisonError::into_inner)
    }

    fn begin(&mut self, settings: &Settings) -> anyhow::Result<()> {
        let head = Head {
            format: Head::FORMAT.to_owned(),
            version: Head::VERSION,
            started: self.started,
            settings: settings.clone(),
            input: self.input.clone(),
        };
        self.file().set_len(0)?;
        write_line(self.file(), &head)?;
        Ok(())
    }

    /// Reads the entries of earlier runs; false if there is not even a complete first line.
    fn read(&mut self, settings: &Settings) -> anyhow::Result<bool> {
        let mut earlier = HashMap::new();
        let (mut started, mut input) = (self.started, String::new());
        let mut lines = BufReader::new(self.file());
        let mut begin = 0;
        let mut line = Vec::new();
        for number in 1.. {
            line.clear();
            let length = lines.read_until(b'\n', &mut line)?;
            if line.pop() != Some(b'\n') {
                break;
            }
            if number == 1 {
                let head = Head::read(&line)?;
                head.check(settings)?;
                (started, input) = (head.started, head.input);
            } else {
                let entry: JournalEntry = serde_json::from_slice(&line)
                    .with_context(|| format!("line {number} is not a journal entry"))?;
                let place = Earlier {
                    begin,
                    length,
                    fingerprint: entry.fingerprint,
                };
                earlier.insert(entry.line, place);
            }
            begin += length as u64;
        }
        // An incomplete line must not be joined with the next.
        self.file().set_len(begin)?;
        *self.is_empty.get_mut() = earlier.is_empty();
        self.earlier = earlier;
        (self.started, self.earlier_input) = (started, input);
        Ok(begin > 0)
    }

    /// The start of the first run.
    pub fn started(&self) -> Timestamp {
        self.started
    }

    /// Checks that records, by their lines and fingerprints, include all those that earlier runs have
    /// analysed.
    pub fn check_input(
        &self,
        records: impl IntoIterator<Item = anyhow::Result<(usize, u32)>>,
    ) -> anyhow::Result<()> {
        let mut missing: BTreeSet<_> = self.earlier.keys().copied().collect();
        for record in records {
            let (line, fingerprint) = record?;
            self.find(line, fingerprint)?;
            missing.remove(&line);
        }
        match missing.first() {
            None => Ok(()),
            Some(&line) => Err(self.other_input(line).into()),
        }
    }

    /// The entry that an earlier run wrote for the record of a line.
    pub fn earlier(&self, line: usize, fingerprint: u32) -> anyhow::Result<Option<JournalEntry>> {
        let Some(Earlier { begin, length, .. }) = self.find(line, fingerprint)? else {
            return Ok(None);
        };
        let mut text = vec![0; length];
        {
            let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
            let read = file.seek(SeekFrom::Start(begin));
            read.and_then(|_| file.read_exact(&mut text))
                .with_context(|| format!("cannot read {}", self.path.display()))?;
        }
        Ok(Some(serde_json::from_slice(&text)?))
    }

    /// The place of the entry for a line, whose record must be the same.
    fn find(&self, line: usize, fingerprint: u32) -> Result<Option<Earlier>, OtherInput> {
        match self.earlier.get(&line) {
            Some(earlier) if earlier.fingerprint != fingerprint => Err(self.other_input(line)),
            earlier => Ok(earlier.copied()),
        }
    }

    fn other_input(&self, line: usize) -> OtherInput {
        let Self {
            input,
            earlier_input,
            ..
        } = self;
        let what = if earlier_input == input || earlier_input.is_empty() {
            format!("{input} is not what the unfinished run read")
        } else {
            format!("the unfinished run read {earlier_input}, not {input}")
        };
        OtherInput(format!(
            "{}: {what}: line {line} is another record; --resume needs the same input, --restart starts over",
            self.path.display()
        ))
    }

    /// Appends an entry at once, so that it survives if the program is killed.
    pub fn append(&self, entry: &JournalEntry) -> anyhow::Result<()> {
        self.is_empty.store(false, Ordering::Relaxed);
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        write_line(&mut file, entry)
            .with_context(|| format!("cannot write {}", self.path.display()))
    }

    /// Whether there are no entries from this run or earlier ones.
    pub fn is_empty(&self) -> bool {
        self.is_empty.load(Ordering::Relaxed)
    }

    /// Removes the journal; returns where it was.
    pub fn remove(self) -> anyhow::Result<PathBuf> {
        std::fs::remove_file(&self.path)
            .with_context(|| format!("cannot remove {}", self.path.display()))?;
        Ok(self.path)
    }
}

/// Writes a line in one piece.
fn write_line(file: &mut File, value: &impl Serialize) -> io::Result<()> {
    let mut line = serde_json::to_vec(value)?;
    line.push(b'\n');
    file.write_all(&line)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(nodes: u64) -> Settings {
        let mut settings = Settings::default();
        settings.set("--nodes", nodes);
        settings
    }

    fn entry(line: usize) -> JournalEntry {
        let record: Record = format!("8/8/8/8/8/k7/8/K7 w - - id \"{line}\";")
            .parse()
            .expect("exact");
        let mut entry = JournalEntry::new(line, &record, Counts::from([("nodes", 7)]), None, false);
        entry.fingerprint = fingerprint(&record);
        entry
    }

    #[test]
    fn what_is_appended_is_found_again() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("x.journal");
        let journal = Journal::create(&path, &settings(1), "a.epd").expect("a journal");
        assert!(journal.is_empty());
        for line in [3, 1] {
            journal.append(&entry(line)).expect("written");
        }
        assert!(!journal.is_empty());
        let error = Journal::resume(&path, &settings(1), "b.epd").expect_err("it is locked");
        assert!(error.to_string().starts_with("another run writes "));
        drop(journal);

        // An incomplete line is ignored, and the next entry is complete.
        let whole = std::fs::read(&path).expect("readable");
        let torn = [&whole[..], &whole[whole.len() - 40..whole.len() - 1]].concat();
        std::fs::write(&path, &torn).expect("written");
        let journal = Journal::resume(&path, &settings(1), "b.epd").expect("a journal");
        for line in [3, 1] {
            let expected = entry(line);
            let found = journal.earlier(line, expected.fingerprint);
            assert_eq!(found.expect("readable"), Some(expected));
        }
        assert_eq!(journal.earlier(2, 0).expect("readable"), None);
        let error = journal.earlier(1, 0).expect_err("another record");
        let text = "the unfinished run read a.epd, not b.epd: line 1 is another record; --resume";
        assert!(error.to_string().contains(text), "{error}");
        let known = entry(1).fingerprint;
        for (records, line) in [
            (&[(1, known), (2, 5), (3, entry(3).fingerprint)][..], None),
            (&[(1, known), (3, 5)], Some(3)),
            (&[(1, known)], Some(3)),
        ] {
            let checked = journal.check_input(records.iter().copied().map(Ok));
            let wrong = checked.err().map(|error| error.to_string());
            let expected = line.map(|line| format!(": line {line} is another record; "));
            assert_eq!(wrong.is_some(), expected.is_some());
            assert!(
                wrong
                    .unwrap_or_default()
                    .contains(&expected.unwrap_or_default())
            );
        }
        journal.append(&entry(2)).expect("written");
        drop(journal);
        let journal = Journal::resume(&path, &settings(1), "b.epd").expect("a journal");
        assert_eq!(journal.earlier.len(), 3);
    }

    #[test]
    fn other_journals_are_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("x.journal");
        drop(Journal::create(&path, &settings(1000), "a.epd").expect("a journal"));
        let refusal = |settings: &Settings| {
            let error = Journal::resume(&path, settings, "a.epd").expect_err("refused");
            format!("{error:#}")
        };
        let error = refusal(&settings(2000));
        assert!(
            error.contains("--nodes was 1000, is 2000; --resume"),
            "{error}"
        );
        let unknown = "line 1 is not the first line of a journal";
        for (text, message) in [
            ("x\n", unknown),
            ("\n", unknown),
            ("{\"format\":\"other\",\"version\":2}\n", unknown),
            (
                "{\"epode\":\"0.1.0\",\"settings\":\"(Analysis { effort ..\"}\n",
                "journal version 1 was written by another version of epode",
            ),
            (
                "{\"format\":\"epode-journal\",\"version\":9}\n",
                "journal version 9 was written by another version of epode",
            ),
        ] {
            std::fs::write(&path, text).expect("written");
            let error = refusal(&settings(1000));
            assert!(error.contains(message), "{error}");
        }
        // An empty journal or an incomplete first line counts as no journal.
        for text in ["", "{\"format"] {
            std::fs::write(&path, text).expect("written");
            assert!(
                Journal::resume(&path, &settings(1), "b.epd")
                    .expect("a journal")
                    .is_empty()
            );
        }
    }
}
