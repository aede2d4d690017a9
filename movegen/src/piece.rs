//! Colours, roles and pieces, and the two sides as types.

use std::fmt;
use std::ops::Not;

use crate::bitboard::Bitboard;
use crate::square::Rank;

/// A side of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Color {
    White,
    Black,
}

impl Color {
    /// White and Black.
    pub const ALL: [Self; 2] = [Self::White, Self::Black];

    /// The letter of the active colour field: `w` or `b`.
    #[must_use]
    pub const fn to_char(self) -> char {
        match self {
            Self::White => 'w',
            Self::Black => 'b',
        }
    }
}

impl Not for Color {
    type Output = Self;

    #[inline]
    fn not(self) -> Self {
        match self {
            Self::White => Self::Black,
            Self::Black => Self::White,
        }
    }
}

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::White => "white",
            Self::Black => "black",
        })
    }
}

/// What a piece is, whoever owns it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Role {
    Pawn,
    Knight,
    Bishop,
    Rook,
    Queen,
    King,
}

impl Role {
    /// The six roles from pawn to king.
    #[rustfmt::skip]
    pub const ALL: [Self; 6] =
        [Self::Pawn, Self::Knight, Self::Bishop, Self::Rook, Self::Queen, Self::King];

    /// What a pawn may become, the queen first.
    pub const PROMOTIONS: [Self; 4] = [Self::Queen, Self::Rook, Self::Bishop, Self::Knight];

    /// The upper-case SAN letter, `P` for a pawn.
    #[must_use]
    pub const fn to_char(self) -> char {
        ['P', 'N', 'B', 'R', 'Q', 'K'][self as usize]
    }

    /// The role of an upper-case SAN letter.
    #[must_use]
    pub fn from_char(letter: char) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.to_char() == letter)
    }
}

/// A piece: whose it is and what it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub struct Piece {
    pub color: Color,
    pub role: Role,
}

impl Piece {
    /// The letter of the piece placement field: upper case for White, lower case for Black.
    #[must_use]
    pub const fn to_char(self) -> char {
        match self.color {
            Color::White => self.role.to_char(),
            Color::Black => self.role.to_char().to_ascii_lowercase(),
        }
    }

    /// The piece of a letter of the piece placement field.
    #[must_use]
    pub fn from_char(letter: char) -> Option<Self> {
        let role = Role::from_char(letter.to_ascii_uppercase())?;
        let color = if letter.is_ascii_uppercase() {
            Color::White
        } else {
            Color::Black
        };
        Some(Self { color, role })
    }
}

/// A colour known at compile time, so that the generator is built once for each side
/// and no direction is looked up while it runs.
pub(crate) trait Side: Copy {
    /// The other side.
    type Other: Side;
    /// This side as a value.
    const COLOR: Color;
    /// What a pawn's single step adds to a square's index.
    const FORWARD: i8;
    /// The rank on which a single step ends when a second one may follow.
    const THIRD_RANK: Bitboard = Bitboard::rank(Rank::R3.relative_to(Self::COLOR));
    /// The rank from which pawns promote.
    const SEVENTH_RANK: Bitboard = Bitboard::rank(Rank::R7.relative_to(Self::COLOR));
    /// The rank on which the pieces start.
    const FIRST_RANK: Bitboard = Bitboard::rank(Rank::R1.relative_to(Self::COLOR));
}

#[derive(Clone, Copy)]
pub(crate) struct White;
#[derive(Clone, Copy)]
pub(crate) struct Black;

impl Side for White {
    type Other = Black;
    const COLOR: Color = Color::White;
    const FORWARD: i8 = 8;
}

impl Side for Black {
    type Other = White;
    const COLOR: Color = Color::Black;
    const FORWARD: i8 = -8;
}

/// Calls a function generic over the side with the side that `$color` names.
macro_rules! by_side {
    ($color:expr, $Side:ident => $call:expr) => {
        match $color {
            $crate::piece::Color::White => {
                type $Side = $crate::piece::White;
                $call
            }
            $crate::piece::Color::Black => {
                type $Side = $crate::piece::Black;
                $call
            }
        }
    };
}
pub(crate) use by_side;
