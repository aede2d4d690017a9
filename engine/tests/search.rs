//! Laws of the search, seen from outside: what it reports can be played, what it claims is true, and
//! it ends where it should.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use epode_engine::{Limits, MAX_PLY, Outcome, Score, Searcher, Signals};
use movegen::{Color, Coordinates, Game, Move, Piece, Position, Role, Setup, Square};
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};

/// 218 moves, more than in any other position.
const MOST_MOVES: &str = "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1";

/// Positions of every kind: openings, middlegames, endgames, and some that no game leads to.
const POSITIONS: [&str; 12] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 1",
    "8/8/8/3k4/8/3PK3/8/8 w - - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "8/k1P5/8/1K6/8/8/8/8 w - - 0 1",
    "3qk3/qqqqqqqq/8/8/8/8/QQQQQQQQ/3QK3 w - - 0 1",
    "nnnnknnn/nnn5/8/8/8/8/NNN5/NNNNKNNN w - - 0 1",
    "rrrrkrrr/rrr5/8/8/8/8/RRR5/RRRRKRRR b - - 0 1",
    MOST_MOVES,
];

fn position(fen: &str) -> Position {
    fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"))
}

fn game(fen: &str) -> Game {
    Game::new(position(fen))
}

/// The game after these moves, in coordinates.
fn played(fen: &str, moves: &str) -> Game {
    let mut game = game(fen);
    for text in moves.split(' ') {
        let mv = find(game.position(), text);
        game.play(mv).expect("legal");
    }
    game
}

fn find(position: &Position, text: &str) -> Move {
    let coordinates: Coordinates = text.parse().expect(text);
    coordinates.find(position).expect(text)
}

/// What an observer is told of an iteration, without the time.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Told {
    depth: usize,
    score: Score,
    pv: Vec<Move>,
    nodes: u64,
}

/// Searches, and holds what is reported on the way and in the end against what must be true of
/// every search.
fn search(searcher: &mut Searcher, game: &Game, limits: &Limits) -> (Outcome, Vec<Told>) {
    let begun = Instant::now();
    let mut told: Vec<Told> = Vec::new();
    let mut time = Duration::ZERO;
    let root = *game.position();
    let outcome = searcher.search(game, limits, &Signals::default(), &mut |progress| {
        if let Some(last) = told.last() {
            // Several threads may elect another move in the end, from wherever they are.
            let elected = progress.pv.first() != last.pv.first();
            assert!(progress.depth > last.depth || elected, "{root}");
            assert!(progress.nodes >= last.nodes, "{root}");
        }
        assert!(progress.time >= time, "{root}");
        assert!(progress.table_permille <= 1000, "{root}");
        assert!(!progress.pv.is_empty(), "{root}");
        assert!(progress.selective_depth >= progress.pv.len(), "{root}");
        check_line(&root, progress.pv, progress.score);
        time = progress.time;
        told.push(Told {
            depth: progress.depth,
            score: progress.score,
            pv: progress.pv.to_vec(),
            nodes: progress.nodes,
        });
    });
    check_outcome(&root, &outcome);
    assert!(outcome.time >= time && outcome.time <= begun.elapsed());
    if let Some(last) = told.last() {
        assert_eq!(outcome.depth, last.depth, "{root}");
        assert!(outcome.nodes >= last.nodes, "{root}");
    } else {
        assert_eq!(outcome.depth, 0, "{root}");
    }
    assert!(
        outcome.depth <= limits.depth.unwrap_or(MAX_PLY).max(1),
        "{root}"
    );
    (outcome, told)
}

/// A search by an engine that has seen nothing before.
fn fresh(game: &Game, limits: &Limits) -> Outcome {
    search(&mut Searcher::new(1), game, limits).0
}

fn check_outcome(root: &Position, outcome: &Outcome) {
    assert_eq!(outcome.best, outcome.pv.first().copied(), "{root}");
    assert_eq!(outcome.ponder, outcome.pv.get(1).copied(), "{root}");
    if root.count_moves() > 0 {
        assert!(outcome.best.is_some() && outcome.depth > 0, "{root}");
        assert!(outcome.nodes > 0, "{root}");
    }
    check_line(root, &outcome.pv, outcome.score);
}

/// A line can be played, and its score is one that `ce` may have. A mate is not longer than it says,
/// and where the whole of it is told, it is mate.
fn check_line(root: &Position, pv: &[Move], score: Score) {
    let mut position = *root;
    for &mv in pv {
        position
            .try_play(mv)
            .unwrap_or_else(|error| panic!("{root}: {pv:?}: {error}"));
    }
    let ce = score.ce().abs();
    match score.mate_plies() {
        None => assert!(ce <= Score::ORDINARY_LIMIT, "{root}: {score}"),
        Some(plies) => {
            assert!(plies <= MAX_PLY, "{root}: {score}");
            // Whoever is to move now gives the mate in an odd number of plies.
            assert_eq!(score.ce() > 0, plies % 2 == 1, "{root}: {score}");
            assert!(pv.len() <= plies, "{root}: {score}: {pv:?}");
            if pv.len() == plies {
                assert!(position.is_checkmate(), "{root}: {score}: {pv:?}");
            }
        }
    }
}

/// The moves that mate in so many moves or fewer, whatever the answers: tried one by one, with no
/// cleverness that could be wrong.
fn mating_moves(position: &Position, moves: usize) -> Vec<Move> {
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
fn is_lost(position: &Position, moves: usize) -> bool {
    let replies = position.legal_moves();
    moves > 0
        && !replies.is_empty()
        && replies.into_iter().all(|reply| {
            let mut after = *position;
            after.play_unchecked(reply);
            can_mate(&after, moves)
        })
}

fn can_mate(position: &Position, moves: usize) -> bool {
    let all = position.legal_moves();
    all.into_iter().any(|mv| mates(position, mv, moves))
}

/// The same position with the colours changed: what White had, Black has.
fn mirrored(position: &Position) -> Position {
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

/// The table may be small, and even nothing; it is then of little use, and that is all.
#[test]
fn small_tables_serve() {
    for mib in [0, 1] {
        for fen in POSITIONS {
            search(&mut Searcher::new(mib), &game(fen), &Limits::nodes(5_000));
        }
    }
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

/// One thread stops at the very node, unless it is still at depth 1 (decision 133).
#[test]
fn node_limits_are_exact() {
    for fen in &POSITIONS[..6] {
        let game = game(fen);
        let first = fresh(&game, &Limits::depth(1)).nodes;
        for nodes in [1, 2, first, first + 1, 700, 1_000, 12_345] {
            let outcome = fresh(&game, &Limits::nodes(nodes));
            if nodes > first {
                assert_eq!(outcome.nodes, nodes, "{fen}: {outcome:?}");
            } else {
                assert_eq!(outcome.depth, 1, "{fen}");
                // The first node of depth 2 is where the limit is seen.
                assert!((first..=first + 1).contains(&outcome.nodes), "{fen}");
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
        fair_time: Some(Duration::from_mins(10)),
        hard_time: Some(Duration::from_mins(10)),
    };
    let outcome = fresh(&Game::default(), &limits);
    assert_eq!(outcome.depth, 3);
    let limits = Limits {
        nodes: Some(100),
        ..limits
    };
    assert_eq!(fresh(&game(POSITIONS[1]), &limits).nodes, 100);
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

/// Time that is over before it began leaves depth 1. Otherwise nothing is said of how exactly a
/// loaded machine keeps time, only that it does.
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
            fair_time: none,
            ..limits
        },
        Limits {
            hard_time: none,
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
        assert!(outcome.time < 200 * short, "{:?}", outcome.time);
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
    assert!((20_000..40_000).contains(&outcome.nodes), "{outcome:?}");
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

/// The most moves that there can be, and other crowds.
#[test]
fn crowded_boards_do_no_harm() {
    assert_eq!(position(MOST_MOVES).count_moves(), 218);
    for fen in &POSITIONS[8..] {
        for color in Color::ALL {
            let mut setup = position(fen).setup();
            setup.turn = color;
            // Whoever would be in check off the move is left out.
            let Ok(root) = Position::from_setup(&setup) else {
                continue;
            };
            fresh(&Game::new(root), &Limits::nodes(30_000));
        }
    }
}

/// Pieces anywhere, few or many, as long as the rules allow them.
fn odd_set_up(rng: &mut StdRng) -> Position {
    let roles = [
        Role::Pawn,
        Role::Pawn,
        Role::Pawn,
        Role::Knight,
        Role::Bishop,
        Role::Rook,
        Role::Queen,
    ];
    loop {
        let mut setup = Setup::empty();
        let crowd = rng.random_range(0..24);
        let kings = Color::ALL.map(|color| Piece::new(color, Role::King));
        let others = (0..crowd).map(|_| {
            let color = if rng.random() {
                Color::White
            } else {
                Color::Black
            };
            Piece::new(color, *roles.choose(rng).expect("there are some"))
        });
        let pieces: Vec<Piece> = kings.into_iter().chain(others).collect();
        for piece in pieces {
            let square = rng.random_range(0..Square::COUNT);
            let taken = &mut setup.board[square];
            let end_rank = !(8..56).contains(&square);
            if taken.is_none() && !(piece.role() == Role::Pawn && end_rank) {
                *taken = Some(piece);
            }
        }
        if rng.random() {
            setup.turn = Color::Black;
        }
        // The clock may be anywhere, also where it ends the game.
        setup.halfmove_clock = rng.random_range(0..=100) * u16::from(rng.random_bool(0.3));
        if let Ok(position) = Position::from_setup(&setup) {
            return position;
        }
    }
}

/// A game of random length from the start, or from an odd set-up.
fn random_game(rng: &mut StdRng) -> Game {
    let (start, longest) = if rng.random() {
        (Position::start(), 200)
    } else {
        (odd_set_up(rng), 20)
    };
    let mut game = Game::new(start);
    for _ in 0..rng.random_range(0..=longest) {
        let moves = game.position().legal_moves();
        let Some(&mv) = moves.choose(rng) else {
            break;
        };
        game.play(mv).expect("legal");
    }
    game
}

/// Searches so many random positions at depth 4, without forgetting between them, so that the table
/// holds what belongs to others.
fn survey(seed: u64, positions: usize) {
    let mut rng = StdRng::seed_from_u64(seed);
    let mut searcher = Searcher::new(1);
    for _ in 0..positions {
        let game = random_game(&mut rng);
        let root = *game.position();
        let (outcome, _) = search(&mut searcher, &game, &Limits::depth(4));
        assert_eq!(outcome.best.is_some(), root.count_moves() > 0, "{root}");
        let mates_now = !mating_moves(&root, 1).is_empty();
        let claimed = outcome.score == Score::mate_in(1);
        assert_eq!(claimed, mates_now, "{root}: {}", outcome.score);
        // What is said to be mate is mate. Longer ones would take too long to prove.
        let proven = match outcome.score.ce() {
            32764 => can_mate(&root, 2),
            -32765 => is_lost(&root, 1),
            _ => true,
        };
        assert!(proven, "{root}: {}", outcome.score);
    }
}

#[test]
fn random_positions_do_no_harm() {
    survey(1, 500);
}

/// One hundred thousand of them:
/// `cargo test --release -p epode-engine -- --ignored`
/// Last done 2026-11-21.
#[test]
#[ignore = "takes minutes"]
fn a_hundred_thousand_random_positions_do_no_harm() {
    const BATCH: usize = 1_000;
    let next = AtomicU64::new(0);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let batch = next.fetch_add(1, Relaxed);
                    if batch >= 100 {
                        break;
                    }
                    survey(1_000 + batch, BATCH);
                }
            });
        }
    });
}

/// Boards on which everything captures everything come to rest too.
#[test]
fn crowded_boards_come_to_rest() {
    for fen in [
        "rnbqkbnr/rrrrrrrr/8/8/8/8/RRRRRRRR/RNBQKBNR w KQkq - 0 1",
        "rnbqkbnr/qqqqqqqq/8/8/8/8/QQQQQQQQ/RNBQKBNR w KQkq - 0 1",
    ] {
        let outcome = fresh(&game(fen), &Limits::depth(1));
        assert!(outcome.nodes < 10_000_000, "{fen}: {}", outcome.nodes);
    }
}

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
