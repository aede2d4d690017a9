//! `go mate`.

use super::{START, is_legal};
use crate::common::engine::Engine;

/// Mates are proven first, so that none is missed.
#[test]
fn mates_are_found() {
    let mut engine = Engine::start("uci");
    for (fen, moves, first) in [
        ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 2, "a1a6"),
        ("r6k/6pp/8/6N1/8/1Q6/8/6K1 w - - 0 1", 4, "g5f7"),
        ("8/5P1k/5K2/8/8/8/8/8 w - - 0 1", 2, "f7f8r"),
    ] {
        engine.say(&format!("position fen {fen}"));
        for go in [
            format!("go mate {moves}"),
            format!("go mate {} nodes 9000000", moves + 1),
        ] {
            let (said, best) = engine.ask(&go);
            assert_eq!(best, first, "{fen}");
            let told = said.last().expect("a line");
            assert!(told.contains(&format!(" score mate {moves} ")), "{told}");
            let pv = told.split(" pv ").nth(1).expect("a line").split(' ');
            assert_eq!(pv.count(), 2 * moves - 1, "{told}");
        }
        let (said, best) = engine.ask(&format!("go mate {} nodes 100000", moves - 1));
        assert!(is_legal(&best, fen));
        assert!(said[0].starts_with("info string no mate in "), "{said:?}");
    }
    // `searchmoves` is respected.
    engine.say("position fen kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1");
    assert_eq!(engine.ask("go mate 2 searchmoves a1a2").1, "a1a2");
}

/// A mate search respects limits and `stop`.
#[test]
fn searches_for_mates_end() {
    let mut engine = Engine::start("uci");
    engine.say("position startpos");
    for go in [
        "go mate 30 nodes 5000",
        "go mate 30 movetime 20",
        "go mate 30 wtime 100 btime 100",
    ] {
        assert!(is_legal(&engine.ask(go).1, START), "{go}");
    }
    engine.say("go mate 30\nisready");
    engine.until("readyok");
    let (said, best) = engine.ask("stop");
    assert!(is_legal(&best, START));
    let told = said.last().expect("a line");
    assert!(told.contains(&format!(" pv {best}")), "{told}");
    engine.say("go mate 30 ponder\nisready");
    engine.until("readyok");
    assert!(is_legal(&engine.ask("stop").1, START));
}
