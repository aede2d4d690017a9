//! All tunable numbers of the search, each with its meaning and its sensible range. Depths are in plies,
//! margins in centipawns.

/// Defines constants and checks at compile time that each lies in its range.
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
    /// Aspiration windows: from this depth on, with this margin around the last score. The margin
    /// grows by this factor, in sixteenths.
    ASPIRATION_DEPTH: usize = 5, 3 to 10;
    ASPIRATION_MARGIN: i32 = 18, 6 to 50;
    ASPIRATION_GROWTH: i32 = 28, 18 to 64;

    /// The weight of the vote of the thread with the lowest score, for each ply of depth.
    VOTE_BASE: i32 = 14, 1 to 50;

    /// Iterative deepening stops at a mate once the depth is twice its length plus this margin.
    MATE_MARGIN: usize = 8, 2 to 20;

    /// Table scores are not used from this halfmove clock on, because the fifty-move rule is near.
    TABLE_CLOCK_LIMIT: u16 = 90, 70 to 100;

    /// Correction history: an entry learns the error times the depth divided by the divisor; this many
    /// units of an entry are a centipawn.
    CORRECTION_DEPTH_DIVISOR: i32 = 8, 2 to 32;
    CORRECTION_GRAIN: i32 = 32, 8 to 128;

    /// Reverse futility pruning: up to this depth, with this margin for each ply.
    REVERSE_FUTILITY_DEPTH: i32 = 9, 3 to 12;
    REVERSE_FUTILITY_MARGIN: i32 = 78, 30 to 150;

    /// Razoring: up to this depth, with this margin for each ply.
    RAZORING_DEPTH: i32 = 3, 1 to 6;
    RAZORING_MARGIN: i32 = 260, 100 to 500;

    /// `ProbCut`: from this depth on, the margin above beta, and the depth reduction of its search.
    PROBCUT_DEPTH: i32 = 5, 4 to 8;
    PROBCUT_MARGIN: i32 = 180, 80 to 350;
    PROBCUT_REDUCTION: i32 = 4, 2 to 6;

    /// A null move cutoff is verified from this depth on.
    NULL_MOVE_VERIFICATION_DEPTH: i32 = 12, 8 to 20;
    /// Null move pruning: from this depth on. The reduction is a base, plus depth over a divisor, plus
    /// the lead over beta divided by another, up to a limit.
    NULL_MOVE_DEPTH: i32 = 3, 1 to 5;
    NULL_MOVE_BASE: i32 = 4, 2 to 5;
    NULL_MOVE_DEPTH_DIVISOR: i32 = 3, 2 to 8;
    NULL_MOVE_LEAD_DIVISOR: i32 = 200, 80 to 400;
    NULL_MOVE_LEAD_LIMIT: i32 = 3, 1 to 6;
    /// The static evaluation must be at least beta plus this base, minus this margin for each ply.
    NULL_MOVE_STATIC_BASE: i32 = 150, 0 to 400;
    NULL_MOVE_STATIC_MARGIN: i32 = 15, 0 to 40;

    /// Internal iterative reduction (IIR): from this depth on.
    IIR_DEPTH: i32 = 4, 2 to 8;

    /// Late move pruning (LMP): up to this depth, after this many moves plus the square of the depth.
    LMP_DEPTH: i32 = 7, 3 to 12;
    LMP_BASE: i32 = 4, 1 to 10;

    /// Futility pruning of quiet moves: up to this depth, with a base and a margin for each ply. Here
    /// and below, the depth of a quiet move is the one after its late move reduction.
    FUTILITY_DEPTH: i32 = 6, 3 to 12;
    FUTILITY_BASE: i32 = 90, 0 to 250;
    FUTILITY_MARGIN: i32 = 85, 40 to 200;

    /// History pruning of quiet moves: up to this depth, below this history score for each ply.
    HISTORY_DEPTH: i32 = 4, 1 to 10;
    HISTORY_MARGIN: i32 = -6000, -16000 to -1000;

    /// Pruning by static exchange evaluation (SEE): up to this depth, the loss allowed for each ply.
    SEE_DEPTH: i32 = 7, 3 to 12;
    SEE_QUIET_MARGIN: i32 = 75, 20 to 150;
    SEE_NOISY_MARGIN: i32 = 105, 40 to 200;

    /// Late move reductions (LMR): from this depth and number of moves on. The reduction is a base plus
    /// the product of the logarithms of both over a divisor, for quiet and noisy moves (captures,
    /// promotions).
    LMR_DEPTH: i32 = 3, 1 to 5;
    LMR_MOVES: usize = 2, 1 to 5;
    LMR_QUIET_BASE: f64 = 0.65, 0.0 to 1.5;
    LMR_QUIET_DIVISOR: f64 = 2.25, 1.5 to 4.0;
    LMR_NOISY_BASE: f64 = 0.0, -0.5 to 1.0;
    LMR_NOISY_DIVISOR: f64 = 3.3, 2.0 to 5.0;
    /// Adjustments of the reduction in 1024ths of a ply, and the history scores that are worth a ply.
    LMR_PV: i32 = 1024, 0 to 2048;
    LMR_CUT_NODE: i32 = 1280, 0 to 3072;
    LMR_NOT_IMPROVING: i32 = 768, 0 to 2048;
    LMR_NOISY_TT_MOVE: i32 = 768, 0 to 2048;
    LMR_KILLER: i32 = 1024, 0 to 2048;
    LMR_CHECK: i32 = 1024, 0 to 2048;
    LMR_HISTORY_DIVISOR: i32 = 14_000, 4000 to 40000;
    LMR_NOISY_HISTORY_DIVISOR: i32 = 8_000, 2000 to 24000;
    /// A reduced move is searched again a ply deeper if it beats the best score by this base plus this
    /// margin for each ply, and a ply shallower if it beats it by less than the last of these.
    DEEPER_BASE: i32 = 40, 10 to 100;
    DEEPER_MARGIN: i32 = 4, 0 to 16;
    SHALLOWER_MARGIN: i32 = 8, 0 to 30;

    /// Singular extensions: from this depth on, if the table entry is at most this much shallower. The
    /// other moves must be worse by this margin, in sixteenths of a centipawn for each ply; if they
    /// are worse by the last of these as well, the extension is two plies.
    SINGULAR_DEPTH: i32 = 6, 4 to 10;
    SINGULAR_TABLE_DEPTH: i32 = 3, 2 to 5;
    SINGULAR_MARGIN: i32 = 24, 8 to 64;
    DOUBLE_EXTENSION_MARGIN: i32 = 24, 5 to 80;

    /// The divisor of a capture's history in its sort key, where a centipawn of material counts 8.
    NOISY_HISTORY_DIVISOR: i32 = 10, 4 to 40;

    /// The bonus in move ordering, as a history score, of a quiet move that gives check, if its exchange
    /// loses at most this much.
    CHECK_BONUS: i32 = 10_000, 0 to 32000;
    CHECK_LOSS: i32 = 75, 0 to 200;

    /// Delta pruning: the margin on top of the captured piece.
    DELTA_MARGIN: i32 = 180, 50 to 400;
    /// Quiescence tries all captures for this many plies, and only recaptures after that.
    RECAPTURE_PLIES: usize = 9, 2 to 20;

    /// The time factor: its value when the best move has just changed, and how much it falls with each
    /// iteration that keeps the move, up to a limit,
    TIME_FACTOR_UNSETTLED: f64 = 1.5, 1.0 to 2.5;
    TIME_FACTOR_SETTLING: f64 = 0.1, 0.02 to 0.3;
    TIME_FACTOR_STABLE_LIMIT: u32 = 7, 3 to 12;
    /// ... times this base minus the weighted share of the nodes spent on the best move,
    TIME_FACTOR_EFFORT_BASE: f64 = 1.9, 1.2 to 2.5;
    TIME_FACTOR_EFFORT_WEIGHT: f64 = 1.3, 0.5 to 2.0;
    /// ... times 1 plus the fall of the score in pawns, within these bounds.
    TIME_FACTOR_RISE: f64 = 0.9, 0.5 to 1.0;
    TIME_FACTOR_FALL: f64 = 1.4, 1.0 to 2.5;

    /// The number of moves that the rest of the game is expected to take.
    CLOCK_MOVES: u32 = 30, 15 to 60;
    /// The optimum time as a part of a move's share of the clock.
    CLOCK_OPTIMUM_SHARE: f64 = 0.75, 0.4 to 1.2;
    /// The time kept in reserve, in milliseconds, but at most half of the remaining time.
    CLOCK_RESERVE: u64 = 70, 1 to 1000;
    /// The largest part of the clock that one move may take.
    CLOCK_HARD_SHARE: f64 = 0.3, 0.1 to 0.6;

    /// The history bonus for a beta cutoff: this much for each ply of depth, up to a limit,
    BONUS_FACTOR: i32 = 150, 50 to 400;
    BONUS_LIMIT: i32 = 1500, 500 to 4000;
    /// ... times this for the quiet move before a node where every move failed low,
    PRIOR_MOVE_FACTOR: i32 = 2, 1 to 4;
    /// ... and for its change of the static evaluation: this much for each centipawn, up to a limit.
    GAIN_FACTOR: i32 = 8, 1 to 32;
    GAIN_LIMIT: i32 = 800, 200 to 2000;

    /// Replacement in the transposition table: each search since an entry was stored counts as this
    /// many plies of depth.
    AGE_FACTOR: i32 = 4, 1 to 16;
    /// A bound replaces an entry of the same position only if that is at most this many plies deeper.
    KEPT_DEPTH: i32 = 4, 0 to 10;
}
