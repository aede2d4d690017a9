//! Players sign on, disconnect and exit.

use std::time::Instant;

use epd::Record;
use epd::protocol::{Message, printable};
use serde_json::json;

use super::Server;
use super::seat::SeatState;

impl Server {
    /// Handles a `sign_on` request (decisions 15 to 20).
    pub(super) fn sign_on(
        &mut self,
        id: u64,
        record: &Record,
        content: &Message,
    ) -> anyhow::Result<()> {
        if self.connections[&id].player.is_some() {
            // Decision 19.
            return self.ignore(id, "a second sign_on");
        }
        if let Some(password) = &self.options.password {
            let said = record.get("Auth").and_then(|auth| auth.operands.first());
            if said.is_none_or(|said| said.text() != password) {
                self.refuse(id, "wrong password");
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
        (seat.has_exited, seat.absent_since) = (false, None);
        (seat.asked, seat.stale) = (None, None);
        let name = self.event.names()[player].clone();
        say!("{name} connected from {}", self.connections[&id].peer);
        let peer = self.connections[&id].peer.clone();
        self.storage
            .event(json!({ "event": "sign_on", "player": name, "peer": peer }));
        self.reset(player, now);
        Ok(())
    }

    /// Finds a seat for a name: the seat of that name, or an open one. If a player of that name is
    /// connected already, "name #2" is tried, and so on (decision 20). A player without a name gets the
    /// first free seat (decision 15). Returns the seat's number and the name that the player gets.
    fn seat_for(&self, name: Option<&str>) -> Result<(usize, String), &'static str> {
        let names = self.event.names();
        let is_empty = |player: usize| {
            self.seats[player].connection.is_none() && !self.seats[player].has_exited
        };
        let Some(name) = name.filter(|name| !name.is_empty()) else {
            let free = (0..names.len()).find(|&player| is_empty(player));
            let free = free.ok_or("all places are taken")?;
            return Ok((free, format!("client-{}", free + 1)));
        };
        let mut wanted = name.to_owned();
        let mut refusal = "no player of this name is in the event";
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

    /// Handles the end of a connection.
    pub(super) fn disconnected(&mut self, id: u64) -> anyhow::Result<()> {
        let Some(connection) = self.connections.remove(&id) else {
            return Ok(());
        };
        let Some(player) = connection.player else {
            return Ok(());
        };
        let now = Instant::now();
        let seat = &mut self.seats[player];
        seat.connection = None;
        seat.state = SeatState::Reset;
        seat.absent_since = Some(now);
        let name = self.event.names()[player].clone();
        say!("{name} disconnected");
        self.storage
            .event(json!({ "event": "lost", "player": name }));
        self.mark_absent(player, now)
    }

    /// Marks a player as absent: its game waits until the reconnect timeout, or is forfeited at once if
    /// the player cannot reconnect.
    pub(super) fn mark_absent(&mut self, player: usize, now: Instant) -> anyhow::Result<()> {
        let seat = &self.seats[player];
        let Some(number) = seat.game else {
            return Ok(());
        };
        let for_good = seat.is_gone_for_good();
        if let Some(game) = self.event.game_mut(number)
            && let Some(color) = game.color_of(player)
        {
            game.referee.disconnected(color, now);
            if for_good {
                return self.forfeit(number, color);
            }
        }
        Ok(())
    }

    /// Handles the exit of a player's process. As long as its connection is open, it stays in its game:
    /// what it sent before is still read, and the process may have been a wrapper script whose player
    /// lives on.
    pub(super) fn exited(&mut self, player: usize, status: &str) -> anyhow::Result<()> {
        let name = self.event.names()[player].clone();
        self.storage
            .event(json!({ "event": "exit", "player": name, "status": status }));
        say!("{name} exited: {status}");
        let seat = &mut self.seats[player];
        seat.has_exited = true;
        if seat.connection.is_some() {
            return Ok(());
        }
        self.mark_absent(player, Instant::now())
    }
}
