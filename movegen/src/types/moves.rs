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

/// The special rule that a move follows, if any.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveKind {
    /// None: ordinary moves, captures and double pushes.
    Normal,
    /// The pawn becomes another piece.
    Promotion,
    /// An en passant capture: the captured pawn is behind the destination square.
    EnPassant,
    /// Castling, encoded by the squares of the king.
    Castle,
}

/// A move of a known position: from, to, promotion and [`MoveKind`]. Never zero, so that
/// `Option<Move>` is two bytes as well.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Move(NonZeroU16);

impl Move {
    /// Steps, captures and double pushes. `from` and `to` differ.
    #[must_use]
    #[inline(always)]
    pub const fn normal(from: Square, to: Square) -> Self {
        Self::pack(from, to, MoveKind::Normal, Promotion::Knight)
    }

    /// A pawn's arrival on the last rank.
    #[must_use]
    #[inline(always)]
    pub const fn promotion(from: Square, to: Square, promotion: Promotion) -> Self {
        Self::pack(from, to, MoveKind::Promotion, promotion)
    }

    /// The capture of a pawn that has just made a double push; `to` is the square it skipped.
    #[must_use]
    #[inline(always)]
    pub const fn en_passant(from: Square, to: Square) -> Self {
        Self::pack(from, to, MoveKind::EnPassant, Promotion::Knight)
    }

    /// Castling, given by the king's squares.
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

    /// The move of these [bits](Self::bits); `None` for zero. Only bits that a move gave are sure
    /// to make sense.
    #[must_use]
    #[inline]
    pub const fn from_bits(bits: u16) -> Option<Self> {
        match NonZeroU16::new(bits) {
            Some(bits) => Some(Self(bits)),
            None => None,
        }
    }

    /// The move as a number, never zero.
    #[must_use]
    #[inline]
    pub const fn bits(self) -> u16 {
        self.0.get()
    }

    /// The origin square (castling: of the king).
    #[must_use]
    #[inline(always)]
    pub const fn from(self) -> Square {
        Square::from_low_bits(self.0.get() as u32)
    }

    /// The destination square (castling: of the king).
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
    fn a_move_keeps_its_parts() {
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
