//! What happens to an event when its disk is full or its folder goes.

use std::net::SocketAddr;
use std::process;
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Instant;

use crate::common::http::{get_with, json};
use crate::common::player::{Answer, Link, random, spawn};
use crate::common::{LIMIT, Referee, event};
use epd::protocol::{Command, Message};
use movegen::{Game, San};

/// Gives the disk of [`Referee::run_on_full_disk`] room again.
fn make_room(referee: &Referee) {
    let limit = process::Command::new("prlimit")
        .args(["--pid", &referee.id().to_string(), "--fsize=unlimited"])
        .status();
    assert!(limit.expect("prlimit").success());
}

fn has_prlimit() -> bool {
    let is_here = process::Command::new("prlimit")
        .arg("--version")
        .output()
        .is_ok();
    if !is_here {
        println!("not tested: there is no prlimit");
    }
    is_here
}

/// Logs that cannot be written stop nothing. A journal that cannot be written stops all games until there
/// is room; then they go on, and nothing is missing anywhere.
#[test]
fn a_full_disk() {
    if !has_prlimit() {
        return;
    }
    let settings = "format = \"match\"\ntime_control = \"600\"\nhttp = \"127.0.0.1:0\"";
    let mut referee = Referee::run_on_full_disk(&event(settings, "", &["Ann", "Bob"]), 16);
    let players = [("Ann", 1), ("Bob", 2)].map(|(name, seed)| {
        let mut moves = random(seed);
        // A game long enough for any disk.
        let long = move |game: &Game, content: &Message| {
            if game.moves().len() > 250 {
                return Answer::Reply("resign;".to_owned());
            }
            moves(game, content)
        };
        spawn(referee.address(), name, long)
    });
    referee.wait_for_output("all games wait until it can be written");
    let why = "all games wait: cannot write the journal: File too large";
    let [status, games] = ["status", "games"].map(|order| referee.control(order));
    assert!(status.starts_with(why) && status.contains("0 of 2 games finished"));
    assert!(
        games.starts_with(why) && games.contains("game 1: Ann"),
        "{games}"
    );
    assert!(referee.refuses("pause").contains(why));
    wait_for_page(&referee, |page| {
        let health = get_with(page, "/health", "");
        let paused = json(page, "/api/event")["paused"].to_string();
        health.status == 503 && health.body.starts_with(why) && paused.contains(why)
    });
    make_room(&referee);
    referee.wait_for_output("the games go on");
    let [ann, bob] = players.map(|player| player.join().expect("no complaints"));
    assert_eq!(referee.wait(), 0, "{}", referee.output());
    let said = |games: &[crate::common::player::Seen]| {
        let mut games = games.iter();
        games.any(|seen| seen.text.contains("cannot write its journal") || seen.is_concluded())
    };
    assert!(said(&ann.games) && said(&bob.games));
    let games = referee.games();
    assert_eq!(games.len(), 2);
    for game in &games {
        game.check();
    }
    assert_eq!(referee.events_of("result").len(), 2);
    let moves = games.iter().map(|game| game.moves.len()).sum::<usize>();
    assert_eq!(referee.events_of("move").len(), moves);
    let journal = referee::journal::read(referee.read("journal.log").as_bytes());
    assert_eq!(journal.expect("whole").0.len(), moves + 4);
    let log = referee.read("records.log");
    assert_eq!(log.matches("refreq sign_on").count(), 2);
    assert_eq!(log.matches("refcom conclude").count(), 4);
}

/// Waits until the page shows something.
fn wait_for_page(referee: &Referee, shows: impl Fn(SocketAddr) -> bool) {
    let started = Instant::now();
    while !shows(referee.page()) {
        assert!(started.elapsed() < LIMIT, "{}", referee.output());
        thread::yield_now();
    }
}

/// The referee can be stopped while its disk is full.
#[test]
fn a_referee_with_a_full_disk_is_stopped() {
    if !has_prlimit() {
        return;
    }
    let settings = "format = \"match\"\ntime_control = \"600\"\ngames_per_pairing = 100";
    let text = event(settings, "", &["Ann", "Bob"]);
    let mut referee = Referee::run_on_full_disk(&text, 16);
    let told = ["Ann", "Bob"].map(|name| listening(referee.address(), name));
    referee.wait_for_output("all games wait until it can be written");
    assert_eq!(referee.program("stop cup"), ("stopped\n".to_owned(), 0));
    assert_eq!(referee.wait(), 2, "{}", referee.output());
    drop(told);
}

/// A player that tells whenever it hears that the journal cannot be written.
fn listening(address: SocketAddr, name: &'static str) -> Receiver<()> {
    let (told, is_told) = channel();
    thread::spawn(move || {
        let mut link = Link::open(address);
        link.sign_on(name);
        let mut board = Game::default();
        while let Some(command) = link.command() {
            let content = command.message();
            if let Command::Reset(_) = command {
                board = Game::new(content.position.expect("a position"));
            }
            if content.text.as_deref() == Some("the referee cannot write its journal") {
                let _ = told.send(());
            }
            if let Some(mv) = content.supplied_move() {
                board.play(mv).expect("legal");
            }
            if let Command::Respond(_) = command {
                let moves = board.position().legal_moves();
                let Some(&mv) = moves.get(board.moves().len() % moves.len().max(1)) else {
                    link.request(board.position(), "refreq reply;");
                    continue;
                };
                let san = San::of(board.position(), mv);
                link.request(board.position(), &format!("refreq reply; sm {san};"));
                board.play(mv).expect("legal");
            }
        }
    });
    is_told
}

/// While the journal cannot be written, the players are told so again and again: a client leaves a referee
/// that is silent for long.
#[test]
fn players_wait_with_a_full_disk() {
    if !has_prlimit() {
        return;
    }
    let settings = "format = \"match\"\ntime_control = \"600\"\ngames_per_pairing = 100";
    let text = event(settings, "[rules]\nping = \"1s\"\n", &["Ann", "Bob"]);
    let referee = Referee::run_on_full_disk(&text, 16);
    let told = ["Ann", "Bob"].map(|name| listening(referee.address(), name));
    for told in &told {
        for _ in 0..3 {
            told.recv_timeout(crate::common::LIMIT).expect("a word");
        }
    }
    make_room(&referee);
    referee.wait_for_output("the games go on");
}

/// A folder that is removed is noticed at once: the event ends instead of writing into nothing.
#[test]
fn a_removed_folder() {
    let mut referee = Referee::run(&event("", "", &["Ann", "Bob"]));
    let ann = spawn(referee.address(), "Ann", random(1));
    referee.wait_for_output("Ann connected");
    std::fs::remove_dir_all(referee.path("")).expect("removed");
    assert_eq!(referee.wait(), 2, "{}", referee.output());
    assert!(ann.join().expect("no complaints").farewell.is_some());
    referee.wait_for_output("the journal is gone");
}

/// A disk that cannot make the journal last ends the event: going on would promise what cannot be kept. The
/// journal leads to a device that takes everything but does not synchronise.
#[test]
fn a_journal_that_cannot_be_synchronised() {
    let folder = tempfile::TempDir::new().expect("a folder");
    std::fs::create_dir(folder.path().join("cup")).expect("made");
    let journal = folder.path().join("cup/journal.log");
    std::os::unix::fs::symlink("/dev/null", journal).expect("made");
    let text = event(
        "format = \"match\"\ntime_control = \"600\"",
        "",
        &["Ann", "Bob"],
    );
    let mut referee = Referee::run_in(folder, &text);
    let players = ["Ann", "Bob"].map(|name| {
        let mut moves = random(1);
        // The game is under way when the failure is noticed.
        let waits = move |game: &Game, content: &Message| {
            if game.moves().len() > 4 {
                return Answer::Nothing;
            }
            moves(game, content)
        };
        spawn(referee.address(), name, waits)
    });
    let told = players.map(|player| player.join().expect("no complaints").farewell);
    assert_eq!(referee.wait(), 2, "{}", referee.output());
    referee.wait_for_output(
        "epode-referee: the journal may have lost its last entries: Invalid argument",
    );
    // The event can be resumed from what is left, so players may wait for it.
    let told_all = told
        .iter()
        .flatten()
        .all(|why| why == "the referee is shutting down");
    assert!(told_all && told.iter().flatten().count() == 2, "{told:?}");
    assert!(referee.read("games.pgn").is_empty());
}

/// An event whose journal is lost is not begun anew over its games.
#[test]
fn a_lost_journal() {
    let mut referee = Referee::run(&event("format = \"match\"", "", &["Ann", "Bob"]));
    let players = ["Ann", "Bob"].map(|name| spawn(referee.address(), name, random(1)));
    for player in players {
        player.join().expect("no complaints");
    }
    assert_eq!(referee.wait(), 0, "{}", referee.output());
    let games = referee.read("games.pgn");
    std::fs::write(referee.path("journal.log"), "").expect("written");
    let (said, status) = referee.program("resume cup");
    assert!(status == 2 && said.contains("is empty, but"), "{said}");
    assert_eq!(referee.read("games.pgn"), games);
}
