//! Swiss and knockout events, and ladders, over real connections.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, RwLock};
use std::thread::JoinHandle;

use crate::common::player::{Answer, Link, Scripted, Transcript, random, spawn};
use crate::common::{Referee, event};
use epd::protocol::Message;
use movegen::Game;
use rand::{RngExt, SeedableRng, rngs::StdRng};
use serde_json::Value;

/// Plays some moves and then resigns, by lot: the more often the weaker it is.
fn quitter(seed: u64, weakness: f64) -> impl FnMut(&Game, &Message) -> Answer + Send + 'static {
    let mut rng = StdRng::seed_from_u64(seed);
    let mut moves = random(seed);
    move |game, message| {
        if game.moves().len() > 1 && rng.random_bool(weakness) {
            return Answer::Reply("resign;".to_owned());
        }
        moves(game, message)
    }
}

const PLAYERS: [&str; 9] = [
    "Ann", "Bob", "Cid", "Dora", "Eve", "Fred", "Gus", "Hal", "Ida",
];

/// The exit status of an event in which games were forfeited.
const FORFEITS: i32 = 1;

/// Players of these names; those at the end are weaker.
fn players(referee: &Referee, names: &[&str]) -> Vec<JoinHandle<Transcript>> {
    let names = names.iter().enumerate();
    let players = names.map(|(i, name)| {
        let seed = name.as_bytes()[0].into();
        spawn(
            referee.address(),
            name,
            quitter(seed, 0.1 + 0.08 * i as f64),
        )
    });
    players.collect()
}

fn end(mut referee: Referee, players: Vec<JoinHandle<Transcript>>, status: i32) -> Referee {
    assert_eq!(referee.wait(), status, "{}", referee.output());
    for player in players {
        let transcript = player.join().expect("no complaints");
        assert_eq!(transcript.farewell.as_deref(), Some("the event is over"));
        assert!(transcript.faults.is_empty(), "{:?}", transcript.faults);
    }
    for game in referee.games() {
        // Almost all end by resignation, a few by mate.
        game.check();
    }
    referee
}

fn standings(referee: &Referee) -> Value {
    serde_json::from_str(&referee.read("standings.json")).expect("JSON")
}

/// The players who met, with the round.
fn meetings(referee: &Referee) -> BTreeMap<(usize, BTreeSet<String>), usize> {
    let mut meetings = BTreeMap::new();
    for game in referee.games() {
        let (round, _) = game.tag("Round").split_once('.').expect("round and game");
        let players = [game.tag("White"), game.tag("Black")].map(str::to_owned);
        let key = (round.parse().expect("a number"), players.into());
        *meetings.entry(key).or_default() += 1;
    }
    meetings
}

#[test]
fn a_swiss_event() {
    let text = event(
        "format = \"swiss\"\nrounds = 4\nconcurrency = 4\nforbidden = [[\"Ann\", \"Fred\"]]",
        "",
        &PLAYERS,
    );
    let referee = Referee::run(&text);
    let players = players(&referee, &PLAYERS);
    let referee = end(referee, players, 0);
    let meetings = meetings(&referee);
    assert_eq!(meetings.len(), 16);
    assert!(meetings.values().all(|&games| games == 2));
    let couples: BTreeSet<_> = meetings.keys().map(|(_, players)| players).collect();
    assert_eq!(couples.len(), 16, "nobody meets the same player twice");
    assert!(!couples.contains(&BTreeSet::from(["Ann".to_owned(), "Fred".to_owned()])));
    let standings = standings(&referee);
    assert_eq!(
        standings["columns"],
        serde_json::json!(["BH-C1", "BH", "SB"])
    );
    let players = standings["players"].as_array().expect("players");
    let sum = |key: &str| {
        let values = players.iter().filter_map(|player| player[key].as_f64());
        values.sum::<f64>()
    };
    assert_eq!((sum("points"), sum("bye_points")), (32.0 + 8.0, 8.0));
    assert_eq!(players[0]["rank"], 1);
    let said = referee.output();
    assert!(said.contains("  Points  Byes  Games  +  "), "{said}");
    for round in 1..=4 {
        assert!(
            said.contains(&format!("round {round} is paired: ")),
            "{said}"
        );
    }
    assert!(said.contains(" has a bye"), "{said}");
}

/// The first round waits for the places of players with any name, or for the arbiter. Who comes later plays from the
/// next round on, and who is out of the event plays no more.
#[test]
fn late_entries_and_withdrawals() {
    let text = event(
        "format = \"swiss\"\nrounds = 3\ngames_per_pairing = 1\nconcurrency = 4\nopen_entries = 2",
        "",
        &PLAYERS[..4],
    );
    let referee = Referee::run(&text);
    let gate = Arc::new(RwLock::new(()));
    let closed = gate.write().expect("sound");
    let waiting = |name: &'static str| {
        let (gate, mut policy) = (Arc::clone(&gate), quitter(3, 0.3));
        spawn(
            referee.address(),
            name,
            move |game: &Game, message: &Message| {
                drop(gate.read());
                policy(game, message)
            },
        )
    };
    let mut all = players(&referee, &["Ann", "Cid"]);
    all.extend(["Bob", "Dora"].map(waiting));
    for name in ["Ann", "Bob", "Cid", "Dora"] {
        referee.wait_for_output(&format!("{name} connected"));
    }
    assert!(
        referee
            .refuses("readmit Ann")
            .contains("is not out of the event")
    );
    assert!(referee.events_of("paired").is_empty());
    let status = referee.control("status");
    assert!(
        status.contains("waits until 2 more places are taken, or for the order `begin`"),
        "{status}"
    );
    // Ann plays Cid. Bob and Dora do not move until the arbiter has put Cid out and Zoe has come.
    referee.control("begin");
    referee.wait_for_output("round 1 is paired");
    let refusal = referee.refuses("begin");
    assert!(refusal.contains("waits for nobody"), "{refusal}");
    referee.wait_for_output("game 1: ");
    referee.control("forfeit Cid --reason 'ill'");
    all.push(waiting("Zoe"));
    referee.wait_for_output("Zoe connected");
    drop(closed);
    let referee = end(referee, all, 0);
    let met = meetings(&referee);
    let played = |name: &str| {
        let rounds = met.keys().filter(|(_, players)| players.contains(name));
        rounds.map(|(round, _)| *round).collect::<Vec<_>>()
    };
    assert_eq!(played("Cid"), [1]);
    assert!(!played("Zoe").contains(&1) && !played("Zoe").is_empty());
    let standings = standings(&referee);
    let names = standings["players"].as_array().expect("players");
    assert_eq!(
        names.last().expect("a place")["name"],
        "",
        "nobody took the last place"
    );
}

#[test]
fn a_knockout() {
    let text = event(
        "format = \"knockout\"\nknockout = { extra_pairs = 2 }\nconcurrency = 4",
        "",
        &PLAYERS[..6],
    );
    let referee = Referee::run(&text);
    let players = players(&referee, &PLAYERS[..6]);
    let referee = end(referee, players, 0);
    let standings = standings(&referee);
    assert_eq!(standings["columns"], serde_json::json!(["Reached"]));
    let places = standings["players"].as_array().expect("players").iter();
    let places: Vec<_> = places
        .map(|player| (player["rank"].as_u64(), player["values"][0].as_str()))
        .collect();
    let expected = [
        (Some(1), Some("winner")),
        (Some(2), Some("final")),
        (Some(3), Some("place 3")),
        (Some(4), Some("place 4")),
        (Some(5), Some("quarterfinal")),
        (Some(5), Some("quarterfinal")),
    ];
    assert_eq!(places, expected);
    let said = referee.output();
    for words in [
        "\nquarterfinal: Ann has a bye\n",
        "\nquarterfinal: Dora - Eve\n",
        "\nsemifinal: ",
        "\nfinal: ",
        "\nmatch for the third place: ",
    ] {
        assert!(said.contains(words), "{said}");
    }
    // Two quarterfinals (two players have byes), two semifinals, the final and the match for the third place.
    let meetings = meetings(&referee);
    let rounds: Vec<_> = meetings.keys().map(|(round, _)| *round).collect();
    assert_eq!(rounds, [1, 1, 2, 2, 3, 3]);
    assert!(
        meetings
            .values()
            .all(|games| games % 2 == 0 && (2..=6).contains(games))
    );
}

/// Whoever is there plays; who goes is not paired, who comes is.
#[test]
fn a_ladder() {
    let mut text = event(
        "format = \"ladder\"\nladder = { games = 120 }\nconcurrency = 8\nopen_entries = 1",
        "[rules]\nreconnect_timeout = \"1s\"\n",
        &PLAYERS[..5],
    );
    text += "group = \"e\"\n[[player]]\nname = \"Ed\"\ngroup = \"e\"\n[[player]]\nname = \"Away\"\n\
             [[player]]\nname = \"Rock\"\nanchor = 2000\n";
    let referee = Referee::run(&text);
    // A place that is left before a game is free again.
    let mut link = Link::open(referee.address());
    assert!(link.sign_on("Nobody"));
    referee.wait_for_output("Nobody connected");
    drop(link);
    referee.wait_for_output("Nobody disconnected");
    let refusal = referee.refuses("replace Rock Stone");
    assert!(
        refusal.contains("the rating of Rock is an anchor"),
        "{refusal}"
    );
    let mut all = players(&referee, &PLAYERS[..5]);
    all.push(spawn(referee.address(), "Ed", quitter(9, 0.2)));
    all.push(spawn(referee.address(), "Rock", quitter(10, 0.2)));
    // One comes under a name of its own and goes after its third game.
    let mut games = 0;
    let mut moves = random(11);
    let guest = Scripted::new("Guest", move |game: &Game, message: &Message| {
        games += usize::from(game.moves().len() < 2);
        match (games, game.moves().len()) {
            (4.., _) => Answer::Vanish,
            (_, 2..) => Answer::Reply("resign;".to_owned()),
            _ => moves(game, message),
        }
    });
    let guest = std::thread::spawn({
        let address = referee.address();
        move || guest.play(Link::open(address))
    });
    let referee = end(referee, all, FORFEITS);
    guest.join().expect("no complaints");
    let meetings = meetings(&referee);
    let total: usize = meetings.values().sum();
    assert!((120..=121).contains(&total), "{total}");
    let has_met = |one: &str, other: &str| {
        let couple = BTreeSet::from([one.to_owned(), other.to_owned()]);
        meetings.keys().any(|(_, players)| *players == couple)
    };
    assert!(!has_met("Eve", "Ed"));
    // Whom it meets is chance: some wait for the guest that has gone until the end.
    assert!(meetings.keys().any(|(_, players)| players.contains("Rock")));
    assert!(PLAYERS.iter().all(|name| !has_met("Away", name)));
    let standings = standings(&referee);
    let players = standings["players"].as_array().expect("players");
    let value = |name: &str| {
        let player = players.iter().find(|player| player["name"] == name);
        player.expect(name)["values"].clone()
    };
    assert_eq!(value("Rock"), serde_json::json!(["2000", "fixed"]));
    assert_eq!(value("Away"), serde_json::json!(["-", "-"]));
    let ratings: Vec<f64> = players
        .iter()
        .filter_map(|player| player["values"][0].as_str()?.parse().ok())
        .collect();
    assert!(
        ratings.is_sorted_by(|one, other| one >= other),
        "{ratings:?}"
    );
}

/// The arbiter puts a player out of a knockout: its opponent goes on.
#[test]
fn a_walkover() {
    let text = event("format = \"knockout\"", "", &PLAYERS[..3]);
    let referee = Referee::run(&text);
    // Cid never comes.
    let all = players(&referee, &PLAYERS[..2]);
    referee.wait_for_output("Bob connected");
    referee.control("forfeit Cid");
    let referee = end(referee, all, FORFEITS);
    let standings = standings(&referee);
    let first = &standings["players"][0];
    assert_eq!(first["values"], serde_json::json!(["winner"]));
    assert_ne!(first["name"], "Cid");
}
