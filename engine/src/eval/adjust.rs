//! What is changed in the evaluation of the network before the search uses it.
//!
//! Fewer pieces and a higher halfmove clock bring it nearer to a draw, and the side that is ahead at the
//! root gets a bonus while there are many pieces, so that it keeps the tension. Stockfish does the same.

use movegen::{Position, Role};

use crate::score::Score;
use crate::search::params::{
    clock_horizon, material_base, material_weight, optimism_base, optimism_half, optimism_limit,
    optimism_weight,
};

/// The values of the pieces of both sides in the starting position, without pawns.
const ALL_PIECES: i32 = 64;

/// The adjusted evaluation in centipawns, from that of the network. Both are from the point of view of the
/// side to move, and so is the [`optimism`].
pub(crate) fn adjusted(position: &Position, network: i32, optimism: i32) -> i32 {
    let pieces = pieces(position);
    let scale = |value: i32, base: i32, weight: i32| {
        value * (base * ALL_PIECES + weight * pieces) / (100 * ALL_PIECES)
    };
    let sum = scale(network, material_base(), material_weight())
        + scale(optimism, optimism_base(), optimism_weight());
    let clock = i32::from(position.halfmove_clock().min(100));
    sum * (clock_horizon() - clock) / clock_horizon()
}

/// The optimism of the side to move at the root, in centipawns, by the score of the iteration before.
pub(crate) fn optimism(score: Score) -> i32 {
    let score = score.ce();
    optimism_limit() * score / (score.abs() + optimism_half())
}

/// The values of all pieces but pawns and kings, at most [`ALL_PIECES`].
fn pieces(position: &Position) -> i32 {
    let values = [
        (Role::Knight, 3),
        (Role::Bishop, 3),
        (Role::Rook, 5),
        (Role::Queen, 10),
    ];
    let values = values.map(|(role, value)| value * position.role(role).len() as i32);
    values.iter().sum::<i32>().min(ALL_PIECES)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn adjusted_at(fen: &str, network: i32, optimism: i32) -> i32 {
        adjusted(&fen.parse().expect(fen), network, optimism)
    }

    #[test]
    fn evaluations_fall_with_the_pieces_and_the_halfmove_clock() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
        let pieces = [
            start,
            "r1bqk2r/pppppppp/8/8/8/8/PPPPPPPP/R1BQK2R w KQkq -",
            "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq -",
            "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - -",
        ];
        let values = pieces.map(|fen| adjusted_at(fen, 200, 0));
        assert!(
            values.is_sorted_by(|more, fewer| more > fewer),
            "{values:?}"
        );
        assert_eq!(values[3], 2 * material_base());
        let clocks = [0, 20, 60, 100].map(|clock| format!("{start} {clock} 80"));
        let values = clocks.map(|fen| adjusted_at(&fen, 200, 0));
        assert!(
            values.is_sorted_by(|before, after| before > after),
            "{values:?}"
        );
        assert!(values[3] > 0);
        // The values of more than all pieces do not count.
        let queens = "qqqqkqqq/8/8/8/8/8/8/QQQQKQQQ w - -";
        assert_eq!(adjusted_at(queens, 200, 0), adjusted_at(start, 200, 0));
    }

    #[test]
    fn optimism_is_limited_and_symmetric() {
        for score in [-30_000, -200, -50, 0, 50, 200, 30_000] {
            let found = optimism(Score::ordinary(score));
            assert_eq!(found, -optimism(Score::ordinary(-score)));
            assert_eq!(found.signum(), score.signum());
            assert!(found.abs() <= optimism_limit());
        }
        assert_eq!(
            optimism(Score::ordinary(optimism_half())),
            optimism_limit() / 2
        );
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
        let pawns = "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - -";
        let bonus = [start, pawns].map(|fen| adjusted_at(fen, 0, 40));
        assert!(bonus[0] > bonus[1] && bonus[1] > 0, "{bonus:?}");
        assert_eq!(adjusted_at(start, 0, -40), -bonus[0]);
    }
}
