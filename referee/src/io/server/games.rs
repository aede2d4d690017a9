//! Games on the server: starting them, carrying out what each game asks for, ending them.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use epd::protocol::{Command, Message};
use jiff::Zoned;
use movegen::{Color, Position, San};
use serde_json::json;

use super::Server;
use super::seat::SeatState;
use crate::core::ending::{Ending, Reason};
use crate::core::event::forfeit_name;
use crate::core::game::{GameReferee, Moved, Out};
use crate::core::journal::Entry;
use crate::core::schedule::Pairing;

impl Server {
    /// Calls `handle` with the game that a player is in and carries out what the game asks for.
    pub(super) fn in_game(
        &mut self,
        player: usize,
        handle: impl FnOnce(&mut GameReferee, Color) -> Vec<Out>,
    ) -> anyhow::Result<()> {
        let Some(number) = self.seats[player].game else {
            return Ok(());
        };
        let mut out = Vec::new();
        if let Some(game) = self.event.game_mut(number)
            && let Some(color) = game.color_of(player)
        {
            out = handle(&mut game.referee, color);
        }
        self.act(number, out)
    }

    /// The position of a player's game, or the starting position (decisions 30 and 100).
    pub(super) fn position_of(&self, player: usize) -> Position {
        let number = self.seats[player].game;
        let game = number.and_then(|number| self.event.running().get(&number));
        game.map_or_else(Position::start, |game| *game.referee.game().position())
    }

    /// Carries out what a game asks for. Moves and results are in the journal before any player is told
    /// of them.
    pub(super) fn act(&mut self, number: usize, out: Vec<Out>) -> anyhow::Result<()> {
        for out in &out {
            let entry = match out {
                Out::Moved(moved) => Some(Entry::moved(number, moved)),
                Out::Ended(ending) => self.event.end_entry(number, ending),
                Out::Send(..) | Out::Note(_) => None,
            };
            if let Some(entry) = entry {
                self.storage.journal(&entry)?;
            }
        }
        for out in out {
            match out {
                Out::Send(color, command) => self.send_to_side(number, color, &command),
                Out::Moved(moved) => self.report_move(number, &moved),
                Out::Ended(ending) => self.end_game(number, &ending)?,
                Out::Note(text) => {
                    self.storage
                        .event(json!({ "event": "note", "game": number, "text": text }));
                }
            }
        }
        Ok(())
    }

    fn send_to_side(&mut self, number: usize, color: Color, command: &Command) {
        let Some(game) = self.event.running().get(&number) else {
            return;
        };
        let position = *game.referee.game().position();
        let player = game.player_of(color);
        let seat = &mut self.seats[player];
        if matches!(command, Command::Respond(_)) {
            seat.asked = Some(position);
        }
        // A player that is not fully informed yet gets all moves together later.
        if seat.game == Some(number)
            && seat.state == SeatState::Playing
            && let Some(id) = seat.connection
        {
            self.send(id, command);
        }
        if matches!(command, Command::Respond(_))
            && let Some(game) = self.event.game_mut(number)
        {
            game.referee.sent(Instant::now());
        }
    }

    /// Reports a move with its time, and with the referee's own delay.
    fn report_move(&mut self, number: usize, moved: &Moved) {
        let Some(game) = self.event.game_mut(number) else {
            return;
        };
        game.add(moved);
        let player = game.player_of(moved.color);
        let ply = game.referee.game().moves().len();
        let remaining = game.referee.clock().remaining(moved.color);
        let san = San::of(&moved.before, moved.mv);
        let milliseconds = |time: Duration| time.as_secs_f64() * 1000.0;
        let lag = self.seats[player].lag;
        if self.options.prints_moves {
            let mut text = format!("game {number}: ");
            let number = moved.before.fullmove_number();
            let dots = if moved.color == Color::White {
                "."
            } else {
                "..."
            };
            let _ = write!(text, "{number}{dots} {san}");
            if let Some(remaining) = remaining {
                let _ = write!(text, "  {:.1} s left", remaining.as_secs_f64());
            }
            if let Some(eval) = moved.eval {
                let _ = write!(text, "  {:+.2}", f64::from(eval) / 100.0);
            }
            say!("{text}");
        }
        self.storage.event(json!({
            "event": "move",
            "game": number,
            "ply": ply,
            "player": self.event.names()[player],
            "san": &*san,
            "elapsed_ms": milliseconds(moved.elapsed),
            "remaining_ms": remaining.map(milliseconds),
            "eval": moved.eval,
            "lag_ms": milliseconds(lag),
        }));
    }

    fn end_game(&mut self, number: usize, ending: &Ending) -> anyhow::Result<()> {
        let Some(game) = self.event.running().get(&number) else {
            return Ok(());
        };
        let players = [Color::White, Color::Black].map(|color| game.player_of(color));
        let plies = game.referee.game().moves().len();
        if let Some(pgn) = self.event.end(number, ending) {
            self.storage.game(&pgn)?;
        }
        let ready = Instant::now() + self.event.config().delays.conclude;
        for player in players {
            self.seats[player].leave_game(ready);
        }
        let [white, black] = players.map(|player| self.event.names()[player].clone());
        let result = ending.result_tag();
        say!("game {number}: {white} - {black} {result} {{{ending}}}");
        self.storage.event(json!({
            "event": "result",
            "game": number,
            "white": white,
            "black": black,
            "result": result,
            "termination": ending.termination().to_string(),
            "reason": ending.to_string(),
            "verdict": ending.forfeit().map(forfeit_name),
            "plies": plies,
        }));
        self.standings.1 = true;
        if self.event.is_decided() {
            self.event.stop();
            self.report("the SPRT is decided: no new games are started");
        }
        Ok(())
    }

    /// Starts a game by sending both players a reset command (decisions 17 and 28).
    fn begin(&mut self, pairing: Pairing, now: Instant) -> anyhow::Result<()> {
        let date = Zoned::now().strftime("%Y.%m.%d").to_string();
        let entry = self.event.begin(pairing, &date);
        self.storage.journal(&entry)?;
        let number = pairing.number;
        let names = [pairing.white, pairing.black].map(|player| self.event.names()[player].clone());
        self.storage.event(json!({
            "event": "game", "game": number, "round": pairing.round_tag().to_string(),
            "white": names[0], "black": names[1],
        }));
        let players = [pairing.white, pairing.black];
        for player in players {
            self.seats[player].game = Some(number);
            self.reset(player, now);
        }
        // A player that cannot reconnect forfeits at once.
        match players.map(|player| self.seats[player].is_gone_for_good()) {
            [false, false] => {
                for player in players {
                    if self.seats[player].connection.is_none() {
                        self.mark_absent(player, now)?;
                    }
                }
                Ok(())
            }
            [true, false] => self.forfeit(number, Color::White),
            [false, true] => self.forfeit(number, Color::Black),
            [true, true] => {
                let game = self.event.game_mut(number);
                let out = game.map(|game| game.referee.decide(&Ending::both_absent()));
                self.act(number, out.unwrap_or_default())
            }
        }
    }

    pub(super) fn forfeit(&mut self, number: usize, color: Color) -> anyhow::Result<()> {
        let Some(game) = self.event.game_mut(number) else {
            return Ok(());
        };
        let out = game.referee.decide(&Ending::loss(color, Reason::Abandoned));
        self.act(number, out)
    }

    /// Sends a player the reset command of its game, or of the starting position if it has no game.
    pub(super) fn reset(&mut self, player: usize, now: Instant) {
        let seat = &mut self.seats[player];
        seat.state = SeatState::Reset;
        seat.ready = now + self.event.config().delays.reset;
        let (connection, game) = (seat.connection, seat.game);
        let game = game.and_then(|number| self.event.running().get(&number));
        let command = game.map_or_else(
            || Command::Reset(Message::with_counters(&Position::start())),
            |game| game.referee.reset(),
        );
        if let Some(id) = connection {
            self.send(id, &command);
        }
    }

    /// Starts all games that can be started.
    pub(super) fn begin_games(&mut self, now: Instant) -> anyhow::Result<()> {
        let reconnect_timeout = self.event.config().rules.reconnect_timeout;
        while !self.paused && !self.stopping && self.event.has_room() {
            let seats = self.seats.iter();
            let free = seats.map(|seat| {
                (
                    seat.is_free(now, reconnect_timeout),
                    seat.connection.is_some(),
                )
            });
            let free: Vec<_> = free.collect();
            if free == self.unpaired {
                break;
            }
            let next = self.event.next_game(|pairing| self.can_begin(pairing, now));
            let Some(pairing) = next else {
                self.unpaired = free;
                break;
            };
            self.begin(pairing, now)?;
        }
        Ok(())
    }

    /// Whether both players are free, and at least one is connected or neither will ever be.
    fn can_begin(&self, pairing: &Pairing, now: Instant) -> bool {
        let reconnect_timeout = self.event.config().rules.reconnect_timeout;
        let seats = [&self.seats[pairing.white], &self.seats[pairing.black]];
        seats
            .iter()
            .all(|seat| seat.is_free(now, reconnect_timeout))
            && (seats.iter().any(|seat| seat.connection.is_some())
                || seats.iter().all(|seat| seat.is_gone_for_good()))
    }

    pub(super) fn tick_games(&mut self, now: Instant) -> anyhow::Result<()> {
        let games = self.event.games_mut();
        let due: Vec<_> = games
            .filter(|(_, game)| {
                game.referee
                    .deadline()
                    .is_some_and(|deadline| deadline <= now)
            })
            .map(|(number, game)| (number, game.referee.tick(now)))
            .collect();
        for (number, out) in due {
            self.act(number, out)?;
        }
        Ok(())
    }

    /// Sends the tags and moves to players whose pause after the reset is over. When both players are
    /// informed, the side to move is asked.
    pub(super) fn inform_players(&mut self, now: Instant) -> anyhow::Result<()> {
        for player in 0..self.seats.len() {
            let seat = &self.seats[player];
            let (Some(number), Some(id)) = (seat.game, seat.connection) else {
                continue;
            };
            if seat.state != SeatState::Reset || seat.ready > now {
                continue;
            }
            let Some(game) = self.event.running().get(&number) else {
                continue;
            };
            let Some(color) = game.color_of(player) else {
                continue;
            };
            for command in game.referee.history(color) {
                self.send(id, &command);
            }
            self.seats[player].state = SeatState::Playing;
            self.side_ready(number, color)?;
        }
        Ok(())
    }

    /// A side is informed; if the other one is too, the game continues.
    fn side_ready(&mut self, number: usize, color: Color) -> anyhow::Result<()> {
        let Some(game) = self.event.game_mut(number) else {
            return Ok(());
        };
        let mut out = game.referee.reconnected(color);
        let players = [Color::White, Color::Black].map(|color| game.player_of(color));
        let both = players
            .iter()
            .all(|&player| self.seats[player].is_playing(number));
        if both
            && let Some(game) = self.event.game_mut(number)
            && game.referee.is_idle()
        {
            out = game.referee.proceed(Instant::now());
        }
        self.act(number, out)
    }
}
