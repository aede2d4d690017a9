//! Squares, files and ranks.

use std::fmt;
use std::str::FromStr;

use crate::types::color::Color;
use crate::types::parse_error::{ParseError, only_char};

/// A file of the board, `a` to `h`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
#[rustfmt::skip]
#[allow(missing_docs)]
pub enum File { A, B, C, D, E, F, G, H }

/// A rank of the board, `1` to `8`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
#[rustfmt::skip]
#[allow(missing_docs)]
pub enum Rank { R1, R2, R3, R4, R5, R6, R7, R8 }

/// A square of the board; `A1` is 0, `H1` is 7, `H8` is 63.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
#[rustfmt::skip]
#[allow(missing_docs)]
pub enum Square {
    A1, B1, C1, D1, E1, F1, G1, H1,
    A2, B2, C2, D2, E2, F2, G2, H2,
    A3, B3, C3, D3, E3, F3, G3, H3,
    A4, B4, C4, D4, E4, F4, G4, H4,
    A5, B5, C5, D5, E5, F5, G5, H5,
    A6, B6, C6, D6, E6, F6, G6, H6,
    A7, B7, C7, D7, E7, F7, G7, H7,
    A8, B8, C8, D8, E8, F8, G8, H8,
}

impl File {
    /// The eight files from `a` to `h`.
    #[rustfmt::skip]
    pub const ALL: [Self; 8] = [
        Self::A, Self::B, Self::C, Self::D, Self::E, Self::F, Self::G, Self::H,
    ];

    /// The file with this letter, `a` to `h`.
    #[must_use]
    pub fn from_char(letter: char) -> Option<Self> {
        let index = u32::from(letter).checked_sub(u32::from('a'))?;
        Self::ALL.get(index as usize).copied()
    }

    /// The letter of this file.
    #[must_use]
    pub const fn to_char(self) -> char {
        (b'a' + self as u8) as char
    }
}

impl Rank {
    /// The eight ranks from `1` to `8`.
    #[rustfmt::skip]
    pub const ALL: [Self; 8] = [
        Self::R1, Self::R2, Self::R3, Self::R4, Self::R5, Self::R6, Self::R7, Self::R8,
    ];

    /// The rank with this digit, `1` to `8`.
    #[must_use]
    pub fn from_char(digit: char) -> Option<Self> {
        let index = u32::from(digit).checked_sub(u32::from('1'))?;
        Self::ALL.get(index as usize).copied()
    }

    /// The digit of this rank.
    #[must_use]
    pub const fn to_char(self) -> char {
        (b'1' + self as u8) as char
    }

    /// The rank from the point of view of `color`: rank 1 is rank 8 for Black.
    #[must_use]
    pub const fn relative_to(self, color: Color) -> Self {
        match color {
            Color::White => self,
            Color::Black => Self::ALL[7 - self as usize],
        }
    }
}

impl Square {
    /// The number of squares.
    pub const COUNT: usize = 64;

    /// The square on this file and rank.
    #[must_use]
    pub const fn new(file: File, rank: Rank) -> Self {
        Self::from_index(rank as usize * 8 + file as usize)
    }

    /// The square with this index (A1 = 0, H8 = 63).
    ///
    /// # Panics
    /// If the index is greater than 63.
    #[must_use]
    #[inline]
    pub const fn from_index(index: usize) -> Self {
        assert!(index < Self::COUNT);
        // SAFETY: the enum is `repr(u8)` and has a variant for each of 0..=63.
        unsafe { std::mem::transmute::<u8, Self>(index as u8) }
    }

    /// The square whose index is in the six lowest bits.
    #[inline(always)]
    pub(crate) const fn from_low_bits(index: u32) -> Self {
        // SAFETY: the enum is `repr(u8)` and has a variant for each of 0..=63.
        unsafe { std::mem::transmute::<u8, Self>(index as u8 & 63) }
    }

    /// The index of the square (A1 = 0, H8 = 63).
    #[must_use]
    #[inline(always)]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The file of the square.
    #[must_use]
    #[inline]
    pub const fn file(self) -> File {
        File::ALL[self as usize & 7]
    }

    /// The rank of the square.
    #[must_use]
    #[inline]
    pub const fn rank(self) -> Rank {
        Rank::ALL[self as usize >> 3]
    }

    /// The square mirrored vertically: A1 becomes A8.
    #[must_use]
    #[inline]
    pub const fn flip_rank(self) -> Self {
        Self::from_low_bits(self as u32 ^ 0b11_1000)
    }

    /// The square from the point of view of `color`: unchanged for White, [mirrored](Self::flip_rank)
    /// for Black.
    #[must_use]
    #[inline]
    pub const fn relative_to(self, color: Color) -> Self {
        match color {
            Color::White => self,
            Color::Black => self.flip_rank(),
        }
    }

    /// How many moves a king needs to reach another square on an empty board.
    #[must_use]
    #[inline]
    pub const fn distance(self, other: Self) -> usize {
        let files = (self.file() as usize).abs_diff(other.file() as usize);
        let ranks = (self.rank() as usize).abs_diff(other.rank() as usize);
        if files > ranks { files } else { ranks }
    }

    /// The 64 squares from A1 to H8.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator {
        (0..Self::COUNT).map(Self::from_index)
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.file().to_char(), self.rank().to_char())
    }
}

impl FromStr for Square {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let square = || {
            let mut letters = text.chars();
            let file = File::from_char(letters.next()?)?;
            let rank = Rank::from_char(letters.next()?)?;
            letters.next().is_none().then_some(Self::new(file, rank))
        };
        square().ok_or(ParseError::expected("a square (a1 to h8)"))
    }
}

impl fmt::Display for File {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.to_char().fmt(f)
    }
}

impl FromStr for File {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        only_char(text)
            .and_then(Self::from_char)
            .ok_or(ParseError::expected("a file (a to h)"))
    }
}

impl fmt::Display for Rank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.to_char().fmt(f)
    }
}

impl FromStr for Rank {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        only_char(text)
            .and_then(Self::from_char)
            .ok_or(ParseError::expected("a rank (1 to 8)"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_indices_round_trip() {
        for (index, square) in Square::all().enumerate() {
            assert_eq!(square.index(), index);
            assert_eq!(Square::new(square.file(), square.rank()), square);
            assert_eq!(square.to_string().parse(), Ok(square));
        }
        assert_eq!(Square::E4.to_string(), "e4");
        for (file, rank) in File::ALL.into_iter().zip(Rank::ALL) {
            assert_eq!(file.to_string().parse(), Ok(file));
            assert_eq!(rank.to_string().parse(), Ok(rank));
        }
        assert!("A".parse::<File>().is_err() && "ab".parse::<File>().is_err());
        assert!("0".parse::<Rank>().is_err() && "".parse::<Rank>().is_err());
    }

    #[test]
    fn other_text_is_not_a_square() {
        for text in ["", "e", "e9", "i4", "e44", "E4", "4e", "é4"] {
            let error = text.parse::<Square>().expect_err(text);
            assert_eq!(error.to_string(), "not a square (a1 to h8)", "{text}");
        }
    }

    #[test]
    fn squares_relative_to_black() {
        assert_eq!(Square::E2.relative_to(Color::Black), Square::E7);
        assert_eq!(Rank::R7.relative_to(Color::Black), Rank::R2);
    }
}
