//! Tie-breaks: a test for each article of FIDE Handbook C.07, and laws that hold for all events.
//!
//! The Swiss event and the round robin are those of the "Exercises in Tie-Breaking" by IA Mario Held (FIDE Technical
//! Commission, 2024), with the values of its solutions. These follow the edition of 2023. Where the limits for dummies
//! that came in 2026 (16.4) change a value, a comment tells what the solution has.

mod large;
mod laws;
mod names;
mod opponents;
mod order;
mod own_results;
#[path = "../random_events/mod.rs"]
mod random_events;
mod unplayed;

use epode_pairing::tiebreaks::{Kind, TieBreak, rank};
use epode_pairing::{Colour, Event, Outcome, Player, Round};

/// An event from the rounds of its players: `+W9` is a win with White against player 9, `=` a draw, `-` a loss; `+F9` and
/// `-F9` are forfeits; `+BYE` is a pairing-allocated bye, `=BYE` a half-point bye, `--` an absence.
fn event(players: &[(u32, &str)]) -> Event {
    let player = |&(rating, rounds): &(u32, &str)| Player {
        rating,
        rounds: rounds.split(' ').map(round).collect(),
        ..Player::default()
    };
    let players: Vec<Player> = players.iter().map(player).collect();
    let rounds = players[0].rounds.len();
    let mut event = Event::new(rounds, Colour::White, players);
    event.paired = rounds;
    event.check().expect("an event without faults");
    event
}

fn round(text: &str) -> Round {
    let outcome = match text.as_bytes()[0] {
        b'+' => Outcome::Win,
        b'=' => Outcome::Draw,
        _ => Outcome::Loss,
    };
    let opponent = || text[2..].parse::<usize>().expect("a number") - 1;
    match &text[1..] {
        "-" => Round::Absent,
        "BYE" if outcome == Outcome::Win => Round::PairingBye,
        "BYE" => Round::HalfPointBye,
        rest if rest.starts_with('F') => Round::Forfeit {
            opponent: opponent(),
            colour: None,
            won: outcome == Outcome::Win,
        },
        rest => Round::Played {
            opponent: opponent(),
            colour: if rest.starts_with('W') {
                Colour::White
            } else {
                Colour::Black
            },
            outcome,
            rated: true,
        },
    }
}

fn swiss() -> Event {
    event(&[
        (2200, "+W9 =B13 =W2 +B15 =W4"),
        (2150, "+B10 +W7 =B1 +W16 =B3"),
        (2100, "=W11 +B6 +W8 =B4 =W2"),
        (2050, "+B12 =BYE +W13 =W3 =B1"),
        (2000, "-W13 -B15 +W11 =B7 +W10"),
        (1950, "-B14 -W3 +BYE +W10 +B8"),
        (1900, "+W15 -B2 -B16 =W5 -B11"),
        (1850, "=B16 +W14 -B3 +W13 -W6"),
        (1800, "-B1 -W10 =BYE -F11 +BYE"),
        (1750, "-W2 +B9 -W15 -B6 -B5"),
        (1700, "=B3 -W16 -B5 +F9 +W7"),
        (1650, "-W4 +BYE +F14 -- --"),
        (1600, "+B5 =W1 -B4 -B8 -W14"),
        (1550, "+W6 -B8 -F12 -- +B13"),
        (1500, "-B7 +W5 +B10 -W1 -B16"),
        (1450, "=W8 +B11 +W7 -B2 +W15"),
    ])
}

fn round_robin() -> Event {
    event(&[
        (2200, "=W5 +W2 +B3 -W4 +B6"),
        (2150, "+W6 -B1 +W5 =W3 +B4"),
        (2100, "+W4 +B6 -W1 =B2 +W5"),
        (2050, "-B3 -B5 =W6 +B1 -W2"),
        (1950, "=B1 +W4 -B2 -F6 -B3"),
        (2000, "-B2 -W3 =B4 +F5 -W1"),
    ])
}

/// The values of a tie-break by player, as they are shown.
fn shown(event: &Event, kind: Kind, tie_break: &str) -> Vec<String> {
    let mut places = rank(event, kind, &[tie_break.parse().expect("a tie-break")]);
    places.sort_by_key(|place| place.player);
    places
        .iter()
        .map(|place| place.values[0].to_string())
        .collect()
}

fn expect(event: &Event, kind: Kind, tie_break: &str, expected: &str) {
    let expected: Vec<&str> = expected.split_whitespace().collect();
    assert_eq!(shown(event, kind, tie_break), expected, "{tie_break}");
}

fn expect_swiss(tie_break: &str, expected: &str) {
    expect(&swiss(), Kind::Swiss, tie_break, expected);
}

/// The ranks by player.
fn ranks(event: &Event, kind: Kind, order: &[TieBreak]) -> Vec<usize> {
    let mut places = rank(event, kind, order);
    places.sort_by_key(|place| place.player);
    places.iter().map(|place| place.rank).collect()
}
