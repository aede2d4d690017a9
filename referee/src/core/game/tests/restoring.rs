//! Games that begin with an opening, or go on after an interruption.

use std::time::Duration;

use epd::protocol::PlayerActions;
use movegen::{Color, Position, UciMove};

use super::{Board, START, ending, told, words};
use crate::core::ending::DrawRule;
use crate::core::game::Rules;
use crate::core::openings::Opening;

/// Decision 93: the saved clocks count.
#[test]
fn a_game_goes_on_where_it_was() {
    let mut board = Board::with("60+1", Rules::default());
    let e4 = "e2e4"
        .parse::<UciMove>()
        .expect("squares")
        .find(&Position::start())
        .expect("legal");
    board
        .referee
        .restore(
            e4,
            [Duration::from_secs(7), Duration::ZERO],
            None,
            PlayerActions::empty(),
        )
        .expect("legal");
    assert_eq!(
        board.referee.clock().remaining(Color::White),
        Some(Duration::from_secs(54))
    );
    assert_eq!(
        told(&board.ask(), Color::Black),
        [format!("{START} refcom respond; sm e4;")]
    );
    assert!(
        board
            .referee
            .restore(e4, [Duration::ZERO; 2], None, PlayerActions::empty())
            .is_err()
    );
}

/// Decisions 40 and 95: the moves of an opening are not charged, whoever begins.
#[test]
fn openings_are_executed() {
    let mut opening = Opening::default();
    let mut position = opening.start;
    for text in ["e2e4", "e7e5", "g1f3"] {
        let mv = text
            .parse::<UciMove>()
            .expect(text)
            .find(&position)
            .expect(text);
        position.play(mv);
        opening.moves.push(mv);
    }
    let mut board = Board::from(&opening, "2/10:60", Rules::default());
    let out = board.ask();
    assert_eq!(words(&out, Color::Black), ["respond"]);
    board.reply("sm Nc6;", 1000);
    board.reply("sm Bb5;", 1000);
    board.reply("sm a6;", 1000);
    assert_eq!(
        board.referee.clock().remaining(Color::Black),
        Some(Duration::from_secs(68))
    );
    assert_eq!(
        board.referee.clock().remaining(Color::White),
        Some(Duration::from_secs(9))
    );
    let mut again = board.referee.clone();
    again
        .restore(
            "b5a4"
                .parse::<UciMove>()
                .expect("squares")
                .find(board.referee.game().position())
                .expect("legal"),
            board.referee.clock().used(),
            None,
            PlayerActions::empty(),
        )
        .expect("legal");
    assert_eq!(
        again.clock().remaining(Color::White),
        Some(Duration::from_secs(69))
    );
}

/// A referee that was killed between the last move and the end finds the end by itself.
#[test]
fn a_game_that_was_decided_before_a_crash() {
    let restored = |moves: &str, actions: PlayerActions| {
        let rules = Rules {
            draws: DrawRule::Claims,
            ..Rules::default()
        };
        let mut board = Board::with("60", rules);
        let moves: Vec<_> = moves.split(' ').collect();
        for (i, text) in moves.iter().enumerate() {
            let mv = movegen::san::parse(board.referee.game().position(), text).expect(text);
            let actions = if i + 1 == moves.len() {
                actions
            } else {
                PlayerActions::empty()
            };
            let used = [Duration::from_secs(1); 2];
            board
                .referee
                .restore(mv, used, None, actions)
                .expect("legal");
        }
        board
    };
    let mut board = restored("f3 e5 g4 Qh4#", PlayerActions::empty());
    let out = board.referee.proceed(board.now);
    assert_eq!(words(&out, Color::White), ["respond"]);
    let out = board.reply("", 10);
    assert_eq!(ending(&out).as_deref(), Some("Black wins: checkmate"));

    let twice = "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8";
    let mut board = restored(twice, PlayerActions::CLAIM_DRAW);
    let out = board.referee.proceed(board.now);
    assert_eq!(words(&out, Color::White), ["execute", "inform", "conclude"]);
    assert_eq!(ending(&out).as_deref(), Some("Draw: repetition (3 times)"));

    let mut board = restored("e4", PlayerActions::OFFER_DRAW);
    let out = board.referee.proceed(board.now);
    assert!(told(&out, Color::Black)[0].contains("draw_offer;"));
    assert_eq!(
        ending(&board.reply("draw_accept;", 10)).as_deref(),
        Some("Draw: agreement")
    );
}
