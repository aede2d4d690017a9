//! What a verb counts for a record, to be added up over the run.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// Numbers by name, such as `nodes` or `solved`.
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

    pub fn merge(&mut self, other: Self) {
        for (name, count) in other.0 {
            *self.0.entry(name).or_default() += count;
        }
    }

    /// The number of a name; 0 if nothing was counted under it.
    pub fn get(&self, name: &str) -> u64 {
        self.0.get(name).copied().unwrap_or(0)
    }
}
