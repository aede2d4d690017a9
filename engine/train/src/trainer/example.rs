//! A data point as the network sees it: inputs, output bucket and target.

use arrayvec::ArrayVec;
use engine::layout::{CENTIPAWNS, bucket, input};
use movegen::{Color, Role, Square};

use crate::data_point::{self, Stored};
use crate::expectation;

/// A position to train on.
pub(super) struct Example {
    /// The active inputs of the side to move, and those of the other side.
    pub inputs: [ArrayVec<u16, 32>; 2],
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
        let mut pieces: ArrayVec<(Square, Color, Role), 32> = ArrayVec::new();
        let mut kings = [None; 2];
        for piece in data_point::pieces(stored) {
            let (square, color, role) = piece.ok()?;
            pieces.push((square, color, role));
            if role == Role::King && kings[color as usize].replace(square).is_some() {
                return None;
            }
        }
        let turn = data_point::turn(stored);
        let inputs = |side: Color| -> Option<ArrayVec<u16, 32>> {
            let king = kings[side as usize]?;
            let inputs = pieces.iter();
            let inputs =
                inputs.map(|&(square, color, role)| input(side, king, color, role, square));
            Some(inputs.collect())
        };
        let score = f64::from(data_point::score(stored));
        let expected = expectation::points(score) as f32;
        let target = match data_point::result(stored).ok()? {
            Some(result) => expected + wdl_weight * (result.points() as f32 - expected),
            None => expected,
        };
        Some(Self {
            inputs: [inputs(turn)?, inputs(!turn)?],
            bucket: bucket(pieces.len()),
            target: match turn {
                Color::White => target,
                Color::Black => 1.0 - target,
            },
        })
    }
}
