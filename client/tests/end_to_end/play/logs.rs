//! The log of records, and the games as PGN.

use super::{exchange, meet, part};
use crate::common::records::{MATE_IN_ONE, START};
use crate::common::referee::Server;
use crate::common::{FAILED, Folder};
use epd::protocol::{Command, Message};
use movegen::{Game, Position};

/// A log holds every record, with time and direction.
#[test]
fn the_log() {
    let (folder, _server, player, mut peer) = meet("--depth 3 --log records.log");
    let commands = ["refcom reset;", "refcom bogus;", "refcom respond;"];
    for command in commands {
        peer.say(START, command);
    }
    peer.send(b"\r\n");
    let replies = [peer.hear(), peer.hear()];
    part(peer, player);
    let log = folder.read("records.log");
    let lines: Vec<_> = log
        .lines()
        .map(|line| {
            let (time, record) = line.split_once(' ').expect("a time");
            assert!(time.len() == 24 && time.ends_with('Z'), "{line}");
            record
        })
        .collect();
    assert!(
        lines[0].starts_with("> ") && lines[0].contains("refreq sign_on;"),
        "{log}"
    );
    let written = |direction| {
        let lines = lines[1..].iter();
        let lines = lines.filter_map(move |line: &&str| line.strip_prefix(direction));
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(written("> "), replies);
    let came = [&commands[..], &["refcom reset;", "refcom disconnect;"]].concat();
    let came: Vec<_> = came
        .iter()
        .map(|command| format!("{START} {command}"))
        .collect();
    assert_eq!(written("< "), came);
}

/// Games that are concluded, abandoned, or cut off.
#[test]
fn the_games() {
    let folder = Folder::with("games.pgn", "before\n");
    let server = Server::new();
    let player = server.player(&folder, "--depth 3 --pgn games.pgn");
    let mut peer = server.accept();
    peer.say(
        START,
        "refcom reset; ptp Event \"Cup\" Site \"Here\" Date \"2025.11.30\" \
                     Round \"1\" White \"Epode\" Black \"Test\" Result \"*\";",
    );
    let mut game = Game::default();
    exchange(&mut peer, &mut game);
    peer.say(
        START,
        "refcom inform; ptp Result \"1-0\" Termination \"time forfeit\";",
    );
    let last = *game.position();
    peer.order(&Command::Conclude(Message::with_counters(&last)));
    peer.say(MATE_IN_ONE, "refcom reset; fmvn 30; ptp White \"Epode\";");
    peer.say(MATE_IN_ONE, "refcom respond; fmvn 30;");
    peer.hear_reply();
    // A game without moves is not logged.
    peer.say(START, "refcom reset;");
    peer.say(START, "refcom reset;");
    peer.say(START, "refcom execute; sm e4;");
    peer.close();
    assert_eq!(player.ends().0, FAILED);

    let text = folder.read("games.pgn");
    let moves: Vec<_> = game.moves().to_vec();
    let mut position = Position::start();
    let first = movegen::San::of(&position, moves[0]).to_string();
    position.play(moves[0]);
    let second = movegen::San::of(&position, moves[1]).to_string();
    assert!(
        text.starts_with(&format!(
            "before\n[Event \"Cup\"]\n[Site \"Here\"]\n[Date \"2025.11.30\"]\n[Round \"1\"]\n\
             [White \"Epode\"]\n[Black \"Test\"]\n[Result \"1-0\"]\n\
             [Termination \"time forfeit\"]\n[PlyCount \"2\"]\n\n1. {first} {{[%eval "
        )),
        "{text}"
    );
    assert!(
        text.contains(&format!("]}} 1... {second} 1-0\n\n[Event \"?\"]\n")),
        "{text}"
    );
    assert!(
        text.contains(&format!("[SetUp \"1\"]\n[FEN \"{MATE_IN_ONE} 0 30\"]\n")),
        "{text}"
    );
    assert!(
        text.contains("\n\n30. Rd8# {[%eval #0] [%emt 0:00:00"),
        "{text}"
    );
    assert!(text.ends_with("[PlyCount \"1\"]\n\n1. e4 *\n\n"), "{text}");
    assert_eq!(text.matches("[Event ").count(), 3, "{text}");
}
