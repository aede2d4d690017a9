//! The key of the continuation histories: a piece and the square it moved to.

use movegen::{Color, Move, Position, Role, Square};

/// A piece and the square it moved to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PieceTo(u16);

impl PieceTo {
    /// No move: before the root, and after a null move.
    pub const NONE: Self = Self(Self::COUNT as u16 - 1);
    pub const COUNT: usize = 2 * Role::ALL.len() * Square::COUNT + 1;

    pub fn of(position: &Position, mv: Move) -> Self {
        let role = position.role_at(mv.from()).unwrap_or(Role::Pawn);
        Self::new(position.turn(), role, mv.to())
    }

    pub const fn new(color: Color, role: Role, to: Square) -> Self {
        let piece = color as usize * Role::ALL.len() + role as usize;
        Self((piece * Square::COUNT + to as usize) as u16)
    }

    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// The side that moved.
    pub fn color(self) -> Color {
        Color::ALL[self.index() / (Role::ALL.len() * Square::COUNT)]
    }
}

/// The previous moves at a node: the opponent's last move, and the own move before it.
pub(crate) type PreviousMoves = [PieceTo; 2];
