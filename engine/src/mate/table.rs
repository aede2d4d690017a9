//! What is known of positions on the way to a mate.

use super::node::{Key, Node};
use super::proof::Numbers;

/// What is known of a position. It is the attacker's or the defender's to move: that is part of the
/// key.
#[derive(Clone, Copy)]
struct Entry {
    key: Key,
    /// The numbers of the question whether there is a mate within `moves`.
    numbers: Numbers,
    /// The nodes that went into it.
    work: u32,
    moves: u8,
    /// Within so many moves the attacker mates.
    proven: u8,
    /// Within so many moves the attacker does not mate.
    refuted: u8,
}

const _: () = assert!(size_of::<Entry>() == 32);

const NOTHING: Entry = Entry {
    key: Key {
        position: 0,
        check: 0,
    },
    numbers: Numbers::UNKNOWN,
    work: 0,
    moves: 0,
    proven: u8::MAX,
    refuted: 0,
};

/// Entries that share a cache line take each other's place.
const PLACES: usize = 2;

#[derive(Clone, Copy)]
#[repr(align(64))]
struct Bucket([Entry; PLACES]);

/// The table.
pub(super) struct Table(Vec<Bucket>);

impl Table {
    pub fn new(mebibytes: usize) -> Self {
        let buckets = ((mebibytes << 20) / size_of::<Bucket>()).max(1);
        Self(vec![Bucket([NOTHING; PLACES]); buckets])
    }

    pub fn clear(&mut self) {
        self.0.fill(Bucket([NOTHING; PLACES]));
    }

    fn bucket(&self, key: Key) -> usize {
        ((u128::from(key.position) * self.0.len() as u128) >> 64) as usize
    }

    /// The numbers of a node, for the side to move, if anything is known of it.
    pub fn get(&self, node: &Node) -> Option<Numbers> {
        let key = node.key();
        let entries = &self.0[self.bucket(key)].0;
        let entry = entries.iter().find(|entry| entry.key == key)?;
        let moves = node.moves as u8;
        if entry.proven <= moves {
            Some(Numbers::decided(node.attacks))
        } else if entry.refuted >= moves {
            Some(Numbers::decided(!node.attacks))
        } else {
            (entry.moves == moves).then_some(entry.numbers)
        }
    }

    /// Stores the numbers of a node, for which so many nodes were looked at. What was decided about
    /// other numbers of moves is kept.
    pub fn put(&mut self, node: &Node, numbers: Numbers, work: u64) {
        let key = node.key();
        let bucket = self.bucket(key);
        let entries = &mut self.0[bucket].0;
        let same = entries.iter().position(|entry| entry.key == key);
        let place = same.unwrap_or_else(|| usize::from(entries[1].work < entries[0].work));
        let entry = &mut entries[place];
        if same.is_none() {
            *entry = Entry { key, ..NOTHING };
        }
        let moves = node.moves as u8;
        entry.work = entry
            .work
            .saturating_add(u32::try_from(work).unwrap_or(u32::MAX));
        match numbers.winner() {
            Some(mover) if mover == node.attacks => entry.proven = entry.proven.min(moves),
            Some(_) => entry.refuted = entry.refuted.max(moves),
            None => {
                entry.moves = moves;
                entry.numbers = numbers;
            }
        }
    }
}
