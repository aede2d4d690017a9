//! Engines of the xboard protocol in events and analyses: scripted ones, and those of Debian where they are
//! installed.
use std::fs;
use std::io;
use std::process::Stdio;

use crate::common::event::{CLOCK, MOVES, heard, meet, part, play};
use crate::common::records::START;
use crate::common::referee::{Peer, Server};
use crate::common::{FAILED, Folder, stderr};
use epd::protocol::{Command, Message, PlayerActions, Request};
use movegen::Game;

const FEATURES: &str =
    "myname=\"Script\" setboard=1 usermove=1 ping=1 colors=0 analyze=1 sigint=0 done=1";

/// A scripted engine that plays fixed moves and writes every command that it receives to `heard`. The
/// cases are shell code that handles a command before the script does. `$life` counts the starts of the
/// engine, `$ply` the moves of the game.
fn folder(features: &str, cases: &str) -> Folder {
    let script = format!(
        "echo start >> heard\n\
         life=$(grep -c ^start heard)\n\
         answer() {{\n\
         set -- {MOVES}; shift $ply; ply=$((ply + 1))\n\
         echo \"$ply 10 1 50 $1\"; echo move $1; }}\n\
         opposed() {{ ply=$((ply + 1)); if [ ! $forced ]; then answer; fi; }}\n\
         echo tellics set 1 A script\n\
         while read -r word rest; do\n\
         echo $word $rest >> heard\n\
         case $word in\n\
         {cases}\n\
         protover) echo 'feature {features}';;\n\
         ping) echo pong $rest;;\n\
         new) ply=0; forced=;;\n\
         force) forced=1;;\n\
         go) forced=; answer;;\n\
         usermove|[a-h][1-8]*) opposed;;\n\
         quit) exit;;\n\
         esac\n\
         done\n"
    );
    Folder::with("engine.sh", script)
}

/// The lines that an engine was told, without the answers to its features.
fn told(life: &[String]) -> Vec<&str> {
    let lines = life.iter().map(String::as_str);
    let lines = lines.filter(|line| !line.starts_with("accepted") && !line.is_empty());
    lines.collect()
}

/// Checks the lines that an engine was told; a number at the end of `time` may differ.
fn assert_told(life: &[String], expected: &[&str]) {
    let told = told(life);
    let plain = |line: &str| {
        line.strip_prefix("time ")
            .map_or(line.to_owned(), |_| "time".into())
    };
    let told: Vec<_> = told.iter().map(|line| plain(line)).collect();
    assert_eq!(told, expected);
}

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

const RECORD: &str = "8/8/8/8/8/k7/8/K7 w - - id \"x\";";

/// Analyses a record with an engine; returns its output and messages, and what the engine was told.
fn analyse(folder: &Folder, record: &str, options: &str) -> (String, String, Vec<String>) {
    fs::write(folder.path("in.epd"), format!("{record}\n")).expect("written");
    let _ = fs::remove_file(folder.path("heard"));
    let mut command = folder.command("pfga in.epd --protocol xboard --engine");
    command.arg("sh engine.sh").args(options.split(' '));
    let assert = crate::common::calm(command.assert());
    let life = heard(folder).pop().unwrap_or_default();
    (crate::common::stdout(&assert), stderr(&assert), life)
}

#[test]
fn analyses() {
    // By time with `analyze`: the last line counts.
    let lines = "analyze) echo '1 5 0 20 Kb1'; echo '2 -31 1 400 1. Kb1 Kb3';;";
    let folder = self::folder(FEATURES, lines);
    let (output, messages, life) = analyse(&folder, RECORD, "--time 20ms");
    assert!(messages.starts_with("1 analysed; "), "{messages}");
    assert!(
        output.contains(" acd 2; acn 400; acs 0; ce -31; id \"x\"; pm Kb1; pv Kb1 Kb3;"),
        "{output}"
    );
    let at = life
        .iter()
        .position(|line| line == "analyze")
        .expect("analyze");
    assert_eq!(life[at - 1], "setboard 8/8/8/8/8/k7/8/K7 w - - 0 1");
    assert_eq!(life[at + 1], "exit");
    // Scores from White's point of view.
    let black = "8/8/8/8/8/k7/8/K7 b - -";
    let lines = "analyze) echo '1 5 0 20 Kb3';;";
    let folder = self::folder(FEATURES, lines);
    let (output, ..) = analyse(&folder, black, "--time 20ms --option scores=white");
    assert!(output.contains(" ce -5;"), "{output}");
    // By depth with `sd` and `go`; an engine that does not know `sd` is stopped.
    let deep = "go) echo '7 9 1 50 Kb1'; echo '8 99 1 60 Kb1';; \
                sd) echo 'Illegal move: sd 7';; '?') echo move a1b1;;";
    let folder = self::folder(FEATURES, deep);
    let (output, _, life) = analyse(&folder, RECORD, "--depth 7");
    assert!(output.contains(" acd 7; acn 50; ce 9;"), "{output}");
    assert!(life.contains(&"sd 7".to_owned()) && life.contains(&"?".to_owned()));
    // By nodes only with the feature `nps`.
    let go = "go) echo '3 9 1 50 Kb1'; echo move a1b1;;";
    let folder = self::folder(FEATURES, go);
    let (output, messages, _) = analyse(&folder, RECORD, "--nodes 500");
    let why = "Script has no feature nps: it cannot limit a search to a number of nodes";
    assert!(output.contains(why), "{output}");
    assert!(messages.contains(why), "{messages}");
    let folder = self::folder(&FEATURES.replace("done=1", "nps=1 done=1"), go);
    let (output, _, life) = analyse(&folder, RECORD, "--nodes 500");
    assert!(output.contains(" pm Kb1;"), "{output}");
    assert!(
        life.windows(2).any(|pair| pair == ["st 1", "nps 500"]),
        "{life:?}"
    );
    // An engine that wants to end the game instead.
    let folder = self::folder(FEATURES, "go) echo resign;;");
    let (output, ..) = analyse(&folder, RECORD, "--depth 3");
    assert!(
        output.contains("not analysed: Script ends the game instead of moving"),
        "{output}"
    );
}

/// After Ctrl-C the position in progress is still finished.
#[test]
fn an_analysis_that_is_interrupted() {
    let lines = "analyze) exec 3> pipe; echo thinking >&3; exec 3>&-; echo '1 5 0 20 Kb1';;";
    let folder = folder(FEATURES, lines);
    let pipe = folder.path("pipe");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.expect("mkfifo runs").success());
    fs::write(folder.path("in.epd"), format!("{RECORD}\n{RECORD}\n")).expect("written");
    fs::write(folder.path("engine"), "#!/bin/sh\nexec sh engine.sh\n").expect("written");
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    fs::set_permissions(folder.path("engine"), mode).expect("permissions");
    let line = "pfga in.epd - --time 700ms --protocol xboard --engine ./engine";
    let child = folder.start(line);
    let told = fs::read_to_string(pipe).expect("text");
    assert_eq!(told, "thinking\n");
    crate::common::interrupt(&child);
    let output = child.wait_with_output().expect("it ends");
    let messages = String::from_utf8_lossy(&output.stderr).into_owned();
    let records = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(FAILED), "{messages}");
    assert!(
        records.contains(" pm Kb1;") && !records.contains("c9"),
        "{records}"
    );
}

#[test]
fn chess960() {
    let record = "8/8/8/8/8/6k1/8/R1K5 w A -";
    let castles = "go) echo move O-O-O;;";
    let folder = self::folder(FEATURES, castles);
    let (_, messages, _) = analyse(&folder, record, "--depth 1");
    let why = "Script has no variant fischerandom: it does not play Chess960";
    assert!(messages.contains(why), "{messages}");
    let features = FEATURES.replace("done=1", "variants=\"normal,fischerandom\" done=1");
    let folder = self::folder(&features, castles);
    let (output, _, life) = analyse(&folder, record, "--depth 1");
    assert!(output.contains(" pm O-O-O;"), "{output}");
    assert!(life.contains(&"variant fischerandom".to_owned()));
}

/// Options that an engine does not declare, or values that it does not accept, are errors.
#[test]
fn options_that_cannot_be_set() {
    let features = FEATURES.replace(
        "done=1",
        "memory=1 egt=\"syzygy,nalimov\" option=\"Level -spin 3 1 9\" option=\"Book -check 1\" done=1",
    );
    let folder = folder(&features, "");
    for (option, why) in [
        ("Levle=3", "has no option Levle; did you mean Level?"),
        ("Level=10", "takes a whole number from 1 to 9 for Level"),
        ("memory=0", "takes a whole number from 1 for memory"),
        ("cores=2", "has no feature smp"),
        (
            "egtpath=gaviota /x",
            "has no feature egt for \"gaviota\" (egtpath=KIND PATH)",
        ),
    ] {
        fs::write(folder.path("in.epd"), format!("{RECORD}\n")).expect("written");
        let mut command = folder.command("pfga in.epd --depth 1 --protocol xboard --engine");
        command.args(["sh engine.sh", "--option", option]);
        let assert = crate::common::calm(command.assert()).code(FAILED);
        let told = format!("epode: --option {option}: Script {why}\n");
        assert_eq!(stderr(&assert), told);
    }
    fs::write(folder.path("in.epd"), format!("{RECORD}\n")).expect("written");
    let mut command = folder.command("pfga in.epd --depth 1 --protocol xboard --engine");
    command.arg("sh engine.sh");
    command.args(["--syzygy", "/tb"]);
    for option in ["book=false", "egtpath=nalimov /x y", "memory=7"] {
        command.args(["--option", option]);
    }
    fs::remove_file(folder.path("heard")).expect("removed");
    crate::common::calm(command.assert());
    let life = heard(&folder).remove(0);
    let set = [
        "egtpath syzygy /tb",
        "option Book=0",
        "egtpath nalimov /x y",
        "memory 7",
    ];
    assert!(life.windows(4).any(|lines| lines == set), "{life:?}");
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
