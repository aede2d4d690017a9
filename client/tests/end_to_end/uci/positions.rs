//! Positions: invalid ones, and what `d` and `eval` show of them.

use super::is_legal;
use crate::common::engine::Engine;

/// An invalid position is not searched, nor is the one before it.
#[test]
fn a_wrong_position_is_not_searched() {
    let mut engine = Engine::start("uci");
    for (line, column) in [
        ("position", 9),
        ("position here", 10),
        ("position fen", 13),
        ("position fen 8/8/8/8 w - - 0 1", 14),
        ("position fen 8/8/8/8/8/8/8/K7 w - - 0 1", 14),
        ("position startpos e2e4", 19),
        ("position startpos moves e2e4 e7e5 e2e4 g8f6", 35),
        ("position startpos moves e2e4 %&", 30),
    ] {
        engine.say("position startpos moves g1f3");
        engine.say(line);
        for go in ["go depth 2", "go infinite", "go mate 1", "go perft 2"] {
            let (said, best) = engine.ask(go);
            assert_eq!(best, "0000", "{line}");
            let reason = format!("column {column}: ");
            let is_told =
                |line: &String| line.starts_with("info string ") && line.contains(&reason);
            assert!(
                !said.is_empty() && said.iter().all(is_told),
                "{line}: {said:?}"
            );
        }
    }
    // Until a valid position is set.
    engine.say("ucinewgame\nposition startpos moves e2e4 e7e5 g1f3");
    let fen = "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2";
    assert!(is_legal(&engine.ask("go depth 2").1, fen));
}

#[test]
fn castling_rights_without_a_rook_are_dropped_with_a_note() {
    let mut engine = Engine::start("uci");
    engine.say("position fen r3k2r/8/8/8/8/8/8/4K2R w KQkq - 0 1 moves e1g1\nd");
    let said = engine.until("Checkers:");
    assert_eq!(
        said[0],
        "info string position: column 39: castling right Q dropped: no rook on a1"
    );
    assert!(said.contains(&"Fen: r3k2r/8/8/8/8/8/8/5RK1 b kq - 1 1".to_owned()));
}

#[test]
fn the_board_and_the_evaluation_are_shown() {
    let mut engine = Engine::start("uci");
    engine.say("position startpos moves e2e4 d7d5 f1b5\nd");
    let said = engine.until("Checkers:");
    assert!(
        said.contains(&" |   | B |   | p |   |   |   |   | 5".to_owned()),
        "{said:?}"
    );
    let fen = "Fen: rnbqkbnr/ppp1pppp/8/1B1p4/4P3/8/PPPP1PPP/RNBQK1NR b KQkq - 1 2";
    assert!(said.contains(&fen.to_owned()), "{said:?}");
    assert_eq!(said.last().expect("checkers"), "Checkers: b5");
    let key = said.iter().find_map(|line| line.strip_prefix("Key: "));
    assert!(u64::from_str_radix(key.expect("a key"), 16).is_ok());
    engine.say("eval");
    assert_eq!(
        engine.until("Final").last().expect("it"),
        "Final evaluation: none (in check)"
    );

    // From White's view for either side to move: an extra queen is good for White.
    for turn in ["w", "b"] {
        engine.say(&format!(
            "position fen 4k3/8/8/8/8/8/8/Q3K3 {turn} - - 0 1\neval"
        ));
        let said = engine.until("Final");
        let pawns = |word: &str| -> f64 {
            let line = said.iter().find(|line| line.starts_with(word)).expect(word);
            line.split_whitespace()
                .nth(2)
                .expect(line)
                .parse()
                .expect(line)
        };
        assert!(pawns("Final") > 3.0 && pawns("Network") > 3.0, "{said:?}");
        assert_eq!(
            said.iter()
                .filter(|line| line.contains("<- in use"))
                .count(),
            1
        );
    }
}
