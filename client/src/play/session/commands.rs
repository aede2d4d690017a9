//! What a session does with each command of the referee.

use std::time::{Duration, Instant};

use epd::protocol::frame::Frame;
use epd::protocol::{Command, Message, PlayerActions, Request};
use movegen::Game;

use super::action::Action;
use super::history::placed;
use super::{Asked, Session, Stage};

impl Session {
    /// Handles a frame from the referee.
    pub fn receive(&mut self, frame: &Frame, now: Instant) -> Vec<Action> {
        let line = match frame {
            Frame::Line(line) => line,
            Frame::Oversize => return self.fault("a line of more than 4095 bytes"),
        };
        let record = match epd::read(line, &mut Vec::new()) {
            Ok(record) => record,
            Err(error) => return self.fault(&error.to_string()),
        };
        match Command::read(&record) {
            Ok(command) => self.handle(&command, now),
            Err(error) => self.fault(&error.to_string()),
        }
    }

    /// Reports a fault to the referee; the connection stays open (decisions 6, 7 and 98).
    fn fault(&self, why: &str) -> Vec<Action> {
        vec![
            Action::Send(self.fault_request(why)),
            Action::Print(format!("fault: {why}")),
        ]
    }

    fn handle(&mut self, command: &Command, now: Instant) -> Vec<Action> {
        // Tags are read before anything else (decision 37).
        if !matches!(command, Command::Reset(_)) {
            self.set_tags(command.message());
        }
        if let Some(seconds @ 1..) = command.message().ping {
            self.ping = Some(Duration::from_secs(seconds.into()));
        }
        if let Some(term) = &command.message().term {
            self.term = Some(term.clone());
        }
        match command {
            Command::Inform(content) => {
                self.set_clocks(content);
                content.ping.map(|_| self.pong()).into_iter().collect()
            }
            Command::Reset(content) => self.reset(content),
            Command::Execute(content) => self.execute(content),
            Command::Respond(content) => self.respond(content, now),
            Command::Conclude(content) => self.conclude(content),
            Command::Fault(content) => {
                self.asked = None;
                let why = content.text.as_deref().unwrap_or("no reason given");
                vec![
                    Action::Abort,
                    Action::Print(format!("the referee reports a fault: {why}")),
                ]
            }
            Command::Disconnect(content) => self.disconnect(content),
        }
    }

    /// The answer to a ping. It is no reply to a respond command (decision 10).
    fn pong(&self) -> Action {
        Action::Send(Request::Reply(Message {
            ping: Some(0),
            ..Message::at(self.game.position())
        }))
    }

    /// Sets tags; the last value counts (decision 36).
    fn set_tags(&mut self, content: &Message) {
        for (name, value) in &content.tags {
            match self.tags.iter_mut().find(|(tag, _)| tag == name) {
                Some((_, old)) => value.as_str().clone_into(old),
                None => self.tags.push((name.to_string(), value.to_string())),
            }
        }
    }

    /// Ends the game, if there is one, and prepares the next from the position received; drops the
    /// history, the tags and the search of the old game (decisions 26, 27 and 41).
    fn reset(&mut self, content: &Message) -> Vec<Action> {
        let mut actions = vec![Action::Abort];
        actions.extend(self.leave_game().map(Action::GameOver));
        self.stage = Stage::SetUp;
        self.set_tags(content);
        self.set_clocks(content);
        if let Some(position) = placed(content, 0, 1) {
            self.game = Game::new(position);
        }
        actions.push(Action::NewGame);
        if let Err(why) = self.play_sent(content) {
            actions.extend(self.fault(&why));
        }
        actions
    }

    fn conclude(&mut self, content: &Message) -> Vec<Action> {
        let mut actions = vec![Action::Abort];
        self.set_clocks(content);
        self.note_clocks(content);
        actions.extend(self.leave_game().map(Action::GameOver));
        // Decision 29: the position received is the final one.
        let ours = *self.game.position();
        self.set_position(content);
        if *self.game.position() != ours {
            actions.push(Action::Print(
                "the final position is another than ours".to_owned(),
            ));
        }
        actions
    }

    fn disconnect(&mut self, content: &Message) -> Vec<Action> {
        let mut actions = vec![Action::Abort];
        self.farewell = content.text.as_ref().map(ToString::to_string);
        actions.extend(self.leave_game().map(Action::GameOver));
        if let Some(why) = &content.text {
            actions.push(Action::Print(format!(
                "the referee closes the connection: {why}"
            )));
        }
        actions.push(Action::Close);
        actions
    }

    fn execute(&mut self, content: &Message) -> Vec<Action> {
        let (mut actions, advanced) = self.advance(content);
        if let Err(why) = advanced {
            actions.extend(self.fault(&why));
        }
        actions
    }

    fn respond(&mut self, content: &Message, now: Instant) -> Vec<Action> {
        let (mut actions, advanced) = self.advance(content);
        if let Err(why) = advanced {
            actions.extend(self.fault(&why));
            return actions;
        }
        self.note_clocks(content);
        if self.color.is_none() {
            self.unclocked = self.plies.len();
        }
        self.color.get_or_insert(self.game.position().turn());
        self.asked = Some(Asked {
            at: now,
            offered: content.actions.contains(PlayerActions::OFFER_DRAW),
            refused: content.actions.contains(PlayerActions::REJECT_DRAW)
                && content.supplied.is_none(),
        });
        actions.push(Action::Think);
        actions
    }

    /// Applies position, clocks and moves of an execute or respond command (EPD 8.1, decisions 44
    /// and 49). It ends the search for an earlier request (decision 9).
    fn advance(&mut self, content: &Message) -> (Vec<Action>, Result<(), String>) {
        self.asked = None;
        let mut actions = vec![Action::Abort];
        if self.stage == Stage::Idle {
            // A game may begin without a reset command (decision 43).
            actions.push(Action::NewGame);
        }
        self.stage = Stage::Playing;
        let moves = self.plies.len();
        self.set_position(content);
        if self.plies.len() < moves {
            actions.push(Action::Print(
                "the referee's position is another than ours; the moves before it are forgotten"
                    .to_owned(),
            ));
        }
        self.set_clocks(content);
        (actions, self.play_sent(content))
    }
}
