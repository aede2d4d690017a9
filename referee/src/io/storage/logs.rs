//! What may wait while the disk is full: the log of records, the stream of events, standard error.

use std::collections::HashMap;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use anyhow::Context;
use jiff::Timestamp;
use serde_json::Value;

use super::stderr::{StderrFile, label};
use super::{EVENTS, Storage};
use crate::core::event::stream::Stamped;
use crate::core::event::{Ledger, ProgramId, Report};
use crate::core::journal::Entry;
use crate::core::text::visible;
use crate::web::Feed;

/// The most that is kept of a log that cannot be written, in bytes.
const MAX_PENDING: usize = 4 << 20;

impl Storage {
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

    /// The file with what a program has written to its standard error last, if it has.
    #[must_use]
    pub fn stderr_of(&self, program: ProgramId) -> Option<&Path> {
        self.stderr.get(&program).map(|file| file.path.as_path())
    }

    /// Adds lines of a player's standard error, written in a game or outside of one.
    pub fn stderr(
        &mut self,
        program: ProgramId,
        (names, player): (&[String], usize),
        game: Option<usize>,
        lines: &str,
    ) -> io::Result<()> {
        match self.stderr.get_mut(&program) {
            Some(file) if file.game == game => file.write(lines),
            _ => {
                let mut file = StderrFile::open(&self.directory, &label(names, player), game)?;
                file.write(lines)?;
                self.stderr.insert(program, file);
                Ok(())
            }
        }
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
