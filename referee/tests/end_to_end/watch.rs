//! The view of an event on a terminal: `epode-referee watch`.
use std::sync::mpsc::{Receiver, channel};

use crate::common::player::{Answer, script, spawn};
use crate::common::terminal::Terminal;
use crate::common::{LIMIT, Referee, event, program};
use epd::protocol::Message;
use movegen::Game;
use rustix::process::{Pid, Signal, kill_process};
use rustix::termios::LocalModes;
use tempfile::TempDir;

/// Two games at once with clocks.
fn two_games() -> String {
    let settings =
        "format = \"match\"\ngames_per_pairing = 2\nconcurrency = 2\ntime_control = \"600\"";
    event(settings, "", &["Old Ann", "Bob"]).replace("[[player]]\n", "[[player]]\ninstances = 2\n")
}

/// Connects both players twice. They play `1. e4 e5 2. Nf3` and are silent then, which the channel tells.
fn players(referee: &Referee) -> Receiver<()> {
    let (told, is_silent) = channel();
    for name in ["Old Ann", "Old Ann", "Bob", "Bob"] {
        let mut moves = script("e4 e5 Nf3", Answer::Nothing);
        let told = told.clone();
        spawn(
            referee.address(),
            name,
            move |game: &Game, message: &Message| {
                let answer = moves(game, message);
                if matches!(answer, Answer::Nothing) {
                    // The test may have ended.
                    let _ = told.send(());
                }
                answer
            },
        );
    }
    is_silent
}

fn watch(referee: &Referee) -> Option<Terminal> {
    Terminal::run(referee.path("..").as_path(), &["watch", "cup"])
}

/// Games appear, an order that is typed is carried out, and the terminal is left as it was.
#[test]
fn an_event_is_watched_and_directed() {
    let mut referee = Referee::run(&two_games());
    let Some(mut terminal) = watch(&referee) else {
        return;
    };
    terminal.wait_for(&[
        "Test · 600 · 0 of 2 games finished",
        "running",
        "No game has begun",
    ]);
    assert!(terminal.is_full_screen() && !terminal.has_cursor());
    let modes = terminal.settings().local_modes;
    assert!(!modes.contains(LocalModes::ECHO), "{modes:?}");
    let is_silent = players(&referee);
    for _ in 0..2 {
        is_silent.recv_timeout(LIMIT).expect("silence");
    }
    terminal.wait_for(&["Game 1", "Game 2", "2. Nf3", "▶ Old Ann", "▶ Bob", "9:5"]);
    // By a key, with a question before it.
    terminal.type_in("p");
    terminal.wait_for(&["Stop the clocks of game 1, ", "pause 1"]);
    terminal.type_in("y");
    terminal.wait_for(&["game 1 is paused", "paused  "]);
    // By a line, with completion.
    terminal.type_in(":adj\t");
    terminal.wait_for(&[":adjudicate", " 1  ", " 2  "]);
    terminal.type_in("1 1-0 --reason rain\r");
    terminal.wait_for(&[
        "1 of 2 games finished, 1 in progress",
        "game 1: White wins: decision of the arbiter (rain)",
    ]);
    terminal.type_in(":forfeit 'Old Ann' 1\r");
    terminal.wait_for(&["no game 1 is in progress"]);
    terminal.type_in("\u{1b}");
    terminal.type_in("5");
    terminal.wait_for(&["adjudicate 1 1-0, by ", "(rain)"]);
    terminal.type_in("3");
    terminal.wait_for(&["Cross table", "1*"]);
    assert_eq!(
        referee.control("adjudicate 2 1/2"),
        "game 2: Draw: decision of the arbiter\n"
    );
    terminal.wait_for(&["2 of 2 games finished", "ended: "]);
    assert_eq!(referee.wait(), 0, "{}", referee.output());
    terminal.type_in("q");
    assert_eq!(terminal.wait_for_end(), Some(0));
    assert!(!terminal.is_full_screen() && terminal.has_cursor());
    assert_eq!(terminal.contents().trim(), "");
    let modes = terminal.settings().local_modes;
    assert!(
        modes.contains(LocalModes::ECHO | LocalModes::ICANON),
        "{modes:?}"
    );
}

/// A referee that is killed is missed, and the view goes on with the resumed one.
#[test]
fn a_resumed_event_is_followed() {
    let referee = Referee::run(&two_games());
    let is_silent = players(&referee);
    is_silent.recv_timeout(LIMIT).expect("silence");
    let Some(mut terminal) = watch(&referee) else {
        return;
    };
    terminal.wait_for(&["2 in progress", "running", "2. Nf3"]);
    let referee = referee.resume();
    // The resumed referee waits for the players: no clock runs.
    terminal.wait_for(&["2 in progress", "running", "no clock runs"]);
    let _ = players(&referee);
    terminal.wait_for(&["▶ "]);
    terminal.type_in("\u{3}");
    assert_eq!(terminal.wait_for_end(), Some(0));
}

/// A page shows the same event to everybody, and takes no orders.
#[test]
fn the_page_of_a_referee_is_watched() {
    let mut referee = Referee::run_with(&two_games(), &[], &["--http", "127.0.0.1:0"]);
    let is_silent = players(&referee);
    for _ in 0..2 {
        is_silent.recv_timeout(LIMIT).expect("silence");
    }
    let told = "watch the games at ";
    referee.wait_for_output(told);
    let output = referee.output();
    let page = output.lines().find_map(|line| line.strip_prefix(told));
    let page = page.expect("an address");
    let folder = TempDir::new().expect("a folder");
    let Some(mut terminal) = Terminal::run(folder.path(), &["watch", page]) else {
        return;
    };
    terminal.wait_for(&["2 in progress", "running", "2. Nf3", "▶ Bob", "9:5"]);
    terminal.type_in(":");
    terminal.wait_for(&["a referee's page takes no orders"]);
    referee.control("adjudicate 1 1-0");
    terminal.wait_for(&["1 of 2 games finished, 1 in progress", "1-0"]);
    referee.control("adjudicate 2 1-0");
    assert_eq!(referee.wait(), 0, "{}", referee.output());
    terminal.wait_for(&["2 of 2 games finished"]);
    terminal.type_in("q");
    assert_eq!(terminal.wait_for_end(), Some(0));
}

/// What ends the view from outside restores the terminal too.
#[test]
fn the_terminal_is_restored_when_the_view_is_terminated() {
    let referee = Referee::run(&two_games());
    let Some(mut terminal) = watch(&referee) else {
        return;
    };
    terminal.wait_for(&["No game has begun"]);
    let id = i32::try_from(terminal.id()).expect("a number");
    kill_process(Pid::from_raw(id).expect("a process"), Signal::TERM).expect("sent");
    assert_eq!(terminal.wait_for_end(), Some(0));
    assert!(!terminal.is_full_screen() && terminal.has_cursor());
}

#[test]
fn what_cannot_be_watched_is_an_error() {
    let folder = TempDir::new().expect("a folder");
    std::fs::create_dir(folder.path().join("empty")).expect("created");
    std::fs::create_dir(folder.path().join("cup")).expect("created");
    std::fs::write(folder.path().join("cup/event.toml"), "").expect("written");
    for (line, why) in [
        ("watch cup", "`watch` needs a terminal"),
        ("watch empty", "empty is no event's folder"),
        (
            "watch cup/event.toml",
            "is a file, expected the folder of an event",
        ),
        (
            "watch nothing",
            "there is no folder nothing, and it is no address",
        ),
    ] {
        let (said, status) = program(folder.path(), line);
        assert_eq!(status, 2, "{said}");
        assert!(
            said.starts_with("epode-referee: ") && said.contains(why),
            "{said}"
        );
    }
}

/// The bracket follows the games of a match.
#[test]
fn a_bracket_is_watched() {
    let event = two_games().replace("\"match\"", "\"knockout\"");
    let mut referee = Referee::run(&event);
    let Some(mut terminal) = watch(&referee) else {
        return;
    };
    let is_silent = players(&referee);
    for _ in 0..2 {
        is_silent.recv_timeout(LIMIT).expect("silence");
    }
    terminal.type_in("4");
    terminal.wait_for(&[
        "4 Bracket",
        "Final, Old Ann - Bob, games 1 2",
        " 1 Old Ann",
        " 2 Bob",
    ]);
    referee.control("adjudicate 1 1-0");
    referee.control("adjudicate 2 0-1");
    terminal.wait_for(&["Final, Old Ann - Bob, games 1 2: won by Old Ann", "ended: "]);
    assert_eq!(referee.wait(), 0, "{}", referee.output());
    terminal.type_in("3");
    terminal.wait_for(&["Reached", "winner"]);
    terminal.type_in("q");
    assert_eq!(terminal.wait_for_end(), Some(0));
}
