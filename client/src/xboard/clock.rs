//! How long the engine may think.

use std::time::Duration;

use engine::{Clock, Limits};
use movegen::Game;

/// The clocks of the engine and of its opponent, and the limits of each move.
#[derive(Clone, Debug)]
pub struct Clocks {
    /// The moves in each period; 0 for the whole game.
    moves: u32,
    base: Duration,
    increment: Duration,
    /// The time that the engine has left.
    left: Duration,
    /// The same time for each move, in place of a clock.
    fixed: Option<Duration>,
    pub depth: Option<usize>,
    /// Nodes that count as a second; none for real time.
    pub node_rate: Option<u64>,
}

impl Default for Clocks {
    fn default() -> Self {
        let base = Duration::from_mins(5);
        Self {
            moves: 40,
            base,
            increment: Duration::ZERO,
            left: base,
            fixed: None,
            depth: None,
            node_rate: None,
        }
    }
}

impl Clocks {
    /// Begins a game: full time, and no limit to the depth.
    pub fn start_game(&mut self) {
        self.left = self.base;
        self.depth = None;
    }

    pub fn set_level(&mut self, moves: u32, base: Duration, increment: Duration) {
        (self.moves, self.base, self.increment) = (moves, base, increment);
        (self.left, self.fixed) = (base, None);
    }

    pub fn set_fixed(&mut self, time: Duration) {
        self.fixed = Some(time);
    }

    /// Sets the time that the engine has left.
    pub fn set_left(&mut self, time: Duration) {
        self.left = time;
    }

    /// Counts a move of the engine, for an interface that does not send the times.
    pub fn spend(&mut self, time: Duration) {
        self.left = self.left.saturating_sub(time) + self.increment;
    }

    /// The limits of the next move, with a part of the time that the interface needs.
    pub fn limits(&self, game: &Game, overhead: Duration) -> Limits {
        let played = game.moves().len() as u32 / 2;
        let clock = Clock {
            remaining: self.left,
            increment: self.increment,
            moves_to_go: (self.moves > 0).then(|| self.moves - played % self.moves),
            overhead,
            lag: Duration::ZERO,
        };
        let mut limits = match self.fixed {
            Some(time) => {
                // With a rate of nodes, nobody's clock runs.
                let overhead = self.node_rate.map_or(overhead, |_| Duration::ZERO);
                let time = time.saturating_sub(overhead);
                Limits::time(time.max(Duration::from_millis(1)))
            }
            None => clock.limits(),
        };
        limits.depth = self.depth;
        if let Some(rate) = self.node_rate {
            let nodes = |time: Duration| ((time.as_secs_f64() * rate as f64) as u64).max(1);
            limits.nodes = limits.hard_time.take().map(nodes);
            limits.soft_nodes = limits.optimum_time.take().map(nodes);
        }
        limits
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OVERHEAD: Duration = Duration::from_millis(10);

    #[test]
    fn limits() {
        let game = Game::default();
        let mut clocks = Clocks::default();
        let of = |clocks: &Clocks| clocks.limits(&game, OVERHEAD);
        let hour = Duration::from_hours(1);
        clocks.set_level(0, hour, Duration::ZERO);
        let long = of(&clocks).optimum_time.expect("set");
        clocks.set_level(10, hour, Duration::ZERO);
        assert!(of(&clocks).optimum_time.expect("set") > long);
        clocks.set_left(Duration::from_secs(1));
        assert!(of(&clocks).hard_time.expect("set") < Duration::from_secs(1));
        clocks.spend(Duration::from_millis(400));
        assert_eq!(clocks.left, Duration::from_millis(600));
        clocks.set_fixed(Duration::from_secs(2));
        clocks.depth = Some(7);
        let limits = of(&clocks);
        assert_eq!(limits.hard_time, Some(Duration::from_millis(1990)));
        assert_eq!(limits.depth, Some(7));
        clocks.node_rate = Some(500);
        assert_eq!(of(&clocks).nodes, Some(1000));
        assert_eq!(of(&clocks).hard_time, None);
        clocks.start_game();
        assert_eq!((clocks.left, clocks.depth), (hour, None));
    }
}
