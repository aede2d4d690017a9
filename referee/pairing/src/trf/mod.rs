//! The FIDE Tournament Report File (TRF16), with the lines that pairing programs add.
//!
//! What is read:
//! - `001`, a player: starting rank, sex, title, name, rating, federation, FIDE number, date of birth, points, rank, and
//!   for each round the opponent, the colour (`w`, `b`, `-`) and the result: `1`, `=`, `0`; `W`, `D`, `L` for a game that
//!   is not rated; `+`, `-` by forfeit; `U` pairing-allocated bye; `F`, `H`, `Z` bye of a full, half, zero point; a blank
//!   or missing entry is an absence. Entries of the round that is still to be paired announce byes.
//! - `XXR` or `142`: the number of rounds.
//! - `XXC` with `white1` or `black1`, or `152` with `W` or `B`: the colour of the first seed. Without it, it follows from
//!   the first round with colours, or is White where there is none.
//! - `XXZ`: players absent from the next round. `240`: byes (`F`, `H`, `Z`) of players in a round still to be paired.
//! - `XXP`: players who must not meet. `260`: the same for some rounds.
//! - `XXA`: the virtual points of a player, round by round. `250`: those of a range of players in some rounds.
//! - `XXS` with `W=`, `D=`, ..., `162`, or `BBW`, `BBD`, `BBL`, `BBZ`, `BBF`, `BBU`: the points of each result.
//! - `192`: the pairing system; `FIDE_DUTCH_BAKU` and `FIDE_DUTCH_2025_BAKU` add Baku acceleration where no line says
//!   which virtual points there are.
//!
//! All other lines are kept as they are. What is written: these lines first, then the settings by `XXR`, `XXC`, `BBW` and
//! so on (where they are not the usual ones), `XXA`, `XXP` and `260`, then the players.

mod lines;
mod read;
mod settings;
mod write;

use crate::event::Event;
use std::fmt;

/// An event with what its report says beyond the pairings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// Lines such as `012 Name of the event`, as they are in the file.
    pub lines: Vec<String>,
    /// By player.
    pub details: Vec<Details>,
    /// The event.
    pub event: Event,
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
        }
    }

    /// Reads a report.
    pub fn parse(text: &str) -> Result<Self, TrfError> {
        read::read(text)
    }
}

impl fmt::Display for Report {
    /// The report, each line ended by a line feed. A name or another text that is too wide for its columns is cut.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write::write(self, f)
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
