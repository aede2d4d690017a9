//! Laws of the search, seen from outside: what it reports can be played, what it claims is true, and
//! it ends where it should.

mod endings;
mod limits;
mod lines;
mod mates;
mod properties;
mod pruning;
mod surveys;
mod tablebases;
mod threads;

use std::time::{Duration, Instant};

use epode_engine::{Limits, MAX_PLY, Outcome, Score, Searcher, Signals};
use movegen::{Game, Move, Position, UciMove};

/// 218 moves, more than in any other position.
const MOST_MOVES: &str = "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1";

/// Boards on which nearly everything captures everything: the first iteration takes more nodes here
/// than anywhere else.
const CROWDS: [&str; 2] = [
    "rnbqkbnr/rrrrrrrr/8/8/8/8/RRRRRRRR/RNBQKBNR w KQkq - 0 1",
    "rnbqkbnr/qqqqqqqq/8/8/8/8/QQQQQQQQ/RNBQKBNR w KQkq - 0 1",
];

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
    let coordinates: UciMove = text.parse().expect(text);
    coordinates.find(position).expect(text)
}

/// What an observer is told of a line, without the time.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Told {
    depth: usize,
    score: Score,
    is_lower_bound: bool,
    pv: Vec<Move>,
    nodes: u64,
    tablebase_hits: u64,
}

/// Searches, and holds what is reported on the way and in the end against what must be true of
/// every search.
fn search(searcher: &mut Searcher, game: &Game, limits: &Limits) -> (Outcome, Vec<Told>) {
    let started = Instant::now();
    let mut told: Vec<Told> = Vec::new();
    let mut time = Duration::ZERO;
    let root = *game.position();
    let outcome = searcher.search(game, limits, &Signals::default(), &mut |progress| {
        if let Some(last) = told.last() {
            // Several threads may elect another move in the end, from wherever they are, and an
            // interrupted search tells the last line again.
            let elected = progress.pv.first() != last.pv.first();
            let again = progress.depth == last.depth && progress.nodes > last.nodes;
            assert!(progress.depth > last.depth || elected || again, "{root}");
            assert!(progress.nodes >= last.nodes, "{root}");
            assert!(!last.is_lower_bound, "only the last report can be: {root}");
        }
        assert!(progress.time >= time, "{root}");
        assert!(progress.table_permille <= 1000, "{root}");
        assert!(!progress.pv.is_empty(), "{root}");
        assert!(progress.selective_depth >= progress.pv.len(), "{root}");
        check_line(&root, progress.pv, progress.score, progress.is_lower_bound);
        time = progress.time;
        told.push(Told {
            depth: progress.depth,
            score: progress.score,
            is_lower_bound: progress.is_lower_bound,
            pv: progress.pv.to_vec(),
            nodes: progress.nodes,
            tablebase_hits: progress.tablebase_hits,
        });
    });
    check_outcome(&root, &outcome);
    assert!(outcome.time >= time && outcome.time <= started.elapsed());
    if let Some(last) = told.last() {
        // An iteration that was broken off may have been told of.
        let depths = [outcome.depth, outcome.depth + 1];
        assert!(depths.contains(&last.depth), "{root}");
        assert_eq!(outcome.nodes, last.nodes, "{root}");
        assert_eq!(outcome.best, last.pv.first().copied(), "{root}");
        let scores = [
            (outcome.score, outcome.is_lower_bound),
            (last.score, last.is_lower_bound),
        ];
        assert_eq!(scores[0], scores[1], "{root}");
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
        assert!(outcome.best.is_some(), "{root}");
        assert!(outcome.nodes > 0, "{root}");
    }
    check_line(root, &outcome.pv, outcome.score, outcome.is_lower_bound);
}

/// A line can be played, and its score is one that `ce` may have. A mate is not longer than it says,
/// and where the whole of it is told, it is mate. Where the score is a lower bound, the line is too short for that.
fn check_line(root: &Position, pv: &[Move], score: Score, is_lower_bound: bool) {
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
            if pv.len() == plies && !is_lower_bound {
                assert!(position.is_checkmate(), "{root}: {score}: {pv:?}");
            }
        }
    }
}
