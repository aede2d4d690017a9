//! The numbers of the search, each with what it bounds. Depths are plies, margins centipawns.

/// Aspiration windows begin at this depth, this far from the last score on either side, and grow
/// by this factor over sixteenths.
pub(crate) const ASPIRATION_DEPTH: usize = 5;
pub(crate) const ASPIRATION_MARGIN: i32 = 18;
pub(crate) const ASPIRATION_GROWTH: i32 = 28;

/// What the vote of the thread with the worst score weighs, in centipawns a ply.
pub(crate) const VOTE_BASE: i32 = 14;

/// A mate is taken for the shortest when the search is deeper than twice its length by this.
pub(crate) const MATE_MARGIN: usize = 8;

/// Table scores are not trusted when the fifty-move rule is this near, in plies.
pub(crate) const TABLE_CLOCK_LIMIT: u16 = 90;

/// Corrections of the evaluation: what is learnt is the error times the depth divided by this,
/// and so many parts of it make a centipawn.
pub(crate) const CORRECTION_DEPTH_DIVISOR: i32 = 8;
pub(crate) const CORRECTION_GRAIN: i32 = 32;

/// Reverse futility pruning: up to this depth, with this margin a ply.
pub(crate) const REVERSE_FUTILITY_DEPTH: i32 = 7;
pub(crate) const REVERSE_FUTILITY_MARGIN: i32 = 78;

/// Razoring: up to this depth, with this margin a ply.
pub(crate) const RAZORING_DEPTH: i32 = 3;
pub(crate) const RAZORING_MARGIN: i32 = 260;

/// `ProbCut`: from this depth, a capture that is above beta by the margin when searched so many
/// plies less deep.
pub(crate) const PROBCUT_DEPTH: i32 = 5;
pub(crate) const PROBCUT_MARGIN: i32 = 180;
pub(crate) const PROBCUT_REDUCTION: i32 = 4;

/// The null move is verified from this depth.
pub(crate) const NULL_MOVE_VERIFICATION_DEPTH: i32 = 12;
/// The null move: from this depth, reduced by a base, a part of the depth and a part of the lead.
pub(crate) const NULL_MOVE_DEPTH: i32 = 3;
pub(crate) const NULL_MOVE_BASE: i32 = 3;
pub(crate) const NULL_MOVE_DEPTH_DIVISOR: i32 = 4;
pub(crate) const NULL_MOVE_LEAD_DIVISOR: i32 = 200;
pub(crate) const NULL_MOVE_LEAD_LIMIT: i32 = 3;

/// Internal iterative reduction from this depth.
pub(crate) const INTERNAL_REDUCTION_DEPTH: i32 = 4;

/// Late move pruning: up to this depth, after a base and a square of the depth.
pub(crate) const LATE_MOVE_DEPTH: i32 = 7;
pub(crate) const LATE_MOVE_BASE: i32 = 4;

/// Futility pruning of quiet moves: up to this depth, base and margin a ply. Here and below the
/// depth of a quiet move is what its number among the others leaves of the node's.
pub(crate) const FUTILITY_DEPTH: i32 = 6;
pub(crate) const FUTILITY_BASE: i32 = 120;
pub(crate) const FUTILITY_MARGIN: i32 = 110;

/// Pruning of quiet moves by history: up to this depth, what it must be at least a ply.
pub(crate) const HISTORY_DEPTH: i32 = 4;
pub(crate) const HISTORY_MARGIN: i32 = -6000;

/// Pruning by exchange: up to this depth, what a move may lose a ply.
pub(crate) const EXCHANGE_DEPTH: i32 = 7;
pub(crate) const EXCHANGE_QUIET_MARGIN: i32 = 75;
pub(crate) const EXCHANGE_NOISY_MARGIN: i32 = 105;

/// Late move reductions: from this depth and move on; base and divisor of the product of
/// logarithms, for quiet moves and for captures.
pub(crate) const REDUCTION_DEPTH: i32 = 3;
pub(crate) const REDUCTION_MOVES: usize = 2;
pub(crate) const REDUCTION_QUIET: (f64, f64) = (0.65, 2.25);
pub(crate) const REDUCTION_NOISY: (f64, f64) = (0.0, 3.3);
/// What changes a reduction, in 1024ths of a ply, and the history that is worth a ply.
pub(crate) const REDUCTION_PV: i32 = 1024;
pub(crate) const REDUCTION_CUT: i32 = 1280;
pub(crate) const REDUCTION_NOT_IMPROVING: i32 = 768;
pub(crate) const REDUCTION_NOISY_TABLE_MOVE: i32 = 768;
pub(crate) const REDUCTION_KILLER: i32 = 1024;
pub(crate) const REDUCTION_CHECK: i32 = 1024;
pub(crate) const REDUCTION_HISTORY_DIVISOR: i32 = 14_000;
pub(crate) const REDUCTION_NOISY_HISTORY_DIVISOR: i32 = 8_000;
/// A reduced move that turns out better than the best one by base and margin a ply is searched
/// deeper by one, one that is hardly better less deep.
pub(crate) const DEEPER_BASE: i32 = 40;
pub(crate) const DEEPER_MARGIN: i32 = 4;
pub(crate) const SHALLOWER_MARGIN: i32 = 8;

/// Singular moves: from this depth, with a table entry that is not shallower than this below it,
/// and the others worse by sixteenths of a centipawn a ply; by how much more to extend twice.
pub(crate) const SINGULAR_DEPTH: i32 = 7;
pub(crate) const SINGULAR_TABLE_DEPTH: i32 = 3;
pub(crate) const SINGULAR_MARGIN: i32 = 24;
pub(crate) const DOUBLE_MARGIN: i32 = 24;

/// How much a capture's history is worth beside what it wins, which counts eightfold.
pub(crate) const NOISY_HISTORY_DIVISOR: i32 = 10;

/// What a quiet move that gives check is worth more in the order, in points of history, if it loses
/// no more than this in exchanges.
pub(crate) const CHECK_BONUS: i32 = 10_000;
pub(crate) const CHECK_LOSS: i32 = 75;

/// What a capture in quiescence may fall short of alpha beside the piece that it wins.
pub(crate) const DELTA_MARGIN: i32 = 180;
/// So many plies of quiescence look at all captures, the later ones at recaptures.
pub(crate) const RECAPTURE_PLIES: usize = 9;

/// The factor to a move's time: what it is when the best move has just changed, less so much for
/// each iteration since, up to a limit.
pub(crate) const PACE_UNSETTLED: f64 = 1.5;
pub(crate) const PACE_SETTLING: f64 = 0.1;
pub(crate) const PACE_STABLE_LIMIT: u32 = 7;
/// ... times this less the weighted share of the nodes that the best move took,
pub(crate) const PACE_EFFORT_BASE: f64 = 1.9;
pub(crate) const PACE_EFFORT_WEIGHT: f64 = 1.3;
/// ... times one plus the pawns that the score has fallen by, within these bounds.
pub(crate) const PACE_RISE: f64 = 0.9;
pub(crate) const PACE_FALL: f64 = 1.4;

/// The moves that the rest of a game is expected to have.
pub(crate) const CLOCK_MOVES: u32 = 30;
/// The part of a move's share of the clock that is taken for its fair time.
pub(crate) const CLOCK_FAIR_SHARE: f64 = 0.75;
/// The part of the clock that one move may take at most.
pub(crate) const CLOCK_HARD_SHARE: f64 = 0.3;
