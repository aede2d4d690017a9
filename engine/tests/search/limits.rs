//! A search ends where its limits or a signal say.

use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use epode_engine::{Limits, Searcher, Signals};
use movegen::Game;

use super::{CROWDS, POSITIONS, check_outcome, fresh, game, search};

/// The nodes of a thread between two looks at the clock and the stop flag.
const POLL_INTERVAL: u64 = 512;

/// One thread stops at the very node, in the first iteration too.
#[test]
fn node_limits_are_exact() {
    for fen in &POSITIONS[..6] {
        let game = game(fen);
        let first = fresh(&game, &Limits::depth(1)).nodes;
        for nodes in [1, 2, first, first + 1, 700, 1_000, 12_345] {
            let outcome = fresh(&game, &Limits::nodes(nodes));
            assert_eq!(outcome.nodes, nodes, "{fen}: {outcome:?}");
            assert_eq!(outcome.depth == 0, nodes <= first, "{fen}: {outcome:?}");
        }
        let outcome = fresh(&game, &Limits::nodes(first + 1));
        assert_eq!(outcome.depth, 1, "{fen}");
    }
}

/// Without a single node there is a move all the same.
#[test]
fn no_nodes_still_give_a_move() {
    for threads in [1, 4] {
        let mut searcher = Searcher::new(1);
        searcher.set_threads(threads);
        searcher.set_lines(3);
        let mut told = Vec::new();
        let outcome = searcher.search(
            &Game::default(),
            &Limits::nodes(0),
            &Signals::default(),
            &mut |progress| told.push(progress.pv[0]),
        );
        assert_eq!((outcome.nodes, outcome.depth), (0, 0));
        assert_eq!(told, [outcome.best.expect("there are moves")]);
    }
}

/// Threads together never take more nodes than there are, and leave little over.
#[test]
fn threads_keep_to_the_node_limit() {
    for threads in [2, 4, 64] {
        for nodes in [1, 10, 100, 1_000, 30_000, 100_000] {
            let mut searcher = Searcher::new(1);
            searcher.set_threads(threads);
            let (outcome, _) = search(&mut searcher, &game(POSITIONS[1]), &Limits::nodes(nodes));
            let least = nodes.saturating_sub((threads as u64 - 1) * POLL_INTERVAL);
            assert!(
                (least..=nodes).contains(&outcome.nodes),
                "{threads} threads, {nodes} nodes: {}",
                outcome.nodes
            );
        }
    }
}

/// The clock and the stop flag are looked at in the first iteration too, on any board.
#[test]
fn the_first_iteration_can_be_broken_off() {
    let begun_late = (Limits::time(Duration::ZERO), Signals::default());
    let stopped = (Limits::default(), Signals::default());
    stopped.1.stop.store(true, Relaxed);
    for fen in CROWDS.iter().chain(&POSITIONS) {
        for (limits, signals) in [&begun_late, &stopped] {
            for threads in [1, 3] {
                let mut searcher = Searcher::new(1);
                searcher.set_threads(threads);
                let game = game(fen);
                let outcome = searcher.search(&game, limits, signals, &mut |_| ());
                check_outcome(game.position(), &outcome);
                let most = threads as u64 * POLL_INTERVAL;
                assert!(outcome.nodes <= most, "{fen}: {}", outcome.nodes);
            }
        }
    }
}

#[test]
fn depth_limits_are_reached() {
    for fen in &POSITIONS[..6] {
        for depth in [1, 2, 5] {
            let outcome = fresh(&game(fen), &Limits::depth(depth));
            assert_eq!(outcome.depth, depth, "{fen}");
        }
    }
    // Nothing is less than depth 1.
    assert_eq!(fresh(&Game::default(), &Limits::depth(0)).depth, 1);
}

/// Whichever limit comes first ends it.
#[test]
fn limits_work_together() {
    let limits = Limits {
        depth: Some(3),
        nodes: Some(1_000_000),
        soft_nodes: Some(1_000_000),
        soft_time: Some(Duration::from_mins(10)),
        optimum_time: Some(Duration::from_mins(10)),
        hard_time: Some(Duration::from_mins(10)),
    };
    let outcome = fresh(&Game::default(), &limits);
    assert_eq!(outcome.depth, 3);
    let nodes = outcome.nodes - 1;
    let limits = Limits {
        nodes: Some(nodes),
        ..limits
    };
    assert_eq!(fresh(&Game::default(), &limits).nodes, nodes);
}

/// A soft limit ends a search between two iterations, and so does a signal that the observer of one
/// raises: what comes of it is what that depth alone would give.
#[test]
fn soft_limits_finish_the_iteration() {
    let game = game(POSITIONS[4]);
    let limits = Limits {
        soft_nodes: Some(20_000),
        ..Limits::default()
    };
    let (soft, told) = search(&mut Searcher::new(1), &game, &limits);
    assert_eq!(Some(soft.nodes), told.last().map(|last| last.nodes));
    assert!(soft.nodes >= 20_000 && told.iter().rev().skip(1).all(|last| last.nodes < 20_000));

    let signals = Signals::default();
    let mut observer = |progress: &epode_engine::Progress<'_>| {
        signals.stop.store(progress.depth == soft.depth, Relaxed);
    };
    let limits = Limits::default();
    let stopped = Searcher::new(1).search(&game, &limits, &signals, &mut observer);
    let deep = fresh(&game, &Limits::depth(soft.depth));
    for outcome in [stopped, deep] {
        let found = (outcome.depth, outcome.nodes, outcome.pv);
        assert_eq!(found, (soft.depth, soft.nodes, soft.pv.clone()));
    }
}

/// Where a limit ends a search within an iteration, the score is that of the last iteration that was finished,
/// or a new one of the same move. Only a move that has just turned out better has a lower bound instead, which
/// a mate in its line need not match.
#[test]
fn an_interrupted_search_tells_exact_scores_and_bounds_apart() {
    let (mut bounds, mut restored) = (0, 0);
    let mates = [
        "6R1/8/8/K1P5/1Qq5/8/1P6/3k4 w - - 0 1",
        "8/P2K2N1/6r1/NR5Q/7b/8/6k1/8 w - - 0 1",
        "1R6/8/3k1b2/7B/8/R7/6K1/5R2 w - - 0 1",
    ];
    for fen in POSITIONS.into_iter().chain(mates) {
        for nodes in (1_000..30_000).step_by(1_000) {
            let (outcome, told) = search(&mut Searcher::new(4), &game(fen), &Limits::nodes(nodes));
            let exact = told.iter().rfind(|told| !told.is_lower_bound);
            let exact = exact.expect("at least one iteration");
            if outcome.is_lower_bound {
                assert_ne!(
                    outcome.best,
                    exact.pv.first().copied(),
                    "{fen}, {nodes} nodes"
                );
                bounds += 1;
            } else if exact.depth == outcome.depth {
                let limits = Limits::depth(outcome.depth);
                let depth = search(&mut Searcher::new(4), &game(fen), &limits).0;
                assert_eq!(outcome.score, depth.score, "{fen}, {nodes} nodes");
                restored += 1;
            }
            if let Some(plies) = outcome.score.mate_plies()
                && outcome.is_lower_bound
            {
                assert!(outcome.pv.len() < plies, "{fen}, {nodes} nodes");
            }
        }
    }
    assert!(bounds > 0 && restored > 0, "{bounds}, {restored}");
}

/// The processor time is that of all threads, and nothing at the end of a game.
#[cfg(unix)]
#[test]
fn processor_time_is_told() {
    let mut searcher = Searcher::new(1);
    for threads in [1, 2] {
        searcher.set_threads(threads);
        let outcome = search(&mut searcher, &game(POSITIONS[1]), &Limits::nodes(200_000)).0;
        let spent = outcome.processor_time.expect("told on Unix");
        assert!(spent > Duration::ZERO && spent <= outcome.time * threads as u32);
    }
    let mated = fresh(
        &game("3R2k1/5ppp/8/8/8/8/5PPP/6K1 b - - 0 1"),
        &Limits::nodes(1),
    );
    assert_eq!(mated.processor_time, Some(Duration::ZERO));
}

/// A soft limit that is over before it began leaves depth 1; a hard one breaks off. How late a loaded
/// machine notices says nothing of the search: what it works until then does.
#[test]
fn time_limits_end_a_search() {
    let none = Some(Duration::ZERO);
    let limits = Limits::default();
    for limits in [
        Limits {
            soft_time: none,
            ..limits
        },
        Limits {
            optimum_time: none,
            ..limits
        },
    ] {
        assert_eq!(fresh(&game(POSITIONS[1]), &limits).depth, 1);
    }
    let short = Duration::from_millis(50);
    for threads in [1, 2] {
        let mut searcher = Searcher::new(1);
        searcher.set_threads(threads);
        let (outcome, _) = search(&mut searcher, &game(POSITIONS[1]), &Limits::time(short));
        assert!(outcome.time >= short, "nothing else can have ended it");
        if let Some(worked) = outcome.processor_time {
            assert!(worked < 2 * short * threads as u32, "{worked:?}");
        }
    }
}

#[test]
fn a_raised_flag_still_gives_a_move() {
    for threads in [1, 2] {
        for fen in POSITIONS {
            let mut searcher = Searcher::new(1);
            searcher.set_threads(threads);
            let game = game(fen);
            let signals = Signals::default();
            signals.stop.store(true, Relaxed);
            let outcome = searcher.search(&game, &Limits::default(), &signals, &mut |_| ());
            check_outcome(game.position(), &outcome);
        }
    }
}

/// A search without limits ends soon after the flag was raised.
#[test]
fn a_flag_stops_a_search() {
    let signals = Signals::default();
    let mut nodes = 0;
    let game = game(POSITIONS[1]);
    let outcome = Searcher::new(1).search(&game, &Limits::default(), &signals, &mut |progress| {
        if progress.depth == 5 {
            nodes = progress.nodes;
            signals.stop.store(true, Relaxed);
        }
    });
    check_outcome(game.position(), &outcome);
    assert!(outcome.depth >= 5);
    assert!((nodes..nodes + 10_000).contains(&outcome.nodes));
}

/// While the opponent thinks, time does not count; then all of it does.
#[test]
fn pondering_ends_with_the_clock() {
    let game = Game::default();
    let signals = Signals::default();
    signals.pondering.store(true, Relaxed);
    let limits = Limits::time(std::time::Duration::from_millis(1));
    let mut depth = 0;
    let outcome = Searcher::new(4).search(&game, &limits, &signals, &mut |progress| {
        depth = progress.depth;
        if depth == 7 {
            signals.pondering.store(false, Relaxed);
        }
    });
    assert!(outcome.depth >= 7);
}
