//! The chess clock of a game. It reads no system time: instants are passed in.

use std::time::{Duration, Instant};

use epd::protocol::time_control::TimeControl;
use movegen::Color;

/// A chess clock.
#[derive(Clone, Debug)]
pub struct ChessClock {
    /// The time controls of White and Black, which differ where time is normalised.
    controls: [TimeControl; 2],
    /// The time that White and Black have used.
    used: [Duration; 2],
    /// The time that the arbiter has added for White and Black.
    extra: [Duration; 2],
    /// The number of moves that each side has made (decision 40).
    moves: [u32; 2],
    /// The side whose clock runs, and since when.
    running: Option<(Color, Instant)>,
}

impl ChessClock {
    /// A clock at the start of a game.
    #[must_use]
    pub const fn new(controls: [TimeControl; 2]) -> Self {
        Self {
            controls,
            used: [Duration::ZERO; 2],
            extra: [Duration::ZERO; 2],
            moves: [0; 2],
            running: None,
        }
    }

    /// The time controls of White and Black.
    #[must_use]
    pub const fn controls(&self) -> &[TimeControl; 2] {
        &self.controls
    }

    /// The time that White and Black have used, without the current move.
    #[must_use]
    pub const fn used(&self) -> [Duration; 2] {
        self.used
    }

    /// The time that White and Black have used, as players are told it. Time that the arbiter has added is
    /// taken off, because a client knows the time control and subtracts from it what was used. As nobody
    /// can have used less than nothing, a client may hear of added time only as it uses time.
    #[must_use]
    pub fn told(&self) -> [Duration; 2] {
        [0, 1].map(|side| self.used[side].saturating_sub(self.extra[side]))
    }

    /// Adds time for a side, whether its clock runs or not.
    pub fn extend(&mut self, color: Color, time: Duration) {
        self.extra[color as usize] += time;
    }

    /// Sets the time used and the number of moves from saved values (decision 93).
    pub const fn restore(&mut self, used: [Duration; 2], moves: [u32; 2]) {
        self.used = used;
        self.moves = moves;
        self.running = None;
    }

    /// The time that a side has left, without the current move; `None` without time control.
    #[must_use]
    pub fn remaining(&self, color: Color) -> Option<Duration> {
        let side = color as usize;
        let allotted = self.controls[side].allotted(self.moves[side], self.used[1 - side])?;
        Some((allotted + self.extra[side]).saturating_sub(self.used[side]))
    }

    /// Starts the clock of a side (decision 85).
    pub const fn start(&mut self, color: Color, at: Instant) {
        self.running = Some((color, at));
    }

    /// Stops the clock without charging anybody.
    pub const fn pause(&mut self) {
        self.running = None;
    }

    /// The side whose clock runs, and since when.
    #[must_use]
    pub const fn running(&self) -> Option<(Color, Instant)> {
        self.running
    }

    /// When the running clock's time runs out; `None` if no clock runs or without time control.
    #[must_use]
    pub fn flag(&self) -> Option<Instant> {
        let (color, since) = self.running?;
        since.checked_add(self.remaining(color)?)
    }

    /// Stops the clock and charges its side; returns the time since it was started, in whole milliseconds
    /// as the journal has it: a resumed event must not have other clocks.
    pub fn charge(&mut self, now: Instant) -> Duration {
        let Some((color, since)) = self.running.take() else {
            return Duration::ZERO;
        };
        let elapsed = now.saturating_duration_since(since);
        let elapsed = Duration::new(elapsed.as_secs(), elapsed.subsec_millis() * 1_000_000);
        self.used[color as usize] += elapsed;
        elapsed
    }

    /// Counts a move of a side.
    pub const fn count_move(&mut self, color: Color) {
        self.moves[color as usize] += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(control: &str) -> ChessClock {
        ChessClock::new([(); 2].map(|()| control.parse().expect(control)))
    }

    /// Normalised time: each side has its own.
    #[test]
    fn sides_may_have_different_time() {
        let controls = ["10+1", "20+2"].map(|text| text.parse().expect(text));
        let mut clock = ChessClock::new(controls);
        let begin = Instant::now();
        let second = Duration::from_secs(1);
        for color in [Color::White, Color::Black] {
            clock.start(color, begin);
            clock.charge(begin + 5 * second);
            clock.count_move(color);
        }
        assert_eq!(clock.remaining(Color::White), Some(6 * second));
        assert_eq!(clock.remaining(Color::Black), Some(17 * second));
        clock.start(Color::Black, begin);
        assert_eq!(clock.flag(), Some(begin + 17 * second));
    }

    /// Decision 85.
    #[test]
    fn the_side_on_the_move_is_charged() {
        let mut clock = clock("10+2");
        let begin = Instant::now();
        let second = Duration::from_secs(1);
        clock.start(Color::White, begin);
        assert_eq!(clock.flag(), Some(begin + 10 * second));
        assert_eq!(clock.charge(begin + 3 * second), 3 * second);
        clock.count_move(Color::White);
        assert_eq!(clock.remaining(Color::White), Some(9 * second));
        assert_eq!(clock.remaining(Color::Black), Some(10 * second));
        // Nobody is charged while the clock stands.
        assert_eq!(
            (clock.charge(begin + 9 * second), clock.flag()),
            (Duration::ZERO, None)
        );
        clock.start(Color::Black, begin + 9 * second);
        clock.pause();
        assert_eq!(clock.used(), [3 * second, Duration::ZERO]);
        clock.restore([second; 2], [5, 5]);
        assert_eq!(clock.remaining(Color::Black), Some(19 * second));
    }

    #[test]
    fn added_time_counts_at_once() {
        let mut clock = clock("10");
        let begin = Instant::now();
        let second = Duration::from_secs(1);
        clock.start(Color::White, begin);
        clock.extend(Color::White, 5 * second);
        assert_eq!(clock.flag(), Some(begin + 15 * second));
        clock.charge(begin + 3 * second);
        assert_eq!(clock.remaining(Color::White), Some(12 * second));
        assert_eq!(clock.remaining(Color::Black), Some(10 * second));
        assert_eq!(
            (clock.used()[0], clock.told()[0]),
            (3 * second, Duration::ZERO)
        );
        clock.start(Color::White, begin);
        clock.charge(begin + 4 * second);
        assert_eq!(clock.told(), [2 * second, Duration::ZERO]);
    }

    #[test]
    fn no_control_no_flag() {
        let mut clock = clock("-");
        clock.start(Color::White, Instant::now());
        assert_eq!((clock.flag(), clock.remaining(Color::White)), (None, None));
    }

    #[test]
    fn an_hourglass_runs_both_ways() {
        let mut clock = clock("*60");
        let begin = Instant::now();
        clock.start(Color::White, begin);
        clock.charge(begin + Duration::from_secs(20));
        assert_eq!(clock.remaining(Color::White), Some(Duration::from_secs(40)));
        assert_eq!(clock.remaining(Color::Black), Some(Duration::from_secs(80)));
    }
}
