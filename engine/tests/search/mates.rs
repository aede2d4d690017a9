//! Mates are found, and are as long as is said.

use epode_engine::{Limits, Score};
use movegen::{Game, Move, Piece, Position, Square};

use super::{fresh, position};

/// The moves that mate in so many moves or fewer, whatever the answers: tried one by one, with no
/// cleverness that could be wrong.
pub fn mating_moves(position: &Position, moves: usize) -> Vec<Move> {
    let mut all = position.legal_moves().to_vec();
    all.retain(|&mv| mates(position, mv, moves));
    all
}

fn mates(position: &Position, mv: Move, moves: usize) -> bool {
    let mut after = *position;
    after.play_unchecked(mv);
    moves > 0 && (after.is_checkmate() || is_lost(&after, moves - 1))
}

/// Whether there are moves, and each is answered by a mate in so many moves or fewer.
pub fn is_lost(position: &Position, moves: usize) -> bool {
    let replies = position.legal_moves();
    moves > 0
        && !replies.is_empty()
        && replies.into_iter().all(|reply| {
            let mut after = *position;
            after.play_unchecked(reply);
            can_mate(&after, moves)
        })
}

pub fn can_mate(position: &Position, moves: usize) -> bool {
    let all = position.legal_moves();
    all.into_iter().any(|mv| mates(position, mv, moves))
}

/// The same position with the colours changed: what White had, Black has.
pub fn mirrored(position: &Position) -> Position {
    let setup = position.setup();
    assert!(setup.castling.is_empty() && setup.en_passant.is_none());
    let mut mirror = setup.clone();
    mirror.turn = !setup.turn;
    for square in Square::all() {
        mirror.board[square.flip_rank().index()] =
            setup.board[square.index()].map(|piece| Piece::new(!piece.color(), piece.role()));
    }
    Position::from_setup(&mirror).expect("legal as before")
}

/// Mates in so many moves, with White to move.
const MATES: [(usize, &str); 20] = [
    (1, "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1"),
    (1, "8/8/8/2Q5/k1K5/8/8/8 w - - 0 1"),
    (1, "3r1rk1/5p1p/8/5N2/8/8/1Q6/6K1 w - - 0 1"),
    // A queen lures the bishop away.
    (
        2,
        "r1b2k1r/ppp1bppp/8/1B1Q4/5q2/2P5/PPP2PPP/R3R1K1 w - - 0 1",
    ),
    (2, "4R3/5K1N/8/7k/8/8/8/8 w - - 0 1"),
    (2, "8/8/8/2R5/k7/8/1K6/8 w - - 0 1"),
    (2, "7k/8/8/7K/8/4R3/8/8 w - - 0 1"),
    (2, "8/8/5RK1/8/8/3R4/8/6k1 w - - 0 1"),
    (2, "8/7P/8/8/2Q5/7k/4K3/8 w - - 0 1"),
    (3, "4K3/7k/8/8/8/8/8/R7 w - - 0 1"),
    (3, "8/8/4K3/7k/N7/8/3R4/8 w - - 0 1"),
    // Quiet moves matter here, and pruning may hide the shortest way for a while.
    (2, "7k/8/8/8/8/8/R7/1R5K w - - 0 1"),
    (2, "8/8/8/8/6Q1/k7/8/1K6 w - - 0 1"),
    (3, "6k1/3RK3/8/8/8/8/8/8 w - - 0 1"),
    (3, "7k/5K2/6pp/7P/8/8/8/6R1 w - - 0 1"),
    (3, "8/K3P3/8/8/8/7Q/2k5/8 w - - 0 1"),
    // Smothered: double check, a queen given up, and the knight.
    (4, "4r2k/6pp/8/6N1/2Q5/8/8/6K1 w - - 0 1"),
    (4, "8/5R2/8/8/8/8/1k1K4/8 w - - 0 1"),
    (4, "8/8/8/8/6R1/5KR1/3k4/8 w - - 0 1"),
    (4, "8/6P1/8/k4K2/6Q1/8/8/8 w - - 0 1"),
];

/// Each as it is, and with the colours changed.
fn in_both_colors(mates: &[(usize, &str)]) -> Vec<(usize, Position)> {
    let both = mates.iter().flat_map(|&(moves, fen)| {
        let white = position(fen);
        assert!(can_mate(&white, moves), "{fen} takes longer");
        assert!(!can_mate(&white, moves - 1), "{fen} is shorter");
        [(moves, white), (moves, mirrored(&white))]
    });
    both.collect()
}

#[test]
fn mates_are_found_and_counted() {
    let limits = Limits::depth(40);
    for (moves, winning) in in_both_colors(&MATES) {
        let outcome = fresh(&Game::new(winning), &limits);
        assert_eq!(outcome.score, Score::mate_in(2 * moves - 1), "{winning}");
        let best = outcome.best.expect("it mates");
        assert!(mates(&winning, best, moves), "{winning}: {best}");

        // The other side sees as far.
        let mut losing = winning;
        losing.play(best);
        let outcome = fresh(&Game::new(losing), &limits);
        assert_eq!(outcome.score, Score::mated_in(2 * moves - 2), "{losing}");
    }
}
