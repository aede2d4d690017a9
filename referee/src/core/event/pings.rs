//! Pings: connections on which nothing passes any more are noticed (decision 10).
//!
//! A player that answers pings is sent one when it has been silent for the `ping` of the event, in a game
//! or not. If no answer comes, its connection is closed: a proxy may keep a dead one open for ever. Other
//! players are told the tags of their game again, which has no effect but makes a connection fail that
//! is cut off.

use std::time::Instant;

use epd::protocol::{Command, Message};

use crate::core::event::interface::{LinkId, SeatId};
use crate::core::event::machine::Event;
use crate::core::event::seat::EndedBy;
use crate::core::event::seat::PeerKind;

impl Event {
    /// What a command to a player says of pings: their interval in seconds, if the player answers them.
    pub(super) fn ping_interval(&self, seat: SeatId) -> Option<u32> {
        let ping = self.ledger.config().rules.ping.as_secs_f64().ceil();
        self.seats[seat].answers_pings.then_some(ping as u32)
    }

    /// A player signs on, and says whether it answers pings. Only the network needs them.
    pub(super) fn expect_pongs(&mut self, seat: SeatId, answers_pings: bool, now: Instant) {
        let place = &mut self.seats[seat];
        place.hear(now);
        place.answers_pings = answers_pings && place.peer == PeerKind::Network;
        place.pongs_due = 0;
    }

    /// Sends the pings that are due, and closes the connections of players that did not answer one.
    pub(super) fn ping(&mut self, now: Instant) {
        let ping = self.ledger.config().rules.ping;
        for seat in 0..self.seats.len() {
            let place = &self.seats[seat];
            let is_due = place.ping_deadline(ping).is_some_and(|due| due <= now);
            let Some(link) = place.link.filter(|_| is_due) else {
                continue;
            };
            if place.pinged.is_some() {
                self.note(&format!("{} does not answer", self.name_of(seat)));
                self.disconnect(link, "no answer to a ping", EndedBy::Player, now);
            } else if place.answers_pings {
                self.ask_for_pong(seat, link, now);
            } else if let Some((number, color)) = place.game
                && let Some(game) = self.ledger.running().get(&number)
            {
                let command = game.referee.tags(color);
                self.send(link, command, now);
            }
        }
    }

    fn ask_for_pong(&mut self, seat: SeatId, link: LinkId, now: Instant) {
        let ping = Message {
            ping: self.ping_interval(seat),
            ..Message::at(&self.position_of(seat))
        };
        self.push_send(link, Command::Inform(ping), false);
        let place = &mut self.seats[seat];
        place.pinged = Some(now);
        place.pongs_due += 1;
    }

    /// A player answers a ping.
    pub(super) fn pong(&mut self, link: LinkId, seat: SeatId, now: Instant) {
        let place = &mut self.seats[seat];
        match place.pongs_due.checked_sub(1) {
            Some(due) => place.pongs_due = due,
            None => self.ignore(link, "an answer to no ping", now),
        }
    }
}
