//! The formats of events, and how the schedules of some of them grow.

use serde::{Deserialize, Serialize};

use super::knockout::{self, Knockout};
use super::ladder::{self, Ladder};
use super::meeting::{Entrant, Situation, Step};
use super::swiss::{self, Swiss};

/// The format of an event: who plays whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Format {
    /// Everyone plays everyone, by Berger tables. With an odd number of players, one has a bye in each
    /// round. Colours are reversed in every second cycle.
    RoundRobin {
        /// How many times everyone meets everyone.
        cycles: usize,
    },
    /// Each of the first players, the seeds, plays each of the others. Seeds do not play each other.
    Gauntlet {
        /// The number of seeds.
        seeds: usize,
        /// How many times each seed meets each of the others.
        cycles: usize,
    },
    /// Two players; each pair of games is a round.
    Match,
    /// Players with as many points meet, round by round.
    Swiss(Swiss),
    /// Who loses a match is out.
    Knockout(Knockout),
    /// Whoever is present is paired, without end.
    Ladder(Ladder),
}

impl Format {
    /// Whether its schedule depends on the results, so that it grows while the event goes on.
    #[must_use]
    pub const fn grows(self) -> bool {
        matches!(self, Self::Swiss(_) | Self::Knockout(_) | Self::Ladder(_))
    }
}

/// How a schedule grows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    /// The format, one of those whose schedule grows.
    pub format: Format,
    /// The number of games each time two players meet.
    pub games_per_pairing: usize,
    /// All players, by number.
    pub entrants: Vec<Entrant>,
    /// Players who are never paired with each other, by number.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub forbidden: Vec<Vec<usize>>,
}

/// What a schedule that grows does next; the others are over.
///
/// `is_free` says for each player whether it could begin a game at once, and `rating` what it is rated at present;
/// ladders need both.
#[must_use]
pub fn next_step(
    format: Format,
    situation: &Situation<'_>,
    is_free: &[bool],
    rating: &dyn Fn(usize) -> f64,
) -> Step {
    match format {
        Format::Swiss(swiss) => swiss::next_step(swiss, situation),
        Format::Knockout(knockout) => knockout::next_step(knockout, situation),
        Format::Ladder(ladder) => ladder::next_step(ladder, situation, is_free, rating),
        Format::RoundRobin { .. } | Format::Gauntlet { .. } | Format::Match => {
            Step::Over { early: None }
        }
    }
}
