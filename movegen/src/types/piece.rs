//! Roles and pieces.

use crate::types::color::Color;

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

/// What a pawn may become on the last rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Promotion {
    Knight,
    Bishop,
    Rook,
    Queen,
}

impl Promotion {
    /// The four promotions, the queen first.
    pub const ALL: [Self; 4] = [Self::Queen, Self::Rook, Self::Bishop, Self::Knight];

    /// The role of the new piece.
    #[must_use]
    #[inline(always)]
    pub const fn role(self) -> Role {
        match self {
            Self::Knight => Role::Knight,
            Self::Bishop => Role::Bishop,
            Self::Rook => Role::Rook,
            Self::Queen => Role::Queen,
        }
    }
}

impl From<Promotion> for Role {
    fn from(promotion: Promotion) -> Self {
        promotion.role()
    }
}

/// A piece: whose it is and what it is. Its number is its letter in the piece placement field,
/// upper case for White and lower case for Black; an `Option` of it is one byte as well.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Piece {
    WhitePawn = b'P',
    WhiteKnight = b'N',
    WhiteBishop = b'B',
    WhiteRook = b'R',
    WhiteQueen = b'Q',
    WhiteKing = b'K',
    BlackPawn = b'p',
    BlackKnight = b'n',
    BlackBishop = b'b',
    BlackRook = b'r',
    BlackQueen = b'q',
    BlackKing = b'k',
}

const _: () = assert!(size_of::<Option<Piece>>() == 1);

/// The roles by the bits that the letters of both sides have in common: to look a role up is faster
/// than to branch on a letter that nobody can guess.
static ROLES: [Role; 32] = {
    let mut roles = [Role::Pawn; 32];
    let mut i = 0;
    while i < Role::ALL.len() {
        let role = Role::ALL[i];
        roles[role.to_char() as usize % 32] = role;
        i += 1;
    }
    roles
};

impl Piece {
    /// White's pieces from pawn to king, then Black's.
    #[rustfmt::skip]
    pub const ALL: [Self; 12] = [
        Self::WhitePawn, Self::WhiteKnight, Self::WhiteBishop,
        Self::WhiteRook, Self::WhiteQueen, Self::WhiteKing,
        Self::BlackPawn, Self::BlackKnight, Self::BlackBishop,
        Self::BlackRook, Self::BlackQueen, Self::BlackKing,
    ];

    /// The piece of a side and a role.
    #[must_use]
    #[inline]
    pub const fn new(color: Color, role: Role) -> Self {
        Self::ALL[color as usize * Role::ALL.len() + role as usize]
    }

    /// Whose it is.
    #[must_use]
    #[inline]
    pub const fn color(self) -> Color {
        if (self as u8).is_ascii_uppercase() {
            Color::White
        } else {
            Color::Black
        }
    }

    /// What it is.
    #[must_use]
    #[inline]
    pub const fn role(self) -> Role {
        ROLES[self as usize % ROLES.len()]
    }

    /// The letter of the piece placement field.
    #[must_use]
    pub const fn to_char(self) -> char {
        self as u8 as char
    }

    /// The piece of a letter of the piece placement field.
    #[must_use]
    pub fn from_char(letter: char) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|piece| piece.to_char() == letter)
    }
}
