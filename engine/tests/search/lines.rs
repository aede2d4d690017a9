//! Several lines, and chosen moves.

use epode_engine::{Limits, Searcher, Signals};
use movegen::Game;

use super::{POSITIONS, check_outcome, game};

/// Several lines: the best first, each with another move, and the first one as a search for one
/// line alone would be allowed to have it.
#[test]
fn several_lines_begin_with_several_moves() {
    let game = Game::default();
    let mut searcher = Searcher::new(4);
    searcher.set_lines(4);
    let mut last = Vec::new();
    let limits = Limits::depth(6);
    let outcome = searcher.search(&game, &limits, &Signals::default(), &mut |progress| {
        if progress.rank == 1 {
            last.clear();
        }
        last.push((progress.score, progress.pv[0]));
    });
    assert_eq!(last.len(), 4);
    assert!(last.is_sorted_by(|one, next| one.0 >= next.0 && one.1 != next.1));
    assert_eq!(outcome.best, Some(last[0].1));
    // There are fewer moves than lines here.
    let few = Game::new("8/8/8/8/8/k7/8/K6R w - - 0 1".parse().expect("legal"));
    searcher.set_lines(100);
    let mut ranks = 0;
    searcher.search(
        &few,
        &Limits::depth(3),
        &Signals::default(),
        &mut |progress| {
            ranks = progress.rank;
        },
    );
    assert_eq!(ranks, few.position().count_moves() as usize);
}

/// In check there are often fewer moves than lines; then each has its line, and the search ends.
#[test]
fn there_are_no_more_lines_than_moves_in_check() {
    for (fen, moves) in [
        ("kq6/8/8/8/8/8/8/R6K b - - 0 1", 2),
        ("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1", 3),
        // Mate whatever is played.
        ("8/R3k3/1R6/8/8/8/8/K7 b - - 0 1", 3),
    ] {
        for threads in [1, 2] {
            let mut searcher = Searcher::new(1);
            searcher.set_lines(4);
            searcher.set_threads(threads);
            let mut ranks = 0;
            let game = game(fen);
            assert_eq!(game.position().count_moves(), moves, "{fen}");
            let limits = Limits::depth(5);
            let outcome = searcher.search(&game, &limits, &Signals::default(), &mut |progress| {
                ranks = progress.rank;
            });
            check_outcome(game.position(), &outcome);
            assert_eq!((ranks, outcome.depth), (moves as usize, 5), "{fen}");
        }
    }
}

/// Wherever a search for several lines is broken off, what it gives is the first of them.
#[test]
fn lines_that_are_broken_off_stay_in_order() {
    for fen in &POSITIONS[..4] {
        for nodes in (2..=20).map(|i| 700 * i) {
            let mut searcher = Searcher::new(4);
            searcher.set_lines(3);
            let mut last = Vec::new();
            let limits = Limits {
                nodes: Some(nodes),
                ..Limits::default()
            };
            let outcome =
                searcher.search(&game(fen), &limits, &Signals::default(), &mut |progress| {
                    last.truncate(progress.rank - 1);
                    last.push((progress.score, progress.pv.to_vec()));
                });
            assert_eq!(last.len(), 3, "{fen} {nodes}");
            assert!(last.is_sorted_by(|one, next| one.0 >= next.0 && one.1[0] != next.1[0]));
            let (score, line) = &last[0];
            assert_eq!(outcome.score, *score, "{fen} {nodes}");
            // The table may know how a line goes on.
            assert!(outcome.pv.starts_with(line), "{fen} {nodes}");
        }
    }
}

/// Only the moves that are asked for are played.
#[test]
fn root_moves_can_be_chosen() {
    let game = Game::default();
    let wanted = game.position().legal_moves()[7];
    let mut searcher = Searcher::new(4);
    searcher.set_root_moves(vec![wanted]);
    let outcome = searcher.search(&game, &Limits::depth(5), &Signals::default(), &mut |_| ());
    assert_eq!(outcome.best, Some(wanted));
}

/// Moves to choose from that belong to another position end a search at once, and one that is legal
/// among them is played.
#[test]
fn stale_root_moves_end_a_search() {
    let mut moves = game(POSITIONS[0]).position().legal_moves();
    let other = game(POSITIONS[2]);
    let legal = other.position().legal_moves()[0];
    moves.retain(|mv| !other.position().is_legal(*mv));
    assert!(moves.len() > 10);
    for lines in [1, 4] {
        let mut searcher = Searcher::new(1);
        searcher.set_lines(lines);
        searcher.set_root_moves(moves.to_vec());
        let signals = Signals::default();
        let outcome = searcher.search(&other, &Limits::default(), &signals, &mut |_| {
            panic!("there is nothing to tell");
        });
        assert_eq!((outcome.best, outcome.nodes), (None, 0));

        searcher.set_root_moves(moves.iter().copied().chain([legal]).collect());
        let outcome = searcher.search(&other, &Limits::depth(3), &signals, &mut |_| ());
        assert_eq!(outcome.best, Some(legal));
    }
}
