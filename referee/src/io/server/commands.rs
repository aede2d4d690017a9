//! Commands of the arbiter while the event runs.

use std::fmt::Write as _;
use std::time::Instant;

use epd::protocol::{Command, Message};
use movegen::{Color, Position};

use super::Server;
use crate::core::ending::Ending;
use movegen::pgn::Outcome;

/// The list of commands.
pub const HELP: &str = "\
status                      show the standings
games                       list the games in progress
pause                       start no new games
resume                      start new games again
adjudicate GAME RESULT      end a game as 1-0, 0-1 or 1/2
abort GAME                  end a game without a result
restart GAME                reset both players of a game and replay its moves to them
kick NAME                   disconnect a player
quit                        disconnect all players and exit; the event can be resumed";

impl Server {
    /// Runs a command and returns the answer.
    pub(super) fn run_command(&mut self, command: &str) -> anyhow::Result<String> {
        let words: Vec<_> = command.split_whitespace().collect();
        Ok(match words[..] {
            [] => String::new(),
            ["help"] => HELP.to_owned(),
            ["status"] => self.status(),
            ["games"] => self.games(),
            ["pause"] => {
                self.paused = true;
                "paused: no new games are started".to_owned()
            }
            ["resume"] => {
                self.paused = false;
                "resumed: new games are started".to_owned()
            }
            ["adjudicate", game, result] => match (self.game_in_progress(game), outcome(result)) {
                (Err(why), _) => why,
                (_, None) => format!("{result:?} is not a result, expected 1-0, 0-1 or 1/2"),
                (Ok(number), Some(outcome)) => self.decide(number, &Ending::decided(outcome))?,
            },
            ["abort", game] => match self.game_in_progress(game) {
                Err(why) => why,
                Ok(number) => self.decide(number, &Ending::aborted())?,
            },
            ["restart", game] => match self.game_in_progress(game) {
                Err(why) => why,
                Ok(number) => self.restart(number),
            },
            ["kick", _, ..] => {
                let name = command
                    .trim_start()
                    .strip_prefix("kick")
                    .unwrap_or_default();
                self.kick(name.trim())?
            }
            ["quit"] => {
                self.stopping = true;
                "shutting down".to_owned()
            }
            _ => format!("unknown command {command:?}; the commands are:\n{HELP}"),
        })
    }

    fn status(&self) -> String {
        let standings = self.event.standings();
        let connected = self
            .seats
            .iter()
            .filter(|seat| seat.connection.is_some())
            .count();
        format!(
            "{} of {} games finished, {} in progress; {connected} of {} players connected\n{}",
            self.event.finished(),
            self.event.schedule().len(),
            self.event.running().len(),
            self.seats.len(),
            standings.table()
        )
    }

    fn games(&self) -> String {
        let mut text = String::new();
        for (number, game) in self.event.running() {
            let names = [Color::White, Color::Black]
                .map(|color| &self.event.names()[game.player_of(color)]);
            let position = game.referee.game().position();
            let left = [Color::White, Color::Black].map(|color| {
                let left = game.referee.clock().remaining(color);
                left.map_or_else(
                    || "-".to_owned(),
                    |left| format!("{:.1} s", left.as_secs_f64()),
                )
            });
            let _ = writeln!(
                text,
                "game {number}: {} ({}) - {} ({}), move {}: {position}",
                names[0],
                left[0],
                names[1],
                left[1],
                position.fullmove_number()
            );
        }
        if text.is_empty() {
            text.push_str("no games in progress");
        }
        text
    }

    fn game_in_progress(&self, word: &str) -> Result<usize, String> {
        let number = word
            .parse()
            .ok()
            .filter(|number| self.event.running().contains_key(number));
        number.ok_or_else(|| format!("no game {word} is in progress"))
    }

    fn decide(&mut self, number: usize, ending: &Ending) -> anyhow::Result<String> {
        let Some(game) = self.event.game_mut(number) else {
            return Ok(String::new());
        };
        let out = game.referee.decide(ending);
        self.act(number, out)?;
        Ok(format!("game {number}: {ending}"))
    }

    /// Resets both players and sends them the moves again (EPD 3.2, function 9). The clock is stopped
    /// meanwhile.
    fn restart(&mut self, number: usize) -> String {
        let Some(game) = self.event.game_mut(number) else {
            return String::new();
        };
        game.referee.interrupt();
        let players = [Color::White, Color::Black].map(|color| game.player_of(color));
        for player in players {
            self.reset(player, Instant::now());
        }
        format!("game {number} restarts from its last position")
    }

    fn kick(&mut self, name: &str) -> anyhow::Result<String> {
        let player = self.event.names().iter().position(|other| other == name);
        let connection = player.and_then(|player| self.seats[player].connection);
        let Some(id) = connection else {
            return Ok(format!("{name} is not connected"));
        };
        let content = Message::at(&Position::start()).saying("disconnected by the arbiter");
        self.send(id, &Command::Disconnect(content));
        self.disconnected(id)?;
        Ok(format!("{name} was disconnected"))
    }
}

fn outcome(word: &str) -> Option<Outcome> {
    match word {
        "1-0" => Some(Outcome::White),
        "0-1" => Some(Outcome::Black),
        "1/2" | "1/2-1/2" => Some(Outcome::Draw),
        _ => None,
    }
}
