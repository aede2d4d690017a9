//! Compares the rounds of an event with what the rules say.

use crate::dutch::{Pair, PairError, Pairing, pair};
use crate::event::{Colour, Event, Round};

/// A round that was not paired as the rules say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The round, from zero on.
    pub round: usize,
    /// The pairing by the rules, or why there is none.
    pub expected: Result<Pairing, PairError>,
    /// The games of the round that the rules do not have.
    pub surplus: Vec<Pair>,
    /// The player with the pairing-allocated bye of the round.
    pub bye: Option<usize>,
}

/// Pairs each round of an event anew, by the rounds before it, and returns those that differ.
///
/// A game lost by forfeit whose colours are unknown counts as one with the right colours.
#[must_use]
pub fn review(event: &Event) -> Vec<Difference> {
    (0..event.paired)
        .filter_map(|round| review_round(event, round))
        .collect()
}

fn review_round(event: &Event, round: usize) -> Option<Difference> {
    let (games, bye) = recorded(event, round);
    let expected = pair(&event.before(round));
    let known: &[Pair] = expected.as_ref().map_or(&[], |pairing| &pairing.pairs);
    let is_known = |game: &Game| {
        let turned = Pair {
            white: game.pair.black,
            black: game.pair.white,
        };
        known.contains(&game.pair) || !game.has_colours && known.contains(&turned)
    };
    let surplus: Vec<Pair> = games
        .iter()
        .filter(|game| !is_known(game))
        .map(|game| game.pair)
        .collect();
    let same_bye = expected.as_ref().is_ok_and(|pairing| pairing.bye == bye);
    let is_same = same_bye && surplus.is_empty() && games.len() == known.len();
    (!is_same).then_some(Difference {
        round,
        expected,
        surplus,
        bye,
    })
}

struct Game {
    pair: Pair,
    has_colours: bool,
}

/// The games and the bye of a round.
fn recorded(event: &Event, round: usize) -> (Vec<Game>, Option<usize>) {
    let (mut games, mut bye) = (Vec::new(), None);
    for (player, entry) in event.players.iter().enumerate() {
        match entry.rounds[round] {
            Round::PairingBye => bye = Some(player),
            Round::Played {
                opponent,
                colour: Colour::White,
                ..
            }
            | Round::Match {
                opponent,
                colour: Colour::White,
                ..
            } => games.push(Game {
                pair: Pair {
                    white: player,
                    black: opponent,
                },
                has_colours: true,
            }),
            Round::Forfeit {
                opponent, colour, ..
            } if player < opponent => games.push(Game {
                pair: match colour {
                    Some(Colour::Black) => Pair {
                        white: opponent,
                        black: player,
                    },
                    _ => Pair {
                        white: player,
                        black: opponent,
                    },
                },
                has_colours: colour.is_some(),
            }),
            _ => {}
        }
    }
    (games, bye)
}
