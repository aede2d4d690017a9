//! Players at the event: who is who, who is here, and who is free.

use std::time::{Duration, Instant};

use epd::Record;
use epd::protocol::{Message, printable};
use movegen::Position;
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
    /// It will not come again.
    pub is_dead: bool,
    /// How late the referee was with its last reply.
    pub lag: Duration,
    /// The position that it has been asked about, until it replies.
    pub asked: Option<Position>,
    /// A position of a game that is over to which its reply may still be on its way (decision 8).
    pub owed: Option<Position>,
    /// Since when it has been away.
    pub gone: Option<Instant>,
}

impl Seat {
    /// A place whose player has not come.
    pub const fn new(now: Instant) -> Self {
        Self {
            connection: None,
            game: None,
            stage: Stage::Reset,
            ready: now,
            is_dead: false,
            lag: Duration::ZERO,
            asked: None,
            owed: None,
            gone: None,
        }
    }

    /// Whether a game can be started with this player. One that is gone for good loses it; one that
    /// has been away for the grace period has another such period in its next game (decision 22).
    pub fn is_free(&self, now: Instant, grace: Duration) -> bool {
        self.game.is_none()
            && match self.connection {
                Some(_) => self.ready <= now,
                None => self.is_dead || self.gone.is_some_and(|gone| gone + grace <= now),
            }
    }

    /// Whether it is not here and will not come again.
    pub const fn is_gone_for_good(&self) -> bool {
        self.is_dead && self.connection.is_none()
    }

    /// When something can be done with it that cannot be done now.
    pub fn deadline(&self, now: Instant, grace: Duration) -> Option<Instant> {
        let away = self.gone.filter(|_| self.game.is_none());
        let deadlines = [Some(self.ready), away.map(|gone| gone + grace)];
        deadlines
            .into_iter()
            .flatten()
            .filter(|&deadline| deadline > now)
            .min()
    }

    /// Whether the player is here and knows the game.
    pub fn is_playing(&self, number: usize) -> bool {
        self.game == Some(number) && self.stage == Stage::Playing && self.connection.is_some()
    }

    /// The game is over.
    pub fn leave_game(&mut self, ready: Instant) {
        self.game = None;
        self.stage = Stage::Reset;
        self.ready = ready;
        self.owed = self.asked.take().or(self.owed);
    }
}

impl Server {
    /// A connection signs on (decisions 15 to 20).
    pub(super) fn sign_on(
        &mut self,
        id: u64,
        record: &Record,
        content: &Message,
    ) -> anyhow::Result<()> {
        if self.connections[&id].player.is_some() {
            // Decision 19.
            return self.pass_over(id, "a second sign_on");
        }
        if let Some(password) = &self.options.password {
            let said = record.get("Auth").and_then(|auth| auth.operands.first());
            if said.is_none_or(|said| said.text() != password) {
                self.refuse(id, "the password is wrong");
                return Ok(());
            }
        }
        let name = content.name.as_deref().map(printable);
        let (player, name) = match self.seat_for(name.as_deref()) {
            Ok(seat) => seat,
            Err(why) => {
                self.refuse(id, why);
                return Ok(());
            }
        };
        if self.event.names()[player].is_empty() {
            self.event.set_name(player, &name);
        }
        if let Some(connection) = self.connections.get_mut(&id) {
            connection.player = Some(player);
        }
        let now = Instant::now();
        let seat = &mut self.seats[player];
        seat.connection = Some(id);
        (seat.is_dead, seat.gone) = (false, None);
        (seat.asked, seat.owed) = (None, None);
        let name = self.event.names()[player].clone();
        say!("{name} signs on from {}", self.connections[&id].peer);
        let peer = self.connections[&id].peer.clone();
        self.files
            .event(json!({ "event": "sign_on", "player": name, "peer": peer }));
        self.reset(player, now);
        Ok(())
    }

    /// The place of a name and the name that goes with it: its own place, or one that any player may
    /// have. A name that is in use becomes "name #2" (decision 20) if that or an open place is free.
    /// Without a name, the next place that nobody has taken (decision 15).
    fn seat_for(&self, name: Option<&str>) -> Result<(usize, String), &'static str> {
        let names = self.event.names();
        let is_empty =
            |player: usize| self.seats[player].connection.is_none() && !self.seats[player].is_dead;
        let Some(name) = name.filter(|name| !name.is_empty()) else {
            let free = (0..names.len()).find(|&player| is_empty(player));
            let free = free.ok_or("every place is taken")?;
            return Ok((free, format!("client-{}", free + 1)));
        };
        let mut wanted = name.to_owned();
        let mut refusal = "no such name in this event";
        for number in 2.. {
            let named = names.iter().position(|other| printable(other) == *wanted);
            match named {
                Some(player) if self.seats[player].connection.is_none() => {
                    return Ok((player, wanted));
                }
                Some(_) => refusal = "this name is in use",
                None => break,
            }
            wanted = format!("{name} #{number}");
        }
        let open = (0..names.len()).find(|&player| names[player].is_empty() && is_empty(player));
        open.map(|player| (player, wanted)).ok_or(refusal)
    }

    /// A connection is gone.
    pub(super) fn lose(&mut self, id: u64) -> anyhow::Result<()> {
        let Some(connection) = self.connections.remove(&id) else {
            return Ok(());
        };
        let Some(player) = connection.player else {
            return Ok(());
        };
        let now = Instant::now();
        let seat = &mut self.seats[player];
        seat.connection = None;
        seat.stage = Stage::Reset;
        seat.gone = Some(now);
        let name = self.event.names()[player].clone();
        say!("{name} is gone");
        self.files.event(json!({ "event": "lost", "player": name }));
        self.miss(player, now)
    }

    /// A player is not here: its game waits for it, or is lost if it will not come again.
    pub(super) fn miss(&mut self, player: usize, now: Instant) -> anyhow::Result<()> {
        let seat = &self.seats[player];
        let Some(number) = seat.game else {
            return Ok(());
        };
        let for_good = seat.is_gone_for_good();
        if let Some(game) = self.event.game_mut(number)
            && let Some(color) = game.color_of(player)
        {
            game.referee.lost(color, now);
            if for_good {
                return self.forfeit(number, color);
            }
        }
        Ok(())
    }

    /// A player that the referee started has ended: it does not come again. What it sent before is
    /// still read; its connection ends by itself, and a wrapper that has ended leaves its player.
    pub(super) fn exited(&mut self, player: usize, status: &str) -> anyhow::Result<()> {
        let name = self.event.names()[player].clone();
        self.files
            .event(json!({ "event": "exit", "player": name, "status": status }));
        say!("{name} has ended: {status}");
        let seat = &mut self.seats[player];
        seat.is_dead = true;
        if seat.connection.is_some() {
            return Ok(());
        }
        self.miss(player, Instant::now())
    }
}
