//! Endgame tablebases in the search.

use std::path::Path;
use std::sync::Arc;

use epode_engine::syzygy::{Rule50, Tablebases, Wdl};
use epode_engine::{Limits, Outcome, Probing, Score, Searcher, Signals};
use movegen::{Color, Game, Move, Piece, Position, Role, Setup};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use super::{game, search};

const WIN: i32 = Score::ORDINARY_LIMIT - 1;

/// The tables of three pieces, which the repository has.
fn small() -> Probing {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../movegen/syzygy/tables");
    Probing::new(Arc::new(Tablebases::open(folder).expect("tables")))
}

fn searcher(probing: Probing) -> Searcher {
    let mut searcher = Searcher::new(1);
    searcher.set_probing(Some(probing));
    searcher
}

fn outcome(probing: Probing, game: &Game, limits: &Limits) -> Outcome {
    search(&mut searcher(probing), game, limits).0
}

#[test]
fn the_root_has_the_score_of_the_tables() {
    for (fen, ce) in [
        // The mate is too far for this depth.
        ("8/8/8/8/8/2k5/8/K6R w - - 0 1", WIN),
        ("8/8/8/8/8/2k5/8/K6R b - - 0 1", -WIN),
        ("4k3/8/4K3/4P3/8/8/8/8 b - - 0 1", -WIN),
        ("8/8/8/4k3/4P3/4K3/8/8 w - - 0 1", 0),
    ] {
        let outcome = outcome(small(), &game(fen), &Limits::depth(4));
        assert_eq!(outcome.score.ce(), ce, "{fen}");
        assert!(outcome.tablebase_hits > 0, "{fen}");
    }
    // A mate that the search finds says more.
    let mate = game("7k/8/6K1/8/8/8/8/R7 w - - 0 1");
    let outcome = outcome(small(), &mate, &Limits::depth(4));
    assert_eq!(outcome.score, Score::mate_in(1));
}

/// The halfmove clock decides whether a win is in time.
#[test]
fn the_fifty_move_rule_counts_at_the_root() {
    let late = game("8/8/8/8/8/2k5/8/K6R w - - 90 100");
    let limits = Limits::depth(4);
    assert_eq!(outcome(small(), &late, &limits).score, Score::DRAW + 2);
    let endless = Probing {
        rule50: Rule50::Ignored,
        ..small()
    };
    assert_eq!(outcome(endless, &late, &limits).score.ce(), WIN);
}

/// The tables have the positions after captures.
#[test]
fn nodes_below_the_root_are_probed() {
    // The rooks can be exchanged. The tables have the pawn ending after that.
    let exchange = game("8/8/8/8/8/1rk5/4P3/1R2K3 w - - 0 1");
    for threads in [1, 2] {
        let mut searcher = searcher(small());
        searcher.set_threads(threads);
        let (outcome, reports) = search(&mut searcher, &exchange, &Limits::depth(8));
        assert!(outcome.tablebase_hits > 0);
        assert!(reports.last().is_some_and(|last| last.tablebase_hits > 0));
    }
    let wins = game("7k/8/8/3p4/8/3K4/8/1Q6 w - - 0 1");
    let outcome = outcome(small(), &wins, &Limits::depth(8));
    let ce = outcome.score.ce();
    assert!((WIN - 20..WIN).contains(&ce), "{ce}");
}

/// What cannot be probed changes nothing.
#[test]
fn limits_of_probing() {
    let root = game("7k/8/8/3p4/8/3K4/8/1Q6 w - - 0 1");
    let limits = Limits::depth(8);
    let plain = search(&mut Searcher::new(1), &root, &limits).0;
    for (limit, depth, probes) in [(2, 1, false), (0, 1, false), (3, 1, true), (3, 100, false)] {
        let probing = Probing {
            limit,
            depth,
            ..small()
        };
        let outcome = outcome(probing, &root, &limits);
        assert_eq!(outcome.tablebase_hits > 0, probes, "{limit} {depth}");
        assert_eq!(outcome.nodes == plain.nodes, !probes, "{limit} {depth}");
    }
}

/// With several lines, better ranks come first.
#[test]
fn lines_are_in_the_order_of_ranks() {
    // Two moves keep the opposition.
    let root = game("4k3/8/4K3/4P3/8/8/8/8 w - - 0 1");
    let probing = small();
    let ranking = probing.tablebases.rank_moves(&root, Rule50::Counts);
    let ranked = ranking.expect("tables").moves;
    let wins = ranked
        .iter()
        .filter(|ranked| ranked.wdl == Wdl::Win)
        .count();
    assert_eq!(wins, 2);
    let mut searcher = searcher(probing);
    searcher.set_lines(ranked.len());
    let mut lines = Vec::new();
    searcher.search(&root, &Limits::depth(5), &Signals::default(), &mut |line| {
        lines.push((line.rank, line.score.ce()));
    });
    let expected = |i| (i + 1, if i < wins { WIN } else { 0 });
    let expected: Vec<_> = (0..ranked.len()).map(expected).collect();
    assert_eq!(lines[lines.len() - ranked.len()..], expected);
}

/// A random position of four pieces that White, to move, wins.
fn random_win(rng: &mut StdRng, tablebases: &Tablebases) -> Position {
    const ROLES: [Role; 5] = [
        Role::Pawn,
        Role::Knight,
        Role::Bishop,
        Role::Rook,
        Role::Queen,
    ];
    loop {
        let mut setup = Setup::empty();
        let mut others = [Color::White, Color::ALL[rng.random_range(0..2)]]
            .map(|color| Piece::new(color, ROLES[rng.random_range(0..5)]))
            .to_vec();
        others.extend(Color::ALL.map(|color| Piece::new(color, Role::King)));
        for piece in others {
            setup.board[rng.random_range(0..64)] = Some(piece);
        }
        if setup.squares(|_| true).len() == 4
            && let Ok(position) = Position::from_setup(&setup)
            && tablebases.wdl(&position) == Ok(Wdl::Win)
        {
            return position;
        }
    }
}

/// The move that loses most slowly.
fn best_defence(game: &Game, tablebases: &Tablebases) -> Move {
    let moves = game.position().legal_moves();
    let distance = |mv: &Move| {
        let mut after = *game.position();
        after.play_unchecked(*mv);
        tablebases.dtz(&after).expect("tables")
    };
    let best = moves.into_iter().max_by_key(distance);
    best.expect("the game is not over")
}

/// From 100 random won positions, the engine mates before the fifty-move rule or a repetition ends the
/// game, though it searches only a few nodes.
#[test]
fn won_endings_are_won_shared() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/syzygy");
    let Ok(tablebases) = Tablebases::open(&folder) else {
        println!("skipped: no tables in {}", folder.display());
        return;
    };
    let tablebases = Arc::new(tablebases);
    let mut searcher = searcher(Probing::new(Arc::clone(&tablebases)));
    let mut rng = StdRng::seed_from_u64(100);
    let mut longest = 0;
    for _ in 0..100 {
        let start = random_win(&mut rng, &tablebases);
        let mut game = Game::new(start);
        searcher.clear();
        while !game.position().is_checkmate() {
            let mv = if game.position().turn() == Color::White {
                let (outcome, _) = search(&mut searcher, &game, &Limits::nodes(200));
                outcome.best.expect("the game is not over")
            } else {
                best_defence(&game, &tablebases)
            };
            game.play(mv).expect("legal");
            assert_eq!(game.draw(), None, "{start}");
            longest = longest.max(game.position().halfmove_clock());
        }
        assert_eq!(game.position().turn(), Color::Black, "{start}");
    }
    println!("longest without a capture or pawn move: {longest} plies");
}
