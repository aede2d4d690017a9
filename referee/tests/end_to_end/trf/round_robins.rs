//! The reports of round robins: forfeits, long names, and games that are still to be played.

use std::fs;

use super::{PLAYERS, enter, report};
use crate::common::{Referee, event};
use pairing::Round;
use pairing::trf::Report;
use serde_json::Value;

/// Players who never came lose all games by default, and games that are still to be played are blank.
#[test]
fn round_robins_and_forfeits() {
    let long = [
        "A very long name of a chess engine, 64 bits",
        "A very long name of a chess engine, 32 bits",
    ];
    let text = event("concurrency = 2", "", &[long[0], "Away", long[1]])
        .replace("name = \"Away\"\n", "name = \"Away\"\nrating = 12345\n");
    let mut referee = Referee::run(&text);
    let first = enter(&referee, long[0]);
    referee.wait_for_output("connected");
    // Two of six games end at once.
    referee.control("forfeit Away");
    let (before, _) = report(&referee);
    assert_eq!((before.event.rounds, before.event.players.len()), (6, 3));
    let second = enter(&referee, long[1]);
    assert_eq!(referee.wait(), 1, "{}", referee.output());
    drop((first, second));
    let (report, said) = report(&referee);
    compare_by_number(&referee, &report);
    let event = &report.event;
    let names: Vec<_> = event
        .players
        .iter()
        .map(|player| (&player.name[..], player.rating))
        .collect();
    assert_eq!(
        names,
        [
            ("A very long name of a chess engin", 0),
            ("Away", 0),
            ("A very long name of a chess eng~2", 0)
        ]
    );
    for said_of in [
        "64 bits\" is written as \"A very long name of a chess engin\": names have up to 33 characters",
        "32 bits\" is written as \"A very long name of a chess eng~2\"",
        "Away: the rating 12345 has more than four digits and is left out",
    ] {
        assert!(said.contains(said_of), "{said}");
    }
    let of_away = event.players[1].rounds.iter();
    let forfeits = of_away
        .clone()
        .filter(|round| matches!(round, Round::Forfeit { won: false, .. }));
    let free = of_away.filter(|round| **round == Round::Absent);
    assert_eq!((forfeits.count(), free.count()), (4, 2));
    let won = |player: usize| {
        let rounds = event.players[player].rounds.iter();
        rounds
            .filter(|round| matches!(round, Round::Forfeit { won: true, .. }))
            .count()
    };
    assert_eq!((won(0), won(2)), (2, 2));
    assert!(
        report
            .lines
            .iter()
            .any(|line| line == "092 Individual: Round-Robin"),
        "{:?}",
        report.lines
    );
    assert!(
        !fs::read_to_string(referee.path("games.pgn"))
            .expect("games")
            .contains("EventType")
    );
}

/// The same where names are cut.
fn compare_by_number(referee: &Referee, report: &Report) {
    let standings: Value = serde_json::from_str(&referee.read("standings.json")).expect("JSON");
    for line in standings["players"].as_array().expect("players") {
        let number = line["player"].as_u64().expect("a number") as usize;
        let points = f64::from(report.event.score(number, report.event.paired).tenths) / 10.0;
        let rank = report.details[number].rank.map(u64::from);
        assert_eq!(
            (Some(points), rank),
            (line["points"].as_f64(), line["rank"].as_u64())
        );
    }
}

/// In a round robin, games of several rounds may be in progress; what has a result counts.
#[test]
fn games_still_to_be_played_are_blank() {
    let text = event("games_per_pairing = 1\nconcurrency = 2", "", &PLAYERS[..4]);
    let referee = Referee::run(&text);
    // Their game is in the last round; the others have not come.
    let players = ["Ann", "Cid"].map(|name| enter(&referee, name));
    referee.wait_for_output("game 6: Cid - Ann ");
    let (report, _) = report(&referee);
    let event = &report.event;
    assert_eq!((event.rounds, event.paired), (3, 3));
    assert!(event.players[0].rounds[2].was_played() && event.players[2].rounds[2].was_played());
    let text = fs::read_to_string(referee.path("../cup.trf")).expect("written");
    let games = |name: &str| {
        let line = text.lines().find(|line| line.contains(name)).expect(name);
        line.get(89..).unwrap_or_default().to_owned()
    };
    assert!(
        games("Ann").starts_with(&" ".repeat(25)) && games("Ann").contains("3 b "),
        "{text}"
    );
    assert_eq!(games("Bob"), "", "{text}");
    drop(players);
}
