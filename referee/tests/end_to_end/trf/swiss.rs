//! The reports of Swiss events: other programs can check their pairings and go on from them.

use std::collections::BTreeMap;
use std::fs;
use std::process::Command;
use std::sync::{Arc, RwLock};

use super::{PLAYERS, enter, quitter, report};
use crate::common::player::spawn;
use crate::common::{Referee, event};
use epd::protocol::Message;
use movegen::Game;
use pairing::trf::Report;
use pairing::{Colour, Outcome, Round};
use serde_json::Value;

/// The file of an event with these players, rated 2500, 2450, and so on.
fn rated(settings: &str, players: &[&str]) -> String {
    let head = event(settings, "", &[]);
    let players = players.iter().enumerate();
    let players = players.map(|(i, name)| {
        format!(
            "[[player]]\nname = {name:?}\nrating = {}\n{}",
            2500 - 50 * i,
            if i == 3 { "byes = [2]\n" } else { "" }
        )
    });
    head + &players.collect::<String>()
}

fn standings(referee: &Referee) -> BTreeMap<String, (f64, u64)> {
    let standings: Value = serde_json::from_str(&referee.read("standings.json")).expect("JSON");
    let players = standings["players"].as_array().expect("players").iter();
    let line = |player: &Value| {
        let name = player["name"].as_str().expect("a name").to_owned();
        (
            name,
            (
                player["points"].as_f64().expect("points"),
                player["rank"].as_u64().expect("a rank"),
            ),
        )
    };
    players.map(line).collect()
}

/// Points and ranks are those of the standings.
fn compare_standings(referee: &Referee, report: &Report) {
    let standings = standings(referee);
    assert_eq!(report.event.players.len(), standings.len());
    for (number, player) in report.event.players.iter().enumerate() {
        let points = f64::from(report.event.score(number, report.event.paired).tenths) / 10.0;
        let rank = report.details[number].rank.expect("a rank").into();
        assert_eq!((points, rank), standings[&player.name], "{}", player.name);
    }
}

fn review(referee: &Referee, rounds: usize) {
    let (said, status) = referee.program("pair --review cup.trf");
    assert_eq!(
        (said, status),
        (
            format!("{rounds} of {rounds} rounds are as the rules say\n"),
            0
        )
    );
}

/// What bbpPairings says of the report, where the environment variable `EPODE_BBP` names it.
fn bbp(referee: &Referee, option: &str) -> Option<String> {
    let Some(bbp) = std::env::var_os("EPODE_BBP") else {
        println!("EPODE_BBP does not name bbpPairings: not compared");
        return None;
    };
    let output = Command::new(bbp)
        .arg("--dutch")
        .arg(referee.path("../cup.trf"))
        .arg(option)
        .output();
    let output = output.expect("bbpPairings");
    let text = String::from_utf8_lossy(&output.stdout).into_owned()
        + &String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{text}");
    Some(text)
}

#[test]
fn a_swiss_event() {
    let text = rated(
        "format = \"swiss\"\nrounds = 4\ngames_per_pairing = 1\nconcurrency = 3\nseed = 1\n\
         forbidden = [[\"Ann\", \"Dora\", \"Eve\"]]",
        &PLAYERS,
    );
    let mut referee = Referee::run(&text);
    let players: Vec<_> = PLAYERS.iter().map(|name| enter(&referee, name)).collect();
    assert_eq!(referee.wait(), 0, "{}", referee.output());
    drop(players);
    let (report, said) = report(&referee);
    assert_eq!(said, "");
    review(&referee, 4);
    if let Some(said) = bbp(&referee, "-c") {
        assert_eq!(said.matches("Round #").count(), 4, "{said}");
        assert!(
            !said.contains("Checker pairings") && !said.contains("No valid pairing"),
            "{said}"
        );
    }
    compare_standings(&referee, &report);
    let event = &report.event;
    let names: Vec<_> = event
        .players
        .iter()
        .map(|player| (&player.name[..], player.rating))
        .collect();
    assert_eq!(names[0], ("Ann", 2500));
    assert_eq!(names[6], ("Gus", 2200));
    assert_eq!(
        (event.rounds, event.paired, event.first_colour),
        (4, 4, Colour::Black)
    );
    assert_eq!(event.players[3].rounds[1], Round::HalfPointBye);
    assert_eq!(event.forbidden.len(), 3);
    let byes = event.players.iter().flat_map(|player| &player.rounds);
    assert_eq!(byes.filter(|&&round| round == Round::PairingBye).count(), 3);
    let date = referee.games()[0].tag("Date").replace('.', "/");
    let column = format!("132 {:85}  {}  {}", "", &date[2..], &date[2..]);
    for line in [
        "012 Test",
        "022 Here",
        &format!("042 {date}"),
        "062 7",
        "072 7",
        "092 Individual: Swiss-System (FIDE Dutch)",
        "122 -",
    ] {
        assert!(
            report.lines.iter().any(|there| there == line),
            "{line}: {:?}",
            report.lines
        );
    }
    assert!(
        report.lines.iter().any(|there| there.starts_with(&column)),
        "{:?}",
        report.lines
    );
    // The PGN has the same ratings.
    let games = referee.games();
    for game in &games {
        for (name, elo) in [("White", "WhiteElo"), ("Black", "BlackElo")] {
            let name = game.tag(name);
            let player = event.players.iter().find(|player| player.name == name);
            assert_eq!(game.tag(elo), player.expect(name).rating.to_string());
        }
        assert_eq!(
            (game.tag("EventType"), game.tag("EventRounds")),
            ("swiss", "4")
        );
    }
    // Standard output has the same text.
    let (printed, _) = referee.program("trf cup -o -");
    assert_eq!(
        printed,
        fs::read_to_string(referee.path("../cup.trf")).expect("written")
    );
}

/// The games of a meeting are rounds of the report, in the order in which they were played.
#[test]
fn meetings_of_two_games() {
    let text = rated(
        "format = \"swiss\"\nrounds = 3\nconcurrency = 3\nswiss = { acceleration = \"baku\" }",
        &PLAYERS,
    );
    let mut referee = Referee::run(&text);
    let players: Vec<_> = PLAYERS.iter().map(|name| enter(&referee, name)).collect();
    assert_eq!(referee.wait(), 0, "{}", referee.output());
    drop(players);
    let (report, _) = report(&referee);
    compare_standings(&referee, &report);
    let event = &report.event;
    assert_eq!((event.rounds, event.paired), (6, 6));
    assert!(
        event.players[0].virtual_points.len() >= 2 && event.players[6].virtual_points.is_empty()
    );
    assert_eq!(event.players[3].rounds[2..4], [Round::HalfPointBye; 2]);
    for game in referee.games() {
        let number = |tag| {
            event
                .players
                .iter()
                .position(|player| player.name == game.tag(tag))
                .expect("a player")
        };
        let (white, black) = (number("White"), number("Black"));
        let (round, board) = game.tag("Round").split_once('.').expect("round and game");
        let [round, board]: [usize; 2] = [round, board].map(|text| text.parse().expect("a number"));
        let outcome = match game.tag("Result") {
            "1-0" => Outcome::Win,
            "0-1" => Outcome::Loss,
            _ => Outcome::Draw,
        };
        let wanted = Round::Played {
            opponent: black,
            colour: Colour::White,
            outcome,
            rated: true,
        };
        assert_eq!(
            event.players[white].rounds[2 * (round - 1) + (board - 1) % 2],
            wanted
        );
    }
}

/// Of a Swiss event in progress, the report has the whole rounds; what it lets others pair is what is being played.
#[test]
fn a_round_in_progress() {
    let text = rated(
        "format = \"swiss\"\nrounds = 3\ngames_per_pairing = 1\nconcurrency = 3",
        &PLAYERS,
    );
    let referee = Referee::run(&text);
    let gate = Arc::new(RwLock::new(()));
    let closed = gate.write().expect("sound");
    let players = PLAYERS.map(|name| {
        let (gate, mut policy) = (Arc::clone(&gate), quitter(name.as_bytes()[0].into()));
        let mut games = 0;
        spawn(
            referee.address(),
            name,
            move |game: &Game, message: &Message| {
                games += usize::from(game.moves().len() < 2);
                // They wait in their second game.
                if games > 1 {
                    drop(gate.read());
                }
                policy(game, message)
            },
        )
    });
    referee.wait_for_output("round 2 is paired: ");
    let (first, said) = report(&referee);
    assert!(
        said.contains("round 2 is in progress and left out"),
        "{said}"
    );
    assert_eq!((first.event.paired, first.event.rounds), (1, 3));
    review(&referee, 1);
    let (numbers, _) = referee.program("pair cup.trf --format numbers");
    let paired = referee.events_of("paired");
    let meetings = paired[1]["meetings"].as_array().expect("meetings");
    // Ratings are in the order of the players: their numbers are those of the event.
    let number =
        |meeting: &Value, color: &str| meeting[color].as_u64().map_or(0, |player| player + 1);
    let pairs = meetings.iter().map(|meeting| {
        format!(
            "{} {}\n",
            number(meeting, "white"),
            number(meeting, "black")
        )
    });
    let expected = format!("{}\n{}", meetings.len(), pairs.collect::<String>());
    assert_eq!(numbers, expected);
    if let Some(said) = bbp(&referee, "-p") {
        assert_eq!(said, expected);
    }
    drop(closed);
    drop(players);
}

/// Who comes late is absent before, and who is out of the event afterwards. Nobody has taken the last place.
#[test]
fn late_entries_and_withdrawals() {
    let text = rated(
        "format = \"swiss\"\nrounds = 3\ngames_per_pairing = 1\nconcurrency = 4\nopen_entries = 2",
        &PLAYERS[..4],
    );
    let mut referee = Referee::run(&text);
    let gate = Arc::new(RwLock::new(()));
    let closed = gate.write().expect("sound");
    let waiting = |name: &'static str| {
        let (gate, mut policy) = (Arc::clone(&gate), quitter(name.as_bytes()[0].into()));
        spawn(
            referee.address(),
            name,
            move |game: &Game, message: &Message| {
                drop(gate.read());
                policy(game, message)
            },
        )
    };
    let mut players = vec![enter(&referee, "Ann"), enter(&referee, "Cid")];
    players.extend(["Bob", "Dora"].map(waiting));
    for name in &PLAYERS[..4] {
        referee.wait_for_output(&format!("{name} connected"));
    }
    referee.control("begin");
    referee.wait_for_output("round 1 is paired");
    referee.wait_for_output("game 1: ");
    referee.control("forfeit Cid --reason 'ill'");
    players.push(waiting("Zoe"));
    referee.wait_for_output("Zoe connected");
    drop(closed);
    assert_eq!(referee.wait(), 0, "{}", referee.output());
    drop(players);
    let (report, _) = report(&referee);
    let event = &report.event;
    let names: Vec<_> = event
        .players
        .iter()
        .map(|player| &player.name[..])
        .collect();
    assert_eq!(names, ["Ann", "Bob", "Cid", "Dora", "Zoe"]);
    assert_eq!(event.players[4].rounds[0], Round::Absent);
    assert_eq!(event.players[2].rounds[1..], [Round::Absent; 2]);
    assert!(event.players[4].rounds[1..].iter().any(Round::was_paired));
    review(&referee, 3);
    if let Some(said) = bbp(&referee, "-c") {
        assert_eq!(said.matches("Round #").count(), 3, "{said}");
        assert!(
            !said.contains("Checker pairings") && !said.contains("No valid pairing"),
            "{said}"
        );
    }
}
