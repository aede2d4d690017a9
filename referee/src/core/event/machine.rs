//! The state of an event, and what happens to it.

use std::collections::{BTreeSet, HashMap};
use std::time::Instant;

use epd::protocol::{Command, Message};
use movegen::Position;

use crate::core::config::{Dialect, Transport};
use crate::core::event::interface::{Effect, Input, LinkId, Peer, ProgramId, SeatId, SendId};
use crate::core::event::ledger::Ledger;
use crate::core::event::quota::Quota;
use crate::core::event::seat::EndedBy;
use crate::core::event::seat::{PeerKind, Process, Seat};
use crate::core::event::stream::{Report, milliseconds};
use crate::core::secret::Secret;
use crate::core::text::shown;

/// How many peers that were turned away are logged in a second.
const LOGGED_REFUSALS: u32 = 20;
/// How many of them are printed in a second.
const SAID_REFUSALS: u32 = 5;

/// Who may sign on, and what is printed.
#[derive(Clone, Debug, Default)]
pub struct Access {
    /// The password of the event, for players without a token of their own.
    pub password: Option<Secret>,
    /// Print every move.
    pub prints_moves: bool,
}

/// A connection.
#[derive(Clone, Debug)]
pub(super) struct Link {
    pub peer: Peer,
    /// When it was opened.
    pub since: Instant,
    /// Its seat, once its player has signed on.
    pub seat: Option<SeatId>,
    /// The number of invalid or unexpected records since the player's last move.
    pub strikes: usize,
    /// The name that it gave when it tried to sign on.
    pub name: Option<String>,
    /// It gave a wrong secret: it is turned away at this instant, with these words.
    pub turned_away: Option<(Instant, &'static str)>,
    /// An observer is at the other end.
    pub is_observer: bool,
}

/// An event in progress.
#[derive(Clone, Debug)]
#[allow(clippy::struct_excessive_bools, reason = "each is a state of its own")]
pub struct Event {
    pub(super) ledger: Ledger,
    pub(super) access: Access,
    /// The date for PGN.
    pub(super) date: String,
    /// The seats of all players, those of one player together.
    pub(super) seats: Vec<Seat>,
    pub(super) links: HashMap<LinkId, Link>,
    /// Connections whose peers have not signed on, oldest first.
    pub(super) unsigned: BTreeSet<LinkId>,
    pub(super) next_send: SendId,
    /// Why the referee itself starts no new games, if so.
    pub(super) paused: Option<String>,
    /// How many games each player has forfeited since its last one without a forfeit.
    pub(super) forfeits_in_a_row: Vec<usize>,
    pub(super) stopping: bool,
    /// The term of the referee that has taken over, if one has.
    pub(super) superseded: Option<u64>,
    /// All games are stopped until an observer has a copy of the journal.
    pub(super) stands_still: bool,
    /// An order was given since it was last looked which games are decided by orders.
    pub(super) has_new_orders: bool,
    /// The game that is being handled, for [`Event::recover`].
    pub(super) game_at_work: Option<usize>,
    /// Something happened that may let a game begin or go on.
    pub(super) needs_pairing: bool,
    /// When it was last looked which games can begin or go on.
    last_paired: Instant,
    pub(super) refusals: Quota,
    pub(super) said_refusals: Quota,
    pub(super) effects: Vec<Effect>,
}

/// `1 more connection was`, `2 more connections were`.
fn counted_more(count: u64) -> String {
    match count {
        1 => "1 more connection was".to_owned(),
        _ => format!("{count} more connections were"),
    }
}

impl Event {
    /// An event, new or resumed; [`Input::Begin`] starts it.
    #[must_use]
    pub fn new(ledger: Ledger, access: Access, now: Instant) -> Self {
        let players = ledger.names().len();
        let mut event = Self {
            ledger,
            access,
            date: String::new(),
            seats: Vec::new(),
            links: HashMap::new(),
            unsigned: BTreeSet::new(),
            next_send: 0,
            paused: None,
            forfeits_in_a_row: vec![0; players],
            stopping: false,
            superseded: None,
            stands_still: false,
            // Those of the journal.
            has_new_orders: true,
            game_at_work: None,
            needs_pairing: false,
            last_paired: now,
            refusals: Quota::new(LOGGED_REFUSALS, now),
            said_refusals: Quota::new(SAID_REFUSALS, now),
            effects: Vec::new(),
        };
        for player in 0..players {
            for _ in 0..event.ledger.config().instances(player) {
                event.add_seat(player, now);
            }
        }
        event
    }

    /// What the journal holds of the event.
    #[must_use]
    pub const fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    /// Whether the referee was told to stop, or another one has taken over.
    #[must_use]
    pub const fn must_stop(&self) -> bool {
        self.stopping || self.superseded.is_some()
    }

    /// Whether the event is finished, or the referee must stop.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.must_stop() || self.ledger.is_over()
    }

    /// Why no new games are started, if so: by order of the arbiter, or because of forfeits.
    #[must_use]
    pub fn why_paused(&self) -> Option<&str> {
        self.ledger.paused().or(self.paused.as_deref())
    }

    /// Whether new games are started.
    pub(super) fn is_paused(&self) -> bool {
        self.why_paused().is_some()
    }

    /// The number of seats.
    #[must_use]
    pub const fn seats(&self) -> usize {
        self.seats.len()
    }

    /// The player of a program, and the game that it plays.
    #[must_use]
    pub fn program(&self, program: ProgramId) -> (usize, Option<usize>) {
        let seat = &self.seats[self.seat_of(program)];
        (seat.player, seat.game.map(|(number, _)| number))
    }

    /// The seat of a program.
    pub(super) fn seat_of(&self, program: ProgramId) -> SeatId {
        let mut seats = self.seats.iter();
        let seat = seats.position(|seat| seat.program == program);
        seat.unwrap_or(program)
    }

    /// Handles an input; returns what is to be done, in this order.
    pub fn handle(&mut self, input: Input, now: Instant) -> Vec<Effect> {
        match input {
            Input::Begin { date } => self.begin(date, now),
            Input::Date(date) => self.date = date,
            Input::Opened(link, peer) => self.opened(link, peer, now),
            Input::Unfit(link, why) => self.unfit(link, &why, now),
            Input::Received { link, frame, read } => self.received(link, &frame, read, now),
            Input::Blank(link, lines) => self.blank(link, lines, now),
            Input::Closed(link) => self.disconnected(link, EndedBy::Player, now),
            Input::Sent(link, id) => self.sent(link, id, now),
            Input::NotStarted(program, why) => self.not_started(program, &why, now),
            Input::Exited(program, status) => self.exited(program, &status, now),
            Input::Order { given, at } => self.obey(given, at, now),
            Input::Panicked => self.recover(now),
            Input::Tick => self.tick(now),
            Input::PostponePings => self.postpone_pings(now),
            Input::Superseded(term) => self.supersede(term),
            Input::StandStill => self.stand_still(),
            Input::GoOn => self.go_on(now),
            Input::Stop => self.stopping = true,
        }
        while !self.stands_still && std::mem::take(&mut self.needs_pairing) && !self.is_over() {
            self.last_paired = now;
            self.game_at_work = None;
            self.restart_programs(now);
            self.begin_games(now);
            self.inform_players(now);
        }
        self.game_at_work = None;
        std::mem::take(&mut self.effects)
    }

    /// The next instant at which [`Input::Tick`] has something to do.
    #[must_use]
    pub fn deadline(&self) -> Option<Instant> {
        let rules = &self.ledger.config().rules;
        let games = self.ledger.running().values();
        let games = games.filter(|_| !self.stands_still);
        let games = games.filter_map(|game| game.referee.deadline());
        let seats = self.seats.iter().filter(|_| !self.stands_still);
        let seats = seats.filter_map(|seat| {
            let ping = seat.ping_deadline(rules.ping);
            let ready = seat.deadline(self.last_paired, rules.reconnect_timeout);
            ping.into_iter().chain(ready).min()
        });
        let unsigned = self.unsigned.iter().map(|link| {
            let link = &self.links[link];
            let timeout = link.since + rules.sign_on_timeout;
            link.turned_away.map_or(timeout, |(at, _)| at.min(timeout))
        });
        let all = games.chain(seats).chain(unsigned);
        let refusals = [&self.refusals, &self.said_refusals];
        all.chain(refusals.into_iter().filter_map(Quota::deadline))
            .min()
    }

    /// What to send to every connection when the referee ends.
    #[must_use]
    pub fn farewells(&self, why: &str) -> Vec<(LinkId, Command)> {
        let farewell = Command::Disconnect(Message::at(&Position::start()).saying(why));
        let links = self.links.keys();
        links.map(|&link| (link, farewell.clone())).collect()
    }

    /// What tells the players something that has no effect on their games: those in games, and those that
    /// understand it at any time.
    #[must_use]
    pub fn notices(&self, text: &str) -> Vec<(LinkId, Command)> {
        let notices = self.seats.iter().filter_map(|seat| {
            let link = seat.link?;
            if !seat.is_informed() {
                let notice = Message::at(&Position::start()).saying(text);
                return seat
                    .answers_pings
                    .then_some((link, Command::Inform(notice)));
            }
            let (number, color) = seat.game?;
            let game = self.ledger.running().get(&number)?;
            let Command::Inform(mut tags) = game.referee.tags(color) else {
                return None;
            };
            // The last move may be one that the player must not know yet.
            tags.position = Some(*game.referee.game().start());
            Some((link, Command::Inform(tags.saying(text))))
        });
        notices.collect()
    }

    /// The event begins or goes on: games in progress wait for their players, and programs are started.
    fn begin(&mut self, date: String, now: Instant) {
        self.date = date;
        if let Some(why) = self.ledger.paused() {
            let why = why.to_owned();
            self.tell_pause(&why);
        }
        let running: Vec<_> = self.ledger.running().keys().copied().collect();
        for number in running {
            self.report_game(number, now);
        }
        self.seat_resumed_games(now);
        for seat in 0..self.seats.len() {
            if self.seats[seat].process == Process::Ended {
                self.start_program(seat, now);
            }
            self.mark_absent(seat, now);
        }
        self.needs_pairing = true;
        self.effects.push(Effect::Standings);
    }

    /// Does everything that is due at this instant.
    fn tick(&mut self, now: Instant) {
        self.turn_away(now);
        if !self.stands_still {
            self.tick_games(now);
            self.ping(now);
        }
        if let Some(count) = self.refusals.take_over(now) {
            self.report(Report::MoreRefused { count });
        }
        if let Some(count) = self.said_refusals.take_over(now) {
            self.say(format!("{} turned away", counted_more(count)));
        }
        self.needs_pairing = true;
    }

    /// Adds a place for a player.
    pub(super) fn add_seat(&mut self, player: usize, now: Instant) -> SeatId {
        let settings = self.ledger.config().players.get(player);
        let process = match settings.and_then(|player| player.command.as_ref()) {
            Some(_) => Process::Ended,
            None => Process::None,
        };
        let peer = match settings {
            Some(player) if player.dialect == Dialect::Kit => PeerKind::Kit,
            Some(player) if player.transport() != Transport::Network => PeerKind::Local,
            _ => PeerKind::Network,
        };
        let seat = self.seats.len();
        self.seats.push(Seat {
            peer,
            ..Seat::new(player, process, seat, now)
        });
        seat
    }

    /// Sends a command; returns its number.
    pub(super) fn send(&mut self, link: LinkId, command: Command, now: Instant) -> SendId {
        if let Some(seat) = self.links.get(&link).and_then(|link| link.seat) {
            self.seats[seat].active = now;
        }
        self.push_send(link, command, true)
    }

    /// Sends a command that is logged or not.
    pub(super) fn push_send(&mut self, link: LinkId, command: Command, is_logged: bool) -> SendId {
        self.next_send += 1;
        let id = self.next_send;
        self.effects.push(Effect::Send {
            link,
            id,
            command: Box::new(command),
            is_logged,
        });
        id
    }

    /// Adds a line to the stream of events.
    pub(super) fn report(&mut self, report: Report) {
        self.effects.push(Effect::Report(report));
    }

    /// Adds a game in progress, as it is now, to the stream of events.
    pub(super) fn report_game(&mut self, number: usize, now: Instant) {
        let report = self.ledger.game_report(number);
        if let (Some(mut report), Some(game)) = (report, self.ledger.game_mut(number)) {
            let running = game.referee.clock().running();
            report.turn_ms =
                running.map(|(_, since)| milliseconds(now.saturating_duration_since(since)));
            game.clock_is_told = running.is_some();
            self.report(Report::Game(Box::new(report)));
        }
    }

    /// Tells the stream of events that the clock of a game was started, unless that is plain.
    pub(super) fn report_clock(&mut self, number: usize) {
        if let Some(game) = self.ledger.game_mut(number)
            && !game.clock_is_told
            && game.referee.clock().running().is_some()
        {
            game.clock_is_told = true;
            self.report(Report::Clock { game: number });
        }
    }

    /// Prints a line for the arbiter.
    pub(super) fn say(&mut self, text: String) {
        self.effects.push(Effect::Say(text));
    }

    /// Tells the arbiter something, in print and in the stream of events.
    pub(super) fn note(&mut self, text: &str) {
        self.say(text.to_owned());
        self.report(Report::Note {
            game: None,
            text: text.to_owned(),
        });
    }

    /// The name of a seat's player, safe to print.
    pub(super) fn name_of(&self, seat: SeatId) -> String {
        shown(&self.ledger.names()[self.seats[seat].player])
    }
}
