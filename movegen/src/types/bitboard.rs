//! Sets of squares.

use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

use crate::types::square::{File, Rank, Square};

/// A set of squares, one bit each: bit 0 is A1, bit 63 is H8.
///
/// ```
/// # use epode_movegen::{Bitboard, File, Rank};
/// let cross = Bitboard::file(File::C) | Bitboard::rank(Rank::R6);
/// assert_eq!(cross.to_string(), "\
/// . . X . . . . .
/// . . X . . . . .
/// X X X X X X X X
/// . . X . . . . .
/// . . X . . . . .
/// . . X . . . . .
/// . . X . . . . .
/// . . X . . . . .
/// ");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Bitboard(pub u64);

impl Bitboard {
    /// No square.
    pub const EMPTY: Self = Self(0);
    /// Every square.
    pub const ALL: Self = Self(!0);
    /// The dark squares, such as A1.
    pub const DARK: Self = Self(0xAA55_AA55_AA55_AA55);

    /// The set that holds one square.
    #[must_use]
    #[inline(always)]
    pub const fn of(square: Square) -> Self {
        Self(1 << square as u32)
    }

    /// The squares of a file.
    #[must_use]
    pub const fn file(file: File) -> Self {
        Self(0x0101_0101_0101_0101 << file as u32)
    }

    /// The squares of a rank.
    #[must_use]
    pub const fn rank(rank: Rank) -> Self {
        Self(0xFF << (8 * rank as u32))
    }

    /// Whether no square is in the set.
    #[must_use]
    #[inline(always)]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether any square is in the set.
    #[must_use]
    #[inline(always)]
    pub const fn any(self) -> bool {
        self.0 != 0
    }

    /// Whether two or more squares are in the set.
    #[must_use]
    #[inline(always)]
    pub const fn many(self) -> bool {
        self.0 & self.0.wrapping_sub(1) != 0
    }

    /// How many squares are in the set.
    #[must_use]
    #[inline(always)]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether the square is in the set.
    #[must_use]
    #[inline(always)]
    pub const fn contains(self, square: Square) -> bool {
        self.0 >> square as u32 & 1 != 0
    }

    /// The square with the lowest index, if there is one.
    #[must_use]
    #[inline(always)]
    pub const fn first(self) -> Option<Square> {
        if self.is_empty() {
            None
        } else {
            Some(self.first_unchecked())
        }
    }

    /// The square with the lowest index of a set known not to be empty. Returns A1 for an empty set.
    #[inline(always)]
    pub(crate) const fn first_unchecked(self) -> Square {
        Square::from_low_bits(self.0.trailing_zeros())
    }

    /// The set with `step` added to the index of each square. Squares that leave the board at the
    /// top or bottom are dropped; squares that leave it at the left or right wrap around.
    #[inline(always)]
    pub(crate) const fn shift(self, step: i8) -> Self {
        if step >= 0 {
            Self(self.0 << step)
        } else {
            Self(self.0 >> -step)
        }
    }
}

macro_rules! set_operator {
    ($($Op:ident $op:ident $OpAssign:ident $op_assign:ident $symbol:tt),*) => {$(
        impl $Op for Bitboard {
            type Output = Self;
            #[inline(always)]
            fn $op(self, other: Self) -> Self {
                Self(self.0 $symbol other.0)
            }
        }
        impl $OpAssign for Bitboard {
            #[inline(always)]
            fn $op_assign(&mut self, other: Self) {
                self.0 = self.0 $symbol other.0;
            }
        }
    )*};
}
set_operator!(
    BitAnd bitand BitAndAssign bitand_assign &,
    BitOr bitor BitOrAssign bitor_assign |,
    BitXor bitxor BitXorAssign bitxor_assign ^
);

impl Not for Bitboard {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        Self(!self.0)
    }
}

impl From<Square> for Bitboard {
    #[inline(always)]
    fn from(square: Square) -> Self {
        Self::of(square)
    }
}

impl FromIterator<Square> for Bitboard {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Self {
        squares
            .into_iter()
            .fold(Self::EMPTY, |set, square| set | Self::of(square))
    }
}

impl IntoIterator for Bitboard {
    type Item = Square;
    type IntoIter = Squares;
    #[inline(always)]
    fn into_iter(self) -> Squares {
        Squares(self)
    }
}

/// The squares of a [`Bitboard`] from A1 to H8.
#[derive(Clone, Debug)]
pub struct Squares(Bitboard);

impl Iterator for Squares {
    type Item = Square;

    #[inline(always)]
    fn next(&mut self) -> Option<Square> {
        let square = self.0.first()?;
        self.0.0 &= self.0.0 - 1;
        Some(square)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let len = self.0.len() as usize;
        (len, Some(len))
    }
}

impl ExactSizeIterator for Squares {}

impl fmt::Display for Bitboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in Rank::ALL.into_iter().rev() {
            for file in File::ALL {
                let mark = if self.contains(Square::new(file, rank)) {
                    'X'
                } else {
                    '.'
                };
                let gap = if file == File::H { '\n' } else { ' ' };
                write!(f, "{mark}{gap}")?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_contain_their_squares() {
        let squares = [Square::A1, Square::C6, Square::H8];
        let set: Bitboard = squares.into_iter().collect();
        assert!(set.into_iter().eq(squares));
        assert_eq!(set.len(), 3);
        assert!(set.many() && set.contains(Square::C6) && !set.contains(Square::C5));
        assert_eq!(Bitboard::EMPTY.first(), None);
        assert!(Bitboard::DARK.contains(Square::A1) && !Bitboard::DARK.contains(Square::H1));
    }
}
