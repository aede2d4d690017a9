//! Sorting more than fits into memory.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, Write};
use std::ops::Range;

use anyhow::Context;

/// The bytes that are kept in memory before they are sorted and written to a temporary file.
const MEMORY: usize = 192 << 20;
/// The size of the buffer of each temporary file.
const BUFFER: usize = 256 << 10;

/// Sorts texts by their keys. Texts with the same key keep their order.
pub struct Sorter {
    /// Keys and texts, one after the other.
    bytes: Vec<u8>,
    /// Where each key and its text begin, and where the text ends.
    items: Vec<[u32; 3]>,
    /// The sorted files.
    runs: Vec<File>,
    memory: usize,
}

impl Sorter {
    pub fn new() -> Self {
        Self::with_memory(MEMORY)
    }

    fn with_memory(memory: usize) -> Self {
        Self {
            bytes: Vec::new(),
            items: Vec::new(),
            runs: Vec::new(),
            memory,
        }
    }

    /// Adds a text.
    pub fn push(&mut self, key: &[u8], text: &[u8]) -> anyhow::Result<()> {
        let used = self.bytes.len() + size_of_val(&self.items[..]);
        if used + key.len() + text.len() > self.memory && !self.items.is_empty() {
            self.spill().context("cannot write a temporary file")?;
        }
        let begin = self.bytes.len();
        self.bytes.extend(key);
        let middle = self.bytes.len();
        self.bytes.extend(text);
        let end = self.bytes.len();
        self.items
            .push([begin, middle, end].map(|offset| u32::try_from(offset).unwrap_or(u32::MAX)));
        Ok(())
    }

    /// The texts with their keys, in order.
    pub fn finish(mut self) -> anyhow::Result<Sorted> {
        self.sort();
        let mut runs = Vec::new();
        for mut file in self.runs {
            file.rewind().context("cannot read a temporary file")?;
            runs.push(Run::File(BufReader::with_capacity(BUFFER, file)));
        }
        runs.push(Run::Memory {
            bytes: self.bytes,
            items: self.items.into_iter(),
        });
        let mut sorted = Sorted {
            runs,
            next: BinaryHeap::new(),
        };
        for run in 0..sorted.runs.len() {
            sorted.advance(run)?;
        }
        Ok(sorted)
    }

    fn sort(&mut self) {
        let bytes = &self.bytes;
        self.items
            .sort_by(|one, two| bytes[key(*one)].cmp(&bytes[key(*two)]));
    }

    /// Writes what is in memory, sorted, to a temporary file.
    fn spill(&mut self) -> io::Result<()> {
        self.sort();
        let mut file = BufWriter::with_capacity(BUFFER, tempfile::tempfile()?);
        for &item in &self.items {
            let (key, text) = (&self.bytes[key(item)], &self.bytes[text(item)]);
            file.write_all(&(key.len() as u32).to_le_bytes())?;
            file.write_all(&(text.len() as u32).to_le_bytes())?;
            file.write_all(key)?;
            file.write_all(text)?;
        }
        self.runs
            .push(file.into_inner().map_err(io::IntoInnerError::into_error)?);
        self.bytes.clear();
        self.items.clear();
        Ok(())
    }
}

fn key([begin, middle, _]: [u32; 3]) -> Range<usize> {
    begin as usize..middle as usize
}

fn text([_, middle, end]: [u32; 3]) -> Range<usize> {
    middle as usize..end as usize
}

/// A part that is sorted in itself.
enum Run {
    File(BufReader<File>),
    Memory {
        bytes: Vec<u8>,
        items: std::vec::IntoIter<[u32; 3]>,
    },
}

impl Run {
    fn next(&mut self) -> io::Result<Option<(Vec<u8>, Vec<u8>)>> {
        match self {
            Self::Memory { bytes, items } => Ok(items
                .next()
                .map(|item| (bytes[key(item)].to_vec(), bytes[text(item)].to_vec()))),
            Self::File(file) => {
                let mut sizes = [0; 8];
                match file.read_exact(&mut sizes[..1]) {
                    Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
                    read => read?,
                }
                file.read_exact(&mut sizes[1..])?;
                let size =
                    |i: usize| u32::from_le_bytes([0, 1, 2, 3].map(|j| sizes[i + j])) as usize;
                let (mut key, mut text) = (vec![0; size(0)], vec![0; size(4)]);
                file.read_exact(&mut key)?;
                file.read_exact(&mut text)?;
                Ok(Some((key, text)))
            }
        }
    }
}

/// Keys and texts in the order of the keys.
pub struct Sorted {
    /// In the order in which they were written.
    runs: Vec<Run>,
    /// The first item of each run that has one.
    next: BinaryHeap<Reverse<Next>>,
}

/// A key, the number of its run, and the text.
type Next = (Vec<u8>, usize, Vec<u8>);

impl Sorted {
    fn advance(&mut self, run: usize) -> anyhow::Result<()> {
        let item = self.runs[run]
            .next()
            .context("cannot read a temporary file")?;
        self.next
            .extend(item.map(|(key, text)| Reverse((key, run, text))));
        Ok(())
    }
}

impl Iterator for Sorted {
    type Item = anyhow::Result<(Vec<u8>, Vec<u8>)>;

    fn next(&mut self) -> Option<Self::Item> {
        let Reverse((key, run, text)) = self.next.pop()?;
        Some(self.advance(run).map(|()| (key, text)))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// However much fits into memory, the order is that of a stable sort.
        #[test]
        fn as_in_memory(keys in prop::collection::vec("[a-c]{0,3}", 0..200), memory in 1_usize..2000) {
            let mut sorter = Sorter::with_memory(memory);
            let mut expected = Vec::new();
            for (i, key) in keys.iter().enumerate() {
                let text = "x".repeat(i % 7) + &i.to_string();
                sorter.push(key.as_bytes(), text.as_bytes()).expect("room");
                expected.push((key.clone().into_bytes(), text.into_bytes()));
            }
            expected.sort_by(|one, two| one.0.cmp(&two.0));
            let sorted: Vec<_> = sorter.finish().expect("readable").map(|item| item.expect("readable")).collect();
            prop_assert_eq!(sorted, expected);
        }
    }
}
