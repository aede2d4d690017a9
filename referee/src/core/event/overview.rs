//! What the arbiter is shown: the standings, and the games in progress.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use movegen::Color;

use crate::core::event::ledger::Running;
use crate::core::event::machine::Event;
use crate::core::event::seat::{Process, Seat, SeatState};
use crate::core::text::shown;

/// So many missing players are named.
const MOST_MISSING: usize = 10;

impl Event {
    /// The standings, and how far the event is.
    pub(super) fn status(&self) -> String {
        let standings = self.ledger.standings();
        let here = |player: usize| {
            let mut seats = self.seats_of(player);
            seats.any(|seat| self.seats[seat].link.is_some())
        };
        let players = self.ledger.names().len();
        let connected = (0..players).filter(|&player| here(player)).count();
        let missing = self.missing(|player| !here(player));
        let paused = match self.why_paused() {
            Some(why) => format!("paused: {}\n", shown(why)),
            None => String::new(),
        };
        let waits = match self.ledger.places_awaited() {
            0 => String::new(),
            1 => "the first round waits until one more place is taken, or for the order `begin`\n"
                .to_owned(),
            places => format!(
                "the first round waits until {places} more places are taken, or for the order `begin`\n"
            ),
        };
        format!(
            "{} of {} games finished, {} in progress; {connected} of {players} players connected{missing}\n{paused}{waits}{}{}{}",
            self.ledger.finished(),
            self.ledger.schedule().len(),
            self.ledger.running().len(),
            standings.table(),
            standings.replacements(),
            standings.forfeits()
        )
    }

    /// The names of those players, in brackets: ` (missing: Ann, Bob)`.
    fn missing(&self, is_missing: impl Fn(usize) -> bool) -> String {
        let names = self.ledger.names().iter().enumerate();
        let mut missing: Vec<_> = names
            .filter(|&(player, name)| !name.is_empty() && is_missing(player))
            .map(|(_, name)| shown(name))
            .collect();
        let more = missing.len().saturating_sub(MOST_MISSING);
        missing.truncate(MOST_MISSING);
        match (missing.is_empty(), more) {
            (true, _) => String::new(),
            (false, 0) => format!(" (missing: {})", missing.join(", ")),
            (false, more) => format!(" (missing: {} and {more} more)", missing.join(", ")),
        }
    }

    /// The games in progress: clocks as they are at this instant, and for whom the game waits.
    pub(super) fn games(&self, now: Instant) -> String {
        let mut text = String::new();
        for (number, game) in self.ledger.running() {
            let [white, black] =
                [Color::White, Color::Black].map(|color| self.clock_text(game, color, now));
            let position = game.referee.game().position();
            // Writing to a string cannot fail.
            let _ = writeln!(
                text,
                "game {number}: {white} - {black}, move {}: {position}; {}",
                position.fullmove_number(),
                self.waiting_text(*number, game, now)
            );
        }
        if text.is_empty() {
            text.push_str("no games in progress");
        }
        text
    }

    /// A player and the time on its clock, with that of the present move.
    fn clock_text(&self, game: &Running, color: Color, now: Instant) -> String {
        let name = shown(&self.ledger.names()[game.player_of(color)]);
        let clock = game.referee.clock();
        let spent = match clock.running() {
            Some((running, since)) if running == color => now.saturating_duration_since(since),
            _ => Duration::ZERO,
        };
        match clock.remaining(color) {
            Some(left) => {
                let left = left.saturating_sub(spent).as_secs_f64();
                format!("{name} ({left:.1} s)")
            }
            None => format!("{name} (-)"),
        }
    }

    /// Who is asked and has been silent for how long, or else what the game waits for.
    fn waiting_text(&self, number: usize, game: &Running, now: Instant) -> String {
        let seats = game.seats.map(|seat| &self.seats[seat]);
        let seconds = |since: Instant| now.saturating_duration_since(since).as_secs_f64();
        if let Some((color, since)) = game.referee.clock().running() {
            let silent = seconds(since);
            let away = match seats[color as usize].absent_since {
                Some(since) => format!(", who is disconnected for {:.1} s", seconds(since)),
                None => String::new(),
            };
            return format!("waiting {silent:.1} s for {color:?}{away}");
        }
        if self.ledger.is_held(number) {
            return "paused".to_owned();
        }
        let turn = game.referee.game().position().turn();
        if game.referee.is_asked(turn) {
            return format!("asking {turn:?}");
        }
        if !game.referee.is_idle() {
            return format!("over, waiting for {turn:?} to acknowledge the last move");
        }
        let missing: Vec<_> = [Color::White, Color::Black]
            .into_iter()
            .zip(seats)
            .filter(|(_, seat)| seat.state == SeatState::Reset)
            .map(|(color, seat)| format!("{color:?}, {}", missing_text(seat, now)))
            .collect();
        format!("waiting for {}", missing.join(" and for "))
    }
}

/// Why a game cannot go on for a player.
fn missing_text(seat: &Seat, now: Instant) -> String {
    let seconds = |since: Instant| now.saturating_duration_since(since).as_secs_f64();
    match (seat.link, seat.absent_since) {
        (Some(_), _) => "who gets ready".to_owned(),
        (None, _) if seat.process == Process::Restarting => "who is being restarted".to_owned(),
        (None, Some(since)) if seat.has_come => {
            format!("who is disconnected for {:.1} s", seconds(since))
        }
        (None, Some(since)) => format!("who has not connected for {:.1} s", seconds(since)),
        (None, None) => "who has not connected".to_owned(),
    }
}
