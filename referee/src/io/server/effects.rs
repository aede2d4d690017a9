//! The effects of the event are carried out.

use std::time::Instant;

use epd::protocol::Command;
use epd::protocol::frame::line_of;

use super::{Server, say};
use crate::core::event::{Effect, Input, LinkId, Peer, ProgramId, SendId};
use crate::io::connection::Sent;

impl Server {
    /// Carries out an effect that waits for nothing; see [`Server::dispatch`].
    pub(super) fn carry_out(&mut self, effect: Effect) {
        match effect {
            // They never wait.
            Effect::Journal(_) => {}
            Effect::Observe(link, sign_on) => self.begin_to_observe(link, sign_on),
            Effect::Send {
                link,
                id,
                command,
                is_logged,
            } => self.send(link, id, &command, is_logged),
            Effect::Name(link, name) => {
                if let Some(connection) = self.connections.get_mut(&link) {
                    connection.admit(name);
                }
            }
            Effect::Log(link, line) => {
                if let Some(connection) = self.connections.get(&link) {
                    self.storage.log('<', connection.who(), &line);
                }
            }
            Effect::Close(link) => {
                self.connections.remove(&link);
                self.replicator.closed(link);
            }
            Effect::Start(program) => self.start(program),
            Effect::Kill(program) => self.children.kill(program),
            Effect::Pgn(pgn) => self.storage.game(&pgn),
            Effect::RebuildGames => self.rebuild_games(),
            Effect::Standings => self.standings.1 = true,
            Effect::Say(text) => say(&text),
            Effect::Report(report) => self.storage.event(&report),
            Effect::Answer { text, is_refused } => self.answer(text, is_refused),
        }
    }

    fn start(&mut self, program: ProgramId) {
        let (player, _) = self.event.program(program);
        let player = &self.event.ledger().config().players[player];
        let input = match self.children.start(program, player, &self.address) {
            Ok(None) => return,
            Ok(Some((stream, permit))) => {
                let peer = Peer::Program(program);
                Input::Opened(self.open(stream, peer, permit), peer)
            }
            Err(error) => Input::NotStarted(program, format!("{error:#}")),
        };
        self.inputs.push_back((input, Instant::now()));
    }

    /// Sends a command and hands in that it was written. A peer that does not take it counts as
    /// disconnected.
    fn send(&mut self, link: LinkId, id: SendId, command: &Command, is_logged: bool) {
        let Some(connection) = self.connections.get_mut(&link) else {
            return;
        };
        let line = line_of(&command.record());
        let sent = connection.send(&line, Some(id));
        let now = Instant::now();
        if is_logged && sent.is_ok() {
            self.storage.log('>', connection.who(), &line);
        }
        let input = match sent {
            Ok(Sent::Written) => Input::Sent(link, id),
            Ok(Sent::Queued) => return,
            Err(_) => Input::Closed(link),
        };
        self.inputs.push_back((input, now));
    }

    fn rebuild_games(&mut self) {
        if let Err(error) = self.storage.rebuild_games(self.event.ledger()) {
            say(&format!("{error:#}"));
        }
    }

    /// Logs what a player writes to its standard error.
    pub(super) fn log_stderr(&mut self, program: ProgramId, lines: &str) {
        let (player, game) = self.event.program(program);
        let names = self.event.ledger().names();
        // A failure to write this log must not stop the event.
        let _ = self.storage.stderr(program, (names, player), game, lines);
    }
}
