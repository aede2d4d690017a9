//! Quiescence search: captures and promotions until the position is quiet
//! (<https://www.chessprogramming.org/Quiescence_Search>).
//!
//! There is no delta pruning: it cost 96 Elo at 1 s + 0.01 s (EXPERIMENTS.md has the matches).

use movegen::{Move, Position, Square};

use crate::eval::correction::{CorrectionKeys, corrected};
use crate::ordering::history::HistoryContext;
use crate::ordering::picker::{MovePicker, Wanted, is_noisy};
use crate::score::{MAX_PLY, Score};
use crate::search::node_state::{Node, Window, flip};
use crate::search::params::{recapture_plies, table_clock_limit};
use crate::search::thread::Worker;
use crate::search::tt::{Bound, Entry};

/// The ply where quiescence started and, once it is [`recapture_plies`] deep, the only square
/// where captures are still tried. Boards full of queens would explode otherwise.
#[derive(Clone, Copy)]
pub(crate) struct QsState {
    pub ply: usize,
    pub recapture_on: Option<Square>,
}

impl QsState {
    pub fn at(ply: usize) -> Self {
        Self {
            ply,
            recapture_on: None,
        }
    }
}

impl Worker<'_> {
    /// Searches captures that do not lose material, or all moves in check. Fail-soft, like
    /// [`Worker::node`].
    pub fn quiesce<N: Node>(
        &mut self,
        position: &Position,
        (mut alpha, beta): Window,
        ply: usize,
        qs: QsState,
    ) -> Score {
        if N::PV {
            self.lines[ply].clear();
        }
        if self.count_node(ply) || self.is_draw(position, ply) {
            return Score::DRAW;
        }
        let in_check = position.is_check();
        if ply >= MAX_PLY {
            return if in_check {
                Score::DRAW
            } else {
                self.evaluate(position, ply)
            };
        }

        let entry = self.shared.table.get(position.key());
        // Near the fifty-move rule its score may be out of reach.
        let trusted = entry.filter(|_| position.halfmove_clock() < table_clock_limit());
        if let Some(entry) = trusted
            && !N::PV
            && let Some(score) = entry.cutoff(alpha, beta, ply)
        {
            return score;
        }

        // Stand pat: a side that is not in check may decline every capture.
        let mut best = Score::mated_in(ply);
        let mut raw_eval = Score::ILLEGAL;
        if !in_check {
            raw_eval = self.static_evaluation(position, entry, ply);
            let correction_keys = CorrectionKeys::of(position, self.before()[0]);
            let correction = self.history.corrections.correction(correction_keys);
            let static_eval = corrected(raw_eval, correction);
            // A table score may be nearer to the truth.
            best = trusted.map_or(static_eval, |entry| entry.better_eval(static_eval, ply));
            if best >= beta {
                if entry.is_none() {
                    self.store_shallow(position, ply, raw_eval, (best, None), beta);
                }
                return best;
            }
            alpha = alpha.max(best);
        }

        let mut best_move = None;
        let (wanted, context) = if in_check {
            (Wanted::All, self.context(position))
        } else {
            (Wanted::Noisy(0), HistoryContext::NONE)
        };
        let tt_move = entry.and_then(|entry| entry.best);
        let mut picker = MovePicker::new(position, wanted, tt_move, [None; 2], context);
        while let Some(mv) = picker.next(position, self.history) {
            // After an evasion that does not lose by force, quiet ones are left out.
            let survives = best > -Score::evaluation(Score::EVALUATION_LIMIT);
            if in_check && survives && !is_noisy(position, mv) {
                continue;
            }
            if !in_check && qs.recapture_on.is_some_and(|square| square != mv.to()) {
                continue;
            }
            let after = self.make_move(position, mv);
            let recapture_on = (ply + 1 - qs.ply >= recapture_plies()).then_some(mv.to());
            let qs = QsState { recapture_on, ..qs };
            let score = -self.quiesce::<N>(&after, flip((alpha, beta)), ply + 1, qs);
            self.unmake_move();
            if self.stopped {
                return Score::DRAW;
            }
            if score > best {
                best = score;
                if score > alpha {
                    best_move = Some(mv);
                    if N::PV {
                        self.extend_line(ply, mv);
                    }
                    if score >= beta {
                        break;
                    }
                    alpha = score;
                }
            }
        }
        self.store_shallow(position, ply, raw_eval, (best, best_move), beta);
        best
    }

    /// Stores the score, static evaluation and best move of a node with depth 0.
    pub fn store_shallow(
        &self,
        position: &Position,
        ply: usize,
        evaluation: Score,
        (score, best): (Score, Option<Move>),
        beta: Score,
    ) {
        // Not all moves were searched, so the score is never exact.
        let bound = if score >= beta {
            Bound::Lower
        } else {
            Bound::Upper
        };
        let entry = Entry {
            best,
            score: score.from_root_to_node(ply),
            evaluation,
            depth: 0,
            bound,
        };
        self.shared.table.put(position.key(), entry);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::node_state::{NonPv, zero_window};
    use crate::search::thread::tests::with_worker;

    /// A score of the table settles a node, but not near the fifty-move rule: neither a bound beyond
    /// the window nor a better estimate of the position, in check or not.
    #[test]
    fn table_scores_are_not_trusted_near_the_fifty_move_rule() {
        let quiet = "4k3/8/8/8/8/8/4P3/4K3 w - -";
        let check = "4k3/8/8/8/8/8/4r3/4K3 w - -";
        for (board, score, bound) in [
            (quiet, 2000, Bound::Lower),
            (quiet, -2000, Bound::Upper),
            (check, 2000, Bound::Lower),
            (check, -2000, Bound::Upper),
        ] {
            let stored = Score::ordinary(score);
            for (clock, is_trusted) in [(0, true), (table_clock_limit(), false)] {
                let text = format!("{board} {clock} 100");
                let position: Position = text.parse().expect(board);
                with_worker(&position, |worker| {
                    let entry = Entry {
                        best: None,
                        score: stored,
                        evaluation: Score::ILLEGAL,
                        depth: 0,
                        bound,
                    };
                    worker.shared.table.put(position.key(), entry);
                    let window = zero_window(Score::ordinary(score / 2));
                    let found = worker.quiesce::<NonPv>(&position, window, 0, QsState::at(0));
                    assert_eq!(found == stored, is_trusted, "{text}: {found}, {bound:?}");
                });
            }
        }
    }
}
