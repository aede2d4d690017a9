//! Random events, played with our pairings.

use epode_pairing::{Colour, Event, Forbidden, Outcome, PairError, Player, Round, Score, pair};
use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};

struct Habits {
    draws: f64,
    forfeits: f64,
    absences: f64,
    withdrawals: f64,
}

fn random_event(random: &mut StdRng) -> (Event, Habits) {
    let count = random.random_range(5..=60);
    let rounds = random.random_range(5..=11);
    let players = (1..=count)
        .map(|number| Player {
            name: format!("Player {number}"),
            rating: 2800 - 10 * number as u32,
            ..Player::default()
        })
        .collect();
    let colour = if random.random() {
        Colour::White
    } else {
        Colour::Black
    };
    let mut event = Event::new(rounds, colour, players);
    if random.random_bool(0.3) {
        epode_pairing::baku::accelerate(&mut event);
    }
    if random.random_bool(0.1) {
        event.points.win = Score::tenths(30);
        event.points.draw = Score::tenths(10);
        event.points.pairing_bye = Score::tenths(30);
    }
    if random.random_bool(0.3) {
        let players = (0..random.random_range(2..=3))
            .map(|_| random.random_range(0..count))
            .collect();
        let rounds = random.random_bool(0.5).then_some(1..=3);
        event.forbidden.push(Forbidden { players, rounds });
    }
    let mut rate = |most: f64| {
        if random.random_bool(0.5) {
            random.random_range(0.0..most)
        } else {
            0.0
        }
    };
    let habits = Habits {
        draws: rate(0.9),
        forfeits: rate(0.2),
        absences: rate(0.2),
        withdrawals: rate(0.05),
    };
    (event, habits)
}

/// Adds the byes, absences, late entries and withdrawals of the next round.
fn announce(
    event: &mut Event,
    habits: &Habits,
    entries: &[std::ops::Range<usize>],
    random: &mut StdRng,
) {
    for (player, entry) in event.players.iter_mut().enumerate() {
        let bye = match random.random_range(0..4) {
            0 => Round::HalfPointBye,
            1 if random.random_bool(0.2) => Round::FullPointBye,
            _ => Round::Absent,
        };
        if !entries[player].contains(&event.paired) {
            entry.rounds.push(Round::Absent);
        } else if random.random_bool(habits.absences) {
            entry.rounds.push(bye);
        }
    }
}

fn play(event: &mut Event, habits: &Habits, random: &mut StdRng) -> Result<(), PairError> {
    let pairing = pair(event)?;
    for game in &pairing.pairs {
        let rated = random.random_bool(0.9);
        let outcome = if random.random_bool(habits.draws) {
            Outcome::Draw
        } else if random.random_bool(0.5 + (game.black as f64 - game.white as f64) / 200.0) {
            Outcome::Win
        } else {
            Outcome::Loss
        };
        let reply = match outcome {
            Outcome::Win => Outcome::Loss,
            Outcome::Draw => Outcome::Draw,
            Outcome::Loss => Outcome::Win,
        };
        let [white, black] = [
            (game.black, Colour::White, outcome),
            (game.white, Colour::Black, reply),
        ];
        let played = |(opponent, colour, outcome)| Round::Played {
            opponent,
            colour,
            outcome,
            rated,
        };
        let forfeit = |(opponent, colour, _), won| Round::Forfeit {
            opponent,
            colour: Some(colour),
            won,
        };
        let (white, black) = if random.random_bool(habits.forfeits) {
            let winner = random.random_range(0..5);
            (
                forfeit(white, winner < 2),
                forfeit(black, (2..4).contains(&winner)),
            )
        } else {
            (played(white), played(black))
        };
        event.players[game.white].rounds.push(white);
        event.players[game.black].rounds.push(black);
    }
    if let Some(bye) = pairing.bye {
        event.players[bye].rounds.push(Round::PairingBye);
    }
    event.paired += 1;
    Ok(())
}

/// Plays an event to its end, or until no pairing is left. What was announced for a round that was not paired stays.
pub fn play_all(seed: u64) -> (Event, Option<PairError>) {
    let mut random = StdRng::seed_from_u64(seed);
    let (mut event, habits) = random_event(&mut random);
    let rounds = event.rounds;
    let entries: Vec<_> = event
        .players
        .iter()
        .map(|_| {
            let start = if random.random_bool(habits.withdrawals) {
                random.random_range(1..rounds)
            } else {
                0
            };
            let end = if random.random_bool(habits.withdrawals) {
                random.random_range(1..=rounds)
            } else {
                rounds
            };
            start..end
        })
        .collect();
    for _ in 0..rounds {
        announce(&mut event, &habits, &entries, &mut random);
        if let Err(error) = play(&mut event, &habits, &mut random) {
            return (event, Some(error));
        }
    }
    (event, None)
}
