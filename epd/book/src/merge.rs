//! Unites sorted repositories into one.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

use crate::entry::Entry;

/// The entries of several sorted repositories, in their order. Entries of one position are united
/// ([`Entry::unite`]); what the first repository says comes first.
#[derive(Debug)]
pub struct Merge<I> {
    sources: Vec<I>,
    /// The next entry of each source.
    heads: BinaryHeap<Reverse<Head>>,
    is_started: bool,
}

/// The next entry of a source.
#[derive(Debug)]
struct Head {
    entry: Entry,
    source: usize,
}

impl Head {
    fn order(&self) -> (&str, usize) {
        (&self.entry.fields, self.source)
    }
}

impl PartialEq for Head {
    fn eq(&self, other: &Self) -> bool {
        self.order() == other.order()
    }
}

impl Eq for Head {}

impl PartialOrd for Head {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Head {
    fn cmp(&self, other: &Self) -> Ordering {
        self.order().cmp(&other.order())
    }
}

impl<E, I: Iterator<Item = Result<Entry, E>>> Merge<I> {
    /// Unites these sources, each of which must be sorted.
    #[must_use]
    pub fn new(sources: Vec<I>) -> Self {
        Self {
            sources,
            heads: BinaryHeap::new(),
            is_started: false,
        }
    }

    fn pull(&mut self, source: usize) -> Result<(), E> {
        if let Some(entry) = self.sources[source].next() {
            let entry = entry?;
            self.heads.push(Reverse(Head { entry, source }));
        }
        Ok(())
    }

    fn entry(&mut self) -> Result<Option<Entry>, E> {
        if !self.is_started {
            self.is_started = true;
            for source in 0..self.sources.len() {
                self.pull(source)?;
            }
        }
        let Some(Reverse(Head { mut entry, source })) = self.heads.pop() else {
            return Ok(None);
        };
        self.pull(source)?;
        while let Some(Reverse(head)) = self.heads.peek()
            && head.entry.fields == entry.fields
            && let Some(Reverse(head)) = self.heads.pop()
        {
            entry.unite(head.entry);
            self.pull(head.source)?;
        }
        Ok(Some(entry))
    }
}

impl<E, I: Iterator<Item = Result<Entry, E>>> Iterator for Merge<I> {
    type Item = Result<Entry, E>;

    fn next(&mut self) -> Option<Self::Item> {
        self.entry().transpose()
    }
}
