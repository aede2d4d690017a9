//! Win, draw and loss probabilities of a score, fitted to games of the engine against an earlier version.
//! `train/README.md` describes the fit.
//!
//! The probability of a win is a logistic function of the score, that of a loss the same function of
//! the negated score; the rest is the probability of a draw. The middle and the width of the function
//! depend on the material on the board. `train/wdl.py` fits them.

use movegen::{Position, Role};

use crate::score::Score;

/// The midpoint of the curve, where half of the games are won, and its width, both in centipawns. Each
/// is a polynomial of the material: constant, linear and quadratic coefficient.
const MIDDLE: [f64; 3] = [210.2, -25.6, 18.3];
const WIDTH: [f64; 3] = [75.7, 46.3, 5.9];
/// The material of one side in the starting position. The polynomials take the material of both sides
/// divided by this, minus 1: 1 in the starting position, -1 on an empty board.
const HALF_MATERIAL: f64 = 39.0;
/// The material value of each role.
const VALUES: [u32; 6] = [1, 3, 3, 5, 9, 0];

/// The probabilities of a win, a draw and a loss for the side to move, in thousandths. They add up to
/// 1000.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wdl {
    /// Win.
    pub win: u16,
    /// Draw.
    pub draw: u16,
    /// Loss.
    pub loss: u16,
}

impl Wdl {
    /// The probabilities for a score in a position.
    #[must_use]
    pub fn of(score: Score, position: &Position) -> Self {
        let material = Role::ALL
            .iter()
            .map(|&role| position.role(role).len() * VALUES[role as usize]);
        Self::with_material(score, material.sum())
    }

    fn with_material(score: Score, material: u32) -> Self {
        let (win, loss) = if score.is_mate() {
            let wins = score > Score::DRAW;
            (f64::from(wins), f64::from(!wins))
        } else {
            let share = f64::from(material) / HALF_MATERIAL - 1.0;
            let at = |[constant, first, second]: [f64; 3]| {
                constant + share.min(1.0) * (first + share.min(1.0) * second)
            };
            let (middle, width) = (at(MIDDLE), at(WIDTH));
            let chance = |score: f64| 1.0 / (1.0 + ((middle - score) / width).exp());
            let score = f64::from(score.ce());
            (chance(score), chance(-score))
        };
        // Both are rounded down, so their sum is at most 1000.
        let [win, loss] = [win, loss].map(|chance| (1000.0 * chance) as u16);
        Self {
            win,
            draw: 1000 - win - loss,
            loss,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn probabilities_are_monotonic_and_symmetric() {
        // The most material that the rules allow: 18 queens and the other pieces.
        for material in 0..=206 {
            let mut last = 0;
            for ce in (-3000..=3000).step_by(20) {
                let wdl = |ce| Wdl::with_material(Score::ordinary(ce), material);
                let Wdl { win, draw, loss } = wdl(ce);
                assert_eq!(win + draw + loss, 1000, "{ce} {material}");
                let negated = wdl(-ce);
                assert_eq!((win, draw, loss), (negated.loss, negated.draw, negated.win));
                assert!(win >= last, "{ce} {material}");
                last = win;
            }
        }
        let queen_up = "4k3/3p4/8/8/8/8/3P4/3QK3 w - -".parse().expect("legal");
        let score = Score::ordinary(300);
        assert_eq!(Wdl::of(score, &queen_up), Wdl::with_material(score, 11));
    }

    #[test]
    fn a_mate_is_certain() {
        let position = Position::start();
        for (score, win) in [(Score::mate_in(3), 1000), (Score::mated_in(4), 0)] {
            let wdl = Wdl::of(score, &position);
            assert_eq!((wdl.win, wdl.draw), (win, 0));
        }
    }
}
