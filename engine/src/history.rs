//! What earlier moves of the search say about the next ones
//! (<https://www.chessprogramming.org/History_Heuristic>).

use movegen::{Color, Move, Position, Role, Square};

use crate::correction::Corrections;
use crate::params::{BONUS_FACTOR, BONUS_LIMIT};
use crate::score::MAX_PLY;

/// The value that no entry exceeds: bonuses fade out toward it.
const HISTORY_LIMIT: i32 = 16_384;

/// A piece and the square that it went to: what a move is to the moves that answer it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Step(u16);

impl Step {
    /// No move: before the root, and after a null move.
    pub const NONE: Self = Self(Self::COUNT as u16 - 1);
    pub const COUNT: usize = 2 * Role::ALL.len() * Square::COUNT + 1;

    pub fn of(position: &Position, mv: Move) -> Self {
        let role = position.role_at(mv.from()).unwrap_or(Role::Pawn);
        Self::new(position.turn(), role, mv.to())
    }

    const fn new(color: Color, role: Role, to: Square) -> Self {
        let piece = color as usize * Role::ALL.len() + role as usize;
        Self((piece * Square::COUNT + to as usize) as u16)
    }

    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// The last moves before a node: the opponent's, and our own before that.
pub(crate) type Steps = [Step; 2];

/// One thread's memory of quiet moves.
pub(crate) struct History {
    /// How good a quiet move has been, by side, departure and arrival.
    butterfly: Box<[[[i16; Square::COUNT]; Square::COUNT]; 2]>,
    /// How good it has been after another move, one or two plies before
    /// (<https://www.chessprogramming.org/History_Heuristic#Continuation_History>).
    continuations: Box<[[i16; Step::COUNT]]>,
    /// How good a capture has been, by the step and the role captured
    /// (<https://www.chessprogramming.org/History_Heuristic#Capture_History>).
    captures: Box<[[i16; Role::ALL.len()]; Step::COUNT]>,
    /// The two quiet moves that last refuted something at each ply
    /// (<https://www.chessprogramming.org/Killer_Heuristic>).
    killers: [[Option<Move>; 2]; MAX_PLY + 1],
    pub corrections: Corrections,
}

impl History {
    pub fn new() -> Self {
        Self {
            butterfly: Box::new([[[0; Square::COUNT]; Square::COUNT]; 2]),
            continuations: vec![[0; Step::COUNT]; Step::COUNT].into(),
            captures: Box::new([[0; Role::ALL.len()]; Step::COUNT]),
            killers: [[None; 2]; MAX_PLY + 1],
            corrections: Corrections::new(),
        }
    }

    pub fn clear(&mut self) {
        *self = Self::new();
    }

    /// The killers of a ply, the latest first.
    pub fn killers(&self, ply: usize) -> [Option<Move>; 2] {
        self.killers[ply]
    }

    /// How good a quiet move has been, from -49152 to 49152.
    pub fn quiet(&self, position: &Position, mv: Move, before: Steps) -> i32 {
        let role = position.role_at(mv.from()).unwrap_or(Role::Pawn);
        self.quiets(position.turn(), before).value(role, mv)
    }

    /// What is known of all quiet moves of a side after some others.
    pub fn quiets(&self, side: Color, before: Steps) -> Quiets<'_> {
        Quiets {
            side,
            butterfly: &self.butterfly[side as usize],
            continuations: before.map(|earlier| &self.continuations[earlier.index()]),
        }
    }

    /// How good a capture or promotion has been, from -16384 to 16384.
    pub fn noisy(&self, position: &Position, mv: Move) -> i32 {
        let captured = position.role_at(mv.to()).unwrap_or(Role::Pawn);
        self.captures[usize::from(Step::of(position, mv).0)][captured as usize].into()
    }

    /// Learns from the captures tried before a move that was too good for the opponent, and from
    /// that one if it is a capture.
    pub fn learn_noisy(
        &mut self,
        position: &Position,
        depth: i32,
        best: Option<Move>,
        tried: &[Move],
    ) {
        let bonus = (BONUS_FACTOR * depth).min(BONUS_LIMIT);
        let mut add = |mv: Move, bonus| {
            let captured = position.role_at(mv.to()).unwrap_or(Role::Pawn);
            let step = usize::from(Step::of(position, mv).0);
            grow(&mut self.captures[step][captured as usize], bonus);
        };
        if let Some(mv) = best {
            add(mv, bonus);
        }
        for &mv in tried {
            add(mv, -bonus);
        }
    }

    /// Learns from a quiet move that was too good for the opponent, and from those tried before
    /// it, which were not.
    pub fn learn(
        &mut self,
        position: &Position,
        (ply, depth): (usize, i32),
        before: Steps,
        best: Move,
        tried: &[Move],
    ) {
        let [first, second] = &mut self.killers[ply];
        if *first != Some(best) {
            *second = first.replace(best);
        }
        let bonus = (BONUS_FACTOR * depth).min(BONUS_LIMIT);
        self.add(position, best, before, bonus);
        for &mv in tried {
            self.add(position, mv, before, -bonus);
        }
    }

    fn add(&mut self, position: &Position, mv: Move, before: Steps, bonus: i32) {
        let (side, step) = (position.turn() as usize, Step::of(position, mv));
        grow(
            &mut self.butterfly[side][mv.from().index()][mv.to().index()],
            bonus,
        );
        for earlier in before {
            let entry = &mut self.continuations[usize::from(earlier.0)][usize::from(step.0)];
            grow(entry, bonus);
        }
    }
}

/// How good quiet moves of one side have been, after the same moves.
pub(crate) struct Quiets<'h> {
    side: Color,
    butterfly: &'h [[i16; Square::COUNT]; Square::COUNT],
    continuations: [&'h [i16; Step::COUNT]; 2],
}

impl Quiets<'_> {
    /// How good one has been that a piece of this role makes, from -49152 to 49152.
    #[inline]
    pub fn value(&self, role: Role, mv: Move) -> i32 {
        let step = Step::new(self.side, role, mv.to()).index();
        let after = self.continuations.map(|values| i32::from(values[step]));
        i32::from(self.butterfly[mv.from().index()][mv.to().index()]) + after[0] + after[1]
    }
}

/// Adds a bonus that fades out toward the limit.
fn grow(entry: &mut i16, bonus: i32) {
    let value = i32::from(*entry);
    *entry = (value + bonus - value * bonus.abs() / HISTORY_LIMIT) as i16;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_grow_toward_a_limit() {
        let mut history = History::new();
        let start = Position::start();
        let [good, bad] = [Square::E4, Square::E3].map(|to| Move::normal(Square::E2, to));
        for _ in 0..1000 {
            history.learn(&start, (3, 20), [Step::NONE; 2], good, &[bad]);
        }
        let limit = 3 * HISTORY_LIMIT * 9 / 10..=3 * HISTORY_LIMIT;
        assert!(limit.contains(&history.quiet(&start, good, [Step::NONE; 2])));
        assert!(limit.contains(&-history.quiet(&start, bad, [Step::NONE; 2])));
        // After another move only what is known without it counts.
        let other = [Step::of(&start, bad); 2];
        assert!((1..=HISTORY_LIMIT).contains(&history.quiet(&start, good, other)));
        assert_eq!(history.killers(3), [Some(good), None]);
        history.learn(&start, (3, 1), [Step::NONE; 2], bad, &[]);
        assert_eq!(history.killers(3), [Some(bad), Some(good)]);
    }
}
