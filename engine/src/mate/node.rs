//! The nodes of the tree of a mate.

use movegen::{Color, Move, Position, Role};

use crate::ordering::checks::Checks;

/// Plies without capture or pawn move after which the game is drawn.
const FIFTY_MOVES: usize = 100;

/// A position, and who wants what in it.
pub(super) struct Node {
    pub position: Position,
    /// The moves within which the attacker, whoever is to move, has to mate.
    pub moves: usize,
    /// Whether the attacker is to move, or else the defender.
    pub attacks: bool,
}

/// What a node is known by in the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Key {
    pub position: u64,
    /// Taken from the position in another way: two positions that share the key do not share this
    /// as well.
    pub check: u32,
}

impl Node {
    /// The side to move is to mate within so many moves.
    pub const fn root(position: &Position, moves: usize) -> Self {
        Self {
            position: *position,
            moves,
            attacks: true,
        }
    }

    /// The node after a legal move.
    pub fn after(&self, mv: Move) -> Self {
        let mut position = self.position;
        position.play_unchecked(mv);
        Self {
            position,
            moves: self.moves - usize::from(self.attacks),
            attacks: !self.attacks,
        }
    }

    /// Whether the attacker cannot mate from here, as counters and pieces alone tell. Where no move
    /// is left it may be mate all the same.
    pub fn is_drawn(&self, attacker: Color) -> bool {
        let position = &self.position;
        usize::from(position.halfmove_clock()) >= FIFTY_MOVES
            || position.color(attacker) == position.color(attacker) & position.role(Role::King)
            || position.is_insufficient_material()
    }

    /// Whether the side to move mates at once.
    pub fn mates_in_one(&self) -> bool {
        let checks = Checks::new(&self.position);
        self.position.legal_moves().into_iter().any(|mv| {
            checks.has(&self.position, mv) && {
                let mut after = self.position;
                after.play_unchecked(mv);
                after.count_moves() == 0
            }
        })
    }

    /// The plies that are left, the attacker's last with them.
    pub fn plies(&self) -> usize {
        2 * self.moves - usize::from(self.attacks)
    }

    /// What the node is known by. The halfmove clock is part of it only where the fifty-move rule
    /// could be reached before the mate.
    pub fn key(&self) -> Key {
        /// Odd, so that no two clocks come to the same (a fraction of the golden ratio).
        const SPREAD: u64 = 0x9E37_79B9_7F4A_7C15;
        let position = &self.position;
        let clock = usize::from(position.halfmove_clock());
        let mut key = position.key();
        if clock + self.plies() > FIFTY_MOVES {
            key ^= (clock as u64).wrapping_mul(SPREAD);
        }
        let squares = position.occupied().0.wrapping_mul(SPREAD)
            ^ position
                .color(Color::White)
                .0
                .wrapping_mul(SPREAD)
                .rotate_left(32);
        Key {
            position: key,
            check: (squares >> 32) as u32,
        }
    }
}
