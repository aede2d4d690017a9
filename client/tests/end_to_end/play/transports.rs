//! Other transports than TCP: standard streams, named pipes, serial lines.

use std::fs;

use super::{exchange, part};
use crate::common::records::START;
use crate::common::referee::{Peer, Player};
use crate::common::{ALL_WELL, FAILED, Folder};
use movegen::Game;

#[test]
fn standard_streams() {
    let folder = Folder::new();
    let mut player = Player::start(&folder, "--stdio --depth 3");
    let mut peer = player.streams();
    peer.hear_sign_on();
    exchange(&mut peer, &mut Game::default());
    part(peer, player);
    // An end of input is a lost connection.
    let mut player = Player::start(&folder, "--stdio");
    drop(player.streams());
    assert_eq!(player.ends().0, FAILED);
}

#[cfg(unix)]
#[test]
fn named_pipes() {
    let folder = Folder::new();
    let open = |name: &str| {
        let path = folder.path(name);
        let made = std::process::Command::new("mkfifo").arg(&path).status();
        assert!(made.expect("mkfifo").success());
        // Opened for reading and writing, a pipe does not block.
        let file = fs::OpenOptions::new().read(true).write(true).open(path);
        file.expect("a pipe")
    };
    let mut peer = Peer::new(open("x.pc0"), open("x.pc1"), None);
    let player = Player::start(&folder, "--fifo x --depth 3");
    peer.hear_sign_on();
    exchange(&mut peer, &mut Game::default());
    peer.say(START, "refcom disconnect;");
    assert_eq!(player.ends(), (ALL_WELL, String::new()));

    let (status, messages) = Player::start(&folder, "--fifo y").ends();
    assert_eq!(status, FAILED);
    assert!(
        messages.starts_with("epode: cannot open y.pc1: "),
        "{messages}"
    );
}

/// A serial line, of which the test holds the other end.
#[cfg(unix)]
#[test]
fn serial_line() {
    use serialport::{SerialPort, TTYPort};

    let (mut ours, theirs) = TTYPort::pair().expect("a pseudo-terminal");
    ours.set_timeout(std::time::Duration::from_mins(1))
        .expect("set");
    let device = theirs.name().expect("a device");
    let write = ours.try_clone_native().expect("a device");
    let mut peer = Peer::new(ours, write, None);
    let folder = Folder::new();
    let player = Player::start(
        &folder,
        &format!("--serial {device} --baud 115200 --depth 3"),
    );
    peer.hear_sign_on();
    peer.say(START, "refcom reset;");
    exchange(&mut peer, &mut Game::default());
    peer.say(START, "refcom disconnect;");
    assert_eq!(player.ends(), (ALL_WELL, String::new()));
    drop(theirs);

    let (status, messages) = Player::start(&folder, "--serial no-line").ends();
    assert_eq!(status, FAILED);
    assert!(
        messages.starts_with("epode: cannot open no-line: "),
        "{messages}"
    );
}
