//! Peers unlike our own players: clients like that of the standard's author, hostile ones, and a flood of junk.

use std::collections::HashMap;
use std::thread;

use crate::common::player::{Answer, Link, random, spawn};
use crate::common::{Referee, event};
use epd::protocol::Message;
use movegen::Game;

/// The client of the standard's author: no name, no look at positions and clocks, and an end without
/// a word where it meets what it does not know (last section of `epd/DECISIONS.md`).
fn kit_client(address: std::net::SocketAddr, seed: u64) -> usize {
    let mut link = Link::open(address);
    link.send("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - refreq sign_on;\n");
    let mut board: Option<Game> = None;
    let mut choose = random(seed);
    let mut finished = 0;
    let known = [
        "reset",
        "inform",
        "execute",
        "respond",
        "conclude",
        "disconnect",
    ];
    while let Some(line) = link.line() {
        assert!(!line.trim().is_empty(), "it dies of a blank line");
        assert!(line.ends_with(';') && line.len() <= 4093, "{line}");
        let record: epd::Record = line.parse().expect("exact");
        let word = record.get("refcom").expect("it leaves").operands[0]
            .text()
            .to_owned();
        assert!(known.contains(&&*word), "it leaves: {line}");
        let supplied = record.get("sm").map(|sm| sm.operands[0].text().to_owned());
        match &*word {
            "reset" => board = Some(Game::default()),
            "inform" => {
                assert!(record.get("ptp").is_some(), "it dies: {line}");
                assert!(board.is_some(), "it dies: {line}");
            }
            "conclude" => {
                finished += 1;
                board = None;
            }
            "disconnect" => break,
            _ => {
                let game = board.as_mut().expect("it dies");
                assert!(word == "respond" || supplied.is_some(), "it dies: {line}");
                if let Some(san) = supplied {
                    let mv = movegen::san::parse(game.position(), &san).expect("it dies");
                    game.play(mv).expect("legal");
                }
                if word == "respond" {
                    let Answer::Reply(operations) = choose(game, &Message::default()) else {
                        unreachable!("a random mover");
                    };
                    link.request(game.position(), &format!("refreq reply; {operations}"));
                    if let Some(san) = operations.strip_prefix("sm ") {
                        let san = san.trim_end_matches(';');
                        let mv = movegen::san::parse(game.position(), san).expect("its own");
                        game.play(mv).expect("legal");
                    }
                }
            }
        }
    }
    finished
}

#[test]
fn clients_like_the_authors_finish_an_event() {
    let text = event("time_control = \"300\"\nopen_entries = 3", "", &[]);
    let book = "[openings]\nfile = \"book.pgn\"\nplies = 3\n";
    let text = text.replace("[delays]", &format!("{book}[delays]"));
    let files = [("book.pgn", "[Event \"x\"]\n\n1. e4 e5 2. Nf3 Nc6 *\n")];
    let mut referee = Referee::run_with(&text, &files, &[]);
    let address = referee.address();
    let clients: Vec<_> = (0..3)
        .map(|seed| thread::spawn(move || kit_client(address, seed)))
        .collect();
    let finished = clients
        .into_iter()
        .map(|client| client.join().expect("alive"));
    assert_eq!(finished.sum::<usize>(), 12);
    assert_eq!(referee.wait(), 0, "{}", referee.output());
    for game in referee.games() {
        game.check_to_the_end();
        assert_eq!(game.moves[..3], ["e4", "e5", "Nf3"]);
        assert!(game.tag("White").starts_with("client-"));
    }
}

/// Nobody who is rude disturbs a game, and everybody hears why it is shown the door.
#[test]
fn hostile_peers() {
    let rules = "[rules]\nsign_on_timeout = \"1s\"\nmax_connections = 100\n";
    let text = event(
        "time_control = \"60\"\nopen_entries = 2",
        rules,
        &["Ann", "Bob"],
    );
    let mut referee = Referee::run(&text);
    let address = referee.address();
    let says = |bytes: Vec<u8>| {
        let mut link = Link::open(address);
        link.send(bytes);
        link.farewell()
    };
    let reply = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - refreq reply; sm e4;\n";
    let sign_on = |name: &str| {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
        format!("{start} refreq sign_on; tcsi \"\" \"{name}\";\n")
    };
    let visits: Vec<(&str, Vec<u8>)> = vec![
        ("no sign_on in time", Vec::new()),
        ("sign_on must come first", reply.repeat(2000).into()),
        ("line longer than 4095 bytes", vec![b'x'; 1 << 20]),
        (
            "too many invalid records",
            (sign_on("Fay") + &reply.repeat(5000)).into(),
        ),
        (
            "too many invalid records",
            sign_on("Fay").repeat(5000).into(),
        ),
        (
            "too many invalid records",
            (sign_on("Fay") + &"junk\n".repeat(5000)).into(),
        ),
    ];
    for (why, bytes) in visits {
        assert_eq!(says(bytes).as_deref(), Some(why));
    }
    let binary: Vec<u8> = (0..=255_u8).cycle().take(100_000).collect();
    assert!(says(binary).is_some());
    // A crowd, some of which never read; the players come in its midst.
    let crowd: Vec<_> = (0..500).map(|_| Link::open(address)).collect();
    let deaf = std::net::TcpStream::connect(address).expect("the referee listens");
    let turned_away: HashMap<_, usize> =
        crowd
            .into_iter()
            .fold(HashMap::new(), |mut said, mut link| {
                *said.entry(link.farewell().expect("a word")).or_default() += 1;
                said
            });
    assert!(
        turned_away.contains_key("too many connections"),
        "{turned_away:?}"
    );
    assert!(
        turned_away.contains_key("no sign_on in time"),
        "{turned_away:?}"
    );
    let memory = std::fs::read_to_string(format!("/proc/{}/status", referee.id()));
    if let Some(line) = memory
        .ok()
        .as_deref()
        .and_then(|text| text.lines().find(|line| line.starts_with("VmHWM")))
    {
        let kilobytes: u64 = line
            .split_whitespace()
            .nth(1)
            .expect("a number")
            .parse()
            .expect("a number");
        assert!(kilobytes < 64 << 10, "{line}");
    }
    drop(deaf);
    let _ = referee.control("quit");
    assert_eq!(referee.wait(), 3, "{}", referee.output());
}

/// A flood beside a game: no move of it is late.
#[test]
fn a_flood_beside_a_game() {
    let rules = "[rules]\ntime_margin = \"100ms\"\n";
    let text = event(
        "format = \"match\"\ntime_control = \"20\"",
        rules,
        &["Ann", "Bob"],
    );
    let mut referee = Referee::run(&text);
    let address = referee.address();
    let players = ["Ann", "Bob"].map(|name| spawn(address, name, random(1)));
    let flood = thread::spawn(move || {
        let junk = "junk \u{7f}\n".repeat(10_000);
        let mut visits = 0;
        // The referee is gone when it lets nobody in.
        while let Ok(mut link) = Link::try_open(address) {
            link.send(&junk);
            if link.line().is_none() {
                break;
            }
            visits += 1;
        }
        visits
    });
    for player in players {
        player.join().expect("no complaints");
    }
    assert_eq!(referee.wait(), 0, "{}", referee.output());
    assert!(flood.join().expect("alive") > 0);
    for game in referee.games() {
        game.check_to_the_end();
    }
}
