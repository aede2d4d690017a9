//! The progress of a run: a bar on a terminal, lines elsewhere.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use indicatif::ProgressBar;

use super::state::State;
use crate::batch::progress;
use crate::text::{counted, trimmed};

/// The time between two lines where there is no terminal.
const PAUSE: Duration = Duration::from_secs(10);

/// The progress of a run.
pub struct Progress {
    bar: ProgressBar,
    is_terminal: bool,
    started: Instant,
    /// When the last line was printed.
    told: Instant,
    /// What earlier runs did.
    earlier: u64,
    earlier_games: u64,
}

impl Progress {
    pub fn new(state: &State) -> Self {
        let bar = progress::bar(Some(state.spsa.iterations()));
        bar.set_position(state.finished());
        bar.reset_eta();
        Self {
            bar,
            is_terminal: std::io::stderr().is_terminal(),
            started: Instant::now(),
            told: Instant::now(),
            earlier: state.finished(),
            earlier_games: state.games.iter().sum(),
        }
    }

    pub const fn bar(&self) -> &ProgressBar {
        &self.bar
    }

    /// Prints a line above the bar.
    pub fn print(&self, line: &str) {
        self.bar.suspend(|| eprintln!("{line}"));
    }

    /// Shows the state after an iteration.
    pub fn show(&mut self, state: &State) {
        self.bar.set_position(state.finished());
        self.bar.set_message(self.text(state));
        let is_over = state.finished() == state.spsa.iterations();
        if !self.is_terminal && !is_over && self.told.elapsed() >= PAUSE {
            self.told = Instant::now();
            let (done, all) = (state.finished(), state.spsa.iterations());
            let left = (all - done) as f64 / self.rate(done - self.earlier);
            let left = Duration::try_from_secs_f64(left.round()).unwrap_or(Duration::MAX);
            let left = humantime::format_duration(left);
            eprintln!(
                "{done} of {all} iterations, {left} to go: {}",
                self.text(state)
            );
        }
    }

    fn rate(&self, count: u64) -> f64 {
        count as f64 / self.started.elapsed().as_secs_f64().max(1e-9)
    }

    fn text(&self, state: &State) -> String {
        let games = state.games.iter().sum::<u64>();
        let score = state.score();
        if games == 0 {
            return score;
        }
        let rate = trimmed(self.rate(games - self.earlier_games), 1);
        format!(
            "{}, {rate} games/s, {score}",
            counted(games, "game", "games")
        )
    }

    /// Removes the bar, and sums up what this run did.
    pub fn finish(&self, state: &State) {
        self.bar.finish_and_clear();
        let done = state.finished() - self.earlier;
        let time = self.started.elapsed().as_secs_f64();
        let iterations = counted(done, "iteration", "iterations");
        eprintln!("{iterations} in {time:.1} s: {}", self.text(state));
    }
}
