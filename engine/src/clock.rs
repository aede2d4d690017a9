//! From what a chess clock shows to what a search may spend.

use std::time::Duration;

use crate::limits::Limits;
use crate::params::{CLOCK_FAIR_SHARE, CLOCK_HARD_SHARE, CLOCK_MOVES};

/// The clock of the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// What is left.
    pub remaining: Duration,
    /// What the move adds when it is made.
    pub increment: Duration,
    /// The moves until more time is given; none if there will be no more.
    pub moves_to_go: Option<u32>,
    /// What is lost between the search and the clock: transmission, and an opponent that is served
    /// first.
    pub overhead: Duration,
}

impl Clock {
    /// The time to aim at, and the time never to exceed.
    #[must_use]
    pub fn limits(&self) -> Limits {
        let usable = self.remaining.saturating_sub(self.overhead);
        let moves = self
            .moves_to_go
            .unwrap_or(CLOCK_MOVES)
            .clamp(1, CLOCK_MOVES);
        let share = usable / moves + self.increment * 3 / 4;
        // With one move to go there is nothing to keep for later.
        let most = if moves == 1 {
            usable * 9 / 10
        } else {
            usable.mul_f64(CLOCK_HARD_SHARE)
        };
        Limits {
            fair_time: Some(share.mul_f64(CLOCK_FAIR_SHARE).min(most)),
            hard_time: Some((share * 4).min(most).max(Duration::from_millis(1))),
            ..Limits::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whatever the clock shows, the flag does not fall.
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
                    };
                    let limits = clock.limits();
                    let (soft, hard) = (
                        limits.fair_time.expect("set"),
                        limits.hard_time.expect("set"),
                    );
                    assert!(
                        soft <= hard || hard == Duration::from_millis(1),
                        "{clock:?}: {limits:?}"
                    );
                    let usable = clock.remaining.saturating_sub(clock.overhead);
                    assert!(
                        hard <= usable.max(Duration::from_millis(1)),
                        "{clock:?}: {limits:?}"
                    );
                }
            }
        }
    }
}
