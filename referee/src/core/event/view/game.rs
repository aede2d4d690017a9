//! A game as the stream of events tells it.

use std::time::Duration;

use movegen::pgn::{Eval, PgnGame, Ply};
use movegen::{Color, Move, Position, UciMove, san};

use crate::core::event::results::Finished;
use crate::core::event::stream::{End, GameReport, GameView, HalfMove, Report, Search, Start};
use crate::core::event::tags::tags;

impl End {
    /// The end that an event reports.
    pub(super) fn of(report: &Report, at: &str) -> Option<Self> {
        match report {
            Report::Result {
                result,
                termination,
                reason,
                verdict,
                plies,
                is_unplayed,
                ..
            } => Some(Self {
                result: result.clone(),
                termination: termination.clone(),
                reason: reason.clone(),
                verdict: *verdict,
                plies: *plies,
                is_unplayed: *is_unplayed,
                at: at.to_owned(),
            }),
            _ => None,
        }
    }

    /// The result, as the standings count it.
    pub(super) fn finished(&self) -> Finished {
        Finished {
            result: self.result.parse().ok(),
            forfeit: self.verdict,
            is_unplayed: self.is_unplayed,
        }
    }
}

impl GameView {
    /// A game as it was at this time.
    pub(super) fn new(game: GameReport, at: &str) -> Self {
        let mut view = Self {
            position: Position::start(),
            game,
            end: None,
            at: at.to_owned(),
        };
        view.position = view.plies().1;
        view
    }

    /// Adds the next move.
    pub(super) fn add(&mut self, half_move: HalfMove) {
        let mover = self.position.turn();
        self.game.clocks_ms[mover as usize] = half_move.remaining_ms;
        self.game.turn_ms = Some(0.0);
        if let Some(mv) = played(&self.position, &half_move) {
            self.position.play(mv);
        }
        self.game.moves.push(half_move);
    }

    /// Adds to a move what its player thought of it.
    pub(super) fn set_thinking(&mut self, ply: usize, eval: Option<i32>, search: &Search) {
        let mut moves = self.game.moves.iter_mut().rev();
        if let Some(half_move) = moves.find(|half_move| half_move.ply == ply) {
            half_move.eval = eval;
            half_move.search = search.clone();
        }
    }

    /// The position before the first move.
    #[must_use]
    pub fn start(&self) -> Position {
        self.game.fen.parse().unwrap_or_else(|_| Position::start())
    }

    /// The moves as PGN has them, those of the opening included, and the position after them. What cannot be read
    /// ends them: the referee writes nothing of that kind.
    #[must_use]
    pub fn plies(&self) -> (Vec<Ply>, Position) {
        let mut position = self.start();
        let mut plies = Vec::new();
        for text in &self.game.opening_moves {
            let Ok(mv) = san::parse(&position, text) else {
                return (plies, position);
            };
            plies.push(Ply::new(mv));
            position.play(mv);
        }
        if let Some(last) = plies.last_mut() {
            last.comment.clone_from(&self.game.opening_comment);
        }
        for half_move in &self.game.moves {
            let Some(mv) = played(&position, half_move) else {
                return (plies, position);
            };
            plies.push(Ply {
                mv,
                clock: half_move.remaining_ms.map(duration),
                elapsed: Some(duration(half_move.elapsed_ms)),
                eval: half_move
                    .eval
                    .map(|eval| Eval::after_move(eval, position.turn())),
                comment: half_move.comment.clone(),
            });
            position.play(mv);
        }
        (plies, position)
    }

    /// The game for PGN.
    #[must_use]
    pub fn pgn(&self, event: &Start) -> PgnGame {
        let game = &self.game;
        let (mut plies, _) = self.plies();
        if let (Some(last), Some(end)) = (plies.last_mut(), &self.end) {
            last.comment = Some(match last.comment.take() {
                Some(comment) => format!("{comment}; {}", end.reason),
                None => end.reason.clone(),
            });
        }
        PgnGame {
            event: event.name.clone(),
            site: event.site.clone(),
            date: game.date.clone(),
            round: game.round.clone(),
            white: game.white.clone(),
            black: game.black.clone(),
            result: self.end.as_ref().and_then(|end| end.result.parse().ok()),
            start: self.start(),
            time_control: Some(event.time_control.clone()),
            termination: self
                .end
                .as_ref()
                .and_then(|end| end.termination.parse().ok()),
            tags: [tags(game.elo, event.plan.as_ref()), game.conditions.tags()].concat(),
            plies,
        }
    }

    /// The side to move.
    #[must_use]
    pub fn turn(&self) -> Color {
        self.position.turn()
    }
}

/// The move of a player.
fn played(position: &Position, half_move: &HalfMove) -> Option<Move> {
    let uci: UciMove = half_move.uci.parse().ok()?;
    uci.find(position).ok()
}

fn duration(milliseconds: f64) -> Duration {
    Duration::from_micros((milliseconds * 1000.0).round() as u64)
}
