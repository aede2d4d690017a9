//! The accumulators: the hidden layer of each position on the path, updated incrementally.
//!
//! A layer remembers the board it belongs to, so it may begin from any other: that of the parent, or
//! the one where a parent was last of no use. What differs between two boards is what must be added
//! and taken away. Nothing needs to know which move was made, and nothing can be out of date.

use arrayvec::ArrayVec;
use movegen::{Color, Position, Role, Square};

use super::features::{Board, Perspective, board, feature, kind};
use super::{BUCKETS, Net, Row, index, simd};
use crate::score::MAX_PLY;

/// A move changes no more: castling.
const MOVE_CHANGES: usize = 4;

/// Pieces: every square may have one.
type Features = ArrayVec<u16, 64>;

/// The sums of both sides for a board.
#[derive(Clone)]
struct Layer {
    board: Board,
    rows: [Row; 2],
}

/// The sums of one side for a board.
#[derive(Clone)]
struct Sum {
    board: Board,
    row: Row,
}

impl Sum {
    /// Takes the sums to another board.
    fn move_to(&mut self, net: &Net, perspective: Perspective, board: &Board) {
        let from = self.row.clone();
        let mut difference = Difference::default();
        difference.add(&self.board, board);
        difference.apply(net, perspective, &from, &mut self.row);
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
    /// Adds what changes on the way from one board to the other. In place: what is returned would be
    /// copied.
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

    /// Takes the sums of a side from one of the boards to the other.
    fn apply(&self, net: &Net, perspective: Perspective, from: &Row, to: &mut Row) {
        let row = |&piece: &u16| &net.inputs[usize::from(perspective.input(piece))];
        simd::update(
            from,
            to,
            self.added.iter().map(row),
            self.removed.iter().map(row),
        );
    }
}

/// Whether a side's king stands where its view is mirrored; none if it is not there.
fn is_mirrored(board: &Board, side: Color) -> Option<bool> {
    let king = board[kind(side, Role::King)];
    (king != 0)
        .then(|| Perspective::is_mirrored(Square::from_index(king.trailing_zeros() as usize)))
}

/// The accumulators of the path, and the refresh cache ("Finny table"): for each side and half of
/// the board its king is on, the last accumulator computed without a parent.
pub struct Accumulators<'a> {
    net: &'a Net,
    /// By ply.
    path: Vec<Layer>,
    /// By side, then by whether the perspective is mirrored.
    refresh_cache: [[Sum; 2]; 2],
}

impl<'a> Accumulators<'a> {
    pub fn new(net: &'a Net) -> Self {
        let empty = || Sum {
            board: Board::default(),
            row: net.biases.clone(),
        };
        Self {
            net,
            path: Vec::new(),
            refresh_cache: [[empty(), empty()], [empty(), empty()]],
        }
    }

    /// The worth of a position at a ply for the side to move, in centipawns.
    pub fn evaluate(&mut self, position: &Position, ply: usize) -> i32 {
        debug_assert!(ply <= MAX_PLY);
        while self.path.len() <= ply {
            self.path.push(Layer {
                board: Board::default(),
                rows: [self.net.biases.clone(), self.net.biases.clone()],
            });
        }
        let board = board(position);
        let (above, here) = self.path.split_at_mut(ply);
        let (parent, here) = (above.last(), &mut here[0]);
        // From the parent it is one move, unless that was never evaluated.
        let mut step = Difference::default();
        if let Some(parent) = parent {
            step.add(&parent.board, &board);
        }
        let parent = parent.filter(|_| step.len() <= MOVE_CHANGES);
        for side in Color::ALL {
            let king = position.king(side);
            let (perspective, mirrored) =
                (Perspective::of(side, king), Perspective::is_mirrored(king));
            let usable = |from: &&Layer| is_mirrored(&from.board, side) == Some(mirrored);
            let to = &mut here.rows[index(side)];
            if let Some(parent) = parent.filter(usable) {
                step.apply(self.net, perspective, &parent.rows[index(side)], to);
            } else {
                let cached = &mut self.refresh_cache[index(side)][usize::from(mirrored)];
                cached.move_to(self.net, perspective, &board);
                to.clone_from(&cached.row);
            }
        }
        here.board = board;
        self.net.output(position, [&here.rows[0], &here.rows[1]])
    }

    /// The worth of a root for the side to move by every output, in centipawns.
    pub fn outputs(&mut self, position: &Position) -> [i32; BUCKETS] {
        self.evaluate(position, 0);
        let [ours, theirs] = &self.path[0].rows;
        std::array::from_fn(|bucket| self.net.output_of(bucket, position, [ours, theirs]))
    }
}
