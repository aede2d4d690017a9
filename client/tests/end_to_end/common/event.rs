//! An event in which a scripted engine plays fixed moves under a scripted referee.

use epd::protocol::{Command, Message};
use movegen::{Game, UciMove};

use super::records::START;
use super::referee::{Peer, Player, Server};
use super::{ALL_WELL, Folder};

/// Ten minutes for the game, of which White has used one and Black two.
pub const CLOCK: &str = "refcom inform; ptp TimeControl \"600\"; \
                     ctcc 000.00:01:00.000 000.00:02:00.000;";
/// The moves of both players.
pub const MOVES: &str = "e2e4 a7a6 g1f3 b7b6 f1c4 c7c6 e1g1 d7d6 d2d3 e7e6 c2c3 f7f6";

/// A player with this engine that has signed on and begun a game.
pub fn meet(folder: &Folder, options: &str) -> (Server, Player, Peer) {
    let server = Server::new();
    let options = format!("--engine 'sh engine.sh' --log log {options}");
    let player = server.player(folder, &options);
    let mut peer = server.accept();
    peer.say(START, "refcom reset;");
    peer.say(START, CLOCK);
    (server, player, peer)
}

/// Plays so many moves of the engine, each with an answer.
pub fn play(peer: &mut Peer, game: &mut Game, moves: usize) {
    for _ in 0..moves {
        peer.ask(game.position());
        let reply = peer.hear_reply();
        assert_eq!(reply.position.as_ref(), Some(game.position()));
        let mv = reply.supplied_move().expect("a move");
        game.play(mv).expect("legal");
        let answer = MOVES.split(' ').nth(game.moves().len()).expect("a move");
        let answer: UciMove = answer.parse().expect("a move");
        let mv = answer.find(game.position()).expect("legal");
        let told = Message::with_counters(game.position()).playing(mv);
        game.play(mv).expect("legal");
        peer.order(&Command::Execute(told));
    }
}

/// The referee disconnects; returns what the player told after its first line.
pub fn part(mut peer: Peer, player: Player) -> Vec<String> {
    peer.say(START, "refcom disconnect;");
    peer.hear_end();
    let (status, messages) = player.ends();
    assert_eq!(status, ALL_WELL, "{messages}");
    let lines: Vec<_> = messages.lines().map(str::to_owned).collect();
    assert_eq!(lines[0], "epode: playing with Script");
    lines[1..].to_vec()
}

/// What each of the started engines was told.
pub fn heard(folder: &Folder) -> Vec<Vec<String>> {
    let text = folder.read("heard");
    let lives = text.split("start\n").skip(1);
    let lives = lives.map(|life| life.lines().map(|line| line.trim().to_owned()).collect());
    lives.collect()
}
