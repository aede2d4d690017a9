//! What the supervisor can say while the event goes on.

use std::fmt::Write as _;
use std::time::Instant;

use epd::protocol::{Command, Message};
use movegen::{Color, Position};

use super::Server;
use crate::ending::Ending;
use movegen::pgn::Outcome;

/// What there is to say.
pub const HELP: &str = "\
status                      how the event stands
games                       the games under way
pause, resume               start no more games, and again
adjudicate GAME RESULT      end a game: 1-0, 0-1 or 1/2
abort GAME                  give a game up without a result
restart GAME                put both players of a game back to its last position
kick NAME                   disconnect a player
quit                        disconnect everybody; the event can be resumed";

impl Server {
    /// Obeys an order; returns what there is to answer.
    pub(super) fn order(&mut self, order: &str) -> anyhow::Result<String> {
        let words: Vec<_> = order.split_whitespace().collect();
        Ok(match words[..] {
            [] => String::new(),
            ["help"] => HELP.to_owned(),
            ["status"] => self.status(),
            ["games"] => self.games(),
            ["pause"] => {
                self.paused = true;
                "no more games are started".to_owned()
            }
            ["resume"] => {
                self.paused = false;
                "games are started".to_owned()
            }
            ["adjudicate", game, result] => match (self.game_named(game), outcome(result)) {
                (Err(why), _) => why,
                (_, None) => format!("{result:?} is no result, expected 1-0, 0-1 or 1/2"),
                (Ok(number), Some(outcome)) => self.decide(number, &Ending::decided(outcome))?,
            },
            ["abort", game] => match self.game_named(game) {
                Err(why) => why,
                Ok(number) => self.decide(number, &Ending::aborted())?,
            },
            ["restart", game] => match self.game_named(game) {
                Err(why) => why,
                Ok(number) => self.restart(number),
            },
            ["kick", _, ..] => {
                let name = order.trim_start().strip_prefix("kick").unwrap_or_default();
                self.kick(name.trim())?
            }
            ["quit"] => {
                self.leaving = true;
                "the referee goes".to_owned()
            }
            _ => format!("{order:?} is no order:\n{HELP}"),
        })
    }

    fn status(&self) -> String {
        let standings = self.event.standings();
        let here = self
            .seats
            .iter()
            .filter(|seat| seat.connection.is_some())
            .count();
        format!(
            "{} of {} games played, {} under way; {here} of {} players here\n{}",
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
            text.push_str("no game is under way");
        }
        text
    }

    fn game_named(&self, word: &str) -> Result<usize, String> {
        let number = word
            .parse()
            .ok()
            .filter(|number| self.event.running().contains_key(number));
        number.ok_or_else(|| format!("no game {word} is under way"))
    }

    fn decide(&mut self, number: usize, ending: &Ending) -> anyhow::Result<String> {
        let Some(game) = self.event.game_mut(number) else {
            return Ok(String::new());
        };
        let out = game.referee.decide(ending);
        self.act(number, out)?;
        Ok(format!("game {number}: {ending}"))
    }

    /// Puts both players back by a reset and the moves so far (EPD 3.2, function 9). The clock of
    /// the side to move stands meanwhile.
    fn restart(&mut self, number: usize) -> String {
        let Some(game) = self.event.game_mut(number) else {
            return String::new();
        };
        game.referee.interrupt();
        let players = [Color::White, Color::Black].map(|color| game.player_of(color));
        for player in players {
            self.reset(player, Instant::now());
        }
        format!("game {number} is begun again from its last position")
    }

    fn kick(&mut self, name: &str) -> anyhow::Result<String> {
        let player = self.event.names().iter().position(|other| other == name);
        let connection = player.and_then(|player| self.seats[player].connection);
        let Some(id) = connection else {
            return Ok(format!("{name} is not here"));
        };
        let content = Message::at(&Position::start()).saying("the supervisor says so");
        self.send(id, &Command::Disconnect(content));
        self.lose(id)?;
        Ok(format!("{name} is disconnected"))
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
