//! The lag of moves: the difference between our own measurement and the clock of the game, caused by
//! the network and a busy machine.

use std::time::Duration;

/// The maximum lag. A greater difference means that the clock was set or stopped.
const MOST: Duration = Duration::from_secs(1);
/// The factor by which the expected lag decays per move.
const MEMORY: f64 = 0.95;

/// The lag to expect at the next move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Lag(Duration);

impl Lag {
    /// Updates the lag from the time charged by the clock and the time measured by ourselves.
    pub fn learn(&mut self, charged: Duration, measured: Duration) {
        let lost = charged.saturating_sub(measured);
        self.0 = lost.max(self.0.mul_f64(MEMORY)).min(MOST);
    }

    /// The lag and what the user wants to keep beside it.
    pub const fn margin(self, overhead: Duration) -> Margin {
        Margin {
            overhead,
            lag: self.0,
        }
    }
}

/// The time on the clock that searches must not use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Margin {
    /// What the user wants to keep on the clock.
    pub overhead: Duration,
    /// What the next move is expected to lose outside the search.
    pub lag: Duration,
}

impl Margin {
    pub fn total(self) -> Duration {
        self.overhead + self.lag
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worst_is_remembered_for_a_while() {
        let ms = Duration::from_millis;
        let mut lag = Lag::default();
        lag.learn(ms(150), ms(100));
        assert_eq!(lag.0, ms(50));
        lag.learn(ms(101), ms(100));
        assert!((ms(40)..ms(50)).contains(&lag.0));
        lag.learn(ms(90), ms(100));
        lag.learn(ms(180), ms(100));
        assert_eq!(lag.0, ms(80));
        for _ in 0..100 {
            lag.learn(ms(0), ms(100));
        }
        assert!(lag.0 < ms(1));
        lag.learn(ms(100_000), ms(100));
        assert_eq!(lag.0, MOST);
    }
}
