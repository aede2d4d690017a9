//! The static evaluation of a position: the [network](nnue) and its [adjustment](adjust), known
//! [endings](endgame), and the [correction history](correction). [`Evaluation`] shows its parts.

pub(crate) mod adjust;
pub(crate) mod correction;
pub(crate) mod endgame;
pub(crate) mod kpk;
pub(crate) mod nnue;

use std::ops::RangeInclusive;

use movegen::Position;

use crate::score::Score;
use nnue::{Accumulators, Net};

/// The static evaluation of a position, from the point of view of the side to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Evaluation {
    /// The outputs of the network, each for its range of piece counts.
    pub outputs: Vec<Output>,
    /// The evaluation that the search uses, but without the bonus for the side that is ahead at its root: the
    /// output for the pieces on the board, adjusted by the pieces and the halfmove clock, or the score of a
    /// known ending.
    pub score: Score,
}

/// One of the outputs of the network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output {
    /// The piece counts, kings included, that it is used for.
    pub pieces: RangeInclusive<usize>,
    /// Its evaluation of the position, in centipawns.
    pub centipawns: i32,
    /// Whether it is the output for the pieces on the board.
    pub is_used: bool,
}

impl Evaluation {
    /// Evaluates a position.
    #[must_use]
    pub fn of(position: &Position, net: &Net) -> Self {
        let mut accumulators = Accumulators::new(net);
        let outputs = accumulators.outputs(position);
        let used = nnue::bucket(position.occupied().len() as usize);
        let outputs = outputs.into_iter().enumerate();
        let outputs = outputs.map(|(bucket, centipawns)| {
            // A legal position has 2 to 32 pieces.
            let mut pieces = (2..=32).filter(|&pieces| nnue::bucket(pieces) == bucket);
            let least = pieces.next().unwrap_or(2);
            Output {
                pieces: least..=pieces.next_back().unwrap_or(least),
                centipawns,
                is_used: bucket == used,
            }
        });
        Self {
            outputs: outputs.collect(),
            score: endgame::evaluate(position, || {
                adjust::adjusted(position, net.evaluate(position), 0)
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_output_in_use_is_the_evaluation() {
        let net = Net::built_in();
        for text in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq -",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - -",
        ] {
            let position: Position = text.parse().expect(text);
            let evaluation = Evaluation::of(&position, &net);
            let used = evaluation.outputs.iter().filter(|output| output.is_used);
            let used: Vec<_> = used.collect();
            assert_eq!(used.len(), 1, "{text}");
            let count = position.occupied().len() as usize;
            assert!(used[0].pieces.contains(&count), "{text}");
            assert_eq!(used[0].centipawns, net.evaluate(&position), "{text}");
            let adjusted = adjust::adjusted(&position, used[0].centipawns, 0);
            assert_eq!(evaluation.score.ce(), adjusted, "{text}");
            let ranges = evaluation.outputs.windows(2);
            let mut ranges = ranges.map(|pair| (pair[0].pieces.end(), pair[1].pieces.start()));
            assert!(ranges.all(|(end, start)| end + 1 == *start));
        }
        // A known ending takes precedence over the network.
        let position: Position = "8/8/8/8/8/1k6/1P6/1K6 w - -".parse().expect("legal");
        let drawn: Position = "8/8/8/1k6/1P6/1K6/8/8 b - -".parse().expect("legal");
        let scores = [position, drawn].map(|position| Evaluation::of(&position, &net).score);
        assert!(scores.contains(&Score::DRAW), "{scores:?}");
    }
}
