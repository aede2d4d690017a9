//! The journal of a run: a file of JSON lines, from which the run can be resumed after it was killed.
//!
//! The first line, a [`Head`], has all settings; each other line is an [`Entry`], a finished iteration, in the
//! order in which they ended. An incomplete last line is dropped.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::cli::TuneSettings;

/// The first line.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Head {
    /// Always [`Head::FORMAT`].
    format: String,
    version: u32,
    pub started: Timestamp,
    /// The name of the engine.
    pub engine: String,
    pub settings: TuneSettings,
    /// The parameters, as in a file of them.
    pub params: Vec<String>,
    /// The number of iterations of the whole run.
    pub iterations: u64,
    /// A checksum of the openings or of the suite.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub positions: Option<u32>,
}

impl Head {
    const FORMAT: &str = "epode-tune";
    const VERSION: u32 = 1;

    /// The head of a run that starts now.
    pub fn new(
        engine: &str,
        settings: TuneSettings,
        params: Vec<String>,
        iterations: u64,
        positions: Option<u32>,
    ) -> Self {
        Self {
            format: Self::FORMAT.to_owned(),
            version: Self::VERSION,
            started: Timestamp::now(),
            engine: engine.to_owned(),
            settings,
            params,
            iterations,
            positions,
        }
    }

    fn read(line: &str) -> anyhow::Result<Self> {
        #[derive(Deserialize)]
        struct Probe {
            format: String,
            version: u32,
        }
        let probe: Probe = serde_json::from_str(line)
            .ok()
            .filter(|probe: &Probe| probe.format == Self::FORMAT)
            .context("not the first line of a journal of epode tune")?;
        if probe.version != Self::VERSION {
            let (found, expected) = (probe.version, Self::VERSION);
            bail!("found version {found} of the journal, expected version {expected}");
        }
        Ok(serde_json::from_str(line)?)
    }
}

/// A finished iteration.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    pub iteration: u64,
    /// `+` where the first setting had the higher value, for each parameter.
    pub signs: String,
    /// The values that were played.
    pub plus: Vec<String>,
    pub minus: Vec<String>,
    /// Wins minus losses of the first setting, or what a suite gives in place of it.
    pub result: f64,
    /// Wins, draws and losses.
    pub wdl: [u32; 3],
    /// The positions that the two sides solved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub solved: Option<[u32; 2]>,
    /// The values after the iteration.
    pub values: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub games: Vec<GameEntry>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub faults: Vec<String>,
}

impl Entry {
    /// The signs as [`Spsa`](super::spsa::Spsa) has them.
    pub fn is_up(&self) -> Vec<bool> {
        self.signs.chars().map(|sign| sign == '+').collect()
    }

    fn check(&self, head: &Head) -> anyhow::Result<()> {
        let is_known = (1..=head.iterations).contains(&self.iteration);
        let has_signs = self.signs.len() == head.params.len();
        if !is_known || !has_signs || self.signs.contains(|sign| !matches!(sign, '+' | '-')) {
            bail!("an iteration that does not fit the first line");
        }
        Ok(())
    }
}

/// A game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameEntry {
    /// The number of the opening in the book.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opening: Option<usize>,
    /// `plus` or `minus`.
    pub white: String,
    pub result: String,
    pub end: String,
    pub plies: usize,
}

/// What a journal has.
#[derive(Debug)]
pub struct Contents {
    pub head: Head,
    pub entries: Vec<Entry>,
    /// The length of the complete lines in bytes.
    length: u64,
    /// The number of an incomplete last line.
    pub torn: Option<usize>,
}

impl Contents {
    /// Reads a journal.
    pub fn read(path: &Path) -> anyhow::Result<Self> {
        let name = || path.display().to_string();
        let file = File::open(path).with_context(|| format!("cannot open {}", name()))?;
        let mut lines = BufReader::new(file);
        let mut head = None;
        let (mut entries, mut length, mut torn) = (Vec::new(), 0, None);
        let mut line = Vec::new();
        for number in 1.. {
            line.clear();
            let read = lines.read_until(b'\n', &mut line).with_context(name)?;
            if read == 0 {
                break;
            }
            if !line.ends_with(b"\n") {
                torn = Some(number);
                break;
            }
            let at = || format!("{}:{number}", name());
            let text = str::from_utf8(&line).with_context(at)?;
            match &head {
                None => head = Some(Head::read(text).with_context(at)?),
                Some(head) => {
                    let entry: Entry = serde_json::from_str(text)
                        .context("not an iteration")
                        .with_context(at)?;
                    entry.check(head).with_context(at)?;
                    entries.push(entry);
                }
            }
            length += read as u64;
        }
        let head = head.with_context(|| format!("{} has no complete line", name()))?;
        Ok(Self {
            head,
            entries,
            length,
            torn,
        })
    }
}

/// A journal that is written.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: File,
}

impl Journal {
    /// Begins a journal. An existing file is an error, unless it is to be replaced.
    pub fn create(path: &Path, head: &Head, replaces: bool) -> anyhow::Result<Self> {
        if !replaces && path.exists() {
            bail!(
                "{} exists: --resume {0} continues its run, --restart starts over",
                path.display()
            );
        }
        let mut journal = Self::open(path)?;
        journal.set_len(0)?;
        journal.write(head)?;
        Ok(journal)
    }

    /// Opens a journal to continue it; the incomplete line is removed.
    pub fn resume(path: &Path) -> anyhow::Result<(Self, Contents)> {
        let journal = Self::open(path)?;
        // Read while it is locked.
        let contents = Contents::read(path)?;
        journal.set_len(contents.length)?;
        Ok((journal, contents))
    }

    fn open(path: &Path) -> anyhow::Result<Self> {
        let cannot = || format!("cannot write {}", path.display());
        let mut options = OpenOptions::new();
        let file = options.read(true).append(true).create(true).open(path);
        let file = file.with_context(cannot)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => bail!("another run writes {}", path.display()),
            Err(TryLockError::Error(error)) => return Err(error).with_context(cannot),
        }
        let path = path.to_owned();
        Ok(Self { path, file })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Appends an iteration at once, so that it survives if the program is killed.
    pub fn append(&mut self, entry: &Entry) -> anyhow::Result<()> {
        self.write(entry)
    }

    fn set_len(&self, length: u64) -> anyhow::Result<()> {
        let cannot = || format!("cannot write {}", self.path.display());
        self.file.set_len(length).with_context(cannot)
    }

    fn write(&mut self, value: &impl Serialize) -> anyhow::Result<()> {
        let mut line = serde_json::to_vec(value)?;
        line.push(b'\n');
        let cannot = || format!("cannot write {}", self.path.display());
        self.file.write_all(&line).with_context(cannot)
    }
}
