//! The conduct of the games: when they begin, what each wants done, and how they end.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use epd::protocol::{Command, Message};
use jiff::Zoned;
use movegen::{Color, Position, San};
use serde_json::json;

use super::Server;
use super::seats::Stage;
use crate::ending::{Ending, Reason};
use crate::event::word_of;
use crate::game::{GameReferee, Moved, Out};
use crate::journal::Entry;
use crate::pairing::Pairing;

impl Server {
    /// Lets the game that a player is in deal with something.
    pub(super) fn in_game(
        &mut self,
        player: usize,
        deal: impl FnOnce(&mut GameReferee, Color) -> Vec<Out>,
    ) -> anyhow::Result<()> {
        let Some(number) = self.seats[player].game else {
            return Ok(());
        };
        let mut out = Vec::new();
        if let Some(game) = self.event.game_mut(number)
            && let Some(color) = game.color_of(player)
        {
            out = deal(&mut game.referee, color);
        }
        self.act(number, out)
    }

    /// The position that a player's game has, or the start array (decisions 30 and 100).
    pub(super) fn position_of(&self, player: usize) -> Position {
        let number = self.seats[player].game;
        let game = number.and_then(|number| self.event.running().get(&number));
        game.map_or_else(Position::start, |game| *game.referee.game().position())
    }

    /// Does what a game wants done. What must not be forgotten is written down before anybody is
    /// told of it.
    pub(super) fn act(&mut self, number: usize, out: Vec<Out>) -> anyhow::Result<()> {
        for out in &out {
            let entry = match out {
                Out::Moved(moved) => Some(Entry::moved(number, moved)),
                Out::Ended(ending) => self.event.end_entry(number, ending),
                Out::Send(..) | Out::Note(_) => None,
            };
            if let Some(entry) = entry {
                self.files.journal(&entry)?;
            }
        }
        for out in out {
            match out {
                Out::Send(color, command) => self.send_to_side(number, color, &command),
                Out::Moved(moved) => self.note_move(number, &moved),
                Out::Ended(ending) => self.end_game(number, &ending)?,
                Out::Note(text) => {
                    self.files
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
        // Who has not been told the game so far learns everything at once later.
        if seat.game == Some(number)
            && seat.stage == Stage::Playing
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

    /// Writes a move down: the move, both stamps, and how late the referee was itself.
    fn note_move(&mut self, number: usize, moved: &Moved) {
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
        self.files.event(json!({
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
            self.files.game(&pgn)?;
        }
        let ready = Instant::now() + self.event.config().delays.conclude;
        for player in players {
            self.seats[player].leave_game(ready);
        }
        let [white, black] = players.map(|player| self.event.names()[player].clone());
        let result = ending.result_tag();
        say!("game {number}: {white} - {black} {result} {{{ending}}}");
        self.files.event(json!({
            "event": "result",
            "game": number,
            "white": white,
            "black": black,
            "result": result,
            "termination": ending.termination().to_string(),
            "reason": ending.to_string(),
            "verdict": ending.verdict().map(word_of),
            "plies": plies,
        }));
        self.standings.1 = true;
        if self.event.is_decided() {
            self.event.stop();
            self.tell("the test is decided: no more games are started");
        }
        Ok(())
    }

    /// Starts a game: both players are reset (decisions 17 and 28).
    fn begin(&mut self, pairing: Pairing, now: Instant) -> anyhow::Result<()> {
        let date = Zoned::now().strftime("%Y.%m.%d").to_string();
        let entry = self.event.begin(pairing, &date);
        self.files.journal(&entry)?;
        let number = pairing.number;
        let names = [pairing.white, pairing.black].map(|player| self.event.names()[player].clone());
        self.files.event(json!({
            "event": "game", "game": number, "round": pairing.round_tag().to_string(),
            "white": names[0], "black": names[1],
        }));
        let players = [pairing.white, pairing.black];
        for player in players {
            self.seats[player].game = Some(number);
            self.reset(player, now);
        }
        // A player that is gone for good has lost before it began.
        match players.map(|player| self.seats[player].is_gone_for_good()) {
            [false, false] => {
                for player in players {
                    if self.seats[player].connection.is_none() {
                        self.miss(player, now)?;
                    }
                }
                Ok(())
            }
            [true, false] => self.forfeit(number, Color::White),
            [false, true] => self.forfeit(number, Color::Black),
            [true, true] => {
                let game = self.event.game_mut(number);
                let out = game.map(|game| game.referee.decide(&Ending::deserted()));
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

    /// Resets a player for its game, or for none.
    pub(super) fn reset(&mut self, player: usize, now: Instant) {
        let seat = &mut self.seats[player];
        seat.stage = Stage::Reset;
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

    /// Starts the games that can be started.
    pub(super) fn begin_games(&mut self, now: Instant) -> anyhow::Result<()> {
        let grace = self.event.config().rules.grace;
        while !self.paused && !self.leaving && self.event.has_room() {
            let seats = self.seats.iter();
            let free = seats.map(|seat| (seat.is_free(now, grace), seat.connection.is_some()));
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

    /// Whether both players are free, and somebody is here for whom it is worth while.
    fn can_begin(&self, pairing: &Pairing, now: Instant) -> bool {
        let grace = self.event.config().rules.grace;
        let seats = [&self.seats[pairing.white], &self.seats[pairing.black]];
        seats.iter().all(|seat| seat.is_free(now, grace))
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

    /// Tells the players whose reset is over what they need, and asks the side to move when both
    /// know it.
    pub(super) fn greet(&mut self, now: Instant) -> anyhow::Result<()> {
        for player in 0..self.seats.len() {
            let seat = &self.seats[player];
            let (Some(number), Some(id)) = (seat.game, seat.connection) else {
                continue;
            };
            if seat.stage != Stage::Reset || seat.ready > now {
                continue;
            }
            let Some(game) = self.event.running().get(&number) else {
                continue;
            };
            let Some(color) = game.color_of(player) else {
                continue;
            };
            for command in game.referee.greeting(color) {
                self.send(id, &command);
            }
            self.seats[player].stage = Stage::Playing;
            self.join(number, color)?;
        }
        Ok(())
    }

    /// A side knows its game: if the other one does as well, it goes on.
    fn join(&mut self, number: usize, color: Color) -> anyhow::Result<()> {
        let Some(game) = self.event.game_mut(number) else {
            return Ok(());
        };
        let mut out = game.referee.back(color);
        let players = [Color::White, Color::Black].map(|color| game.player_of(color));
        let both = players
            .iter()
            .all(|&player| self.seats[player].is_playing(number));
        if both
            && let Some(game) = self.event.game_mut(number)
            && game.referee.is_idle()
        {
            out = game.referee.go_on(Instant::now());
        }
        self.act(number, out)
    }
}
