//! Other engines than the built-in one play.

use super::{MATED, exchange, meet, part};
use crate::common::records::START;
use crate::common::referee::Server;
use crate::common::{FAILED, Folder};
use movegen::Game;

/// A UCI engine as a shell script, which runs these commands at `go`.
#[cfg(unix)]
fn engine(go: &str) -> Folder {
    let script = format!(
        "while read -r word rest; do\n\
         case $word in\n\
         uci) printf 'id name Caf\\351\\n'\n\
         echo option name Hash type spin default 16 min 1 max 64; echo uciok;;\n\
         isready) echo readyok;;\n\
         go) {go};;\n\
         quit) exit;;\n\
         esac\n\
         done\n"
    );
    Folder::with("engine.sh", script)
}

#[cfg(unix)]
#[test]
fn another_engine_plays() {
    let go = "echo info depth 5 score cp 12 nodes 99 pv e2e4 e7e5; echo bestmove e2e4";
    let folder = engine(go);
    let server = Server::new();
    let player = server.player(
        &folder,
        "--engine 'sh engine.sh' --option Hash=1 --analysis",
    );
    let mut peer = server.accept();
    peer.say(START, "refcom reset;");
    peer.say(START, "refcom respond;");
    assert_eq!(
        peer.hear(),
        format!(
            "{START} acd 5; acn 99; acs 0; ce 12; fmvn 1; hmvc 0; pv e4 e5; refreq reply; sm e4;"
        )
    );
    assert_eq!(part(peer, player), "epode: playing with Caf\u{fffd}\n");
}

/// The failure of an engine is reported to the referee and to the user.
#[cfg(unix)]
#[test]
fn engines_that_fail() {
    for (go, why) in [
        ("exit", "Caf? has ended (exit status: 0)"),
        (
            "echo bestmove e2e5",
            "Caf? plays 'e2e5', which is not a legal move",
        ),
        (
            "echo bestmove",
            "Caf? gives no move but '', and there are legal moves",
        ),
    ] {
        let folder = engine(go);
        let server = Server::new();
        let player = server.player(&folder, "--engine 'sh engine.sh' --restarts 0");
        let mut peer = server.accept();
        peer.say(START, "refcom respond;");
        assert_eq!(peer.hear_fault(), why);
        peer.hear_end();
        let (status, messages) = player.ends();
        assert_eq!(status, FAILED, "{messages}");
        let last = messages.lines().last().expect("a message");
        let readable = last.replace('"', "'").replace('\u{fffd}', "?");
        assert_eq!(readable, format!("epode: {why}"));
    }
}

/// If the engine does not start, the player does not sign on.
#[cfg(unix)]
#[test]
fn engines_that_do_not_start() {
    for (script, command, why) in [
        ("", "./missing", "cannot start the engine ./missing: "),
        ("exit", "sh engine.sh", "sh "),
        // Its input is closed, which is a failure, not the closed pipe of standard output.
        ("exec 0<&-; echo uciok", "sh engine.sh", "sh "),
    ] {
        let folder = Folder::with("engine.sh", script);
        let server = Server::new();
        let player = server.player(&folder, &format!("--engine '{command}'"));
        let (status, messages) = player.ends();
        assert_eq!(status, FAILED, "{messages}");
        assert!(messages.starts_with(&format!("epode: {why}")), "{messages}");
        assert!(server.nobody_came());
    }
}

#[test]
fn stockfish_plays() {
    let Some(command) = crate::common::stockfish() else {
        return;
    };
    let (_folder, _server, player, mut peer) =
        meet(&format!("--engine {command} --nodes 1000 --ponder"));
    peer.say(START, "refcom reset;");
    let mut game = Game::default();
    for _ in 0..3 {
        exchange(&mut peer, &mut game);
    }
    peer.say(MATED, "refcom respond;");
    assert_eq!(peer.hear_reply().supplied, None);
    assert!(part(peer, player).contains("Stockfish"));
}
