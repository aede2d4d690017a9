//! Any number of threads, and any size of the table.

use epode_engine::{Limits, Outcome, Searcher};
use movegen::Game;

use super::{POSITIONS, game, search};

#[test]
fn one_thread_is_deterministic() {
    let mut searcher = Searcher::new(4);
    for limits in [Limits::nodes(20_000), Limits::depth(7)] {
        for fen in &POSITIONS[..8] {
            let game = game(fen);
            searcher.clear();
            let (first, told_first) = search(&mut searcher, &game, &limits);
            // Something else in between must be forgotten.
            search(&mut searcher, &Game::default(), &Limits::depth(5));
            searcher.clear();
            let (second, told_second) = search(&mut searcher, &game, &limits);
            let (third, told_third) = search(&mut Searcher::new(4), &game, &limits);
            for (other, told_other) in [(second, told_second), (third, told_third)] {
                let same_times = Outcome {
                    time: first.time,
                    processor_time: first.processor_time,
                    ..other
                };
                assert_eq!(first, same_times, "{fen}");
                assert_eq!(told_first, told_other, "{fen}");
            }
        }
    }
}

/// No thread at all counts as one.
#[test]
fn no_threads_are_one() {
    let outcomes = [0, 1].map(|threads| {
        let mut searcher = Searcher::new(1);
        searcher.set_threads(threads);
        search(&mut searcher, &Game::default(), &Limits::depth(6)).1
    });
    assert_eq!(outcomes[0], outcomes[1]);
}

/// Two threads find lines that can be played, and their nodes are those of both.
#[test]
fn threads_share_the_work() {
    for fen in POSITIONS {
        let mut searcher = Searcher::new(1);
        searcher.set_threads(2);
        search(&mut searcher, &game(fen), &Limits::depth(4));
    }
    let mut searcher = Searcher::new(1);
    searcher.set_threads(2);
    let (outcome, _) = search(&mut searcher, &game(POSITIONS[1]), &Limits::nodes(20_000));
    assert!((19_000..=20_000).contains(&outcome.nodes), "{outcome:?}");
}

/// The table may be small, and even nothing; it is then of little use, and that is all.
#[test]
fn small_tables_serve() {
    for mib in [0, 1] {
        for fen in POSITIONS {
            search(&mut Searcher::new(mib), &game(fen), &Limits::nodes(5_000));
        }
    }
}
