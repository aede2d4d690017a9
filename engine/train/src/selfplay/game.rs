//! One self-play game, and the data points in it.
//!
//! A game keeps every move and every score, so that the rules that choose data points can change
//! without playing the games again.

use std::num::NonZeroU8;

use engine::Score;
use movegen::{Color, IllegalMove, Move, MoveKind, Position};

use crate::data_point::{DataPoint, GameResult, ply_of};
use crate::expectation;

/// Positions before this ply of a game are not used for training.
const FIRST_PLY: u16 = 16;

/// A self-play game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayedGame {
    /// The position before the opening moves.
    pub start: Position,
    /// The random moves at the beginning.
    pub opening: Vec<Move>,
    /// The moves that the search chose.
    pub plies: Vec<PlayedPly>,
    /// The first of the plies, and then every so many-th, was searched with all nodes. Only these are data points.
    pub label_every: NonZeroU8,
    /// How the game ended.
    pub result: GameResult,
}

/// A move that the search chose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayedPly {
    /// The best move, which was played.
    pub best: Move,
    /// Its score, from White's point of view.
    pub score: Score,
    /// A side line from the same position.
    pub branch: Option<Branch>,
}

/// A side line: a random legal move and the best replies to it, up to the first quiet position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Branch {
    /// The moves that lead to the position; at least one.
    pub moves: Vec<Move>,
    /// The score of the position, from White's point of view.
    pub score: Score,
}

impl PlayedGame {
    /// The number of moves, the opening included.
    #[must_use]
    pub fn len(&self) -> usize {
        self.opening.len() + self.plies.len()
    }

    /// Whether no move was played.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The data points in the order of play. The position of a branch precedes the position from
    /// which it departs, and has no result.
    ///
    /// The first plies of the game and those that were searched with fewer nodes are left out, and so are
    /// positions that are not quiet: in check, with a best move that captures or promotes, or with a mate score.
    ///
    /// With a `td_lambda` of 0 the score of a data point is that of its own search. Above 0, it is also
    /// learned from the rest of the game, as in TD(λ)
    /// (<https://www.chessprogramming.org/Temporal_Difference_Learning>): its expected points are the mean
    /// of those of its own score, of all later scores and of the result, where each ply later weighs less
    /// by this factor.
    /// Positions of branches keep their scores.
    ///
    /// # Errors
    ///
    /// A move is illegal. This cannot happen in a game played by [`SelfPlay`](super::SelfPlay).
    pub fn data_points(&self, td_lambda: f64) -> Result<Vec<DataPoint>, IllegalMove> {
        let mut data_points = Vec::new();
        let mut position = self.start;
        for &mv in &self.opening {
            position.try_play(mv)?;
        }
        // The plies of the game that have a data point, and its place.
        let mut places = Vec::new();
        for (ply, played) in self.plies.iter().enumerate() {
            if let Some(branch) = &played.branch {
                let mut aside = position;
                for &mv in &branch.moves {
                    aside.try_play(mv)?;
                }
                data_points.push(DataPoint::new(aside, branch.score, None));
            }
            if is_labelled(ply, self.label_every)
                && is_late_enough(&position)
                && is_quiet(&position, played.best, played.score)
            {
                places.push((ply, data_points.len()));
                data_points.push(DataPoint::new(position, played.score, Some(self.result)));
            }
            position.try_play(played.best)?;
        }
        if td_lambda > 0.0 {
            let points = self.points_ahead(td_lambda);
            for (ply, place) in places {
                let score = expectation::score(points[ply]);
                data_points[place].score = score.round() as i16;
            }
        }
        Ok(data_points)
    }

    /// White's expected points at each ply, from its score, later scores and the result.
    fn points_ahead(&self, td_lambda: f64) -> Vec<f64> {
        let mut later = self.result.points();
        let mut points = vec![0.0; self.plies.len()];
        for (ply, played) in self.plies.iter().enumerate().rev() {
            let own = expectation::points(played.score.ce().into());
            later = own + td_lambda * (later - own);
            points[ply] = later;
        }
        points
    }
}

/// Whether this ply of the moves that the search chose, counted from 0, is searched with all nodes.
pub(super) fn is_labelled(ply: usize, label_every: NonZeroU8) -> bool {
    ply.is_multiple_of(label_every.get().into())
}

/// Whether a static evaluation can be expected to predict the score of a position: the side to move is
/// not in check, the best move neither captures nor promotes, and the score is not a mate.
pub(super) fn is_quiet(position: &Position, best: Move, score: Score) -> bool {
    !position.is_check() && !is_noisy(position, best) && !score.is_mate()
}

/// Whether a move captures or promotes.
fn is_noisy(position: &Position, mv: Move) -> bool {
    match mv.kind() {
        MoveKind::Promotion | MoveKind::EnPassant => true,
        MoveKind::Castle => false,
        MoveKind::Normal => position.occupied().contains(mv.to()),
    }
}

/// Whether a position is late enough in its game to be used for training.
pub(super) fn is_late_enough(position: &Position) -> bool {
    ply_of(position) >= FIRST_PLY
}

/// Converts a score for the side to move into White's point of view.
pub(super) fn for_white(position: &Position, score: Score) -> Score {
    match position.turn() {
        Color::White => score,
        Color::Black => -score,
    }
}
