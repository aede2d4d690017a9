//! The engine as its users see it: settings, threads and results of a search.

use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::time::Duration;

use movegen::memory::NoMemory;
use movegen::{Game, Move, Position};

use crate::cpu_time;
use crate::eval::nnue::Net;
use crate::limits::{Limits, NodeBudget, Pruning, Signals, Stopwatch};
use crate::score::Score;
use crate::search::iterative::{deepen, report};
use crate::search::outcome::{Observer, Outcome, Progress};
use crate::search::smp::elect;
use crate::search::tablebases::{Plan, Probing};
use crate::search::thread::{Best, Shared, ThreadMemory, Worker};
use crate::search::tt::Table;

/// A chess engine: its options, transposition table and histories. With one thread and no time
/// limit, a search is deterministic: it depends only on the searches since the last
/// [`clear`](Self::clear).
pub struct Searcher {
    table: Table,
    /// The histories of each thread, kept between searches; at least one.
    threads: Vec<ThreadMemory>,
    /// The number of lines to search (UCI `MultiPV`).
    lines: usize,
    /// The root moves to search (UCI `searchmoves`); empty for all.
    root_moves: Vec<Move>,
    net: Arc<Net>,
    probing: Option<Probing>,
    pruning: Pruning,
}

impl Searcher {
    /// Creates an engine with one thread and a transposition table of this many MiB.
    ///
    /// # Errors
    ///
    /// If there is not enough memory.
    pub fn with_hash(hash_mib: usize) -> Result<Self, NoMemory> {
        let net = Net::built_in();
        Ok(Self {
            table: Table::new(hash_mib)?,
            threads: vec![ThreadMemory::new(&net)],
            lines: 1,
            root_moves: Vec::new(),
            net,
            probing: None,
            pruning: Pruning::Full,
        })
    }

    /// Creates an engine like [`with_hash`](Self::with_hash), for a small table.
    ///
    /// # Panics
    ///
    /// If there is not enough memory. Use [`with_hash`](Self::with_hash) where a user chooses the size.
    #[must_use]
    pub fn new(hash_mib: usize) -> Self {
        Self::with_hash(hash_mib).expect("a small table")
    }

    /// Replaces the transposition table by an empty one of this many MiB.
    ///
    /// # Errors
    ///
    /// If there is not enough memory. The table is then empty and has its old size.
    pub fn set_hash(&mut self, hash_mib: usize) -> Result<(), NoMemory> {
        let old = self.table.mib();
        // Both tables at once might not fit in memory.
        self.table = Table::new(0)?;
        let wanted = Table::new(hash_mib);
        let refused = wanted.as_ref().err().copied();
        self.table = wanted.or_else(|_| Table::new(old))?;
        refused.map_or(Ok(()), Err)
    }

    /// Sets the network, and clears what was learned with the one before.
    pub fn set_net(&mut self, net: Arc<Net>) {
        self.table.clear();
        for memory in &mut self.threads {
            *memory = ThreadMemory::new(&net);
        }
        self.net = net;
    }

    /// Sets which endgame tablebases are used, and how.
    pub fn set_probing(&mut self, probing: Option<Probing>) {
        self.probing = probing;
    }

    /// Which endgame tablebases are used, and how.
    #[must_use]
    pub const fn probing(&self) -> Option<&Probing> {
        self.probing.as_ref()
    }

    /// Sets how many moves the search skips.
    pub const fn set_pruning(&mut self, pruning: Pruning) {
        self.pruning = pruning;
    }

    /// Sets the number of lines to search, at most one for each legal move; 0 counts as 1.
    pub fn set_lines(&mut self, lines: usize) {
        self.lines = lines.max(1);
    }

    /// Restricts the search to these root moves; an empty list allows all.
    pub fn set_root_moves(&mut self, moves: Vec<Move>) {
        self.root_moves = moves;
    }

    /// Sets the number of threads; 0 counts as 1.
    pub fn set_threads(&mut self, threads: usize) {
        let new = || ThreadMemory::new(&self.net);
        self.threads.resize_with(threads.max(1), new);
    }

    /// Clears the transposition table and all histories, for a new game (UCI `ucinewgame`).
    pub fn clear(&mut self) {
        self.table.clear();
        self.threads.iter_mut().for_each(ThreadMemory::clear);
    }

    /// Searches the current position of a game until a limit is reached or a signal stops it. Reports
    /// every iteration to the observer, and the lines once more in the end if there are new lines or more
    /// nodes. The outcome has a move unless the game is over or no root move is legal. If the search stops
    /// in the first iteration, its depth is 0.
    pub fn search(
        &mut self,
        game: &Game,
        limits: &Limits,
        signals: &Signals,
        observer: &mut dyn FnMut(&Progress<'_>),
    ) -> Outcome {
        if let Some(score) = self.without_move(game.position()) {
            return Outcome {
                best: None,
                ponder: None,
                score,
                is_lower_bound: false,
                pv: Vec::new(),
                depth: 0,
                nodes: 0,
                tablebase_hits: 0,
                time: Duration::ZERO,
                processor_time: cpu_time::thread_time().map(|_| Duration::ZERO),
            };
        }
        let (found, processor_time) = self.run(game, limits, signals, &mut Some(observer));
        let Best {
            score,
            is_lower_bound,
            ref line,
            ..
        } = found.best;
        let mut pv = line.to_vec();
        // The table may know another way to mate, of another length.
        if !(is_lower_bound && score.is_mate()) {
            complete_line(&self.table, game.position(), &mut pv, found.depth);
        }
        Outcome {
            best: pv.first().copied(),
            ponder: pv.get(1).copied(),
            score,
            is_lower_bound,
            pv,
            depth: found.depth,
            nodes: found.nodes,
            tablebase_hits: found.tablebase_hits,
            time: found.time,
            processor_time,
        }
    }

    /// Searches like [`search`](Self::search), without reports, and returns only the best move and the
    /// score for the side to move. `None` if the position has no legal moves.
    pub fn best_move(
        &mut self,
        game: &Game,
        limits: &Limits,
        signals: &Signals,
    ) -> Option<(Move, Score)> {
        if game.position().count_moves() == 0 {
            return None;
        }
        let (found, _) = self.run(game, limits, signals, &mut None);
        Some((*found.best.line.first()?, found.best.score))
    }

    /// Searches a position with legal moves on all threads.
    fn run(
        &mut self,
        game: &Game,
        limits: &Limits,
        signals: &Signals,
        observer: &mut Observer<'_>,
    ) -> (Found, Option<Duration>) {
        self.table.begin_search();
        let shared = Shared {
            table: &self.table,
            root_moves: &self.root_moves,
            halt: AtomicBool::new(false),
            nodes: self.threads.iter().map(|_| AtomicU64::new(0)).collect(),
            stopwatch: Stopwatch::start(limits, signals),
            budget: NodeBudget::new(limits, self.threads.len()),
            depth: limits.depth,
            plan: Plan::new(self.probing.as_ref(), game),
            pruning: self.pruning,
            table_hits: self.threads.iter().map(|_| AtomicU64::new(0)).collect(),
        };
        let (mut results, processor_time) = std::thread::scope(|scope| {
            let threads = self.threads.iter_mut().enumerate();
            let mut workers = threads.map(|(i, memory)| Worker::new(&shared, i, memory, game));
            // The main thread draws from the node budget first.
            let first = workers.next().expect("at least one thread");
            let helpers = workers.map(|worker| {
                scope.spawn(move || cpu_time::timed(|| deepen(worker, 1, &mut None)))
            });
            let helpers: Vec<_> = helpers.collect();
            let (found, own) = cpu_time::timed(|| deepen(first, self.lines, observer));
            shared.halt.store(true, Relaxed);
            let joined = helpers.into_iter().map(|helper| {
                let joined = helper.join();
                joined.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            });
            let (others, times): (Vec<_>, Vec<_>) = joined.unzip();
            let processor_time = times.into_iter().fold(own, |sum, time| Some(sum? + time?));
            let results: Vec<_> = std::iter::once(found).chain(others).collect();
            (results, processor_time)
        });
        let has_vote = self.lines == 1 && limits.depth.is_none();
        let elected = if has_vote { elect(&results) } else { 0 };
        let found = results.swap_remove(elected);
        if elected != 0 || Some(shared.total_nodes()) != found.reported_nodes {
            report(&shared, &found.lines, found.selective_depth, observer);
        }
        let found = Found {
            best: found.lines.into_iter().next().unwrap_or_default(),
            depth: found.finished,
            nodes: shared.total_nodes(),
            tablebase_hits: shared.total_table_hits(),
            time: shared.stopwatch.elapsed(),
        };
        (found, processor_time)
    }
}

/// The combined result of all threads.
struct Found {
    best: Best,
    depth: usize,
    nodes: u64,
    tablebase_hits: u64,
    time: Duration,
}

impl Searcher {
    /// The score of a position without a move to search.
    fn without_move(&self, position: &Position) -> Option<Score> {
        let illegal = |mv: &Move| !position.is_legal(*mv);
        let nothing_to_search = !self.root_moves.is_empty() && self.root_moves.iter().all(illegal);
        Score::of_finished(position).or_else(|| nothing_to_search.then_some(Score::DRAW))
    }
}

/// Extends a short line, such as one that failed high, by best moves from the table, up to `depth` moves
/// and without repeating a position.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::tt::Entry;
    use movegen::Square;

    /// The table entry of the root after a search of some lines and root moves.
    fn root_entry(game: &Game, lines: usize, root_moves: Vec<Move>) -> Option<Entry> {
        let mut searcher = Searcher::new(1);
        searcher.set_lines(lines);
        searcher.set_root_moves(root_moves);
        let (limits, signals) = (Limits::depth(6), Signals::default());
        searcher.search(game, &limits, &signals, &mut |_| ());
        searcher.table.get(game.position().key())
    }

    /// A searcher that is given another network finds what a new one finds with it, and nothing is left of the
    /// network before.
    #[test]
    fn another_network_takes_over() {
        use crate::layout::{BUCKETS, FEATURES, HIDDEN, ROWS};
        // A network that counts pawns: the first 64 inputs are the own pawns.
        let mut rows = vec![[0; HIDDEN]; ROWS];
        rows[..64].fill([20; HIDDEN]);
        for outputs in rows[FEATURES + 1..].chunks_mut(2) {
            outputs.copy_from_slice(&[[9; HIDDEN], [-9; HIDDEN]]);
        }
        let rows = rows.as_slice().try_into().expect("all rows");
        let other = Net::from_rows(rows, [0; BUCKETS]).expect("weights in range");
        let other = Arc::new(other);
        let game = Game::new(Position::start());
        let search = |searcher: &mut Searcher| {
            let (limits, signals) = (Limits::depth(7), Signals::default());
            let outcome = searcher.search(&game, &limits, &signals, &mut |_| ());
            (outcome.pv, outcome.score, outcome.nodes)
        };
        let fresh = |net: &Arc<Net>| {
            let mut searcher = Searcher::new(1);
            searcher.set_net(Arc::clone(net));
            search(&mut searcher)
        };
        let built_in = Net::built_in();
        let expected = [&built_in, &other, &built_in].map(fresh);
        assert_ne!(expected[0], expected[1]);
        let mut searcher = Searcher::new(1);
        let found = [&built_in, &other, &built_in].map(|net| {
            searcher.set_net(Arc::clone(net));
            search(&mut searcher)
        });
        assert_eq!(found, expected);
    }

    /// The best of some moves is not the best of the position, so it is not stored as such.
    #[test]
    fn a_search_of_some_root_moves_stores_no_root_entry() {
        // Any move of a pawn keeps the root from coming back.
        let position: Position = "4k3/pppp4/8/3q4/4P3/8/PPPP4/4K3 w - - 0 1"
            .parse()
            .expect("legal");
        let game = Game::new(position);
        let best = Move::normal(Square::E4, Square::D5);
        let other = Move::normal(Square::A2, Square::A3);
        let stored = |lines, root_moves| {
            let entry = root_entry(&game, lines, root_moves)?;
            Some(entry.best.expect("an exact score has a move"))
        };
        assert_eq!(stored(1, vec![]), Some(best));
        assert_eq!(stored(1, vec![other]), None);
        // With several lines the entry is that of the first.
        assert_eq!(stored(3, vec![]), Some(best));
    }
}
