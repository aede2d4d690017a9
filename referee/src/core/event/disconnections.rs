//! A player may lose its connection only so many times in one game (`max_disconnections`).
//!
//! The end of a connection counts once, whoever notices it: the connection is closed, the player signs
//! off or answers no ping, it comes back on another connection, or it signs on again on one that has no
//! end. What the arbiter orders does not count, nor what happens while a game is paused or the referee
//! stands still. The journal does not keep the counts: they begin anew when the referee is started again.

use std::time::Instant;

use crate::core::ending::{Ending, Reason};
use crate::core::event::interface::SeatId;
use crate::core::event::machine::Event;
use crate::core::event::stream::Report;

/// The end of a player's connection in a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Disconnection {
    /// The number of the game.
    game: usize,
    /// How many there have been in this game, this one included.
    count: usize,
    /// So many lose the game, if any number does.
    limit: Option<usize>,
}

impl Disconnection {
    /// What follows the words that tell it: ` (2 of 3)`.
    pub fn suffix(this: Option<Self>) -> String {
        match this {
            Some(Self {
                count,
                limit: Some(limit),
                ..
            }) => format!(" ({count} of {limit})"),
            _ => String::new(),
        }
    }
}

impl Event {
    /// Counts the end of a player's connection in its game, if it has one.
    pub(super) fn count_disconnection(&mut self, seat: SeatId) -> Option<Disconnection> {
        let (number, color) = self.seats[seat].game?;
        if self.stands_still || self.must_stop() || self.ledger.is_held(number) {
            return None;
        }
        let limit = self.ledger.config().rules.max_disconnections;
        let count = &mut self.ledger.game_mut(number)?.disconnections[color as usize];
        *count += 1;
        Some(Disconnection {
            game: number,
            count: *count,
            limit: (limit > 0).then_some(limit),
        })
    }

    /// Tells that the connection of a player has ended.
    pub(super) fn report_lost(&mut self, seat: SeatId, lost: Option<Disconnection>) {
        let player = self.name_of(seat);
        let suffix = Disconnection::suffix(lost);
        self.say(format!("{player} disconnected{suffix}"));
        self.report(Report::Lost {
            player,
            game: lost.map(|lost| lost.game),
            disconnections: lost.map(|lost| lost.count),
            max_disconnections: lost.and_then(|lost| lost.limit),
        });
    }

    /// Ends the game of a player whose connection has ended too often in it.
    pub(super) fn forfeit_if_lost_too_often(
        &mut self,
        seat: SeatId,
        lost: Option<Disconnection>,
        now: Instant,
    ) {
        let (Some(lost), Some((number, color))) = (lost, self.seats[seat].game) else {
            return;
        };
        // Its program may have ended too, which has ended the game already.
        if number != lost.game || lost.limit.is_none_or(|limit| lost.count < limit) {
            return;
        }
        if let Some(game) = self.ledger.game_mut(number) {
            let ending = Ending::loss(color, Reason::Disconnections(lost.count));
            let out = game.referee.decide(&ending);
            self.act(number, out, now);
        }
    }
}
