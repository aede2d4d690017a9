//! What the functions of the search tell each other about a node.

use movegen::{Move, Position};

use crate::eval::correction::CorrectionKeys;
use crate::ordering::history::HistoryContext;
use crate::score::Score;
use crate::search::tt::Entry;

/// What kind of node is searched.
pub(crate) trait Node {
    const ROOT: bool;
    /// The window is open: the exact score and the line matter.
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

/// The scores between which a node's own has to be exact.
pub(crate) type Window = (Score, Score);

/// The window of a search that only asks whether a score is `score` or more.
pub(crate) fn zero_window(score: Score) -> Window {
    (score - 1, score)
}

/// The window as the opponent sees it.
pub(crate) fn flip((alpha, beta): Window) -> Window {
    (-beta, -alpha)
}

/// What is known of a node before its moves are searched.
#[allow(clippy::struct_excessive_bools, reason = "independent facts")]
pub(crate) struct NodeState<'a> {
    pub position: &'a Position,
    /// Plies to be searched from here, and plies from the root.
    pub depth: i32,
    pub ply: usize,
    /// A cut-off is expected (<https://www.chessprogramming.org/Node_Types#CUT>).
    pub cut: bool,
    pub in_check: bool,
    /// A move that is left out, while the others are compared with it.
    pub excluded: Option<Move>,
    pub entry: Option<Entry>,
    /// The move of the table, and whether it captures or promotes.
    pub table_move: Option<Move>,
    pub table_noisy: bool,
    /// Where its moves are made. [`HistoryContext::NONE`] until its moves are searched, since most nodes
    /// are decided before that, and the attacked squares take time to find.
    pub context: HistoryContext,
    /// The two moves that last refuted something at this ply.
    pub killers: [Option<Move>; 2],
    /// Where the evaluation's error is looked up.
    pub correction_keys: CorrectionKeys,
    /// The static evaluation as it is stored, as it is corrected ([`Score::ILLEGAL`] in check), and
    /// as the table knows better.
    pub raw_evaluation: Score,
    pub evaluation: Score,
    pub estimate: Score,
    /// The side to move has gained since its last move.
    pub improving: bool,
}
