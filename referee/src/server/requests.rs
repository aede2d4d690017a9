//! What players send: their requests, and records of no use.

use std::time::Instant;

use epd::protocol::frame::Frame;
use epd::protocol::{Command, Message, Request};
use serde_json::json;

use super::Server;
use crate::game::Out;

/// Records without sense that a connection may send between two moves.
const STRIKES: u32 = 16;

impl Server {
    /// Deals with a line of a connection.
    pub(super) fn receive(&mut self, id: u64, frame: &Frame, at: Instant) -> anyhow::Result<()> {
        let Some(connection) = self.connections.get(&id) else {
            return Ok(());
        };
        let player = connection.player;
        let line = match frame {
            Frame::Line(line) => line,
            Frame::Oversize => return self.object(id, "a line of more than 4095 bytes"),
        };
        let record = match epd::read(line, &mut Vec::new()) {
            Ok(record) => record,
            Err(error) => {
                // Before the sign_on it may hold the password, which is not written down.
                self.log_line('<', id, if player.is_some() { line } else { "?" });
                return self.object(id, &error.to_string());
            }
        };
        if record.get("Auth").is_some() {
            let mut open = record.clone();
            open.remove("Auth");
            self.log_line('<', id, &open.to_string());
        } else {
            self.log_line('<', id, line);
        }
        match (Request::read(&record), player) {
            (Err(error), _) => self.object(id, &error.to_string()),
            (Ok(Request::SignOn(content)), _) => self.sign_on(id, &record, &content),
            (Ok(request), Some(player)) => self.heed(id, player, request, at),
            // Decision 19.
            (Ok(_), None) => {
                self.refuse(id, "sign_on comes first");
                Ok(())
            }
        }
    }

    /// Deals with a request of a player.
    fn heed(
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
                    return self.pass_over(id, &why);
                }
                let name = &self.event.names()[player];
                self.tell(&format!("{name} reports a fault: {why}"));
                self.in_game(player, |game, color| game.fault(color, &why))
            }
            Request::SignOff(_) => {
                self.tell(&format!("{} signs off", self.event.names()[player]));
                self.lose(id)
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
            seat.owed = None;
            return self.pass_over(id, "a reply that was not asked for");
        };
        let position = content.position;
        if seat.owed.is_some() && seat.owed == position && seat.asked != position {
            seat.owed = None;
            return self.pass_over(id, "a reply that belongs to a game that is over");
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

    /// A record that makes no sense is a fault (decisions 6 and 7).
    fn object(&mut self, id: u64, why: &str) -> anyhow::Result<()> {
        if let Some(player) = self.bear(id, why)? {
            let position = self.position_of(player);
            self.send(id, &Command::Fault(Message::at(&position).saying(why)));
        }
        Ok(())
    }

    /// A record that is not wanted is dropped (decisions 8, 19 and 61). Nothing is said of it: it may
    /// have crossed a command, and the author's own client leaves when it hears of a fault.
    pub(super) fn pass_over(&mut self, id: u64, why: &str) -> anyhow::Result<()> {
        if let Some(player) = self.bear(id, why)? {
            let name = &self.event.names()[player];
            self.files
                .event(json!({ "event": "passed_over", "player": name, "text": why }));
        }
        Ok(())
    }

    /// Counts a record that is of no use; too many of them are the end, and so is the first one of
    /// somebody who has not signed on. Returns whose it is if it is borne.
    fn bear(&mut self, id: u64, why: &str) -> anyhow::Result<Option<usize>> {
        let Some(connection) = self.connections.get_mut(&id) else {
            return Ok(None);
        };
        connection.strikes += 1;
        let Some(player) = connection.player else {
            self.refuse(id, why);
            return Ok(None);
        };
        if connection.strikes < STRIKES {
            return Ok(Some(player));
        }
        let why = "too many records without sense";
        self.in_game(player, |game, color| game.break_protocol(color, why))?;
        self.refuse(id, why);
        self.lose(id)?;
        Ok(None)
    }
}
