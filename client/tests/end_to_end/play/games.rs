//! Games with the built-in engine: moves, pondering, resignations, and commands that interrupt.

use super::{ENDLESS, MATED, answer, exchange, meet, part, take_reply};
use crate::common::records::{MATE_IN_ONE, START};
use epd::protocol::{Command, Message, PlayerActions, Request};
use movegen::Game;

#[test]
fn a_game() {
    let (_folder, _server, player, mut peer) = meet("--depth 3");
    peer.say(START, "refcom reset;");
    peer.say(START, "refcom inform; ptp White \"Epode\" Black \"Test\";");
    let mut game = Game::default();
    while game.moves().len() < 20 && game.position().count_moves() > 0 {
        exchange(&mut peer, &mut game);
    }
    peer.say(START, "refcom inform; ptp Result \"*\";");
    let position = *game.position();
    peer.order(&Command::Conclude(Message::with_counters(&position)));
    assert_eq!(part(peer, player), "");
}

/// The opponent's move comes with the respond command, and the player ponders.
#[test]
fn pondering() {
    let (_folder, _server, player, mut peer) = meet("--depth 3 --ponder --threads 2");
    peer.say(START, "refcom respond;");
    let mut game = Game::default();
    take_reply(&peer.hear_reply(), &mut game);
    for _ in 0..5 {
        let Some(told) = answer(&mut game) else {
            break;
        };
        peer.order(&Command::Respond(told));
        take_reply(&peer.hear_reply(), &mut game);
    }
    assert_eq!(part(peer, player), "");
}

/// Decision 9: a player reads while it searches, and commands that end the search are not answered.
#[test]
fn commands_reach_a_player_that_thinks() {
    let (_folder, _server, player, mut peer) = meet("--depth 3");
    for command in ["reset", "conclude", "fault"] {
        peer.say(START, ENDLESS);
        peer.say(START, "refcom respond;");
        peer.say(START, "refcom inform; ptp Round \"1\";");
        peer.say(START, &format!("refcom {command};"));
        peer.say(START, "refcom reset;");
        peer.say(MATE_IN_ONE, "refcom respond;");
        let reply = peer.hear_reply();
        assert_eq!(reply.position, Some(MATE_IN_ONE.parse().expect("legal")));
        assert_eq!(
            reply.supplied_move().map(|mv| mv.to_string()).as_deref(),
            Some("d1d8")
        );
    }
    // A second respond command replaces the first.
    peer.say(START, ENDLESS);
    peer.say(START, "refcom respond;");
    peer.say(MATED, "refcom respond;");
    assert_eq!(
        peer.hear_reply().position,
        Some(MATED.parse().expect("legal"))
    );
    peer.say(START, "refcom respond;");
    part(peer, player);
}

/// A mated player replies without a move (decision 62).
#[test]
fn the_mated_side_has_nothing_to_play() {
    let (_folder, _server, player, mut peer) = meet("--depth 3 --analysis");
    peer.say(START, "refcom reset;");
    peer.say(MATED, "refcom respond;");
    assert_eq!(
        peer.hear(),
        format!("{MATED} fmvn 1; hmvc 0; refreq reply;")
    );
    part(peer, player);
}

#[test]
fn resigning_and_analysis() {
    let (_folder, _server, player, mut peer) =
        meet("--depth 3 --analysis --resign-score 500 --resign-moves 1");
    peer.say(START, "refcom respond;");
    let opcodes = ["acd", "acn", "acs", "ce", "pv"];
    let analysis = peer.hear_reply().analysis;
    assert!(
        analysis
            .iter()
            .map(|operation| &*operation.opcode)
            .eq(opcodes)
    );
    peer.say("3qk3/8/8/8/8/8/8/4K3 w - -", "refcom respond;");
    let reply = peer.hear_reply();
    assert_eq!(
        (reply.actions, reply.supplied),
        (PlayerActions::RESIGN, None)
    );
    part(peer, player);
}

/// Random input causes at most one fault per line.
#[test]
fn junk_does_no_harm() {
    let (_folder, _server, player, mut peer) = meet("--depth 3");
    peer.send(b"\n\r\n \n\n");
    peer.send(&vec![b'x'; 1 << 20]);
    peer.send(b"\n");
    assert_eq!(peer.hear_fault(), "a line of more than 4095 bytes");
    let mut junk = Vec::new();
    let mut state = 1_u32;
    for _ in 0..20_000 {
        // The generator of the C standard's example.
        state = state.wrapping_mul(1_103_515_245).wrapping_add(12_345);
        junk.push((state >> 16) as u8);
    }
    junk.push(b'\n');
    peer.send(&junk);
    peer.say(MATE_IN_ONE, "refcom respond;");
    let mut faults = 0;
    let reply = loop {
        match peer.hear_request() {
            Request::Fault(_) => faults += 1,
            Request::Reply(content) => break content,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(reply.position, Some(MATE_IN_ONE.parse().expect("legal")));
    let lines = junk.split(|&byte| byte == b'\n');
    let full = lines.filter(|line| !line.trim_ascii().is_empty()).count();
    assert_eq!(faults, full);
    part(peer, player);
}
