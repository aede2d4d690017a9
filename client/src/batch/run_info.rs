//! The description of a run: engine, limits and dates.
//!
//! The records of a result file depend only on the input and the options, byte for byte. Everything
//! else about a run is written as JSON into a file beside it: `OUT.run.json`.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, bail};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::io::output::Output;
use crate::io::stream::Stream;

/// A run of pfga, pfms or pfts. Fields that a reader does not know are ignored, and those that are
/// missing are empty.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct RunInfo {
    /// Always [`RunInfo::FORMAT`].
    pub format: String,
    /// The version of the format.
    pub version: u32,
    pub verb: String,
    /// The name of the input file without its folder; `-` for standard input.
    pub input: String,
    /// The records that were written.
    pub records: u64,
    pub limits: RunLimits,
    pub engine: RunEngine,
    pub threads: u64,
    pub jobs: u64,
    pub multipv: u64,
    pub hash_mib: u64,
    /// When the run began, or the first of several where it was resumed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub started: Option<Timestamp>,
    /// When it ended; none if it was interrupted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub finished: Option<Timestamp>,
}

/// The limits of each position.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct RunLimits {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time_ms: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Plies.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<u64>,
    /// The moves of a mate search.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moves: Option<u64>,
}

/// The engine of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct RunEngine {
    /// Name and version, as it gives them.
    pub name: String,
    /// The command line of a UCI engine; none for the built-in engine.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// The options that were set by name.
    pub options: BTreeMap<String, String>,
}

impl Default for RunInfo {
    fn default() -> Self {
        Self {
            format: Self::FORMAT.to_owned(),
            version: 1,
            verb: String::new(),
            input: String::new(),
            records: 0,
            limits: RunLimits::default(),
            engine: RunEngine::default(),
            threads: 0,
            jobs: 0,
            multipv: 0,
            hash_mib: 0,
            started: None,
            finished: None,
        }
    }
}

impl RunLimits {
    /// A limit of time in milliseconds.
    pub fn milliseconds(time: Option<Duration>) -> Option<u64> {
        time.map(|time| time.as_millis() as u64)
    }
}

impl RunInfo {
    pub const FORMAT: &str = "epode-run";

    /// The name of the built-in engine, with its version.
    pub const BUILT_IN: &str = concat!("Epode ", env!("CARGO_PKG_VERSION"));

    /// Where the run of a result file is described: beside the file itself, not beside a link to it.
    pub fn path(results: &Path) -> PathBuf {
        let target = results.is_symlink().then(|| results.canonicalize().ok());
        let results = target.flatten().unwrap_or_else(|| results.to_owned());
        let mut name = results.into_os_string();
        name.push(".run.json");
        name.into()
    }

    /// Reads the description of the run that wrote a result file; none if there is no such file.
    pub fn beside(results: &Path) -> anyhow::Result<Option<Self>> {
        let path = Self::path(results);
        let text = match fs::read(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            text => text.with_context(|| format!("cannot read {}", path.display()))?,
        };
        let info: Self =
            serde_json::from_slice(&text).with_context(|| path.display().to_string())?;
        if info.format != Self::FORMAT {
            bail!(
                "{}: format: expected {:?}, found {:?}",
                path.display(),
                Self::FORMAT,
                info.format
            );
        }
        Ok(Some(info))
    }

    /// Describes the run of a result file. The description is written whole or not at all.
    pub fn write_beside(&self, results: &Path) -> anyhow::Result<()> {
        let mut output = Output::create(&Stream::File(Self::path(results)))?;
        output.write_with(|out| {
            serde_json::to_writer_pretty(&mut *out, self)?;
            out.write_all(b"\n")
        })?;
        output.finish()
    }

    /// Removes the description of a result file that is no longer there.
    pub fn remove_beside(results: &Path) -> io::Result<()> {
        match fs::remove_file(Self::path(results)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let folder = tempfile::tempdir().expect("a folder");
        let results = folder.path().join("out.epd");
        assert_eq!(RunInfo::beside(&results).expect("no file"), None);
        let info = RunInfo {
            verb: "pfts".to_owned(),
            input: "in.epd".to_owned(),
            records: 24,
            limits: RunLimits {
                time_ms: Some(1000),
                ..RunLimits::default()
            },
            engine: RunEngine {
                name: RunInfo::BUILT_IN.to_owned(),
                command: None,
                options: [("Hash".to_owned(), "16".to_owned())].into(),
            },
            started: Some(Timestamp::UNIX_EPOCH),
            ..RunInfo::default()
        };
        info.write_beside(&results).expect("written");
        let text = fs::read_to_string(folder.path().join("out.epd.run.json")).expect("there");
        assert!(
            text.contains("\"started\": \"1970-01-01T00:00:00Z\""),
            "{text}"
        );
        assert!(!text.contains("finished"), "{text}");
        assert_eq!(RunInfo::beside(&results).expect("readable"), Some(info));
        RunInfo::remove_beside(&results).expect("removed");
        RunInfo::remove_beside(&results).expect("nothing to remove");
        assert_eq!(RunInfo::beside(&results).expect("no file"), None);
    }

    #[test]
    fn other_versions_are_read_and_other_formats_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let results = folder.path().join("out.epd");
        let path = RunInfo::path(&results);
        let newer = r#"{"version": 2, "verb": "pfga", "limits": {"mood": 1}, "new": [1]}"#;
        fs::write(&path, newer).expect("written");
        let info = RunInfo::beside(&results).expect("readable").expect("there");
        assert_eq!((info.version, info.verb.as_str()), (2, "pfga"));
        for (text, expected) in [
            (
                r#"{"format": "other"}"#,
                r#"format: expected "epode-run", found "other""#,
            ),
            ("{\"verb\": ", "out.epd.run.json: EOF"),
        ] {
            fs::write(&path, text).expect("written");
            let error = format!("{:#}", RunInfo::beside(&results).expect_err("refused"));
            assert!(error.contains(expected), "{error}");
        }
    }
}
