//! Who is let in: players by names, passwords and tokens, and one referee at a time to an event.

use crate::common::player::{Answer, Link, spawn};
use crate::common::{Referee, event};
use epd::protocol::Message;
use movegen::Game;

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
