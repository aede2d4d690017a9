//! How much of the time that a move deserves on average this one deserves: more while the choice
//! changes, while the work is spread over many moves, and while the score falls
//! (<https://www.chessprogramming.org/Time_Management>).

use movegen::Move;

use crate::params::{
    PACE_EFFORT_BASE, PACE_EFFORT_WEIGHT, PACE_FALL, PACE_RISE, PACE_SETTLING, PACE_STABLE_LIMIT,
    PACE_UNSETTLED,
};
use crate::score::Score;

/// What the iterations so far say of the choice.
#[derive(Default)]
pub(crate) struct Pace {
    best: Option<Move>,
    /// Iterations in a row that have kept the best move.
    stable: u32,
    score: Option<Score>,
}

impl Pace {
    /// The factor to the time for a move after an iteration that has found this one best, with this
    /// score and this share of the nodes, from 0 to 1.
    pub fn factor(&mut self, best: Option<Move>, score: Score, share: f64) -> f64 {
        self.stable = if self.best == best {
            self.stable + 1
        } else {
            0
        };
        self.best = best;
        let before = self.score.replace(score).unwrap_or(score);
        let settled = f64::from(self.stable.min(PACE_STABLE_LIMIT));
        let fall = f64::from(before.ce() - score.ce());
        (PACE_UNSETTLED - PACE_SETTLING * settled)
            * (PACE_EFFORT_BASE - PACE_EFFORT_WEIGHT * share)
            * (1.0 + fall / 100.0).clamp(PACE_RISE, PACE_FALL)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use movegen::Square;

    #[test]
    fn what_is_settled_takes_less_time() {
        let [one, other] = [Square::E4, Square::E3].map(|to| Some(Move::normal(Square::E2, to)));
        let mut pace = Pace::default();
        let at_first = pace.factor(one, Score::DRAW, 0.5);
        let settled = (0..10)
            .map(|_| pace.factor(one, Score::DRAW, 0.5))
            .last()
            .expect("ten");
        assert!(settled < at_first);
        assert!(pace.factor(one, Score::DRAW, 0.9) < settled);
        assert!(pace.factor(one, Score::ordinary(-30), 0.5) > settled);
        assert!(pace.factor(other, Score::ordinary(-60), 0.5) > at_first);
    }
}
