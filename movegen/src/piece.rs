//! Roles and pieces.

use crate::color::Color;

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
