//! Where a game ends by the rules, or could.

use epode_engine::{Limits, Score, Searcher};
use movegen::{Game, Move, Square};

use super::mates::{mating_moves, mirrored};
use super::{find, fresh, game, played, position, search};

/// EPD 6.7, decision 131.
#[test]
fn finished_games_have_nothing_to_search() {
    for (fen, score) in [
        ("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1", Score::CHECKMATED),
        (
            "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3",
            Score::CHECKMATED,
        ),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", Score::DRAW),
        ("8/8/8/8/8/1k6/1p6/1K6 w - - 0 1", Score::DRAW),
        // Decision 78: the mate was there first.
        ("R5k1/5ppp/8/8/8/8/8/6K1 b - - 100 80", Score::CHECKMATED),
    ] {
        for threads in [1, 2] {
            let mut searcher = Searcher::new(1);
            searcher.set_threads(threads);
            let (outcome, told) = search(&mut searcher, &game(fen), &Limits::depth(5));
            assert_eq!((outcome.best, outcome.ponder), (None, None), "{fen}");
            assert_eq!(outcome.score, score, "{fen}");
            assert!(outcome.pv.is_empty() && told.is_empty(), "{fen}");
            assert_eq!((outcome.depth, outcome.nodes), (0, 0), "{fen}");
        }
    }
    assert_eq!((Score::CHECKMATED.ce(), Score::DRAW.ce()), (-32767, 0));
}

/// A third occurrence ends the game, so that the side that is lost heads for it.
#[test]
fn the_losing_side_repeats() {
    let start = "7k/8/8/8/8/8/Q7/K7 w - - 0 1";
    let shuffle = "a2a3 h8h7 a3a2";
    let game = played(start, &format!("{shuffle} h7h8 {shuffle}"));
    for depth in [1, 2, 6] {
        let outcome = fresh(&game, &Limits::depth(depth));
        assert_eq!(outcome.score, Score::DRAW);
        assert_eq!(outcome.best, Some(find(game.position(), "h7h8")));
    }
    // Without that past there is nothing to hope for.
    let outcome = fresh(&Game::new(*game.position()), &Limits::depth(6));
    assert!(outcome.score < Score::ordinary(-500), "{}", outcome.score);
}

/// The side that wins does not: it takes the other way, however long.
#[test]
fn the_winning_side_does_not_repeat() {
    let start = "7k/8/8/8/8/8/R7/1R5K w - - 0 1";
    let round = "a2a7 h8g8 a7a2 g8h8";
    let once = played(start, round);
    let twice = played(start, &format!("{round} {round}"));
    let repeating = find(once.position(), "a2a7");
    let keys = mating_moves(once.position(), 2);
    assert!(keys.contains(&repeating) && keys.len() > 1, "{keys:?}");
    let outcome = fresh(&twice, &Limits::depth(20));
    assert_eq!(outcome.score, Score::mate_in(3));
    let best = outcome.best.expect("it mates");
    assert!(keys.contains(&best) && best != repeating, "{best}");

    // Where every other move loses, it must.
    let start = "6k1/6p1/8/7Q/8/ppp5/rr6/7K w - - 0 1";
    let outcome = fresh(&game(start), &Limits::depth(10));
    assert_eq!(outcome.score, Score::DRAW, "perpetual check");
}

/// Decision 78: at the hundredth ply only a mate, or what sets the clock back, still counts.
#[test]
fn the_fifty_move_rule() {
    for (fen, score, depths) in [
        ("7k/R7/1R6/8/8/8/8/K7 w - - 99 80", Score::mate_in(1), 1..=8),
        ("7k/8/8/8/8/8/R7/1R5K w - - 99 80", Score::DRAW, 1..=8),
        ("7k/8/8/8/8/8/R7/1R5K b - - 99 80", Score::DRAW, 1..=8),
        // The end must be within sight, and a mate that takes three plies in fact seen.
        ("7k/8/8/8/8/8/R7/1R5K w - - 98 80", Score::DRAW, 4..=8),
        ("7k/8/8/8/8/8/R7/1R5K w - - 97 80", Score::mate_in(3), 8..=8),
    ] {
        let white = position(fen);
        let mut black = mirrored(&white);
        black.set_counters(white.halfmove_clock(), white.fullmove_number());
        for root in [white, black] {
            for depth in depths.clone() {
                let outcome = fresh(&Game::new(root), &Limits::depth(depth));
                assert_eq!(outcome.score, score, "{root} at depth {depth}");
            }
        }
    }
    let outcome = fresh(
        &game("7k/8/8/8/8/8/R6P/1R5K w - - 99 80"),
        &Limits::depth(6),
    );
    assert!(outcome.score > Score::ordinary(500), "{}", outcome.score);
    let pawn = outcome.best.map(Move::from);
    assert_eq!(pawn, Some(Square::H2), "only a pawn can still win");
}

#[test]
fn too_few_pieces_are_a_draw() {
    for fen in [
        "8/8/8/4k3/8/8/8/K7 w - - 0 1",
        "8/8/8/4k3/8/8/6N1/K7 w - - 0 1",
        "8/8/8/4k3/8/8/6B1/K7 b - - 0 1",
        "8/6b1/8/4k3/8/8/8/K5B1 w - - 0 1",
        // The last piece can be taken at once.
        "8/8/8/4k3/8/8/1r6/K7 w - - 0 1",
        "8/8/3q4/4k3/8/8/8/K7 b - - 99 1",
    ] {
        for depth in [1, 4, 9] {
            let outcome = fresh(&game(fen), &Limits::depth(depth));
            assert_eq!(outcome.score, Score::DRAW, "{fen}");
        }
    }
}
