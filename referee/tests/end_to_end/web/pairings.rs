//! Rounds and brackets as the API answers them.

use super::{start, wait_until_still};
use crate::common::http::{get, json};
use referee::broadcast::Broadcast;

/// The rounds and the bracket of an event agree with its games.
#[test]
fn pairings_are_answered() {
    let referee = start("format = \"knockout\"\ngames_per_pairing = 2", "", 400);
    let page = referee.page();
    let (_, view) = wait_until_still(&referee, 400, Broadcast::default());
    let event = json(page, "/api/event");
    assert_eq!(event["format"], "knockout");
    assert_eq!(event["rounds"]["of"], 2);
    let bracket = json(page, "/api/bracket");
    assert_eq!(bracket["rounds"][0]["name"], "semifinal");
    let semifinals = bracket["rounds"][0]["matches"].as_array().expect("matches");
    let names = |one: &serde_json::Value| {
        [0, 1].map(|side| {
            one["players"][side]["name"]
                .as_str()
                .unwrap_or_default()
                .to_owned()
        })
    };
    assert_eq!(
        semifinals.iter().map(names).collect::<Vec<_>>(),
        [["Ann", "Dee"], ["Bob", "Cid"]]
    );
    // Each game is in one match and in one round, with the result that the event has.
    let rounds = json(page, "/api/rounds");
    let rounds = rounds.as_array().expect("rounds");
    assert_eq!(event["rounds"]["paired"], rounds.len());
    let of_rounds = rounds
        .iter()
        .flat_map(|round| round["meetings"].as_array().expect("meetings"));
    let third = Some(&bracket["third_place"]).filter(|third| !third.is_null());
    let all = bracket["rounds"].as_array().expect("rounds").iter();
    let of_bracket = all
        .flat_map(|round| round["matches"].as_array().expect("matches"))
        .chain(third);
    let games = |meetings: Vec<&serde_json::Value>| {
        let games = meetings
            .iter()
            .flat_map(|meeting| meeting["games"].as_array().expect("games"));
        let mut games: Vec<_> = games
            .map(|game| {
                (
                    game["game"].as_u64(),
                    game["result"].as_str().map(str::to_owned),
                )
            })
            .collect();
        games.sort();
        games
    };
    let expected: Vec<_> = (1..=view.results.schedule().len())
        .map(|number| {
            let end = view.ends.get(&number);
            (Some(number as u64), end.map(|end| end.result.clone()))
        })
        .collect();
    assert_eq!(games(of_rounds.collect()), expected);
    assert_eq!(games(of_bracket.collect()), expected);
    let page = get(page, "/");
    for part in ["id=\"bracket\"", "href=\"/api/bracket\"", "Third place"] {
        assert!(page.contains(part), "{part}");
    }
}

/// Where the whole schedule is known, there are no rounds to come and no bracket.
#[test]
fn a_round_robin_has_no_bracket() {
    let referee = start("", "", 10);
    let page = referee.page();
    wait_until_still(&referee, 10, Broadcast::default());
    let event = json(page, "/api/event");
    assert!(event["format"].is_null() && event["rounds"].is_null());
    assert_eq!(json(page, "/api/rounds"), serde_json::json!([]));
    assert!(json(page, "/api/bracket").is_null());
}
