//! All tunable numbers of the search, each with its meaning and its sensible range. Depths are in plies,
//! margins in centipawns.
//!
//! They are constants, unless the crate is built with the feature `tune`: then programs may change them.

#[cfg(feature = "tune")]
pub mod tunable;

/// Defines a function for each number, and checks at compile time that each lies in its range.
macro_rules! numbers {
    ($($(#[$doc:meta])* $name:ident: $kind:ty = $value:literal, $least:literal to $most:literal;)*) => {
        $(
            $(#[$doc])*
            #[cfg(not(feature = "tune"))]
            #[inline(always)]
            pub(crate) const fn $name() -> $kind {
                $value
            }

            $(#[$doc])*
            #[cfg(feature = "tune")]
            pub(crate) fn $name() -> $kind {
                values::$name.get() as $kind
            }

            const _: () = assert!($least <= $value && $value <= $most);
        )*

        #[cfg(feature = "tune")]
        #[allow(non_upper_case_globals, reason = "named like the functions")]
        mod values {
            use super::tunable::Tunable;

            $(
                pub static $name: Tunable = Tunable::new(
                    stringify!($name),
                    stringify!($kind),
                    $value as f64,
                    [$least as f64, $most as f64],
                );
            )*

            pub static ALL: &[&Tunable] = &[$(&$name),*];
        }
    };
}

numbers! {
    /// Aspiration windows: from this depth on, with this margin around the last score. The margin
    /// grows by this factor, in sixteenths.
    aspiration_depth: usize = 5, 3 to 10;
    aspiration_margin: i32 = 18, 6 to 50;
    aspiration_growth: i32 = 28, 18 to 64;

    /// The weight of the vote of the thread with the lowest score, for each ply of depth.
    vote_base: i32 = 14, 1 to 50;

    /// Iterative deepening stops at a mate once the depth is twice its length plus this margin.
    mate_margin: usize = 8, 2 to 20;

    /// Table scores are not used from this halfmove clock on, because the fifty-move rule is near.
    table_clock_limit: u16 = 90, 70 to 100;

    /// The adjustment of evaluations: the percentage of the network's evaluation that counts without pieces, and
    /// what all pieces add to it; the same for the optimism; and the halfmove clock at which nothing would be left.
    material_base: i32 = 80, 40 to 120;
    material_weight: i32 = 33, 0 to 100;
    optimism_base: i32 = 30, 0 to 100;
    optimism_weight: i32 = 34, 0 to 100;
    clock_horizon: i32 = 211, 110 to 1000;
    /// The greatest optimism, and the score of the side that is ahead at which it has half of that.
    optimism_limit: i32 = 45, 0 to 150;
    optimism_half: i32 = 54, 10 to 300;

    /// Correction history: an entry learns the error times the depth divided by the divisor; this many
    /// units of an entry are a centipawn.
    correction_depth_divisor: i32 = 6, 2 to 32;
    correction_grain: i32 = 27, 8 to 128;

    /// Reverse futility pruning: up to this depth, with this margin for each ply.
    reverse_futility_depth: i32 = 8, 3 to 12;
    reverse_futility_margin: i32 = 78, 30 to 150;

    /// Razoring: up to this depth, with this margin for each ply.
    razoring_depth: i32 = 3, 1 to 6;
    razoring_margin: i32 = 320, 100 to 500;

    /// `ProbCut`: from this depth on, the margin above beta, and the depth reduction of its search.
    probcut_depth: i32 = 5, 4 to 8;
    probcut_margin: i32 = 205, 80 to 350;
    probcut_reduction: i32 = 4, 2 to 6;

    /// A null move cutoff is verified from this depth on.
    null_move_verification_depth: i32 = 12, 8 to 20;
    /// Null move pruning: from this depth on. The reduction is a base, plus depth over a divisor, plus
    /// the lead over beta divided by another, up to a limit.
    null_move_depth: i32 = 3, 1 to 5;
    null_move_base: i32 = 4, 2 to 5;
    null_move_depth_divisor: i32 = 3, 2 to 8;
    null_move_lead_divisor: i32 = 225, 80 to 400;
    null_move_lead_limit: i32 = 3, 1 to 6;
    /// The static evaluation must be at least beta plus this base, minus this margin for each ply.
    null_move_static_base: i32 = 125, 0 to 400;
    null_move_static_margin: i32 = 15, 0 to 40;

    /// Internal iterative reduction (IIR): from this depth on in PV nodes, from the other in cut nodes.
    iir_depth: i32 = 4, 2 to 8;
    iir_cut_depth: i32 = 7, 2 to 12;

    /// Late move pruning (LMP): up to this depth, after this many moves plus the square of the depth.
    lmp_depth: i32 = 6, 3 to 12;
    lmp_base: i32 = 7, 1 to 10;

    /// Futility pruning of quiet moves: up to this depth, with a base and a margin for each ply. Here
    /// and below, the depth of a quiet move is the one after its late move reduction.
    futility_depth: i32 = 6, 3 to 12;
    futility_base: i32 = 60, 0 to 250;
    futility_margin: i32 = 85, 40 to 200;

    /// History pruning of quiet moves: up to this depth, below this history score for each ply.
    history_depth: i32 = 4, 1 to 10;
    history_margin: i32 = -6000, -16000 to -1000;

    /// Pruning by static exchange evaluation (SEE): up to this depth, the loss allowed for each ply.
    see_depth: i32 = 7, 3 to 12;
    see_quiet_margin: i32 = 88, 20 to 150;
    see_noisy_margin: i32 = 94, 40 to 200;

    /// Late move reductions (LMR): from this depth and number of moves on. The reduction is a base plus
    /// the product of the logarithms of both over a divisor, for quiet and noisy moves (captures,
    /// promotions).
    lmr_depth: i32 = 3, 1 to 5;
    lmr_moves: usize = 2, 1 to 5;
    lmr_quiet_base: f64 = 0.8, 0.0 to 1.5;
    lmr_quiet_divisor: f64 = 2.2, 1.5 to 4.0;
    lmr_noisy_base: f64 = 0.0, -0.5 to 1.0;
    lmr_noisy_divisor: f64 = 3.3, 2.0 to 5.0;
    /// Adjustments of the reduction in 1024ths of a ply, and the history scores that are worth a ply.
    lmr_pv: i32 = 1024, 0 to 2048;
    lmr_cut_node: i32 = 1280, 0 to 3072;
    lmr_not_improving: i32 = 768, 0 to 2048;
    lmr_noisy_tt_move: i32 = 620, 0 to 2048;
    lmr_killer: i32 = 1024, 0 to 2048;
    lmr_check: i32 = 1024, 0 to 2048;
    lmr_history_divisor: i32 = 14_000, 4000 to 40000;
    lmr_noisy_history_divisor: i32 = 8_000, 2000 to 24000;
    /// A reduced move is searched again a ply deeper if it beats the best score by this base plus this
    /// margin for each ply, and a ply shallower if it beats it by less than the last of these.
    deeper_base: i32 = 40, 10 to 100;
    deeper_margin: i32 = 4, 0 to 16;
    shallower_margin: i32 = 8, 0 to 30;

    /// Singular extensions: from this depth on, if the table entry is at most this much shallower. The
    /// other moves must be worse by this margin, in sixteenths of a centipawn for each ply; if they
    /// are worse by the last of these as well, the extension is two plies.
    singular_depth: i32 = 6, 4 to 10;
    singular_table_depth: i32 = 3, 2 to 5;
    singular_margin: i32 = 27, 8 to 64;
    double_extension_margin: i32 = 24, 5 to 80;

    /// The divisor of a capture's history in its sort key, where a centipawn of material counts 8.
    noisy_history_divisor: i32 = 10, 4 to 40;
    /// A capture is good if its exchange loses at most its history divided by this, in centipawns.
    noisy_see_divisor: i32 = 80, 20 to 400;

    /// The bonus in move ordering, as a history score, of a quiet move that gives check, if its exchange
    /// loses at most this much.
    check_bonus: i32 = 10_000, 0 to 32000;
    check_loss: i32 = 75, 0 to 200;

    /// Quiescence tries all captures for this many plies, and only recaptures after that.
    recapture_plies: usize = 9, 2 to 20;

    /// The time factor: its value when the best move has just changed, and how much it falls with each
    /// iteration that keeps the move, up to a limit,
    time_factor_unsettled: f64 = 1.5, 1.0 to 2.5;
    time_factor_settling: f64 = 0.1, 0.02 to 0.3;
    time_factor_stable_limit: u32 = 7, 3 to 12;
    /// ... times this base minus the weighted share of the nodes spent on the best move,
    time_factor_effort_base: f64 = 1.9, 1.2 to 2.5;
    time_factor_effort_weight: f64 = 1.3, 0.5 to 2.0;
    /// ... times 1 plus the fall of the score in pawns, within these bounds.
    time_factor_rise: f64 = 0.9, 0.5 to 1.0;
    time_factor_fall: f64 = 1.4, 1.0 to 2.5;

    /// The number of moves that the rest of the game is expected to take.
    clock_moves: u32 = 30, 15 to 60;
    /// The optimum time as a part of a move's share of the clock.
    clock_optimum_share: f64 = 1.05, 0.4 to 1.6;
    /// The largest part of the clock that one move may take.
    clock_hard_share: f64 = 0.3, 0.1 to 0.6;

    /// The history bonus for a beta cutoff: this much for each ply of depth, up to a limit,
    bonus_factor: i32 = 150, 50 to 400;
    bonus_limit: i32 = 1700, 500 to 4000;
    /// ... counting a ply more if the score is above beta by this margin,
    bonus_beta_margin: i32 = 50, 10 to 200;
    /// ... taken from the quiet move before a node that the transposition table cuts off, if it was
    /// among this many first moves,
    early_moves: usize = 2, 1 to 6;
    /// ... times this for the quiet move before a node where every move failed low,
    prior_move_factor: i32 = 2, 1 to 4;
    /// ... and for its change of the static evaluation: this much for each centipawn, up to a limit.
    gain_factor: i32 = 8, 1 to 32;
    gain_limit: i32 = 800, 200 to 2000;

    /// Replacement in the transposition table: each search since an entry was stored counts as this
    /// many plies of depth.
    age_factor: i32 = 4, 1 to 16;
    /// A bound replaces an entry of the same position only if that is at most this many plies deeper.
    kept_depth: i32 = 4, 0 to 10;
}
