//! Whatever is asked for, a search ends with a legal move.

use std::sync::atomic::Ordering::Relaxed;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use epode_engine::{Limits, Outcome, Searcher, Signals};
use movegen::{Game, Move, Position};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use super::check_outcome;
use super::surveys::random_game;

/// What ends a search.
#[derive(Debug)]
enum End {
    Limits(Limits),
    /// Another thread raises the stop flag after so many reports.
    Stop(usize),
}

fn random_end(rng: &mut StdRng) -> End {
    let time = Some(Duration::from_micros(rng.random_range(0..3_000)));
    let none = Limits::default();
    End::Limits(match rng.random_range(0..7) {
        0 => Limits::depth(rng.random_range(0..6)),
        1 => Limits::nodes(rng.random_range(0..5_000)),
        2 => Limits {
            soft_nodes: Some(rng.random_range(0..5_000)),
            ..none
        },
        3 => Limits {
            hard_time: time,
            ..none
        },
        4 => Limits {
            soft_time: time,
            ..none
        },
        5 => Limits {
            optimum_time: time,
            ..none
        },
        _ => return End::Stop(rng.random_range(0..6)),
    })
}

/// A position with moves, in check or not.
fn random_position(rng: &mut StdRng, in_check: bool) -> Game {
    loop {
        let game = random_game(rng);
        if game.position().is_check() == in_check {
            return game;
        }
    }
}

/// Raises the flag after so many reports, or when there will be no more.
fn stop_after(reports: usize, told: &Receiver<()>, signals: &Signals) {
    for _ in 0..reports {
        if told.recv().is_err() {
            return;
        }
    }
    signals.stop.store(true, Relaxed);
}

/// Searches, and returns what came of it and the last report of each line.
fn search(searcher: &mut Searcher, game: &Game, end: &End) -> (Outcome, Vec<Move>) {
    let signals = Signals::default();
    let mut last = Vec::new();
    let (tell, told) = channel();
    let outcome = std::thread::scope(|scope| {
        let limits = match end {
            End::Limits(limits) => *limits,
            End::Stop(reports) => {
                let signals = &signals;
                scope.spawn(move || stop_after(*reports, &told, signals));
                Limits::default()
            }
        };
        let outcome = searcher.search(game, &limits, &signals, &mut |progress| {
            last.truncate(progress.rank - 1);
            last.push(progress.pv[0]);
            let _ = tell.send(());
        });
        drop(tell);
        outcome
    });
    (outcome, last)
}

fn check(root: &Position, lines: usize, (outcome, last): &(Outcome, Vec<Move>), end: &End) {
    check_outcome(root, outcome);
    let moves = root.count_moves() as usize;
    assert_eq!(outcome.best.is_some(), moves > 0);
    assert_eq!(outcome.best, last.first().copied());
    assert!(last.len() <= lines.min(moves));
    if outcome.depth > 0 {
        assert_eq!(last.len(), lines.min(moves));
    }
    let is_repeated = |(i, mv)| last[..i].contains(mv);
    assert!(!last.iter().enumerate().any(is_repeated));
    if let End::Limits(limits) = end {
        assert!(outcome.nodes <= limits.nodes.unwrap_or(u64::MAX));
    }
}

#[test]
fn every_search_ends_with_a_legal_move() {
    let mut rng = StdRng::seed_from_u64(19);
    for round in 0..600 {
        let game = random_position(&mut rng, round % 3 == 0);
        let end = random_end(&mut rng);
        let lines = rng.random_range(1..=8);
        let threads = rng.random_range(1..=4);
        let root = game.position();
        println!("{root}: {lines} lines, {threads} threads, {end:?}");
        let mut searcher = Searcher::new(1);
        searcher.set_lines(lines);
        searcher.set_threads(threads);
        let found = search(&mut searcher, &game, &end);
        check(root, lines, &found, &end);
    }
}
