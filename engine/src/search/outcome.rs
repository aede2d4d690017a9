//! What a search reports: progress and outcome.

use std::time::Duration;

use movegen::Move;

use crate::score::Score;

/// What is known after an iteration, or when one was broken off that had found something.
#[derive(Clone, Copy, Debug)]
pub struct Progress<'a> {
    /// Plies that every line was searched to, reductions and extensions aside, or some lines if the
    /// iteration was broken off.
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

/// The callback that receives progress reports, if there is one.
pub(crate) type Observer<'a> = Option<&'a mut dyn FnMut(&Progress<'_>)>;

/// What a search found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The move to play; none at checkmate and stalemate, and where none of the moves to choose from
    /// is legal.
    pub best: Option<Move>,
    /// The answer that is expected.
    pub ponder: Option<Move>,
    /// From the point of view of the side to move.
    pub score: Score,
    /// The best line, [`best`](Self::best) first.
    pub pv: Vec<Move>,
    /// The last iteration that was finished, in plies; 0 if the first was broken off.
    pub depth: usize,
    /// Nodes of all threads.
    pub nodes: u64,
    /// Wall time.
    pub time: Duration,
    /// Processor time of all threads, where the system tells it.
    pub processor_time: Option<Duration>,
}
