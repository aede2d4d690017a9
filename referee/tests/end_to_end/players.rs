//! Players on real connections: who comes, who goes and comes back, and what they may send.

use std::collections::HashMap;
use std::thread;

use crate::common::player::{Answer, Link, random, spawn};
use crate::common::{Referee, event};
use epd::protocol::Message;
use movegen::Game;

/// The client of the standard's author: no name, no look at positions and clocks, and an end without
/// a word where it meets what it does not know (last section of `epd/DECISIONS.md`).
fn kit_client(address: std::net::SocketAddr, seed: u64) -> usize {
    let mut link = Link::open(address);
    link.send("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - refreq sign_on;\n");
    let mut board: Option<Game> = None;
    let mut choose = random(seed);
    let mut finished = 0;
    let known = [
        "reset",
        "inform",
        "execute",
        "respond",
        "conclude",
        "disconnect",
    ];
    while let Some(line) = link.line() {
        assert!(!line.trim().is_empty(), "it dies of a blank line");
        assert!(line.ends_with(';') && line.len() <= 4093, "{line}");
        let record: epd::Record = line.parse().expect("exact");
        let word = record.get("refcom").expect("it leaves").operands[0]
            .text()
            .to_owned();
        assert!(known.contains(&&*word), "it leaves: {line}");
        let supplied = record.get("sm").map(|sm| sm.operands[0].text().to_owned());
        match &*word {
            "reset" => board = Some(Game::default()),
            "inform" => {
                assert!(record.get("ptp").is_some(), "it dies: {line}");
                assert!(board.is_some(), "it dies: {line}");
            }
            "conclude" => {
                finished += 1;
                board = None;
            }
            "disconnect" => break,
            _ => {
                let game = board.as_mut().expect("it dies");
                assert!(word == "respond" || supplied.is_some(), "it dies: {line}");
                if let Some(san) = supplied {
                    let mv = movegen::san::parse(game.position(), &san).expect("it dies");
                    game.play(mv).expect("legal");
                }
                if word == "respond" {
                    let Answer::Reply(operations) = choose(game, &Message::default()) else {
                        unreachable!("a random mover");
                    };
                    link.request(game.position(), &format!("refreq reply; {operations}"));
                    if let Some(san) = operations.strip_prefix("sm ") {
                        let san = san.trim_end_matches(';');
                        let mv = movegen::san::parse(game.position(), san).expect("its own");
                        game.play(mv).expect("legal");
                    }
                }
            }
        }
    }
    finished
}

#[test]
fn clients_like_the_authors_finish_an_event() {
    let text = event("time_control = \"300\"\nopen_entries = 3", "", &[]);
    let book = "[openings]\nfile = \"book.pgn\"\nplies = 3\n";
    let text = text.replace("[delays]", &format!("{book}[delays]"));
    let files = [("book.pgn", "[Event \"x\"]\n\n1. e4 e5 2. Nf3 Nc6 *\n")];
    let mut referee = Referee::run_with(&text, &files, &[]);
    let address = referee.address();
    let clients: Vec<_> = (0..3)
        .map(|seed| thread::spawn(move || kit_client(address, seed)))
        .collect();
    let finished = clients
        .into_iter()
        .map(|client| client.join().expect("alive"));
    assert_eq!(finished.sum::<usize>(), 12);
    assert_eq!(referee.wait(), 0, "{}", referee.output());
    for game in referee.games() {
        game.check_to_the_end();
        assert_eq!(game.moves[..3], ["e4", "e5", "Nf3"]);
        assert!(game.tag("White").starts_with("client-"));
    }
}

/// A player that is killed and started again goes on with its game.
#[test]
fn a_player_comes_back() {
    let text = event(
        "format = \"match\"\ngames_per_pairing = 1\ntime_control = \"600\"",
        "[rules]\nmax_disconnections = 0\n",
        &["Ann", "Bob"],
    );
    let mut referee = Referee::run(&text);
    let address = referee.address();
    let bob = spawn(address, "Bob", random(2));
    for life in 1_usize.. {
        let mut moves = random(life as u64);
        let mut left = 5;
        let dies = move |game: &Game, content: &Message| {
            left -= 1;
            if left == 0 {
                return Answer::Vanish;
            }
            moves(game, content)
        };
        let transcript = spawn(address, "Ann", dies).join().expect("no complaints");
        assert!(transcript.games.len() <= 2, "{transcript:?}");
        // Its new connection may come before the referee has seen the end of the old one.
        match transcript.farewell.as_deref() {
            None => {}
            Some(text) if text.contains("this name is in use") => {}
            Some(_) => break,
        }
    }
    let seen = bob.join().expect("no complaints");
    assert_eq!(referee.wait(), 0, "{}", referee.output());
    let game = referee.games().remove(0);
    game.check_to_the_end();
    assert_eq!(seen.games.last().expect("a game").moves, game.moves);
}

/// A player that comes back each time loses the game all the same with its third disconnection, and plays on
/// in the next one.
#[test]
fn a_player_is_disconnected_too_often() {
    let text = event(
        "format = \"match\"\ntime_control = \"600\"",
        "",
        &["Ann", "Bob"],
    );
    let mut referee = Referee::run(&text);
    let address = referee.address();
    let bob = spawn(address, "Bob", random(2));
    let vanish = |_: &Game, _: &Message| Answer::Vanish;
    for count in 1..=3 {
        spawn(address, "Ann", vanish).join().expect("no complaints");
        referee.wait_for_output(&format!("Ann disconnected ({count} of 3)"));
    }
    let ann = spawn(address, "Ann", random(1));
    ann.join().expect("no complaints");
    bob.join().expect("no complaints");
    assert_eq!(referee.wait(), 1, "{}", referee.output());
    let results = referee.events_of("result");
    assert_eq!(
        results[0]["reason"],
        "Black wins: White was disconnected 3 times"
    );
    assert_eq!(results[0]["verdict"], "disconnect");
    assert_eq!(results[1]["verdict"], serde_json::Value::Null);
    let lost = referee.events_of("lost");
    let count = |event: &serde_json::Value| event["disconnections"].as_u64();
    assert_eq!(
        lost[..3].iter().map(count).collect::<Vec<_>>(),
        [Some(1), Some(2), Some(3)]
    );
    assert_eq!(
        (&lost[2]["game"], &lost[2]["max_disconnections"]),
        (&1.into(), &3.into())
    );
    assert_eq!(referee.games()[0].tag("Termination"), "abandoned");
}

/// A player that cannot start, or ends at once, ends its own games and nothing else.
#[test]
fn players_that_do_not_come() {
    let text = event(
        "concurrency = 2\ntime_control = \"60\"",
        "[rules]\nmax_forfeits = 0\n",
        &["Ann", "Bob"],
    ) + "[[player]]\nname = \"Nobody\"\ncommand = \"/no/such/program\"\n"
        + "[[player]]\nname = \"Quitter\"\ncommand = \"sh -c 'echo no >&2; exit 3'\"\ninstances = 1\n";
    let mut referee = Referee::run(&text);
    let players = ["Ann", "Bob"].map(|name| spawn(referee.address(), name, random(1)));
    for player in players {
        player.join().expect("no complaints");
    }
    assert_eq!(referee.wait(), 1, "{}", referee.output());
    let games = referee.games();
    assert_eq!(games.len(), 12);
    let mut played = 0;
    for game in games {
        let (white, black) = game.players();
        let is_there = |name: &str| ["Ann", "Bob"].contains(&name);
        match (is_there(&white), is_there(&black)) {
            (true, true) => {
                game.check_to_the_end();
                played += 1;
            }
            (true, false) => assert_eq!(game.result, "1-0"),
            (false, true) => assert_eq!(game.result, "0-1"),
            (false, false) => assert_eq!(game.result, "*"),
        }
    }
    assert_eq!(played, 2);
    assert_eq!(
        referee.read("stderr/Quitter.log"),
        "no\n".repeat(4),
        "three restarts"
    );
    for result in referee.events_of("result") {
        let expected = result["verdict"]
            .as_str()
            .is_none_or(|verdict| verdict == "never_came");
        assert!(expected, "{result}");
    }
}

/// A typing error in a command costs nothing: the event pauses, and when it is resumed with the right
/// command, the games that were forfeited without a move are played.
#[test]
fn a_typing_error_is_corrected() {
    let Some(epode) = crate::common::epode() else {
        return;
    };
    let text = event(
        &format!(
            "format = \"match\"\ngames_per_pairing = 4\n{}",
            crate::common::CLOCK
        ),
        "",
        &["Ann"],
    ) + "[[player]]\nname = \"Bob\"\ncommand = \"/no/such/program\"\n";
    let mut referee = Referee::run(&text);
    let ann = spawn(referee.address(), "Ann", random(1));
    referee
        .wait_for_output("paused: Bob has forfeited 3 games in a row, the last one by never_came");
    assert!(referee.control("status").contains("paused: Bob has"));
    let (said, status) = referee.program("stop cup");
    assert_eq!((said.as_str(), status), ("stopped\n", 0));
    assert_eq!(referee.wait(), 3);
    ann.join().expect("no complaints");
    let command = format!(
        "'{}' client {{address}} --name {{name}} --overhead {}",
        epode.display(),
        crate::common::OVERHEAD
    );
    let text = referee
        .read("event.toml")
        .replace("/no/such/program", &command);
    std::fs::write(referee.path("event.toml"), text).expect("written");
    let mut referee = referee.resume();
    let ann = spawn(referee.address(), "Ann", random(1));
    ann.join().expect("no complaints");
    assert_eq!(referee.wait(), 0, "{}", referee.output());
    // The stream is told of the games that are played again.
    assert_eq!(referee.events_of("withdrawn").len(), 3);
    let games = referee.games();
    assert_eq!(games.len(), 4);
    for game in games {
        game.check_to_the_end();
    }
}

/// Who has been there and does not come again does not hold up the event.
#[test]
fn a_player_that_leaves_between_games() {
    let rules = "[rules]\nreconnect_timeout = \"200ms\"\n";
    let mut referee = Referee::run(&event("format = \"match\"", rules, &["Ann", "Bob"]));
    let mut bob = Link::open(referee.address());
    bob.sign_on("Bob");
    bob.command().expect("a reset");
    bob.request(&movegen::Position::start(), "refreq sign_off;");
    assert_eq!(bob.command(), None);
    let ann = spawn(referee.address(), "Ann", random(1));
    ann.join().expect("no complaints");
    assert_eq!(referee.wait(), 1);
    for game in referee.games() {
        assert_eq!(game.tag("Termination"), "abandoned");
        assert_eq!(
            game.result,
            if game.tag("White") == "Ann" {
                "1-0"
            } else {
                "0-1"
            }
        );
    }
}

/// Decisions 15, 18 and 20.
#[test]
fn names() {
    let text = event("open_entries = 3", "", &["Björn \\\"B\\\""]).replace("\\\\\\\"", "\\\"");
    let mut referee = Referee::run(&text);
    let mut links = Vec::new();
    let mut enter = |name: &str| {
        let mut link = Link::open(referee.address());
        link.sign_on(name);
        let welcome = link.command().expect("an answer");
        let text = welcome.message().text.clone().unwrap_or_default();
        links.push(link);
        (welcome.name(), text.to_string())
    };
    assert_eq!(enter("Bj?rn 'B'"), ("reset", String::new()));
    assert_eq!(enter("Zoe"), ("reset", String::new()));
    assert_eq!(enter("Zoe").0, "reset");
    assert_eq!(enter("").0, "reset");
    assert_eq!(enter("Zoe").1, "this name is in use");
    assert_eq!(enter("Bj?rn 'B'").1, "this name is in use");
    assert_eq!(
        enter("Stranger").1,
        "no player of this name is in the event"
    );
    assert_eq!(enter("").1, "all places are taken");
    referee.control("quit");
    referee.wait();
    let standings = referee.read("standings.json");
    for name in ["Zoe", "Zoe #2", "client-4"] {
        assert!(standings.contains(&format!("\"{name}\"")), "{standings}");
    }
}

#[test]
fn passwords() {
    let text = event(
        "listen = \"0.0.0.0:0\"\ntime_control = \"60\"",
        "",
        &["Ann", "Bob"],
    );
    let folder = tempfile::TempDir::new().expect("a folder");
    std::fs::write(folder.path().join("cup.toml"), &text).expect("written");
    let (said, status) = crate::common::program(folder.path(), "run cup.toml");
    assert!(status == 2 && said.contains("--password-file"), "{said}");
    let arguments = ["--password-file", "secret"];
    let mut referee = Referee::run_with(&text, &[("secret", "sesame\n")], &arguments);
    let address = ([127, 0, 0, 1], referee.address().port()).into();
    let mut refused = 0;
    for said in ["", "Auth \"open\";", "Auth;"] {
        let mut link = Link::open(address);
        link.request(
            &movegen::Position::start(),
            &format!("refreq sign_on; tcsi \"\" \"Ann\"; {said}"),
        );
        assert_eq!(link.farewell().as_deref(), Some("wrong password"));
        refused += 1;
    }
    let mut link = Link::open(address);
    link.request(
        &movegen::Position::start(),
        "refreq sign_on; tcsi \"\" \"Ann\"; Auth \"sesame\";",
    );
    assert_eq!(link.command().expect("an answer").name(), "reset");
    referee.control("quit");
    assert_eq!(referee.wait(), 3, "{}", referee.output());
    // What happened is written down soon after it was told, and at the latest at the end.
    assert_eq!(referee.events_of("refused").len(), refused);
    assert!(!referee.read("records.log").contains("sesame"));
}

/// A player with a token takes its seat back from a connection that is dead without notice, as behind a
/// proxy that is stuck, and goes on with its game. Nobody else can.
#[test]
fn a_token_takes_a_seat_back() {
    let folder = tempfile::TempDir::new().expect("a folder");
    let (said, status) = crate::common::program(folder.path(), "token Ann");
    assert_eq!(status, 0, "{said}");
    let token = said.lines().nth(1).expect("a token");
    let hash = said.lines().find(|line| line.starts_with("token = "));
    let text = event("format = \"match\"\ngames_per_pairing = 1", "", &["Bob"])
        + &format!("[[player]]\nname = \"Ann\"\n{}\n", hash.expect("a hash"));
    assert!(!text.contains(token));
    let mut referee = Referee::run(&text);
    let sign_on = |secret: &str| {
        let mut link = Link::open(referee.address());
        let operations = format!("Auth \"{secret}\"; refreq sign_on; tcsi \"\" \"Ann\";");
        link.request(&movegen::Position::start(), &operations);
        link
    };
    // It never reads and never closes.
    let dead = sign_on(token);
    let bob = spawn(referee.address(), "Bob", |game: &Game, _: &Message| {
        Answer::Reply(
            if game.moves().is_empty() {
                "sm e4;"
            } else {
                "resign;"
            }
            .to_owned(),
        )
    });
    referee.wait_for_ply(1);
    assert_eq!(sign_on("guess").farewell().as_deref(), Some("wrong token"));
    let mut ann = sign_on(token);
    let asked = loop {
        let command = ann.command().expect("a command");
        if command.name() == "respond" {
            break command;
        }
    };
    let mut position = asked.message().position.expect("a position");
    position.play(asked.message().supplied_move().expect("e4"));
    ann.request(&position, "refreq reply; sm e5;");
    bob.join().expect("no complaints");
    assert_eq!(referee.wait(), 0, "{}", referee.output());
    assert_eq!(referee.games()[0].moves, ["e4", "e5"]);
    assert!(!referee.read("records.log").contains(token));
    drop(dead);
}

#[test]
fn one_referee_for_one_event() {
    let referee = Referee::run(&event("", "", &["Ann", "Bob"]));
    for line in ["run cup.toml", "resume cup"] {
        let (said, status) = referee.program(line);
        assert!(
            status == 2 && said.contains("another referee is running"),
            "{said}"
        );
    }
}

/// Nobody who is rude disturbs a game, and everybody hears why it is shown the door.
#[test]
fn hostile_peers() {
    let rules = "[rules]\nsign_on_timeout = \"1s\"\nmax_connections = 100\n";
    let text = event(
        "time_control = \"60\"\nopen_entries = 2",
        rules,
        &["Ann", "Bob"],
    );
    let mut referee = Referee::run(&text);
    let address = referee.address();
    let says = |bytes: Vec<u8>| {
        let mut link = Link::open(address);
        link.send(bytes);
        link.farewell()
    };
    let reply = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - refreq reply; sm e4;\n";
    let sign_on = |name: &str| {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
        format!("{start} refreq sign_on; tcsi \"\" \"{name}\";\n")
    };
    let visits: Vec<(&str, Vec<u8>)> = vec![
        ("no sign_on in time", Vec::new()),
        ("sign_on must come first", reply.repeat(2000).into()),
        ("line longer than 4095 bytes", vec![b'x'; 1 << 20]),
        (
            "too many invalid records",
            (sign_on("Fay") + &reply.repeat(5000)).into(),
        ),
        (
            "too many invalid records",
            sign_on("Fay").repeat(5000).into(),
        ),
        (
            "too many invalid records",
            (sign_on("Fay") + &"junk\n".repeat(5000)).into(),
        ),
    ];
    for (why, bytes) in visits {
        assert_eq!(says(bytes).as_deref(), Some(why));
    }
    let binary: Vec<u8> = (0..=255_u8).cycle().take(100_000).collect();
    assert!(says(binary).is_some());
    // A crowd, some of which never read; the players come in its midst.
    let crowd: Vec<_> = (0..500).map(|_| Link::open(address)).collect();
    let deaf = std::net::TcpStream::connect(address).expect("the referee listens");
    let turned_away: HashMap<_, usize> =
        crowd
            .into_iter()
            .fold(HashMap::new(), |mut said, mut link| {
                *said.entry(link.farewell().expect("a word")).or_default() += 1;
                said
            });
    assert!(
        turned_away.contains_key("too many connections"),
        "{turned_away:?}"
    );
    assert!(
        turned_away.contains_key("no sign_on in time"),
        "{turned_away:?}"
    );
    let memory = std::fs::read_to_string(format!("/proc/{}/status", referee.id()));
    if let Some(line) = memory
        .ok()
        .as_deref()
        .and_then(|text| text.lines().find(|line| line.starts_with("VmHWM")))
    {
        let kilobytes: u64 = line
            .split_whitespace()
            .nth(1)
            .expect("a number")
            .parse()
            .expect("a number");
        assert!(kilobytes < 64 << 10, "{line}");
    }
    drop(deaf);
    let _ = referee.control("quit");
    assert_eq!(referee.wait(), 3, "{}", referee.output());
}

/// A flood beside a game: no move of it is late.
#[test]
fn a_flood_beside_a_game() {
    let rules = "[rules]\ntime_margin = \"100ms\"\n";
    let text = event(
        "format = \"match\"\ntime_control = \"20\"",
        rules,
        &["Ann", "Bob"],
    );
    let mut referee = Referee::run(&text);
    let address = referee.address();
    let players = ["Ann", "Bob"].map(|name| spawn(address, name, random(1)));
    let flood = thread::spawn(move || {
        let junk = "junk \u{7f}\n".repeat(10_000);
        let mut visits = 0;
        // The referee is gone when it lets nobody in.
        while let Ok(mut link) = Link::try_open(address) {
            link.send(&junk);
            if link.line().is_none() {
                break;
            }
            visits += 1;
        }
        visits
    });
    for player in players {
        player.join().expect("no complaints");
    }
    assert_eq!(referee.wait(), 0, "{}", referee.output());
    assert!(flood.join().expect("alive") > 0);
    for game in referee.games() {
        game.check_to_the_end();
    }
}
