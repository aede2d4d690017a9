//! Castling rights, and the squares of king and rook in kingside and queenside castling.

use std::fmt::{self, Write as _};
use std::str::FromStr;

use crate::types::color::Color;
use crate::types::parse_error::ParseError;
use crate::types::square::{File, Rank, Square};

bitflags::bitflags! {
    /// The castling rights of both players, as the rooks with which the kings may castle: one bit for
    /// each file of the first rank, then one for each file of the eighth. Pieces between king and rook
    /// do not matter (EPD 4.3).
    ///
    /// The constants are the rights of standard chess. Chess960 has others: see
    /// [`of_rook`](Self::of_rook).
    ///
    /// Rights print and read as the castling availability field of FEN: `KQkq`, `Kq`, `-`, or with the
    /// files of the rooks (Shredder-FEN), `GBgb`, if a rook is not in a corner. Letters can be read in
    /// any order, each right at most once.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub struct CastlingRights: u16 {
        /// White, kingside, with the rook from H1: `K`.
        const WHITE_KING = 1 << 7;
        /// White, queenside, with the rook from A1: `Q`.
        const WHITE_QUEEN = 1;
        /// Black, kingside, with the rook from H8: `k`.
        const BLACK_KING = 1 << 15;
        /// Black, queenside, with the rook from A8: `q`.
        const BLACK_QUEEN = 1 << 8;
        /// All rights of standard chess: `KQkq`.
        const STANDARD = 0x8181;
        // All other files.
        const _ = !0;
    }
}

/// How castling is written and where kings and rooks may stand that castle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum CastlingMode {
    /// Standard chess: kings castle from the e-file with rooks from the corners.
    #[default]
    Standard,
    /// Chess960 (Fischer random chess) and its variant with two different back ranks: kings castle from
    /// any file with any rook.
    Chess960,
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

    /// The origin square of the rook in standard chess. In Chess960, see
    /// [`Position::castling_rook`](crate::Position::castling_rook).
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
}

impl CastlingRights {
    /// The right of one player to castle toward one side in standard chess.
    #[must_use]
    #[inline]
    pub const fn of(color: Color, side: CastlingSide) -> Self {
        Self::of_rook(color, side.rook_from(color).file())
    }

    /// The right of one player to castle with the rook of this file.
    #[must_use]
    #[inline]
    pub const fn of_rook(color: Color, file: File) -> Self {
        Self::from_bits_retain(1 << (8 * color as u16 + file as u16))
    }

    /// All rights of one player.
    #[must_use]
    #[inline]
    pub const fn of_side(color: Color) -> Self {
        Self::from_bits_retain(0xFF << (8 * color as u16))
    }

    /// The four rights of standard chess in the order of their letters, `KQkq`.
    pub fn each() -> impl Iterator<Item = (Self, Color, CastlingSide)> {
        Color::ALL
            .into_iter()
            .flat_map(|color| CastlingSide::ALL.map(|side| (Self::of(color, side), color, side)))
    }

    /// The files of the rooks with which one player may castle; bit 0 is the a-file.
    #[inline(always)]
    pub(crate) const fn files(self, color: Color) -> u8 {
        (self.bits() >> (8 * color as u16)) as u8
    }

    /// The rights one by one, White's before Black's, each from the h-file to the a-file, with the
    /// squares of the rooks.
    pub fn rooks(self) -> impl Iterator<Item = (Self, Color, Square)> {
        Color::ALL.into_iter().flat_map(move |color| {
            let mut files = self.files(color);
            std::iter::from_fn(move || {
                let file = File::ALL[files.checked_ilog2()? as usize];
                files ^= 1 << file as u8;
                let square = Square::new(file, Rank::R1).relative_to(color);
                Some((Self::of_rook(color, file), color, square))
            })
        })
    }

    /// Whether all rights are those of standard chess.
    #[must_use]
    pub const fn is_standard(self) -> bool {
        self.bits() & !Self::STANDARD.bits() == 0
    }

    /// The file of the rook with which the king of this file may castle toward a side.
    #[must_use]
    #[inline(always)]
    pub(crate) const fn rook_file(
        self,
        color: Color,
        side: CastlingSide,
        king: File,
    ) -> Option<File> {
        let files = self.files(color);
        let beyond = match side {
            CastlingSide::King => files & (0xFE << king as u8),
            CastlingSide::Queen => files & !(0xFF << king as u8),
        };
        if beyond == 0 {
            None
        } else {
            Some(File::ALL[beyond.trailing_zeros() as usize & 7])
        }
    }

    /// The letter of a right of standard chess.
    pub(crate) const fn standard_letter(color: Color, side: CastlingSide) -> char {
        match (color, side) {
            (Color::White, CastlingSide::King) => 'K',
            (Color::White, CastlingSide::Queen) => 'Q',
            (Color::Black, CastlingSide::King) => 'k',
            (Color::Black, CastlingSide::Queen) => 'q',
        }
    }

    /// The letter of the first of the [`rooks`](Self::rooks): one of `KQkq` for a standard right, or the
    /// file of the rook; `-` for no right.
    #[must_use]
    pub fn letter(self, mode: CastlingMode) -> char {
        let Some((_, color, rook)) = self.rooks().next() else {
            return '-';
        };
        match (mode, rook.file()) {
            (CastlingMode::Standard, File::H) => Self::standard_letter(color, CastlingSide::King),
            (CastlingMode::Standard, File::A) => Self::standard_letter(color, CastlingSide::Queen),
            (_, file) => Self::file_letter(color, file),
        }
    }

    /// The file of a rook as a castling letter: a capital letter for White.
    pub(crate) const fn file_letter(color: Color, file: File) -> char {
        match color {
            Color::White => file.to_char().to_ascii_uppercase(),
            Color::Black => file.to_char(),
        }
    }

    /// The rights that remain after a piece other than the king leaves this square, or one is captured
    /// on it.
    #[inline(always)]
    pub(crate) fn without_rook(self, square: Square) -> Self {
        const LOST: [u16; Square::COUNT] = {
            let mut lost = [0; Square::COUNT];
            let mut file = 0;
            while file < 8 {
                lost[file] = 1 << file;
                lost[56 + file] = 1 << (8 + file);
                file += 1;
            }
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
        let mode = if self.is_standard() {
            CastlingMode::Standard
        } else {
            CastlingMode::Chess960
        };
        self.rooks()
            .try_for_each(|(right, ..)| f.write_char(right.letter(mode)))
    }
}

impl FromStr for CastlingRights {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        const ERROR: ParseError = ParseError::expected(
            "castling rights (\"-\", or letters of \"KQkq\", or files such as \"HAha\")",
        );
        let mut rights = Self::empty();
        if text == "-" {
            return Ok(rights);
        }
        for letter in text.chars() {
            let color = if letter.is_ascii_uppercase() {
                Color::White
            } else {
                Color::Black
            };
            let right = match letter.to_ascii_lowercase() {
                'k' => Self::of(color, CastlingSide::King),
                'q' => Self::of(color, CastlingSide::Queen),
                file => Self::of_rook(color, File::from_char(file).ok_or(ERROR)?),
            };
            if rights.contains(right) {
                return Err(ERROR);
            }
            rights |= right;
        }
        if rights.is_empty() {
            return Err(ERROR);
        }
        Ok(rights)
    }
}

impl fmt::Display for CastlingMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Standard => "standard",
            Self::Chess960 => "chess960",
        })
    }
}

impl FromStr for CastlingMode {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        [Self::Standard, Self::Chess960]
            .into_iter()
            .find(|mode| mode.to_string() == text)
            .ok_or(ParseError::expected("standard or chess960"))
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
        for bits in 0..=u16::MAX {
            let rights = CastlingRights::from_bits_retain(bits);
            assert_eq!(rights.to_string().parse(), Ok(rights));
        }
        for (text, printed) in [
            ("HAha", "KQkq"),
            ("qkQK", "KQkq"),
            ("bGgB", "GBgb"),
            ("aC", "Ca"),
        ] {
            let rights: CastlingRights = text.parse().expect(text);
            assert_eq!(rights.to_string(), printed);
        }
        assert_eq!(
            "kK".parse(),
            Ok(CastlingRights::WHITE_KING | CastlingRights::BLACK_KING)
        );
        for text in ["", "--", "KK", "K-", "KH", "I"] {
            assert!(text.parse::<CastlingRights>().is_err(), "{text}");
        }
        for side in CastlingSide::ALL {
            assert_eq!(side.to_string().parse(), Ok(side));
        }
        assert!("0-0".parse::<CastlingSide>().is_err());
    }
}
