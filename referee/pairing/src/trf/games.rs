//! An event of meetings of several games as one of single games.

use crate::event::{Colour, Event, Forbidden, Outcome, Round, Score, Tally};

/// The last round that a report can name, from zero on.
const LAST_ROUND: usize = 998;

/// The event with each game as a round of its own, as reports have it. A tally does not say in which order games were
/// won: wins with one colour come first.
#[must_use]
pub fn single_games(event: &Event) -> Event {
    let games = event.games.max(1) as usize;
    let mut single = event.clone();
    single.games = 1;
    single.rounds *= games;
    single.paired *= games;
    for player in &mut single.players {
        let announced = player
            .rounds
            .split_off(event.paired.min(player.rounds.len()));
        player.rounds = player
            .rounds
            .iter()
            .flat_map(|round| (0..games).map(move |game| game_of(round, game)))
            .chain(announced)
            .collect();
        player.virtual_points = repeated(&player.virtual_points, games);
    }
    for Forbidden { rounds, .. } in &mut single.forbidden {
        if let Some(range) = rounds {
            let last = (*range.end()).min(LAST_ROUND) * games + games - 1;
            *range = (*range.start()).min(LAST_ROUND) * games..=last.min(LAST_ROUND);
        }
    }
    single
}

fn repeated(points: &[Score], times: usize) -> Vec<Score> {
    points
        .iter()
        .flat_map(|&score| std::iter::repeat_n(score, times))
        .collect()
}

/// One game (from zero on) of what a player did in a round.
fn game_of(round: &Round, game: usize) -> Round {
    let turn = |first: Colour, game: usize| {
        if game.is_multiple_of(2) {
            first
        } else {
            first.other()
        }
    };
    match *round {
        Round::Match {
            opponent,
            colour: first,
            white,
            black,
        } => {
            let colour = turn(first, game);
            // Both players take the results from the tally of the one with White, so that they agree on the order.
            let outcome = match colour {
                Colour::White => nth(white, game / 2),
                Colour::Black => nth(black.reversed(), game / 2).map(Outcome::reversed),
            };
            match outcome {
                Some(outcome) => Round::Played {
                    opponent,
                    colour,
                    outcome,
                    rated: true,
                },
                None => Round::Forfeit {
                    opponent,
                    colour: Some(colour),
                    won: false,
                },
            }
        }
        Round::Forfeit {
            opponent,
            colour,
            won,
        } => Round::Forfeit {
            opponent,
            colour: colour.map(|first| turn(first, game)),
            won,
        },
        other => other,
    }
}

/// The result of a game (from zero on) of a tally: wins, then draws, then losses.
fn nth(tally: Tally, game: usize) -> Option<Outcome> {
    let results = [
        (Outcome::Win, tally.wins),
        (Outcome::Draw, tally.draws),
        (Outcome::Loss, tally.losses),
    ];
    results
        .into_iter()
        .flat_map(|(outcome, count)| std::iter::repeat_n(outcome, count as usize))
        .nth(game)
}
