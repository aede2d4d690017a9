//! What players send: requests, and records that are invalid or unexpected.

use std::time::{Duration, Instant};

use epd::protocol::frame::Frame;
use epd::protocol::{Command, Message, Request, Supplied};

use crate::core::event::interface::{Effect, LinkId, Peer, SeatId};
use crate::core::event::machine::Event;
use crate::core::event::seat::EndedBy;
use crate::core::event::seat::PeerKind;
use crate::core::event::stream::Report;
use crate::core::fail;
use crate::core::game::Out;
use crate::core::observer::OPCODE;
use crate::core::text::shown;

/// A player is disconnected at this many invalid or unexpected records between two of its moves.
pub(super) const MAX_STRIKES: usize = 16;
/// How long a player that has reported a fault gets no new game: most programs end then, as `epode client` does
/// when its engine fails, and the next game begins with a fresh one.
const FAULT_PAUSE: Duration = Duration::from_secs(5);

impl Event {
    /// Handles a line that a connection received.
    pub(super) fn received(&mut self, link: LinkId, frame: &Frame, read: Instant, now: Instant) {
        let Some(opened) = self.links.get(&link) else {
            return;
        };
        if opened.turned_away.is_some() {
            return;
        }
        let seat = opened.seat;
        if let Some(seat) = seat {
            self.seats[seat].hear(now);
        }
        let logged_before = self.effects.len();
        let line = self.understand(link, seat, frame, read, now);
        // An answer to a ping is not logged.
        if line.as_deref() == Some("") {
            return;
        }
        // Lines of strangers are logged only if they turn out to be players.
        if seat.is_some()
            || self
                .links
                .get(&link)
                .is_some_and(|link| link.seat.is_some())
        {
            let line = line.unwrap_or_else(|| "?".to_owned());
            self.effects.insert(logged_before, Effect::Log(link, line));
        }
    }

    /// Acts on a line; returns what may be logged of it, which is nothing for an answer to a ping.
    fn understand(
        &mut self,
        link: LinkId,
        seat: Option<SeatId>,
        frame: &Frame,
        read: Instant,
        now: Instant,
    ) -> Option<String> {
        fail::point("line");
        let line = match frame {
            Frame::Line(line) => line,
            Frame::Oversize => {
                self.reject(link, "line longer than 4095 bytes", now);
                return None;
            }
        };
        let record = match epd::read(line, &mut Vec::new()) {
            Ok(record) => record,
            Err(error) => {
                self.reject(link, &error.to_string(), now);
                return Some(line.clone());
            }
        };
        let public = if record.get("Auth").is_some() {
            let mut public = record.clone();
            public.remove("Auth");
            public.to_string()
        } else {
            line.clone()
        };
        if seat.is_none() {
            self.compare_term(&record);
            if record.get(OPCODE).is_some() {
                self.observe(link, &record, now);
                return None;
            }
        }
        match (Request::read(&record), seat) {
            (Err(error), _) => self.reject(link, &error.to_string(), now),
            (Ok(Request::SignOn(content)), _) => self.sign_on(link, &record, &content, now),
            (Ok(Request::Reply(content)), Some(seat)) if content.ping.is_some() => {
                self.pong(link, seat, now);
                return Some(String::new());
            }
            (Ok(request), Some(seat)) => self.request(link, seat, request, read, now),
            (Ok(request), None) => self.too_early(link, &request, now),
        }
        Some(public)
    }

    /// Handles a request of a player that has signed on.
    fn request(
        &mut self,
        link: LinkId,
        seat: SeatId,
        request: Request,
        read: Instant,
        now: Instant,
    ) {
        match request {
            Request::Reply(content) => self.reply(link, seat, &content, read, now),
            Request::Fault(content) => self.fault_of_player(link, seat, &content, now),
            Request::SignOff(_) => {
                self.note(&format!("{} signed off", self.name_of(seat)));
                self.disconnected(link, EndedBy::Player, now);
            }
            Request::SignOn(_) => {}
        }
    }

    /// A player reports a fault of its own, which costs it its game if it has one.
    fn fault_of_player(&mut self, link: LinkId, seat: SeatId, content: &Message, now: Instant) {
        let why = shown(content.text.as_deref().unwrap_or("no reason given"));
        if let Some((number, color)) = self.seats[seat].game {
            let name = self.name_of(seat);
            self.note(&format!("{name} reports a fault: {why}"));
            self.game_at_work = Some(number);
            let game = self.ledger.game_mut(number);
            let illegal = match &content.supplied {
                Some(Supplied::Unplayable(text)) => Some(shown(text)),
                _ => None,
            };
            let out = game.map(|game| match illegal {
                Some(text) => game.referee.illegal_move(color, text),
                None => game.referee.fault(color, &why),
            });
            self.act(number, out.unwrap_or_default(), now);
        } else {
            self.ignore(link, &why, now);
        }
        let place = &mut self.seats[seat];
        place.ready = place.ready.max(now + FAULT_PAUSE);
    }

    fn reply(
        &mut self,
        link: LinkId,
        seat: SeatId,
        content: &Message,
        read: Instant,
        now: Instant,
    ) {
        let place = &mut self.seats[seat];
        place.lag = now.saturating_duration_since(read);
        place.owed = place.owed.saturating_sub(1);
        if place.peer == PeerKind::Kit && place.owed > 0 {
            self.ignore(link, "late reply to an earlier question", now);
            return;
        }
        let Some((number, color)) = place.game.filter(|_| place.asked.is_some()) else {
            place.stale = None;
            self.ignore(link, "unexpected reply", now);
            return;
        };
        if place.stale.is_some()
            && place.stale == content.position
            && place.asked != content.position
        {
            place.stale = None;
            self.ignore(link, "late reply to a finished game", now);
            return;
        }
        place.asked = None;
        self.game_at_work = Some(number);
        fail::point("reply");
        let may_be_asked_again = place.peer != PeerKind::Kit;
        let Some(game) = self.ledger.game_mut(number) else {
            return;
        };
        let out = if may_be_asked_again || content.supplied.is_some() {
            game.referee.reply(color, content, read)
        } else {
            game.referee.last_reply(color, content, read)
        };
        if out.iter().any(|out| matches!(out, Out::Moved(_)))
            && let Some(link) = self.links.get_mut(&link)
        {
            link.strikes = 0;
        }
        self.act(number, out, now);
    }

    /// Blank lines are allowed (decision 1), but a flood of them is not.
    pub(super) fn blank(&mut self, link: LinkId, lines: usize, now: Instant) {
        let Some(opened) = self.links.get_mut(&link) else {
            return;
        };
        if opened.seat.is_none() {
            if !matches!(opened.peer, Peer::Address(_)) {
                return;
            }
            opened.strikes += lines;
            if opened.strikes >= MAX_STRIKES {
                self.refuse(link, "too many blank lines", now);
            }
            return;
        }
        for _ in 0..lines.min(MAX_STRIKES) {
            self.strike(link, "a blank line", now);
        }
    }

    /// Answers an invalid record with a fault command (decisions 6 and 7).
    fn reject(&mut self, link: LinkId, why: &str, now: Instant) {
        if self.reject_on_dedicated(link, why) {
            return;
        }
        if let Some(seat) = self.strike(link, why, now) {
            if self.seats[seat].peer == PeerKind::Kit {
                self.pass_over(seat, why);
                return;
            }
            let position = self.position_of(seat);
            let fault = Message::at(&position).saying(why);
            self.send(link, Command::Fault(fault), now);
        }
    }

    /// Ignores an unexpected record (decisions 8, 19 and 61). The player is not told: the record may have
    /// crossed a command on its way, and the standard author's own client exits at a fault command.
    pub(super) fn ignore(&mut self, link: LinkId, why: &str, now: Instant) {
        if let Some(seat) = self.strike(link, why, now) {
            self.pass_over(seat, why);
        }
    }

    fn pass_over(&mut self, seat: SeatId, why: &str) {
        let player = self.name_of(seat);
        self.report(Report::PassedOver {
            player,
            text: shown(why),
        });
    }

    /// Counts an invalid or unexpected record against a connection. Too many of them end it, and its
    /// player's game; so does the first one before `sign_on`. Otherwise returns the seat.
    fn strike(&mut self, link: LinkId, why: &str, now: Instant) -> Option<SeatId> {
        let opened = self.links.get_mut(&link)?;
        opened.strikes += 1;
        let Some(seat) = opened.seat else {
            self.refuse(link, why, now);
            return None;
        };
        if opened.strikes < MAX_STRIKES {
            return Some(seat);
        }
        let why = "too many invalid records";
        if let Some((number, color)) = self.seats[seat].game
            && let Some(game) = self.ledger.game_mut(number)
        {
            let out = game.referee.protocol_fault(color, why);
            self.act(number, out, now);
        }
        self.disconnect(link, why, EndedBy::Player, now);
        None
    }
}
