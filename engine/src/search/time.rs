//! Time management: the limits that follow from a chess clock, and the time factor of a move
//! (<https://www.chessprogramming.org/Time_Management>).

use std::time::Duration;

use crate::limits::Limits;
use crate::score::Score;
use crate::search::params::{
    clock_hard_share, clock_moves, clock_optimum_share, time_factor_effort_base,
    time_factor_effort_weight, time_factor_fall, time_factor_rise, time_factor_settling,
    time_factor_stable_limit, time_factor_unsettled,
};
use movegen::Move;

/// The clock of the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// The remaining time.
    pub remaining: Duration,
    /// The increment for each move.
    pub increment: Duration,
    /// The moves to the next time control; none for sudden death.
    pub moves_to_go: Option<u32>,
    /// A margin that is kept on the clock, for moments in which the machine or the network stalls.
    pub overhead: Duration,
    /// The time that each move is expected to lose outside the search.
    pub lag: Duration,
}

impl Clock {
    /// The limits of this move: an optimum time and a hard time.
    ///
    /// The lag reduces the increment too, so that the clock does not run down move by move. The moves to go
    /// count one more, because time saved in this period helps in the next.
    #[must_use]
    pub fn limits(&self) -> Limits {
        let least = Duration::from_millis(1);
        let usable = self.remaining.saturating_sub(self.overhead + self.lag);
        let usable = usable.max(least);
        let moves = self
            .moves_to_go
            .map_or(clock_moves(), |moves| moves.saturating_add(1))
            .clamp(2, clock_moves());
        let increment = self.increment.saturating_sub(self.lag);
        let share = usable / moves + increment * 3 / 4;
        let most = usable.mul_f64(clock_hard_share()).max(least);
        Limits {
            optimum_time: Some(share.mul_f64(clock_optimum_share()).min(most)),
            hard_time: Some((share * 4).clamp(least, most)),
            ..Limits::default()
        }
    }
}

/// The time factor: more time while the best move changes, while the nodes are spread over many
/// moves, and while the score falls.
#[derive(Default)]
pub(crate) struct TimeFactor {
    best: Option<Move>,
    /// Iterations in a row that have kept the best move.
    stable: u32,
    score: Option<Score>,
}

impl TimeFactor {
    /// The factor to the optimum time after an iteration with this best move, its score, and its
    /// share of the nodes from 0 to 1.
    pub fn factor(&mut self, best: Option<Move>, score: Score, share: f64) -> f64 {
        self.stable = if self.best == best {
            self.stable + 1
        } else {
            0
        };
        self.best = best;
        let before = self.score.replace(score).unwrap_or(score);
        let settled = f64::from(self.stable.min(time_factor_stable_limit()));
        let fall = f64::from(before.ce() - score.ce());
        (time_factor_unsettled() - time_factor_settling() * settled)
            * (time_factor_effort_base() - time_factor_effort_weight() * share)
            * (1.0 + fall / 100.0).clamp(time_factor_rise(), time_factor_fall())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use movegen::Square;

    /// The hard limit never exceeds the remaining time.
    #[test]
    fn the_hard_limit_is_within_the_clock() {
        for remaining in [0, 1, 20, 100, 1000, 60_000, 7_200_000] {
            for increment in [0, 10, 1000, 30_000] {
                for moves_to_go in [None, Some(1), Some(2), Some(40)] {
                    let clock = Clock {
                        remaining: Duration::from_millis(remaining),
                        increment: Duration::from_millis(increment),
                        moves_to_go,
                        overhead: Duration::from_millis(10),
                        lag: Duration::from_millis(3),
                    };
                    let limits = clock.limits();
                    let (soft, hard) = (
                        limits.optimum_time.expect("set"),
                        limits.hard_time.expect("set"),
                    );
                    assert!(soft <= hard, "{clock:?}: {limits:?}");
                    let usable = clock.remaining.saturating_sub(clock.overhead);
                    assert!(
                        hard <= usable.max(Duration::from_millis(1)),
                        "{clock:?}: {limits:?}"
                    );
                }
            }
        }
    }

    /// The remaining time at the end of each period, if every move takes 1.3 times its optimum time plus
    /// three milliseconds. Without `moves` there is one period of 100 moves.
    fn left(start: Duration, increment: u64, moves: Option<u32>, periods: usize) -> Vec<Duration> {
        let ms = Duration::from_millis;
        let mut remaining = start;
        let mut left = Vec::new();
        for _ in 0..periods {
            for moves_to_go in (1..=moves.unwrap_or(100)).rev() {
                let clock = Clock {
                    remaining,
                    increment: ms(increment),
                    moves_to_go: moves.and(Some(moves_to_go)),
                    overhead: ms(10),
                    lag: ms(3),
                };
                let limits = clock.limits();
                let wanted = limits.optimum_time.expect("set").mul_f64(1.3);
                let spent = wanted.min(limits.hard_time.expect("set")) + ms(3);
                remaining = remaining.checked_sub(spent).expect("the flag is up") + ms(increment);
            }
            left.push(remaining);
            remaining += start * u32::from(moves.is_some());
        }
        left
    }

    /// Late in a long game, where the increment pays for each move, and at the end of a short period more
    /// time is left than the margin of 10 ms, three and six times as much.
    #[test]
    fn time_is_left() {
        let second = Duration::from_secs(1);
        for left in left(second, 10, None, 4) {
            assert!(left > second / 32, "{left:?}");
        }
        for left in left(second, 0, Some(10), 20) {
            assert!(left > second / 16, "{left:?}");
        }
    }

    #[test]
    fn a_stable_best_move_takes_less_time() {
        let [one, other] = [Square::E4, Square::E3].map(|to| Some(Move::normal(Square::E2, to)));
        let mut time_factor = TimeFactor::default();
        let unsettled = time_factor.factor(one, Score::DRAW, 0.5);
        let settled = (0..10)
            .map(|_| time_factor.factor(one, Score::DRAW, 0.5))
            .last()
            .expect("ten");
        assert!(settled < unsettled);
        assert!(time_factor.factor(one, Score::DRAW, 0.9) < settled);
        assert!(time_factor.factor(one, Score::ordinary(-30), 0.5) > settled);
        assert!(time_factor.factor(other, Score::ordinary(-60), 0.5) > unsettled);
    }
}
