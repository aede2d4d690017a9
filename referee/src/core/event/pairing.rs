//! Games begin, and their players are informed.

use std::time::Instant;

use epd::protocol::{Command, Message};
use movegen::{Color, Position};

use crate::core::ending::Ending;
use crate::core::event::interface::{Effect, SeatId};
use crate::core::event::ledger::Paired;
use crate::core::event::machine::Event;
use crate::core::event::seat::{PeerKind, SeatState};
use crate::core::event::stream::{Report, Scheduled};
use crate::core::schedule::knockout::Bracket;
use crate::core::schedule::{Format, Meeting, Pairing, Presence};
use crate::core::text::shown;

const COLORS: [Color; 2] = [Color::White, Color::Black];

impl Event {
    /// Gives the games of a resumed event their seats. Each player has as many seats as games.
    pub(super) fn seat_resumed_games(&mut self, now: Instant) {
        let running = self.ledger.running().iter();
        let running: Vec<_> = running
            .map(|(&number, game)| {
                (
                    number,
                    COLORS.map(|color| game.player_of(color)),
                    game.plies(),
                )
            })
            .collect();
        for (number, players, plies) in running {
            for (color, player) in COLORS.into_iter().zip(players) {
                let mut seats = self.seats.iter();
                let free = seats.position(|seat| seat.player == player && seat.game.is_none());
                let seat = free.unwrap_or_else(|| self.add_seat(player, now));
                let place = &mut self.seats[seat];
                place.game = Some((number, color));
                place.absent_since = Some(now);
                place.has_come = plies > 0;
                if let Some(game) = self.ledger.game_mut(number) {
                    game.seats[color as usize] = seat;
                }
            }
        }
    }

    /// Starts all games that can be started.
    pub(super) fn begin_games(&mut self, now: Instant) {
        if self.has_new_orders {
            self.carry_out_decisions(now);
        }
        while !self.is_paused() && self.ledger.has_room() {
            let free = self.free_seats(now);
            self.pair_players(&free);
            if free.iter().flatten().count() < 2 {
                return;
            }
            let expected = self.expected_players(now);
            let can_begin = |pairing: &Pairing| {
                let seats = [free[pairing.white], free[pairing.black]];
                let [Some(white), Some(black)] = seats else {
                    return false;
                };
                let seats = [&self.seats[white], &self.seats[black]];
                seats.iter().any(|seat| seat.link.is_some())
                    || seats.iter().all(|seat| seat.is_gone_for_good())
            };
            let is_awaited = |pairing: &Pairing| {
                let mut missing = [pairing.white, pairing.black]
                    .into_iter()
                    .filter(|&player| free[player].is_none())
                    .peekable();
                missing.peek().is_some() && missing.all(|player| expected[player])
            };
            let next = self.ledger.next_game(can_begin, is_awaited);
            let Some(pairing) = next else { return };
            if let (Some(white), Some(black)) = (free[pairing.white], free[pairing.black]) {
                self.begin_game(pairing, [white, black], now);
            }
        }
    }

    /// Pairs players in an event whose schedule grows.
    fn pair_players(&mut self, free: &[Option<SeatId>]) {
        // A ladder pairs only who is there.
        let is_free = free
            .iter()
            .map(|seat| seat.is_some_and(|seat| self.seats[seat].link.is_some()));
        let first = self.ledger.schedule().len();
        match self.ledger.pair(&is_free.collect::<Vec<_>>()) {
            None => {}
            Some(Paired::EndsEarly(why)) => self.note(&format!("the event ends: {why}")),
            Some(Paired::Meetings(meetings, entries)) => {
                self.effects
                    .extend(entries.into_iter().map(Effect::Journal));
                let half_point_byes = self.half_point_byes(&meetings);
                self.tell_round(&meetings, &half_point_byes);
                let named = self.ledger.config().players.len();
                let players = meetings
                    .iter()
                    .flat_map(|meeting| std::iter::once(meeting.white).chain(meeting.black));
                let names = players
                    .filter(|&player| player >= named)
                    .map(|player| (player, shown(&self.ledger.names()[player])));
                let names = names.collect();
                let games = self.ledger.schedule()[first..].iter().map(Scheduled::from);
                let games = games.collect();
                self.report(Report::Paired {
                    meetings,
                    games,
                    names,
                    half_point_byes,
                });
            }
        }
    }

    /// Who is away in the round of these meetings of a Swiss event, for half the points.
    fn half_point_byes(&self, meetings: &[Meeting]) -> Vec<usize> {
        let results = self.ledger.results();
        let (Some(plan), Some(first)) = (results.plan(), meetings.first()) else {
            return Vec::new();
        };
        let presence = results.presence(self.ledger.names());
        let entrants = plan.entrants.iter().zip(presence).enumerate();
        let away = entrants.filter(|&(player, (entrant, presence))| {
            presence == Presence::Entered
                && entrant.byes.contains(&first.round)
                && !meetings.iter().any(|meeting| meeting.has(player))
        });
        away.map(|(player, _)| player).collect()
    }

    /// Tells the arbiter who was paired, and who asked for a bye. In a ladder the beginning of the games is enough.
    fn tell_round(&mut self, meetings: &[Meeting], half_point_byes: &[usize]) {
        let results = self.ledger.results();
        let format = results.plan().map(|plan| plan.format);
        let name = |player: usize| shown(&self.ledger.names()[player]);
        let board = |meeting: &Meeting| match meeting.black {
            Some(black) => format!("{} - {}", name(meeting.white), name(black)),
            None => format!("{} has a bye", name(meeting.white)),
        };
        let lines: Vec<String> = match format {
            Some(Format::Swiss(_)) => {
                let round = meetings.first().map_or(0, |meeting| meeting.round);
                let away = half_point_byes
                    .iter()
                    .map(|&player| format!("{} has a half-point bye", name(player)));
                let boards: Vec<_> = meetings.iter().map(board).chain(away).collect();
                vec![format!("round {round} is paired: {}", boards.join(", "))]
            }
            Some(Format::Knockout(settings)) => {
                let presence = results.presence(self.ledger.names());
                let Some(situation) = results.situation(&presence) else {
                    return;
                };
                let bracket = Bracket::of(settings, &situation);
                let lines = meetings
                    .iter()
                    .map(|meeting| format!("{}: {}", bracket.match_name(meeting), board(meeting)));
                lines.collect()
            }
            _ => Vec::new(),
        };
        for line in lines {
            self.say(line);
        }
    }

    /// Ends the games that orders have decided, and those that are lost before they begin. The latter wait
    /// while the event is paused.
    fn carry_out_decisions(&mut self, now: Instant) {
        self.end_decided_games(now);
        while !self.is_paused() && self.has_new_orders {
            match self.ledger.next_forfeit() {
                Some(pairing) => self.forfeit_before_begin(pairing, now),
                None => self.has_new_orders = false,
            }
        }
    }

    /// A game is lost because a player is out of the event: it begins for the record alone, and nobody is
    /// told.
    fn forfeit_before_begin(&mut self, pairing: Pairing, now: Instant) {
        let number = pairing.number;
        let entry = self.ledger.begin(pairing, &self.date);
        self.effects.push(Effect::Journal(entry));
        self.report_game(number, now);
        if let Some(ending) = self.ledger.decision(number) {
            let entry = self.ledger.end_entry(number, &ending);
            self.effects.extend(entry.map(Effect::Journal));
            self.record_result(number, &ending);
        }
    }

    /// For each player a seat on which a game can begin. A seat without a connection counts only if the
    /// player has no connection at all.
    fn free_seats(&self, now: Instant) -> Vec<Option<SeatId>> {
        let timeout = self.ledger.config().rules.reconnect_timeout;
        let players = self.ledger.names().len();
        let mut ready = vec![None; players];
        let mut deserted = vec![None; players];
        let mut is_here = vec![false; players];
        for (i, seat) in self.seats.iter().enumerate() {
            is_here[seat.player] |= seat.link.is_some();
            if seat.is_ready(now) {
                ready[seat.player].get_or_insert(i);
            } else if seat.is_deserted(now, timeout) {
                deserted[seat.player].get_or_insert(i);
            }
        }
        let players = ready.into_iter().zip(deserted).zip(is_here);
        let free = players
            .map(|((ready, deserted), is_here)| ready.or(if is_here { None } else { deserted }));
        free.collect()
    }

    /// For each player whether a program of it has just been started, so that it is about to be free.
    fn expected_players(&self, now: Instant) -> Vec<bool> {
        let mut expected = vec![false; self.ledger.names().len()];
        for seat in &self.seats {
            expected[seat.player] |= seat.is_expected(now);
        }
        expected
    }

    /// Starts a game by sending both players a reset command (decisions 17 and 28).
    fn begin_game(&mut self, pairing: Pairing, seats: [SeatId; 2], now: Instant) {
        self.game_at_work = Some(pairing.number);
        let conditions = self.conditions_of(seats);
        let entry = self.ledger.begin_under(conditions, pairing, &self.date);
        self.effects.push(Effect::Journal(entry));
        let number = pairing.number;
        if let Some(game) = self.ledger.game_mut(number) {
            game.seats = seats;
        }
        self.report_game(number, now);
        self.tell_time_controls(number);
        for (color, seat) in COLORS.into_iter().zip(seats) {
            let place = &mut self.seats[seat];
            place.game = Some((number, color));
            place.expected_until = None;
            self.reset(seat, now);
        }
        if seats
            .iter()
            .all(|&seat| self.seats[seat].is_gone_for_good())
        {
            let absence = self.seats[seats[0]].absence();
            let game = self.ledger.game_mut(number);
            let out = game.map(|game| game.referee.decide(&Ending::both_absent(absence)));
            self.act(number, out.unwrap_or_default(), now);
            return;
        }
        for seat in seats {
            self.mark_absent(seat, now);
        }
    }

    /// Sends a player the reset command of its game, or of the starting position if it has no game.
    pub(super) fn reset(&mut self, seat: SeatId, now: Instant) {
        let ping = self.ping_interval(seat);
        let term = self.term();
        let place = &mut self.seats[seat];
        let term = term.filter(|_| place.peer != PeerKind::Kit);
        place.state = SeatState::Reset;
        place.ready = now + self.ledger.config().delays.reset;
        let number = place.game.map(|(number, _)| number);
        let game = number.and_then(|number| self.ledger.running().get(&number));
        let mut command = game.map_or_else(
            || Command::Reset(Message::with_counters(&Position::start())),
            |game| game.referee.reset(),
        );
        if let Command::Reset(content) = &mut command {
            (content.ping, content.term) = (ping, term);
        }
        if let Some(link) = place.link {
            self.send(link, command, now);
        }
    }

    /// Sends the tags and moves to players whose pause after the reset is over. When both players are
    /// informed, the side to move is asked.
    pub(super) fn inform_players(&mut self, now: Instant) {
        for seat in 0..self.seats.len() {
            let place = &self.seats[seat];
            let (Some((number, color)), Some(link)) = (place.game, place.link) else {
                continue;
            };
            if place.state != SeatState::Reset || place.ready > now {
                continue;
            }
            let Some(game) = self.ledger.running().get(&number) else {
                continue;
            };
            self.game_at_work = Some(number);
            for command in game.referee.history(color) {
                self.send(link, command, now);
            }
            self.seats[seat].state = SeatState::Playing;
            self.side_ready(number, color, now);
        }
    }

    /// A side is informed; if the other one is too, the game continues.
    pub(super) fn side_ready(&mut self, number: usize, color: Color, now: Instant) {
        self.game_at_work = Some(number);
        let Some(game) = self.ledger.game_mut(number) else {
            return;
        };
        let mut out = game.referee.reconnected(color);
        let seats = game.seats;
        let both = seats
            .iter()
            .all(|&seat| self.seats[seat].is_playing(number));
        if both
            && !self.stands_still
            && !self.ledger.is_held(number)
            && let Some(game) = self.ledger.game_mut(number)
            && game.referee.is_idle()
        {
            out = game.referee.proceed(now);
        }
        self.act(number, out, now);
    }
}
