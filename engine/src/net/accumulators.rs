//! The hidden layer of the positions on the path, each made from one that is nearly the same.
//!
//! A layer remembers the board it belongs to, so it may begin from any other: that of the parent, or
//! whatever was last at this ply. What differs between two boards is what must be added and taken away.
//! Nothing needs to know which move was made, and nothing can be out of date.

use arrayvec::ArrayVec;
use movegen::{Color, Position, Role, Square};

use super::features::{Board, View, board, feature};
use super::{Net, Row, index, vector};
use crate::score::MAX_PLY;

/// A move changes no more: castling.
const MOVE_CHANGES: usize = 4;

/// Pieces, or inputs for them: every square may have one.
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

/// The pieces by which two boards differ.
struct Difference {
    added: Features,
    removed: Features,
}

impl Difference {
    fn between(from: &Board, to: &Board) -> Self {
        let (mut added, mut removed) = (Features::new(), Features::new());
        for color in Color::ALL {
            for role in Role::ALL {
                let [before, after] = [from, to].map(|board| board[index(color)][role as usize]);
                if before == after {
                    continue;
                }
                for (mut squares, list) in [
                    (after & !before, &mut added),
                    (before & !after, &mut removed),
                ] {
                    while squares != 0 {
                        list.push(feature(color, role, squares.trailing_zeros() as usize));
                        squares &= squares - 1;
                    }
                }
            }
        }
        Self { added, removed }
    }

    fn len(&self) -> usize {
        self.added.len() + self.removed.len()
    }

    /// Takes the sums of a side from one of the boards to the other.
    fn apply(&self, net: &Net, view: View, from: &Row, to: &mut Row) {
        let [added, removed] = [&self.added, &self.removed].map(|pieces| {
            let inputs = pieces.iter().map(|&piece| view.input(piece));
            inputs.collect::<Features>()
        });
        vector::update(&net.inputs, from, to, &added, &removed);
    }
}

/// Whether a side's king stands where its view is mirrored; none if it is not there.
fn is_mirrored(board: &Board, side: Color) -> Option<bool> {
    let king = board[index(side)][Role::King as usize];
    (king != 0).then(|| View::is_mirrored(Square::from_index(king.trailing_zeros() as usize)))
}

/// The layers of the path, and for each side and half of its king the last that was made anew there.
pub struct Accumulators<'a> {
    net: &'a Net,
    /// By ply.
    path: Vec<Layer>,
    /// By side, then by whether the view is mirrored.
    last: [[Sum; 2]; 2],
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
            last: [[empty(), empty()], [empty(), empty()]],
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
        let step = parent.map(|parent| (parent, Difference::between(&parent.board, &board)));
        let mut again = None;
        for side in Color::ALL {
            let king = position.king(side);
            let (view, mirrored) = (View::of(side, king), View::is_mirrored(king));
            let to = &mut here.rows[index(side)];
            let is_usable = |from: &Board| is_mirrored(from, side) == Some(mirrored);
            let step = step.as_ref().filter(|(from, _)| is_usable(&from.board));
            let step = step.map(|(from, difference)| (difference, &from.rows[index(side)]));
            if let Some((difference, from)) = step
                && difference.len() <= MOVE_CHANGES
            {
                difference.apply(self.net, view, from, to);
                continue;
            }
            // Or else whatever is nearest: the parent all the same, what was last at this ply, or what
            // was last made in this way, in the beginning from an empty board.
            let again = again.get_or_insert_with(|| Difference::between(&here.board, &board));
            let last = &mut self.last[index(side)][usize::from(mirrored)];
            let anew = Difference::between(&last.board, &board);
            let before = to.clone();
            let candidates = [
                step,
                is_usable(&here.board).then_some((&*again, &before)),
                Some((&anew, &last.row)),
            ];
            let candidates = candidates.into_iter().flatten();
            if let Some((nearest, from)) = candidates.min_by_key(|(way, _)| way.len()) {
                nearest.apply(self.net, view, from, to);
            }
            last.board = board;
            last.row.clone_from(to);
        }
        here.board = board;
        self.net.output(position, [&here.rows[0], &here.rows[1]])
    }
}
