//! The first record of a player: its name, its password, what it runs on.

use super::part;
use crate::common::records::START;
use crate::common::referee::Server;
use crate::common::{FAILED, Folder};
use movegen::Position;

#[test]
fn signing_on() {
    let folder = Folder::new();
    let server = Server::new();
    let player = server.player(&folder, "--name 'A \"B\"' --machine ''");
    let peer = server.connection();
    let version = env!("CARGO_PKG_VERSION");
    assert_eq!(
        peer.hear(),
        format!("{START} Ping; c0 \"Epode {version}\"; refreq sign_on; tcsi \"\" \"A 'B'\";")
    );
    assert_eq!(part(peer, player), "");
}

/// A referee that closes the connection before the first game refuses the player.
#[test]
fn a_refused_player_is_told() {
    let folder = Folder::new();
    let server = Server::new();
    for (order, told) in [
        (
            "refcom disconnect;",
            "the referee refuses the sign-on without a reason",
        ),
        (
            "c0 \"full\"; refcom disconnect;",
            "the referee closes the connection: full",
        ),
    ] {
        let player = server.player(&folder, "");
        let mut peer = server.accept();
        peer.say(START, order);
        assert_eq!(
            player.ends(),
            (FAILED, format!("epode: {told}\n")),
            "{order}"
        );
    }
    // After the first game it is the end of the event.
    let player = server.player(&folder, "");
    let mut peer = server.accept();
    peer.say(START, "refcom reset;");
    peer.say(START, "refcom disconnect;");
    assert_eq!(player.ends(), (0, String::new()));
}

/// Decision 145.
#[test]
fn a_player_says_what_it_runs_on() {
    let folder = Folder::new();
    let server = Server::new();
    let sign_on = |options: &str| {
        let player = server.player(&folder, options);
        let peer = server.connection();
        let record: epd::Record = peer.hear().parse().expect("exact");
        let said = part(peer, player);
        let text = |opcode: &str| {
            let operation = record.get(opcode)?;
            Some(operation.operands[0].text().to_owned())
        };
        (text("Machine"), text("Speed"), said)
    };
    let (machine, speed, _) = sign_on("--threads 2 --hash 4");
    let machine = machine.expect("a machine");
    assert!(machine.ends_with(", 2 threads, 4 MiB"), "{machine}");
    assert_eq!(speed, None);
    let (machine, speed, _) = sign_on("--machine 'a \"fast\" one' --speed 2000000");
    assert_eq!(machine.as_deref(), Some("a 'fast' one"));
    assert_eq!(speed.as_deref(), Some("2000000"));
    // The benchmark of a real machine takes some seconds.
    let (_, speed, said) = sign_on("--speed measure");
    let speed: u64 = speed.expect("measured").parse().expect("a number");
    assert_eq!(
        said,
        format!("epode: the speed is {speed} nodes a second\n")
    );
    let player = server.player(&folder, "--speed measure --engine x");
    let (status, said) = player.ends();
    assert_eq!(status, FAILED);
    assert!(
        said.contains("--speed measure runs the benchmark of the built-in engine"),
        "{said}"
    );
    assert!(server.nobody_came());
}

/// Decision 11: the password is sent only with the `sign_on` record, and is not logged.
#[test]
fn a_password_is_said_once() {
    let folder = Folder::with("secret", "open sesame\n");
    let server = Server::new();
    let player = server.player(
        &folder,
        "--password-file secret --log log --depth 1 --machine ''",
    );
    let mut peer = server.connection();
    assert!(peer.hear().contains(" Auth \"open sesame\"; Ping; c0 "));
    peer.ask(&Position::start());
    assert!(!peer.hear().contains("sesame"));
    part(peer, player);
    assert!(!folder.read("log").contains("sesame"));
}
