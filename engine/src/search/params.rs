//! The numbers of the search, each with what it bounds and the range in which it makes sense. Depths are
//! plies, margins centipawns.

/// Numbers, and that each lies in its range.
macro_rules! numbers {
    ($($(#[$doc:meta])* $name:ident: $kind:ty = $value:literal, $least:literal to $most:literal;)*) => {
        $(
            $(#[$doc])*
            pub(crate) const $name: $kind = $value;
            const _: () = assert!($least <= $name && $name <= $most);
        )*
    };
}

numbers! {
    /// Aspiration windows begin at this depth, this far from the last score on either side, and grow
    /// by this factor over sixteenths.
    ASPIRATION_DEPTH: usize = 5, 3 to 10;
    ASPIRATION_MARGIN: i32 = 18, 6 to 50;
    ASPIRATION_GROWTH: i32 = 28, 18 to 64;

    /// What the vote of the thread with the worst score weighs, in centipawns a ply.
    VOTE_BASE: i32 = 14, 1 to 50;

    /// A mate is taken for the shortest when the search is deeper than twice its length by this.
    MATE_MARGIN: usize = 8, 2 to 20;

    /// Table scores are not trusted when the fifty-move rule is this near, in plies.
    TABLE_CLOCK_LIMIT: u16 = 90, 70 to 100;

    /// Corrections of the evaluation: what is learnt is the error times the depth divided by this,
    /// and so many parts of it make a centipawn.
    CORRECTION_DEPTH_DIVISOR: i32 = 8, 2 to 32;
    CORRECTION_GRAIN: i32 = 32, 8 to 128;

    /// Reverse futility pruning: up to this depth, with this margin a ply.
    REVERSE_FUTILITY_DEPTH: i32 = 9, 3 to 12;
    REVERSE_FUTILITY_MARGIN: i32 = 78, 30 to 150;

    /// Razoring: up to this depth, with this margin a ply.
    RAZORING_DEPTH: i32 = 3, 1 to 6;
    RAZORING_MARGIN: i32 = 260, 100 to 500;

    /// `ProbCut`: from this depth, a capture that is above beta by the margin when searched so many
    /// plies less deep.
    PROBCUT_DEPTH: i32 = 5, 4 to 8;
    PROBCUT_MARGIN: i32 = 180, 80 to 350;
    PROBCUT_REDUCTION: i32 = 4, 2 to 6;

    /// The null move is verified from this depth.
    NULL_MOVE_VERIFICATION_DEPTH: i32 = 12, 8 to 20;
    /// The null move: from this depth, reduced by a base, a part of the depth and a part of the lead.
    NULL_MOVE_DEPTH: i32 = 3, 1 to 5;
    NULL_MOVE_BASE: i32 = 4, 2 to 5;
    NULL_MOVE_DEPTH_DIVISOR: i32 = 3, 2 to 8;
    NULL_MOVE_LEAD_DIVISOR: i32 = 200, 80 to 400;
    NULL_MOVE_LEAD_LIMIT: i32 = 3, 1 to 6;
    /// What the static evaluation may not fall short of: beta and a base, less a margin a ply.
    NULL_MOVE_STATIC_BASE: i32 = 150, 0 to 400;
    NULL_MOVE_STATIC_MARGIN: i32 = 15, 0 to 40;

    /// Internal iterative reduction from this depth.
    INTERNAL_REDUCTION_DEPTH: i32 = 4, 2 to 8;

    /// Late move pruning: up to this depth, after a base and a square of the depth.
    LATE_MOVE_DEPTH: i32 = 7, 3 to 12;
    LATE_MOVE_BASE: i32 = 4, 1 to 10;

    /// Futility pruning of quiet moves: up to this depth, base and margin a ply. Here and below the
    /// depth of a quiet move is what its number among the others leaves of the node's.
    FUTILITY_DEPTH: i32 = 6, 3 to 12;
    FUTILITY_BASE: i32 = 90, 0 to 250;
    FUTILITY_MARGIN: i32 = 85, 40 to 200;

    /// Pruning of quiet moves by history: up to this depth, what it must be at least a ply.
    HISTORY_DEPTH: i32 = 4, 1 to 10;
    HISTORY_MARGIN: i32 = -6000, -16000 to -1000;

    /// Pruning by exchange: up to this depth, what a move may lose a ply.
    EXCHANGE_DEPTH: i32 = 7, 3 to 12;
    EXCHANGE_QUIET_MARGIN: i32 = 75, 20 to 150;
    EXCHANGE_NOISY_MARGIN: i32 = 105, 40 to 200;

    /// Late move reductions: from this depth and move on; base and divisor of the product of
    /// logarithms, for quiet moves and for captures.
    REDUCTION_DEPTH: i32 = 3, 1 to 5;
    REDUCTION_MOVES: usize = 2, 1 to 5;
    REDUCTION_QUIET_BASE: f64 = 0.65, 0.0 to 1.5;
    REDUCTION_QUIET_DIVISOR: f64 = 2.25, 1.5 to 4.0;
    REDUCTION_NOISY_BASE: f64 = 0.0, -0.5 to 1.0;
    REDUCTION_NOISY_DIVISOR: f64 = 3.3, 2.0 to 5.0;
    /// What changes a reduction, in 1024ths of a ply, and the history that is worth a ply.
    REDUCTION_PV: i32 = 1024, 0 to 2048;
    REDUCTION_CUT: i32 = 1280, 0 to 3072;
    REDUCTION_NOT_IMPROVING: i32 = 768, 0 to 2048;
    REDUCTION_NOISY_TABLE_MOVE: i32 = 768, 0 to 2048;
    REDUCTION_KILLER: i32 = 1024, 0 to 2048;
    REDUCTION_CHECK: i32 = 1024, 0 to 2048;
    REDUCTION_HISTORY_DIVISOR: i32 = 14_000, 4000 to 40000;
    REDUCTION_NOISY_HISTORY_DIVISOR: i32 = 8_000, 2000 to 24000;
    /// A reduced move that turns out better than the best one by base and margin a ply is searched
    /// deeper by one, one that is hardly better less deep.
    DEEPER_BASE: i32 = 40, 10 to 100;
    DEEPER_MARGIN: i32 = 4, 0 to 16;
    SHALLOWER_MARGIN: i32 = 8, 0 to 30;

    /// Singular moves: from this depth, with a table entry that is not shallower than this below it,
    /// and the others worse by sixteenths of a centipawn a ply; by how much more to extend twice.
    SINGULAR_DEPTH: i32 = 6, 4 to 10;
    SINGULAR_TABLE_DEPTH: i32 = 3, 2 to 5;
    SINGULAR_MARGIN: i32 = 24, 8 to 64;
    DOUBLE_MARGIN: i32 = 24, 5 to 80;

    /// How much a capture's history is worth beside what it wins, which counts eightfold.
    NOISY_HISTORY_DIVISOR: i32 = 10, 4 to 40;

    /// What a quiet move that gives check is worth more in the order, in points of history, if it loses
    /// no more than this in exchanges.
    CHECK_BONUS: i32 = 10_000, 0 to 32000;
    CHECK_LOSS: i32 = 75, 0 to 200;

    /// What a capture in quiescence may fall short of alpha beside the piece that it wins.
    DELTA_MARGIN: i32 = 180, 50 to 400;
    /// So many plies of quiescence look at all captures, the later ones at recaptures.
    RECAPTURE_PLIES: usize = 9, 2 to 20;

    /// The factor to a move's time: what it is when the best move has just changed, less so much for
    /// each iteration since, up to a limit.
    TIME_FACTOR_UNSETTLED: f64 = 1.5, 1.0 to 2.5;
    TIME_FACTOR_SETTLING: f64 = 0.1, 0.02 to 0.3;
    TIME_FACTOR_STABLE_LIMIT: u32 = 7, 3 to 12;
    /// ... times this less the weighted share of the nodes that the best move took,
    TIME_FACTOR_EFFORT_BASE: f64 = 1.9, 1.2 to 2.5;
    TIME_FACTOR_EFFORT_WEIGHT: f64 = 1.3, 0.5 to 2.0;
    /// ... times one plus the pawns that the score has fallen by, within these bounds.
    TIME_FACTOR_RISE: f64 = 0.9, 0.5 to 1.0;
    TIME_FACTOR_FALL: f64 = 1.4, 1.0 to 2.5;

    /// The moves that the rest of a game is expected to have.
    CLOCK_MOVES: u32 = 30, 15 to 60;
    /// The part of a move's share of the clock that is taken for its fair time.
    CLOCK_OPTIMUM_SHARE: f64 = 0.75, 0.4 to 1.2;
    /// What the clock is to keep, in milliseconds, or half of what it shows where that is less.
    CLOCK_RESERVE: u64 = 70, 1 to 1000;
    /// The part of the clock that one move may take at most.
    CLOCK_HARD_SHARE: f64 = 0.3, 0.1 to 0.6;

    /// What a move gains in the histories by a cut-off: so much a ply of depth, up to a limit.
    BONUS_FACTOR: i32 = 150, 50 to 400;
    BONUS_LIMIT: i32 = 1500, 500 to 4000;
    /// ... so many times as much where no answer was good enough,
    PRIOR_MOVE_FACTOR: i32 = 2, 1 to 4;
    /// ... and by what the evaluation says of it: so much a centipawn, up to a limit.
    GAIN_FACTOR: i32 = 8, 1 to 32;
    GAIN_LIMIT: i32 = 800, 200 to 2000;

    /// An entry of the table is worth this many plies less for each search since it was stored.
    AGE_FACTOR: i32 = 4, 1 to 16;
    /// A bound replaces an entry of the same position that is at most this many plies deeper.
    KEPT_DEPTH: i32 = 4, 0 to 10;
}
