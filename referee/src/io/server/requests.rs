//! Requests of players, and records that are invalid or unexpected.

use std::time::Instant;

use epd::protocol::frame::Frame;
use epd::protocol::{Command, Message, Request};
use serde_json::json;

use super::Server;
use crate::core::game::Out;

/// A player is disconnected at this many invalid or unexpected records between two of its moves.
const MAX_STRIKES: u32 = 16;

impl Server {
    /// Handles a line that a connection received.
    pub(super) fn receive(&mut self, id: u64, frame: &Frame, at: Instant) -> anyhow::Result<()> {
        let Some(connection) = self.connections.get(&id) else {
            return Ok(());
        };
        let player = connection.player;
        let line = match frame {
            Frame::Line(line) => line,
            Frame::Oversize => return self.reject(id, "line longer than 4095 bytes"),
        };
        let record = match epd::read(line, &mut Vec::new()) {
            Ok(record) => record,
            Err(error) => {
                // Before sign_on, the line may contain the password, which must not be logged.
                self.log_line('<', id, if player.is_some() { line } else { "?" });
                return self.reject(id, &error.to_string());
            }
        };
        if record.get("Auth").is_some() {
            let mut public = record.clone();
            public.remove("Auth");
            self.log_line('<', id, &public.to_string());
        } else {
            self.log_line('<', id, line);
        }
        match (Request::read(&record), player) {
            (Err(error), _) => self.reject(id, &error.to_string()),
            (Ok(Request::SignOn(content)), _) => self.sign_on(id, &record, &content),
            (Ok(request), Some(player)) => self.handle(id, player, request, at),
            // Decision 19.
            (Ok(_), None) => {
                self.refuse(id, "sign_on must come first");
                Ok(())
            }
        }
    }

    /// Handles a request of a player that has signed on.
    fn handle(
        &mut self,
        id: u64,
        player: usize,
        request: Request,
        at: Instant,
    ) -> anyhow::Result<()> {
        match request {
            Request::Reply(content) => self.reply(id, player, &content, at),
            Request::Fault(content) => {
                let why = content
                    .text
                    .as_deref()
                    .unwrap_or("no reason given")
                    .to_owned();
                if self.seats[player].game.is_none() {
                    return self.ignore(id, &why);
                }
                let name = &self.event.names()[player];
                self.report(&format!("{name} reports a fault: {why}"));
                self.in_game(player, |game, color| game.fault(color, &why))
            }
            Request::SignOff(_) => {
                self.report(&format!("{} signed off", self.event.names()[player]));
                self.disconnected(id)
            }
            Request::SignOn(_) => Ok(()),
        }
    }

    fn reply(
        &mut self,
        id: u64,
        player: usize,
        content: &Message,
        at: Instant,
    ) -> anyhow::Result<()> {
        let seat = &mut self.seats[player];
        seat.lag = at.elapsed();
        let game = seat
            .game
            .and_then(|number| self.event.game_mut(number).map(|game| (number, game)));
        let asked = game.and_then(|(number, game)| {
            let color = game.color_of(player)?;
            Some((number, game, color)).filter(|_| seat.asked.is_some())
        });
        let Some((number, game, color)) = asked else {
            seat.stale = None;
            return self.ignore(id, "unexpected reply");
        };
        let position = content.position;
        if seat.stale.is_some() && seat.stale == position && seat.asked != position {
            seat.stale = None;
            return self.ignore(id, "late reply to a finished game");
        }
        seat.asked = None;
        let out = game.referee.reply(color, content, at);
        if out.iter().any(|out| matches!(out, Out::Moved(_)))
            && let Some(connection) = self.connections.get_mut(&id)
        {
            connection.strikes = 0;
        }
        self.act(number, out)
    }

    /// Answers an invalid record with a fault command (decisions 6 and 7).
    fn reject(&mut self, id: u64, why: &str) -> anyhow::Result<()> {
        if let Some(player) = self.strike(id, why)? {
            let position = self.position_of(player);
            self.send(id, &Command::Fault(Message::at(&position).saying(why)));
        }
        Ok(())
    }

    /// Ignores an unexpected record (decisions 8, 19 and 61). The player is not told: the record may have
    /// crossed a command on its way, and the standard author's own client exits at a fault command.
    pub(super) fn ignore(&mut self, id: u64, why: &str) -> anyhow::Result<()> {
        if let Some(player) = self.strike(id, why)? {
            let name = &self.event.names()[player];
            self.storage
                .event(json!({ "event": "passed_over", "player": name, "text": why }));
        }
        Ok(())
    }

    /// Counts an invalid or unexpected record against a connection. Too many of them end it, and its
    /// player's game; so does the first one before `sign_on`. Otherwise returns the player.
    fn strike(&mut self, id: u64, why: &str) -> anyhow::Result<Option<usize>> {
        let Some(connection) = self.connections.get_mut(&id) else {
            return Ok(None);
        };
        connection.strikes += 1;
        let Some(player) = connection.player else {
            self.refuse(id, why);
            return Ok(None);
        };
        if connection.strikes < MAX_STRIKES {
            return Ok(Some(player));
        }
        let why = "too many invalid records";
        self.in_game(player, |game, color| game.protocol_fault(color, why))?;
        self.refuse(id, why);
        self.disconnected(id)?;
        Ok(None)
    }
}
