//! The transposition table, shared by all threads
//! (<https://www.chessprogramming.org/Transposition_Table>).
//!
//! The table is lock-free. An entry is two 64-bit words: the key XOR the data, and the data. If
//! two threads write the same entry at once, the words do not match and the entry reads as empty
//! (<https://www.chessprogramming.org/Shared_Hash_Table#Xor>). A bucket is a cache line of four
//! entries.

use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

use movegen::Move;
use movegen::memory::{self, NoMemory};

use crate::score::Score;
use crate::search::params::{age_factor, kept_depth};

/// The bound that a stored score is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bound {
    /// A lower bound, from a beta cutoff.
    Lower,
    /// An upper bound: no move beat alpha.
    Upper,
    /// An exact score.
    Exact,
}

/// What the table stores about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    pub best: Option<Move>,
    /// Mate distances count from this position, not from the root.
    pub score: Score,
    /// The static evaluation; [`Score::ILLEGAL`] for none, as in check.
    pub evaluation: Score,
    /// The search depth in plies; 0 for quiescence.
    pub depth: u8,
    pub bound: Bound,
}

impl Entry {
    fn pack(self, age: u8) -> u64 {
        u64::from(self.best.map_or(0, Move::bits))
            | u64::from(self.score.ce() as u16) << 16
            | u64::from(self.evaluation.ce() as u16) << 32
            | u64::from(self.depth) << 48
            | (self.bound as u64 + 1) << 56
            | u64::from(age) << 58
    }

    fn unpack(data: u64) -> Self {
        Self {
            best: Move::from_bits(data as u16),
            score: Score::from_ce((data >> 16) as i16),
            evaluation: Score::from_ce((data >> 32) as i16),
            depth: (data >> 48) as u8,
            bound: match data >> 56 & 3 {
                1 => Bound::Lower,
                2 => Bound::Upper,
                _ => Bound::Exact,
            },
        }
    }

    /// The stored score if it is known to be nearer to the truth than the evaluation, or else the
    /// evaluation.
    pub fn better_eval(&self, evaluation: Score, ply: usize) -> Score {
        let score = self.score.from_node_to_root(ply);
        let nearer = match self.bound {
            Bound::Exact => true,
            Bound::Lower => score > evaluation,
            Bound::Upper => score < evaluation,
        };
        if nearer && !score.is_decisive() {
            score
        } else {
            evaluation
        }
    }

    /// The score of a table entry, if it settles a node with this window.
    pub fn cutoff(&self, alpha: Score, beta: Score, ply: usize) -> Option<Score> {
        let score = self.score.from_node_to_root(ply);
        let settles = match self.bound {
            Bound::Exact => true,
            Bound::Lower => score >= beta,
            Bound::Upper => score <= alpha,
        };
        settles.then_some(score)
    }
}

/// The number of ages; the age wraps around after that many searches.
const AGES: u8 = 64;

#[derive(Default)]
#[repr(align(64))]
struct Bucket([[AtomicU64; 2]; 4]);

/// The table.
pub(crate) struct Table {
    buckets: Vec<Bucket>,
    age: u8,
}

impl Table {
    /// A table of this many MiB, at least one bucket.
    pub fn new(mib: usize) -> Result<Self, NoMemory> {
        let buckets = memory::entries(mib, Bucket::default)?;
        Ok(Self { buckets, age: 0 })
    }

    /// The size in MiB; 0 for less than one.
    pub fn mib(&self) -> usize {
        size_of_val(self.buckets.as_slice()) >> 20
    }

    /// Empties the table.
    pub fn clear(&mut self) {
        self.age = 0;
        for bucket in &mut self.buckets {
            *bucket = Bucket::default();
        }
    }

    /// Starts a new age: all entries now count as those of an earlier search.
    pub fn begin_search(&mut self) {
        self.age = (self.age + 1) % AGES;
    }

    fn bucket(&self, key: u64) -> &Bucket {
        let slot = (u128::from(key) * self.buckets.len() as u128) >> 64;
        &self.buckets[slot as usize]
    }

    /// Prefetches the bucket of a position into the cache.
    pub fn prefetch(&self, key: u64) {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            let bucket: *const Bucket = self.bucket(key);
            // SAFETY: the address is that of a bucket, and nothing is read from it.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(bucket.cast()) };
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = key;
    }

    pub fn get(&self, key: u64) -> Option<Entry> {
        self.bucket(key).0.iter().find_map(|[check, data]| {
            let data = data.load(Relaxed);
            (check.load(Relaxed) ^ data == key && data != 0).then(|| Entry::unpack(data))
        })
    }

    /// Stores an entry: over an entry of the same position, or else over the shallowest and oldest
    /// of the bucket. An entry without a best move keeps the known one, and a bound does not
    /// replace a much deeper entry of the current search.
    pub fn put(&self, key: u64, mut entry: Entry) {
        let mut least = (i32::MAX, 0);
        let entries = &self.bucket(key).0;
        for (i, [check, data]) in entries.iter().enumerate() {
            let data = data.load(Relaxed);
            let old = Entry::unpack(data);
            if check.load(Relaxed) ^ data == key && data != 0 {
                entry.best = entry.best.or(old.best);
                let is_fresh = (data >> 58) as u8 == self.age;
                if is_fresh
                    && entry.bound != Bound::Exact
                    && i32::from(old.depth) > i32::from(entry.depth) + kept_depth()
                {
                    let best = entry.best;
                    entry = Entry { best, ..old };
                }
                least = (0, i);
                break;
            }
            let relative_age = (AGES + self.age - (data >> 58) as u8) % AGES;
            let value = if data == 0 {
                i32::MIN
            } else {
                i32::from(old.depth) - age_factor() * i32::from(relative_age)
            };
            least = least.min((value, i));
        }
        let [check, data] = &entries[least.1];
        let packed = entry.pack(self.age);
        data.store(packed, Relaxed);
        check.store(key ^ packed, Relaxed);
    }

    /// The share of entries that belong to the current search, in thousandths, estimated from the
    /// first buckets (UCI `hashfull`).
    pub fn permille_full(&self) -> usize {
        let sample = &self.buckets[..self.buckets.len().min(250)];
        let fresh = sample
            .iter()
            .flat_map(|bucket| &bucket.0)
            .filter(|[_, data]| {
                let data = data.load(Relaxed);
                data != 0 && (data >> 58) as u8 == self.age
            })
            .count();
        fresh * 1000 / (sample.len() * 4)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use movegen::Square;

    fn entry(depth: u8, bound: Bound) -> Entry {
        Entry {
            best: Some(Move::normal(Square::E2, Square::E4)),
            score: Score::mated_in(7),
            evaluation: Score::ordinary(-123),
            depth,
            bound,
        }
    }

    #[test]
    fn a_stored_entry_is_found() {
        let table = Table::new(1).expect("small");
        for bound in [Bound::Lower, Bound::Upper, Bound::Exact] {
            let entry = entry(200, bound);
            table.put(0x1234_5678_9ABC_DEF0, entry);
            assert_eq!(table.get(0x1234_5678_9ABC_DEF0), Some(entry));
        }
        assert_eq!(table.get(0x1234_5678_9ABC_DEF1), None);
    }

    #[test]
    fn a_known_move_outlives_an_entry_without_one() {
        let table = Table::new(1).expect("small");
        table.put(7, entry(3, Bound::Exact));
        table.put(
            7,
            Entry {
                best: None,
                ..entry(5, Bound::Upper)
            },
        );
        assert_eq!(table.get(7), Some(entry(5, Bound::Upper)));
    }

    #[test]
    fn a_bound_does_not_replace_a_much_deeper_entry() {
        let mut table = Table::new(1).expect("small");
        let deep = entry(3 + kept_depth() as u8, Bound::Lower);
        table.put(7, deep);
        let other = Some(Move::normal(Square::D2, Square::D4));
        table.put(
            7,
            Entry {
                best: other,
                ..entry(2, Bound::Upper)
            },
        );
        let kept = Entry {
            best: other,
            ..deep
        };
        assert_eq!(table.get(7), Some(kept));
        for shallow in [entry(3, Bound::Upper), entry(0, Bound::Exact)] {
            table.put(7, deep);
            table.put(7, shallow);
            assert_eq!(table.get(7), Some(shallow));
        }
        // An entry of an earlier search is always replaced.
        table.put(7, deep);
        table.begin_search();
        table.put(7, entry(0, Bound::Upper));
        assert_eq!(table.get(7), Some(entry(0, Bound::Upper)));
    }

    #[test]
    fn shallow_and_old_entries_are_replaced_first() {
        let mut table = Table::new(1).expect("small");
        for key in 0..4 {
            table.put(key, entry(10 + key as u8, Bound::Exact));
        }
        table.put(4, entry(1, Bound::Exact));
        assert_eq!((table.get(0), table.get(1).is_some()), (None, true));
        table.begin_search();
        table.put(5, entry(5, Bound::Exact));
        assert_eq!((table.get(4), table.get(3).is_some()), (None, true));
        table.clear();
        assert_eq!(table.get(3), None);
    }
}
