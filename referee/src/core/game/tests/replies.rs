//! Replies: moves, offers, claims, resignations and faults.

use std::time::Duration;

use movegen::{Color, Position};

use super::{Board, START, content, ending, told, words};
use crate::core::ending::DrawRule;
use crate::core::game::{Out, Rules};

/// Decisions 64, 65 and 66.
#[test]
fn resignation() {
    let mut board = Board::new();
    board.ask();
    let out = board.reply("resign; sm e4; draw_offer;", 10);
    assert_eq!(ending(&out).as_deref(), Some("Black wins: White resigns"));
    assert_eq!(words(&out, Color::Black), ["inform", "conclude"]);
    assert!(board.referee.game().moves().is_empty());
    // Off the move it does not count (decision 61).
    let mut board = Board::new();
    board.ask();
    let start = content(&Position::start(), "resign;");
    let out = board.send(Color::Black, &start, 1);
    assert!(matches!(&out[..], [Out::Note(_)]));
}

/// Decisions 68, 69, 70, 72 and 73.
#[test]
fn draw_offers() {
    let mut board = Board::new();
    board.ask();
    let out = board.reply("draw_offer; sm e4;", 10);
    assert_eq!(
        told(&out, Color::Black),
        [format!("{START} draw_offer; refcom respond; sm e4;")]
    );
    let out = board.reply("draw_accept;", 10);
    assert_eq!(ending(&out).as_deref(), Some("Draw: agreement"));

    // Refused by a move, or in so many words.
    let mut board = Board::new();
    board.ask();
    board.reply("draw_offer; sm e4;", 10);
    let out = board.reply("draw_offer; draw_reject; sm e5;", 10);
    assert!(
        told(&out, Color::White)[0].contains(" draw_offer; draw_reject; refcom respond; sm e5;")
    );
    board.reply("sm Nf3;", 10);
    // The offer is gone with the reply; accepting it now is no answer.
    let out = board.reply("draw_accept;", 10);
    assert_eq!(
        (ending(&out), words(&out, Color::Black)),
        (None, vec!["respond"])
    );
    // Nobody offered: the move counts.
    let out = board.reply("draw_accept; sm Nc6;", 10);
    assert_eq!(
        (ending(&out), board.referee.game().moves().len()),
        (None, 4)
    );
}

/// Decisions 74 and 75.
#[test]
fn draw_claims() {
    let rules = || Rules {
        draws: DrawRule::Claims,
        ..Rules::default()
    };
    let cycle = "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1";
    let mut board = Board::with("60", rules());
    board.play(cycle);
    let out = board.reply("draw_claim; sm Ng8;", 10);
    assert_eq!(ending(&out).as_deref(), Some("Draw: repetition (3 times)"));
    assert_eq!(words(&out, Color::White), ["execute", "inform", "conclude"]);

    let mut board = Board::with("60", rules());
    board.play(&format!("{cycle} Ng8"));
    let out = board.reply("draw_claim;", 10);
    assert_eq!(ending(&out).as_deref(), Some("Draw: repetition (3 times)"));

    // A wrong claim with a move is an offer.
    let mut board = Board::with("60", rules());
    board.ask();
    let out = board.reply("draw_claim; sm e4;", 10);
    assert_eq!(
        told(&out, Color::Black),
        [format!("{START} draw_offer; refcom respond; sm e4;")]
    );
    // Without one it is refused, and the clock goes on.
    let out = board.reply("draw_claim;", 1000);
    assert!(told(&out, Color::Black)[0].contains("draw_reject; refcom respond; sm e4;"));
    board.reply("sm e5;", 1000);
    assert_eq!(board.referee.clock().used()[1], Duration::from_secs(2));
}

/// Decision 54.
#[test]
fn illegal_moves_lose() {
    for text in ["Ke2", "xyzzy", "e5", "O-O"] {
        let mut board = Board::new();
        board.ask();
        let out = board.reply(&format!("sm {text};"), 10);
        assert_eq!(
            ending(&out),
            Some(format!("Black wins: White plays an illegal move: {text}"))
        );
    }
}

/// Decision 57.
#[test]
fn a_reply_without_a_move_is_asked_again_once() {
    let mut board = Board::new();
    board.ask();
    let out = board.reply("", 500);
    assert_eq!(
        (words(&out, Color::White), ending(&out)),
        (vec!["respond"], None)
    );
    let out = board.reply("draw_offer;", 500);
    assert_eq!(
        ending(&out).as_deref(),
        Some("Black wins: White violates the protocol: reply without a move")
    );
    let mut board = Board::new();
    board.ask();
    board.reply("draw_offer;", 500);
    board.reply("sm e4;", 500);
    assert_eq!(board.referee.clock().used()[0], Duration::from_secs(1));
}

/// Decision 58.
#[test]
fn positions_of_replies() {
    let mut board = Board::at("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 3 9");
    board.ask();
    let other: Position = "r3k2r/8/8/8/8/8/8/R3K2R w - - 0 1".parse().expect("legal");
    let out = board.send(Color::White, &content(&other, "sm Ra2; hmvc 77;"), 10);
    assert_eq!(
        (ending(&out), board.referee.game().moves().len()),
        (None, 1)
    );

    let mut board = Board::new();
    board.ask();
    let out = board.send(Color::White, &content(&other, "sm Ra2;"), 10);
    assert_eq!(
        ending(&out).as_deref(),
        Some(
            "Black wins: White violates the protocol: reply to another position, r3k2r/8/8/8/8/8/8/R3K2R w - -"
        )
    );
}
