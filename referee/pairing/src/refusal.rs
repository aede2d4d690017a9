//! Why the rules leave no pairing.

use crate::field::Field;
use std::fmt;

/// Why the rules leave no pairing. Players are indices in [`Event::players`](crate::event::Event::players).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The number of players is odd and each one had a bye or a win without a game.
    NobodyForBye,
    /// Players for whom nobody is left: each one has met, must not meet, or clashes in colour with, all others.
    NoOpponents(Vec<usize>),
    /// Everybody has possible opponents, but at best these stay without one.
    LeftOver(Vec<usize>),
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NobodyForBye => f.write_str(
                "one player must get the bye, but each has had one, or a win without a game (C2)",
            ),
            Self::NoOpponents(players) => {
                write!(f, "no opponent is left for player {}: ", list(players))?;
                f.write_str("each other one was met before (C1), has the same absolute colour preference (C3) or is forbidden")
            }
            Self::LeftOver(players) => write!(
                f,
                "at best player {} would be left over, by the opponents met before (C1), the colours (C3), the byes (C2) \
                 and the forbidden pairs",
                list(players)
            ),
        }
    }
}

fn list(players: &[usize]) -> String {
    let numbers: Vec<String> = players
        .iter()
        .map(|player| (player + 1).to_string())
        .collect();
    numbers.join(", ")
}

/// Explains why a best matching leaves the players at the places `single` over.
pub(crate) fn explain(field: &Field, single: &[usize]) -> Refusal {
    let players = |places: &mut dyn Iterator<Item = usize>| {
        places.map(|place| field.players[place].player).collect()
    };
    let odd = field.size() % 2 == 1;
    if odd && !field.players.iter().any(|player| player.may_have_bye) {
        return Refusal::NobodyForBye;
    }
    let lonely = |&place: &usize| {
        let has_opponent = (0..field.size()).any(|other| field.may_meet(place, other));
        !(has_opponent || odd && field.players[place].may_have_bye)
    };
    let alone: Vec<usize> = players(&mut (0..field.size()).filter(lonely));
    if alone.is_empty() {
        Refusal::LeftOver(players(&mut single.iter().copied()))
    } else {
        Refusal::NoOpponents(alone)
    }
}
