//! Attacks of all pieces of a side at once, in four directions at a time.
//!
//! A [`Quad`] holds one bitboard for each of four directions: *ahead* (north, north-east, north-west,
//! east) or their opposites *behind* (south, south-west, south-east, west). An occluded fill finds the
//! attacks of all sliders with a few vector instructions. It has no loop over pieces, and so no branch
//! that can be mispredicted
//! (<https://www.chessprogramming.org/Kogge-Stone_Algorithm#OccludedFill>).

use crate::attacks::quad::Quad;
use crate::types::side::Side;
use crate::types::{Bitboard, Color};

const NOT_A: u64 = !0x0101_0101_0101_0101;
const NOT_H: u64 = !0x8080_8080_8080_8080;
const NOT_AB: u64 = NOT_A & (NOT_A << 1);
const NOT_GH: u64 = NOT_H & (NOT_H >> 1);

/// The index difference of one step in each direction: along the file, the two diagonals, the rank.
/// The next two are those of two and four steps.
const STEP: [u64; 4] = [8, 9, 7, 1];
const STEP_2: [u64; 4] = [16, 18, 14, 2];
const STEP_4: [u64; 4] = [32, 36, 28, 4];
/// The squares on which a step ahead can end. The others are reached only by wrapping around the edge.
const AHEAD: [u64; 4] = [!0, NOT_A, NOT_H, NOT_A];
/// The squares on which a step behind can end.
const BEHIND: [u64; 4] = [!0, NOT_H, NOT_A, NOT_H];

/// The index differences of a knight's four moves ahead: two north and one east, two north and one
/// west, one north and two east, one north and two west.
const JUMP: [u64; 4] = [17, 15, 10, 6];
const JUMP_AHEAD: [u64; 4] = [NOT_A, NOT_H, NOT_AB, NOT_GH];
const JUMP_BEHIND: [u64; 4] = [NOT_H, NOT_A, NOT_GH, NOT_AB];

/// The sliders of one side, each in the lanes of the directions in which it moves.
#[inline(always)]
pub(crate) fn sliders(orthogonals: Bitboard, diagonals: Bitboard) -> Quad {
    Quad::new([orthogonals.0, diagonals.0, diagonals.0, orthogonals.0])
}

/// The same set in all four lanes.
#[inline(always)]
pub(crate) fn all(set: Bitboard) -> Quad {
    Quad::splat(set.0)
}

/// For each direction, the squares at the end of one, two and four consecutive open squares. All
/// sliders on a board share them.
#[derive(Clone, Copy)]
pub(crate) struct Paths {
    ahead: [Quad; 3],
    behind: [Quad; 3],
}

impl Paths {
    /// The paths over these open squares.
    #[inline(always)]
    pub fn new(open: Bitboard) -> Self {
        let one = all(open) & Quad::new(AHEAD);
        let two = one & one.shl(STEP);
        let ahead = [one, two, two & two.shl(STEP_2)];
        let one = all(open) & Quad::new(BEHIND);
        let two = one & one.shr(STEP);
        let behind = [one, two, two & two.shr(STEP_2)];
        Self { ahead, behind }
    }

    /// The squares that sliders attack ahead: each line up to and including the first square that is
    /// not open.
    #[inline(always)]
    pub fn ahead(&self, sliders: Quad) -> Quad {
        let [one, two, four] = self.ahead;
        let near = sliders | (one & sliders.shl(STEP));
        let far = near | (two & near.shl(STEP_2));
        let run = far | (four & far.shl(STEP_4));
        run.shl(STEP) & Quad::new(AHEAD)
    }

    /// [`ahead`](Self::ahead) for the four opposite directions.
    #[inline(always)]
    pub fn behind(&self, sliders: Quad) -> Quad {
        let [one, two, four] = self.behind;
        let near = sliders | (one & sliders.shr(STEP));
        let far = near | (two & near.shr(STEP_2));
        let run = far | (four & far.shr(STEP_4));
        run.shr(STEP) & Quad::new(BEHIND)
    }
}

/// The squares that knights attack, by their four moves ahead.
#[inline(always)]
pub(crate) fn jump_ahead(knights: Bitboard) -> Quad {
    all(knights).shl(JUMP) & Quad::new(JUMP_AHEAD)
}

/// [`jump_ahead`] for the four opposite moves.
#[inline(always)]
pub(crate) fn jump_behind(knights: Bitboard) -> Quad {
    all(knights).shr(JUMP) & Quad::new(JUMP_BEHIND)
}

/// The squares in front of pawns of `S`, in three lanes: straight ahead, then on the two diagonals. The
/// fourth lane is empty.
#[inline(always)]
pub(crate) fn pawn_steps<S: Side>(pawns: Quad) -> Quad {
    match S::COLOR {
        Color::White => pawns.shl(STEP) & Quad::new([!0, NOT_A, NOT_H, 0]),
        Color::Black => pawns.shr(STEP) & Quad::new([!0, NOT_H, NOT_A, 0]),
    }
}

/// What [`pawn_steps`] adds to the index of a square, for each lane.
#[inline(always)]
pub(crate) const fn pawn_offsets<S: Side>() -> [i8; 3] {
    match S::COLOR {
        Color::White => [8, 9, 7],
        Color::Black => [-8, -9, -7],
    }
}
