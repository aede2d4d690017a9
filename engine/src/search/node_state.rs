//! The state of a node that pruning, reductions and extensions share.

use movegen::{Move, Position};

use crate::eval::correction::CorrectionKeys;
use crate::ordering::history::HistoryContext;
use crate::score::Score;
use crate::search::tt::Entry;

/// The kind of a node, known at compile time.
pub(crate) trait Node {
    const ROOT: bool;
    /// A principal variation node: its window is open, so its exact score and its line matter.
    const PV: bool;
}
pub(crate) struct Root;
pub(crate) struct Pv;
pub(crate) struct NonPv;
impl Node for Root {
    const ROOT: bool = true;
    const PV: bool = true;
}
impl Node for Pv {
    const ROOT: bool = false;
    const PV: bool = true;
}
impl Node for NonPv {
    const ROOT: bool = false;
    const PV: bool = false;
}

/// Alpha and beta.
pub(crate) type Window = (Score, Score);

/// The zero window of a search that only asks whether the score is at least `score`.
pub(crate) fn zero_window(score: Score) -> Window {
    (score - 1, score)
}

/// The window from the point of view of the opponent.
pub(crate) fn flip((alpha, beta): Window) -> Window {
    (-beta, -alpha)
}

/// What is known about a node before its moves are searched.
#[allow(clippy::struct_excessive_bools, reason = "independent facts")]
pub(crate) struct NodeState<'a> {
    pub position: &'a Position,
    /// The remaining depth, and the distance from the root, in plies.
    pub depth: i32,
    pub ply: usize,
    /// An expected cut node (<https://www.chessprogramming.org/Node_Types#CUT>).
    pub cut_node: bool,
    pub in_check: bool,
    /// The excluded move of a singular extension search.
    pub excluded: Option<Move>,
    pub entry: Option<Entry>,
    /// The move of the transposition table (TT), and whether it captures or promotes.
    pub tt_move: Option<Move>,
    pub tt_noisy: bool,
    /// The context of its moves for the history tables. [`HistoryContext::NONE`] until the moves
    /// are searched: most nodes are cut before that, and computing attacked squares takes time.
    pub context: HistoryContext,
    /// The killer moves of this ply.
    pub killers: [Option<Move>; 2],
    /// The keys of the correction history.
    pub correction_keys: CorrectionKeys,
    /// The static evaluation before correction, as the transposition table stores it;
    /// [`Score::ILLEGAL`] in check.
    pub raw_eval: Score,
    /// The static evaluation after correction; [`Score::ILLEGAL`] in check.
    pub static_eval: Score,
    /// The static evaluation, or the score of the table entry if that is known to be nearer to
    /// the truth.
    pub eval: Score,
    /// The static evaluation is higher than at the side's previous move.
    pub improving: bool,
}
