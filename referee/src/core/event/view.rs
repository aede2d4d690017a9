//! The state of an event as a viewer knows it who has read the stream of events, and nothing else.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::core::ending::Forfeit;
use crate::core::event::stream::{GameReport, HalfMove, Report, Start};

/// What the stream of events has told so far.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EventView {
    /// What the event is; `None` before the referee has started.
    pub start: Option<Start>,
    /// All games that have begun, by number.
    pub games: BTreeMap<usize, GameView>,
    /// Why no new games are started, if so.
    pub paused: Option<String>,
    /// Why the referee has ended, if it has.
    pub ended: Option<String>,
}

/// A game that has begun.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GameView {
    /// The game, with all its moves.
    #[serde(flatten)]
    pub game: GameReport,
    /// Its result, once it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end: Option<End>,
    /// When its last event happened.
    pub at: String,
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct End {
    /// The result as PGN has it.
    pub result: String,
    /// The value of the PGN tag `Termination`.
    pub termination: String,
    /// The result and its reason in words.
    pub reason: String,
    /// The fault that decided it, if any.
    pub verdict: Option<Forfeit>,
}

impl EventView {
    /// Takes in the next event of the stream, which happened at this time.
    pub fn apply(&mut self, report: &Report, at: &str) {
        match report {
            Report::Start(start) => {
                self.start = Some((**start).clone());
                self.ended = None;
                self.paused = None;
            }
            Report::Game(game) => {
                let view = GameView {
                    game: (**game).clone(),
                    end: None,
                    at: at.to_owned(),
                };
                self.games.insert(game.game, view);
            }
            Report::Move {
                game, half_move, ..
            } => {
                if let Some(view) = self.games.get_mut(game) {
                    at.clone_into(&mut view.at);
                    view.game.add(half_move.clone());
                }
            }
            Report::Result {
                game,
                result,
                termination,
                reason,
                verdict,
                ..
            } => {
                if let Some(view) = self.games.get_mut(game) {
                    at.clone_into(&mut view.at);
                    view.end = Some(End {
                        result: result.clone(),
                        termination: termination.clone(),
                        reason: reason.clone(),
                        verdict: *verdict,
                    });
                }
            }
            Report::Withdrawn { game, .. } => {
                self.games.remove(game);
            }
            Report::Paused { why } => self.paused = Some(why.clone()),
            Report::Resumed => self.paused = None,
            Report::End { why } => self.ended = Some(why.clone()),
            Report::Note { .. }
            | Report::SignOn { .. }
            | Report::Lost { .. }
            | Report::Exit { .. }
            | Report::Refused { .. }
            | Report::MoreRefused { .. }
            | Report::PassedOver { .. }
            | Report::Order { .. } => {}
        }
    }

    /// The games in progress.
    pub fn running(&self) -> impl Iterator<Item = &GameView> {
        self.games.values().filter(|game| game.end.is_none())
    }
}

impl GameReport {
    /// Adds the next move.
    fn add(&mut self, half_move: HalfMove) {
        let is_blacks_start = self.fen.split(' ').nth(1) == Some("b");
        let is_black = half_move.ply.is_multiple_of(2) != is_blacks_start;
        self.clocks_ms[usize::from(is_black)] = half_move.remaining_ms;
        self.moves.push(half_move);
    }
}
