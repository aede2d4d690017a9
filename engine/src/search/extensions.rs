//! Which moves are searched deeper.

use crate::score::Score;
use crate::search::node_state::{Node, NodeState, NonPv, Window, zero_window};
use crate::search::params::{DOUBLE_MARGIN, SINGULAR_DEPTH, SINGULAR_MARGIN, SINGULAR_TABLE_DEPTH};
use crate::search::thread::Worker;
use crate::search::tt::Bound;

/// What comes of the move of the table.
pub(crate) enum Extension {
    /// It is searched so many plies deeper.
    Plies(i32),
    /// The node is decided.
    Cut(Score),
}

impl Worker<'_> {
    /// Whether the move of the table is the only good one: the others are searched half as deep
    /// against a lower mark (<https://www.chessprogramming.org/Singular_Extensions>). Where another
    /// one does as well, the node is cut off or the move searched less deep
    /// (<https://www.chessprogramming.org/Multi-Cut>).
    pub fn extension<N: Node>(
        &mut self,
        state: &NodeState<'_>,
        (alpha, beta): Window,
    ) -> Extension {
        let (depth, ply) = (state.depth, state.ply);
        let Some(entry) = state.entry.filter(|entry| {
            state.excluded.is_none()
                && depth >= SINGULAR_DEPTH
                && entry.bound != Bound::Upper
                && i32::from(entry.depth) >= depth - SINGULAR_TABLE_DEPTH
                && !entry.score.is_mate()
                && ply < 2 * self.depth
        }) else {
            return Extension::Plies(0);
        };
        let mark = entry.score - SINGULAR_MARGIN * depth / 16;
        self.excluded[ply] = state.table_move;
        let window = zero_window(mark);
        let others = self.node::<NonPv>(state.position, window, (depth - 1) / 2, ply, state.cut);
        self.excluded[ply] = None;
        if others < mark {
            let by_far = !N::PV && others + DOUBLE_MARGIN < mark;
            return Extension::Plies(if by_far { 2 } else { 1 });
        }
        if others >= beta && !others.is_mate() {
            return Extension::Cut(others);
        }
        Extension::Plies(if entry.score >= beta {
            i32::from(N::PV) - 2
        } else if state.cut || entry.score <= alpha {
            -1
        } else {
            0
        })
    }
}
