//! The arbiter's orders are carried out.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use movegen::Color;

use crate::core::ending::Ending;
use crate::core::event::interface::{Effect, Report};
use crate::core::event::machine::Event;
use crate::core::event::order::{HELP, Order};
use crate::core::event::seat::Process;
use crate::core::text::shown;

impl Event {
    /// Carries out an order and answers it.
    pub(super) fn obey(&mut self, order: Order, now: Instant) {
        let text = shown(&order.to_string());
        let looks_only = matches!(order, Order::Help | Order::Status | Order::Games);
        let answer = self.carry_out(order, now);
        let is_refused = answer.is_err();
        if !looks_only {
            self.report(Report::Order {
                order: text,
                is_refused,
            });
        }
        let (Ok(text) | Err(text)) = answer;
        self.effects.push(Effect::Answer { text, is_refused });
    }

    fn carry_out(&mut self, order: Order, now: Instant) -> Result<String, String> {
        Ok(match order {
            Order::Help => HELP.to_owned(),
            Order::Status => self.status(),
            Order::Games => self.games(now),
            Order::Pause => {
                self.pause("by order of the arbiter");
                "paused: no new games are started".to_owned()
            }
            Order::PauseGame(number) => self.pause_game(number, now)?,
            Order::Resume => self.resume(),
            Order::ResumeGame(number) => self.resume_game(number, now)?,
            Order::Message(text) => self.message(&text, now),
            Order::Adjudicate(number, outcome) => {
                self.decide(number, &Ending::decided(outcome), now)?
            }
            Order::Abort(number) => self.decide(number, &Ending::aborted(), now)?,
            Order::Restart(number) => self.restart(number, now)?,
            Order::Replay(number) => self.replay(number)?,
            Order::Kick(name) => self.kick(&name, now)?,
            Order::Quit => {
                self.stopping = true;
                "shutting down".to_owned()
            }
        })
    }

    fn status(&self) -> String {
        let standings = self.ledger.standings();
        let here = |player: usize| {
            let mut seats = self.seats.iter();
            seats.any(|seat| seat.player == player && seat.link.is_some())
        };
        let players = self.ledger.names().len();
        let connected = (0..players).filter(|&player| here(player)).count();
        let paused = match &self.paused {
            Some(why) => format!("paused: {why}\n"),
            None => String::new(),
        };
        format!(
            "{} of {} games finished, {} in progress; {connected} of {players} players connected\n{paused}{}{}",
            self.ledger.finished(),
            self.ledger.schedule().len(),
            self.ledger.running().len(),
            standings.table(),
            standings.forfeits()
        )
    }

    /// The games in progress: clocks as they are at this instant, and for whom the game waits.
    fn games(&self, now: Instant) -> String {
        let mut text = String::new();
        for (number, game) in self.ledger.running() {
            let clock = game.referee.clock();
            let position = game.referee.game().position();
            let [white, black] = [Color::White, Color::Black].map(|color| {
                let name = shown(&self.ledger.names()[game.player_of(color)]);
                let spent = match clock.running() {
                    Some((running, since)) if running == color => {
                        now.saturating_duration_since(since)
                    }
                    _ => Duration::ZERO,
                };
                match clock.remaining(color) {
                    Some(left) => {
                        let left = left.saturating_sub(spent).as_secs_f64();
                        format!("{name} ({left:.1} s)")
                    }
                    None => format!("{name} (-)"),
                }
            });
            // Writing to a string cannot fail.
            let _ = write!(
                text,
                "game {number}: {white} - {black}, move {}: {position}",
                position.fullmove_number()
            );
            let _ = match clock.running() {
                Some((color, since)) => {
                    let silent = now.saturating_duration_since(since).as_secs_f64();
                    let away = if self.seats[game.seats[color as usize]].link.is_none() {
                        ", who is disconnected"
                    } else {
                        ""
                    };
                    writeln!(text, "; waiting {silent:.1} s for {color:?}{away}")
                }
                None if self.held.contains(number) => writeln!(text, "; paused"),
                None => writeln!(text, "; waiting for both players"),
            };
        }
        if text.is_empty() {
            text.push_str("no games in progress");
        }
        text
    }

    /// Starts new games again, and gives programs that were given up another chance.
    fn resume(&mut self) -> String {
        self.paused = None;
        self.forfeits_in_a_row.fill(0);
        for seat in &mut self.seats {
            seat.restarts = 0;
            if seat.process == Process::GivenUp {
                seat.process = Process::Ended;
            }
        }
        self.report(Report::Resumed);
        self.needs_pairing = true;
        "resumed: new games are started".to_owned()
    }

    /// Stops the clocks of a game. Its players are reset, so that they stop thinking, and wait.
    fn pause_game(&mut self, number: usize, now: Instant) -> Result<String, String> {
        self.restart(number, now)?;
        self.held.insert(number);
        Ok(format!("game {number} is paused"))
    }

    /// Goes on with a game that was paused, as soon as both players know its moves.
    fn resume_game(&mut self, number: usize, now: Instant) -> Result<String, String> {
        if !self.held.remove(&number) {
            return Err(format!("game {number} is not paused"));
        }
        let game = self.ledger.running().get(&number);
        let seats = game.map(|game| game.seats).unwrap_or_default();
        // If either is away or not informed yet, the game goes on when it is.
        let both = seats
            .iter()
            .all(|&seat| self.seats[seat].is_playing(number));
        if both && game.is_some() {
            self.side_ready(number, Color::White, now);
        }
        Ok(format!("game {number} goes on"))
    }

    /// Tells all players in games something that has no effect on their games.
    fn message(&mut self, text: &str, now: Instant) -> String {
        let notices = self.notices(text);
        let count = notices.len();
        for (link, command) in notices {
            self.send(link, command, now);
        }
        format!("{count} players were told")
    }

    fn decide(&mut self, number: usize, ending: &Ending, now: Instant) -> Result<String, String> {
        let game = self.ledger.game_mut(number);
        let game = game.ok_or_else(|| not_in_progress(number))?;
        let out = game.referee.decide(ending);
        self.act(number, out, now);
        Ok(format!("game {number}: {ending}"))
    }

    /// Resets both players and sends them the moves again (EPD 3.2, function 9). The clock is stopped
    /// meanwhile.
    fn restart(&mut self, number: usize, now: Instant) -> Result<String, String> {
        let game = self.ledger.game_mut(number);
        let game = game.ok_or_else(|| not_in_progress(number))?;
        game.referee.interrupt();
        for seat in game.seats {
            self.seats[seat].asking = None;
            self.reset(seat, now);
        }
        self.needs_pairing = true;
        Ok(format!("game {number} restarts from its last position"))
    }

    /// Drops the result of a finished game, which is then played again.
    fn replay(&mut self, number: usize) -> Result<String, String> {
        let text = "replayed by order of the arbiter";
        let entry = self.ledger.withdrawn_entry(number, text);
        let entry = entry.ok_or_else(|| format!("game {number} is not finished"))?;
        self.ledger.withdraw(number);
        self.effects.push(Effect::Journal(entry));
        self.effects.push(Effect::RebuildGames);
        self.effects.push(Effect::Standings);
        self.report(Report::Withdrawn {
            game: number,
            text: text.to_owned(),
        });
        self.needs_pairing = true;
        Ok(format!("game {number} will be played again"))
    }

    fn kick(&mut self, name: &str, now: Instant) -> Result<String, String> {
        let names = self.ledger.names();
        let seats = self.seats.iter();
        let links = seats.filter(|seat| names[seat.player] == name);
        let links: Vec<_> = links.filter_map(|seat| seat.link).collect();
        if links.is_empty() {
            return Err(format!("{} is not connected", shown(name)));
        }
        for link in links {
            self.disconnect(link, "disconnected by the arbiter", now);
        }
        Ok(format!("{} was disconnected", shown(name)))
    }
}

fn not_in_progress(number: usize) -> String {
    format!("no game {number} is in progress")
}
