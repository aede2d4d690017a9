//! Late move reductions, LMR (<https://www.chessprogramming.org/Late_Move_Reductions>).

use std::sync::LazyLock;

use movegen::Move;

use crate::ordering::picker::is_noisy;
use crate::score::Score;
use crate::search::node_state::{Node, NodeState};
#[allow(clippy::wildcard_imports, reason = "all tuning constants")]
use crate::search::params::*;
use crate::search::thread::Worker;

/// The base reduction in 1024ths of a ply, by kind of move (quiet, noisy), depth, and number of
/// moves searched before.
static BASE: LazyLock<[[[i16; 64]; 64]; 2]> = LazyLock::new(|| {
    [
        (LMR_QUIET_BASE, LMR_QUIET_DIVISOR),
        (LMR_NOISY_BASE, LMR_NOISY_DIVISOR),
    ]
    .map(|(base, divisor)| {
        std::array::from_fn(|depth| {
            std::array::from_fn(|move_count| {
                let logarithms = (depth.max(1) as f64).ln() * (move_count.max(1) as f64).ln();
                (1024.0 * (base + logarithms / divisor)) as i16
            })
        })
    })
});

/// The depth that remains for a quiet move after the base reduction.
pub(crate) fn lmr_depth(depth: i32, move_count: usize) -> i32 {
    let base: i32 = BASE[0][depth.clamp(0, 63) as usize][move_count.min(63)].into();
    (depth - base / 1024).max(1)
}

impl Worker<'_> {
    /// The reduction of a move in plies, after `move_count` other moves were searched.
    pub fn reduction<N: Node>(
        &self,
        state: &NodeState<'_>,
        mv: Move,
        move_count: usize,
        gives_check: bool,
    ) -> i32 {
        if state.depth < LMR_DEPTH || move_count < LMR_MOVES {
            return 0;
        }
        let position = state.position;
        let noisy = is_noisy(position, mv);
        let (history, divisor) = if noisy {
            let history = self.history.noisy(position, mv);
            (history, LMR_NOISY_HISTORY_DIVISOR)
        } else {
            let history = self.history.quiet(position, mv, state.context);
            (history, LMR_HISTORY_DIVISOR)
        };
        let mut reduction: i32 =
            BASE[usize::from(noisy)][state.depth.min(63) as usize][move_count.min(63)].into();
        reduction -= history * 1024 / divisor;
        reduction -= LMR_PV * i32::from(N::PV);
        reduction += LMR_CUT_NODE * i32::from(state.cut_node);
        reduction += LMR_NOT_IMPROVING * i32::from(!state.improving);
        reduction += LMR_NOISY_TT_MOVE * i32::from(state.tt_noisy);
        reduction -= LMR_KILLER * i32::from(state.killers.contains(&Some(mv)));
        reduction -= LMR_CHECK * i32::from(gives_check);
        reduction / 1024
    }
}

/// How many plies deeper (1) or shallower (-1) than planned a reduced move is searched again, after
/// its reduced search has beaten alpha: deeper if it beat the best score by far, shallower if it
/// barely did. Both can hold, and then cancel out.
pub(crate) fn re_search_adjustment(score: Score, best: Score, depth: i32) -> i32 {
    let do_deeper = score > best + (DEEPER_BASE + DEEPER_MARGIN * depth);
    let do_shallower = score < best + SHALLOWER_MARGIN;
    i32::from(do_deeper) - i32::from(do_shallower)
}
