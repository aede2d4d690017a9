//! Searches: their limits, their lines and their ends.

use super::{START, is_legal};
use crate::common::engine::Engine;
use movegen::{Position, UciMove};

/// Every limit ends a search with a legal move.
#[test]
fn limits_end_a_search() {
    let mut engine = Engine::start("uci");
    engine.say("position startpos moves e2e4 e7e5");
    let fen = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 0 2";
    for go in [
        "go depth 4",
        "go nodes 3000",
        "go movetime 20",
        "go wtime 300 btime 300 winc 10 binc 10",
        "go wtime 1000 btime 1000 movestogo 3",
        "go wtime 0 btime 0",
        "go wtime -50 btime 100",
        "go mate 1",
        "go depth 3 tomorrow",
    ] {
        let (_, best) = engine.ask(go);
        assert!(is_legal(&best, fen), "{go}: {best}");
    }
    // Errors and proofs must be reported.
    let (said, _) = engine.ask("go depth 3 tomorrow");
    assert!(
        said[0].starts_with("info string go: column 12: "),
        "{said:?}"
    );
    let (said, best) = engine.ask("go depth 5 searchmoves a2a3 h2h3");
    assert!(["a2a3", "h2h3"].contains(&best.as_str()));
    assert!(said.iter().all(|line| line.starts_with("info depth ")));
}

/// The move was reported before, wherever the search is stopped.
#[test]
fn the_move_is_that_of_the_last_line_told() {
    let mut engine = Engine::start("uci");
    // Here the best move changes within iterations.
    engine.say("position fen 1nk1r1r1/pp2n1pp/4p3/q2pPp1N/b1pP1P2/B1P2R2/2P1B1PP/R2Q2K1 w - - 0 1");
    for nodes in (1..=60).chain((200..=20_000).step_by(300)) {
        engine.say("ucinewgame");
        let (said, best) = engine.ask(&format!("go nodes {nodes}"));
        let told = said.last().expect("a line is always told");
        let words: Vec<_> = told.split(' ').collect();
        let after = |word| words[words.iter().position(|&w| w == word).expect("told") + 1];
        assert_eq!(after("pv"), best, "{told}");
    }
}

/// A search without limits ends at `stop`, and commands are answered meanwhile.
#[test]
fn endless_searches_end_when_told() {
    let mut engine = Engine::start("uci");
    engine.say("position startpos\ngo infinite\nisready");
    let said = engine.until("readyok");
    assert!(said.iter().all(|line| !line.starts_with("bestmove")));
    let (_, best) = engine.ask("stop");
    assert!(is_legal(&best, START));

    // While pondering the clock does not matter; after `ponderhit` it ends the search.
    engine.say("go ponder wtime 100 btime 100\nisready");
    engine.until("readyok");
    let (_, best) = engine.ask("ponderhit");
    assert!(is_legal(&best, START));
    engine.say("go ponder depth 1\nisready");
    engine.until("readyok");
    let (_, best) = engine.ask("stop");
    assert!(is_legal(&best, START));

    // A proven mate is not reported before `stop`.
    engine.say("position fen 6k1/5ppp/8/8/8/8/8/R6K w - - 0 1\ngo infinite\nisready");
    engine.until("readyok");
    let (_, best) = engine.ask("stop");
    assert_eq!(best, "a1a8");

    // The engine exits when its input ends, even while it searches.
    engine.say("position startpos\ngo infinite");
    assert!(engine.ends());
}

#[test]
fn several_lines_are_told_with_their_scores() {
    let mut engine = Engine::start("uci");
    engine.say("setoption name MultiPV value 3\nsetoption name Threads value 2");
    engine.say("position fen 6k1/5ppp/8/8/8/8/8/R6K w - - 0 1");
    let (said, best) = engine.ask("go depth 6");
    assert_eq!(best, "a1a8");
    for rank in 1..=3 {
        let wanted = format!(" multipv {rank} score ");
        assert!(
            said.iter()
                .any(|said| said.contains("depth 6 seldepth ") && said.contains(&wanted)),
            "{said:?}"
        );
    }
    assert!(said.iter().any(|line| line.contains("score mate 1 ")));
    // No legal moves.
    engine.say("position fen 6k1/5ppp/8/8/8/8/8/R6K w - - 0 1 moves a1a8");
    let (said, best) = engine.ask("go depth 3");
    assert_eq!(
        (said, best.as_str()),
        (vec!["info depth 0 score mate 0".to_owned()], "0000")
    );
    engine.say("position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1");
    let (said, best) = engine.ask("go nodes 5");
    assert_eq!(
        (said, best.as_str()),
        (vec!["info depth 0 score cp 0".to_owned()], "0000")
    );
}

/// In check there are often fewer legal moves than lines.
#[test]
fn more_lines_than_moves_are_no_trap() {
    let mut engine = Engine::start("uci");
    engine.say("setoption name MultiPV value 4");
    engine.say("position fen kq6/8/8/8/8/8/8/R6K b - -");
    let (said, best) = engine.ask("go depth 4");
    assert!(is_legal(&best, "kq6/8/8/8/8/8/8/R6K b - -"), "{best}");
    assert!(
        said.iter()
            .any(|line| line.contains("depth 4 ") && line.contains("multipv 2 "))
    );
    assert!(
        said.iter().all(|line| !line.contains("multipv 3 ")),
        "{said:?}"
    );
}

/// A game with a simulated clock: the time never runs out, although each move is charged with a
/// lag.
#[test]
fn a_game_by_the_clock() {
    let mut engine = Engine::start("uci");
    engine.say("ucinewgame");
    let mut moves = String::new();
    let mut position = Position::start();
    let mut clock: u32 = 2000;
    for _ in 0..12 {
        engine.say(&format!("position startpos moves{moves}"));
        let (_, best) = engine.ask(&format!("go wtime {clock} btime {clock} winc 20 binc 20"));
        let coordinates: UciMove = best.parse().expect("a move");
        position.play(coordinates.find(&position).expect("a legal move"));
        moves.push(' ');
        moves.push_str(&best);
        // Each move is charged more than it took.
        clock = clock.saturating_sub(60);
    }
}
