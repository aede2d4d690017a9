//! What both sides are told, and when.

use std::time::Duration;

use epd::protocol::Command;
use movegen::Color;
use movegen::pgn::Outcome;

use super::{Board, START, ending, told, words};
use crate::core::ending::{Absence, Ending};
use crate::core::game::{GameReferee, Out, Rules};
use crate::core::openings::Opening;

/// Decisions 44, 46, 49, 83 to 88.
#[test]
fn moves_are_relayed_with_the_position_before_them() {
    let mut board = Board::new();
    assert_eq!(
        told(&board.ask(), Color::White),
        [format!("{START} refcom respond;")]
    );
    let out = board.reply("sm e4; ce 20; pv e4; hmvc 0;", 1500);
    assert_eq!(
        told(&out, Color::Black),
        [format!("{START} refcom respond; sm e4;")]
    );
    let Some(Out::Send(_, Command::Respond(content))) = out.last() else {
        panic!("{out:?}");
    };
    let record = content.clocks.expect("clocks");
    assert_eq!(record.0.to_string(), "000:00:00:02", "rounded up");
    assert_eq!(
        content.chess_clocks.expect("clocks").0.to_string(),
        "000.00:00:01.500"
    );
    assert_eq!(
        (content.halfmove_clock, content.fullmove_number),
        (Some(0), Some(1))
    );
    let out = board.reply("sm c5;", 10);
    assert_eq!(
        told(&out, Color::White),
        ["rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 refcom respond; sm c5;"]
    );
    let moved = out.iter().find_map(|out| match out {
        Out::Moved(moved) => Some(moved.clone()),
        _ => None,
    });
    assert_eq!(
        moved.expect("a move").used,
        [1500, 10].map(Duration::from_millis)
    );
}

/// Decisions 26, 39, 91, 92 and 93.
#[test]
fn a_side_that_comes_back_is_told_everything() {
    let mut board = Board::with("300+2", Rules::default());
    board.play("e4 e5 Nf3");
    assert_eq!(
        board
            .referee
            .reset()
            .record()
            .to_string()
            .split(" c")
            .next(),
        Some(START)
    );
    let greeting = |color| -> Vec<String> {
        let commands = board.referee.history(color);
        let out: Vec<_> = commands
            .into_iter()
            .map(|command| Out::Send(color, command))
            .collect();
        told(&out, color)
    };
    let moves = [
        format!("{START} refcom inform;"),
        format!("{START} refcom execute; sm e4;"),
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 refcom execute; sm e5;".to_owned(),
    ];
    assert_eq!(
        greeting(Color::Black),
        moves,
        "the last move comes with the question"
    );
    let last = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 refcom execute; sm Nf3;";
    assert_eq!(
        greeting(Color::White),
        [&moves[..], &[last.to_owned()]].concat()
    );
    // Decision 97: who is on the move is asked again; the clock has gone on.
    board
        .referee
        .absent(Color::Black, Absence::Disconnect, board.now);
    board.now += Duration::from_secs(10);
    let out = board.referee.reconnected(Color::Black);
    assert_eq!(words(&out, Color::Black), ["respond"]);
    board.referee.sent(board.now);
    board.reply("sm Nc6;", 1000);
    assert_eq!(board.referee.clock().used()[1], Duration::from_secs(12));
    assert!(board.referee.reconnected(Color::Black).is_empty());
}

/// Decisions 31, 42 and 62.
#[test]
fn the_mated_side_is_told_and_then_it_is_over() {
    let mut board = Board::new();
    let out = board.play("f3 e5 g4 Qh4#");
    assert_eq!(words(&out, Color::White), ["respond"]);
    assert_eq!(ending(&out), None);
    assert_eq!(
        board.referee.deadline(),
        Some(board.now + Duration::from_secs(5))
    );
    let out = board.reply("", 10);
    for color in [Color::White, Color::Black] {
        assert_eq!(words(&out, color), ["inform", "conclude"]);
    }
    assert_eq!(ending(&out).as_deref(), Some("Black wins: checkmate"));
    assert!(board.referee.is_over() && board.referee.deadline().is_none());
    let conclude = &told(&out, Color::Black)[1];
    assert!(conclude.starts_with("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq -"));
    // A mated side that says nothing does not hold up the event.
    let mut board = Board::new();
    board.play("f3 e5 g4 Qh4#");
    assert!(
        board
            .referee
            .tick(board.now + Duration::from_secs(4))
            .is_empty()
    );
    let out = board.referee.tick(board.now + Duration::from_secs(5));
    assert_eq!(ending(&out).as_deref(), Some("Black wins: checkmate"));
}

/// Decision 33: the result comes with the whole roster.
#[test]
fn the_result_is_told_with_all_tags() {
    let mut board = Board::new();
    board.ask();
    let out = board.reply("resign;", 10);
    let Some(Out::Send(_, Command::Inform(inform))) = out.first() else {
        panic!("{out:?}");
    };
    assert_eq!(
        (inform.tag("Result"), inform.tag("Termination")),
        (Some("0-1"), Some("normal"))
    );
    assert_eq!(
        (inform.tag("White"), inform.text.as_deref()),
        (Some("A"), Some("Black wins: White resigns"))
    );
}

/// Decision 63: the last move of a drawn game is told without asking.
#[test]
fn a_drawing_move_is_told_by_execute() {
    let mut board = Board::new();
    let out = board.play(&"Nf3 Nf6 Ng1 Ng8 ".repeat(2));
    assert_eq!(words(&out, Color::White), ["execute", "inform", "conclude"]);
    assert_eq!(words(&out, Color::Black), ["inform", "conclude"]);
    assert_eq!(ending(&out).as_deref(), Some("Draw: repetition (3 times)"));
}

/// Decision 60.
#[test]
fn repetitions_are_counted_for_the_position_sent() {
    let mut board = Board::new();
    let out = board.play("Nf3 Nf6 Ng1 Ng8 Nf3");
    let last = told(&out, Color::Black).pop().expect("asked");
    assert_eq!(last, format!("{START} rc 2; refcom respond; sm Nf3;"));
}

/// Decision 34: the result stands in its place in the roster.
#[test]
fn the_roster_keeps_its_order() {
    let tags = [
        ("White", "A"),
        ("Black", "B"),
        ("Result", "*"),
        ("TimeControl", "60"),
    ];
    let tags = tags.map(|(tag, value)| (tag.into(), value.into())).to_vec();
    let controls = [(); 2].map(|()| "60".parse().expect("a control"));
    let mut referee = GameReferee::new(&Opening::default(), controls, Rules::default(), tags);
    let out = referee.decide(&Ending::decided(Outcome::White, None));
    let Some(Out::Send(_, Command::Inform(inform))) = out.first() else {
        panic!("{out:?}");
    };
    let names: Vec<_> = inform.tags.iter().map(|(tag, _)| tag.as_str()).collect();
    assert_eq!(
        names,
        ["White", "Black", "Result", "TimeControl", "Termination"]
    );
    assert_eq!(inform.tag("Result"), Some("1-0"));
}

/// Decision 41.
#[test]
fn a_game_that_is_given_up_is_reset() {
    let mut board = Board::new();
    board.play("e4");
    let out = board.referee.decide(&Ending::aborted(None));
    for color in [Color::White, Color::Black] {
        assert_eq!(words(&out, color), ["reset"]);
    }
    assert_eq!(ending(&out).as_deref(), Some("No result: aborted"));
}
