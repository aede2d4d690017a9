//! The transposition table of the mate solver.

use movegen::memory::{self, NoMemory};

use super::node::{Key, Node};
use super::numbers::Numbers;

/// What is known about a position. The key includes the side to move, so an entry belongs either to the
/// attacker or to the defender.
#[derive(Clone, Copy)]
struct Entry {
    key: Key,
    /// The numbers for a mate within `moves`.
    numbers: Numbers,
    /// The nodes spent on it.
    work: u32,
    moves: u8,
    /// The attacker mates within this many moves.
    proven: u8,
    /// The attacker does not mate within this many moves.
    refuted: u8,
    /// The age of the table when it was stored.
    age: u8,
}

const _: () = assert!(size_of::<Entry>() == 32);

const EMPTY: Entry = Entry {
    key: Key {
        position: 0,
        check: 0,
    },
    numbers: Numbers::UNKNOWN,
    work: 0,
    moves: 0,
    proven: u8::MAX,
    refuted: 0,
    age: 0,
};

/// The entries of a bucket, which share a cache line.
const ENTRIES: usize = 2;

#[derive(Clone, Copy)]
#[repr(align(64))]
struct Bucket([Entry; ENTRIES]);

/// The table.
pub(super) struct Table {
    buckets: Vec<Bucket>,
    /// Entries of another age are ignored.
    age: u8,
}

impl Table {
    /// A table of this many MiB, at least one bucket.
    pub fn new(mib: usize) -> Result<Self, NoMemory> {
        Ok(Self {
            buckets: memory::entries(mib, || Bucket([EMPTY; ENTRIES]))?,
            age: EMPTY.age + 1,
        })
    }

    /// Forgets all entries, usually in constant time.
    pub fn clear(&mut self) {
        self.age = self.age.wrapping_add(1);
        if self.age == EMPTY.age {
            self.buckets.fill(Bucket([EMPTY; ENTRIES]));
            self.age += 1;
        }
    }

    fn bucket(&self, key: Key) -> usize {
        ((u128::from(key.position) * self.buckets.len() as u128) >> 64) as usize
    }

    /// The numbers of a node for the side to move, if any are known.
    pub fn get(&self, node: &Node) -> Option<Numbers> {
        let key = node.key();
        let entries = &self.buckets[self.bucket(key)].0;
        let same = |entry: &&Entry| entry.key == key && entry.age == self.age;
        let entry = entries.iter().find(same)?;
        let moves = node.moves as u8;
        if entry.proven <= moves {
            Some(Numbers::decided(node.attacks))
        } else if entry.refuted >= moves {
            Some(Numbers::decided(!node.attacks))
        } else {
            (entry.moves == moves).then_some(entry.numbers)
        }
    }

    /// Stores the numbers of a node, on which `work` nodes were spent. Results for other numbers of moves
    /// are kept. If the bucket is full, the entry with less work is replaced.
    pub fn put(&mut self, node: &Node, numbers: Numbers, work: u64) {
        let key = node.key();
        let bucket = self.bucket(key);
        let entries = &mut self.buckets[bucket].0;
        let age = self.age;
        for entry in &mut *entries {
            if entry.age != age {
                *entry = Entry { age, ..EMPTY };
            }
        }
        let same = entries.iter().position(|entry| entry.key == key);
        let slot = same.unwrap_or_else(|| usize::from(entries[1].work < entries[0].work));
        let entry = &mut entries[slot];
        if same.is_none() {
            *entry = Entry { key, age, ..EMPTY };
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

#[cfg(test)]
mod tests {
    use super::*;
    use movegen::Position;

    /// A result also decides other numbers of moves; undecided numbers hold for their own only.
    #[test]
    fn results_hold_for_other_numbers_of_moves() {
        let position = Position::start();
        let node = |moves| Node::root(&position, moves);
        let mut table = Table::new(1).expect("small");
        assert_eq!(table.get(&node(3)), None);
        let numbers = Numbers {
            proof: 5,
            disproof: 7,
        };
        table.put(&node(5), numbers, 1);
        table.put(&node(3), Numbers::LOST, 1);
        table.put(&node(8), Numbers::WON, 1);
        let expected = [
            (1, Some(Numbers::LOST)),
            (3, Some(Numbers::LOST)),
            (4, None),
            (5, Some(numbers)),
            (6, None),
            (8, Some(Numbers::WON)),
            (60, Some(Numbers::WON)),
        ];
        for (moves, expected) in expected {
            assert_eq!(table.get(&node(moves)), expected, "{moves}");
        }
    }

    /// No entry comes back when the age wraps around.
    #[test]
    fn cleared_entries_do_not_come_back() {
        let node = Node::root(&Position::start(), 2);
        let mut table = Table::new(0).expect("small");
        for _ in 0..600 {
            assert_eq!(table.get(&node), None);
            table.put(&node, Numbers::WON, 1);
            assert_eq!(table.get(&node), Some(Numbers::WON));
            table.clear();
        }
    }

    /// The entry that took more work stays.
    #[test]
    fn the_entry_with_less_work_is_replaced() {
        let mut table = Table::new(0).expect("small");
        let mut nodes = Vec::new();
        let mut position = Position::start();
        for _ in 0..3 {
            nodes.push(Node::root(&position, 2));
            position.play(position.legal_moves()[0]);
        }
        for (node, work) in nodes.iter().zip([9, 2, 5]) {
            table.put(node, Numbers::WON, work);
        }
        let known = nodes.iter().map(|node| table.get(node).is_some());
        assert!(known.eq([true, false, true]));
    }
}
