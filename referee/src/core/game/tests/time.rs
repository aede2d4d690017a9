//! Clocks, timeouts and players that stay away.

use std::time::Duration;

use epd::protocol::Command;
use movegen::Color;
use movegen::pgn::Outcome;

use super::{Board, ending};
use crate::core::ending::{Absence, Forfeit};
use crate::core::game::{Out, Rules};

/// Decision 79.
#[test]
fn flags_fall_when_they_fall() {
    let mut board = Board::with("1", Rules::default());
    board.ask();
    let flag = board.now + Duration::from_millis(1100);
    assert_eq!(board.referee.deadline(), Some(flag));
    assert!(
        board
            .referee
            .tick(board.now + Duration::from_millis(1099))
            .is_empty()
    );
    let out = board.referee.tick(flag);
    assert_eq!(
        ending(&out).as_deref(),
        Some("Black wins: White loses on time")
    );
    let ended = out.iter().find_map(|out| match out {
        Out::Ended(ending) => Some(ending.clone()),
        _ => None,
    });
    let ended = ended.expect("over");
    assert_eq!(
        (ended.outcome, ended.forfeit()),
        (Some(Outcome::Black), Some(Forfeit::Time))
    );

    // Within the margin a reply counts, after it it does not, even if nobody ticked.
    let mut board = Board::with("1", Rules::default());
    board.ask();
    assert_eq!(ending(&board.reply("sm e4;", 1099)), None);
    let out = board.reply("sm e5;", 1100);
    assert_eq!(
        ending(&out).as_deref(),
        Some("White wins: Black loses on time")
    );
    // Against a bare king nobody loses.
    let mut board = Board::at("4k3/8/8/8/8/8/P7/4K3 w - - 0 1");
    board.ask();
    let out = board.referee.tick(board.now + Duration::from_secs(61));
    assert_eq!(
        ending(&out).as_deref(),
        Some("Draw: time ran out against a bare king")
    );
}

/// Decision 80.
#[test]
fn without_a_clock_patience_ends() {
    let mut board = Board::with("-", Rules::default());
    board.ask();
    let out = board.referee.tick(board.now + Duration::from_mins(10));
    assert_eq!(
        ending(&out).as_deref(),
        Some("Black wins: White does not reply")
    );
    let Some(Out::Send(_, Command::Conclude(conclude))) = out.get(1) else {
        panic!("{out:?}");
    };
    assert_eq!(conclude.clocks, None);
}

/// Decision 22.
#[test]
fn who_stays_away_loses() {
    let mut board = Board::with("600", Rules::default());
    board.ask();
    board
        .referee
        .absent(Color::Black, Absence::Disconnect, board.now);
    assert_eq!(
        board.referee.deadline(),
        Some(board.now + Duration::from_mins(1))
    );
    board.referee.reconnected(Color::Black);
    assert_eq!(
        board.referee.deadline(),
        Some(board.now + Duration::from_millis(600_100))
    );
    board
        .referee
        .absent(Color::Black, Absence::Disconnect, board.now);
    let out = board.referee.tick(board.now + Duration::from_mins(1));
    assert_eq!(
        ending(&out).as_deref(),
        Some("White wins: Black is disconnected")
    );
}

/// Neither side loses if both are gone.
#[test]
fn who_stays_away_together_does_not_lose() {
    let mut board = Board::with("600", Rules::default());
    board
        .referee
        .absent(Color::White, Absence::Disconnect, board.now);
    board
        .referee
        .absent(Color::Black, Absence::Disconnect, board.now);
    let out = board.referee.tick(board.now + Duration::from_mins(1));
    assert_eq!(
        ending(&out).as_deref(),
        Some("No result: both players are disconnected")
    );
}
