//! A search from the outside: iterative deepening, threads, and what comes of them.

use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::time::Duration;

use movegen::{Game, Move, Position};

use crate::history::History;
use crate::limits::{Limits, Signals, Stopwatch};
use crate::net::Net;
use crate::pace::Pace;
use crate::params::{ASPIRATION_DEPTH, ASPIRATION_GROWTH, ASPIRATION_MARGIN, MATE_MARGIN};
use crate::processor;
use crate::score::{MAX_PLY, Score};
use crate::table::{NoMemory, Table};
use crate::vote::elect;
use crate::worker::{Best, Shared, Worker};

/// What is known after an iteration.
#[derive(Clone, Copy, Debug)]
pub struct Progress<'a> {
    /// Plies that every line was searched to, reductions and extensions aside.
    pub depth: usize,
    /// Which of several lines it is, from 1, the best one first.
    pub rank: usize,
    /// Plies of the longest line.
    pub selective_depth: usize,
    /// From the point of view of the side to move.
    pub score: Score,
    /// The best line, at least one move.
    pub pv: &'a [Move],
    /// Nodes of all threads so far.
    pub nodes: u64,
    /// Time since the search began.
    pub time: Duration,
    /// How full the table is, in thousandths.
    pub table_permille: usize,
}

/// What a search found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The move to play; none at checkmate and stalemate.
    pub best: Option<Move>,
    /// The answer that is expected.
    pub ponder: Option<Move>,
    /// From the point of view of the side to move.
    pub score: Score,
    /// The best line, [`best`](Self::best) first.
    pub pv: Vec<Move>,
    /// The last iteration that was finished, in plies.
    pub depth: usize,
    /// Nodes of all threads.
    pub nodes: u64,
    /// Wall time.
    pub time: Duration,
    /// Processor time of all threads, where the system tells it.
    pub processor_time: Option<Duration>,
}

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
    net: Option<Arc<Net>>,
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
            net: None,
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

    /// Evaluates by a network from now on, or without one.
    pub fn set_net(&mut self, net: Option<Arc<Net>>) {
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
    /// tells the observer of every iteration. At least depth 1 is finished.
    pub fn search(
        &mut self,
        game: &Game,
        limits: &Limits,
        signals: &Signals,
        observer: &mut dyn FnMut(&Progress<'_>),
    ) -> Outcome {
        if game.position().count_moves() == 0 {
            return Outcome {
                best: None,
                ponder: None,
                score: if game.position().is_check() {
                    Score::CHECKMATED
                } else {
                    Score::DRAW
                },
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
            net: self.net.as_deref(),
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

/// Searches deeper and deeper (<https://www.chessprogramming.org/Iterative_Deepening>). Returns
/// the best line and the last depth that was finished.
fn deepen(
    mut worker: Worker<'_>,
    lines: usize,
    observer: &mut dyn FnMut(&Progress<'_>),
) -> (Best, usize) {
    // The best line, and those that are second, third ... to it.
    let mut best = vec![Best::default(); lines];
    let mut finished = 0;
    let mut pace = Pace::default();
    let mut factor = 1.0;
    let last = worker
        .shared
        .limits
        .depth
        .unwrap_or(MAX_PLY)
        .clamp(1, MAX_PLY);
    // Every other helper runs a ply ahead, so that not all do the same at the same time
    // (<https://www.chessprogramming.org/Lazy_SMP>).
    for depth in 1 + worker.index % 2..=last {
        if depth > 1 && !worker.allows_iteration(factor) {
            break;
        }
        let ended = search_lines(&mut worker, depth, &mut best, observer);
        if !ended {
            break;
        }
        finished = depth;
        let first = best[0].line.first().copied();
        factor = pace.factor(first, best[0].score, worker.root_share(first));
        // Pruning hides quiet mates for a while: only so much deeper than a mate is long can it be
        // taken for the shortest.
        let mate = best[0].score.mate_plies();
        if lines == 1 && mate.is_some_and(|plies| 2 * plies + MATE_MARGIN <= depth) {
            break;
        }
    }
    worker.tell_nodes();
    (best.swap_remove(0), finished)
}

/// One iteration for each line: the best, then the best of the moves that no better line begins
/// with. False when it was broken off.
fn search_lines(
    worker: &mut Worker<'_>,
    depth: usize,
    best: &mut [Best],
    observer: &mut dyn FnMut(&Progress<'_>),
) -> bool {
    worker.taken.clear();
    let mut found = 0;
    for line in best.iter_mut() {
        let ended = aspire(worker, depth, line.score);
        if let Some(better) = worker.take_root_best() {
            *line = better;
            found += 1;
        } else if found > 0 {
            // There are not so many moves.
            break;
        }
        if !ended {
            return false;
        }
        worker.taken.extend(line.line.first());
    }
    // A later line can turn out better than an earlier one.
    best[..found].sort_by_key(|line| std::cmp::Reverse(line.score));
    worker.tell_nodes();
    for (i, line) in best[..found.max(1)].iter().enumerate() {
        observer(&Progress {
            depth,
            rank: i + 1,
            // The end of a line can come from the table, and another thread.
            selective_depth: worker.selective_depth.max(line.line.len()),
            score: line.score,
            pv: &line.line,
            nodes: worker.shared.told_nodes(),
            time: worker.shared.stopwatch.elapsed(),
            table_permille: worker.shared.table.permille_full(),
        });
    }
    true
}

/// One iteration, in a narrow window around the last score that is widened on the side where the
/// score falls out of it (<https://www.chessprogramming.org/Aspiration_Windows>). False when it was
/// broken off.
fn aspire(worker: &mut Worker<'_>, depth: usize, last: Score) -> bool {
    let mut margin = ASPIRATION_MARGIN;
    let (mut alpha, mut beta) = (-Score::INFINITE, Score::INFINITE);
    if depth >= ASPIRATION_DEPTH && !last.is_mate() {
        (alpha, beta) = (last - margin, last + margin);
    }
    loop {
        let Some(score) = worker.search_root((alpha, beta), depth) else {
            return false;
        };
        if score > alpha && score < beta {
            return true;
        }
        margin = margin * ASPIRATION_GROWTH / 16;
        // A window that leaves the ordinary scores is opened wide.
        if score <= alpha {
            alpha = if margin > 500 || score.is_mate() {
                -Score::INFINITE
            } else {
                score - margin
            };
        } else {
            beta = if margin > 500 || score.is_mate() {
                Score::INFINITE
            } else {
                score + margin
            };
        }
    }
}
