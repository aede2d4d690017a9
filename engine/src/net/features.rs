//! What each side sees.

use movegen::{Color, Position, Role, Square};

/// A piece of either side on any square.
pub const FEATURES: usize = 2 * ROLES * SQUARES;
const ROLES: usize = 6;
const SQUARES: usize = 64;

/// Where the pieces stand: a set of squares for each side and role.
pub type Board = [[u64; ROLES]; 2];

pub fn board(position: &Position) -> Board {
    Color::ALL.map(|color| Role::ALL.map(|role| position.pieces(color, role).0))
}

/// How a side sees the squares: its own first rank nearest, and its own king on the left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct View {
    side: Color,
    /// What changes the index of a square.
    flip: usize,
}

impl View {
    /// The view of a side whose king stands there.
    pub fn of(side: Color, king: Square) -> Self {
        let ranks = match side {
            Color::White => 0,
            Color::Black => 0b11_1000,
        };
        Self {
            side,
            flip: ranks | if Self::is_mirrored(king) { 0b111 } else { 0 },
        }
    }

    /// Whether left and right change sides for a king.
    pub fn is_mirrored(king: Square) -> bool {
        king.index() & 0b100 != 0
    }

    /// The input for a piece.
    pub fn feature(self, color: Color, role: Role, square: usize) -> u16 {
        let enemy = usize::from(color != self.side);
        ((enemy * ROLES + role as usize) * SQUARES + (square ^ self.flip)) as u16
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_sides_see_the_same_from_where_they_sit() {
        let white = View::of(Color::White, Square::E1);
        let black = View::of(Color::Black, Square::E8);
        for role in Role::ALL {
            for color in Color::ALL {
                for square in Square::all() {
                    let seen = white.feature(color, role, square.index());
                    assert!(usize::from(seen) < FEATURES);
                    let flipped = square.flip_rank().index();
                    assert_eq!(seen, black.feature(!color, role, flipped));
                    // The other half is the mirror image.
                    let mirror = View::of(Color::White, Square::D1);
                    assert_eq!(seen, mirror.feature(color, role, square.index() ^ 7));
                }
            }
        }
        let king = View::of(Color::White, Square::G1).feature(Color::White, Role::King, 6);
        assert_eq!(king, 5 * 64 + 1);
    }
}
