//! The state of one search thread, and what the threads of a search share.

use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU64};

use arrayvec::ArrayVec;
use movegen::{Game, Move, Position};

use crate::eval::adjust::adjusted;
use crate::eval::endgame;
use crate::eval::nnue::{Accumulators, Net};
use crate::limits::{NodeBudget, Pruning, RootMove, Stopwatch};
use crate::ordering::history::{History, HistoryContext, Quiet};
use crate::ordering::piece_to::{PieceTo, PreviousMoves};
use crate::score::{MAX_PLY, Score};
use crate::search::tablebases::Plan;
use crate::search::tt::{Entry, Table};

/// A line of play.
pub(crate) type Line = ArrayVec<Move, { MAX_PLY + 1 }>;

/// The best line so far and its score.
#[derive(Clone, Default)]
pub(crate) struct Best {
    pub score: Score,
    /// The score is at least this: the line failed high, and was not searched again with a higher beta.
    pub is_lower_bound: bool,
    pub line: Line,
    /// The depth of the iteration that found it.
    pub depth: usize,
}

/// What the threads of one search share.
pub(crate) struct Shared<'a> {
    pub table: &'a Table,
    /// The root moves to search (UCI `searchmoves`); empty for all.
    pub root_moves: &'a [Move],
    /// Set by the main thread when it ends.
    pub halt: AtomicBool,
    /// The node count of each thread, as last published.
    pub nodes: Vec<AtomicU64>,
    pub stopwatch: Stopwatch<'a>,
    pub budget: NodeBudget,
    /// The depth limit.
    pub depth: Option<usize>,
    /// How tablebases are used.
    pub plan: Plan<'a>,
    pub pruning: Pruning,
    /// The tablebase results that each thread has used, as last published.
    pub table_hits: Vec<AtomicU64>,
}

impl Shared<'_> {
    /// The sum of the published node counts.
    pub fn total_nodes(&self) -> u64 {
        self.nodes.iter().map(|nodes| nodes.load(Relaxed)).sum()
    }

    /// The sum of the published tablebase results, and of those for the root.
    pub fn total_table_hits(&self) -> u64 {
        let hits = self.table_hits.iter().map(|hits| hits.load(Relaxed));
        self.plan.hits + hits.sum::<u64>()
    }
}

/// The number of nodes between polls of the clock and the stop flag (see [`Limits`](crate::Limits)).
const POLL_INTERVAL: u64 = 512;

/// What a thread keeps from one search to the next.
pub(crate) struct ThreadMemory {
    pub history: History,
    accumulators: Accumulators<Arc<Net>>,
    /// What follows is overwritten by each search, but allocated only once. The line buffers of each ply take over
    /// 100 kB.
    lines: Vec<Line>,
    stack: Box<Stack>,
}

/// What the search notes at each ply of the current path. A node sets its entries before a node below reads them.
pub(crate) struct Stack {
    /// The static evaluation; [`Score::ILLEGAL`] in check.
    pub static_evals: [Score; MAX_PLY + 1],
    /// The excluded move (singular extensions); none but in a search that excludes one.
    pub excluded: [Option<Move>; MAX_PLY + 1],
    /// The move that is searched, if it is quiet.
    pub quiets: [Option<Quiet>; MAX_PLY + 1],
    /// The number of the move that is searched, counted from 1.
    pub move_numbers: [usize; MAX_PLY + 1],
}

impl ThreadMemory {
    pub fn new(net: &Arc<Net>) -> Self {
        Self {
            history: History::new(),
            accumulators: Accumulators::new(Arc::clone(net)),
            lines: vec![Line::new(); MAX_PLY + 1],
            stack: Box::new(Stack {
                static_evals: [Score::ILLEGAL; MAX_PLY + 1],
                excluded: [None; MAX_PLY + 1],
                quiets: [None; MAX_PLY + 1],
                move_numbers: [0; MAX_PLY + 1],
            }),
        }
    }

    /// Clears all learnt data, for a new game.
    pub fn clear(&mut self) {
        self.history.clear();
    }
}

/// One thread of a search.
pub(crate) struct Worker<'a> {
    pub shared: &'a Shared<'a>,
    pub index: usize,
    pub history: &'a mut History,
    accumulators: &'a mut Accumulators<Arc<Net>>,
    pub root: Position,
    /// The keys of the game before the root, then those of the path from the root to the parent of
    /// the node, for repetition detection.
    pub keys: Vec<u64>,
    /// Keys before this index are on the other side of a null move: no position repeats them.
    pub repetition_floor: usize,
    /// The moves from the root to the node, after two entries for no move.
    path: Vec<PieceTo>,
    /// The best line found from each ply of the current path.
    pub lines: &'a mut [Line],
    pub stack: &'a mut Stack,
    /// The optimism of the side to move at the root (see [`crate::eval::adjust`]).
    pub optimism: i32,
    /// Null moves are not allowed before this ply, while one is verified.
    pub no_null_below: usize,
    /// The depth of the iteration.
    pub depth: usize,
    /// The nodes spent on each move of the root.
    pub root_efforts: Vec<(Move, u64)>,
    pub root_best: Option<Best>,
    /// The first moves of the better lines of this iteration (`MultiPV`).
    pub taken: Vec<Move>,
    pub nodes: u64,
    /// The tablebase results used.
    pub table_hits: u64,
    /// The nodes drawn from the shared budget.
    drawn_nodes: u64,
    pub selective_depth: usize,
    pub stopped: bool,
}

impl<'a> Worker<'a> {
    pub fn new(
        shared: &'a Shared<'a>,
        index: usize,
        memory: &'a mut ThreadMemory,
        game: &Game,
    ) -> Self {
        let drawn_nodes = shared.budget.draw();
        Self {
            shared,
            index,
            history: &mut memory.history,
            accumulators: &mut memory.accumulators,
            root: *game.position(),
            keys: game.earlier_keys().to_vec(),
            repetition_floor: 0,
            path: vec![PieceTo::NONE; 2],
            lines: &mut memory.lines,
            stack: &mut memory.stack,
            optimism: 0,
            no_null_below: 0,
            depth: 0,
            root_efforts: Vec::new(),
            root_best: None,
            taken: Vec::new(),
            nodes: 0,
            table_hits: 0,
            drawn_nodes,
            selective_depth: 0,
            stopped: drawn_nodes == 0,
        }
    }

    /// Takes the best line found since the last call. A stopped search has one if it found a
    /// better move or confirmed the old one.
    pub fn take_root_best(&mut self) -> Option<Best> {
        self.root_best.take()
    }

    /// Whether a move of the root is to be searched: if tablebases rank the moves, only those of the
    /// highest rank that is left.
    pub fn searches_root_move(&self, mv: Move) -> bool {
        let ranked = &self.shared.plan.ranked;
        let left = ranked.iter().filter(|ranked| self.is_left(ranked.mv));
        let highest = left.map(|ranked| ranked.rank).max();
        let rank = ranked.iter().find(|ranked| ranked.mv == mv);
        self.is_left(mv) && rank.map(|ranked| ranked.rank) == highest
    }

    /// Whether a move of the root is wanted, and no better line of this iteration begins with it.
    pub fn is_left(&self, mv: Move) -> bool {
        let wanted = self.shared.root_moves;
        (wanted.is_empty() || wanted.contains(&mv)) && !self.taken.contains(&mv)
    }

    /// Whether the search leaves out some moves of the root.
    pub fn is_root_restricted(&self) -> bool {
        !self.taken.is_empty()
            || !self.shared.root_moves.is_empty()
            || !self.shared.plan.ranked.is_empty()
    }

    /// Publishes the move of the root that the first thread is looking at, after `move_count` others.
    pub fn publish_root_move(&self, mv: Move, move_count: usize) {
        if self.index == 0 {
            self.shared.stopwatch.publish_root_move(RootMove {
                mv,
                number: self.taken.len() + move_count + 1,
                depth: self.depth,
            });
        }
    }

    /// Counts the nodes that a move of the root has taken.
    pub fn add_root_effort(&mut self, mv: Move, nodes: u64) {
        match self.root_efforts.iter_mut().find(|(other, _)| *other == mv) {
            Some((_, effort)) => *effort += nodes,
            None => self.root_efforts.push((mv, nodes)),
        }
    }

    /// The share of all nodes that a move of the root has taken, from 0 to 1.
    pub fn root_share(&self, mv: Option<Move>) -> f64 {
        let effort = self
            .root_efforts
            .iter()
            .find(|(other, _)| Some(*other) == mv);
        effort.map_or(0.0, |(_, nodes)| *nodes as f64 / self.nodes.max(1) as f64)
    }

    pub fn publish_nodes(&self) {
        self.shared.nodes[self.index].store(self.nodes, Relaxed);
        self.shared.table_hits[self.index].store(self.table_hits, Relaxed);
    }

    /// Whether another iteration may begin, given the time factor of this move.
    pub fn allows_iteration(&self, time_factor: f64) -> bool {
        let nodes = self.shared.total_nodes();
        self.shared.stopwatch.allows_iteration(nodes, time_factor)
    }

    /// Counts a node; true when the search must end.
    pub fn count_node(&mut self, ply: usize) -> bool {
        // The search is already unwinding.
        if self.stopped {
            return true;
        }
        self.nodes += 1;
        self.selective_depth = self.selective_depth.max(ply);
        if self.nodes.is_multiple_of(POLL_INTERVAL) {
            self.publish_nodes();
            if self.index == 0 {
                self.shared
                    .stopwatch
                    .publish_nodes(self.shared.total_nodes());
            }
            self.stopped |= self.shared.stopwatch.is_stopped()
                || self.shared.halt.load(Relaxed)
                || !self.shared.stopwatch.allows_nodes();
        }
        if self.nodes >= self.drawn_nodes {
            let portion = self.shared.budget.draw();
            self.drawn_nodes += portion;
            self.stopped |= portion == 0;
        }
        self.stopped
    }

    /// Plays a move and returns the position after it. [`unmake_move`](Self::unmake_move) undoes it.
    pub fn make_move(&mut self, position: &Position, mv: Move) -> Position {
        self.keys.push(position.key());
        self.path.push(PieceTo::of(position, mv));
        let mut after = *position;
        after.play_unchecked(mv);
        self.shared.table.prefetch(after.key());
        after
    }

    /// Plays a null move. Positions before and after it do not repeat each other. Returns the
    /// position, and the repetition floor that [`unmake_null_move`](Self::unmake_null_move) restores.
    pub fn make_null_move(&mut self, position: &Position) -> (Position, usize) {
        self.keys.push(position.key());
        self.path.push(PieceTo::NONE);
        let floor = std::mem::replace(&mut self.repetition_floor, self.keys.len());
        let mut after = *position;
        after.play_null();
        (after, floor)
    }

    pub fn unmake_null_move(&mut self, floor: usize) {
        self.repetition_floor = floor;
        self.unmake_move();
    }

    /// The previous moves of the path, the latest first.
    pub fn before(&self) -> PreviousMoves {
        let last = self.path.len();
        [self.path[last - 1], self.path[last - 2]]
    }

    /// The history context of a position at the end of the path.
    pub fn context(&self, position: &Position) -> HistoryContext {
        HistoryContext {
            before: self.before(),
            attacked: position.attacked(),
        }
    }

    /// The move that led to a node of the current path, if it is quiet.
    pub fn quiet_above(&self, ply: usize) -> Option<Quiet> {
        self.stack.quiets[ply.checked_sub(1)?]
    }

    pub fn unmake_move(&mut self) {
        self.keys.pop();
        self.path.pop();
    }

    /// The static evaluation of a position that is not in check, from the table entry if it has
    /// one.
    pub fn static_evaluation(
        &mut self,
        position: &Position,
        entry: Option<Entry>,
        ply: usize,
    ) -> Score {
        match entry {
            Some(entry) if entry.evaluation != Score::ILLEGAL => entry.evaluation,
            _ => self.evaluate(position, ply),
        }
    }

    /// Evaluates a position: by endgame knowledge if it is a known ending, or else by the network. With
    /// [`Pruning::Careful`] the network is not adjusted.
    pub fn evaluate(&mut self, position: &Position, ply: usize) -> Score {
        endgame::evaluate(position, || {
            let network = self.accumulators.evaluate(position, ply);
            if self.shared.pruning == Pruning::Careful {
                return network;
            }
            let is_root_side = position.turn() == self.root.turn();
            let optimism = if is_root_side { 1 } else { -1 } * self.optimism;
            adjusted(position, network, optimism)
        })
    }

    /// Whether the position is drawn by the fifty-move rule, by its pieces, or by repetition: for
    /// the second time since the root, or for the third time in the game.
    pub fn is_draw(&self, position: &Position, ply: usize) -> bool {
        let clock = usize::from(position.halfmove_clock());
        if clock >= 100 && !position.is_checkmate() || position.is_insufficient_material() {
            return true;
        }
        // Only positions with the same side to move, and none before the last irreversible move.
        let mut earlier = 0;
        for (back, &key) in self
            .keys
            .iter()
            .rev()
            .enumerate()
            .take(clock.min(self.keys.len() - self.repetition_floor))
            .skip(3)
            .step_by(2)
        {
            if key == position.key() {
                earlier += 1;
                if back < ply || earlier == 2 {
                    return true;
                }
            }
        }
        false
    }

    /// Prepends a move to the line of the next ply.
    pub fn extend_line(&mut self, ply: usize, mv: Move) {
        let (upper, lower) = self.lines.split_at_mut(ply + 1);
        let line = &mut upper[ply];
        line.clear();
        line.push(mv);
        if let Some(below) = lower.first() {
            line.extend(below.iter().copied().take(MAX_PLY));
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::limits::{Limits, Signals};
    use movegen::UciMove;

    /// Runs a test with a worker at the root of a position.
    pub(crate) fn with_worker(root: &Position, test: impl FnOnce(&mut Worker<'_>)) {
        let (limits, signals) = (Limits::default(), Signals::default());
        let table = Table::new(1).expect("small");
        let net = Net::built_in();
        let shared = Shared {
            table: &table,
            root_moves: &[],
            halt: AtomicBool::new(false),
            nodes: vec![AtomicU64::new(0)],
            stopwatch: Stopwatch::start(&limits, &signals),
            budget: NodeBudget::new(&limits, 1),
            depth: None,
            plan: Plan::default(),
            pruning: Pruning::Full,
            table_hits: vec![AtomicU64::new(0)],
        };
        let mut memory = ThreadMemory::new(&net);
        test(&mut Worker::new(&shared, 0, &mut memory, &Game::new(*root)));
    }

    /// Plays moves and returns the position after them.
    fn play(worker: &mut Worker<'_>, mut position: Position, moves: &str) -> Position {
        for text in moves.split(' ') {
            let mv: UciMove = text.parse().expect(text);
            let mv = mv.find(&position).expect(text);
            position = worker.make_move(&position, mv);
        }
        position
    }

    #[test]
    fn repetitions_do_not_cross_a_null_move() {
        let root: Position = "r3k3/8/8/8/8/8/8/4K1N1 w - - 10 20".parse().expect("legal");
        with_worker(&root, |worker| {
            let same = play(worker, root, "g1f3 a8a7 f3g1 a7a8");
            assert_eq!(same, root);
            assert!(worker.is_draw(&same, 4));
        });
        // White passes, and Black loses a move with the rook.
        with_worker(&root, |worker| {
            let (after, floor) = worker.make_null_move(&root);
            let same = play(worker, after, "a8a7 g1f3 a7a6 f3g1 a6a8");
            assert_eq!(same, root);
            assert!(!worker.is_draw(&same, 6));
            for _ in 0..5 {
                worker.unmake_move();
            }
            // What repeats after the null move still counts,
            let same = play(worker, after, "a8a7 g1f3 a7a8 f3g1");
            assert_eq!(same, after);
            assert!(worker.is_draw(&same, 5));
            for _ in 0..4 {
                worker.unmake_move();
            }
            // and so does everything once it is taken back.
            worker.unmake_null_move(floor);
            let same = play(worker, root, "g1f3 a8a7 f3g1 a7a8");
            assert!(worker.is_draw(&same, 4));
        });
    }
}
