//! `epode xboard` as an interface of that protocol uses it, over pipes.

use crate::common::engine::Engine;
use crate::common::event::CLOCK;
use crate::common::records::START;
use crate::common::referee::Server;
use crate::common::{Folder, stdout};
use epd::protocol::{Command, Message};
use movegen::{Game, Position, UciMove, san};

/// A started engine that has answered `protover`, with a fixed depth.
fn meet() -> Engine {
    let mut engine = Engine::start("xboard");
    engine.say("xboard\nprotover 2");
    let said = engine.until_line("feature done=1");
    assert_eq!(said[0], "feature done=0");
    let features = said.join(" ");
    for feature in [
        "ping=1",
        "setboard=1",
        "usermove=1",
        "san=0",
        "time=1",
        "draw=1",
        "sigint=0",
        "analyze=1",
        "colors=0",
        "memory=1",
        "smp=1",
        "egt=\"syzygy\"",
        "variants=\"normal,fischerandom\"",
    ] {
        assert!(features.contains(feature), "{feature}: {features}");
    }
    engine.say("accepted ping\nnew\nsd 2");
    engine
}

/// What the engine says before it answers a ping.
fn said(engine: &mut Engine, commands: &str) -> Vec<String> {
    engine.say(commands);
    engine.say("ping 99");
    let mut said = engine.until_line("pong 99");
    said.pop();
    said
}

/// The move that the engine makes.
fn moved(engine: &mut Engine, commands: &str) -> String {
    engine.say(commands);
    let said = engine.until("move");
    said.last().expect("a line")["move ".len()..].to_owned()
}

#[test]
fn it_plays_black_after_new() {
    let mut engine = meet();
    let mv = moved(
        &mut engine,
        "level 40 5 0\ntime 30000\notim 30000\nusermove e2e4",
    );
    let position = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
    let position: Position = position.parse().expect("legal");
    let uci: UciMove = mv.parse().expect("coordinates");
    assert!(uci.find(&position).is_ok(), "{mv}");
    // Then the other side, from the same position.
    engine.say("force\nundo\nundo\nusermove d2d4");
    moved(&mut engine, "go");
    // It is White's turn, and `playother` makes the engine play Black.
    let told = said(&mut engine, "playother");
    assert_eq!(told, [""; 0]);
    moved(&mut engine, "c2c4");
    engine.say("quit");
    assert!(engine.ends());
}

#[test]
fn what_is_wrong_is_told() {
    let mut engine = meet();
    for (commands, expected) in [
        ("usermove e2e5", "Illegal move (not a legal move): e2e5"),
        ("force\nb8c6", "Illegal move (not a legal move): b8c6"),
        ("frobnicate now", "Error (unknown command): frobnicate now"),
        (
            "level x",
            "Error (expected MOVES MINUTES[:SECONDS] INCREMENT): level x",
        ),
        ("variant atomic", "Error (unknown variant): variant atomic"),
        (
            "option Style=wild",
            "Error (unknown option or value): option Style=wild",
        ),
        ("undo", "Error (no move to undo): undo"),
        (
            "setboard 8/8/8/8/8/8/8/K7 w - - 0 1",
            "tellusererror Illegal position: column 1: illegal position: no black king",
        ),
    ] {
        assert_eq!(said(&mut engine, commands), [expected], "{commands}");
    }
    assert_eq!(
        said(
            &mut engine,
            "random\ncomputer\nname Ann\nrating 1 2\nhard\n"
        ),
        [""; 0]
    );
    assert!(engine.ends());
}

#[test]
fn tablebases_are_found() {
    let mut engine = meet();
    let tables = concat!(env!("CARGO_MANIFEST_DIR"), "/../movegen/syzygy/tables");
    engine.say(&format!("egtpath syzygy {tables}"));
    let found = "# Found 5 tablebases (up to 3 pieces)";
    assert_eq!(engine.until("#"), [found]);
    // Others are none of our business.
    let said = said(&mut engine, "egtpath gaviota /x\negtpath syzygy");
    assert_eq!(said, ["Error (expected KIND PATH): egtpath syzygy"]);
}

/// Thinking output, results, and moving at once.
#[test]
fn results_and_thinking_are_told() {
    let mut engine = meet();
    engine.say("post\nforce\nsetboard 6k1/5ppp/8/8/8/8/5PPP/4R1K1 w - - 0 1\ngo");
    let told = engine.until("1-0");
    let line = told
        .iter()
        .find(|line| line.starts_with("2 "))
        .expect("depth 2");
    assert!(
        line.starts_with("2 100001 ") && line.ends_with(" Re8#"),
        "{line}"
    );
    assert_eq!(told[told.len() - 2..], ["move e1e8", "1-0 {White mates}"]);
    // The opponent's move ends the game.
    let stalemate = "setboard 7k/8/6K1/8/8/8/5Q2/8 w - - 0 1";
    let told = said(
        &mut engine,
        &format!("new\nforce\n{stalemate}\nplayother\nusermove f2f7"),
    );
    assert_eq!(told, ["1/2-1/2 {Stalemate}"]);
    // The game is over before the engine moves.
    let mate = "setboard R6k/6pp/8/8/8/8/8/K7 b - - 0 1";
    let stalemate = "setboard 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1";
    for (position, result) in [
        (mate, "1-0 {White mates}"),
        (stalemate, "1/2-1/2 {Stalemate}"),
    ] {
        for command in ["go", "playother"] {
            let told = said(&mut engine, &format!("new\nforce\n{position}\n{command}"));
            assert_eq!(told, [result], "{position} {command}");
        }
        assert_eq!(
            said(
                &mut engine,
                &format!("new\nforce\n{position}\nanalyze\nexit")
            ),
            [""; 0]
        );
    }
    // `?` ends a search without other limits, and a ping during it is answered after the move.
    engine.say("new\nst 1000\nusermove e2e4\nping 7\n?");
    let told = engine.until_line("pong 7");
    assert!(told[told.len() - 2].starts_with("move "), "{told:?}");
    assert!(engine.ends());
}

#[test]
fn analysis_follows_the_board() {
    let mut engine = meet();
    engine.say("setboard 6k1/5ppp/8/8/8/8/5PPP/4R1K1 w - - 0 1\nanalyze");
    let told = engine.until("3");
    assert!(told.last().expect("a line").ends_with(" Re8#"));
    engine.say(".");
    let status = engine.until("stat01:").pop().expect("a line");
    // The move that the search is looking at, one of 15, and how many are left after it.
    let words: Vec<_> = status.split(' ').collect();
    let root: Position = "6k1/5ppp/8/8/8/8/5PPP/4R1K1 w - - 0 1"
        .parse()
        .expect("legal");
    let moves = root.count_moves();
    assert_eq!(
        (words.len(), words[5]),
        (7, &*moves.to_string()),
        "{status}"
    );
    assert!(words[4].parse::<u64>().is_ok_and(|left| left < moves));
    assert!(san::parse(&root, words[6]).is_ok(), "{status}");
    // What the search before still had to say comes before the pong.
    engine.say("usermove e1d1\nping 1");
    engine.until_line("pong 1");
    let told = engine.until("5");
    let position: Position = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 b - - 1 1"
        .parse()
        .expect("legal");
    let best = told
        .last()
        .and_then(|line| line.split(' ').nth(4))
        .expect("a move");
    assert!(san::parse(&position, best).is_ok(), "{told:?}");
    engine.say("undo");
    engine.until("4");
    assert_eq!(
        said(&mut engine, "exit")
            .iter()
            .filter(|line| line.starts_with("move"))
            .count(),
        0
    );
    assert!(engine.ends());
}

/// It accepts a draw when it is not better, and resigns only if an option asks for it.
#[test]
fn draws_and_resignations() {
    let mut engine = meet();
    // A queen down, and with a queen more.
    let lost = "setboard 3qk3/8/8/8/8/8/8/4K3 w - - 0 1";
    let won = "setboard 4k3/8/8/8/8/8/8/3QK3 w - - 0 1";
    for (position, answer) in [(lost, vec!["offer draw"]), (won, vec![])] {
        moved(&mut engine, &format!("new\nsd 4\nforce\n{position}\ngo"));
        assert_eq!(said(&mut engine, "draw"), answer);
    }
    let play = "\nforce\nundo\ngo";
    engine.say(&format!(
        "new\nsd 4\noption Resign Score=300\nforce\n{lost}\ngo"
    ));
    engine.until("move");
    moved(&mut engine, play.trim_start());
    engine.say(play.trim_start());
    let told = engine.until("resign");
    assert!(
        told.iter().all(|line| !line.starts_with("move")),
        "{told:?}"
    );
    assert!(engine.ends());
}

/// It ponders on the reply that it expects.
#[test]
fn it_ponders() {
    let mut engine = meet();
    let mut game = Game::default();
    engine.say("hard\nsd 6");
    for reply in ["e2e4", "g1f3", "f1c4", "d2d3"] {
        let mv: UciMove = reply.parse().expect(reply);
        game.play(mv.find(game.position()).expect(reply))
            .expect("legal");
        let mv = moved(&mut engine, &format!("usermove {reply}"));
        let mv: UciMove = mv.parse().expect("coordinates");
        game.play(mv.find(game.position()).expect("legal"))
            .expect("legal");
        assert_eq!(said(&mut engine, ""), [""; 0]);
    }
    engine.say("easy");
    assert!(engine.ends());
}

#[test]
fn games_of_960() {
    let mut engine = meet();
    engine.say("variant fischerandom\nforce\nsetboard 1r3k1r/p6p/8/8/8/8/P6P/1R3K1R w HBhb - 0 1");
    let told = said(&mut engine, "usermove O-O\nusermove f8g7");
    assert_eq!(told, [""; 0]);
    assert!(engine.ends());
}

/// The end of the input: the move that was asked for is still made.
#[test]
fn a_script_gets_its_move() {
    let assert = crate::common::run("xboard", "new\nforce\ne2e4\nst 1000\ngo\n").code(0);
    assert!(stdout(&assert).starts_with("move "), "{}", stdout(&assert));
}

/// `epode client` plays with `epode xboard`, to the end of a game.
#[test]
fn it_plays_in_an_event() {
    let folder = Folder::new();
    let server = Server::new();
    let program = assert_cmd::cargo::cargo_bin!("epode");
    let options = format!("--engine '{} xboard' --protocol xboard", program.display());
    let player = server.player(&folder, &options);
    let mut peer = server.accept();
    peer.say(START, "refcom reset;");
    peer.say(START, &CLOCK.replace("\"600\"", "\"62\""));
    let mut game = Game::default();
    while game.position().count_moves() > 0 && game.draw().is_none() && game.moves().len() < 60 {
        peer.ask(game.position());
        let reply = peer.hear_reply();
        game.play(reply.supplied_move().expect("a move"))
            .expect("legal");
        let moves = game.position().legal_moves();
        let Some(&mv) = moves.get(game.moves().len() * 7 % moves.len().max(1)) else {
            break;
        };
        let told = Message::with_counters(game.position()).playing(mv);
        game.play(mv).expect("legal");
        peer.order(&Command::Execute(told));
    }
    peer.say(START, "refcom disconnect;");
    peer.hear_end();
    let (status, messages) = player.ends();
    assert_eq!(
        (status, messages),
        (0, "epode: playing with Epode 0.1.0\n".to_owned())
    );
    assert!(
        game.position().is_checkmate() || game.moves().len() >= 60,
        "{}",
        game.position()
    );
}
