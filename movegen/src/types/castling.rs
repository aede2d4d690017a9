//! Castling rights, and the squares of king and rook in kingside and queenside castling.

use std::fmt::{self, Write as _};

use crate::types::bitboard::Bitboard;
use crate::types::color::Color;
use crate::types::square::{File, Rank, Square};

bitflags::bitflags! {
    /// The castlings whose king and rook have not moved yet. Pieces in between do not matter
    /// (EPD 4.3).
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

/// The side of the board toward which a king castles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CastlingSide {
    /// The short side: `O-O`.
    King,
    /// The long side: `O-O-O`.
    Queen,
}

impl CastlingSide {
    /// Kingside and queenside.
    pub const ALL: [Self; 2] = [Self::King, Self::Queen];

    /// The side of a castling move, given the destination square of the king.
    #[must_use]
    #[inline]
    pub const fn toward(king_to: Square) -> Self {
        match king_to.file() {
            File::G => Self::King,
            _ => Self::Queen,
        }
    }

    /// Where the king lands.
    #[must_use]
    #[inline]
    pub const fn king_to(self, color: Color) -> Square {
        Square::new([File::G, File::C][self as usize], Rank::R1).relative_to(color)
    }

    /// Where the rook stands before.
    #[must_use]
    #[inline]
    pub const fn rook_from(self, color: Color) -> Square {
        Square::new([File::H, File::A][self as usize], Rank::R1).relative_to(color)
    }

    /// Where the rook lands.
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

    /// The squares that the king crosses or reaches, which must not be attacked.
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

    /// The rights with their letters, in the order in which they are written.
    pub(crate) const LETTERS: [(Self, char); 4] = [
        (Self::WHITE_KING, 'K'),
        (Self::WHITE_QUEEN, 'Q'),
        (Self::BLACK_KING, 'k'),
        (Self::BLACK_QUEEN, 'q'),
    ];

    /// What is left of the rights when a piece leaves this square or is captured on it.
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

/// Prints the castling availability field: letters in the order `KQkq`, or `-`.
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
