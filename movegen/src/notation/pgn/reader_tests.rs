//! Reading PGN. The referee, which reads openings, has more tests of the reader.

use super::*;

/// As python-chess writes it: `FEN`, `SetUp`, `Variant`.
const PYTHON_CHESS: &str = "[Event \"?\"]\n[Result \"*\"]\n[FEN \"1k6/8/8/8/8/8/8/1K5R w K - 0 1\"]\n\
    [SetUp \"1\"]\n[Variant \"Chess960\"]\n\n1. O-O *\n";

fn read(text: &str) -> Vec<Result<ReadGame, PgnError>> {
    Games::new(text, usize::MAX).collect()
}

#[test]
fn tags_come_in_any_order() {
    let fen = "[FEN \"1k6/8/8/8/8/8/8/RK5R w KQ - 0 1\"]\n";
    for variant in ["Chess960", "Chess 960", "fischerandom"] {
        let variant = format!("[Variant \"{variant}\"]\n");
        for tags in [format!("{fen}{variant}"), format!("{variant}{fen}")] {
            for (moves, plies) in [
                ("\n1. O-O *\n", 1),
                ("\n1. O-O-O *\n", 1),
                ("\n*\n", 0),
                ("", 0),
            ] {
                let text = format!("{tags}{moves}");
                let game = read(&text).remove(0).expect(&text);
                assert_eq!(game.moves.len(), plies, "{text}");
                let start = game.start.to_string();
                assert_eq!(start, "1k6/8/8/8/8/8/8/RK5R w HA - 0 1", "{text}");
            }
        }
    }
    let games = format!("{PYTHON_CHESS}\n{PYTHON_CHESS}");
    assert!(read(&games).iter().all(Result::is_ok));
}

#[test]
fn a_wrong_fen_is_reported_at_its_place() {
    for moves in ["1. e4 *\n", ""] {
        let text = format!("[Event \"x\"]\n[FEN \"8/8 w - -\"]\n[SetUp \"1\"]\n\n{moves}");
        let error = read(&text).remove(0).expect_err("two ranks");
        assert_eq!((error.place.line, error.place.column), (2, 7), "{error}");
    }
}
