//! The input features of the network.

use movegen::{Color, Position, Role, Square};

/// The inputs for each side: a piece of either side on any square.
pub const FEATURES: usize = KINDS * SQUARES;
/// The kinds of pieces: role and colour.
const KINDS: usize = 12;
const SQUARES: usize = 64;
/// Flips the colour of a feature.
const OTHER_SIDE: u16 = SQUARES as u16;
/// Flip the rank and the file of a square.
const OTHER_RANK: u16 = 0b11_1000;
const OTHER_FILE: u16 = 0b111;

/// A bitboard for each kind of piece.
pub type Board = [u64; KINDS];

/// The index of a kind. The two colours of a role are neighbours, so that a [`Perspective`] only
/// flips bits.
pub fn kind(color: Color, role: Role) -> usize {
    2 * role as usize + color as usize
}

pub fn board(position: &Position) -> Board {
    let mut board = Board::default();
    for color in Color::ALL {
        for role in Role::ALL {
            board[kind(color, role)] = position.pieces(color, role).0;
        }
    }
    board
}

/// The input for a piece on a square in the perspective of White, unmirrored.
pub fn feature(kind: usize, square: usize) -> u16 {
    (kind * SQUARES + square) as u16
}

/// The perspective of a side: its own pieces first, its own first rank nearest, and its own king
/// on the left half.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Perspective(u16);

impl Perspective {
    /// The perspective of a side whose king is on this square.
    pub fn of(side: Color, king: Square) -> Self {
        let turned = match side {
            Color::White => 0,
            Color::Black => OTHER_SIDE | OTHER_RANK,
        };
        Self(
            turned
                | if Self::is_mirrored(king) {
                    OTHER_FILE
                } else {
                    0
                },
        )
    }

    /// Whether the board is mirrored left to right for a king.
    pub fn is_mirrored(king: Square) -> bool {
        king.index() & 0b100 != 0
    }

    /// The input for a piece.
    pub fn input(self, feature: u16) -> u16 {
        feature ^ self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_perspectives_are_symmetric() {
        let white = Perspective::of(Color::White, Square::E1);
        let black = Perspective::of(Color::Black, Square::E8);
        for role in Role::ALL {
            for color in Color::ALL {
                for square in Square::all() {
                    let seen = white.input(feature(kind(color, role), square.index()));
                    assert!(usize::from(seen) < FEATURES);
                    let flipped = square.flip_rank().index();
                    assert_eq!(seen, black.input(feature(kind(!color, role), flipped)));
                    // The other half is the mirror image.
                    let mirror = Perspective::of(Color::White, Square::D1);
                    let mirrored = feature(kind(color, role), square.index() ^ 7);
                    assert_eq!(seen, mirror.input(mirrored));
                }
            }
        }
        let king = feature(kind(Color::White, Role::King), Square::G1.index());
        assert_eq!(
            Perspective::of(Color::White, Square::G1).input(king),
            10 * 64 + 1
        );
    }
}
