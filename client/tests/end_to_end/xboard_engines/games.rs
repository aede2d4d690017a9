//! Games in an event, of scripted and of installed engines: what an engine is told, draws, resignations.

use std::process::Stdio;

use super::{FEATURES, assert_told, folder, told};
use crate::common::event::{CLOCK, heard, meet, part, play};
use crate::common::records::START;
use crate::common::referee::{Peer, Server};
use crate::common::{FAILED, Folder};
use epd::protocol::{Command, Message, PlayerActions, Request};
use movegen::Game;

#[test]
fn a_game_in_an_event() {
    let folder = folder(FEATURES, "");
    let (_server, player, mut peer) = meet(&folder, "--protocol xboard");
    play(&mut peer, &mut Game::default(), 3);
    assert_eq!(part(peer, player), [""; 0]);
    let lives = heard(&folder);
    assert_eq!(lives.len(), 1);
    assert_told(
        &lives[0],
        &[
            "xboard",
            "protover 2",
            "new",
            "ping 1",
            "ping 2",
            "force",
            "easy",
            "post",
            "level 0 9 0",
            "time",
            "otim 47999",
            "go",
            "time",
            "otim 47999",
            "usermove a7a6",
            "time",
            "otim 47999",
            "usermove b7b6",
            "quit",
        ],
    );
}

/// An engine that declares nothing: moves stand alone, the colour is told, positions are edited.
#[test]
fn an_engine_of_version_1() {
    let folder = folder("", "protover) ;;");
    let options = "--protocol xboard";
    let server = Server::new();
    let player = server.player(&folder, &format!("--engine 'sh engine.sh' {options}"));
    let mut peer = server.accept();
    peer.say(START, "refcom reset;");
    peer.say(START, CLOCK);
    play(&mut peer, &mut Game::default(), 2);
    let edited = "4k3/8/8/8/8/8/4P3/4K3 w - -";
    peer.say(edited, "refcom reset;");
    peer.say(edited, "refcom respond;");
    peer.hear_reply();
    // A rook that has moved, and come back.
    let uneditable = "4k3/8/8/8/8/8/4P3/R3K3 w - -";
    peer.say(uneditable, "refcom reset;");
    peer.say(uneditable, "refcom respond;");
    assert_eq!(
        peer.hear_fault(),
        format!(
            "sh has no feature setboard, and the older command edit cannot set castling rights and en \
             passant: {uneditable} 0 1"
        )
        .replace('"', "'")
    );
    let (status, _) = player.ends();
    assert_eq!(status, FAILED);
    let lives = heard(&folder);
    let lines = told(&lives[0]);
    assert!(
        lines.contains(&"a7a6") && lines.contains(&"white"),
        "{lines:?}"
    );
    let at = lines.iter().position(|&line| line == "edit").expect("edit");
    assert_eq!(
        lines[at..at + 7],
        ["edit", "#", "Ke1", "Pe2", "c", "Ke8", "."]
    );
}

/// Features change how moves are written, and which commands come.
#[test]
fn moves_in_san_and_no_clock() {
    let features = FEATURES.replace("usermove=1", "san=1 time=0");
    let folder = folder(&features, "");
    let (_server, player, mut peer) = meet(&folder, "--protocol xboard");
    play(&mut peer, &mut Game::default(), 2);
    part(peer, player);
    let lives = heard(&folder);
    let lines = told(&lives[0]);
    assert!(
        lines.contains(&"a6") && !lines.contains(&"otim 47999"),
        "{lines:?}"
    );
    let levels = lines.iter().filter(|line| line.starts_with("level"));
    assert_eq!(levels.count(), 2, "{lines:?}");
}

/// The level is told again when the referee's next period differs from what the engine counts.
#[test]
fn periods_are_told() {
    let folder = folder(FEATURES, "");
    let (_server, player, mut peer) = meet(&folder, "--protocol xboard");
    peer.say(START, "refcom inform; ptp TimeControl \"2/60:600\";");
    play(&mut peer, &mut Game::default(), 4);
    part(peer, player);
    let lives = heard(&folder);
    let lines = told(&lives[0]);
    let levels: Vec<_> = lines
        .iter()
        .filter(|line| line.starts_with("level"))
        .collect();
    assert_eq!(levels.len(), 2, "{lines:?}");
    assert!(levels[0].starts_with("level 2 "), "{levels:?}");
    assert!(levels[1].starts_with("level 0 "), "{levels:?}");
}

/// `reuse=0`: a new process for each game.
#[test]
fn an_engine_for_one_game() {
    let features = FEATURES.replace("done=1", "reuse=0 done=1");
    let folder = folder(&features, "");
    let (_server, player, mut peer) = meet(&folder, "--protocol xboard");
    for _ in 0..2 {
        let mut game = Game::default();
        play(&mut peer, &mut game, 2);
        peer.order(&Command::Conclude(Message::with_counters(game.position())));
        peer.say(START, "refcom reset;");
        peer.say(START, CLOCK);
    }
    assert_eq!(part(peer, player), [""; 0]);
    let lives = heard(&folder);
    assert_eq!(lives.len(), 3);
    let games = |life: &Vec<String>| life.iter().filter(|line| *line == "go").count();
    assert_eq!(lives.iter().map(games).collect::<Vec<_>>(), [1, 1, 0]);
}

/// Plays a game with an engine that does this when it is asked for its second move.
fn second_move(cases: &str, check: impl FnOnce(&mut Peer, &mut Game)) -> Vec<String> {
    let folder = folder(FEATURES, cases);
    let (_server, player, mut peer) = meet(&folder, "--protocol xboard --contempt 100");
    let mut game = Game::default();
    play(&mut peer, &mut game, 1);
    check(&mut peer, &mut game);
    part(peer, player);
    let mut lives = heard(&folder);
    assert_eq!(lives.len(), 1);
    lives.remove(0)
}

#[test]
fn draws_and_resignations() {
    let actions = |peer: &mut Peer, game: &Game| {
        peer.ask(game.position());
        let reply = peer.hear_reply();
        (reply.actions, reply.supplied_move().is_some())
    };
    second_move("usermove) echo offer draw; opposed;;", |peer, game| {
        assert_eq!(actions(peer, game), (PlayerActions::OFFER_DRAW, true));
    });
    second_move("usermove) echo resign;;", |peer, game| {
        assert_eq!(actions(peer, game), (PlayerActions::RESIGN, false));
    });
    second_move("usermove) echo '0-1 {White resigns}';;", |peer, game| {
        assert_eq!(actions(peer, game), (PlayerActions::RESIGN, false));
    });
    // The opponent's offer, refused and accepted.
    let offer = |peer: &mut Peer, game: &Game| {
        let content = Message {
            actions: PlayerActions::OFFER_DRAW,
            ..Message::with_counters(game.position())
        };
        peer.order(&Command::Respond(content));
        peer.hear_reply().actions
    };
    let life = second_move("", |peer, game| {
        assert_eq!(offer(peer, game), PlayerActions::REJECT_DRAW);
    });
    let at = life.iter().position(|line| line == "draw").expect("draw");
    assert_eq!(life[at + 1], "usermove a7a6");
    second_move("draw) echo offer draw;;", |peer, game| {
        assert_eq!(offer(peer, game), PlayerActions::ACCEPT_DRAW);
    });
}

/// An engine that wrongly holds the game to be over has to move, without the history of the game.
#[test]
fn a_wrong_claim() {
    let claims = "usermove) echo '1/2-1/2 {Draw by repetition}';; setboard) ply=2;;";
    let life = second_move(claims, |peer, game| {
        peer.ask(game.position());
        let reply = peer.hear_reply();
        assert_eq!(reply.actions, PlayerActions::empty());
        assert_eq!(reply.supplied_move().expect("a move").to_string(), "g1f3");
    });
    let after = "rnbqkbnr/1ppppppp/p7/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
    assert!(life.contains(&format!("setboard {after}")), "{life:?}");
}

/// A player that is interrupted while it ponders: `hard`, and the engine thinks as it likes.
#[test]
fn pondering_is_left_to_the_engine() {
    let folder = folder(FEATURES, "");
    let (_server, player, mut peer) = meet(&folder, "--protocol xboard --ponder");
    play(&mut peer, &mut Game::default(), 2);
    player.interrupt();
    let request = peer.hear_request();
    assert!(matches!(request, Request::SignOff(_)), "{request:?}");
    let lives = heard(&folder);
    let lines = told(&lives[0]);
    assert_eq!(
        lines.iter().filter(|&&line| line == "hard").count(),
        1,
        "{lines:?}"
    );
}

/// The engines of Debian, and Crafty where somebody has built it, each play some moves of an event.
#[test]
fn installed_engines() {
    for command in [
        "/usr/games/gnuchess --xboard",
        "/usr/games/phalanx",
        "/usr/games/sjeng",
        "/usr/games/fairymax",
        "crafty",
    ] {
        let program = command.split(' ').next().unwrap_or_default();
        let mut starts = std::process::Command::new(program);
        let started = starts.stdin(Stdio::null()).stdout(Stdio::null()).spawn();
        let Ok(mut child) = started else {
            println!("not tested: there is no {program}");
            continue;
        };
        let _ = child.kill();
        let _ = child.wait();
        let folder = Folder::new();
        let server = Server::new();
        let options = format!("--engine '{command}' --protocol xboard");
        let player = server.player(&folder, &options);
        let mut peer = server.accept();
        peer.say(START, "refcom reset;");
        peer.say(
            START,
            "refcom inform; ptp TimeControl \"60\"; \
                         ctcc 000.00:00:57.000 000.00:00:02.000;",
        );
        let mut game = Game::default();
        for _ in 0..4 {
            peer.ask(game.position());
            let reply = peer.hear_reply();
            game.play(reply.supplied_move().expect("a move"))
                .expect("legal");
            let mv = game.position().legal_moves()[0];
            let content = Message::with_counters(game.position()).playing(mv);
            game.play(mv).expect("legal");
            peer.order(&Command::Execute(content));
        }
        peer.say(START, "refcom disconnect;");
        peer.hear_end();
        let (status, messages) = player.ends();
        assert_eq!(status, 0, "{command}: {messages}");
        assert_eq!(messages.lines().count(), 1, "{command}: {messages}");
    }
}
