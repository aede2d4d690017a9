//! `epode client` against scripted referees.

mod connections;
mod engines;
mod games;
mod logs;
mod signing_on;
mod silence;
mod transports;

use crate::common::records::START;
use crate::common::referee::{Peer, Player, Server};
use crate::common::{ALL_WELL, Folder};
use epd::protocol::{Command, Message};
use movegen::Game;

/// White is mated.
const MATED: &str = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq -";

/// A time control of hours.
const ENDLESS: &str = "refcom inform; ptp TimeControl \"36000000\";";

/// A player that has signed on.
fn meet(options: &str) -> (Folder, Server, Player, Peer) {
    let folder = Folder::new();
    let server = Server::new();
    let player = server.player(&folder, options);
    let peer = server.accept();
    (folder, server, player, peer)
}

/// The referee disconnects, and the player exits.
fn part(mut peer: Peer, player: Player) -> String {
    // A player that was admitted exits with success.
    peer.say(START, "refcom reset;");
    peer.say(START, "refcom disconnect;");
    peer.hear_end();
    let (status, messages) = player.ends();
    assert_eq!(status, ALL_WELL, "{messages}");
    messages
}

/// Asks for a move, plays it, and plays an answer if there is a legal one.
fn exchange(peer: &mut Peer, game: &mut Game) {
    peer.ask(game.position());
    take_reply(&peer.hear_reply(), game);
    if let Some(told) = answer(game) {
        peer.order(&Command::Execute(told));
    }
}

/// Plays the move of a reply, which must have the position of the game.
fn take_reply(reply: &Message, game: &mut Game) {
    let position = game.position();
    assert_eq!(reply.position.as_ref(), Some(position));
    assert_eq!(reply.halfmove_clock, Some(position.halfmove_clock()));
    assert_eq!(reply.fullmove_number, Some(position.fullmove_number()));
    let mv = reply.supplied_move().expect("a move");
    game.play(mv).expect("legal");
}

/// Plays a move of the opponent; returns the operations that report it.
fn answer(game: &mut Game) -> Option<Message> {
    let moves = game.position().legal_moves();
    let &mv = moves.first()?;
    let told = Message::with_counters(game.position()).playing(mv);
    game.play(mv).expect("legal");
    Some(told)
}
