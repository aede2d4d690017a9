//! How long an engine in another process may take.

use std::time::Duration;

use movegen::Color;

use super::player::Effort;

/// The time an engine has to answer when it starts and before each game.
pub const START_PATIENCE: Duration = Duration::from_secs(30);
/// The time it has to stop; with a clock it is a part of the remaining time, at least the second.
const STOP_PATIENCE: Duration = Duration::from_secs(5);
const LEAST_STOP_PATIENCE: Duration = Duration::from_secs(1);
/// The least time that it has for a move before it is stopped, however little is left on its clock.
const LEAST_SEARCH: Duration = Duration::from_millis(100);
/// By how much it may exceed the time limit before it is stopped.
const OVERTIME: Duration = Duration::from_secs(1);
/// The interval at which a searching engine is checked.
pub const TICK: Duration = Duration::from_millis(5);

/// How long an engine may search until it is stopped, and then until it counts as hung.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patience {
    pub search: Option<Duration>,
    pub stop: Duration,
}

impl Patience {
    /// With a clock, an engine is stopped when it has used nine tenths of its time for one move, so that
    /// another one can still play in place of one that hangs.
    pub fn of(effort: &Effort, turn: Color) -> Self {
        match effort {
            Effort::Clock(clock_state, margin) => {
                let left = clock_state.remaining[turn as usize].saturating_sub(margin.total());
                Self {
                    search: Some((left * 9 / 10).max(LEAST_SEARCH)),
                    stop: (left / 20).clamp(LEAST_STOP_PATIENCE, STOP_PATIENCE),
                }
            }
            Effort::Fixed(limits) => Self {
                search: limits.hard_time.map(|time| time + OVERTIME),
                stop: STOP_PATIENCE,
            },
            Effort::Endless => Self {
                search: None,
                stop: STOP_PATIENCE,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engines::lag::Margin;
    use crate::engines::player::ClockState;

    #[test]
    fn patience_with_a_clock() {
        let seconds = Duration::from_secs;
        let clock_state = |left| ClockState {
            remaining: [left, seconds(7)],
            increment: [Duration::ZERO; 2],
            moves_to_go: None,
        };
        for (left, used, search, stop) in [
            (100, 0, 90_000, 5),
            (100, 60, 36_000, 2),
            (10, 0, 9000, 1),
            (10, 11, 100, 1),
        ] {
            let effort = Effort::Clock(clock_state(seconds(left)), Margin::default());
            let effort = effort.after(seconds(used), Color::White);
            let expected = Patience {
                search: Some(Duration::from_millis(search)),
                stop: seconds(stop),
            };
            assert_eq!(Patience::of(&effort, Color::White), expected);
        }
        assert_eq!(Patience::of(&Effort::Endless, Color::White).search, None);
    }
}
