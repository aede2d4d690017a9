//! The orders of the arbiter: those that end a game, and the others.

use super::{Duel, does, pass};
use crate::common::player::{Answer, Link, random, script, spawn};
use crate::common::{Referee, event};
use epd::protocol::Message;
use movegen::Game;

/// A player that waits until the arbiter has spoken.
fn with_arbiter(
    command: &str,
    result: &str,
    termination: &str,
    words: &str,
    verdict: Option<&str>,
) -> Duel {
    let text = event(
        "format = \"match\"\ngames_per_pairing = 1",
        "",
        &["Ann", "Bob"],
    );
    let mut referee = Referee::run(&text);
    let (asked, is_asked) = std::sync::mpsc::channel();
    let waits = move |_: &Game, _: &Message| {
        asked.send(()).expect("waited for");
        Answer::Nothing
    };
    let white = spawn(referee.address(), "Ann", script("e4", pass()));
    let black = spawn(referee.address(), "Bob", waits);
    is_asked.recv_timeout(crate::common::LIMIT).expect("a move");
    assert!(
        referee
            .control("games")
            .contains("game 1: Ann (-) - Bob (-), move 1")
    );
    assert!(referee.control(command).contains(words));
    let status = referee.wait();
    let duel = Duel {
        status,
        game: referee.games().remove(0),
        white: white.join().expect("White without complaints"),
        black: black.join().expect("Black without complaints"),
        referee,
    };
    duel.ends(result, termination, words, verdict);
    duel
}

/// Decision 81; decision 41: a game that is given up is reset and nothing else.
#[test]
fn the_arbiter_decides() {
    let won = with_arbiter(
        "adjudicate 1 1-0",
        "1-0",
        "adjudication",
        "White wins: decision",
        None,
    );
    won.is_known_to_both();
    let forfeited = with_arbiter(
        "forfeit Bob 1",
        "1-0",
        "adjudication",
        "White wins: Black forfeits",
        Some("arbiter"),
    );
    forfeited.is_known_to_both();
    let none = with_arbiter("abort 1", "*", "unterminated", "aborted", None);
    for transcript in [&none.white, &none.black] {
        let [.., seen, last] = &transcript.games[..] else {
            panic!("{transcript:?}");
        };
        assert!(!seen.is_concluded() && seen.tag("Result") == "*");
        assert_eq!(last.commands, ["reset"]);
    }
}

/// Commands that do not end a game.
#[test]
fn other_commands() {
    let text = event(
        "format = \"match\"\ngames_per_pairing = 1",
        "",
        &["Old Ann", "Bob"],
    );
    let mut referee = Referee::run(&text);
    let mut ann = Link::open(referee.address());
    ann.sign_on("Old Ann");
    ann.command().expect("a reset");
    let status = referee.control("status");
    assert!(
        status.contains("0 of 1 games finished, 0 in progress; 1 of 2 players connected"),
        "{status}"
    );
    assert!(referee.refuses("sing").contains("there is no order 'sing'"));
    assert!(
        referee
            .refuses("abort 7")
            .contains("no game 7 is in progress")
    );
    assert!(referee.refuses("kick Bob").contains("Bob is not connected"));
    assert!(referee.control("kick Old Ann").contains("was disconnected"));
    assert_eq!(
        ann.farewell().as_deref(),
        Some("disconnected by the arbiter")
    );
    assert!(
        referee
            .control("pause")
            .contains("no new games are started")
    );
    let players = ["Old Ann", "Bob"].map(|name| spawn(referee.address(), name, random(1)));
    assert!(
        referee
            .control("resume")
            .contains("resumed: new games are started")
    );
    for player in players {
        player.join().expect("no complaints");
    }
    assert_eq!(referee.wait(), 0);
    assert!(
        referee
            .program("control cup status")
            .0
            .contains("no referee is running")
    );
}

/// The arbiter puts both players back: a reset and all moves.
#[test]
fn a_game_is_begun_again() {
    let text = event(
        "format = \"match\"\ngames_per_pairing = 1",
        "",
        &["Ann", "Bob"],
    );
    let mut referee = Referee::run(&text);
    let (asked, is_asked) = std::sync::mpsc::channel();
    let mut times = 0;
    let hangs_once = move |game: &Game, _: &Message| {
        times += 1;
        if times == 1 {
            asked.send(()).expect("waited for");
            return Answer::Nothing;
        }
        assert_eq!(game.moves().len(), 1);
        does("resign;")
    };
    let white = spawn(referee.address(), "Ann", script("e4", pass()));
    let black = spawn(referee.address(), "Bob", hangs_once);
    is_asked.recv_timeout(crate::common::LIMIT).expect("a move");
    referee.control("reset 1");
    assert_eq!(referee.wait(), 0, "{}", referee.output());
    for player in [white, black] {
        let transcript = player.join().expect("no complaints");
        let seen = transcript.games.last().expect("a game");
        assert_eq!(
            (&seen.moves[..], seen.tag("Result")),
            (&["e4".to_owned()][..], "1-0")
        );
    }
}
