//! Which chess an event plays: standard chess, Chess960, or Chess960 with two back ranks.

use movegen::{BackRank, CastlingMode, Position};
use serde::Deserialize;

use crate::core::openings::Opening;
use crate::core::schedule;

/// Which chess an event plays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, strum::Display)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum Variant {
    /// Standard chess.
    #[default]
    Standard,
    /// Chess960 (Fischer random chess): both players have the same back rank.
    Chess960,
    /// Double Chess960: each player has a back rank of its own.
    Dfrc,
}

impl Variant {
    /// Where games begin without a book. Double Chess960 has too many starting positions: 960 are drawn
    /// by the seed, each back rank once for either player.
    #[must_use]
    pub fn openings(self, seed: u64) -> Vec<Opening> {
        let ranks = || (0..BackRank::COUNT).filter_map(BackRank::new);
        let opening = |white: BackRank, black: BackRank, name: String| Opening {
            name: Some(name),
            start: Position::chess960([white, black]),
            moves: Vec::new(),
        };
        match self {
            Self::Standard => vec![Opening::default()],
            Self::Chess960 => ranks()
                .map(|rank| opening(rank, rank, format!("Chess960 {rank}")))
                .collect(),
            Self::Dfrc => {
                let blacks: Vec<_> = ranks().collect();
                let order = schedule::draw(blacks.len(), seed);
                let blacks = order.into_iter().map(|i| blacks[i]);
                ranks()
                    .zip(blacks)
                    .map(|(white, black)| opening(white, black, format!("DFRC {white} {black}")))
                    .collect()
            }
        }
    }

    /// How moves of castling are written for UCI.
    #[must_use]
    pub const fn castling_mode(self) -> CastlingMode {
        match self {
            Self::Standard => CastlingMode::Standard,
            Self::Chess960 | Self::Dfrc => CastlingMode::Chess960,
        }
    }

    /// Whether games of this variant can begin from a position.
    #[must_use]
    pub fn allows(self, start: &Position) -> bool {
        self != Self::Standard || start.castling_mode() == CastlingMode::Standard
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn starting_positions_are_drawn() {
        assert_eq!(Variant::Standard.openings(1).len(), 1);
        for variant in [Variant::Chess960, Variant::Dfrc] {
            let openings = variant.openings(1);
            let starts: HashSet<_> = openings.iter().map(|opening| opening.start).collect();
            assert_eq!(starts.len(), 960);
            assert_eq!(variant.openings(1), openings);
        }
        assert_ne!(Variant::Dfrc.openings(1), Variant::Dfrc.openings(2));
        let start = Position::chess960([BackRank::new(0).expect("small"); 2]);
        assert!(!Variant::Standard.allows(&start) && Variant::Dfrc.allows(&start));
    }
}
