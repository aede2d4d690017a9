//! The engine as the player of both sides.

use std::sync::atomic::Ordering::Relaxed;

use engine::{Limits, Score, Searcher, Signals};
use movegen::{Game, Move, Position};

/// A search is aborted after this many times its nodes.
const HARD_NODES: u64 = 8;

/// Why a game was not played to its end.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unplayed {
    /// The stop signal was raised.
    #[error("stopped")]
    Stopped,
    /// A bug in the search: it returned no move, or an illegal line.
    #[error("the search failed at {position}: its line is [{}]", coordinates(line))]
    Fault {
        /// The position that was searched.
        position: Box<Position>,
        /// The line.
        line: Vec<Move>,
    },
}

/// The player of both sides.
pub struct Player<'a> {
    pub searcher: &'a mut Searcher,
    pub signals: &'a Signals,
    /// Play through every line that the search reports.
    pub checked: bool,
}

impl Player<'_> {
    /// The best move and its score for the side to move.
    pub fn search(&mut self, game: &Game, nodes: u64) -> Result<(Move, Score), Unplayed> {
        let limits = Limits {
            soft_nodes: Some(nodes),
            nodes: Some(HARD_NODES * nodes),
            ..Limits::default()
        };
        let found = if self.checked {
            self.checked_search(game, &limits)?
        } else {
            self.searcher.best_move(game, &limits, self.signals)
        };
        if self.signals.stop.load(Relaxed) {
            return Err(Unplayed::Stopped);
        }
        found.ok_or_else(|| fault(game.position(), &[]))
    }

    /// Searches, and plays through every reported line.
    fn checked_search(
        &mut self,
        game: &Game,
        limits: &Limits,
    ) -> Result<Option<(Move, Score)>, Unplayed> {
        let root = game.position();
        let mut bad_line = None;
        let outcome = self
            .searcher
            .search(game, limits, self.signals, &mut |progress| {
                if !is_legal_line(root, progress.pv) {
                    bad_line = Some(progress.pv.to_vec());
                }
            });
        if !is_legal_line(root, &outcome.pv) {
            bad_line = Some(outcome.pv);
        }
        match bad_line {
            Some(line) => Err(fault(root, &line)),
            None => Ok(outcome.best.map(|best| (best, outcome.score))),
        }
    }
}

/// Plays a move that the search chose.
pub fn play(game: &mut Game, mv: Move) -> Result<(), Unplayed> {
    let position = *game.position();
    game.play(mv).map_err(|_| fault(&position, &[mv]))
}

fn coordinates(line: &[Move]) -> String {
    let moves: Vec<_> = line.iter().map(ToString::to_string).collect();
    moves.join(" ")
}

fn fault(position: &Position, line: &[Move]) -> Unplayed {
    Unplayed::Fault {
        position: Box::new(*position),
        line: line.to_vec(),
    }
}

fn is_legal_line(root: &Position, line: &[Move]) -> bool {
    let mut position = *root;
    line.iter().all(|&mv| position.try_play(mv).is_ok())
}
