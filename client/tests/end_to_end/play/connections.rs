//! Connections that end, and how a player comes back.

use std::net::TcpListener;

use super::{ENDLESS, meet, part};
use crate::common::records::{MATE_IN_ONE, START};
use crate::common::referee::{Player, Server};
use crate::common::{ALL_WELL, FAILED, Folder};

#[cfg(unix)]
#[test]
fn ctrl_c_signs_off() {
    let (_folder, _server, player, mut peer) = meet("--time 1h");
    peer.say(START, "refcom respond;");
    player.interrupt();
    assert_eq!(peer.hear(), format!("{START} refreq sign_off;"));
    peer.hear_end();
    assert_eq!(player.ends(), (ALL_WELL, String::new()));
}

#[test]
fn exit_statuses() {
    let (_folder, _server, player, mut peer) = meet("");
    peer.say(START, "refcom disconnect; c0 \"full\";");
    let told = "epode: the referee closes the connection: full\n".to_owned();
    assert_eq!(player.ends(), (FAILED, told));

    let (_folder, _server, player, peer) = meet("--time 1h");
    peer.close();
    assert_eq!(
        player.ends(),
        (FAILED, "epode: connection lost\n".to_owned())
    );

    // A port on which nobody listens.
    let listener = std::net::TcpListener::bind(("127.0.0.1", 0)).expect("a port");
    let address = listener.local_addr().expect("an address");
    drop(listener);
    let (status, messages) = Player::start(&Folder::new(), &address.to_string()).ends();
    assert_eq!(status, FAILED);
    assert!(
        messages.starts_with(&format!("epode: cannot connect to {address}: ")),
        "{messages}"
    );
}

#[test]
fn reconnecting() {
    let (_folder, server, player, mut peer) = meet("--depth 3 --reconnect");
    peer.say(START, ENDLESS);
    peer.say(START, "refcom respond;");
    peer.close();
    let mut peer = server.accept();
    // The pending request of the lost connection is not answered.
    peer.say(MATE_IN_ONE, "refcom respond;");
    assert_eq!(
        peer.hear_reply().position,
        Some(MATE_IN_ONE.parse().expect("legal"))
    );
    let messages = part(peer, player);
    assert_eq!(messages, "epode: connection lost; reconnecting\n");
}

/// What may pass is tried again: the old connection of a player that comes back may look alive for a
/// while. A wrong password does not pass.
#[test]
fn turned_away_for_now() {
    let (_folder, server, player, mut peer) = meet("--depth 3 --reconnect");
    peer.say(START, "refcom disconnect; c0 \"this name is in use\";");
    let mut peer = server.accept();
    peer.say(START, "refcom disconnect; c0 \"wrong password\";");
    let (status, messages) = player.ends();
    assert_eq!(status, FAILED);
    assert_eq!(
        messages,
        "epode: the referee closes the connection: this name is in use\nepode: trying again\n\
         epode: the referee closes the connection: wrong password\n"
    );
}

/// A referee that stops before the end of its event may come back; one whose event is over does not.
#[test]
fn the_referee_stops_and_comes_back() {
    let (_folder, server, player, peer) = meet("--depth 3 --reconnect");
    let mut peer = peer;
    peer.say(START, "refcom reset;");
    peer.say(
        START,
        "refcom disconnect; c0 \"the referee is shutting down\";",
    );
    let mut peer = server.accept();
    peer.say(START, "refcom reset;");
    peer.say(START, "refcom disconnect; c0 \"the event is over\";");
    let (status, messages) = player.ends();
    assert_eq!(status, 0, "{messages}");
    assert_eq!(
        messages,
        "epode: the referee closes the connection: the referee is shutting down\n\
         epode: waiting until the event is resumed\n\
         epode: the referee closes the connection: the event is over\n"
    );
}

/// Several addresses are tried in turn. A player passes on what it knows of the last referee of the event.
#[test]
fn several_referees() {
    let folder = Folder::new();
    let nobody = TcpListener::bind("127.0.0.1:0").expect("a port");
    let nowhere = nobody.local_addr().expect("an address").to_string();
    drop(nobody);
    let [one, two] = [(); 2].map(|()| Server::new());
    let addresses = format!("{nowhere},{},{}", one.address(), two.address());
    let player = Player::start(&folder, &format!("{addresses} --depth 3 --reconnect"));
    let mut peer = one.accept();
    peer.say(START, "refcom disconnect; c0 \"too many connections\";");
    let mut peer = two.accept();
    peer.say(START, "Term 2 \"0af3\"; refcom reset;");
    // The answer shows that the reset has been read.
    peer.say(START, "Ping 5; refcom inform;");
    peer.hear();
    peer.close();
    let peer = two.connection();
    let sign_on = peer.hear();
    assert!(
        sign_on.contains(" Term 2 \"0af3\"; ") && sign_on.contains("refreq sign_on;"),
        "{sign_on}"
    );
    let messages = part(peer, player);
    assert_eq!(
        messages,
        format!(
            "epode: cannot connect to {nowhere}: Connection refused (os error 111); trying the next address\n\
             epode: the referee closes the connection: too many connections\n\
             epode: trying again\n\
             epode: connection lost; reconnecting\n"
        )
    );
    let player = Player::start(&folder, &format!("{nowhere},{nowhere}"));
    let (status, messages) = player.ends();
    assert_eq!(status, FAILED);
    assert_eq!(messages.matches("cannot connect").count(), 2, "{messages}");
    let player = Player::start(&folder, "localhost:1,,localhost:2");
    let (status, messages) = player.ends();
    assert_eq!(status, FAILED);
    assert!(
        messages.contains("expected HOST:PORT, or several"),
        "{messages}"
    );
}
