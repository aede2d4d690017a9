//! An engine that is started again when it dies or hangs, so that a crash costs time and not the game.

use std::sync::atomic::Ordering;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::anyhow;
use engine::{Progress, Signals};
use movegen::Game;

use super::player::{Effort, LastingError, Player, SearchResult};
use super::supervisor::starts_are_abandoned;

/// An engine that fails within this time after a restart may fail again at once: there is a pause.
const QUICK: Duration = Duration::from_secs(10);
/// The first and the longest pause. Each is twice as long as the one before it.
const PAUSES: [Duration; 2] = [Duration::from_millis(500), Duration::from_secs(2)];
/// How often a pause checks whether the user wants to leave.
const TICK: Duration = Duration::from_millis(20);

/// Starts an engine with all its options, ready for a new game.
type Start = Box<dyn FnMut() -> anyhow::Result<Box<dyn Player>> + Send>;

/// An engine with a limited number of restarts.
pub struct RestartingPlayer {
    start: Start,
    /// Receives a message about every restart.
    tell: Box<dyn FnMut(String) + Send>,
    /// The engine, or why it failed if it is not started again.
    player: Result<Box<dyn Player>, String>,
    name: String,
    limit: u32,
    restarts: u32,
    started: Instant,
    pause: Duration,
}

impl RestartingPlayer {
    /// Starts an engine that may be started again so many times.
    pub fn start(
        mut start: Start,
        limit: u32,
        tell: impl FnMut(String) + Send + 'static,
    ) -> anyhow::Result<Self> {
        let player = start()?;
        Ok(Self {
            start,
            tell: Box::new(tell),
            name: player.name().to_owned(),
            player: Ok(player),
            limit,
            restarts: 0,
            started: Instant::now(),
            pause: PAUSES[0],
        })
    }

    fn player(&mut self) -> anyhow::Result<&mut Box<dyn Player>> {
        self.player.as_mut().map_err(|why| anyhow!("{why}"))
    }

    /// Puts a new engine in the place of one that failed. It is ready for a new game. An engine that
    /// plays an illegal move would play it again, so that remains an error.
    fn restart(&mut self, error: anyhow::Error) -> anyhow::Result<()> {
        // This ends its process and all those that it started.
        self.player = Err(format!("{error:#}"));
        if self.restarts >= self.limit || error.is::<LastingError>() || starts_are_abandoned() {
            return Err(error);
        }
        self.restarts += 1;
        let (number, limit) = (self.restarts, self.limit);
        (self.tell)(format!("{error:#}; restart {number} of {limit}"));
        if number > 1 && self.started.elapsed() < QUICK {
            wait(self.pause);
            self.pause = (self.pause * 2).min(PAUSES[1]);
        } else {
            self.pause = PAUSES[0];
        }
        self.player = Ok((self.start)()?);
        self.started = Instant::now();
        Ok(())
    }
}

/// Waits, unless the user wants to leave.
fn wait(pause: Duration) {
    let until = Instant::now() + pause;
    while Instant::now() < until && !starts_are_abandoned() {
        thread::sleep(TICK.min(pause));
    }
}

impl Player for RestartingPlayer {
    fn name(&self) -> &str {
        &self.name
    }

    fn new_game(&mut self) -> anyhow::Result<()> {
        match self.player()?.new_game() {
            // The new engine is ready for a new game.
            Err(error) => self.restart(error),
            Ok(()) => Ok(()),
        }
    }

    fn offer_draw(&mut self) -> anyhow::Result<()> {
        match self.player()?.offer_draw() {
            // The new engine is not told: the offer lapses.
            Err(error) => self.restart(error),
            Ok(()) => Ok(()),
        }
    }

    fn set_lines(&mut self, lines: usize) -> anyhow::Result<()> {
        self.player()?.set_lines(lines)
    }

    fn think(
        &mut self,
        game: &Game,
        effort: &Effort,
        signals: &Signals,
        observer: &mut dyn FnMut(&Progress<'_>),
    ) -> anyhow::Result<SearchResult> {
        let began = Instant::now();
        let turn = game.position().turn();
        let mut left = *effort;
        let mut has_restarted = false;
        loop {
            match self.player()?.think(game, &left, signals, observer) {
                Err(error) => self.restart(error)?,
                Ok(mut result) => {
                    if has_restarted {
                        result.time = began.elapsed();
                    }
                    return Ok(result);
                }
            }
            has_restarted = true;
            if signals.stop.load(Ordering::Relaxed) {
                // Nobody waits for the result any more.
                return Ok(SearchResult::default());
            }
            // The clock ran on.
            left = effort.after(began.elapsed(), turn);
        }
    }
}
