//! Principal variation search of one node
//! (<https://www.chessprogramming.org/Principal_Variation_Search>).
//!
//! [`Worker::node`] is the function to read first. Its numbered steps call the other files: at
//! depth 0 `quiescence` (step 1), else `probe` (step 4) and `pruning` for the whole node (step 5), then for each
//! move `pruning` (step 8), `extensions` (step 9) and `reductions` (step 10).

use arrayvec::ArrayVec;
use movegen::{Move, Position};

use crate::eval::correction::{CorrectionKeys, corrected};
use crate::limits::Pruning;
use crate::ordering::history::{HistoryContext, Quiet};
use crate::ordering::picker::{MovePicker, Wanted, is_noisy};
use crate::score::{MAX_PLY, Score};
use crate::search::extensions::Extension;
use crate::search::node_state::{Node, NodeState, NonPv, Pv, Root, Window, flip, zero_window};
use crate::search::params::{
    bonus_beta_margin, early_moves, iir_cut_depth, iir_depth, table_clock_limit,
};
use crate::search::probe::Probe;
use crate::search::quiescence::QsState;
use crate::search::reductions::re_search_adjustment;
use crate::search::thread::{Best, Worker};
use crate::search::tt::{Bound, Entry};

impl Worker<'_> {
    /// Searches the root to a depth. `None` if the search was stopped.
    pub fn search_root(&mut self, window: Window, depth: usize) -> Option<Score> {
        self.depth = depth;
        self.selective_depth = 0;
        let root = self.root;
        let score = self.node::<Root>(&root, window, depth as i32, 0, false);
        (!self.stopped).then_some(score)
    }

    /// Searches a position `depth` plies deep and returns its score for the side to move.
    ///
    /// The search is fail-soft: a score between alpha and beta is exact, a score of alpha or less
    /// is an upper bound, a score of beta or more a lower bound. In a PV node `self.lines[ply]`
    /// holds the line of an exact score. The return value is meaningless once `self.stopped` is
    /// set.
    #[allow(
        clippy::too_many_lines,
        reason = "numbered steps that share their state"
    )]
    pub fn node<N: Node>(
        &mut self,
        position: &Position,
        (mut alpha, mut beta): Window,
        mut depth: i32,
        ply: usize,
        cut_node: bool,
    ) -> Score {
        // 1. Quiescence at depth 0, but never in check: a check extends the search by a ply.
        let in_check = position.is_check();
        let excluded = self.stack.excluded[ply];
        if in_check && depth == 0 {
            depth = 1;
        }
        if depth <= 0 {
            return self.quiesce::<N>(position, (alpha, beta), ply, QsState::at(ply));
        }
        if N::PV {
            self.lines[ply].clear();
        }
        if self.count_node(ply) {
            return Score::DRAW;
        }

        // 2. Draws, the maximum ply, and mate distance pruning
        // (<https://www.chessprogramming.org/Mate_Distance_Pruning>).
        if !N::ROOT {
            if self.is_draw(position, ply) {
                return Score::DRAW;
            }
            if ply >= MAX_PLY {
                return if in_check {
                    Score::DRAW
                } else {
                    self.evaluate(position, ply)
                };
            }
            alpha = alpha.max(Score::mated_in(ply));
            beta = beta.min(Score::mate_in(ply + 1));
            if alpha >= beta {
                return alpha;
            }
        }

        // Killers of the plies below are from other parts of the tree. Those of siblings stay.
        self.history.clear_killers(ply + 2);

        // 3. Transposition table cutoff.
        let entry = self.shared.table.get(position.key());
        if let Some(entry) = entry
            && !N::PV
            && excluded.is_none()
            && i32::from(entry.depth) >= depth
            && position.halfmove_clock() < table_clock_limit()
            && let Some(score) = entry.cutoff(alpha, beta, ply)
        {
            if score >= beta
                && ply > 0
                && self.stack.move_numbers[ply - 1] <= early_moves()
                && let Some(quiet) = self.quiet_above(ply)
            {
                self.history.punish_early_move(depth, quiet);
            }
            if score >= beta
                && let Some(mv) = entry.best
                && !is_noisy(position, mv)
                && position.is_legal(mv)
            {
                let quiet = Quiet::new(position, mv, self.context(position));
                self.history.reward_tt_move(depth, quiet);
            }
            return score;
        }

        // 4. Endgame tablebases. In a PV node a win is a lower bound, and a loss an upper bound, of
        // the score: the search may find a mate.
        let mut best = -Score::INFINITE;
        let mut most = Score::INFINITE;
        if !N::ROOT
            && excluded.is_none()
            && let Some(probing) = self.shared.plan.probing
        {
            match self.probe::<N>(probing, position, (alpha, beta), depth, ply) {
                Probe::Cut(score) => return score,
                Probe::AtLeast(score) => {
                    best = score;
                    alpha = alpha.max(score);
                }
                Probe::AtMost(score) => most = score,
                Probe::None => {}
            }
        }

        // 5. Static evaluation, and pruning of the whole node.
        self.stack.quiets[ply] = None;
        let mut state = self.node_state(position, entry, depth, ply, cut_node);
        if excluded.is_none() {
            self.update_gain_history(&state);
        }
        if !N::PV
            && !in_check
            && excluded.is_none()
            && !beta.is_decisive()
            && let Some(score) = self.prune_node(&state, (alpha, beta))
        {
            return score;
        }

        // 6. Internal iterative reduction: without a TT move, search one ply less deep, in PV nodes and in
        // deep cut nodes (<https://www.chessprogramming.org/Internal_Iterative_Reductions>).
        let from = if N::PV { iir_depth() } else { iir_cut_depth() };
        if (N::PV || cut_node) && depth >= from && state.tt_move.is_none() {
            state.depth -= 1;
        }
        let depth = state.depth;

        // 7. The move loop.
        state.context = self.context(position);
        let mut best_move = None;
        let mut bound = Bound::Upper;
        let mut tried_quiets: ArrayVec<Move, 64> = ArrayVec::new();
        let mut tried_noisy: ArrayVec<Move, 32> = ArrayVec::new();
        // The moves searched so far; unlike in Stockfish, pruned moves do not count.
        let mut move_count = 0;
        let may_prune = !N::ROOT && (!N::PV || self.shared.pruning == Pruning::Full);
        let mut picker = MovePicker::new(
            position,
            Wanted::All,
            state.tt_move,
            state.killers,
            state.context,
        );
        while let Some(mv) = picker.next(position, self.history) {
            if N::ROOT && !self.searches_root_move(mv) || Some(mv) == excluded {
                continue;
            }
            if N::ROOT {
                self.publish_root_move(mv, move_count);
            }
            let noisy = is_noisy(position, mv);

            // 8. Pruning of moves, once a move is known that does not lose by force: late move
            // pruning, then `prunes_noisy` or `prunes_quiet`.
            if may_prune && best > -Score::evaluation(Score::EVALUATION_LIMIT) {
                if !noisy && state.late_move_pruning(move_count) {
                    picker.skip_quiets();
                    continue;
                }
                let hopeless = if noisy {
                    state.prunes_noisy(mv)
                } else {
                    let check = picker.gives_check(position, mv);
                    self.prunes_quiet(&state, mv, move_count, alpha, check)
                };
                if hopeless {
                    continue;
                }
            }

            // 9. Singular extension of the TT move.
            let mut new_depth = depth - 1;
            if !N::ROOT && state.tt_move == Some(mv) {
                match self.extension::<N>(&state, (alpha, beta)) {
                    Extension::Plies(plies) => new_depth += plies,
                    Extension::Cut(score) => return score,
                }
                if self.stopped {
                    return Score::DRAW;
                }
            }

            // 10. Principal variation search with late move reductions. The first move gets the
            // full window. Later moves get a zero window and a reduced depth first, and are
            // searched again, deeper and in PV nodes with the full window, if they beat alpha.
            let nodes_before = self.nodes;
            self.stack.quiets[ply] = (!noisy).then(|| Quiet::new(position, mv, state.context));
            self.stack.move_numbers[ply] = move_count + 1;
            let after = self.make_move(position, mv);
            let mut score = -Score::INFINITE;
            let mut needs_full_window = move_count == 0;
            if move_count > 0 {
                let check = after.is_check();
                let reduction = self.reduction::<N>(&state, mv, move_count, check);
                let reduction = reduction.clamp(0, (new_depth - 1).max(0));
                let zero_window = flip(zero_window(alpha + 1));
                score =
                    -self.node::<NonPv>(&after, zero_window, new_depth - reduction, ply + 1, true);
                if score > alpha && reduction > 0 {
                    let reduced = new_depth - reduction;
                    new_depth += re_search_adjustment(score, best, new_depth);
                    if new_depth > reduced {
                        score =
                            -self.node::<NonPv>(&after, zero_window, new_depth, ply + 1, !cut_node);
                    }
                    if !self.stopped
                        && let Some(quiet) = self.stack.quiets[ply]
                        && (score <= alpha || score >= beta)
                    {
                        self.history
                            .update_re_searched_move(new_depth, quiet, score >= beta);
                    }
                }
                needs_full_window = N::PV && score > alpha;
            }
            if needs_full_window {
                let window = flip((alpha, beta));
                score = if N::PV {
                    -self.node::<Pv>(&after, window, new_depth, ply + 1, false)
                } else {
                    -self.node::<NonPv>(&after, window, new_depth, ply + 1, !cut_node)
                };
            }
            self.unmake_move();
            if N::ROOT {
                self.add_root_effort(mv, self.nodes - nodes_before);
            }
            if self.stopped {
                return Score::DRAW;
            }
            move_count += 1;

            // 11. Update the best score, alpha and, on a beta cutoff, the histories.
            if score > best {
                best = score;
                if score > alpha {
                    best_move = Some(mv);
                    if N::PV {
                        self.extend_line(ply, mv);
                    }
                    if N::ROOT {
                        self.root_best = Some(Best {
                            score,
                            is_lower_bound: score >= beta,
                            line: self.lines[0].clone(),
                            depth: self.depth,
                        });
                    }
                    if score >= beta {
                        bound = Bound::Lower;
                        let is_clear = !beta.is_decisive() && best > beta + bonus_beta_margin();
                        let depth = depth + i32::from(is_clear);
                        let capture = noisy.then_some(mv);
                        self.history
                            .update_capture_history(position, depth, capture, &tried_noisy);
                        if !noisy {
                            let at = (ply, depth);
                            self.history.update_quiet_history(
                                position,
                                at,
                                state.context,
                                mv,
                                &tried_quiets,
                            );
                        }
                        break;
                    }
                    alpha = score;
                    bound = Bound::Exact;
                }
            }
            // Moves beyond the capacity get no malus.
            let _ = if noisy {
                tried_noisy.try_push(mv)
            } else {
                tried_quiets.try_push(mv)
            };
        }

        // 12. No legal move: checkmate or stalemate.
        if move_count == 0 {
            return if excluded.is_some() {
                alpha
            } else if in_check {
                Score::mated_in(ply)
            } else {
                Score::DRAW
            };
        }
        best = best.min(most);
        // A search that left out some moves says nothing about the position as a whole,
        // so it does not update the histories and the table.
        let restricted = self.is_root_restricted();
        if excluded.is_some() || N::ROOT && restricted {
            return best;
        }
        self.update_correction_history(&state, best, best_move, bound);
        if bound == Bound::Upper
            && let Some(quiet) = self.quiet_above(ply)
        {
            self.history.reward_prior_move(depth, quiet);
        }
        self.shared.table.put(
            position.key(),
            Entry {
                best: best_move,
                score: best.from_root_to_node(ply),
                evaluation: state.raw_eval,
                depth: depth.min(MAX_PLY as i32) as u8,
                bound,
            },
        );
        best
    }

    /// Collects the [`NodeState`] of a position: static evaluation, table entry, killers.
    fn node_state<'a>(
        &mut self,
        position: &'a Position,
        entry: Option<Entry>,
        depth: i32,
        ply: usize,
        cut_node: bool,
    ) -> NodeState<'a> {
        let in_check = position.is_check();
        let correction_keys = CorrectionKeys::of(position, self.before()[0]);
        let (raw_eval, static_eval) = if in_check {
            (Score::ILLEGAL, Score::ILLEGAL)
        } else {
            let raw = self.static_evaluation(position, entry, ply);
            let correction = self.history.corrections.correction(correction_keys);
            (raw, corrected(raw, correction))
        };
        self.stack.static_evals[ply] = static_eval;
        let tt_move = entry.and_then(|entry| entry.best);
        NodeState {
            position,
            depth,
            ply,
            cut_node,
            in_check,
            excluded: self.stack.excluded[ply],
            entry,
            tt_move,
            tt_noisy: tt_move.is_some_and(|mv| is_noisy(position, mv)),
            context: HistoryContext::NONE,
            killers: self.history.killers(ply),
            correction_keys,
            raw_eval,
            static_eval,
            eval: entry.map_or(static_eval, |entry| entry.better_eval(static_eval, ply)),
            improving: !in_check && self.is_improving(static_eval, ply),
        }
    }

    /// Whether the static evaluation is higher than at the side's previous move, or at the one
    /// before that if the side was in check then. Near the root, where neither is known, only with
    /// [`Pruning::Careful`].
    fn is_improving(&self, static_eval: Score, ply: usize) -> bool {
        let earlier = [2, 4]
            .into_iter()
            .filter_map(|back| Some(self.stack.static_evals[ply.checked_sub(back)?]))
            .find(|&earlier| earlier != Score::ILLEGAL);
        let unknown = self.shared.pruning == Pruning::Careful;
        earlier.map_or(unknown, |earlier| static_eval > earlier)
    }

    /// Updates the history of the previous quiet move by the change in static evaluation that it
    /// caused.
    fn update_gain_history(&mut self, state: &NodeState<'_>) {
        if let Some(quiet) = self.quiet_above(state.ply) {
            let earlier = self.stack.static_evals[state.ply - 1];
            if ![earlier, state.static_eval].contains(&Score::ILLEGAL) {
                let gain = -(earlier.ce() + state.static_eval.ce());
                self.history.update_gain(gain, quiet);
            }
        }
    }

    /// Updates the correction history with the difference between score and evaluation, unless the
    /// position is tactical or the score's bound does not prove that direction.
    fn update_correction_history(
        &mut self,
        state: &NodeState<'_>,
        score: Score,
        best: Option<Move>,
        bound: Bound,
    ) {
        let quiet = !state.in_check && best.is_none_or(|mv| !is_noisy(state.position, mv));
        let proves_direction = match bound {
            Bound::Exact => true,
            Bound::Lower => score > state.static_eval,
            Bound::Upper => score < state.static_eval,
        };
        if quiet && proves_direction && !score.is_decisive() {
            let error = score.ce() - state.static_eval.ce();
            let corrections = &mut self.history.corrections;
            corrections.update(state.correction_keys, state.depth, error);
        }
    }
}
