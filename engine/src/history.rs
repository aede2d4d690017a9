//! What earlier moves of the search say about the next ones
//! (<https://www.chessprogramming.org/History_Heuristic>).

use movegen::{Color, Move, Square};

use crate::score::MAX_PLY;

/// The value that no entry exceeds: bonuses fade out toward it.
const HISTORY_LIMIT: i32 = 16_384;
/// The bonus of a cut-off, by plies of depth, and its limit.
const BONUS_FACTOR: i32 = 150;
const BONUS_LIMIT: i32 = 1_500;

/// One thread's memory of quiet moves.
pub(crate) struct History {
    /// How good a quiet move has been, by side, departure and arrival.
    butterfly: Box<[[[i16; Square::COUNT]; Square::COUNT]; 2]>,
    /// The two quiet moves that last refuted something at each ply
    /// (<https://www.chessprogramming.org/Killer_Heuristic>).
    killers: [[Option<Move>; 2]; MAX_PLY + 1],
}

impl History {
    pub fn new() -> Self {
        Self {
            butterfly: Box::new([[[0; Square::COUNT]; Square::COUNT]; 2]),
            killers: [[None; 2]; MAX_PLY + 1],
        }
    }

    pub fn clear(&mut self) {
        *self = Self::new();
    }

    /// The killers of a ply, the latest first.
    pub fn killers(&self, ply: usize) -> [Option<Move>; 2] {
        self.killers[ply]
    }

    /// How good a quiet move has been, from -16384 to 16384.
    pub fn quiet(&self, side: Color, mv: Move) -> i32 {
        self.butterfly[side as usize][mv.from().index()][mv.to().index()].into()
    }

    /// Learns from a quiet move that was too good for the opponent, and from those tried before
    /// it, which were not.
    pub fn learn(&mut self, side: Color, ply: usize, depth: i32, best: Move, tried: &[Move]) {
        let [first, second] = &mut self.killers[ply];
        if *first != Some(best) {
            *second = first.replace(best);
        }
        let bonus = (BONUS_FACTOR * depth).min(BONUS_LIMIT);
        self.add(side, best, bonus);
        for &mv in tried {
            self.add(side, mv, -bonus);
        }
    }

    fn add(&mut self, side: Color, mv: Move, bonus: i32) {
        let entry = &mut self.butterfly[side as usize][mv.from().index()][mv.to().index()];
        let value = i32::from(*entry);
        *entry = (value + bonus - value * bonus.abs() / HISTORY_LIMIT) as i16;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_grow_toward_a_limit() {
        let mut history = History::new();
        let [good, bad] = [Square::E4, Square::E3].map(|to| Move::normal(Square::E2, to));
        for _ in 0..1000 {
            history.learn(Color::White, 3, 20, good, &[bad]);
        }
        let limit = HISTORY_LIMIT * 9 / 10..=HISTORY_LIMIT;
        assert!(limit.contains(&history.quiet(Color::White, good)));
        assert!(limit.contains(&-history.quiet(Color::White, bad)));
        assert_eq!(history.quiet(Color::Black, good), 0);
        assert_eq!(history.killers(3), [Some(good), None]);
        history.learn(Color::White, 3, 1, bad, &[]);
        assert_eq!(history.killers(3), [Some(bad), Some(good)]);
    }
}
