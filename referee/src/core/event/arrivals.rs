//! Connections open, and players sign on.

use std::collections::HashMap;
use std::net::IpAddr;
use std::time::{Duration, Instant};

use epd::Record;
use epd::protocol::{Command, Message, printable};
use movegen::Position;

use crate::core::event::interface::{Effect, LinkId, Peer, SeatId};
use crate::core::event::machine::{Event, Link};
use crate::core::event::seat::EndedBy;
use crate::core::event::stream::Report;
use crate::core::text::shown;

/// How many connections may be open whose peers have not signed on.
const MAX_UNSIGNED: usize = 128;
/// How long a peer that gave a wrong secret waits for the answer.
pub(super) const WRONG_SECRET_DELAY: Duration = Duration::from_millis(500);
const WRONG_PASSWORD: &str = "wrong password";
pub(super) const WRONG_TOKEN: &str = "wrong token";

impl Event {
    /// A peer connected. If there are too many connections, the address with the most peers that have
    /// not signed on loses the oldest of these, so that many unknown connections cannot lock players out.
    pub(super) fn opened(&mut self, link: LinkId, peer: Peer, now: Instant) {
        let opened = Link {
            peer,
            since: now,
            seat: None,
            strikes: 0,
            name: None,
            turned_away: None,
            is_observer: false,
        };
        self.links.insert(link, opened);
        if !matches!(peer, Peer::Address(_)) {
            self.dedicated_opened(link, peer, now);
            return;
        }
        self.unsigned.insert(link);
        if self.unsigned.len() > MAX_UNSIGNED
            || self.links.len() > self.ledger.config().rules.max_connections
        {
            let stranger = self.stranger_to_drop().unwrap_or(link);
            self.refuse(stranger, "too many connections", now);
        }
    }

    /// The oldest connection that has not signed on, of the address that has the most of them.
    fn stranger_to_drop(&self) -> Option<LinkId> {
        let mut crowds: HashMap<_, (usize, LinkId)> = HashMap::new();
        for &link in &self.unsigned {
            if let Peer::Address(address) = self.links[&link].peer {
                let crowd = crowds.entry(network_of(address.ip()));
                crowd.or_insert((0, link)).0 += 1;
            }
        }
        let crowds = crowds.into_values();
        let largest = crowds.max_by_key(|&(size, oldest)| (size, std::cmp::Reverse(oldest)));
        largest.map(|(_, oldest)| oldest)
    }

    /// Handles a `sign_on` request (decisions 15 to 20).
    pub(super) fn sign_on(
        &mut self,
        link: LinkId,
        record: &Record,
        content: &Message,
        now: Instant,
    ) {
        let Some(opened) = self.links.get(&link) else {
            return;
        };
        if let Some(seat) = self.dedicated_seat(opened.peer) {
            self.note_equipment(seat, content);
            self.arrive_by_transport(link, seat, content.name.as_deref(), now);
            return;
        }
        if opened.seat.is_some() {
            // A player signs on once on each connection (decision 19).
            self.ignore(link, "a second sign_on", now);
            return;
        }
        let secrets = record.get("Auth").map(|auth| &auth.operands[..]);
        let secrets = secrets.unwrap_or_default().iter();
        let secrets: Vec<_> = secrets.map(epd::Operand::text).collect();
        let name = content.name.as_deref().map(printable);
        let found = self.seat_for(name.as_deref(), &secrets);
        if let (Err(_), Some(link)) = (&found, self.links.get_mut(&link)) {
            link.name = name
                .map(|name| name.to_string())
                .filter(|name| !name.is_empty());
        }
        match found {
            Ok((seat, name)) => {
                self.note_equipment(seat, content);
                self.expect_pongs(seat, content.ping.is_some(), now);
                self.seat_player(link, seat, &name, now);
            }
            Err(why @ (WRONG_PASSWORD | WRONG_TOKEN)) => {
                if let Some(link) = self.links.get_mut(&link) {
                    link.turned_away = Some((now + WRONG_SECRET_DELAY, why));
                }
            }
            Err(why) => self.refuse(link, why, now),
        }
    }

    /// Finds a seat for a name: one of that player, or an open one. If all seats of that player are
    /// taken, "name #2" is tried, and so on (decision 20). A player without a name gets the first free
    /// seat (decision 15). Returns the seat and the name that the player gets.
    fn seat_for(
        &self,
        name: Option<&str>,
        secrets: &[&str],
    ) -> Result<(SeatId, String), &'static str> {
        let names = self.ledger.names();
        let players = &self.ledger.config().players;
        let token_of = |player: usize| players.get(player).and_then(|player| player.token.as_ref());
        let password = self.access.password.as_ref();
        let knows_password =
            password.is_none_or(|password| secrets.iter().any(|said| password.is(said)));
        let is_open = |seat: &super::seat::Seat| seat.link.is_none() && !seat.is_gone_for_good();
        let Some(name) = name.filter(|name| !name.is_empty()) else {
            if !knows_password {
                return Err(WRONG_PASSWORD);
            }
            let mut seats = self.seats.iter();
            let free = seats.position(|seat| is_open(seat) && token_of(seat.player).is_none());
            let free = free.ok_or("all places are taken")?;
            let player = self.seats[free].player;
            return Ok((free, format!("client-{}", player + 1)));
        };
        let mut wanted = name.to_owned();
        let mut refusal = "no player of this name is in the event";
        for number in 2.. {
            let named = names.iter().position(|other| printable(other) == *wanted);
            let Some(player) = named else { break };
            let token = token_of(player);
            if token.is_some_and(|token| !secrets.iter().any(|said| token.is(said))) {
                return Err(WRONG_TOKEN);
            }
            if token.is_none() && !knows_password {
                return Err(WRONG_PASSWORD);
            }
            // A token proves that this is the player: it takes its seat from a connection that may be
            // dead.
            let seat = self.vacant_seat(player);
            if let Some(seat) =
                seat.or_else(|| self.quietest_seat(player).filter(|_| token.is_some()))
            {
                return Ok((seat, wanted));
            }
            refusal = "this name is in use";
            wanted = format!("{name} #{number}");
        }
        if !knows_password {
            return Err(WRONG_PASSWORD);
        }
        let mut seats = self.seats.iter();
        let open = seats.position(|seat| names[seat.player].is_empty() && is_open(seat));
        open.map(|seat| (seat, wanted)).ok_or(refusal)
    }

    /// A seat of a player that has no connection: before others one whose game waits, longest first.
    fn vacant_seat(&self, player: usize) -> Option<SeatId> {
        let seats = self.seats.iter().enumerate();
        let vacant = seats.filter(|(_, seat)| seat.player == player && seat.link.is_none());
        let waiting = vacant.min_by_key(|(_, seat)| (seat.game.is_none(), seat.absent_since));
        waiting.map(|(seat, _)| seat)
    }

    /// The seat of a player that has been quiet for longest.
    fn quietest_seat(&self, player: usize) -> Option<SeatId> {
        let seats = self.seats.iter().enumerate();
        let seats = seats.filter(|(_, seat)| seat.player == player);
        seats
            .min_by_key(|(_, seat)| seat.active)
            .map(|(seat, _)| seat)
    }

    /// A player takes a seat, from another connection of its own if need be.
    pub(super) fn seat_player(&mut self, link: LinkId, seat: SeatId, name: &str, now: Instant) {
        if let Some(old) = self.seats[seat].link {
            let why = "another connection of this player took its place";
            self.dismiss(old, why, now);
            self.links.remove(&old);
            let lost = self.vacate(seat, EndedBy::Player, now);
            self.forfeit_if_lost_too_often(seat, lost, now);
        }
        let Some(peer) = self.links.get(&link).map(|link| link.peer) else {
            return;
        };
        if self.seats[seat].has_come && !matches!(peer, Peer::Program(_)) {
            // Most likely a program that has not signed on yet comes to the game of one that is gone.
            self.change_places(seat, |other| !other.has_come);
        }
        let player = self.seats[seat].player;
        if self.ledger.names()[player].is_empty() {
            self.ledger.set_name(player, name);
        }
        if let Some(link) = self.links.get_mut(&link) {
            (link.seat, link.strikes) = (Some(seat), 0);
        }
        let peer = self.peer_text(peer);
        self.unsigned.remove(&link);
        let place = &mut self.seats[seat];
        place.link = Some(link);
        (place.has_come, place.absent_since) = (true, None);
        (place.asked, place.stale, place.owed) = (None, None, 0);
        let name = self.name_of(seat);
        self.effects.push(Effect::Name(link, name));
        self.report_sign_on(seat, &format!("connected from {peer}"), peer);
        self.reset(seat, now);
        self.needs_pairing = true;
    }

    /// Turns away a peer that has not signed on, and tells it why (decision 18). The arbiter learns it, because it may
    /// be a player with wrong options.
    pub(super) fn refuse(&mut self, link: LinkId, why: &str, now: Instant) {
        let Some(refused) = self.links.remove(&link) else {
            return;
        };
        self.unsigned.remove(&link);
        let is_logged = self.refusals.take(now);
        let farewell = Message::at(&Position::start()).saying(why);
        self.push_send(link, Command::Disconnect(farewell), is_logged);
        self.effects.push(Effect::Close(link));
        let peer = self.peer_text(refused.peer);
        let (name, why) = (refused.name.as_deref().map(shown), shown(why));
        if self.said_refusals.take(now) {
            let name = name
                .as_ref()
                .map_or_else(String::new, |name| format!(" ({name})"));
            self.say(format!("{peer}{name} was turned away: {why}"));
        }
        if is_logged {
            self.report(Report::Refused { peer, name, why });
        }
    }

    /// A peer cannot take part.
    pub(super) fn unfit(&mut self, link: LinkId, why: &str, now: Instant) {
        if self
            .links
            .get(&link)
            .is_some_and(|link| link.seat.is_none())
        {
            self.refuse(link, why, now);
        }
    }

    /// Turns away peers that have not signed on in time, and those that gave a wrong secret.
    pub(super) fn turn_away(&mut self, now: Instant) {
        let timeout = self.ledger.config().rules.sign_on_timeout;
        let due = self.unsigned.iter().filter_map(|&id| {
            let link = &self.links[&id];
            let secret = link.turned_away.filter(|&(at, _)| at <= now);
            let late = (link.since + timeout <= now).then_some("no sign_on in time");
            secret.map(|(_, why)| why).or(late).map(|why| (id, why))
        });
        for (link, why) in due.collect::<Vec<_>>() {
            self.refuse(link, why, now);
        }
    }
}

/// The address of a peer; of IPv6, the network that one owner usually has as a whole.
fn network_of(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(_) => address,
        IpAddr::V6(address) => {
            let network = address.to_bits() >> 64 << 64;
            IpAddr::V6(network.into())
        }
    }
}
