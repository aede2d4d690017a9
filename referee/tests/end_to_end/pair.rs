//! `epode-referee pair`.

use std::fs;

use crate::common::program;
use pairing::trf::Report;
use pairing::{Colour, Event, Outcome, Player, Round, pair};
use tempfile::TempDir;

/// Five players; White has won the first game, the second was drawn, and the last player had the bye.
fn first_round() -> Event {
    let player = |name: &str| Player {
        name: name.to_owned(),
        ..Player::default()
    };
    let mut event = Event::new(
        3,
        Colour::White,
        ["Adams", "Baker", "Carter", "Dyer", "Evans"]
            .map(player)
            .into(),
    );
    let pairing = pair(&event).expect("a pairing");
    for (i, pair) in pairing.pairs.iter().enumerate() {
        let outcome = if i == 0 {
            [Outcome::Win, Outcome::Loss]
        } else {
            [Outcome::Draw, Outcome::Draw]
        };
        let round = |opponent, colour, outcome| Round::Played {
            opponent,
            colour,
            outcome,
            rated: true,
        };
        event.players[pair.white]
            .rounds
            .push(round(pair.black, Colour::White, outcome[0]));
        event.players[pair.black]
            .rounds
            .push(round(pair.white, Colour::Black, outcome[1]));
    }
    event.players[pairing.bye.expect("a bye")]
        .rounds
        .push(Round::PairingBye);
    event.paired = 1;
    event
}

#[test]
fn the_next_round_is_paired() {
    let folder = TempDir::new().expect("a folder");
    let event = first_round();
    let text = Report::new("Open", event.clone()).to_string();
    fs::write(folder.path().join("open.trf"), &text).expect("written");
    let expected = pair(&event).expect("a pairing");
    let (said, status) = program(folder.path(), "pair open.trf");
    assert_eq!(status, 0, "{said}");
    assert!(said.starts_with("Round 2\nboard  White"), "{said}");
    for pair in &expected.pairs {
        let line = said
            .lines()
            .find(|line| line.contains(&event.players[pair.white].name))
            .expect("its line");
        assert!(line.contains(&event.players[pair.black].name), "{said}");
    }
    let (numbers, _) = program(folder.path(), "pair open.trf --format numbers");
    assert!(
        numbers.starts_with("3\n") && numbers.trim_end().ends_with(" 0"),
        "{numbers:?}"
    );
    let (json, _) = program(folder.path(), "pair open.trf --format json");
    let round: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(
        (&round["round"], &round["pairs"][0]["white"]["number"]),
        (&2.into(), &(expected.pairs[0].white + 1).into())
    );
    let (said, status) = program(folder.path(), "pair --review open.trf");
    assert_eq!(
        (said.as_str(), status),
        ("1 of 1 rounds are as the rules say\n", 0)
    );
}

#[test]
fn what_is_wrong_is_told() {
    let folder = TempDir::new().expect("a folder");
    let mut event = first_round();
    // Adams has met somebody else than the rules say.
    let swapped = |round: &Round, to: usize| match *round {
        Round::Played {
            colour,
            outcome,
            rated,
            ..
        } => Round::Played {
            opponent: to,
            colour,
            outcome,
            rated,
        },
        other => other,
    };
    let opponents: Vec<_> = event
        .players
        .iter()
        .map(|player| player.rounds[0].opponent())
        .collect();
    let one = opponents[0].expect("it has played");
    let other = (1..5)
        .find(|&player| player != one && opponents[player].is_some() && event_black(&event, player))
        .expect("another Black");
    let white = opponents[other].expect("White");
    event.players[0].rounds[0] = swapped(&event.players[0].rounds[0], other);
    event.players[white].rounds[0] = swapped(&event.players[white].rounds[0], one);
    let (first, second) = (event.players[one].rounds[0], event.players[other].rounds[0]);
    event.players[one].rounds[0] = swapped(&second, white);
    event.players[other].rounds[0] = swapped(&first, 0);
    fs::write(
        folder.path().join("wrong.trf"),
        Report::new("Open", event).to_string(),
    )
    .expect("written");
    let (said, status) = program(folder.path(), "pair --review wrong.trf");
    assert!(
        status == 1
            && said.contains("round 1: not as the rules say: ")
            && said.contains("0 of 1 rounds"),
        "{said}"
    );
    fs::write(folder.path().join("bad.trf"), "012 Open\n001 nonsense\n").expect("written");
    fs::write(folder.path().join("empty.trf"), "").expect("written");
    for (command, expected) in [
        ("pair nothing.trf", "cannot read nothing.trf"),
        ("pair empty.trf", "empty.trf is empty"),
        ("pair bad.trf", "bad.trf:2:"),
    ] {
        let (said, status) = program(folder.path(), command);
        assert!(status == 2 && said.contains(expected), "{command}: {said}");
    }
}

#[test]
fn standings_are_shown_with_tie_breaks() {
    let folder = TempDir::new().expect("a folder");
    let event = first_round();
    let report = Report::new("Open", event);
    fs::write(folder.path().join("open.trf"), report.to_string()).expect("written");
    // The first round: Adams beat Carter, Dyer and Baker drew, Evans had the bye.
    let (said, status) = program(folder.path(), "pair open.trf --standings");
    let expected = "\
Standings after round 1
rank  player    points  BH-C1   BH    SB
   1  5 Evans      1.0    0.0  0.5  0.50
   2  1 Adams      1.0    0.0  0.0  0.00
   3  2 Baker      0.5    0.0  0.5  0.25
   3  4 Dyer       0.5    0.0  0.5  0.25
   5  3 Carter     0.0    0.0  1.0  0.00
";
    assert_eq!((said.as_str(), status), (expected, 0));
    let command = "pair open.trf --standings --tie-breaks wins,bh-m1,DE --format json";
    let (json, _) = program(folder.path(), command);
    let standings: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(
        standings["tie_breaks"],
        serde_json::json!(["WIN", "BH-M1", "DE"])
    );
    assert_eq!(
        standings["places"][0],
        serde_json::json!({"rank": 1, "number": 1, "name": "Adams", "points": 1.0, "values": [1.0, 0.0, null]})
    );
    // In a round robin, the round without an opponent does not count.
    let mut robin = report.clone();
    robin.lines.push("092 Individual: Round-Robin".to_owned());
    fs::write(folder.path().join("robin.trf"), robin.to_string()).expect("written");
    let (said, _) = program(folder.path(), "pair robin.trf --standings");
    assert!(
        said.contains("rank  player    points  DE  WIN    SB   KS\n"),
        "{said}"
    );
    for (command, expected) in [
        (
            "pair open.trf --standings --format numbers",
            "the standings have only the formats text and json",
        ),
        (
            "pair open.trf --standings --tie-breaks BH,Bucholz",
            "found the tie-break \"Bucholz\", expected one of: DE (direct-encounter)",
        ),
        ("pair open.trf --tie-breaks BH", "--standings"),
        ("pair open.trf --standings --review", "cannot be used with"),
    ] {
        let (said, status) = program(folder.path(), command);
        assert!(status == 2 && said.contains(expected), "{command}: {said}");
    }
}

fn event_black(event: &Event, player: usize) -> bool {
    matches!(
        event.players[player].rounds[0],
        Round::Played {
            colour: Colour::Black,
            ..
        }
    )
}

#[test]
fn other_files_and_second_meetings_are_told() {
    let folder = TempDir::new().expect("a folder");
    fs::write(folder.path().join("x.trf"), "012 Open\n").expect("written");
    for arguments in ["", "--review ", "--standings "] {
        let (said, status) = program(folder.path(), &format!("pair {arguments}x.trf"));
        assert_eq!(status, 2, "{said}");
        assert!(said.contains("x.trf has no player lines (001)"), "{said}");
    }
    // A round of two games is two rounds of the file.
    let mut event = first_round();
    for player in &mut event.players {
        let again = player.rounds[0];
        player.rounds.push(again);
    }
    event.paired = 2;
    let text = Report::new("Open", event).to_string();
    fs::write(folder.path().join("open.trf"), text).expect("written");
    let (said, status) = program(folder.path(), "pair --review open.trf");
    assert_eq!(status, 1, "{said}");
    assert!(
        said.contains("warning: open.trf: ") && said.contains(" have met more than once"),
        "{said}"
    );
}
