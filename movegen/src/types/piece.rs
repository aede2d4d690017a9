//! Roles and pieces.

use std::fmt;
use std::str::FromStr;

use crate::types::color::Color;
use crate::types::parse_error::{ParseError, only_char};

/// The kind of a piece, without its color.
///
/// It prints as its letter in SAN: `N` for a knight, and `P` for a pawn.
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

    /// The upper-case letter in SAN, `P` for a pawn.
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

/// What a pawn can promote to. It prints as its letter in SAN.
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
    /// The four promotions, from queen to knight.
    pub const ALL: [Self; 4] = [Self::Queen, Self::Rook, Self::Bishop, Self::Knight];

    /// The promotion to this role; none to a pawn or king.
    #[must_use]
    #[inline]
    pub const fn from_role(role: Role) -> Option<Self> {
        match role {
            Role::Knight => Some(Self::Knight),
            Role::Bishop => Some(Self::Bishop),
            Role::Rook => Some(Self::Rook),
            Role::Queen => Some(Self::Queen),
            Role::Pawn | Role::King => None,
        }
    }

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

/// A piece: a role and a color. An `Option<Piece>` takes one byte too.
///
/// ```
/// use epode_movegen::{Color, Piece, Role};
///
/// let piece: Piece = "n".parse()?;
/// assert_eq!((piece.color(), piece.role()), (Color::Black, Role::Knight));
/// assert_eq!(piece.to_string(), "n");
/// # Ok::<(), epode_movegen::ParseError>(())
/// ```
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

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.to_char().fmt(f)
    }
}

impl FromStr for Role {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        only_char(text)
            .and_then(Self::from_char)
            .ok_or(ParseError::expected("a piece letter (P, N, B, R, Q or K)"))
    }
}

impl fmt::Display for Promotion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.role().fmt(f)
    }
}

impl FromStr for Promotion {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        only_char(text)
            .and_then(Role::from_char)
            .and_then(Self::from_role)
            .ok_or(ParseError::expected("a promotion (N, B, R or Q)"))
    }
}

impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.to_char().fmt(f)
    }
}

impl FromStr for Piece {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        only_char(text)
            .and_then(Self::from_char)
            .ok_or(ParseError::expected(
                "a piece letter (PNBRQK for White, pnbrqk for Black)",
            ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_round_trip() {
        for piece in Piece::ALL {
            assert_eq!(piece.to_string().parse(), Ok(piece));
            assert_eq!(Piece::new(piece.color(), piece.role()), piece);
        }
        for role in Role::ALL {
            assert_eq!(role.to_string().parse(), Ok(role));
            let promotion = role.to_string().parse::<Promotion>();
            assert_eq!(
                promotion.map(Promotion::role).ok(),
                match role {
                    Role::Pawn | Role::King => None,
                    role => Some(role),
                }
            );
        }
        for text in ["", "n", "x", "NN"] {
            assert!(text.parse::<Role>().is_err(), "{text}");
        }
        let error = "x".parse::<Piece>().expect_err("not a piece").to_string();
        assert_eq!(
            error,
            "not a piece letter (PNBRQK for White, pnbrqk for Black)"
        );
    }
}
