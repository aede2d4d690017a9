//! The totals of a run, its summary line and its exit status.

use std::fmt::Write;
use std::path::PathBuf;
use std::time::Duration;

use super::counts::Counts;
use super::journal::JournalEntry;
use crate::exit_status::ExitStatus;
use crate::text::{counted, rate, seconds};

/// The totals of a run.
#[derive(Debug, Default)]
pub struct Tally {
    counts: Counts,
    /// The records analysed by this run, and by earlier ones.
    now: usize,
    earlier: usize,
    /// The nodes of this run.
    nodes: u64,
    faulty: usize,
    given_up: usize,
    pub illegal: usize,
    pub unreadable: usize,
}

impl Tally {
    /// Counts a record of this run or of an earlier one.
    pub fn add(&mut self, entry: JournalEntry, now: bool) {
        if now {
            self.now += 1;
            self.nodes += entry.counts.get("nodes");
        } else {
            self.earlier += 1;
        }
        self.faulty += usize::from(entry.fault.is_some());
        self.given_up += usize::from(entry.given_up);
        self.counts.merge(entry.counts);
    }

    /// The sum of what the records counted under a name.
    pub fn count(&self, name: &str) -> u64 {
        self.counts.get(name)
    }

    /// The records that were analysed or given up.
    pub fn analysed(&self) -> usize {
        self.now + self.earlier
    }

    /// The records that were written.
    pub fn written(&self) -> usize {
        self.analysed() + self.illegal
    }

    pub fn status(&self) -> ExitStatus {
        if self.unreadable > 0 {
            ExitStatus::Failed
        } else if self.faulty > 0 || self.illegal > 0 {
            ExitStatus::Faulty
        } else {
            ExitStatus::Success
        }
    }

    /// The summary line, which begins with the counts of the verb.
    pub fn summary(
        &self,
        short: &str,
        time: Duration,
        journal: Option<PathBuf>,
        dropped: bool,
    ) -> String {
        // The nodes include those of earlier runs, the speed does not.
        let nodes = counted(self.count("nodes"), "node", "nodes");
        let (took, rate) = (seconds(time, 2), rate(self.nodes, time));
        let mut text = format!("{short}; {nodes} in {took}, {rate:.0} nodes a second");
        if let Some(journal) = journal.filter(|_| self.earlier > 0) {
            let records = counted(self.earlier, "record", "records");
            let _ = write!(text, "; {records} taken from {}", journal.display());
        }
        if self.given_up > 0 {
            let _ = write!(text, "; {} given up", self.given_up);
        }
        if self.illegal > 0 {
            let positions = counted(self.illegal, "illegal position", "illegal positions");
            let _ = write!(text, "; {positions} copied");
        }
        if self.unreadable > 0 {
            let lines = counted(self.unreadable, "line", "lines");
            let fate = if dropped { "dropped" } else { "copied" };
            let _ = write!(text, "; {lines} not understood, {fate}");
        }
        text
    }
}
