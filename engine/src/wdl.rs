//! Win, draw and loss probabilities of a score, fitted to self-play games. `train/README.md`
//! describes the fit.
//!
//! The probability of a win is a logistic function of the score, that of a loss the same function of
//! the negated score; the rest is the probability of a draw. The middle and the width of the function
//! depend on the material on the board. `train/wdl.py` fits them.

use movegen::{Position, Role};

use crate::score::Score;

/// Centipawns at which every second game is won, and centipawns to the unit of the curve: a constant,
/// and factors of the share of material and of its square.
const MIDDLE: [f64; 3] = [136.6, -202.7, 152.7];
const WIDTH: [f64; 3] = [222.7, 72.8, -28.4];
/// The material of one side in the start array, which makes a share of 0; that of both makes 1, and
/// none at all -1.
const HALF_MATERIAL: f64 = 39.0;
/// Pawns to kings, as the material counts them.
const VALUES: [u32; 6] = [1, 3, 3, 5, 9, 0];

/// The probabilities of a win, draw and loss for the side to move, in thousandths that add up to
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
        // Rounded down, both together are never more than all.
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
    fn chances_grow_with_the_score_and_are_those_of_either_side() {
        // The most that is on a board by the rules: eighteen queens, and what they began with.
        for material in 0..=206 {
            let mut last = 0;
            for ce in (-3000..=3000).step_by(20) {
                let chances = |ce| Wdl::with_material(Score::ordinary(ce), material);
                let Wdl { win, draw, loss } = chances(ce);
                assert_eq!(win + draw + loss, 1000, "{ce} {material}");
                let turned = chances(-ce);
                assert_eq!((win, draw, loss), (turned.loss, turned.draw, turned.win));
                assert!(win >= last, "{ce} {material}");
                last = win;
            }
        }
        let queen_up = "4k3/3p4/8/8/8/8/3P4/3QK3 w - -".parse().expect("legal");
        let score = Score::ordinary(300);
        assert_eq!(Wdl::of(score, &queen_up), Wdl::with_material(score, 11));
    }

    #[test]
    fn mates_leave_no_doubt() {
        let position = Position::start();
        for (score, win) in [(Score::mate_in(3), 1000), (Score::mated_in(4), 0)] {
            let chances = Wdl::of(score, &position);
            assert_eq!((chances.win, chances.draw), (win, 0));
        }
    }
}
