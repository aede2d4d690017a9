//! How the pairings of an event come about.

use super::name::{Cut, TieBreak};

/// How the pairings of an event come about, which decides what unplayed rounds count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Each round is paired by the results so far.
    Swiss,
    /// The pairings are known from the beginning.
    RoundRobin,
}

impl Kind {
    /// Tie-breaks for events that name none: for a Swiss event `BH-C1`, `BH`, `SB`, for a round robin `DE`, `WIN`, `SB`,
    /// `KS`.
    #[must_use]
    pub fn usual_tie_breaks(self) -> Vec<TieBreak> {
        let all = Cut::None;
        match self {
            Self::Swiss => vec![
                TieBreak::Buchholz(Cut::Least(1)),
                TieBreak::Buchholz(all),
                TieBreak::SonnebornBerger(all),
            ],
            Self::RoundRobin => vec![
                TieBreak::DirectEncounter,
                TieBreak::Wins,
                TieBreak::SonnebornBerger(all),
                TieBreak::Koya { half_points: 0 },
            ],
        }
    }
}
