//! Games ask, move and end.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use epd::protocol::{Command, printable};
use movegen::{Color, Position};

use crate::core::ending::{Absence, Ending, Forfeit, Reason};
use crate::core::event::interface::{Effect, LinkId, SeatId, SendId};
use crate::core::event::machine::Event;
use crate::core::event::seat::Process;
use crate::core::event::stream::{HalfMove, Report, milliseconds};
use crate::core::fail;
use crate::core::game::{Moved, Out};
use crate::core::journal::Entry;
use crate::core::text::{shown, visible};

const COLORS: [Color; 2] = [Color::White, Color::Black];

impl Event {
    /// The position of a player's game, or the starting position (decisions 30 and 100).
    pub(super) fn position_of(&self, seat: SeatId) -> Position {
        let number = self.seats[seat].game.map(|(number, _)| number);
        let game = number.and_then(|number| self.ledger.running().get(&number));
        game.map_or_else(Position::start, |game| *game.referee.game().position())
    }

    /// Carries out what a game asks for. Moves and results are in the journal before any player is told
    /// of them.
    pub(super) fn act(&mut self, number: usize, out: Vec<Out>, now: Instant) {
        self.game_at_work = Some(number);
        for out in &out {
            let entry = match out {
                Out::Moved(moved) => Some(Entry::moved(number, moved)),
                Out::Ended(ending) => self.ledger.end_entry(number, ending),
                Out::Send(..) | Out::Note(_) => None,
            };
            self.effects.extend(entry.map(Effect::Journal));
        }
        for out in out {
            match out {
                Out::Send(color, command) => self.send_to_side(number, color, command, now),
                Out::Moved(moved) => self.report_move(number, &moved),
                Out::Ended(ending) => self.end_game(number, &ending, now),
                Out::Note(text) => self.report(Report::Note {
                    game: Some(number),
                    text: visible(&text).into_owned(),
                }),
            }
        }
    }

    /// Sends a command to a side, unless it is away or not fully informed yet: then it gets all moves
    /// together later. The clock of a question starts when it has been written, or at once for a side
    /// that is away.
    fn send_to_side(&mut self, number: usize, color: Color, command: Command, now: Instant) {
        let Some(game) = self.ledger.running().get(&number) else {
            return;
        };
        let is_question = matches!(command, Command::Respond(_));
        let position = *game.referee.game().position();
        let seat = game.seats[color as usize];
        let place = &mut self.seats[seat];
        if is_question {
            place.asked = Some(position);
        }
        let link = place.link.filter(|_| place.is_playing(number));
        match link {
            Some(link) => {
                let id = self.send(link, command, now);
                if is_question {
                    let place = &mut self.seats[seat];
                    place.asking = Some(id);
                    place.owed += 1;
                }
            }
            None if is_question => self.start_clock(number, now),
            None => {}
        }
    }

    /// A command has been written. If it is the question of a game, a clock starts.
    pub(super) fn sent(&mut self, link: LinkId, id: SendId, now: Instant) {
        let seat = self.links.get(&link).and_then(|link| link.seat);
        let Some(place) = seat.map(|seat| &mut self.seats[seat]) else {
            return;
        };
        if place.asking == Some(id) {
            place.asking = None;
            if let Some((number, _)) = place.game {
                self.start_clock(number, now);
            }
        }
    }

    /// The question of a game has been sent: the clock of the side to move starts.
    pub(super) fn start_clock(&mut self, number: usize, now: Instant) {
        if let Some(game) = self.ledger.game_mut(number) {
            game.referee.sent(now);
            self.report_clock(number);
        }
    }

    /// Reports a move with its time, and with the referee's own delay.
    fn report_move(&mut self, number: usize, moved: &Moved) {
        let Some(game) = self.ledger.game_mut(number) else {
            return;
        };
        game.add(moved);
        // A reader of the stream knows that the other side's clock runs now.
        game.clock_is_told = true;
        let seat = game.seats[moved.color as usize];
        let ply = game.referee.game().moves().len();
        let remaining = game.referee.clock().remaining(moved.color);
        let mode = self.ledger.config().variant.castling_mode();
        let mut half_move = HalfMove::new(ply, &moved.before, moved.mv, mode);
        half_move.elapsed_ms = milliseconds(moved.elapsed);
        half_move.remaining_ms = remaining.map(milliseconds);
        half_move.eval = moved.eval;
        half_move.search = moved.search.clone();
        if self.access.prints_moves {
            let text = move_text(number, moved, &half_move.san, remaining);
            self.say(text);
        }
        self.report(Report::Move {
            game: number,
            player: self.name_of(seat),
            half_move,
            lag_ms: milliseconds(self.seats[seat].lag),
        });
    }

    pub(super) fn end_game(&mut self, number: usize, ending: &Ending, now: Instant) {
        let Some(game) = self.ledger.running().get(&number) else {
            return;
        };
        let seats = game.seats;
        self.record_result(number, ending);
        self.replace_hung_programs(seats, ending);
        let ready = now + self.ledger.config().delays.conclude;
        for seat in seats {
            let place = &mut self.seats[seat];
            place.leave_game(ready);
            // It has been waited for in this game, and is waited for again before the next one.
            if place.link.is_none() && place.absent_since.is_some() {
                place.absent_since = Some(now);
            }
        }
        self.count_forfeits(seats, ending);
    }

    /// Records the end of a game in all files.
    pub(super) fn record_result(&mut self, number: usize, ending: &Ending) {
        let Some(game) = self.ledger.running().get(&number) else {
            return;
        };
        let plies = game.referee.game().moves().len();
        let is_unplayed = game.plies() == 0;
        let names = self.ledger.names();
        let [white, black] = COLORS.map(|color| shown(&names[game.player_of(color)]));
        let was_decided = self.ledger.is_decided();
        let pgn = self.ledger.end(number, ending);
        self.effects.extend(pgn.map(Effect::Pgn));
        let result = ending.result_tag();
        // As the journal has it.
        let reason = visible(&printable(&ending.to_string())).into_owned();
        self.say(format!(
            "game {number}: {white} - {black} {result} {{{reason}}}"
        ));
        self.report(Report::Result {
            game: number,
            white,
            black,
            result,
            termination: ending.termination().to_string(),
            reason,
            verdict: ending.forfeit(),
            plies,
            is_unplayed,
        });
        self.effects.push(Effect::Standings);
        if self.ledger.is_decided() && !was_decided {
            self.note("the SPRT is decided: no new games are started");
        }
        self.needs_pairing = true;
    }

    /// A program that was asked and did not answer in time may hang for ever: the next game begins
    /// with a fresh one.
    fn replace_hung_programs(&mut self, seats: [SeatId; 2], ending: &Ending) {
        if !matches!(ending.forfeit(), Some(Forfeit::Time | Forfeit::Stall)) {
            return;
        }
        for seat in seats {
            let place = &mut self.seats[seat];
            if place.process == Process::Running && place.asked.is_some() {
                place.process = Process::Killed;
                let program = place.program;
                self.effects.push(Effect::Kill(program));
            }
        }
    }

    /// Pauses the event when a player forfeits too many games in a row: something is wrong that more
    /// games do not repair.
    fn count_forfeits(&mut self, seats: [SeatId; 2], ending: &Ending) {
        let players = seats.map(|seat| self.seats[seat].player);
        let Some(forfeit) = ending.forfeit() else {
            for (seat, player) in seats.into_iter().zip(players) {
                self.seats[seat].restarts = 0;
                self.forfeits_in_a_row[player] = 0;
            }
            return;
        };
        if forfeit == Forfeit::Arbiter {
            return;
        }
        let limit = self.ledger.config().rules.max_forfeits;
        for (color, player) in COLORS.into_iter().zip(players) {
            let lost = ending.outcome.is_none() || ending.loser == Some(color);
            if !lost {
                continue;
            }
            self.forfeits_in_a_row[player] += 1;
            let count = self.forfeits_in_a_row[player];
            if limit > 0 && count >= limit && !self.is_paused() && !self.ledger.is_over() {
                let name = shown(&self.ledger.names()[player]);
                self.pause(&format!(
                    "{name} has forfeited {count} games in a row, the last one by {forfeit}"
                ));
            }
        }
    }

    /// Starts no new games until the arbiter says so.
    fn pause(&mut self, why: &str) {
        self.paused = Some(why.to_owned());
        self.tell_pause(why);
    }

    /// Tells the arbiter that no new games are started.
    pub(super) fn tell_pause(&mut self, why: &str) {
        let why = &shown(why);
        self.say(format!(
            "paused: {why}; give the order `resume` to go on, `replay GAME` to play a game again, `quit` to stop (here, or \
             by `epode-referee control DIR resume`)"
        ));
        self.report(Report::Paused {
            why: why.to_owned(),
        });
    }

    pub(super) fn forfeit(&mut self, number: usize, color: Color, absence: Absence, now: Instant) {
        let Some(game) = self.ledger.game_mut(number) else {
            return;
        };
        let ending = Ending::loss(color, Reason::Absent(absence));
        let out = game.referee.decide(&ending);
        self.act(number, out, now);
    }

    /// Ends the games in which a timeout has passed.
    pub(super) fn tick_games(&mut self, now: Instant) {
        let games = self.ledger.running().iter();
        let due = games.filter(|(_, game)| {
            let deadline = game.referee.deadline();
            deadline.is_some_and(|deadline| deadline <= now)
        });
        for number in due.map(|(&number, _)| number).collect::<Vec<_>>() {
            self.game_at_work = Some(number);
            fail::point("tick");
            if let Some(game) = self.ledger.game_mut(number) {
                let out = game.referee.tick(now);
                self.act(number, out, now);
            }
        }
    }
}

/// A move as it is printed.
fn move_text(number: usize, moved: &Moved, san: &str, remaining: Option<Duration>) -> String {
    let dots = match moved.color {
        Color::White => ".",
        Color::Black => "...",
    };
    let mut text = format!(
        "game {number}: {}{dots} {san}",
        moved.before.fullmove_number()
    );
    // Writing to a string cannot fail.
    if let Some(remaining) = remaining {
        let _ = write!(text, "  {:.1} s left", remaining.as_secs_f64());
    }
    if let Some(eval) = moved.eval {
        let _ = write!(text, "  {:+.2}", f64::from(eval) / 100.0);
    }
    text
}
