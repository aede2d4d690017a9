//! UCI engines that die or hang in an event, and are started again.
use std::fs;
use std::io;
use std::time::{Duration, Instant};

use crate::common::event::{CLOCK, MOVES, heard, part, play};
use crate::common::records::START;
use crate::common::referee::{Peer, Player, Server};
use crate::common::{ALL_WELL, FAILED, Folder};
use epd::protocol::{Command, Message, Request};
use movegen::Game;

/// A player with this engine that has signed on and begun a game.
fn meet(folder: &Folder, options: &str) -> (Server, Player, Peer) {
    let options = format!("--option Style=wild {options}");
    crate::common::event::meet(folder, &options)
}

/// A scripted engine that plays fixed moves and writes every command that it receives to `heard`. The
/// cases are shell code that handles a command before the script does. `$life` counts the starts of the
/// engine, `$ply` the moves of the game.
fn folder(cases: &str) -> Folder {
    let script = format!(
        "echo start >> heard\n\
         life=$(grep -c ^start heard)\n\
         answer() {{ echo info depth 1 score cp 10 pv $best; echo bestmove $best; }}\n\
         while read -r word rest; do\n\
         echo $word $rest >> heard\n\
         case $word in\n\
         position) set -- $rest; ply=$(($# > 8 ? $# - 8 : 0))\n\
         set -- {MOVES}; shift $ply; best=$1;;\n\
         esac\n\
         case $word in\n\
         {cases}\n\
         uci) echo id name Script\n\
         echo option name Hash type spin default 16 min 1 max 64\n\
         echo option name Style type string default plain; echo uciok;;\n\
         isready) echo readyok;;\n\
         go) case $rest in infinite) ponders=1;; *) answer;; esac;;\n\
         stop) if [ $ponders ]; then ponders=; answer; fi;;\n\
         quit) exit;;\n\
         esac\n\
         done\n"
    );
    Folder::with("engine.sh", script)
}

/// The engine dies once in a game: the next one gets its options, a new game and all moves, and the clock
/// has run on.
#[test]
fn an_engine_that_dies_once() {
    let folder = folder(
        "go) if [ $life$ply = 18 ]; then echo no more memory >&2; echo sorry >&2; exit 3; fi; answer;;",
    );
    let (_server, player, mut peer) = meet(&folder, "--hash 2");
    let mut game = Game::default();
    play(&mut peer, &mut game, 6);
    let told = "Script has ended (exit status: 3): no more memory | sorry; restart 1 of 3";
    assert_eq!(part(peer, player), [format!("epode: {told}")]);
    let log = folder.read("log");
    let noted = |line: &&str| line.ends_with(&format!("Z # {told}"));
    assert_eq!(log.lines().filter(noted).count(), 1, "{log}");
    // The referee saw nothing but the moves.
    assert_eq!(log.matches("refreq reply").count(), 6, "{log}");
    let [first, second] = &heard(&folder)[..] else {
        panic!("two lives expected");
    };
    let position = "position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let moves = "e2e4 a7a6 g1f3 b7b6 f1c4 c7c6 e1g1 d7d6";
    let fixed = [
        "uci",
        "setoption name Hash value 2",
        "setoption name Style value wild",
        "ucinewgame",
        "isready",
        &format!("{position} moves {moves}"),
    ];
    assert_eq!(second[..6], fixed);
    assert_eq!(first.last_chunk::<2>().expect("two")[0], fixed[5]);
    let white_time = |go: &String| -> u64 {
        let words: Vec<_> = go.split(' ').collect();
        assert_eq!(words[..2], ["go", "wtime"], "{go}");
        words[2].parse().expect("a number")
    };
    let [before, after] = [first.last().expect("go"), &second[6]].map(white_time);
    assert!(after < before && before <= 540_000, "{after} < {before}");
    let black_time = |go: &String| go.split(' ').nth(4).map(str::to_owned);
    assert_eq!(black_time(&second[6]), black_time(&first[first.len() - 1]));
}

/// After the last restart the referee is told, as it is when the engine cannot be started any more.
#[test]
fn an_engine_that_dies_always() {
    let folder = folder("go) exit 4;;");
    let (_server, player, mut peer) = meet(&folder, "--restarts 2");
    peer.say(START, "refcom respond;");
    let why = "Script has ended (exit status: 4)";
    assert_eq!(peer.hear_fault(), why);
    peer.hear_end();
    let (status, messages) = player.ends();
    assert_eq!(status, FAILED);
    assert_eq!(
        messages,
        format!(
            "epode: playing with Script\nepode: {why}; restart 1 of 2\n\
             epode: {why}; restart 2 of 2\nepode: {why}\n"
        )
    );
    assert_eq!(heard(&folder).len(), 3);

    let folder = self::folder("go) rm engine.sh; exit 4;;");
    let (_server, player, mut peer) = meet(&folder, "");
    peer.say(START, "refcom respond;");
    let fault = peer.hear_fault();
    assert!(fault.starts_with("sh has ended (exit status: "), "{fault}");
    peer.hear_end();
    let (status, messages) = player.ends();
    assert_eq!(status, FAILED);
    assert!(messages.contains("restart 1 of 3\n"), "{messages}");
    assert!(!messages.contains("restart 2"), "{messages}");
}

/// It hangs in its first life, and does not even stop. Its child hangs with it.
const HANGS: &str =
    "go) if [ $life = 1 ]; then exec 3> pipe; echo stuck >&2; sleep 1000; fi; answer;;";

/// A folder with an engine, and a named pipe that it can hold open.
fn with_pipe(cases: &str) -> Folder {
    let folder = folder(cases);
    let path = folder.path("pipe");
    let made = std::process::Command::new("mkfifo").arg(path).status();
    assert!(made.expect("mkfifo runs").success());
    folder
}

/// Waits until the engine and its child, which hold the pipe, have started and ended.
fn ends(folder: &Folder) {
    let pipe = fs::File::open(folder.path("pipe")).expect("it is opened");
    assert_eq!(io::read_to_string(pipe).expect("all have ended"), "");
}

/// An engine that does not answer is stopped when its clock is nearly down, then killed with everything
/// that it started; the next one goes on with the game.
#[test]
fn an_engine_that_hangs() {
    let folder = with_pipe(HANGS);
    let (_server, player, mut peer) = meet(&folder, "");
    // A second and a half is left.
    let almost_all = CLOCK.replace("000.00:01:00.000", "000.00:09:58.500");
    peer.say(START, &almost_all);
    let game = Game::default();
    peer.ask(game.position());
    ends(&folder);
    let reply = peer.hear_reply();
    let best = reply.supplied_move().map(|mv| mv.to_string());
    assert_eq!(best.as_deref(), Some("e2e4"));
    let told = part(peer, player);
    assert_eq!(
        told,
        ["epode: Script does not stop within 1.0s: stuck; restart 1 of 3"]
    );
    let lives = heard(&folder);
    // It cannot have more than nothing left.
    assert!(lives[1].contains(&"go wtime 1 btime 479990 winc 0 binc 0".to_owned()));
}

/// An engine that still hangs when its game is over is killed, and a fresh one plays the next game.
#[test]
fn an_engine_that_hangs_after_the_game() {
    let folder = with_pipe(HANGS);
    let (_server, player, mut peer) = meet(&folder, "");
    peer.say(START, "refcom respond;");
    peer.say(START, "refcom inform; ptp Result \"0-1\";");
    peer.say(START, "refcom conclude;");
    ends(&folder);
    peer.say(START, "refcom reset;");
    peer.say(START, CLOCK);
    play(&mut peer, &mut Game::default(), 2);
    let told = part(peer, player);
    assert_eq!(
        told,
        ["epode: Script does not stop within 5.0s: stuck; restart 1 of 3"]
    );
    let lives = heard(&folder);
    assert_eq!(lives.len(), 2);
    assert!(
        !lives[1]
            .iter()
            .any(|line| line.contains("moves e2e4 a7a6 g1f3"))
    );
}

/// It dies on the opponent's time.
#[test]
fn an_engine_that_dies_while_it_ponders() {
    let folder = folder(
        "go) case $life$rest in 1infinite) exit 5;; *infinite) ponders=1;; *) answer;; esac;;",
    );
    let (_server, player, mut peer) = meet(&folder, "--ponder");
    play(&mut peer, &mut Game::default(), 4);
    let told = part(peer, player);
    assert_eq!(
        told,
        ["epode: Script has ended (exit status: 5); restart 1 of 3"]
    );
    assert_eq!(heard(&folder).len(), 2);
}

/// It dies between two games.
#[test]
fn an_engine_that_dies_between_games() {
    let folder =
        folder("ucinewgame) games=$((games + 1)); if [ $life$games = 13 ]; then exit 6; fi;;");
    let (_server, player, mut peer) = meet(&folder, "");
    for _ in 0..3 {
        let mut game = Game::default();
        play(&mut peer, &mut game, 3);
        peer.order(&Command::Conclude(Message::with_counters(game.position())));
        peer.say(START, "refcom reset;");
        peer.say(START, CLOCK);
    }
    let told = part(peer, player);
    assert_eq!(
        told,
        ["epode: Script has ended (exit status: 6); restart 1 of 3"]
    );
}

/// An illegal move is no crash: the engine would play it again.
#[test]
fn an_engine_that_plays_an_illegal_move() {
    for (word, why) in [
        ("e2e5", "Script plays 'e2e5', which is not a legal move"),
        (
            "'(none)'",
            "Script gives no move but '(none)', and there are legal moves",
        ),
    ] {
        let folder = folder(&format!("go) echo bestmove {word};;"));
        let (_server, player, mut peer) = meet(&folder, "");
        peer.say(START, "refcom respond;");
        assert_eq!(peer.hear_fault(), why);
        let (status, messages) = player.ends();
        assert_eq!(status, FAILED);
        assert!(!messages.contains("restart"), "{messages}");
        assert_eq!(heard(&folder).len(), 1);
    }
}

/// Ctrl-C ends a player whose engine does not start again.
#[test]
fn no_restart_after_an_interrupt() {
    let folder = with_pipe(
        "uci) if [ $life = 2 ]; then exec 3> pipe; sleep 1000; fi
         echo id name Script; echo option name Style type string; echo uciok;;
         go) exit 7;;",
    );
    let (_server, player, mut peer) = meet(&folder, "");
    peer.say(START, "refcom respond;");
    let pipe = fs::File::open(folder.path("pipe")).expect("it is opened");
    player.interrupt();
    let request = peer.hear_request();
    assert!(matches!(request, Request::SignOff(_)), "{request:?}");
    peer.hear_end();
    let (status, messages) = player.ends();
    assert_eq!(status, ALL_WELL, "{messages}");
    assert_eq!(io::read_to_string(pipe).expect("all have ended"), "");
    assert_eq!(heard(&folder).len(), 2);
}

/// An engine that hangs does not keep its client: it would have half a minute to get ready for a game.
#[test]
fn a_hung_engine_is_left() {
    let folder = folder(
        "isready) if [ $asked ]; then echo hangs >> heard; exec sleep 1000; fi; asked=1; echo readyok;;",
    );
    let (_server, player, peer) = meet(&folder, "");
    while !folder.read("heard").contains("hangs") {
        std::thread::yield_now();
    }
    let started = Instant::now();
    assert!(part(peer, player).is_empty());
    assert!(started.elapsed() < Duration::from_secs(20));
}
