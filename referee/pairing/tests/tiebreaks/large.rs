//! How long the tie-breaks of a large event take.

use epode_pairing::tiebreaks::{Kind, TieBreak, rank};
use epode_pairing::{Colour, Event, Outcome, Player, Round};

/// 500 players and 11 rounds: the first is paired with the last, and so on around a circle.
fn large_event() -> Event {
    let count = 500;
    let mut event = Event::new(11, Colour::White, Vec::new());
    event.players = (0..count)
        .map(|number| Player {
            rating: 3000 - number,
            ..Player::default()
        })
        .collect();
    for round in 0..11_usize {
        let seat = |place: usize| match place {
            0 => 0,
            place => 1 + (place - 1 + round) % 499,
        };
        for board in 0..250 {
            let (white, black) = (seat(board), seat(499 - board));
            let outcome = match (white * 31 + black * 17 + round * 13) % 7 {
                0..3 => Outcome::Win,
                3 => Outcome::Loss,
                _ => Outcome::Draw,
            };
            for (player, opponent, colour, outcome) in [
                (white, black, Colour::White, outcome),
                (black, white, Colour::Black, outcome.reversed()),
            ] {
                event.players[player].rounds.push(Round::Played {
                    opponent,
                    colour,
                    outcome,
                    rated: true,
                });
            }
        }
        event.paired += 1;
    }
    event.check().unwrap();
    event
}

/// `cargo test -p epode-pairing --test tiebreaks -- --ignored --nocapture`
#[test]
#[ignore = "a measurement"]
fn five_hundred_players() {
    let event = large_event();
    for names in [
        "BH-C1 BH SB",
        "DE BH SB",
        "BH-C1 BH BH-M1 FB AOB SB SB-C1 KS DE WIN BPG PS REP STD ARO TPR",
    ] {
        let order: Vec<TieBreak> = names.split(' ').map(|name| name.parse().unwrap()).collect();
        let start = std::time::Instant::now();
        let places = rank(&event, Kind::Swiss, &order);
        let milliseconds = start.elapsed().as_secs_f64() * 1e3;
        println!("{names}: {milliseconds:.2} ms, first {:?}", places[0]);
        assert!(milliseconds < 50.0, "{names}: {milliseconds} ms");
    }
}
