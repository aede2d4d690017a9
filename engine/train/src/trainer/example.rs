//! A data point as the network sees it: inputs, output bucket and target.

use arrayvec::ArrayVec;
use engine::layout::{CENTIPAWNS, bucket, input};
use movegen::{Bitboard, Color, Role, Square};

use crate::data_point::{self, Stored};
use crate::expectation;

/// By colour, then by role.
type Pieces = [[Bitboard; Role::ALL.len()]; 2];

const NO_PIECES: Pieces = [[Bitboard::EMPTY; Role::ALL.len()]; 2];

/// Some pieces of a position.
pub(super) type PieceList = ArrayVec<(Color, Role, Square), 32>;

/// Some inputs of a side.
pub(super) type Inputs = ArrayVec<u16, 32>;

/// A position to train on.
#[derive(Clone)]
pub(super) struct Example {
    pieces: Pieces,
    /// By colour.
    kings: [Square; 2],
    pub label: Label,
}

/// What is learned of a position.
#[derive(Clone, Copy)]
pub(super) struct Label {
    pub turn: Color,
    pub bucket: usize,
    /// The expected points of the side to move, from 0 to 1.
    pub target: f32,
}

/// The logarithm of the odds of an output of 1, which is [`CENTIPAWNS`] centipawns.
pub(super) const LOG_ODDS: f32 = CENTIPAWNS as f32 / expectation::SCALE as f32;

/// The expected points of an output, from 0 to 1.
pub(super) fn points(output: f32) -> f32 {
    1.0 / (1.0 + (-output * LOG_ODDS).exp())
}

impl Example {
    /// Reads a stored data point. Its target is the expectation from the score, moved towards the
    /// result of the game, if it has one, by the fraction `wdl_weight`. `None` if the bytes are not a
    /// data point.
    pub fn read(stored: &Stored, wdl_weight: f32) -> Option<Self> {
        let mut pieces = NO_PIECES;
        let mut kings = [None; 2];
        let mut count = 0;
        for piece in data_point::pieces(stored) {
            let (square, color, role) = piece.ok()?;
            pieces[color as usize][role as usize] |= Bitboard::of(square);
            if role == Role::King && kings[color as usize].replace(square).is_some() {
                return None;
            }
            count += 1;
        }
        let turn = data_point::turn(stored);
        let score = f64::from(data_point::score(stored));
        let expected = expectation::points(score) as f32;
        let target = match data_point::result(stored).ok()? {
            Some(result) => expected + wdl_weight * (result.points() as f32 - expected),
            None => expected,
        };
        Some(Self {
            pieces,
            kings: [kings[0]?, kings[1]?],
            label: Label {
                turn,
                bucket: bucket(count),
                target: match turn {
                    Color::White => target,
                    Color::Black => 1.0 - target,
                },
            },
        })
    }

    /// The active inputs of a side.
    pub fn inputs(&self, side: Color) -> Inputs {
        self.inputs_of(side, &self.pieces_beyond(&NO_PIECES))
    }

    /// The inputs of a side for some pieces.
    pub fn inputs_of(&self, side: Color, pieces: &PieceList) -> Inputs {
        let king = self.kings[side as usize];
        let pieces = pieces.iter();
        let inputs = pieces.map(|&(color, role, square)| input(side, king, color, role, square));
        inputs.collect()
    }

    /// The pieces that another position does not have on the same squares.
    pub fn pieces_but_of(&self, other: &Self) -> PieceList {
        self.pieces_beyond(&other.pieces)
    }

    fn pieces_beyond(&self, known: &Pieces) -> PieceList {
        let mut list = PieceList::new();
        for color in Color::ALL {
            for role in Role::ALL {
                let at = |pieces: &Pieces| pieces[color as usize][role as usize];
                for square in at(&self.pieces) & !at(known) {
                    list.push((color, role, square));
                }
            }
        }
        list
    }

    /// Whether the inputs of a side are numbered as in another position. The board is turned by where the
    /// king is.
    pub fn is_seen_like(&self, other: &Self, side: Color) -> bool {
        let [here, there] = [self, other].map(|example| {
            let king = example.kings[side as usize];
            input(side, king, Color::White, Role::Pawn, Square::A1)
        });
        here == there
    }
}
