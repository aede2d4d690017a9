//! Moves of 16 bits, and move lists.

use std::fmt;
use std::num::NonZeroU16;

use arrayvec::ArrayVec;

use crate::types::piece::{Promotion, Role};
use crate::types::square::Square;

/// An upper bound of the legal moves in a position: nine queens with 27 moves each, two rooks with
/// 14, two bishops with 13, two knights with 8, and a king with 10. (The known maximum is 218.)
pub const MAX_MOVES: usize = 9 * 27 + 2 * 14 + 2 * 13 + 2 * 8 + 10;

/// The legal moves of a position.
pub type MoveList = ArrayVec<Move, MAX_MOVES>;

/// Which special rule applies to a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveKind {
    /// None. Captures and double pushes are normal moves.
    Normal,
    /// A pawn promotes.
    Promotion,
    /// An en passant capture. The captured pawn is not on the destination square but behind it.
    EnPassant,
    /// Castling, given by the origin and destination square of the king.
    Castle,
}

/// A move in a known position: origin, destination, promotion and [`MoveKind`]. `Option<Move>` takes
/// two bytes too.
///
/// It prints in UCI notation. To read a move, parse a [`UciMove`](crate::UciMove) and find it in the
/// position: the text `e1g1` is castling in one position and a rook move in another.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Move(NonZeroU16);

impl Move {
    /// A move without a special rule: a move or capture of a piece, or a push or capture of a pawn
    /// that does not promote. `from` and `to` must differ.
    ///
    /// # Panics
    /// If both squares are A1.
    #[must_use]
    #[inline(always)]
    pub const fn normal(from: Square, to: Square) -> Self {
        Self::pack(from, to, MoveKind::Normal, Promotion::Knight)
    }

    /// A move or capture of a pawn that promotes.
    #[must_use]
    #[inline(always)]
    pub const fn promotion(from: Square, to: Square, promotion: Promotion) -> Self {
        Self::pack(from, to, MoveKind::Promotion, promotion)
    }

    /// An en passant capture; `to` is the square that the captured pawn skipped.
    #[must_use]
    #[inline(always)]
    pub const fn en_passant(from: Square, to: Square) -> Self {
        Self::pack(from, to, MoveKind::EnPassant, Promotion::Knight)
    }

    /// Castling, by the origin and destination square of the king.
    #[must_use]
    #[inline(always)]
    pub const fn castle(from: Square, to: Square) -> Self {
        Self::pack(from, to, MoveKind::Castle, Promotion::Knight)
    }

    #[inline(always)]
    const fn pack(from: Square, to: Square, kind: MoveKind, promotion: Promotion) -> Self {
        let bits = from as u16 | (to as u16) << 6 | (promotion as u16) << 12 | (kind as u16) << 14;
        match NonZeroU16::new(bits) {
            Some(bits) => Self(bits),
            None => panic!("a move goes from one square to another"),
        }
    }

    /// The move with these [bits](Self::bits), or `None` for zero. Other numbers than those from
    /// `bits` may give a move that is legal in no position.
    #[must_use]
    #[inline]
    pub const fn from_bits(bits: u16) -> Option<Self> {
        match NonZeroU16::new(bits) {
            Some(bits) => Some(Self(bits)),
            None => None,
        }
    }

    /// The move as a number, which is never zero.
    #[must_use]
    #[inline]
    pub const fn bits(self) -> u16 {
        self.0.get()
    }

    /// The origin square; for castling, that of the king.
    #[must_use]
    #[inline(always)]
    pub const fn from(self) -> Square {
        Square::from_low_bits(self.0.get() as u32)
    }

    /// The destination square; for castling, that of the king.
    #[must_use]
    #[inline(always)]
    pub const fn to(self) -> Square {
        Square::from_low_bits(self.0.get() as u32 >> 6)
    }

    /// The kind of the move.
    #[must_use]
    #[inline(always)]
    pub const fn kind(self) -> MoveKind {
        match self.0.get() >> 14 {
            0 => MoveKind::Normal,
            1 => MoveKind::Promotion,
            2 => MoveKind::EnPassant,
            _ => MoveKind::Castle,
        }
    }

    /// The role of the new piece, if the move is a promotion.
    #[must_use]
    #[inline]
    pub const fn promotes_to(self) -> Option<Role> {
        match self.kind() {
            MoveKind::Promotion => Some(Role::ALL[(self.0.get() >> 12 & 3) as usize + 1]),
            _ => None,
        }
    }
}

/// Prints UCI notation: `e2e4`, `e1g1`, `e7e8q`.
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from(), self.to())?;
        match self.promotes_to() {
            Some(role) => write!(f, "{}", role.to_char().to_ascii_lowercase()),
            None => Ok(()),
        }
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self} ({:?})", self.kind())
    }
}

const _: () = assert!(size_of::<Option<Move>>() == 2);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_round_trip() {
        for from in Square::all() {
            for to in Square::all().filter(|&to| to != from) {
                for promotion in Promotion::ALL {
                    let mv = Move::promotion(from, to, promotion);
                    assert_eq!(mv.kind(), MoveKind::Promotion);
                    assert_eq!(mv.promotes_to(), Some(promotion.role()));
                    assert_eq!((mv.from(), mv.to()), (from, to));
                }
                for mv in [
                    Move::normal(from, to),
                    Move::en_passant(from, to),
                    Move::castle(from, to),
                ] {
                    assert_eq!((mv.from(), mv.to(), mv.promotes_to()), (from, to, None));
                    assert_eq!(Move::from_bits(mv.bits()), Some(mv));
                }
            }
        }
    }
}
