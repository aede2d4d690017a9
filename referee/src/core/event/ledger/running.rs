//! A game in progress.

use std::time::Duration;

use epd::protocol::{PlayerActions, printable};
use movegen::pgn::{Eval, Outcome, Ply};
use movegen::{CastlingMode, Color, Move};

use crate::core::ending::Ending;
use crate::core::equipment::Conditions;
use crate::core::event::order::side_name;
use crate::core::event::stream::{self, GameReport, HalfMove};
use crate::core::game::{GameReferee, Moved, PastMove};
use crate::core::openings::Opening;
use crate::core::schedule::Pairing;
use crate::core::text::shown;

/// A game in progress.
#[derive(Clone, Debug)]
pub struct Running {
    /// Its place in the schedule.
    pub pairing: Pairing,
    /// Its referee.
    pub referee: GameReferee,
    /// The seats of White and Black.
    pub seats: [usize; 2],
    /// The date on which it began.
    pub date: String,
    /// What is particular to each side.
    pub conditions: Conditions,
    pub(super) opening: Opening,
    /// The half-moves as PGN has them, those of the opening included.
    pub(super) plies: Vec<Ply>,
    /// The moves of the players, to take some of them back.
    pub(super) moves: Vec<PastMove>,
    /// The time that the arbiter has added, each with the number of half-moves at that moment.
    pub(super) extensions: Vec<(usize, Color, Duration)>,
    /// How often the connections of White and Black have ended, counted since the referee was started.
    pub disconnections: [usize; 2],
    /// Whether the stream of events says that a clock runs.
    pub clock_is_told: bool,
    /// How the arbiter decided that it ends. It ends as soon as that is carried out.
    pub(super) decision: Option<Ending>,
}

impl Running {
    /// The side of a player, if it plays in this game.
    #[must_use]
    pub const fn color_of(&self, player: usize) -> Option<Color> {
        if self.pairing.white == player {
            Some(Color::White)
        } else if self.pairing.black == player {
            Some(Color::Black)
        } else {
            None
        }
    }

    /// The player of a side.
    #[must_use]
    pub const fn player_of(&self, color: Color) -> usize {
        match color {
            Color::White => self.pairing.white,
            Color::Black => self.pairing.black,
        }
    }

    /// The number of half-moves that the players have made.
    #[must_use]
    pub const fn plies(&self) -> usize {
        self.moves.len()
    }

    /// The number of half-moves of its opening.
    #[must_use]
    pub const fn opening_plies(&self) -> usize {
        self.opening.moves.len()
    }

    /// The game as it is now, for the stream of events.
    pub(super) fn report(
        &self,
        [white, black]: [&str; 2],
        elo: [Option<u32>; 2],
        mode: CastlingMode,
        is_paused: bool,
    ) -> GameReport {
        let clock = self.referee.clock();
        GameReport {
            game: self.pairing.number,
            round: self.pairing.round_tag().to_string(),
            white: shown(white),
            black: shown(black),
            elo,
            date: self.date.clone(),
            fen: self.opening.start.to_string(),
            opening: self.opening.name.as_deref().map(shown),
            opening_moves: stream::sans(&self.opening.start, &self.opening.moves),
            opening_comment: self.opening_comment(),
            turn_ms: None,
            clocks_ms: [Color::White, Color::Black]
                .map(|color| clock.remaining(color).map(stream::milliseconds)),
            is_paused,
            conditions: self.conditions.clone(),
            moves: self.half_moves(mode),
        }
    }

    /// The comment on the last move of the opening.
    fn opening_comment(&self) -> Option<String> {
        let last = self.opening.moves.len().checked_sub(1)?;
        self.plies[last].comment.clone()
    }

    /// The moves of the players.
    fn half_moves(&self, mode: CastlingMode) -> Vec<HalfMove> {
        let mut position = self.opening.start;
        for &mv in &self.opening.moves {
            position.play(mv);
        }
        let first = self.opening.moves.len() + 1;
        let moves = self
            .moves
            .iter()
            .zip(&self.plies[self.opening.moves.len()..]);
        let moves = (first..).zip(moves).map(|(number, (past, ply))| {
            let mut half_move = HalfMove::new(number, &position, past.mv, mode);
            half_move.elapsed_ms = ply.elapsed.map_or(0.0, stream::milliseconds);
            half_move.remaining_ms = ply.clock.map(stream::milliseconds);
            half_move.eval = past.eval;
            half_move.comment.clone_from(&ply.comment);
            position.play(past.mv);
            half_move
        });
        moves.collect()
    }

    /// Adds a move to the game's record.
    pub fn add(&mut self, moved: &Moved) {
        let past = PastMove {
            mv: moved.mv,
            used: moved.used,
            eval: moved.eval,
            actions: moved.actions,
        };
        self.record(moved.color, past, moved.elapsed);
    }

    /// Makes a move of the journal.
    pub(super) fn restore(
        &mut self,
        mv: Move,
        used: [Duration; 2],
        elapsed: Duration,
        eval: Option<i32>,
        actions: PlayerActions,
        judged: Option<Outcome>,
    ) -> Result<(), String> {
        let color = self.referee.game().position().turn();
        self.referee
            .restore(mv, used, eval, actions)
            .map_err(|error| error.to_string())?;
        if let Some(outcome) = judged {
            self.referee.restore_judgement(outcome);
        }
        let past = PastMove {
            mv,
            used,
            eval,
            actions,
        };
        self.record(color, past, elapsed);
        Ok(())
    }

    /// Records a move that the referee of the game has made.
    fn record(&mut self, color: Color, past: PastMove, elapsed: Duration) {
        self.moves.push(past);
        self.plies.push(Ply {
            mv: past.mv,
            clock: self.referee.clock().remaining(color),
            elapsed: Some(elapsed),
            eval: past.eval.map(|eval| Eval::after_move(eval, color)),
            comment: None,
        });
    }

    /// Adds a text to the comment on the last move, if there is one.
    pub(super) fn remark(&mut self, text: &str) {
        if let Some(last) = self.plies.last_mut() {
            last.comment = Some(match last.comment.take() {
                Some(before) => format!("{before}; {text}"),
                None => text.to_owned(),
            });
        }
    }

    /// Adds a text that the arbiter is responsible for, with the reason.
    pub(super) fn explain(&mut self, text: &str, reason: Option<&str>) {
        let reason = reason.map_or_else(String::new, |reason| format!(" ({reason})"));
        self.remark(&printable(&format!("{text}{reason}")));
    }

    /// Adds time to a clock.
    pub(super) fn extend(&mut self, color: Color, time: Duration, reason: Option<&str>) {
        self.referee.extend(color, time);
        self.extensions.push((self.plies.len(), color, time));
        let time = humantime::format_duration(time);
        self.explain(
            &format!("the arbiter adds {time} for {}", side_name(color)),
            reason,
        );
    }

    /// Goes back to the position after so many half-moves, with the clocks of that moment.
    pub(super) fn take_back(&mut self, ply: usize, reason: Option<&str>) -> Result<(), String> {
        let first = self.opening.moves.len();
        let last = self.plies.len();
        if ply < first || ply >= last {
            return Err(if first < last {
                format!(
                    "it has {last} half-moves: expected from {first} to {}",
                    last - 1
                )
            } else {
                "no move has been made that can be taken back".to_owned()
            });
        }
        self.extensions.retain(|&(when, ..)| when <= ply);
        let mut extra = [Duration::ZERO; 2];
        for &(_, color, time) in &self.extensions {
            extra[color as usize] += time;
        }
        self.moves.truncate(ply - first);
        self.plies.truncate(ply);
        self.referee
            .take_back(&self.opening, &self.moves, extra)
            .map_err(|error| error.to_string())?;
        let count = last - ply;
        let plural = if count == 1 { "" } else { "s" };
        self.explain(
            &format!("the arbiter takes back {count} half-move{plural}"),
            reason,
        );
        Ok(())
    }
}
