//! Players at the event: who is who, who is here, and who is free.

use std::time::{Duration, Instant};

use epd::Record;
use epd::protocol::{Content, printable};
use serde_json::json;

use super::Server;

/// How much a player knows of its game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// It has been reset, or is not here.
    Reset,
    /// It has been told everything.
    Playing,
}

/// The place of a player.
#[derive(Clone, Copy, Debug)]
pub struct Seat {
    /// Its connection, if it is here.
    pub connection: Option<u64>,
    /// The game that it is in.
    pub game: Option<usize>,
    /// What it knows of that.
    pub stage: Stage,
    /// When it can be told something again (decision 28).
    pub ready: Instant,
    /// The referee started it.
    pub is_local: bool,
    /// It will not come again.
    pub is_dead: bool,
    /// How late the referee was with its last reply.
    pub lag: Duration,
}

impl Seat {
    /// A place whose player has not come.
    pub const fn new(now: Instant) -> Self {
        Self {
            connection: None,
            game: None,
            stage: Stage::Reset,
            ready: now,
            is_local: false,
            is_dead: false,
            lag: Duration::ZERO,
        }
    }

    /// Whether a game can be started with this player; one that is gone for good loses it.
    pub fn is_free(&self, now: Instant) -> bool {
        self.game.is_none() && (self.is_dead || self.connection.is_some() && self.ready <= now)
    }

    /// Whether the player is here and knows the game.
    pub fn is_playing(&self, number: usize) -> bool {
        self.game == Some(number) && self.stage == Stage::Playing && self.connection.is_some()
    }

    /// The game is over.
    pub const fn leave_game(&mut self, ready: Instant) {
        self.game = None;
        self.stage = Stage::Reset;
        self.ready = ready;
    }
}

impl Server {
    /// A connection signs on (decisions 15 to 20).
    pub(super) fn sign_on(
        &mut self,
        id: u64,
        record: &Record,
        content: &Content,
    ) -> anyhow::Result<()> {
        if self.connections[&id].player.is_some() {
            // Decision 19.
            self.files
                .event(json!({ "event": "note", "text": "a second sign_on" }));
            return Ok(());
        }
        if let Some(password) = &self.options.password {
            let said = record.get("Auth").and_then(|auth| auth.operands.first());
            if said.is_none_or(|said| said.text() != password) {
                self.refuse(id, "the password is wrong");
                return Ok(());
            }
        }
        let name = content.name.as_deref().map(printable);
        let player = match self.seat_for(name.as_deref()) {
            Ok(player) => player,
            Err(why) => {
                self.refuse(id, why);
                return Ok(());
            }
        };
        if self.event.names()[player].is_empty() {
            let name =
                name.map_or_else(|| format!("client-{}", player + 1), |name| name.to_string());
            self.event.set_name(player, &name);
        }
        if let Some(connection) = self.connections.get_mut(&id) {
            connection.player = Some(player);
        }
        let now = Instant::now();
        let seat = &mut self.seats[player];
        seat.connection = Some(id);
        // After a resumption of the event a game may wait for its player.
        seat.game = self.event.game_of(player);
        let name = self.event.names()[player].clone();
        say!("{name} signs on from {}", self.connections[&id].peer);
        let peer = self.connections[&id].peer.clone();
        self.files
            .event(json!({ "event": "sign_on", "player": name, "peer": peer }));
        self.reset(player, now);
        Ok(())
    }

    /// The place of a name: its own one, or one that any player may have. Without a name, the next
    /// one of the list that nobody has taken (decision 15).
    fn seat_for(&self, name: Option<&str>) -> Result<usize, &'static str> {
        let names = self.event.names();
        let is_empty =
            |player: usize| self.seats[player].connection.is_none() && !self.seats[player].is_dead;
        let Some(name) = name.filter(|name| !name.is_empty()) else {
            let free = (0..names.len()).find(|&player| is_empty(player));
            return free.ok_or("every place is taken");
        };
        if let Some(player) = names.iter().position(|other| printable(other) == name) {
            return if self.seats[player].connection.is_some() {
                Err("this name is in use")
            } else {
                Ok(player)
            };
        }
        let open = (0..names.len()).find(|&player| names[player].is_empty() && is_empty(player));
        open.ok_or("no such name in this event")
    }

    /// A connection is gone.
    pub(super) fn lose(&mut self, id: u64) -> anyhow::Result<()> {
        let Some(connection) = self.connections.remove(&id) else {
            return Ok(());
        };
        let Some(player) = connection.player else {
            return Ok(());
        };
        let seat = &mut self.seats[player];
        seat.connection = None;
        seat.stage = Stage::Reset;
        let (game, is_dead) = (seat.game, seat.is_dead);
        let name = self.event.names()[player].clone();
        say!("{name} is gone");
        self.files.event(json!({ "event": "lost", "player": name }));
        if let Some(number) = game
            && let Some(game) = self.event.game_mut(number)
            && let Some(color) = game.color_of(player)
        {
            game.referee.lost(color, Instant::now());
            if is_dead {
                return self.forfeit(number, color);
            }
        }
        Ok(())
    }

    /// A player that the referee started has ended: it does not come again.
    pub(super) fn exited(&mut self, player: usize, status: &str) -> anyhow::Result<()> {
        let name = self.event.names()[player].clone();
        say!("{name} has ended: {status}");
        self.files
            .event(json!({ "event": "exit", "player": name, "status": status }));
        self.seats[player].is_dead = true;
        if let Some(id) = self.seats[player].connection {
            return self.lose(id);
        }
        let game = self.seats[player]
            .game
            .or_else(|| self.event.game_of(player));
        if let Some(number) = game
            && let Some(game) = self.event.game_mut(number)
            && let Some(color) = game.color_of(player)
        {
            return self.forfeit(number, color);
        }
        Ok(())
    }
}
