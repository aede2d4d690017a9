//! Several lines, and chosen moves.

use epode_engine::{Limits, Searcher, Signals};
use movegen::Game;

use super::{POSITIONS, game};

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

/// Wherever a search for several lines is broken off, what it gives is the first of them.
#[test]
fn lines_that_are_broken_off_stay_in_order() {
    for fen in &POSITIONS[..4] {
        for nodes in (1..=20).map(|i| 700 * i) {
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
