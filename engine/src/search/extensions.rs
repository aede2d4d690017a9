//! Singular extensions and multi-cut.

use crate::score::Score;
use crate::search::node_state::{Node, NodeState, NonPv, Window, zero_window};
use crate::search::params::{
    double_extension_margin, singular_depth, singular_margin, singular_table_depth,
};
use crate::search::thread::Worker;
use crate::search::tt::Bound;

/// The result of the singularity test of the TT move.
pub(crate) enum Extension {
    /// Extend the TT move by this many plies; negative to reduce it.
    Plies(i32),
    /// Multi-cut: return this score.
    Cut(Score),
}

impl Worker<'_> {
    /// Tests whether the TT move is singular: all other moves are searched at half the depth
    /// with a zero window below the table score. If they all fail low, the TT move is extended
    /// (<https://www.chessprogramming.org/Singular_Extensions>). If another move beats beta as
    /// well, the node is cut (<https://www.chessprogramming.org/Multi-Cut>), or the TT move is
    /// reduced.
    pub fn extension<N: Node>(
        &mut self,
        state: &NodeState<'_>,
        (alpha, beta): Window,
    ) -> Extension {
        let (depth, ply) = (state.depth, state.ply);
        let Some(entry) = state.entry.filter(|entry| {
            state.excluded.is_none()
                && depth >= singular_depth()
                && entry.bound != Bound::Upper
                && i32::from(entry.depth) >= depth - singular_table_depth()
                && !entry.score.is_decisive()
                && ply < 2 * self.depth
        }) else {
            return Extension::Plies(0);
        };
        let singular_beta = entry.score - singular_margin() * depth / 16;
        self.stack.excluded[ply] = state.tt_move;
        let window = zero_window(singular_beta);
        let others =
            self.node::<NonPv>(state.position, window, (depth - 1) / 2, ply, state.cut_node);
        self.stack.excluded[ply] = None;
        if others < singular_beta {
            let by_far = !N::PV && others + double_extension_margin() < singular_beta;
            return Extension::Plies(if by_far { 2 } else { 1 });
        }
        if others >= beta && !others.is_decisive() {
            return Extension::Cut(others);
        }
        Extension::Plies(if entry.score >= beta {
            i32::from(N::PV) - 2
        } else if state.cut_node || entry.score <= alpha {
            -1
        } else {
            0
        })
    }
}
