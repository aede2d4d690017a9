//! Pings, and referees that say nothing.

use super::{ENDLESS, MATED, meet, part};
use crate::common::FAILED;
use crate::common::records::{MATE_IN_ONE, START};

/// Decision 10: pings are answered at once, also in thought and between games.
#[test]
fn pings() {
    let (_folder, _server, player, mut peer) = meet("--depth 3");
    let pong = |position: &str| format!("{position} Ping; refreq reply;");
    peer.say(START, "Ping 5; refcom reset;");
    peer.say(START, "Ping 5; refcom inform;");
    assert_eq!(peer.hear(), pong(START));
    peer.say(START, ENDLESS);
    peer.say(START, "refcom respond;");
    // The position of an inform command does not count.
    peer.say(MATED, "Ping 5; refcom inform;");
    assert_eq!(peer.hear(), pong(START));
    peer.say(MATE_IN_ONE, "refcom conclude;");
    peer.say(START, "Ping 5; refcom inform;");
    assert_eq!(peer.hear(), pong(MATE_IN_ONE));
    part(peer, player);
}

/// A referee that pings is not silent for long: a player that can come back leaves a connection on
/// which nothing passes any more, although it is open.
#[test]
fn a_silent_referee() {
    let (_folder, server, player, mut peer) = meet("--depth 3 --reconnect");
    peer.say(START, "Ping 1; refcom reset;");
    // It is silent for good, and does not read either.
    let mut other = server.accept();
    other.say(MATE_IN_ONE, "refcom respond;");
    assert_eq!(
        other.hear_reply().position,
        Some(MATE_IN_ONE.parse().expect("legal"))
    );
    let messages = part(other, player);
    assert_eq!(
        messages,
        "epode: nothing has come for 3s\nepode: connection lost; reconnecting\n"
    );
    peer.hear_end();
}

/// Something listens, but does not answer the sign-on.
#[test]
fn no_answer_to_the_sign_on() {
    let told = "epode: the referee does not answer the sign-on: nothing has come for 100ms\n\
                epode: connection lost";
    let (_folder, _server, player, peer) = meet("--sign-on-timeout 100ms");
    assert_eq!(player.ends(), (FAILED, format!("{told}\n")));
    peer.hear_end();

    let (folder, server, player, mut first) =
        meet("--sign-on-timeout 1s --reconnect --log records.log");
    let second = server.accept();
    // An answer that comes too late.
    first.say(START, "refcom reset;");
    first.hear_end();
    let messages = part(second, player);
    let told = told.replace("100ms", "1s");
    assert_eq!(messages, format!("{told}; reconnecting\n"));
    assert!(
        folder
            .read("records.log")
            .contains("Z # the referee does not answer")
    );
}
