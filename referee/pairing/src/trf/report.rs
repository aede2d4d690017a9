//! What a report holds, and errors in one.

use crate::event::{Event, Round};
use std::collections::BTreeSet;

/// An event with what its report says beyond the pairings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// Lines such as `012 Name of the event`, as they are in the file.
    pub lines: Vec<String>,
    /// By player.
    pub details: Vec<Details>,
    /// The event.
    pub event: Event,
    /// Byes announced for rounds after the next one to pair.
    pub announced: Vec<Announced>,
    /// Games that are still to be played, by player and round (from zero on, in the rounds of the report): their entries
    /// are left blank. In the event, the player is absent. A report that is read has none.
    pub open: BTreeSet<(usize, usize)>,
}

/// A bye that a player has asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Announced {
    /// The player.
    pub player: usize,
    /// The round, from zero on.
    pub round: usize,
    /// A bye of a full, half or zero point.
    pub bye: Round,
}

/// What a report says of a player beyond name, rating and games. Empty where it says nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Details {
    /// `m` or `w`.
    pub sex: String,
    /// A title, such as `GM` or `g`.
    pub title: String,
    /// Three letters.
    pub federation: String,
    /// The FIDE number.
    pub fide_number: String,
    /// The date of birth, such as `1990/07/13`.
    pub birth: String,
    /// The rank in the table.
    pub rank: Option<u32>,
}

impl Report {
    /// A report of an event with the given name.
    #[must_use]
    pub fn new(name: &str, event: Event) -> Self {
        let details = vec![Details::default(); event.players.len()];
        Self {
            lines: vec![format!("012 {name}")],
            details,
            event,
            announced: Vec::new(),
            open: BTreeSet::new(),
        }
    }
}

/// What is wrong with a report, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {message}")]
pub struct TrfError {
    /// The line, from one on.
    pub line: usize,
    /// The column, from one on, counted in characters.
    pub column: usize,
    /// What was found, and what was expected.
    pub message: String,
}
