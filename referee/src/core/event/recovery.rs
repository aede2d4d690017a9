//! What an error in the referee itself costs: one game at most.

use std::time::Instant;

use crate::core::ending::Ending;
use crate::core::event::interface::Effect;
use crate::core::event::machine::Event;

impl Event {
    /// The handling of an input has panicked. If it was about a game, nobody knows the state of that game
    /// any more: it ends without a result, and can be played again. What was to be done until the panic is
    /// still done, because the state has changed accordingly.
    pub(super) fn recover(&mut self, now: Instant) {
        let Some(number) = self.game_at_work.take() else {
            return;
        };
        let Some(game) = self.ledger.running().get(&number) else {
            return;
        };
        let seats = game.seats;
        self.note(&format!(
            "game {number} ends because of an internal error, please report it; to play it again: replay {number}"
        ));
        let ending = Ending::aborted(Some("internal error of the referee".to_owned()));
        let entry = self.ledger.end_entry(number, &ending);
        self.effects.extend(entry.map(Effect::Journal));
        self.end_game(number, &ending, now);
        for seat in seats {
            // An abort is a `reset` alone (decision 41).
            self.reset(seat, now);
        }
    }
}
