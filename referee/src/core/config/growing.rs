//! The settings of events whose schedule grows: Swiss and knockout events, and ladders.

use pairing::tiebreaks::TieBreak;
use serde::Deserialize;

/// How the rounds of a Swiss event are paired.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SwissSettings {
    /// How the first rounds are accelerated.
    pub acceleration: Acceleration,
}

/// How the first rounds of a Swiss event are accelerated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Acceleration {
    /// Not at all.
    #[default]
    None,
    /// By the Baku method (FIDE Handbook C.04.5.1).
    Baku,
}

/// How the matches of a knockout are decided.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct KnockoutSettings {
    /// Whether those who lose in the semifinals play for the third place.
    pub third_place: bool,
    /// How many pairs of games are added at most to a match that is tied. Then the better seed wins it.
    pub extra_pairs: usize,
}

impl Default for KnockoutSettings {
    fn default() -> Self {
        Self {
            third_place: true,
            extra_pairs: 8,
        }
    }
}

/// When a ladder ends.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LadderSettings {
    /// After so many games; without this, it goes on until the referee is stopped.
    pub games: Option<usize>,
}

/// Tie-breaks of FIDE Handbook C.07, in their order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TieBreaks(pub Vec<TieBreak>);

impl<'de> Deserialize<'de> for TieBreaks {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let names = Vec::<String>::deserialize(deserializer)?;
        let tie_breaks: Result<_, _> = names.iter().map(|name| name.parse()).collect();
        tie_breaks.map(Self).map_err(serde::de::Error::custom)
    }
}
