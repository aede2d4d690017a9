//! What moves lose between our own watch and the clock of the game: on the way, and while a busy
//! machine lets the player wait.

use std::time::Duration;

/// No more than this is believed: beyond it the clock was set, or stood still.
const MOST: Duration = Duration::from_secs(1);
/// How much of it is still expected after a move that lost nothing.
const MEMORY: f64 = 0.95;

/// The loss to expect at the next move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Lag(Duration);

impl Lag {
    /// Takes in what the clock charged for a move that took so long by our own watch.
    pub fn learn(&mut self, charged: Duration, measured: Duration) {
        let lost = charged.saturating_sub(measured);
        self.0 = lost.max(self.0.mul_f64(MEMORY)).min(MOST);
    }

    pub const fn expected(self) -> Duration {
        self.0
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
        assert_eq!(lag.expected(), ms(50));
        lag.learn(ms(101), ms(100));
        assert!((ms(40)..ms(50)).contains(&lag.expected()));
        lag.learn(ms(90), ms(100));
        lag.learn(ms(180), ms(100));
        assert_eq!(lag.expected(), ms(80));
        for _ in 0..100 {
            lag.learn(ms(0), ms(100));
        }
        assert!(lag.expected() < ms(1));
        lag.learn(ms(100_000), ms(100));
        assert_eq!(lag.expected(), MOST);
    }
}
