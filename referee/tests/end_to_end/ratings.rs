//! `epode-referee ratings`.

use std::fmt::Write;
use std::fs;

use crate::common::program;
use tempfile::TempDir;

fn game(white: &str, black: &str, result: &str) -> String {
    format!(
        "[Event \"x\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"{result}\"]\n\n1. e4 {{a comment}} {result}\n\n"
    )
}

/// Ann has 75 % against Bob, and Bob 75 % against Cid: 191 Elo each.
fn three_players() -> String {
    let mut games = String::new();
    for (one, other) in [("Ann", "Bob"), ("Bob", "Cid")] {
        for _ in 0..50 {
            games += &game(one, other, "1-0");
            games += &game(other, one, "1/2-1/2");
        }
    }
    games
}

#[test]
fn players_are_rated() {
    let folder = TempDir::new().expect("a folder");
    fs::write(folder.path().join("games.pgn"), three_players()).expect("written");
    let (said, status) = program(
        folder.path(),
        "ratings games.pgn --anchor Bob=1000 --white-advantage 0",
    );
    assert_eq!(status, 0, "{said}");
    let lines: Vec<_> = said.lines().collect();
    assert_eq!(
        lines[0],
        "rank  player  rating   error   points  games      %  draws   LOS"
    );
    assert!(lines[1].starts_with("   1  Ann     1190.8    "), "{said}");
    assert!(
        lines[2].starts_with("   2  Bob     1000.0     0.0    100.0    200   50.0   50.0   100"),
        "{said}"
    );
    assert!(
        lines[3].starts_with("   3  Cid      809.2    ") && lines[3].ends_with("     -"),
        "{said}"
    );
    assert_eq!(lines[5], "White's advantage: 0.0 Elo (given)");
    // In the folder of an event too.
    let (json, status) = program(folder.path(), "ratings . --average 2000 --format json");
    assert_eq!(status, 0);
    let table: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(
        (&table["games"], &table["players"][1]["name"]),
        (&200.into(), &"Bob".into())
    );
    assert!((table["players"][1]["rating"].as_f64().expect("it") - 2000.0).abs() < 1e-6);
    let (csv, _) = program(
        folder.path(),
        "ratings games.pgn --format csv --white-advantage 0",
    );
    assert!(
        csv.starts_with("rank,player,rating,error,points,games,draws,superiority\n1,\"Ann\",190.8"),
        "{csv}"
    );
}

/// A game that cannot be read costs that game; what cannot be rated is listed.
#[test]
fn some_games_do_not_count() {
    let folder = TempDir::new().expect("a folder");
    let mut games = three_players();
    games += "[Event \"torn\"]\n[White \"Ann\"]\n[Black \"Bob\"]\n\n1. e4 {never closed\n\n";
    games += &game("Dan", "Ann", "0-1");
    games += &game("Ann", "Bob", "*");
    games += &game("Ann", "Bob", "1-0").replace("[Result", "[Termination \"abandoned\"]\n[Result");
    let mut line = String::new();
    let torn = three_players().matches('\n').count() + 5;
    let _ = write!(line, "games.pgn:{torn}:");
    fs::write(folder.path().join("games.pgn"), games).expect("written");
    let (said, status) = program(folder.path(), "ratings games.pgn");
    assert_eq!(status, 1, "{said}");
    assert!(
        said.contains(&line) && said.contains("game left out: "),
        "{line} {said}"
    );
    assert!(
        said.contains("without a player or abandoned: 2\n") && said.contains("  Dan  0 of 1"),
        "{said}"
    );
    // Who won or lost all games has no rating.
    fs::write(folder.path().join("one.pgn"), game("Ann", "Bob", "1-0")).expect("written");
    let (said, _) = program(folder.path(), "ratings one.pgn");
    assert!(said.starts_with("no player can be rated\n"), "{said}");
    for (command, expected) in [
        ("ratings nothing.pgn", "cannot read nothing.pgn"),
        (
            "ratings games.pgn --anchor bo=1",
            "--anchor: no game of \"bo\"; there is \"Bob\"",
        ),
        ("ratings games.pgn --anchor Bob", "expected NAME=ELO"),
        ("ratings", "required"),
    ] {
        let (said, status) = program(folder.path(), command);
        assert!(status == 2 && said.contains(expected), "{command}: {said}");
    }
}

#[test]
fn what_the_games_do_not_tell_is_not_printed() {
    let folder = TempDir::new().expect("a folder");
    let evil = "A\u{202e}nn";
    let games = game(evil, "Bob", "0-1") + &game("Bob", evil, "0-1");
    fs::write(folder.path().join("black.pgn"), games).expect("written");
    let (said, status) = program(folder.path(), "ratings black.pgn");
    assert_eq!(status, 0, "{said}");
    let row = |rank, name| {
        format!("   {rank}  {name:<6}     0.0       -      1.0      2   50.0    0.0     -")
    };
    let lines: Vec<_> = said.lines().collect();
    assert_eq!(lines[1], row(1, "A?nn"));
    assert_eq!(lines[2], row(2, "Bob"));
    assert!(
        said.contains("\nWhite's advantage cannot be found from these games\n"),
        "{said}"
    );
    let (csv, _) = program(folder.path(), "ratings black.pgn --format csv");
    assert!(csv.contains("2,\"Bob\",0.00,,1,2,0,\n"), "{csv}");
    let (json, _) = program(folder.path(), "ratings black.pgn --format json");
    let table: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert!(table["white_advantage"].is_null() && table["players"][0]["error"].is_null());
}
