//! Pruning: nodes that can be cut without a full search, and moves that are skipped.

use movegen::{Move, Role};

use crate::ordering::picker::{MovePicker, Wanted};
use crate::ordering::piece_to::PieceTo;
use crate::ordering::see;
use crate::score::{MAX_PLY, Score};
use crate::search::node_state::{NodeState, NonPv, Window, flip, zero_window};
#[allow(clippy::wildcard_imports, reason = "all tuning constants")]
use crate::search::params::*;
use crate::search::quiescence::QsState;
use crate::search::reductions::reduced_depth;
use crate::search::thread::Worker;
use crate::search::tt::{Bound, Entry};

impl Worker<'_> {
    /// Tries to cut a node that is not in check: reverse futility pruning, razoring, null move
    /// pruning, `ProbCut`.
    pub fn prune_node(&mut self, state: &NodeState<'_>, window: Window) -> Option<Score> {
        let (_, beta) = window;
        let decided = reverse_futility(state, beta).then_some(state.eval);
        let decided = decided
            .or_else(|| self.razor(state, window))
            .or_else(|| self.null_move(state, beta));
        let Some(score) = decided else {
            return self.probcut(state, beta);
        };
        if state.entry.is_none() && !self.stopped {
            let raw_eval = state.raw_eval;
            self.store_shallow(state.position, state.ply, raw_eval, (score, None), beta);
        }
        Some(score)
    }

    /// Razoring: the evaluation is far below alpha, and quiescence confirms that captures do not
    /// help (<https://www.chessprogramming.org/Razoring>).
    fn razor(&mut self, state: &NodeState<'_>, window: Window) -> Option<Score> {
        let (alpha, _) = window;
        let lost = state.depth <= razoring_depth()
            && state.eval + razoring_margin() * state.depth <= alpha;
        if !lost {
            return None;
        }
        let score =
            self.quiesce::<NonPv>(state.position, window, state.ply, QsState::at(state.ply));
        (score <= alpha).then_some(score)
    }

    /// Null move pruning: a side that is still above beta after passing would be so after its best
    /// move too (<https://www.chessprogramming.org/Null_Move_Pruning>). Tried if the static evaluation is
    /// high enough. Not tried twice in a row, with pawns alone, where zugzwang is common, nor below a
    /// verification search.
    fn null_move(&mut self, state: &NodeState<'_>, beta: Score) -> Option<Score> {
        let (position, depth, ply) = (state.position, state.depth, state.ply);
        let pawns_and_king = position.role(Role::Pawn) | position.role(Role::King);
        if depth < null_move_depth()
            || self.before()[0] == PieceTo::NONE
            || state.eval < beta
            || state.static_eval
                < beta + (null_move_static_base() - null_move_static_margin() * depth)
            || ply < self.no_null_below
            || (position.color(position.turn()) & !pawns_and_king).is_empty()
        {
            return None;
        }
        let lead = (state.eval.ce() - beta.ce()) / null_move_lead_divisor();
        let shallow = depth
            - null_move_base()
            - depth / null_move_depth_divisor()
            - lead.min(null_move_lead_limit());
        let window = zero_window(beta);
        let (after, floor) = self.make_null_move(position);
        let score = -self.node::<NonPv>(&after, flip(window), shallow, ply + 1, !state.cut_node);
        self.unmake_null_move(floor);
        if self.stopped || score < beta {
            return None;
        }
        // A win found after a null move is unproven.
        let score = if score.is_decisive() { beta } else { score };
        if depth < null_move_verification_depth() || self.no_null_below > 0 {
            return Some(score);
        }
        // At high depth guard against zugzwang: a search without null moves has to agree.
        self.no_null_below = ply + (3 * shallow / 4).max(1) as usize;
        let verified = self.node::<NonPv>(position, window, shallow, ply, false);
        self.no_null_below = 0;
        (verified >= beta && !self.stopped).then_some(score)
    }

    /// `ProbCut`: a capture that beats beta by a margin in a reduced search is assumed to beat
    /// beta at full depth (<https://www.chessprogramming.org/ProbCut>).
    fn probcut(&mut self, state: &NodeState<'_>, beta: Score) -> Option<Score> {
        let (position, ply) = (state.position, state.ply);
        let prob_beta = beta + probcut_margin();
        let shallow = state.depth - probcut_reduction();
        let denied = state.entry.is_some_and(|entry| {
            i32::from(entry.depth) >= shallow && entry.score.from_node_to_root(ply) < prob_beta
        });
        if state.depth < probcut_depth() || denied {
            return None;
        }
        let wanted = Wanted::Noisy(prob_beta.ce() - state.static_eval.ce());
        let mut picker = MovePicker::new(position, wanted, state.tt_move, [None; 2], state.context);
        let window = flip(zero_window(prob_beta));
        while let Some(mv) = picker.next(position, self.history) {
            let after = self.make_move(position, mv);
            let mut score = -self.quiesce::<NonPv>(&after, window, ply + 1, QsState::at(ply + 1));
            if score >= prob_beta {
                score = -self.node::<NonPv>(&after, window, shallow, ply + 1, !state.cut_node);
            }
            self.unmake_move();
            if self.stopped {
                return Some(Score::DRAW);
            }
            if score >= prob_beta {
                let entry = Entry {
                    best: Some(mv),
                    score: score.from_root_to_node(ply),
                    evaluation: state.raw_eval,
                    depth: (shallow + 1).clamp(0, MAX_PLY as i32) as u8,
                    bound: Bound::Lower,
                };
                self.shared.table.put(position.key(), entry);
                let proven = score - probcut_margin();
                return Some(if score.is_decisive() { score } else { proven });
            }
        }
        None
    }

    /// Whether to skip a quiet move: by futility pruning
    /// (<https://www.chessprogramming.org/Futility_Pruning>), history pruning, or static exchange
    /// evaluation. All three use the depth that remains after the late move reduction. Checks are
    /// only skipped by exchange.
    pub fn prunes_quiet(
        &self,
        state: &NodeState<'_>,
        mv: Move,
        move_count: usize,
        alpha: Score,
        gives_check: bool,
    ) -> bool {
        let depth = reduced_depth(state.depth, move_count);
        if !gives_check && !state.in_check {
            let margin = futility_base() + futility_margin() * depth;
            let futile = depth <= futility_depth() && state.static_eval + margin <= alpha;
            let history = || self.history.quiet(state.position, mv, state.context);
            if futile || depth <= history_depth() && history() < history_margin() * depth {
                return true;
            }
        }
        state.loses(mv, depth, see_quiet_margin())
    }
}

/// Reverse futility pruning: the evaluation is above beta by a margin for each ply
/// (<https://www.chessprogramming.org/Reverse_Futility_Pruning>).
fn reverse_futility(state: &NodeState<'_>, beta: Score) -> bool {
    let margin = reverse_futility_margin() * (state.depth - i32::from(state.improving));
    state.depth <= reverse_futility_depth() && state.eval - margin >= beta
}

impl NodeState<'_> {
    /// Late move pruning (LMP): whether to skip all further quiet moves after this many moves
    /// (<https://www.chessprogramming.org/Futility_Pruning#MoveCountBasedPruning>).
    pub fn late_move_pruning(&self, move_count: usize) -> bool {
        let limit = lmp_base() + self.depth * self.depth;
        let limit = if self.improving { limit } else { limit / 2 };
        !self.in_check && self.depth <= lmp_depth() && move_count as i32 >= limit
    }

    /// Whether to skip a capture or promotion by static exchange evaluation.
    pub fn prunes_noisy(&self, mv: Move) -> bool {
        self.loses(mv, self.depth, see_noisy_margin())
    }

    /// Whether the static exchange evaluation of a move is below minus `margin` for each ply.
    fn loses(&self, mv: Move, depth: i32, margin: i32) -> bool {
        depth <= see_depth() && !see::wins_at_least(self.position, mv, -margin * depth)
    }
}
