//! What each side sees.

use movegen::{Color, Position, Role, Square};

/// A piece of either side on any square.
pub const FEATURES: usize = 2 * SIDE;
/// A piece of one side on any square.
const SIDE: usize = ROLES * SQUARES;
const ROLES: usize = 6;
const SQUARES: usize = 64;

/// Where the pieces stand: a set of squares for each side and role.
pub type Board = [[u64; ROLES]; 2];

pub fn board(position: &Position) -> Board {
    Color::ALL.map(|color| Role::ALL.map(|role| position.pieces(color, role).0))
}

/// The number of a piece on a square, which is the input for it as White sees it from the left.
pub fn feature(color: Color, role: Role, square: usize) -> u16 {
    (color as usize * SIDE + role as usize * SQUARES + square) as u16
}

/// How a side sees the squares: its own first rank nearest, and its own king on the left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct View {
    side: Color,
    /// What changes the index of a square.
    flip: u16,
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
    pub fn input(self, feature: u16) -> u16 {
        const SIDE: u16 = self::SIDE as u16;
        let of_side = match self.side {
            Color::White => feature,
            Color::Black if feature < SIDE => feature + SIDE,
            Color::Black => feature - SIDE,
        };
        of_side ^ self.flip
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
                    let seen = white.input(feature(color, role, square.index()));
                    assert!(usize::from(seen) < FEATURES);
                    let flipped = square.flip_rank().index();
                    assert_eq!(seen, black.input(feature(!color, role, flipped)));
                    // The other half is the mirror image.
                    let mirror = View::of(Color::White, Square::D1);
                    let mirrored = feature(color, role, square.index() ^ 7);
                    assert_eq!(seen, mirror.input(mirrored));
                }
            }
        }
        let king = feature(Color::White, Role::King, Square::G1.index());
        assert_eq!(View::of(Color::White, Square::G1).input(king), 5 * 64 + 1);
    }
}
