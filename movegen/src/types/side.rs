//! White and Black as types.

use crate::types::bitboard::Bitboard;
use crate::types::color::Color;
use crate::types::square::Rank;

/// A color known at compile time, so that the compiler builds the generator once for each side with
/// constant directions.
pub(crate) trait Side: Copy {
    /// The other side.
    type Other: Side;
    /// This side as a value.
    const COLOR: Color;
    /// What a pawn's single step adds to a square's index.
    const FORWARD: i8;
    /// The rank on which a single step ends when a second one may follow.
    const THIRD_RANK: Bitboard = Bitboard::rank(Rank::R3.relative_to(Self::COLOR));
    /// The rank from which pawns promote.
    const SEVENTH_RANK: Bitboard = Bitboard::rank(Rank::R7.relative_to(Self::COLOR));
    /// The rank on which the pieces start.
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

/// Calls a function generic over the side with the side that `$color` names.
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
