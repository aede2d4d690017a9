//! Engines that die, hang, or play illegal moves.

use std::fs;
use std::io;

use super::{FEATURES, folder, told};
use crate::common::FAILED;
use crate::common::event::{CLOCK, heard, meet, part, play};
use crate::common::records::START;
use movegen::Game;

/// The engine dies in the middle: the next process gets the options and all moves.
#[test]
fn an_engine_that_dies_once() {
    let features = FEATURES.replace(
        "done=1",
        "memory=1 option=\"Style -combo tame /// wild\" done=1",
    );
    let dies = "usermove) if [ $life$ply = 15 ]; then echo sorry >&2; exit 3; fi; opposed;;";
    let folder = folder(&features, dies);
    let options = "--protocol xboard --hash 2 --option Style=wild";
    let (_server, player, mut peer) = meet(&folder, options);
    play(&mut peer, &mut Game::default(), 5);
    let message = "epode: Script has ended (exit status: 3): sorry; restart 1 of 3";
    assert_eq!(part(peer, player), [message]);
    let lives = heard(&folder);
    assert_eq!(lives.len(), 2);
    let moves = ["e2e4", "a7a6", "g1f3", "b7b6", "f1c4", "c7c6"].map(|mv| format!("usermove {mv}"));
    let mut expected = vec![
        "xboard",
        "protover 2",
        "memory 2",
        "option Style=wild",
        "new",
        "ping 1",
        "force",
        "easy",
        "post",
    ];
    expected.extend(moves.iter().map(String::as_str));
    let lines = told(&lives[1]);
    assert_eq!(lines[..expected.len()], expected);
    assert!(lines[expected.len()].starts_with("level 0 "), "{lines:?}");
}

/// An engine that neither moves nor answers `?` is killed with its children before its flag falls.
#[test]
fn an_engine_that_hangs() {
    let hangs = "go) if [ $life = 1 ]; then exec 3> pipe; echo stuck >&2; sleep 1000; fi; forced=; answer;;";
    let folder = folder(FEATURES, hangs);
    let pipe = folder.path("pipe");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.expect("mkfifo runs").success());
    let (_server, player, mut peer) = meet(&folder, "--protocol xboard");
    peer.say(
        START,
        &CLOCK.replace("000.00:01:00.000", "000.00:09:58.500"),
    );
    peer.ask(Game::default().position());
    let all = fs::File::open(pipe).expect("it is opened");
    assert_eq!(io::read_to_string(all).expect("all have ended"), "");
    let best = peer.hear_reply().supplied_move().map(|mv| mv.to_string());
    assert_eq!(best.as_deref(), Some("e2e4"));
    assert_eq!(
        part(peer, player),
        ["epode: Script does not stop within 1.0s: stuck; restart 1 of 3"]
    );
}

/// What an engine would repeat after a restart ends the game: illegal moves, and legal ones that it refuses.
#[test]
fn illegal_moves() {
    for (cases, why) in [
        (
            "go) echo move e2e5;;",
            "Script plays 'e2e5', which is not a legal move",
        ),
        (
            "usermove) echo \"Illegal move (asleep): $rest\";;",
            "Script refuses what it was sent: 'Illegal move (asleep): a7a6'",
        ),
    ] {
        let folder = folder(FEATURES, cases);
        let (_server, player, mut peer) = meet(&folder, "--protocol xboard");
        let mut game = Game::default();
        if cases.starts_with("usermove") {
            play(&mut peer, &mut game, 1);
        }
        peer.ask(game.position());
        assert_eq!(peer.hear_fault(), why);
        let (status, messages) = player.ends();
        assert_eq!(status, FAILED);
        assert!(!messages.contains("restart"), "{messages}");
    }
}
