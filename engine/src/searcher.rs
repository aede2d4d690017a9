//! A search from the outside: what is asked for, its threads, and what comes of them.

use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::time::Duration;

use movegen::memory::NoMemory;
use movegen::{Game, Move, Position};

use crate::deepen::deepen;
use crate::history::History;
use crate::limits::{Limits, Signals, Stopwatch};
use crate::net::Net;
use crate::outcome::{Outcome, Progress};
use crate::processor;
use crate::score::Score;
use crate::table::Table;
use crate::vote::elect;
use crate::worker::{Best, Shared, Worker};

/// A searching engine: its table and what it has learnt. With one thread and no time limit a
/// search depends on nothing but the searches since the last [`clear`](Self::clear).
pub struct Searcher {
    table: Table,
    history: History,
    /// Those of the threads beside the first.
    helpers: Vec<History>,
    /// The lines to be found.
    lines: usize,
    /// The moves to choose from; all if there are none.
    root_moves: Vec<Move>,
    net: Arc<Net>,
}

impl Searcher {
    /// An engine with a table of so many MiB and one thread.
    ///
    /// # Errors
    ///
    /// The memory may be refused.
    pub fn with_hash(hash_mib: usize) -> Result<Self, NoMemory> {
        Ok(Self {
            table: Table::new(hash_mib)?,
            history: History::new(),
            helpers: Vec::new(),
            lines: 1,
            root_moves: Vec::new(),
            net: Net::built_in(),
        })
    }

    /// The same for a size that any machine has.
    ///
    /// # Panics
    ///
    /// The memory may be refused: where a user chooses the size, [`with_hash`](Self::with_hash)
    /// tells.
    #[must_use]
    pub fn new(hash_mib: usize) -> Self {
        Self::with_hash(hash_mib).expect("a small table")
    }

    /// Takes another table, of so many MiB.
    ///
    /// # Errors
    ///
    /// The memory may be refused: then there is an empty table of the old size.
    pub fn set_hash(&mut self, hash_mib: usize) -> Result<(), NoMemory> {
        let old = self.table.mib();
        // Both at once might be too much.
        self.table = Table::new(0)?;
        let wanted = Table::new(hash_mib);
        let refused = wanted.as_ref().err().copied();
        self.table = wanted.or_else(|_| Table::new(old))?;
        refused.map_or(Ok(()), Err)
    }

    /// Evaluates by another network from now on.
    pub fn set_net(&mut self, net: Arc<Net>) {
        self.net = net;
    }

    /// Finds so many lines from now on, the best ones first; 0 counts as 1.
    pub fn set_lines(&mut self, lines: usize) {
        self.lines = lines.max(1);
    }

    /// Chooses from these moves alone from now on, or from all if there are none.
    pub fn set_root_moves(&mut self, moves: Vec<Move>) {
        self.root_moves = moves;
    }

    /// Searches with so many threads from now on; 0 counts as 1.
    pub fn set_threads(&mut self, threads: usize) {
        self.helpers.resize_with(threads.max(1) - 1, History::new);
    }

    /// Forgets everything, as for another game.
    pub fn clear(&mut self) {
        self.table.clear();
        self.history.clear();
        self.helpers.iter_mut().for_each(History::clear);
    }

    /// Searches the current position of a game until a limit is reached or stopped by a signal, and
    /// tells the observer of every iteration, and of the best line in the end if that is another.
    /// At least depth 1 is finished.
    pub fn search(
        &mut self,
        game: &Game,
        limits: &Limits,
        signals: &Signals,
        observer: &mut dyn FnMut(&Progress<'_>),
    ) -> Outcome {
        if let Some(score) = Score::of_finished(game.position()) {
            return Outcome {
                best: None,
                ponder: None,
                score,
                pv: Vec::new(),
                depth: 0,
                nodes: 0,
                time: Duration::ZERO,
                processor_time: processor::thread_time().map(|_| Duration::ZERO),
            };
        }
        self.table.begin_search();
        let shared = Shared {
            table: &self.table,
            root_moves: &self.root_moves,
            halt: AtomicBool::new(false),
            nodes: (0..=self.helpers.len())
                .map(|_| AtomicU64::new(0))
                .collect(),
            stopwatch: Stopwatch::start(limits, signals),
            limits,
            net: &self.net,
        };
        let ((best, depth), processor_time) = std::thread::scope(|scope| {
            let helpers = self.helpers.iter_mut().enumerate().map(|(i, history)| {
                let worker = Worker::new(&shared, i + 1, history, game);
                scope.spawn(move || processor::timed(|| deepen(worker, 1, &mut |_| ())))
            });
            let helpers: Vec<_> = helpers.collect();
            let worker = Worker::new(&shared, 0, &mut self.history, game);
            let (found, own) = processor::timed(|| deepen(worker, self.lines, observer));
            shared.halt.store(true, Relaxed);
            let joined = helpers.into_iter().map(|helper| {
                let joined = helper.join();
                joined.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            });
            let (others, times): (Vec<_>, Vec<_>) = joined.unzip();
            let processor_time = times.into_iter().fold(own, |sum, time| Some(sum? + time?));
            if self.lines > 1 || limits.depth.is_some() {
                return (found, processor_time);
            }
            let first = |(best, _): &(Best, usize)| best.line.first().copied();
            let elected = elect(std::iter::once(found.clone()).chain(others));
            // What the first thread has found has been told already.
            if first(&elected) == first(&found) {
                return (found, processor_time);
            }
            let (best, depth) = &elected;
            observer(&Progress {
                depth: *depth,
                rank: 1,
                selective_depth: best.line.len(),
                score: best.score,
                pv: &best.line,
                nodes: shared.told_nodes(),
                time: shared.stopwatch.elapsed(),
                table_permille: self.table.permille_full(),
            });
            (elected, processor_time)
        });
        let mut pv = best.line.to_vec();
        complete_line(&self.table, game.position(), &mut pv, depth);
        Outcome {
            best: pv.first().copied(),
            ponder: pv.get(1).copied(),
            score: best.score,
            pv,
            depth,
            nodes: shared.told_nodes(),
            time: shared.stopwatch.elapsed(),
            processor_time,
        }
    }
}

/// Adds the best moves that the table knows to a line that breaks off early, as one that was found
/// outside the window does, up to `depth` moves and not around in a circle.
fn complete_line(table: &Table, root: &Position, line: &mut Vec<Move>, depth: usize) {
    let mut position = *root;
    let mut keys = vec![position.key()];
    for &mv in line.iter() {
        position.play_unchecked(mv);
        keys.push(position.key());
    }
    while line.len() < depth {
        let known = table.get(position.key()).and_then(|entry| entry.best);
        let Some(mv) = known.filter(|&mv| position.is_legal(mv)) else {
            break;
        };
        position.play_unchecked(mv);
        if keys.contains(&position.key()) {
            break;
        }
        keys.push(position.key());
        line.push(mv);
    }
}
