//! The effort of searches: nodes, time and depth.

use serde::Serialize;

/// The effort of a search, as far as it is recorded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Effort {
    pub nodes: Option<u64>,
    /// In plies.
    pub depth: Option<u64>,
    pub milliseconds: Option<u64>,
}

/// A measure of effort.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Measure {
    Nodes,
    Milliseconds,
    Plies,
}

impl Measure {
    pub const ALL: [Self; 3] = [Self::Nodes, Self::Milliseconds, Self::Plies];

    pub fn of(self, effort: &Effort) -> Option<u64> {
        match self {
            Self::Nodes => effort.nodes,
            Self::Milliseconds => effort.milliseconds,
            Self::Plies => effort.depth,
        }
    }
}

/// A part of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Part {
    /// Until the final answer first became stable.
    Solution,
    Whole,
}

impl Part {
    pub const ALL: [Self; 2] = [Self::Solution, Self::Whole];
}
