//! The accumulators: the hidden layer of each position on the path, updated incrementally.
//!
//! A layer stores the board that it was computed for, so the next one can start from any other
//! layer: that of the parent, the last one at the same ply, or the one in the refresh cache. The pieces by
//! which the two boards differ are added and removed. The moves are not needed, and no layer can be out
//! of date.

use std::ops::Deref;

use arrayvec::ArrayVec;
use movegen::{Color, Position, Role, Square};

use super::features::{Board, Perspective, board, feature, kind};
use super::layout::{BUCKETS, Row};
use super::net::Net;
use super::simd::{Arithmetic, Simd, Task};
use crate::score::MAX_PLY;

/// The most features that a move changes: castling.
const MOVE_CHANGES: usize = 4;
/// The most features by which the last layer at the same ply may differ: two moves. It is not copied, so it
/// is preferred to the refresh cache, which differs by about as many.
const SIBLING_CHANGES: usize = 2 * MOVE_CHANGES;

/// A list of features, at most one for each square.
type Features = ArrayVec<u16, 64>;

/// The hidden layer of both sides for a board.
#[derive(Clone)]
struct Layer {
    board: Board,
    rows: [Row; 2],
}

/// The hidden layer of one side for a board.
#[derive(Clone)]
struct HalfLayer {
    board: Board,
    row: Row,
}

impl HalfLayer {
    /// Updates the layer to another board.
    fn move_to(
        &mut self,
        net: &Net,
        arithmetic: impl Arithmetic,
        perspective: Perspective,
        board: &Board,
    ) {
        let mut difference = Difference::default();
        difference.add(&self.board, board);
        difference.apply(net, arithmetic, perspective, None, &mut self.row);
        self.board = *board;
    }
}

/// The pieces by which two boards differ.
#[derive(Default)]
struct Difference {
    added: Features,
    removed: Features,
}

impl Difference {
    /// Adds the changes from one board to the other. It fills the lists in place because returning
    /// them would copy them.
    fn add(&mut self, from: &Board, to: &Board) {
        for (kind, (before, after)) in from.iter().zip(to).enumerate() {
            let mut changed = before ^ after;
            while changed != 0 {
                let square = changed.trailing_zeros() as usize;
                let list = if after >> square & 1 != 0 {
                    &mut self.added
                } else {
                    &mut self.removed
                };
                list.push(feature(kind, square));
                changed &= changed - 1;
            }
        }
    }

    fn len(&self) -> usize {
        self.added.len() + self.removed.len()
    }

    /// Computes the row of a side for the second board from its row for the first, `from`, or in place.
    fn apply(
        &self,
        net: &Net,
        arithmetic: impl Arithmetic,
        perspective: Perspective,
        from: Option<&Row>,
        to: &mut Row,
    ) {
        let row = |&feature: &u16| &net.inputs[usize::from(perspective.input(feature))];
        let (added, removed) = (self.added.iter().map(row), self.removed.iter().map(row));
        arithmetic.update(from, to, added, removed);
    }
}

/// Whether the perspective of a side is mirrored, given its king on a board; none without a king.
fn is_mirrored(board: &Board, side: Color) -> Option<bool> {
    let king = board[kind(side, Role::King)];
    (king != 0)
        .then(|| Perspective::is_mirrored(Square::from_index(king.trailing_zeros() as usize)))
}

/// The accumulators of the path, and the refresh cache ("Finny table"): for each side and each half
/// of the board that its king can be on, the last accumulator computed without a parent.
///
/// They can be kept from one search to the next, because a layer knows its board.
pub struct Accumulators<N> {
    net: N,
    simd: Simd,
    /// By ply.
    path: Vec<Layer>,
    /// By side, then by whether the perspective is mirrored.
    refresh_cache: [[HalfLayer; 2]; 2],
}

impl<N: Deref<Target = Net>> Accumulators<N> {
    pub fn new(net: N) -> Self {
        Self::with_simd(net, Simd::detect())
    }

    /// Accumulators that use these instructions.
    pub(super) fn with_simd(net: N, simd: Simd) -> Self {
        let empty = || HalfLayer {
            board: Board::default(),
            row: net.biases.clone(),
        };
        let refresh_cache = [[empty(), empty()], [empty(), empty()]];
        Self {
            net,
            simd,
            path: Vec::new(),
            refresh_cache,
        }
    }

    /// Evaluates a position at a ply for the side to move, in centipawns.
    pub fn evaluate(&mut self, position: &Position, ply: usize) -> i32 {
        self.simd.run(Evaluate {
            accumulators: self,
            position,
            ply,
        })
    }

    /// Evaluates a root by every output for the side to move, in centipawns.
    pub fn outputs(&mut self, position: &Position) -> [i32; BUCKETS] {
        self.evaluate(position, 0);
        self.simd.run(Outputs {
            net: &self.net,
            position,
            rows: &self.path[0].rows,
        })
    }
}

/// [`Accumulators::evaluate`].
struct Evaluate<'t, N> {
    accumulators: &'t mut Accumulators<N>,
    position: &'t Position,
    ply: usize,
}

impl<N: Deref<Target = Net>> Task for Evaluate<'_, N> {
    type Output = i32;

    #[inline(always)]
    fn run(self, arithmetic: impl Arithmetic) -> i32 {
        let Self {
            accumulators,
            position,
            ply,
        } = self;
        debug_assert!(ply <= MAX_PLY);
        let net: &Net = &accumulators.net;
        while accumulators.path.len() <= ply {
            accumulators.path.push(Layer {
                board: Board::default(),
                rows: [net.biases.clone(), net.biases.clone()],
            });
        }
        let board = board(position);
        let (above, here) = accumulators.path.split_at_mut(ply);
        let (parent, here) = (above.last(), &mut here[0]);
        // The parent is one move away, unless its evaluation came from the table. Then the last layer at
        // this ply is updated in place.
        let mut difference = Difference::default();
        if let Some(parent) = parent {
            difference.add(&parent.board, &board);
        }
        let parent = parent.filter(|_| difference.len() <= MOVE_CHANGES);
        if parent.is_none() {
            difference = Difference::default();
            difference.add(&here.board, &board);
        }
        let is_near = difference.len() <= SIBLING_CHANGES;
        let start = parent.map_or(here.board, |parent| parent.board);
        for side in Color::ALL {
            let king = position.king(side);
            let (perspective, mirrored) =
                (Perspective::of(side, king), Perspective::is_mirrored(king));
            let to = &mut here.rows[side as usize];
            if is_near && is_mirrored(&start, side) == Some(mirrored) {
                let from = parent.map(|parent| &parent.rows[side as usize]);
                difference.apply(net, arithmetic, perspective, from, to);
            } else {
                let cached = &mut accumulators.refresh_cache[side as usize][usize::from(mirrored)];
                cached.move_to(net, arithmetic, perspective, &board);
                to.clone_from(&cached.row);
            }
        }
        here.board = board;
        net.output(arithmetic, position, [&here.rows[0], &here.rows[1]])
    }
}

/// [`Accumulators::outputs`], when the root has been evaluated.
struct Outputs<'t> {
    net: &'t Net,
    position: &'t Position,
    rows: &'t [Row; 2],
}

impl Task for Outputs<'_> {
    type Output = [i32; BUCKETS];

    #[inline(always)]
    fn run(self, arithmetic: impl Arithmetic) -> [i32; BUCKETS] {
        let [ours, theirs] = self.rows;
        std::array::from_fn(|bucket| {
            let rows = [ours, theirs];
            self.net.output_of(arithmetic, bucket, self.position, rows)
        })
    }
}

impl Net {
    /// Evaluates a position from scratch for the side to move, in centipawns.
    #[must_use]
    pub fn evaluate(&self, position: &Position) -> i32 {
        Accumulators::new(self).evaluate(position, 0)
    }
}
