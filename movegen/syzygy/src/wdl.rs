//! Results: win, draw or loss, and distance to zeroing.

use std::fmt;
use std::ops::Neg;

/// The result of a position for the side to move if both sides play perfectly and the halfmove clock is
/// 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Wdl {
    /// A loss.
    Loss,
    /// A loss that the fifty-move rule makes a draw.
    BlessedLoss,
    /// A draw.
    Draw,
    /// A win that the fifty-move rule makes a draw.
    CursedWin,
    /// A win.
    Win,
}

impl Wdl {
    const ALL: [Self; 5] = [
        Self::Loss,
        Self::BlessedLoss,
        Self::Draw,
        Self::CursedWin,
        Self::Win,
    ];

    pub(crate) fn from_code(code: u16) -> Option<Self> {
        Self::ALL.get(usize::from(code)).copied()
    }

    /// The distance of a position with this result when its best move is a capture or a pawn move.
    #[must_use]
    pub(crate) const fn before_zeroing(self) -> i32 {
        [-1, -101, 0, 101, 1][self as usize]
    }

    /// The result that a distance stands for, given the halfmove clock: a win is cursed if the
    /// fifty-move rule can end the game before its zeroing move.
    #[must_use]
    pub const fn of_distance(distance: i32, halfmove_clock: u16) -> Self {
        let in_time = distance.abs() + halfmove_clock as i32 <= 100;
        match (distance, in_time) {
            (0, _) => Self::Draw,
            (1.., true) => Self::Win,
            (1.., false) => Self::CursedWin,
            (_, true) => Self::Loss,
            (_, false) => Self::BlessedLoss,
        }
    }
}

impl Neg for Wdl {
    type Output = Self;

    fn neg(self) -> Self {
        Self::ALL[4 - self as usize]
    }
}

impl fmt::Display for Wdl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Loss => "loss",
            Self::BlessedLoss => "blessed loss",
            Self::Draw => "draw",
            Self::CursedWin => "cursed win",
            Self::Win => "win",
        })
    }
}
