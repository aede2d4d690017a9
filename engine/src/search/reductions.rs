//! Late move reductions, LMR (<https://www.chessprogramming.org/Late_Move_Reductions>).

use std::sync::LazyLock;

use movegen::Move;

use crate::ordering::picker::is_noisy;
use crate::score::Score;
use crate::search::node_state::{Node, NodeState};
#[allow(clippy::wildcard_imports, reason = "all tuning constants")]
use crate::search::params::*;
use crate::search::thread::Worker;

/// The natural logarithms of 1 to 63, and 0 for 0.
static LOGARITHMS: LazyLock<[f64; 64]> =
    LazyLock::new(|| std::array::from_fn(|number| (number.max(1) as f64).ln()));

/// The base reduction of a move in 1024ths of a ply, after `move_count` other moves were searched.
fn base(is_noisy: bool, depth: i32, move_count: usize) -> i32 {
    let (base, divisor) = if is_noisy {
        (lmr_noisy_base(), lmr_noisy_divisor())
    } else {
        (lmr_quiet_base(), lmr_quiet_divisor())
    };
    let logarithms = LOGARITHMS[depth.clamp(0, 63) as usize] * LOGARITHMS[move_count.min(63)];
    (1024.0 * (base + logarithms / divisor)) as i32
}

/// The depth that remains for a quiet move after the base reduction.
pub(crate) fn reduced_depth(depth: i32, move_count: usize) -> i32 {
    (depth - base(false, depth, move_count) / 1024).max(1)
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
        if state.depth < lmr_depth() || move_count < lmr_moves() {
            return 0;
        }
        let position = state.position;
        let noisy = is_noisy(position, mv);
        let (history, divisor) = if noisy {
            let history = self.history.noisy(position, mv);
            (history, lmr_noisy_history_divisor())
        } else {
            let history = self.history.quiet(position, mv, state.context);
            (history, lmr_history_divisor())
        };
        let mut reduction = base(noisy, state.depth, move_count);
        reduction -= history * 1024 / divisor;
        reduction -= lmr_pv() * i32::from(N::PV);
        reduction += lmr_cut_node() * i32::from(state.cut_node);
        reduction += lmr_not_improving() * i32::from(!state.improving);
        reduction += lmr_noisy_tt_move() * i32::from(state.tt_noisy);
        reduction -= lmr_killer() * i32::from(state.killers.contains(&Some(mv)));
        reduction -= lmr_check() * i32::from(gives_check);
        reduction / 1024
    }
}

/// How many plies deeper (1) or shallower (-1) than planned a reduced move is searched again, after
/// its reduced search has beaten alpha: deeper if it beat the best score by far, shallower if it
/// barely did. Both can hold, and then cancel out.
pub(crate) fn re_search_adjustment(score: Score, best: Score, depth: i32) -> i32 {
    let do_deeper = score > best + (deeper_base() + deeper_margin() * depth);
    let do_shallower = score < best + shallower_margin();
    i32::from(do_deeper) - i32::from(do_shallower)
}
