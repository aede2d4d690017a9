//! What a player writes down of its games: every record, and the games themselves.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::Path;

use anyhow::Context;
use jiff::Timestamp;

/// A log of records; without a file it takes them and forgets.
pub struct Log {
    records: Option<File>,
}

impl Log {
    /// Appends to a file, if there is one.
    pub fn open(records: Option<&Path>) -> anyhow::Result<Self> {
        let open = |path: &Path| {
            let file = OpenOptions::new().create(true).append(true).open(path);
            file.with_context(|| format!("cannot write {}", path.display()))
        };
        Ok(Self {
            records: records.map(open).transpose()?,
        })
    }

    /// Writes a record with the time, in milliseconds of UTC, and its direction: `<` came, `>` went.
    pub fn record(&mut self, direction: char, line: &str) -> anyhow::Result<()> {
        let Some(file) = &mut self.records else {
            return Ok(());
        };
        let now = Timestamp::now();
        writeln!(file, "{now:.3} {direction} {line}").context("cannot write the log")
    }
}
