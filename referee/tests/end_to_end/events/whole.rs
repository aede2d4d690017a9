//! Events from the first game to the last, also by way of a second start of the referee.

use std::collections::HashSet;

use crate::common::games::Played;
use crate::common::player::{random, spawn};
use crate::common::{Referee, event};

#[test]
fn a_round_robin_of_random_movers() {
    let names = ["Ann", "Bob", "Cid", "Dora"];
    let text = event("concurrency = 2\ntime_control = \"300+2\"", "", &names);
    let mut referee = Referee::run(&text);
    let players: Vec<_> = names
        .iter()
        .zip(1..)
        .map(|(name, seed)| spawn(referee.address(), name, random(seed)))
        .collect();
    let transcripts: Vec<_> = players
        .into_iter()
        .map(|player| player.join().expect("no complaints"))
        .collect();
    assert_eq!(referee.wait(), 0, "{}", referee.output());
    let games = referee.games();
    let meetings: HashSet<_> = games.iter().map(Played::players).collect();
    assert_eq!((games.len(), meetings.len()), (12, 12));
    for game in &games {
        game.check_to_the_end();
        for (name, transcript) in names.iter().zip(&transcripts) {
            let (white, black) = game.players();
            if [&white, &black].contains(&&(*name).to_owned()) {
                let seen = transcript
                    .games
                    .iter()
                    .find(|seen| seen.tag("White") == white && seen.tag("Black") == black);
                assert_eq!(seen.expect("a game").moves, game.moves);
            }
        }
    }
    let moves = referee.events_of("move").len();
    assert_eq!(
        moves,
        games.iter().map(|game| game.moves.len()).sum::<usize>()
    );
    assert!(referee.read("standings.json").contains("Dora"));
}

/// Exit status 3, and what was left is played on.
#[test]
fn an_event_is_left_and_resumed() {
    let text = event(
        "format = \"match\"\ntime_control = \"60\"",
        "",
        &["Ann", "Bob"],
    );
    let mut referee = Referee::run(&text);
    let ann = spawn(referee.address(), "Ann", random(1));
    // Whom the referee has not let in yet it does not know to take leave of.
    let started = std::time::Instant::now();
    while !referee
        .control("status")
        .contains("1 of 2 players connected")
    {
        assert!(started.elapsed() < crate::common::LIMIT, "Ann has not come");
    }
    referee.control("quit");
    assert_eq!(referee.wait(), 3, "{}", referee.output());
    let farewell = ann.join().expect("no complaints").farewell;
    assert_eq!(farewell.as_deref(), Some("the referee is shutting down"));
    let old = referee.address();
    let mut referee = referee.resume();
    assert_eq!(referee.address(), old, "players know where");
    let players = ["Ann", "Bob"].map(|name| spawn(referee.address(), name, random(1)));
    for player in players {
        player.join().expect("no complaints");
    }
    assert_eq!(referee.wait(), 0);
    assert_eq!(referee.games().len(), 2);
}
