//! Starts and stops searches, with the effort that the clock or the limits allow.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

use engine::{Limits, MAX_PLY};
use movegen::Game;

use super::ClientLoop;
use super::session::Session;
use super::threads::Job;
use crate::engines::Effort;

impl ClientLoop<'_> {
    pub(super) fn abort(&self) {
        self.signals.stop.store(true, Ordering::Relaxed);
    }

    pub(super) fn think(&mut self, game: &Game, effort: Effort, offered: bool) {
        self.abort();
        self.job += 1;
        self.signals = Arc::default();
        // If the search thread has ended, its error is among the events.
        let _ = self.jobs.send(Job::Think {
            id: self.job,
            game: Box::new(game.clone()),
            effort,
            offered,
            since: Instant::now(),
            signals: Arc::clone(&self.signals),
        });
    }

    /// By the clock, by the limits of the event, or by the options.
    pub(super) fn effort(&self, session: &Session) -> Effort {
        let margin = session.lag().margin(self.args.overhead);
        match session.clock_state() {
            Some(clock_state) => Effort::Clock(clock_state, margin),
            None => Effort::Fixed(limits_of_move(self.args.effort(), session.event_limits())),
        }
    }
}

/// The limits of the event, or else those of the options.
fn limits_of_move(limits: Limits, event: [Option<u64>; 2]) -> Limits {
    match event {
        [None, None] => limits,
        [nodes, depth] => Limits {
            nodes,
            depth: depth.map(|depth| depth.min(MAX_PLY as u64) as usize),
            ..Limits::default()
        },
    }
}
