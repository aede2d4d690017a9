//! What a search reports: progress and outcome.

use std::time::Duration;

use movegen::Move;

use crate::score::Score;

/// A report of a line: after each iteration, and at the end of a search that was interrupted since.
#[derive(Clone, Copy, Debug)]
pub struct Progress<'a> {
    /// The depth of the iteration in plies, reductions and extensions aside.
    pub depth: usize,
    /// The rank of the line, from 1 for the best (`MultiPV`).
    pub rank: usize,
    /// The length of the longest line in plies.
    pub selective_depth: usize,
    /// From the point of view of the side to move.
    pub score: Score,
    /// The score is at least this: the search was interrupted when another move had just turned out better
    /// (UCI `lowerbound`).
    pub is_lower_bound: bool,
    /// The line, at least one move.
    pub pv: &'a [Move],
    /// Nodes of all threads so far.
    pub nodes: u64,
    /// Time since the search began.
    pub time: Duration,
    /// How full the transposition table is, in thousandths.
    pub table_permille: usize,
    /// Results of endgame tablebases that all threads have used so far.
    pub tablebase_hits: u64,
}

/// The callback that receives progress reports, if there is one.
pub(crate) type Observer<'a> = Option<&'a mut dyn FnMut(&Progress<'_>)>;

/// The result of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The move to play; none at checkmate, at stalemate, and if no root move is legal.
    pub best: Option<Move>,
    /// The expected reply.
    pub ponder: Option<Move>,
    /// From the point of view of the side to move.
    pub score: Score,
    /// As in [`Progress::is_lower_bound`].
    pub is_lower_bound: bool,
    /// The best line, [`best`](Self::best) first.
    pub pv: Vec<Move>,
    /// The depth of the last complete iteration in plies; 0 if the first was interrupted.
    pub depth: usize,
    /// Nodes of all threads.
    pub nodes: u64,
    /// Results of endgame tablebases that all threads have used.
    pub tablebase_hits: u64,
    /// Wall time.
    pub time: Duration,
    /// Processor time of all threads, if the system provides it.
    pub processor_time: Option<Duration>,
}
