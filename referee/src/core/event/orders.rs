//! The arbiter's orders are carried out.

use std::collections::BTreeSet;
use std::time::Instant;

use movegen::{Color, Position};

use crate::core::equipment::Equipment;
use crate::core::event::interface::{Effect, SeatId};
use crate::core::event::machine::Event;
use crate::core::event::order::{GivenOrder, Order, side_name};
use crate::core::event::seat::EndedBy;
use crate::core::event::seat::Process;
use crate::core::event::stream::Report;
use crate::core::fail;
use crate::core::journal::{Entry, is_too_long};
use crate::core::standings::Replacement;
use crate::core::text::shown;

impl Event {
    /// Carries out an order that was given at a time of day, and answers it. An order that changes
    /// something is in the journal before it has any other effect.
    pub(super) fn obey(&mut self, given: GivenOrder, at: String, now: Instant) {
        let text = shown(&given.order.to_string());
        let looks_only = given.order.looks_only();
        let [reason, by] = [&given.reason, &given.by].map(|text| text.as_deref().map(shown));
        let answer = self.carry_out(given, at, now);
        let is_refused = answer.is_err();
        if !looks_only {
            self.report(Report::Order {
                order: text,
                reason,
                by,
                is_refused,
                why: answer.as_ref().err().cloned(),
            });
        }
        let (Ok(text) | Err(text)) = answer;
        self.effects.push(Effect::Answer { text, is_refused });
    }

    fn carry_out(&mut self, given: GivenOrder, at: String, now: Instant) -> Result<String, String> {
        fail::point("order");
        if let Some(seen) = self.look(&given.order, now) {
            return Ok(seen);
        }
        if is_too_long(&given) {
            return Err("the order is too long for the journal".to_owned());
        }
        self.check(&given.order)?;
        let position = self.position_of_game(given.order.game());
        let out_before: Vec<_> = self.ledger.players_out().collect();
        self.ledger.apply(&given).map_err(|why| shown(&why))?;
        self.has_new_orders = true;
        let game = given.order.game();
        let order = given.order.clone();
        let reason = given.reason.clone();
        self.effects.push(Effect::Journal(Entry::Ordered {
            given,
            at,
            position,
        }));
        self.report_players_out(&out_before);
        let answer = self.follow(&order, reason.as_deref(), now);
        // Their moves, clocks, names or state may have changed, if they are still in progress.
        let changed: Vec<_> = match order {
            Order::Replace { .. } => self.ledger.running().keys().copied().collect(),
            _ => game.into_iter().collect(),
        };
        for number in changed {
            self.report_game(number, now);
        }
        Ok(answer)
    }

    /// What an order shows that changes nothing.
    #[must_use]
    pub fn look(&self, order: &Order, now: Instant) -> Option<String> {
        match order {
            Order::Status => Some(self.status()),
            Order::Games => Some(self.games(now)),
            _ => None,
        }
    }

    /// Reports who has been put out of the event, and who is in it again.
    fn report_players_out(&mut self, before: &[usize]) {
        let after: Vec<_> = self.ledger.players_out().collect();
        for player in 0..self.ledger.names().len() {
            let is_out = after.contains(&player);
            if is_out != before.contains(&player) {
                self.report(Report::Out { player, is_out });
            }
        }
    }

    /// The present position of a game; the starting position if none is in progress.
    fn position_of_game(&self, game: Option<usize>) -> Position {
        let game = game.and_then(|game| self.ledger.running().get(&game));
        game.map_or_else(Position::start, |game| *game.referee.game().position())
    }

    /// Refuses what the ledger knows nothing of: connections and programs.
    fn check(&self, order: &Order) -> Result<(), String> {
        match order {
            Order::Takeover => {
                return Err(
                    "this is the referee; `takeover` is for the folder of an observer".to_owned(),
                );
            }
            Order::Alone
                if self
                    .ledger
                    .config()
                    .observer
                    .as_ref()
                    .is_none_or(|it| it.replicas == 0) =>
            {
                return Err("players do not wait for an observer in this event".to_owned());
            }
            Order::Kick { words } => {
                let name = words.join(" ");
                let player = self.ledger.player(&name).map_err(|why| shown(&why))?;
                if !self
                    .seats_of(player)
                    .any(|seat| self.seats[seat].link.is_some())
                {
                    return Err(format!("{} is not connected", shown(&name)));
                }
            }
            Order::Restart { words } => {
                let name = words.join(" ");
                let player = self.ledger.player(&name).map_err(|why| shown(&why))?;
                let mut seats = self.seats_of(player);
                if seats.all(|seat| self.seats[seat].process == Process::None) {
                    let name = shown(&name);
                    return Err(format!(
                        "{name} connects by itself and has no program here; to disconnect it: kick {name}"
                    ));
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// What follows from an order that the ledger has accepted; returns the answer.
    fn follow(&mut self, order: &Order, reason: Option<&str>, now: Instant) -> String {
        match order {
            Order::Pause { game: None } => {
                let why = self.ledger.paused().unwrap_or_default().to_owned();
                self.tell_pause(&why);
                "paused: no new games are started".to_owned()
            }
            Order::Pause { game: Some(game) } => {
                self.reset_game(*game, now);
                format!("game {game} is paused")
            }
            Order::Resume { game: None } => self.resume(),
            Order::Resume { game: Some(game) } => self.resume_game(*game, now),
            Order::Message { words } => self.message(&words.join(" "), now),
            Order::Adjudicate { game, .. }
            | Order::Abort { game }
            | Order::Forfeit {
                game: Some(game), ..
            } => self.end_decided(*game, now),
            Order::Forfeit { player, game: None } => self.put_out(player, now),
            Order::Begin => {
                self.needs_pairing = true;
                "the first round is paired; who comes later is paired from the next round on"
                    .to_owned()
            }
            Order::Readmit { words } => {
                let name = shown(&words.join(" "));
                format!("{name} plays again; to play lost games again: replay GAME")
            }
            Order::Replay { game } => self.replay(*game, reason),
            Order::Takeback { game, ply } => {
                self.reset_game(*game, now);
                let plural = if *ply == 1 { "" } else { "s" };
                format!("game {game} goes back to the position after {ply} half-move{plural}")
            }
            Order::Extend {
                game,
                side,
                duration,
            } => {
                let time = humantime::format_duration(*duration);
                let side = side_name(*side);
                self.tell_players(*game, &format!("the arbiter adds {time} for {side}"), now);
                format!("game {game}: {side} has {time} more")
            }
            Order::Reset { game } => {
                self.reset_game(*game, now);
                format!("game {game} is sent again from its last position")
            }
            Order::Restart { words } => self.restart(&words.join(" "), now),
            Order::Replace { player, name, .. } => {
                let name = name.as_ref().unwrap_or(player);
                self.replace(player, name, now)
            }
            Order::Kick { words } => self.kick(&words.join(" "), now),
            Order::Quit => {
                self.stopping = true;
                "shutting down".to_owned()
            }
            Order::Alone => {
                "players no longer wait for an observer, until one has caught up".to_owned()
            }
            Order::Status | Order::Games | Order::Takeover => String::new(),
        }
    }

    /// The seats of a player.
    pub(super) fn seats_of(&self, player: usize) -> impl Iterator<Item = SeatId> + use<'_> {
        let seats = self.seats.iter().enumerate();
        let seats = seats.filter(move |(_, seat)| seat.player == player);
        seats.map(|(seat, _)| seat)
    }

    /// Starts new games again, and gives programs that were given up another chance.
    fn resume(&mut self) -> String {
        self.paused = None;
        self.forfeits_in_a_row.fill(0);
        for seat in &mut self.seats {
            seat.restarts = 0;
            if seat.process == Process::GivenUp {
                seat.process = Process::Ended;
            }
        }
        self.report(Report::Resumed);
        self.needs_pairing = true;
        "resumed: new games are started".to_owned()
    }

    /// Goes on with a game that was paused, as soon as both players know its moves.
    fn resume_game(&mut self, number: usize, now: Instant) -> String {
        let game = self.ledger.running().get(&number);
        let seats = game.map(|game| game.seats).unwrap_or_default();
        // If either is away or not informed yet, the game goes on when it is.
        let both = seats
            .iter()
            .all(|&seat| self.seats[seat].is_playing(number));
        if both {
            self.side_ready(number, Color::White, now);
        }
        format!("game {number} goes on")
    }

    /// Tells all players in games something that has no effect on their games.
    fn message(&mut self, text: &str, now: Instant) -> String {
        let mut players = BTreeSet::new();
        for (link, command) in self.notices(text) {
            let seat = self.links.get(&link).and_then(|link| link.seat);
            players.extend(seat.map(|seat| self.seats[seat].player));
            self.send(link, command, now);
        }
        let count = players.len();
        let plural = if count == 1 {
            "player was"
        } else {
            "players were"
        };
        format!("{count} {plural} told")
    }

    /// Tells the players of a game something that has no effect on it.
    fn tell_players(&mut self, number: usize, text: &str, now: Instant) {
        let Some(game) = self.ledger.running().get(&number) else {
            return;
        };
        let seats = game.seats.map(|seat| self.seats[seat].link);
        let notices = self.notices(text);
        for (link, command) in notices {
            if seats.contains(&Some(link)) {
                self.send(link, command, now);
            }
        }
    }

    /// Ends a game as the arbiter has decided; returns how.
    fn end_decided(&mut self, number: usize, now: Instant) -> String {
        self.game_at_work = Some(number);
        let Some(decision) = self.ledger.decision(number) else {
            return String::new();
        };
        let Some(game) = self.ledger.game_mut(number) else {
            return String::new();
        };
        let out = game.referee.decide(&decision);
        self.act(number, out, now);
        format!("game {number}: {}", shown(&decision.to_string()))
    }

    /// Ends all games that the arbiter has decided: a player is out of the event, or the referee was
    /// killed before it could carry out an order that is in the journal.
    pub(super) fn end_decided_games(&mut self, now: Instant) {
        let games = self.ledger.running().keys();
        let decided: Vec<_> = games
            .copied()
            .filter(|&number| self.ledger.decision(number).is_some())
            .collect();
        for number in decided {
            self.end_decided(number, now);
        }
    }

    /// A player loses what it plays, and then all that it has still to play (`begin_games`).
    fn put_out(&mut self, name: &str, now: Instant) -> String {
        self.end_decided_games(now);
        self.needs_pairing = true;
        let name = shown(name);
        if self.is_paused() {
            format!("{name} is out of the event; games to come are lost when the event is resumed")
        } else {
            format!("{name} is out of the event and loses all games that are not finished")
        }
    }

    /// Sends both players of a game its moves again (EPD 3.2, function 9). Its clock stops, and nobody is
    /// charged for the present move; it goes on once both are informed.
    pub(super) fn reset_game(&mut self, number: usize, now: Instant) {
        self.game_at_work = Some(number);
        let Some(game) = self.ledger.game_mut(number) else {
            return;
        };
        game.referee.interrupt();
        for seat in game.seats {
            let place = &mut self.seats[seat];
            place.asking = None;
            // A reply to the question so far may still arrive.
            place.stale = place.asked.take().or(place.stale);
            self.reset(seat, now);
        }
        self.needs_pairing = true;
    }

    /// Drops the result of a finished game, which is then played again.
    fn replay(&mut self, number: usize, reason: Option<&str>) -> String {
        let why = reason.map_or_else(String::new, |reason| format!(" ({reason})"));
        self.effects.push(Effect::RebuildGames);
        self.effects.push(Effect::Standings);
        self.report(Report::Withdrawn {
            game: number,
            text: shown(&format!("replayed by order of the arbiter{why}")),
        });
        self.needs_pairing = true;
        format!("game {number} will be played again")
    }

    fn kick(&mut self, name: &str, now: Instant) -> String {
        if let Ok(player) = self.ledger.player(name) {
            self.disconnect_player(player, "disconnected by the arbiter", now);
        }
        format!("{} was disconnected", shown(name))
    }

    fn disconnect_player(&mut self, player: usize, why: &str, now: Instant) {
        let links: Vec<_> = self
            .seats_of(player)
            .filter_map(|seat| self.seats[seat].link)
            .collect();
        for link in links {
            self.disconnect(link, why, EndedBy::Arbiter, now);
        }
    }

    /// Kills the programs of a player and starts them again. Its games wait meanwhile.
    fn restart(&mut self, name: &str, now: Instant) -> String {
        if let Ok(player) = self.ledger.player(name) {
            self.renew(player, "restarted by the arbiter", now);
        }
        format!("{} is started again", shown(name))
    }

    /// Another entrant, or another program, takes a player's place. Its games wait until it is there.
    fn replace(&mut self, old: &str, new: &str, now: Instant) -> String {
        let Ok(player) = self.ledger.player(new) else {
            return String::new();
        };
        self.forfeits_in_a_row[player] = 0;
        let (old, new) = (shown(old), shown(new));
        let who = if old == new {
            format!("{new} has a new program")
        } else {
            format!("{new} takes the place of {old}")
        };
        self.say(who.clone());
        let replaced = self.ledger.replaced().next_back().cloned();
        if let Some(replaced) = replaced.filter(|_| old != new) {
            let name = shown(&replaced.name);
            self.report(Report::Replaced {
                name: new.clone(),
                replaced: Replacement { name, ..replaced },
            });
        }
        for seat in self.seats_of(player).collect::<Vec<_>>() {
            if self.has_command(player) && self.seats[seat].process == Process::None {
                self.seats[seat].process = Process::Ended;
            }
        }
        self.renew(player, "another entrant takes this place", now);
        for seat in self.seats_of(player).collect::<Vec<_>>() {
            let place = &mut self.seats[seat];
            place.has_come = false;
            place.equipment = Equipment::default();
            if let (Some((number, color)), Process::None | Process::Restarting) =
                (place.game, place.process)
                && let Some(game) = self.ledger.game_mut(number)
            {
                // Nobody knows when a new entrant comes: it is waited for.
                game.referee.excuse(color);
            }
            if self.seats[seat].process == Process::None {
                self.seats[seat].absent_since = None;
            }
        }
        self.effects.push(Effect::Standings);
        if self.has_command(player) {
            format!("{who} and is started")
        } else {
            format!("{who}; it connects by itself")
        }
    }

    fn has_command(&self, player: usize) -> bool {
        let settings = self.ledger.config().players.get(player);
        settings.is_some_and(|player| player.command.is_some())
    }

    /// Disconnects a player, kills its programs, and starts them again by the present command, if there
    /// is one. The clocks of its games stop until it is back.
    fn renew(&mut self, player: usize, why: &str, now: Instant) {
        let seats: Vec<_> = self.seats_of(player).collect();
        for &seat in &seats {
            let place = &mut self.seats[seat];
            place.restarts = 0;
            let game = place.game;
            match place.process {
                Process::Running | Process::Killed => {
                    place.process = Process::Restarting;
                    let program = place.program;
                    self.effects.push(Effect::Kill(program));
                }
                Process::Ended | Process::GivenUp => self.start_again(seat, now),
                Process::None | Process::Restarting => {}
            }
            if let Some((number, _)) = game {
                self.reset_game(number, now);
            }
        }
        self.disconnect_player(player, why, now);
    }

    /// Starts the program of a seat by order of the arbiter, if its player still has a command.
    pub(super) fn start_again(&mut self, seat: SeatId, now: Instant) {
        if self.has_command(self.seats[seat].player) {
            self.start_program(seat, now);
        } else {
            let place = &mut self.seats[seat];
            place.process = Process::None;
            // A new entrant is waited for as at the beginning of an event.
            place.absent_since = place.absent_since.filter(|_| place.has_come);
        }
    }
}
