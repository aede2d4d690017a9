//! Observers sign on, and a referee learns that another one has taken over (decision 143).

use std::time::Instant;

use epd::protocol::{Command, Message, Term};
use epd::{Operand, Record};
use movegen::Position;

use crate::core::event::arrivals::{WRONG_SECRET_DELAY, WRONG_TOKEN};
use crate::core::event::interface::{Effect, LinkId};
use crate::core::event::machine::Event;
use crate::core::event::seat::EndedBy;
use crate::core::observer::{SignOn, is_fence};

const COLORS: [movegen::Color; 2] = [movegen::Color::White, movegen::Color::Black];

impl Event {
    /// The number of this referee with its proof, for those who may meet an earlier one.
    #[must_use]
    pub fn term(&self) -> Option<Term> {
        let settings = self.ledger.config().observer.as_ref()?;
        let number = self.ledger.term();
        (number > 1).then(|| Term {
            number,
            proof: settings.token.proof(number).into(),
        })
    }

    /// Somebody who has not signed on says which referee it knows. If that is a later one than this, this
    /// one stops.
    pub(super) fn compare_term(&mut self, record: &Record) {
        let Some(settings) = &self.ledger.config().observer else {
            return;
        };
        if let Some(term) = Term::of(record)
            && term.number > self.ledger.term()
            && settings.token.proves(term.number, &term.proof)
        {
            self.supersede(term.number);
        }
    }

    /// Another referee has taken over: this one stops.
    pub(super) fn supersede(&mut self, term: u64) {
        if term > self.ledger.term() {
            self.superseded = Some(term);
            self.note(&format!(
                "another referee has taken over the event (term {term}): this one stops"
            ));
        }
    }

    /// The term of the referee that has taken over, if one has.
    #[must_use]
    pub const fn superseded(&self) -> Option<u64> {
        self.superseded
    }

    /// Somebody who has not signed on speaks as an observer does.
    pub(super) fn observe(&mut self, link: LinkId, record: &Record, now: Instant) {
        if is_fence(record) {
            self.answer_fence(link);
            return;
        }
        let Some(sign_on) = SignOn::read(record) else {
            self.refuse(link, "Observe is not understood", now);
            return;
        };
        let Some(settings) = &self.ledger.config().observer else {
            self.refuse(
                link,
                "this event has no observer: its file has no [observer]",
                now,
            );
            return;
        };
        let secrets = record.get("Auth").map(|auth| &auth.operands[..]);
        let mut secrets = secrets.unwrap_or_default().iter().map(Operand::text);
        if !secrets.any(|secret| settings.token.is(secret)) {
            if let Some(link) = self.links.get_mut(&link) {
                link.turned_away = Some((now + WRONG_SECRET_DELAY, WRONG_TOKEN));
            }
            return;
        }
        if sign_on.replica.term > self.ledger.term() {
            self.supersede(sign_on.replica.term);
            return;
        }
        self.admit_observer(link, sign_on, now);
    }

    fn admit_observer(&mut self, link: LinkId, sign_on: SignOn, now: Instant) {
        let others = self.links.iter().filter(|(_, other)| other.is_observer);
        if let Some((&old, _)) = others.min_by_key(|(id, _)| **id) {
            self.disconnect(old, "another observer took its place", EndedBy::Player, now);
        }
        let Some(opened) = self.links.get_mut(&link) else {
            return;
        };
        opened.is_observer = true;
        let peer = opened.peer;
        self.unsigned.remove(&link);
        let peer = self.peer_text(peer);
        self.effects.push(Effect::Observe(link, sign_on));
        let name = "the observer".to_owned();
        self.effects.push(Effect::Name(link, name));
        self.note(&format!("an observer connected from {peer}"));
    }

    /// A later or an earlier referee shows its term. It learns ours, in case it is the earlier one.
    fn answer_fence(&mut self, link: LinkId) {
        if self.links.remove(&link).is_none() {
            return;
        }
        self.unsigned.remove(&link);
        let farewell = Message {
            term: self.term(),
            ..Message::at(&Position::start())
        };
        self.push_send(link, Command::Disconnect(farewell), false);
        self.effects.push(Effect::Close(link));
    }

    /// The connection of an observer has ended.
    pub(super) fn observer_lost(&mut self) {
        self.note("the observer disconnected");
    }

    /// All games stop with their clocks, because the observer has no copy of the journal. Players are told
    /// nothing until [`Event::go_on`].
    pub(super) fn stand_still(&mut self) {
        self.stands_still = true;
        for (_, game) in self.ledger.games_mut() {
            game.referee.interrupt();
        }
        for place in &mut self.seats {
            place.asking = None;
            // The answer may still arrive.
            place.stale = place.asked.take().or(place.stale);
        }
        self.note(
            "no observer has a copy of the journal: all games wait with stopped clocks; to go on without: alone",
        );
    }

    /// The games go on after a standstill. Players that are away are waited for anew.
    pub(super) fn go_on(&mut self, now: Instant) {
        self.stands_still = false;
        self.note("the games go on");
        let running = self.ledger.running().iter();
        let running: Vec<_> = running
            .map(|(&number, game)| (number, game.seats))
            .collect();
        for (number, seats) in running {
            for (color, seat) in COLORS.into_iter().zip(seats) {
                let place = &mut self.seats[seat];
                if place.link.is_none() {
                    place.absent_since = Some(now);
                    if let Some(game) = self.ledger.game_mut(number) {
                        game.referee.excuse(color);
                    }
                    self.mark_absent(seat, now);
                }
            }
            self.reset_game(number, now);
        }
        self.postpone_pings(now);
        self.needs_pairing = true;
    }

    /// What is sent to players is held back for a while, so that nobody can answer a ping.
    pub(super) fn postpone_pings(&mut self, now: Instant) {
        for place in &mut self.seats {
            if place.pinged.is_none() {
                (place.active, place.heard) = (now, now);
            }
        }
    }
}
