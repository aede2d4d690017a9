//! The hidden layer of the positions on the path, each made from one that is nearly the same.
//!
//! A sum remembers the board it belongs to, so it may begin from any other sum: that of the parent,
//! or whatever was last at this ply. What differs between two boards is what must be added and
//! taken away. Nothing needs to know which move was made, and nothing can be out of date.

use arrayvec::ArrayVec;
use movegen::{Color, Position, Role, Square};

use super::features::{Board, View, board};
use super::{Net, Row, index, vector};
use crate::score::MAX_PLY;

/// A move changes no more: castling.
const MOVE_CHANGES: u32 = 4;

/// Rows to be added or taken away: every square may change.
type Changes = ArrayVec<u16, 64>;

/// What one side sees of a board.
#[derive(Clone)]
struct Sum {
    board: Board,
    row: Row,
}

impl Sum {
    /// The sum of an empty board.
    fn empty(net: &Net) -> Self {
        Self {
            board: Board::default(),
            row: net.biases.clone(),
        }
    }

    /// Squares that change on the way to a board; none if the king of a side changes its half or is
    /// not there, so that there is no way.
    fn distance(&self, side: Color, mirrored: bool, board: &Board) -> Option<u32> {
        let king = self.board[index(side)][Role::King as usize];
        if king == 0
            || View::is_mirrored(Square::from_index(king.trailing_zeros() as usize)) != mirrored
        {
            return None;
        }
        let sets = self.board.iter().flatten().zip(board.iter().flatten());
        Some(sets.map(|(one, other)| (one ^ other).count_ones()).sum())
    }
}

/// The rows by which two boards differ, in a view: those to be added, and those to be taken away.
fn changes(view: View, from: &Board, to: &Board) -> (Changes, Changes) {
    let (mut added, mut removed) = (Changes::new(), Changes::new());
    for color in Color::ALL {
        for role in Role::ALL {
            let [before, after] = [from, to].map(|board| board[index(color)][role as usize]);
            for (squares, list) in [
                (after & !before, &mut added),
                (before & !after, &mut removed),
            ] {
                let mut squares = squares;
                while squares != 0 {
                    list.push(view.feature(color, role, squares.trailing_zeros() as usize));
                    squares &= squares - 1;
                }
            }
        }
    }
    (added, removed)
}

/// The sums of the path, and for each side and half of its king the last that was made from there.
pub struct Accumulators<'a> {
    net: &'a Net,
    /// By ply, then by side.
    path: Vec<[Sum; 2]>,
    /// By side, then by whether the view is mirrored.
    last: [[Sum; 2]; 2],
}

impl<'a> Accumulators<'a> {
    pub fn new(net: &'a Net) -> Self {
        let empty = || [Sum::empty(net), Sum::empty(net)];
        Self {
            net,
            path: Vec::new(),
            last: [empty(), empty()],
        }
    }

    /// The worth of a position at a ply for the side to move, in centipawns.
    pub fn evaluate(&mut self, position: &Position, ply: usize) -> i32 {
        debug_assert!(ply <= MAX_PLY);
        while self.path.len() <= ply {
            self.path.push([Sum::empty(self.net), Sum::empty(self.net)]);
        }
        let board = board(position);
        for side in Color::ALL {
            self.sum_up(position.king(side), side, &board, ply);
        }
        let [white, black] = &self.path[ply];
        self.net.output(position, [&white.row, &black.row])
    }

    /// Makes a side's sum at a ply that of a board.
    fn sum_up(&mut self, king: Square, side: Color, board: &Board, ply: usize) {
        let view = View::of(side, king);
        let mirrored = View::is_mirrored(king);
        let rows = &self.net.inputs;
        let (above, here) = self.path.split_at_mut(ply);
        let here = &mut here[0][index(side)];
        let parent = above.last().map(|sums| &sums[index(side)]);
        let parent_distance = parent.and_then(|sum| sum.distance(side, mirrored, board));
        if let Some(parent) = parent
            && parent_distance.is_some_and(|distance| distance <= MOVE_CHANGES)
        {
            let (added, removed) = changes(view, &parent.board, board);
            vector::update(rows, &parent.row, &mut here.row, &added, &removed);
            here.board = *board;
            return;
        }
        // Far from the parent, which was perhaps never evaluated: the nearest of those that are left.
        let last = &mut self.last[index(side)][usize::from(mirrored)];
        let candidates = [
            parent.map(|sum| (parent_distance, sum)),
            Some((here.distance(side, mirrored, board), &*here)),
            Some((last.distance(side, mirrored, board), &*last)),
        ];
        let nearest = candidates
            .into_iter()
            .flatten()
            .filter_map(|(distance, sum)| Some((distance?, sum)))
            .min_by_key(|(distance, _)| *distance);
        let from = nearest.map_or_else(|| Sum::empty(self.net), |(_, sum)| sum.clone());
        let (added, removed) = changes(view, &from.board, board);
        vector::update(rows, &from.row, &mut here.row, &added, &removed);
        here.board = *board;
        last.clone_from(here);
    }
}
