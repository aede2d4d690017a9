//! The nodes of the search tree.

use movegen::{Color, Move, Position, Role};

use crate::ordering::checks::Checks;

/// Plies without capture or pawn move after which the game is drawn.
const FIFTY_MOVES: usize = 100;

/// A position and the question about it.
pub(super) struct Node {
    pub position: Position,
    /// The moves that the attacker has left to mate, whichever side is to move.
    pub moves: usize,
    /// Whether the attacker is to move.
    pub attacks: bool,
}

/// The key of a node in the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Key {
    pub position: u64,
    /// A second, independent hash: positions that share the first key practically never share
    /// both.
    pub check: u32,
}

impl Node {
    /// The question whether the side to move mates within this many moves.
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

    /// Whether the attacker cannot mate any more because of the halfmove clock or the material. The
    /// position itself may still be checkmate.
    pub fn is_drawn(&self, attacker: Color) -> bool {
        let position = &self.position;
        usize::from(position.halfmove_clock()) >= FIFTY_MOVES
            || position.color(attacker) == position.color(attacker) & position.role(Role::King)
            || position.is_insufficient_material()
    }

    /// Whether the side to move has a mate in one.
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

    /// The remaining plies, including the attacker's last.
    pub fn plies(&self) -> usize {
        2 * self.moves - usize::from(self.attacks)
    }

    /// The key in the table. It includes the halfmove clock only if the fifty-move rule could end the
    /// game before the mate.
    pub fn key(&self) -> Key {
        /// The golden ratio in 64 bits. It is odd, so that different clocks give different products.
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
