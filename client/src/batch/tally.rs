//! What is added up over the records of a run.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::journal::Entry;
use crate::Verdict;
use crate::filter::counted;

/// Numbers by name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts(BTreeMap<Cow<'static, str>, u64>);

impl<const N: usize> From<[(&'static str, u64); N]> for Counts {
    fn from(counts: [(&'static str, u64); N]) -> Self {
        Self(counts.map(|(name, count)| (name.into(), count)).into())
    }
}

impl Counts {
    pub fn add(&mut self, name: &'static str, count: u64) {
        *self.0.entry(name.into()).or_default() += count;
    }

    fn get(&self, name: &str) -> u64 {
        self.0.get(name).copied().unwrap_or(0)
    }
}

/// What all lines came to.
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
        for (name, count) in entry.counts.0 {
            *self.counts.0.entry(name).or_default() += count;
        }
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

    pub fn verdict(&self) -> Verdict {
        if self.unreadable > 0 {
            Verdict::Failed
        } else if self.faulty > 0 || self.illegal > 0 {
            Verdict::Faulty
        } else {
            Verdict::Good
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
