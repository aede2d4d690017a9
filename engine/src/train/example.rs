//! A stored position as the network sees it, and what it should say of it.

use arrayvec::ArrayVec;
use movegen::{Color, Role, Square};

use crate::eval::nnue::{CENTIPAWNS, Perspective, bucket, feature, kind};
use crate::selfplay::data_point::{self, Stored};

/// A position to learn from.
pub(super) struct Example {
    /// The inputs that the side to move sees, and those that the other one does.
    pub seen: [ArrayVec<u16, 32>; 2],
    pub bucket: usize,
    /// The points that the side to move should expect, from 0 to 1.
    pub wanted: f32,
}

/// The points that an output expects, from 0 to 1.
pub(super) fn points(output: f32) -> f32 {
    1.0 / (1.0 + (-output).exp())
}

impl Example {
    /// The example of a stored position; `wdl_weight` is the weight of the game's result beside the score,
    /// where there was a game.
    /// `None` where the bytes are no position that the network can see.
    pub fn read(stored: &Stored, wdl_weight: f32) -> Option<Self> {
        let mut pieces: ArrayVec<u16, 32> = ArrayVec::new();
        let mut kings = [None; 2];
        for piece in data_point::pieces(stored) {
            let (square, color, role) = piece.ok()?;
            pieces.push(feature(kind(color, role), square.index()));
            if role == Role::King && kings[color as usize].replace(square).is_some() {
                return None;
            }
        }
        let turn = data_point::turn(stored);
        let view = |side: Color| -> Option<ArrayVec<u16, 32>> {
            let king: Square = kings[side as usize]?;
            let perspective = Perspective::of(side, king);
            Some(
                pieces
                    .iter()
                    .map(|&piece| perspective.input(piece))
                    .collect(),
            )
        };
        let score = f32::from(data_point::score(stored));
        let expected = points(score / CENTIPAWNS as f32);
        let wanted = match data_point::result(stored).ok()? {
            Some(result) => expected + wdl_weight * (result.points() as f32 - expected),
            None => expected,
        };
        Some(Self {
            seen: [view(turn)?, view(!turn)?],
            bucket: bucket(pieces.len()),
            wanted: match turn {
                Color::White => wanted,
                Color::Black => 1.0 - wanted,
            },
        })
    }
}
