//! The totals of a run, its summary line and its exit status.

use std::fmt::Write;
use std::path::PathBuf;
use std::time::Duration;

use super::counts::Counts;
use super::journal::Entry;
use crate::exit_status::ExitStatus;
use crate::io::filter::counted;

/// The totals of a run.
#[derive(Debug, Default)]
pub struct Tally {
    counts: Counts,
    /// Records analysed by this run, and by earlier ones.
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
    /// Takes in a record, which this run analysed or an earlier one.
    pub fn add(&mut self, entry: Entry, now: bool) {
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

    /// The whole, after the words of the verb.
    pub fn summary(
        &self,
        short: &str,
        time: Duration,
        journal: Option<PathBuf>,
        dropped: bool,
    ) -> String {
        let seconds = time.as_secs_f64();
        let rate = self.nodes as f64 / seconds.max(1e-9);
        let nodes = self.count("nodes");
        let mut text =
            format!("{short}; {nodes} nodes in {seconds:.2} s, {rate:.0} nodes a second");
        if let Some(journal) = journal.filter(|_| self.earlier > 0) {
            let records = counted(self.earlier, "record", "records");
            let _ = write!(text, "; {records} taken from {}", journal.display());
        }
        let unreadable = if dropped {
            "lines not understood, dropped"
        } else {
            "lines not understood, copied"
        };
        for (count, what) in [
            (self.given_up, "given up"),
            (self.illegal, "illegal positions copied"),
            (self.unreadable, unreadable),
        ] {
            if count > 0 {
                let _ = write!(text, "; {count} {what}");
            }
        }
        text
    }
}
