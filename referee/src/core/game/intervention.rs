//! What the arbiter changes in a game in progress: its clocks, its last moves, its players.

use std::time::Duration;

use epd::protocol::PlayerActions;
use movegen::{Color, IllegalMove, Move};
use smol_str::SmolStr;

use super::GameReferee;
use crate::core::openings::Opening;

/// A move of the players with what [`GameReferee::restore`] needs to make it again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PastMove {
    /// The move.
    pub mv: Move,
    /// The time that White and Black had used after it.
    pub used: [Duration; 2],
    /// The mover's evaluation.
    pub eval: Option<i32>,
    /// The mover's other actions.
    pub actions: PlayerActions,
}

impl GameReferee {
    /// Adds time to a side's clock. If that clock runs, its flag falls later.
    pub fn extend(&mut self, color: Color, time: Duration) {
        self.clock.extend(color, time);
    }

    /// Goes back to the position after these moves of the players, with the clocks of that moment and the
    /// time that the arbiter had added until then. The game waits to be continued by
    /// [`GameReferee::proceed`]; who is absent stays so.
    pub fn take_back(
        &mut self,
        opening: &Opening,
        moves: &[PastMove],
        extra: [Duration; 2],
    ) -> Result<(), IllegalMove> {
        let controls = self.clock.controls().clone();
        let (rules, tags) = (self.rules.clone(), self.tags.clone());
        let mut earlier = Self::new(opening, controls, rules, tags);
        earlier.absent = self.absent;
        for color in [Color::White, Color::Black] {
            earlier.extend(color, extra[color as usize]);
        }
        for past in moves {
            earlier.restore(past.mv, past.used, past.eval, past.actions)?;
        }
        *self = earlier;
        Ok(())
    }

    /// Sets a tag that the players are sent.
    pub fn set_tag(&mut self, tag: &str, value: &str) {
        let mut tags = self.tags.iter_mut();
        if let Some((_, old)) = tags.find(|(name, _)| name == tag) {
            *old = SmolStr::new(value);
        }
    }

    /// A side no longer has to come back within the reconnect timeout: a new entrant takes its place.
    pub const fn excuse(&mut self, color: Color) {
        self.absent[color as usize] = None;
    }
}
