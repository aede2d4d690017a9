//! Endings by the rules, by claims, and in words.

use super::*;
use movegen::{Position, UciMove};

fn game(fen: &str, moves: &str) -> Game {
    let mut game = Game::new(fen.parse::<Position>().expect(fen));
    for text in moves.split_whitespace() {
        let mv = text.parse::<UciMove>().expect(text).find(game.position());
        game.play(mv.expect(text)).expect(text);
    }
    game
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const CYCLE: &str = "g1f3 g8f6 f3g1 f6g8 ";

/// Decisions 76, 77 and 78.
#[test]
fn ends_by_rule() {
    let reason = |game: &Game, rule| by_rules(game, rule).map(|ending| ending.reason);
    for (fen, moves, automatic, claims) in [
        (START, "e2e4", None, None),
        (
            START,
            "f2f3 e7e5 g2g4 d8h4",
            Some(Reason::Checkmate),
            Some(Reason::Checkmate),
        ),
        (
            "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
            "",
            Some(Reason::Stalemate),
            Some(Reason::Stalemate),
        ),
        (START, &CYCLE.repeat(2), Some(Reason::Repetition(3)), None),
        (
            START,
            &CYCLE.repeat(4),
            Some(Reason::Repetition(5)),
            Some(Reason::Repetition(5)),
        ),
        (
            "7k/8/8/8/8/8/R7/K7 w - - 99 60",
            "a2b2",
            Some(Reason::NoProgress(50)),
            None,
        ),
        (
            "7k/8/8/8/8/8/R7/K7 w - - 149 90",
            "a2b2",
            Some(Reason::NoProgress(50)),
            Some(Reason::NoProgress(75)),
        ),
        (
            "7k/8/8/8/8/8/N7/K7 w - - 0 1",
            "",
            Some(Reason::InsufficientMaterial),
            Some(Reason::InsufficientMaterial),
        ),
        ("7k/8/8/8/8/8/NN6/K7 w - - 0 1", "", None, None),
        (
            "7k/R7/1R6/8/8/8/8/K7 w - - 99 60",
            "b6b8",
            Some(Reason::Checkmate),
            Some(Reason::Checkmate),
        ),
    ] {
        let game = game(fen, moves);
        assert_eq!(
            reason(&game, DrawRule::Automatic),
            automatic,
            "{fen} {moves}"
        );
        assert_eq!(reason(&game, DrawRule::Claims), claims, "{fen} {moves}");
    }
}

/// Decision 74.
#[test]
fn right_claims() {
    assert_eq!(by_claim(&game(START, CYCLE)), None);
    let threefold = by_claim(&game(START, &CYCLE.repeat(2))).expect("a draw");
    assert_eq!(threefold.to_string(), "Draw: repetition (3 times)");
    let fifty = by_claim(&game("7k/8/8/8/8/8/R7/K7 w - - 99 60", "a2b2")).expect("a draw");
    assert_eq!(
        fifty.to_string(),
        "Draw: 50 moves without capture or pawn move"
    );
}

/// Decision 32.
#[test]
fn endings_in_words() {
    for (ending, result, termination, text) in [
        (
            Ending::loss(Color::Black, Reason::Time),
            "1-0",
            "time forfeit",
            "White wins: Black loses on time",
        ),
        (
            Ending::loss(Color::White, Reason::IllegalMove("Ke9".to_owned())),
            "0-1",
            "rules infraction",
            "Black wins: White plays an illegal move: Ke9",
        ),
        (
            Ending::draw(Reason::Agreement),
            "1/2-1/2",
            "normal",
            "Draw: agreement",
        ),
        (
            Ending::loss(Color::White, Reason::Absent(Absence::Disconnect)),
            "0-1",
            "abandoned",
            "Black wins: White is disconnected",
        ),
        (
            Ending::loss(Color::Black, Reason::Disconnections(3)),
            "1-0",
            "abandoned",
            "White wins: Black was disconnected 3 times",
        ),
        (
            Ending::loss(
                Color::White,
                Reason::PlayerFault("out of memory".to_owned()),
            ),
            "0-1",
            "abandoned",
            "Black wins: White reports a fault: out of memory",
        ),
        (
            Ending::decided(Outcome::Draw, Some("power cut".to_owned())),
            "1/2-1/2",
            "adjudication",
            "Draw: decision of the arbiter (power cut)",
        ),
        (
            Ending::loss(Color::White, Reason::Forfeited(None)),
            "0-1",
            "adjudication",
            "Black wins: White forfeits by decision of the arbiter",
        ),
        (
            Ending::loss(Color::Black, Reason::LostScore),
            "1-0",
            "adjudication",
            "White wins: adjudication by Black's own evaluation",
        ),
        (
            Ending::by_tablebases(Outcome::Black),
            "0-1",
            "adjudication",
            "Black wins: adjudication by tablebases",
        ),
        (
            Ending::draw(Reason::MaxMoves(200)),
            "1/2-1/2",
            "adjudication",
            "Draw: adjudication after 200 moves",
        ),
        (
            Ending::aborted(None),
            "*",
            "unterminated",
            "No result: aborted",
        ),
    ] {
        assert_eq!(ending.result_tag(), result);
        assert_eq!(ending.termination().to_string(), termination);
        assert_eq!(ending.to_string(), text);
    }
}
