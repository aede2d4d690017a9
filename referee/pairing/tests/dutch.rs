//! Pairings that follow from the rules by hand, refusals, and the time for a large event.

use epode_pairing::{
    Colour, Event, Forbidden, Outcome, Pair, PairError, Player, Refusal, Round, pair,
};
use std::time::Instant;

fn event(players: usize, rounds: usize) -> Event {
    let player = |number: usize| Player {
        name: format!("Player {number}"),
        ..Player::default()
    };
    Event::new(rounds, Colour::White, (1..=players).map(player).collect())
}

/// Plays the next round: in each game, `outcome` is what White gets.
fn play(event: &mut Event, outcome: impl Fn(Pair) -> Outcome) {
    let pairing = pair(event).unwrap();
    for game in pairing.pairs {
        let mine = outcome(game);
        let theirs = match mine {
            Outcome::Win => Outcome::Loss,
            Outcome::Draw => Outcome::Draw,
            Outcome::Loss => Outcome::Win,
        };
        let Pair { white, black } = game;
        event.players[white].rounds.push(Round::Played {
            opponent: black,
            colour: Colour::White,
            outcome: mine,
            rated: true,
        });
        event.players[black].rounds.push(Round::Played {
            opponent: white,
            colour: Colour::Black,
            outcome: theirs,
            rated: true,
        });
    }
    if let Some(bye) = pairing.bye {
        event.players[bye].rounds.push(Round::PairingBye);
    }
    event.paired += 1;
}

/// The stronger seed wins.
fn by_seed(game: Pair) -> Outcome {
    if game.white < game.black {
        Outcome::Win
    } else {
        Outcome::Loss
    }
}

fn games(event: &Event) -> Vec<(usize, usize)> {
    pair(event)
        .unwrap()
        .pairs
        .iter()
        .map(|game| (game.white + 1, game.black + 1))
        .collect()
}

#[test]
fn the_first_round_pairs_the_halves_and_gives_the_last_seed_the_bye() {
    assert_eq!(games(&event(6, 5)), [(1, 4), (5, 2), (3, 6)]);
    let odd = event(7, 5);
    assert_eq!(games(&odd), [(1, 4), (5, 2), (3, 6)]);
    assert_eq!(pair(&odd).unwrap().bye, Some(6));
    let mut black_first = event(6, 5);
    black_first.first_colour = Colour::Black;
    assert_eq!(games(&black_first), [(4, 1), (2, 5), (6, 3)]);
}

#[test]
fn winners_meet_winners_with_the_other_colour() {
    let mut event = event(8, 3);
    play(&mut event, by_seed);
    // The games were 1-5, 6-2, 3-7 and 8-4. Of 1 and 3, who both had White, one would have it again, so 1 meets 4; so 5
    // meets 8 and 6 meets 7.
    assert_eq!(games(&event), [(4, 1), (2, 3), (5, 8), (7, 6)]);
}

#[test]
fn forbidden_and_absent_players_are_heeded() {
    let mut event = event(6, 5);
    event.forbidden.push(Forbidden {
        players: vec![0, 3],
        rounds: None,
    });
    assert_eq!(games(&event), [(1, 5), (4, 2), (3, 6)]);
    event.forbidden[0].rounds = Some(1..=4);
    assert_eq!(games(&event), [(1, 4), (5, 2), (3, 6)]);
    event.players[0].rounds.push(Round::HalfPointBye);
    // The first seed was never paired yet and has no number.
    assert_eq!(games(&event), [(2, 4), (5, 3)]);
    assert_eq!(pair(&event).unwrap().bye, Some(5));
}

#[test]
fn refusals_say_why() {
    let mut over = event(4, 1);
    play(&mut over, by_seed);
    assert_eq!(
        pair(&over).unwrap_err().to_string(),
        "all 1 rounds of the event were paired"
    );

    let alone = event(1, 3);
    let message = "round 1: 1 of 1 players are present; a pairing needs two";
    assert_eq!(pair(&alone).unwrap_err().to_string(), message);

    let mut met = event(2, 3);
    play(&mut met, by_seed);
    let PairError::Impossible { refusal, .. } = pair(&met).unwrap_err() else {
        panic!("paired again")
    };
    assert_eq!(refusal, Refusal::NoOpponents(vec![0, 1]));

    let mut byes = event(3, 3);
    for player in &mut byes.players {
        player.rounds.push(Round::FullPointBye);
    }
    byes.paired = 1;
    let PairError::Impossible { refusal, .. } = pair(&byes).unwrap_err() else {
        panic!("a second bye")
    };
    assert_eq!(refusal, Refusal::NobodyForBye);

    // Two players who can only meet the same third one.
    let mut forbidden = event(4, 3);
    forbidden.forbidden.push(Forbidden {
        players: vec![0, 1, 2],
        rounds: None,
    });
    let message = pair(&forbidden).unwrap_err().to_string();
    assert!(
        message.starts_with("round 1: the rules leave no pairing: at best player "),
        "{message}"
    );
}

#[test]
fn contradictions_are_found() {
    let mut event = event(4, 3);
    play(&mut event, by_seed);
    event.players[0].rounds[0] = Round::Played {
        opponent: 3,
        colour: Colour::White,
        outcome: Outcome::Win,
        rated: true,
    };
    let message =
        "player 1, round 1: player 4 has no game against this player with the other colour";
    assert_eq!(pair(&event).unwrap_err().to_string(), message);
    event.players[0].rounds.clear();
    let message = "player 1, round 1: the player's rounds end here, while 1 rounds were paired (one more entry may \
                   announce a bye)";
    assert_eq!(pair(&event).unwrap_err().to_string(), message);
}

#[test]
fn a_pairing_is_the_same_each_time() {
    let mut event = event(33, 7);
    for _ in 0..7 {
        assert_eq!(pair(&event), pair(&event));
        play(&mut event, by_seed);
    }
}

/// `cargo test --release -p epode-pairing --test dutch -- --ignored --nocapture`
#[test]
#[ignore = "a measurement"]
fn five_hundred_players() {
    for seed in 0..3_usize {
        let mut event = event(500, 11);
        for round in 1..=11 {
            let start = Instant::now();
            pair(&event).unwrap();
            let seconds = start.elapsed().as_secs_f64();
            println!("round {round}: {seconds:.3} s");
            assert!(seconds < 1.0, "round {round}: {seconds} s");
            play(&mut event, |game| {
                match (game.white * 31 + game.black * 17 + event_seed(seed, round)) % 7 {
                    0..3 => by_seed(game),
                    3 => by_seed(Pair {
                        white: game.black,
                        black: game.white,
                    }),
                    _ => Outcome::Draw,
                }
            });
        }
    }
}

fn event_seed(seed: usize, round: usize) -> usize {
    seed * 101 + round * 13
}
