//! White and Black as types, for functions that are compiled once for each side.

use crate::types::bitboard::Bitboard;
use crate::types::color::Color;
use crate::types::square::Rank;

/// A color that is known at compile time. The move generator is compiled once for each side, so that
/// pawn directions are constants.
pub(crate) trait Side: Copy {
    /// The opponent.
    type Other: Side;
    /// The color as a value.
    const COLOR: Color;
    /// What a pawn's single push adds to the index of its square.
    const FORWARD: i8;
    /// The rank that a pawn skips in a double push.
    const THIRD_RANK: Bitboard = Bitboard::rank(Rank::R3.relative_to(Self::COLOR));
    /// The rank from which a pawn's next move promotes.
    const SEVENTH_RANK: Bitboard = Bitboard::rank(Rank::R7.relative_to(Self::COLOR));
    /// The back rank.
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

/// Evaluates `$call` with `$Side` as the [`Side`] type of `$color`.
macro_rules! by_side {
    ($color:expr, $Side:ident => $call:expr) => {
        match $color {
            $crate::types::color::Color::White => {
                type $Side = $crate::types::side::White;
                $call
            }
            $crate::types::color::Color::Black => {
                type $Side = $crate::types::side::Black;
                $call
            }
        }
    };
}
pub(crate) use by_side;
