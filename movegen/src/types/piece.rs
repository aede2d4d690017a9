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

    /// The role with this upper-case letter, `P` for a pawn.
    #[must_use]
    #[inline]
    pub const fn from_char(letter: char) -> Option<Self> {
        match letter {
            'P' => Some(Self::Pawn),
            'N' => Some(Self::Knight),
            'B' => Some(Self::Bishop),
            'R' => Some(Self::Rook),
            'Q' => Some(Self::Queen),
            'K' => Some(Self::King),
            _ => None,
        }
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

/// A piece: a role and its color. An `Option<Piece>` takes one byte too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Piece {
    WhitePawn,
    WhiteKnight,
    WhiteBishop,
    WhiteRook,
    WhiteQueen,
    WhiteKing,
    BlackPawn,
    BlackKnight,
    BlackBishop,
    BlackRook,
    BlackQueen,
    BlackKing,
}

const _: () = assert!(size_of::<Option<Piece>>() == 1);

impl Piece {
    /// White's pieces from pawn to king, then Black's.
    #[rustfmt::skip]
    pub const ALL: [Self; 12] = [
        Self::WhitePawn, Self::WhiteKnight, Self::WhiteBishop,
        Self::WhiteRook, Self::WhiteQueen, Self::WhiteKing,
        Self::BlackPawn, Self::BlackKnight, Self::BlackBishop,
        Self::BlackRook, Self::BlackQueen, Self::BlackKing,
    ];

    /// The piece with this color and role.
    #[must_use]
    #[inline]
    pub const fn new(color: Color, role: Role) -> Self {
        Self::ALL[color as usize * Role::ALL.len() + role as usize]
    }

    /// The color of the piece.
    #[must_use]
    #[inline]
    pub const fn color(self) -> Color {
        Color::ALL[self as usize / Role::ALL.len()]
    }

    /// The role of the piece.
    #[must_use]
    #[inline]
    pub const fn role(self) -> Role {
        Role::ALL[self as usize % Role::ALL.len()]
    }

    /// The FEN letter: upper case for White, lower case for Black.
    #[must_use]
    #[inline]
    pub const fn to_char(self) -> char {
        let letter = self.role().to_char();
        match self.color() {
            Color::White => letter,
            Color::Black => letter.to_ascii_lowercase(),
        }
    }

    /// The piece with this FEN letter.
    #[must_use]
    #[inline]
    pub const fn from_char(letter: char) -> Option<Self> {
        let Some(role) = Role::from_char(letter.to_ascii_uppercase()) else {
            return None;
        };
        let color = if letter.is_ascii_uppercase() {
            Color::White
        } else {
            Color::Black
        };
        Some(Self::new(color, role))
    }
}
