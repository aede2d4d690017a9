//! Players whose connection says who they are: each has a dedicated connection, such as a pair of named
//! pipes, or is a program that the referee talks to over standard input and output.
//!
//! Such a connection is the player's alone: it need not give a name or a secret, has no time limit to
//! sign on, and does not end when the player is started again.

use std::time::Instant;

use epd::protocol::{Command, Message, Request, printable};
use movegen::Position;

use crate::core::event::disconnections::Disconnection;
use crate::core::event::interface::{LinkId, Peer, SeatId};
use crate::core::event::machine::Event;
use crate::core::event::requests::MAX_STRIKES;
use crate::core::event::seat::{PeerKind, SeatState};

impl Event {
    /// The seat of a connection that says who its player is.
    pub(super) fn dedicated_seat(&self, peer: Peer) -> Option<SeatId> {
        match peer {
            Peer::Address(_) => None,
            Peer::Dedicated { player, .. } => {
                self.seats.iter().position(|seat| seat.player == player)
            }
            Peer::Program(program) => Some(self.seat_of(program)),
        }
    }

    /// Where a connection comes from, in words.
    #[must_use]
    pub fn peer_text(&self, peer: Peer) -> String {
        let player = match peer {
            Peer::Address(address) => return address.to_string(),
            Peer::Dedicated { player, .. } => player,
            Peer::Program(program) => self.program(program).0,
        };
        let player = self.ledger.config().players.get(player);
        player.map_or_else(String::new, |player| player.transport().to_string())
    }

    /// A transport has been opened. Its player signs on when it wants to, or is there already.
    pub(super) fn dedicated_opened(&mut self, link: LinkId, peer: Peer, now: Instant) {
        if let Peer::Dedicated { is_there: true, .. } = peer
            && let Some(seat) = self.dedicated_seat(peer)
        {
            self.arrive_by_transport(link, seat, None, now);
        }
    }

    /// A player signs on by its transport. If it did so before on this connection, it has been started again.
    pub(super) fn arrive_by_transport(
        &mut self,
        link: LinkId,
        seat: SeatId,
        name: Option<&str>,
        now: Instant,
    ) {
        let player = self.name_of(seat);
        if let Some(name) = name.map(printable)
            && name != printable(&player)
        {
            self.note(&format!("{player} signed on as {name}"));
        }
        if self.seats[seat].link != Some(link) {
            self.seat_player(link, seat, &player, now);
            return;
        }
        self.lose_question(seat, now);
        let place = &mut self.seats[seat];
        (place.asked, place.stale, place.owed) = (None, None, 0);
        // Nothing of its game reaches it before a reset.
        place.state = SeatState::Reset;
        let lost = self.count_disconnection(seat);
        let suffix = Disconnection::suffix(lost);
        let peer = self.links.get(&link).map(|link| link.peer);
        let peer = peer.map(|peer| self.peer_text(peer)).unwrap_or_default();
        self.report_sign_on(seat, &format!("signed on again{suffix}"), peer);
        self.forfeit_if_lost_too_often(seat, lost, now);
        self.reset(seat, now);
        self.needs_pairing = true;
    }

    /// A request comes before `sign_on` (decision 19). A player with a dedicated connection was there before
    /// the referee was started again: it is sent its game.
    pub(super) fn too_early(&mut self, link: LinkId, request: &Request, now: Instant) {
        let peer = self.links.get(&link).map(|link| link.peer);
        match peer.and_then(|peer| self.dedicated_seat(peer)) {
            Some(_) if matches!(request, Request::SignOff(_)) => {}
            Some(seat) => self.arrive_by_transport(link, seat, None, now),
            None => self.refuse(link, "sign_on must come first", now),
        }
    }

    /// Answers an invalid record on a transport whose player has not signed on: such a record may be noise, so
    /// the transport stays open. Returns whether the connection is such a transport.
    pub(super) fn reject_on_dedicated(&mut self, link: LinkId, why: &str) -> bool {
        let Some(opened) = self.links.get_mut(&link) else {
            return false;
        };
        if opened.seat.is_some() || matches!(opened.peer, Peer::Address(_)) {
            return false;
        }
        opened.strikes += 1;
        let (strikes, peer) = (opened.strikes, opened.peer);
        let is_kit = self
            .dedicated_seat(peer)
            .is_some_and(|seat| self.seats[seat].peer == PeerKind::Kit);
        if strikes < MAX_STRIKES && !is_kit {
            let fault = Message::at(&Position::start()).saying(why);
            self.push_send(link, Command::Fault(fault), true);
        }
        true
    }
}
