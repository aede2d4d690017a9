//! `epode client` against scripted referees.

use std::fs;
use std::net::TcpListener;

use crate::common::records::{MATE_IN_ONE, START};
use crate::common::referee::{Peer, Player, Server};
use crate::common::{ALL_WELL, FAILED, Folder};
use epd::protocol::{Command, Message, PlayerActions, Request};
use movegen::{Game, Position};

/// White is mated.
const MATED: &str = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq -";
/// A time control of hours.
const ENDLESS: &str = "refcom inform; ptp TimeControl \"36000000\";";

/// A player that has signed on.
fn meet(options: &str) -> (Folder, Server, Player, Peer) {
    let folder = Folder::new();
    let server = Server::new();
    let player = server.player(&folder, options);
    let peer = server.accept();
    (folder, server, player, peer)
}

/// The referee disconnects, and the player exits.
fn part(mut peer: Peer, player: Player) -> String {
    // A player that was admitted exits with success.
    peer.say(START, "refcom reset;");
    peer.say(START, "refcom disconnect;");
    peer.hear_end();
    let (status, messages) = player.ends();
    assert_eq!(status, ALL_WELL, "{messages}");
    messages
}

/// Asks for a move, plays it, and plays an answer if there is a legal one.
fn exchange(peer: &mut Peer, game: &mut Game) {
    peer.ask(game.position());
    take_reply(&peer.hear_reply(), game);
    if let Some(told) = answer(game) {
        peer.order(&Command::Execute(told));
    }
}

/// Plays the move of a reply, which must have the position of the game.
fn take_reply(reply: &Message, game: &mut Game) {
    let position = game.position();
    assert_eq!(reply.position.as_ref(), Some(position));
    assert_eq!(reply.halfmove_clock, Some(position.halfmove_clock()));
    assert_eq!(reply.fullmove_number, Some(position.fullmove_number()));
    let mv = reply.supplied_move().expect("a move");
    game.play(mv).expect("legal");
}

/// Plays a move of the opponent; returns the operations that report it.
fn answer(game: &mut Game) -> Option<Message> {
    let moves = game.position().legal_moves();
    let &mv = moves.first()?;
    let told = Message::with_counters(game.position()).playing(mv);
    game.play(mv).expect("legal");
    Some(told)
}

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

/// A log holds every record, with time and direction.
#[test]
fn the_log() {
    let (folder, _server, player, mut peer) = meet("--depth 3 --log records.log");
    let commands = ["refcom reset;", "refcom bogus;", "refcom respond;"];
    for command in commands {
        peer.say(START, command);
    }
    peer.send(b"\r\n");
    let replies = [peer.hear(), peer.hear()];
    part(peer, player);
    let log = folder.read("records.log");
    let lines: Vec<_> = log
        .lines()
        .map(|line| {
            let (time, record) = line.split_once(' ').expect("a time");
            assert!(time.len() == 24 && time.ends_with('Z'), "{line}");
            record
        })
        .collect();
    assert!(
        lines[0].starts_with("> ") && lines[0].contains("refreq sign_on;"),
        "{log}"
    );
    let written = |direction| {
        let lines = lines[1..].iter();
        let lines = lines.filter_map(move |line: &&str| line.strip_prefix(direction));
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(written("> "), replies);
    let came = [&commands[..], &["refcom reset;", "refcom disconnect;"]].concat();
    let came: Vec<_> = came
        .iter()
        .map(|command| format!("{START} {command}"))
        .collect();
    assert_eq!(written("< "), came);
}

/// Games that are concluded, abandoned, or cut off.
#[test]
fn the_games() {
    let folder = Folder::with("games.pgn", "before\n");
    let server = Server::new();
    let player = server.player(&folder, "--depth 3 --pgn games.pgn");
    let mut peer = server.accept();
    peer.say(
        START,
        "refcom reset; ptp Event \"Cup\" Site \"Here\" Date \"2025.11.30\" \
                     Round \"1\" White \"Epode\" Black \"Test\" Result \"*\";",
    );
    let mut game = Game::default();
    exchange(&mut peer, &mut game);
    peer.say(
        START,
        "refcom inform; ptp Result \"1-0\" Termination \"time forfeit\";",
    );
    let last = *game.position();
    peer.order(&Command::Conclude(Message::with_counters(&last)));
    peer.say(MATE_IN_ONE, "refcom reset; fmvn 30; ptp White \"Epode\";");
    peer.say(MATE_IN_ONE, "refcom respond; fmvn 30;");
    peer.hear_reply();
    // A game without moves is not logged.
    peer.say(START, "refcom reset;");
    peer.say(START, "refcom reset;");
    peer.say(START, "refcom execute; sm e4;");
    peer.close();
    assert_eq!(player.ends().0, FAILED);

    let text = folder.read("games.pgn");
    let moves: Vec<_> = game.moves().to_vec();
    let mut position = Position::start();
    let first = movegen::San::of(&position, moves[0]).to_string();
    position.play(moves[0]);
    let second = movegen::San::of(&position, moves[1]).to_string();
    assert!(
        text.starts_with(&format!(
            "before\n[Event \"Cup\"]\n[Site \"Here\"]\n[Date \"2025.11.30\"]\n[Round \"1\"]\n\
             [White \"Epode\"]\n[Black \"Test\"]\n[Result \"1-0\"]\n\
             [Termination \"time forfeit\"]\n[PlyCount \"2\"]\n\n1. {first} {{[%eval "
        )),
        "{text}"
    );
    assert!(
        text.contains(&format!("]}} 1... {second} 1-0\n\n[Event \"?\"]\n")),
        "{text}"
    );
    assert!(
        text.contains(&format!("[SetUp \"1\"]\n[FEN \"{MATE_IN_ONE} 0 30\"]\n")),
        "{text}"
    );
    assert!(
        text.contains("\n\n30. Rd8# {[%eval #0] [%emt 0:00:00"),
        "{text}"
    );
    assert!(text.ends_with("[PlyCount \"1\"]\n\n1. e4 *\n\n"), "{text}");
    assert_eq!(text.matches("[Event ").count(), 3, "{text}");
}

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
        ("echo bestmove", "Caf? plays '', which is not a legal move"),
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
