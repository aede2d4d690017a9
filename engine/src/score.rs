//! Scores on the scale of the EPD opcode `ce`.

use std::fmt;
use std::ops::{Add, Neg, Sub};

use movegen::Position;

/// The deepest ply of a search. It keeps every mate score above 32000, as EPD 6.7 requires (decision
/// 125; 766 plies would be possible).
pub const MAX_PLY: usize = 240;

/// A value of the opcode `ce` (EPD 6.7): centipawns from the point of view of the side to move,
/// 32767 - n for a mate in n plies, n - 32767 for being mated in n plies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Score(i32);

impl Score {
    /// A draw.
    pub const DRAW: Self = Self(0);
    /// The side to move is mated.
    pub const CHECKMATED: Self = Self(-32767);
    /// The position is illegal.
    pub const ILLEGAL: Self = Self(-32768);
    /// Greater than any score.
    pub const INFINITE: Self = Self(32767);
    /// The largest score that is not a mate; its negative is the smallest (decision 125).
    pub const ORDINARY_LIMIT: i32 = 30_000;

    /// The largest evaluation. Above it are tablebase wins: [`ORDINARY_LIMIT`](Self::ORDINARY_LIMIT) - n
    /// for one that the search reaches in n plies. A table entry can add [`MAX_PLY`] to n.
    pub const EVALUATION_LIMIT: i32 = Self::ORDINARY_LIMIT - 2 * MAX_PLY as i32 - 1;

    /// The score of a position without moves: checkmate or stalemate. None if there are moves.
    #[must_use]
    pub fn of_finished(position: &Position) -> Option<Self> {
        let score = if position.is_check() {
            Self::CHECKMATED
        } else {
            Self::DRAW
        };
        (position.count_moves() == 0).then_some(score)
    }

    /// A score that is not a mate, clamped to the limit.
    #[must_use]
    #[inline]
    pub const fn ordinary(centipawns: i32) -> Self {
        if centipawns > Self::ORDINARY_LIMIT {
            Self(Self::ORDINARY_LIMIT)
        } else if centipawns < -Self::ORDINARY_LIMIT {
            Self(-Self::ORDINARY_LIMIT)
        } else {
            Self(centipawns)
        }
    }

    /// An evaluation, clamped to its limit.
    #[must_use]
    #[inline]
    pub(crate) const fn evaluation(centipawns: i32) -> Self {
        if centipawns > Self::EVALUATION_LIMIT {
            Self(Self::EVALUATION_LIMIT)
        } else if centipawns < -Self::EVALUATION_LIMIT {
            Self(-Self::EVALUATION_LIMIT)
        } else {
            Self(centipawns)
        }
    }

    /// The side to move reaches a tablebase win in this many plies.
    #[must_use]
    #[inline]
    pub(crate) const fn tablebase_win_in(plies: usize) -> Self {
        Self(Self::ORDINARY_LIMIT - plies as i32)
    }

    /// The side to move mates in this many plies.
    #[must_use]
    #[inline]
    pub const fn mate_in(plies: usize) -> Self {
        Self(32767 - plies as i32)
    }

    /// The side to move is mated in this many plies.
    #[must_use]
    #[inline]
    pub const fn mated_in(plies: usize) -> Self {
        Self(plies as i32 - 32767)
    }

    /// The score as the operand of `ce`.
    #[must_use]
    #[inline]
    pub const fn ce(self) -> i32 {
        self.0
    }

    /// The score for an operand of `ce`, or a stored 16-bit number.
    #[must_use]
    #[inline]
    pub const fn from_ce(ce: i16) -> Self {
        Self(ce as i32)
    }

    /// Whether either side mates.
    #[must_use]
    #[inline]
    pub const fn is_mate(self) -> bool {
        self.0.abs() > Self::ORDINARY_LIMIT
    }

    /// Whether either side wins, by mate or by a tablebase.
    #[must_use]
    #[inline]
    pub(crate) const fn is_decisive(self) -> bool {
        self.0.abs() > Self::EVALUATION_LIMIT
    }

    /// The plies to a mate of either side.
    #[must_use]
    pub const fn mate_plies(self) -> Option<usize> {
        if self.is_mate() {
            Some((32767 - self.0.abs()) as usize)
        } else {
            None
        }
    }

    /// Converts a mate or tablebase score that counts from the root to one that counts from a node `ply` plies below
    /// it, for the transposition table. Other scores do not change.
    #[must_use]
    #[inline]
    pub const fn from_root_to_node(self, ply: usize) -> Self {
        self.away_from_zero(ply as i32)
    }

    /// The inverse of [`from_root_to_node`](Self::from_root_to_node).
    #[must_use]
    #[inline]
    pub const fn from_node_to_root(self, ply: usize) -> Self {
        self.away_from_zero(-(ply as i32))
    }

    const fn away_from_zero(self, plies: i32) -> Self {
        if !self.is_decisive() {
            self
        } else if self.0 > 0 {
            Self(self.0 + plies)
        } else {
            Self(self.0 - plies)
        }
    }
}

impl Neg for Score {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl Add<i32> for Score {
    type Output = Self;
    #[inline]
    fn add(self, margin: i32) -> Self {
        Self(self.0 + margin)
    }
}

impl Sub<i32> for Score {
    type Output = Self;
    #[inline]
    fn sub(self, margin: i32) -> Self {
        Self(self.0 - margin)
    }
}

/// Prints the operand of `ce`.
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The examples of EPD 6.7.
    #[test]
    fn mate_scores_follow_the_standard() {
        for (moves, winning, losing) in [(1, 32766, -32765), (5, 32758, -32757)] {
            assert_eq!(Score::mate_in(2 * moves - 1).ce(), winning);
            assert_eq!(Score::mated_in(2 * moves).ce(), losing);
            assert_eq!(
                Score::mate_in(2 * moves - 1).mate_plies(),
                Some(2 * moves - 1)
            );
            assert_eq!(Score::mated_in(2 * moves).mate_plies(), Some(2 * moves));
        }
        assert_eq!(Score::mated_in(0), Score::CHECKMATED);
        assert!(Score::mate_in(MAX_PLY).ce() > 32000);
        assert_eq!(Score::ordinary(31_000).mate_plies(), None);
    }

    #[test]
    fn finished_games_have_a_score() {
        for (fen, score) in [
            ("7k/6Q1/6K1/8/8/8/8/8 b - -", Some(Score::CHECKMATED)),
            ("7k/5Q2/6K1/8/8/8/8/8 b - -", Some(Score::DRAW)),
            ("7k/5Q2/6K1/8/8/8/8/8 w - -", None),
        ] {
            assert_eq!(Score::of_finished(&fen.parse().expect(fen)), score, "{fen}");
        }
    }

    #[test]
    fn stored_mates_keep_their_distance() {
        for score in [
            Score::mate_in(7),
            Score::mated_in(12),
            -Score::tablebase_win_in(9),
            Score::ordinary(-35),
        ] {
            assert_eq!(score.from_root_to_node(5).from_node_to_root(5), score);
        }
        let stored = Score::tablebase_win_in(MAX_PLY).from_node_to_root(MAX_PLY);
        assert!(stored.is_decisive() && !stored.is_mate());
        assert!(!Score::evaluation(31_000).is_decisive());
        assert_eq!(Score::mate_in(7).from_root_to_node(5), Score::mate_in(2));
    }
}
