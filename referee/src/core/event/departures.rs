//! Connections close, programs exit, and are started again.

use std::time::{Duration, Instant};

use epd::protocol::{Command, Message};
use movegen::Position;

use crate::core::equipment::Equipment;
use crate::core::event::disconnections::Disconnection;
use crate::core::event::interface::{Effect, LinkId, Peer, ProgramId, SeatId};
use crate::core::event::machine::Event;
use crate::core::event::seat::{EndedBy, Process, Seat, SeatState};
use crate::core::event::stream::Report;
use crate::core::text::shown;

/// How long a program that has been started may take to connect before games that come after its own go first.
const STARTUP: Duration = Duration::from_secs(5);

impl Event {
    /// Tells a player why it is disconnected. The caller lets go of the connection.
    pub(super) fn dismiss(&mut self, link: LinkId, why: &str, now: Instant) {
        let farewell = Message::at(&Position::start()).saying(why);
        self.send(link, Command::Disconnect(farewell), now);
        self.effects.push(Effect::Close(link));
    }

    /// Disconnects a player and tells it why.
    pub(super) fn disconnect(&mut self, link: LinkId, why: &str, by: EndedBy, now: Instant) {
        if self.links.contains_key(&link) {
            self.dismiss(link, why, now);
            self.disconnected(link, by, now);
        }
    }

    /// Handles the end of a connection.
    pub(super) fn disconnected(&mut self, link: LinkId, by: EndedBy, now: Instant) {
        self.unsigned.remove(&link);
        let Some(closed) = self.links.remove(&link) else {
            return;
        };
        self.effects.push(Effect::Close(link));
        if closed.is_observer {
            self.observer_lost();
        }
        let Some(seat) = closed.seat else { return };
        let lost = self.vacate(seat, by, now);
        self.mark_absent(seat, now);
        self.forfeit_if_lost_too_often(seat, lost, now);
        self.free_open_place(seat);
        self.needs_pairing = true;
    }

    /// A seat has lost its connection; returns what counts of it.
    pub(super) fn vacate(
        &mut self,
        seat: SeatId,
        by: EndedBy,
        now: Instant,
    ) -> Option<Disconnection> {
        self.lose_question(seat, now);
        let place = &mut self.seats[seat];
        place.link = None;
        place.state = SeatState::Reset;
        place.absent_since = Some(now);
        let lost = match by {
            EndedBy::Player => self.count_disconnection(seat),
            EndedBy::Arbiter => None,
        };
        self.report_lost(seat, lost);
        lost
    }

    /// A question that has not been written yet will never be: the clock of its side runs from now on,
    /// as it does for any player that is away (decision 22).
    pub(super) fn lose_question(&mut self, seat: SeatId, now: Instant) {
        let place = &mut self.seats[seat];
        if place.asking.take().is_some()
            && let Some((number, _)) = place.game
        {
            self.start_clock(number, now);
        }
    }

    /// The place of a player of any name is free again if the player leaves before its first game.
    fn free_open_place(&mut self, seat: SeatId) {
        let player = self.seats[seat].player;
        if !self.ledger.is_entrant(player) {
            let name = self.ledger.names()[player].clone();
            self.ledger.set_equipment(&name, &Equipment::default());
            self.ledger.set_name(player, "");
            self.seats[seat].absent_since = None;
        }
    }

    /// Tells the game of a seat without a connection: it waits until the reconnect timeout, or is
    /// forfeited at once if the player cannot come back.
    pub(super) fn mark_absent(&mut self, seat: SeatId, now: Instant) {
        let place = &self.seats[seat];
        let (Some((number, color)), None) = (place.game, place.link) else {
            return;
        };
        let (absence, is_final) = (place.absence(), place.is_gone_for_good());
        // Before a game it has been waited for already (decision 22).
        let since = place.absent_since.unwrap_or(now);
        if let Some(game) = self.ledger.game_mut(number) {
            game.referee.absent(color, absence, since);
            if is_final {
                self.forfeit(number, color, absence, now);
            }
        }
    }

    /// Handles the end of a player's program. As long as its connection is open, it stays in its game:
    /// what it sent before is still read, and the program may have been a script whose player lives on.
    pub(super) fn exited(&mut self, program: ProgramId, status: &str, now: Instant) {
        let mut seat = self.seat_of(program);
        if self.seats[seat].process == Process::Restarting {
            self.report_exit(seat, status);
            self.start_again(seat, now);
            return;
        }
        let is_certain = self.seats[seat].link.is_some_and(|link| {
            let link = self.links.get(&link);
            link.is_some_and(|link| matches!(link.peer, Peer::Program(_)))
        });
        if self.seats[seat].link.is_some() && !is_certain {
            // More likely it is the one whose connection has ended.
            seat = self.change_places(seat, |other| other.has_come);
        }
        self.seats[seat].process = Process::Ended;
        self.report_exit(seat, status);
        self.mark_absent(seat, now);
        self.needs_pairing = true;
    }

    /// The program of a seat could not be started, and will not be tried again.
    pub(super) fn not_started(&mut self, program: ProgramId, why: &str, now: Instant) {
        let seat = self.seat_of(program);
        self.seats[seat].process = Process::GivenUp;
        self.note(&shown(why));
        self.report_exit(seat, "not started");
        self.mark_absent(seat, now);
        self.needs_pairing = true;
    }

    fn report_exit(&mut self, seat: SeatId, status: &str) {
        let (player, status) = (self.name_of(seat), shown(status));
        self.say(format!("{player} exited: {status}"));
        self.report(Report::Exit { player, status });
    }

    /// Starts the programs again that have ended, for the next games of their players.
    pub(super) fn restart_programs(&mut self, now: Instant) {
        if self.is_paused() {
            return;
        }
        for seat in 0..self.seats.len() {
            let place = &self.seats[seat];
            if place.process != Process::Ended
                || place.link.is_some()
                || place.game.is_some()
                || !self.ledger.has_games_left(place.player)
            {
                continue;
            }
            if place.restarts < self.ledger.config().restarts {
                self.seats[seat].restarts += 1;
                self.note(&format!("{} is started again", self.name_of(seat)));
                self.start_program(seat, now);
            } else {
                self.seats[seat].process = Process::GivenUp;
                let restarts = self.ledger.config().restarts;
                let name = self.name_of(seat);
                self.note(&format!("{name} ended again after {restarts} restarts"));
            }
        }
    }

    /// Starts the program of a seat. If it does not sign on, it counts as disconnected from now on.
    pub(super) fn start_program(&mut self, seat: SeatId, now: Instant) {
        let until = now + STARTUP + self.ledger.config().delays.reset;
        let place = &mut self.seats[seat];
        place.process = Process::Running;
        place.has_come = place.game.is_some() && place.has_come;
        place.absent_since = Some(now);
        place.expected_until = Some(until);
        let program = place.program;
        self.effects.push(Effect::Start(program));
    }

    /// Lets the program of a seat change places with one of the same player that runs without a
    /// connection and fits. Returns the seat where the program is now.
    pub(super) fn change_places(&mut self, seat: SeatId, fits: impl Fn(&Seat) -> bool) -> SeatId {
        let player = self.seats[seat].player;
        let seats = self.seats.iter().enumerate();
        let mut others = seats.filter(|(number, other)| *number != seat && other.player == player);
        let other = others.find(|(_, other)| {
            other.link.is_none() && other.process == Process::Running && fits(other)
        });
        let Some((other, _)) = other else {
            return seat;
        };
        let [one, two] = [seat, other].map(|seat| {
            let seat = &self.seats[seat];
            (seat.program, seat.process, seat.restarts, seat.has_come)
        });
        for (seat, place) in [(seat, two), (other, one)] {
            let seat = &mut self.seats[seat];
            (seat.program, seat.process, seat.restarts, seat.has_come) = place;
        }
        other
    }
}
