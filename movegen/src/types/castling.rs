//! Castling rights, and the squares of king and rook in kingside and queenside castling.

use std::fmt::{self, Write as _};
use std::str::FromStr;

use crate::types::bitboard::Bitboard;
use crate::types::color::Color;
use crate::types::parse_error::ParseError;
use crate::types::square::{File, Rank, Square};

bitflags::bitflags! {
    /// The castling rights of both players: for which castlings the king and rook have not moved yet.
    /// Pieces between them do not matter (EPD 4.3).
    ///
    /// Rights print as the castling availability field of FEN: `KQkq`, `Kq`, `-`. They are read from
    /// letters in any order, each at most once.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub struct CastlingRights: u8 {
        /// White, kingside: `K`.
        const WHITE_KING = 1;
        /// White, queenside: `Q`.
        const WHITE_QUEEN = 2;
        /// Black, kingside: `k`.
        const BLACK_KING = 4;
        /// Black, queenside: `q`.
        const BLACK_QUEEN = 8;
    }
}

/// The side of the board toward which a king castles. It prints as `O-O` or `O-O-O`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CastlingSide {
    /// Kingside: `O-O`.
    King,
    /// Queenside: `O-O-O`.
    Queen,
}

impl CastlingSide {
    /// Kingside and queenside.
    pub const ALL: [Self; 2] = [Self::King, Self::Queen];

    /// Castling in SAN.
    #[must_use]
    pub const fn san(self) -> &'static str {
        match self {
            Self::King => "O-O",
            Self::Queen => "O-O-O",
        }
    }

    /// The side of a castling move, given the destination square of the king.
    #[must_use]
    #[inline]
    pub const fn toward(king_to: Square) -> Self {
        match king_to.file() {
            File::G => Self::King,
            _ => Self::Queen,
        }
    }

    /// The destination square of the king.
    #[must_use]
    #[inline]
    pub const fn king_to(self, color: Color) -> Square {
        Square::new([File::G, File::C][self as usize], Rank::R1).relative_to(color)
    }

    /// The origin square of the rook.
    #[must_use]
    #[inline]
    pub const fn rook_from(self, color: Color) -> Square {
        Square::new([File::H, File::A][self as usize], Rank::R1).relative_to(color)
    }

    /// The destination square of the rook.
    #[must_use]
    #[inline]
    pub const fn rook_to(self, color: Color) -> Square {
        Square::new([File::F, File::D][self as usize], Rank::R1).relative_to(color)
    }

    /// The squares between king and rook, which must be empty.
    #[must_use]
    #[inline]
    pub const fn path(self, color: Color) -> Bitboard {
        Self::on_first_rank([0x60, 0x0E][self as usize], color)
    }

    /// The squares that the king crosses and its destination, which must not be attacked.
    #[must_use]
    #[inline]
    pub const fn walk(self, color: Color) -> Bitboard {
        Self::on_first_rank([0x60, 0x0C][self as usize], color)
    }

    const fn on_first_rank(files: u64, color: Color) -> Bitboard {
        match color {
            Color::White => Bitboard(files),
            Color::Black => Bitboard(files << 56),
        }
    }
}

impl CastlingRights {
    /// The right of one player to castle toward one side.
    #[must_use]
    #[inline]
    pub const fn of(color: Color, side: CastlingSide) -> Self {
        Self::from_bits_retain(1 << (2 * color as u8 + side as u8))
    }

    /// Both rights of one player.
    #[must_use]
    #[inline]
    pub const fn of_side(color: Color) -> Self {
        Self::from_bits_retain(3 << (2 * color as u8))
    }

    /// The four rights in the order of their letters, `KQkq`.
    pub fn each() -> impl Iterator<Item = (Self, Color, CastlingSide)> {
        Color::ALL
            .into_iter()
            .flat_map(|color| CastlingSide::ALL.map(|side| (Self::of(color, side), color, side)))
    }

    /// The rights with their letters, in the order of FEN.
    pub(crate) const LETTERS: [(Self, char); 4] = [
        (Self::WHITE_KING, 'K'),
        (Self::WHITE_QUEEN, 'Q'),
        (Self::BLACK_KING, 'k'),
        (Self::BLACK_QUEEN, 'q'),
    ];

    /// The rights that remain after a piece leaves this square or is captured on it.
    #[inline(always)]
    pub(crate) fn without(self, square: Square) -> Self {
        const LOST: [u8; Square::COUNT] = {
            let mut lost = [0; Square::COUNT];
            lost[Square::E1.index()] = 1 | 2;
            lost[Square::H1.index()] = 1;
            lost[Square::A1.index()] = 2;
            lost[Square::E8.index()] = 4 | 8;
            lost[Square::H8.index()] = 4;
            lost[Square::A8.index()] = 8;
            lost
        };
        Self::from_bits_retain(self.bits() & !LOST[square.index()])
    }
}

impl fmt::Display for CastlingRights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_empty() {
            return f.write_str("-");
        }
        for (right, letter) in Self::LETTERS {
            if self.contains(right) {
                f.write_char(letter)?;
            }
        }
        Ok(())
    }
}

impl FromStr for CastlingRights {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        const ERROR: ParseError =
            ParseError::expected("castling rights (\"-\" or letters of \"KQkq\")");
        let mut rights = Self::empty();
        if text == "-" {
            return Ok(rights);
        }
        for letter in text.chars() {
            match Self::LETTERS.into_iter().find(|right| right.1 == letter) {
                Some((right, _)) if !rights.contains(right) => rights |= right,
                _ => return Err(ERROR),
            }
        }
        if rights.is_empty() {
            return Err(ERROR);
        }
        Ok(rights)
    }
}

impl fmt::Display for CastlingSide {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.san())
    }
}

impl FromStr for CastlingSide {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        Self::ALL
            .into_iter()
            .find(|side| side.san() == text)
            .ok_or(ParseError::expected("castling (O-O or O-O-O)"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_round_trip() {
        for bits in 0..16 {
            let rights = CastlingRights::from_bits_retain(bits);
            assert_eq!(rights.to_string().parse(), Ok(rights));
        }
        assert_eq!(
            "kK".parse(),
            Ok(CastlingRights::WHITE_KING | CastlingRights::BLACK_KING)
        );
        for text in ["", "--", "KK", "K-", "A"] {
            assert!(text.parse::<CastlingRights>().is_err(), "{text}");
        }
        for side in CastlingSide::ALL {
            assert_eq!(side.to_string().parse(), Ok(side));
        }
        assert!("0-0".parse::<CastlingSide>().is_err());
    }
}
