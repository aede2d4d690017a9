//! The rounds of an event for its report.

use std::collections::{BTreeMap, BTreeSet};

use movegen::Color;
use movegen::pgn::Outcome;
use pairing::trf::Announced;
use pairing::{Event, Round};

use crate::core::schedule::swiss::colour;

/// The rounds of an event, as a report has them.
pub(super) struct Rounds {
    pub(super) event: Event,
    /// The number of each player of the report in the event.
    pub(super) players: Vec<usize>,
    /// The round of the report, from 0, in which each game is; `None` if the report does not have it.
    pub(super) round_of: BTreeMap<usize, usize>,
    pub(super) open: BTreeSet<(usize, usize)>,
    pub(super) announced: Vec<Announced>,
    /// The round of the event from which on the report has nothing, since it is in progress.
    pub(super) left_out: Option<usize>,
    /// The type of the event.
    pub(super) kind: String,
}

/// How a finished game stands in the line of a player, who had this colour.
pub(super) fn entry(
    opponent: usize,
    color: Color,
    result: Option<Outcome>,
    is_unplayed: bool,
) -> Round {
    let colour = colour(color);
    let forfeit = |won| Round::Forfeit {
        opponent,
        colour: Some(colour),
        won,
    };
    let outcome = match result.map(|result| result.half_points(color)) {
        None => return forfeit(false),
        Some(0 | 2) if is_unplayed => {
            return forfeit(result.is_some_and(|result| result.half_points(color) == 2));
        }
        Some(0) => pairing::Outcome::Loss,
        Some(1) => pairing::Outcome::Draw,
        Some(_) => pairing::Outcome::Win,
    };
    Round::Played {
        opponent,
        colour,
        outcome,
        // A draw without a move.
        rated: !is_unplayed,
    }
}
