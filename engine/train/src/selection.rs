//! Which data points of games a network is trained on.

use crate::data_point::{DataPoint, Stored};
use crate::games::checksum;

/// Which data points are taken from the games, and with which scores.
#[derive(Clone, Copy, Debug)]
pub struct Selection {
    /// [`PlayedGame::data_points`](crate::selfplay::PlayedGame::data_points) describes it.
    pub td_lambda: f64,
    /// Scores beyond this many centipawns are left out.
    pub max_score: Option<u16>,
    /// The percentage that is kept of the data points that do not come from side lines.
    pub game_share: usize,
}

impl Default for Selection {
    /// All data points, with their own scores.
    fn default() -> Self {
        Self {
            td_lambda: 0.0,
            max_score: None,
            game_share: 100,
        }
    }
}

impl Selection {
    /// Whether a data point is kept. Its checksum decides whether it belongs to the share: this depends neither
    /// on the order of the data points nor on the threads, and a greater share has all those of a smaller one.
    #[must_use]
    pub fn keeps(&self, data_point: &DataPoint, stored: &Stored) -> bool {
        let is_small = |limit| data_point.score.unsigned_abs() <= limit;
        let is_in_share =
            || self.game_share >= 100 || checksum(stored) % 100 < self.game_share as u32;
        self.max_score.is_none_or(is_small) && (data_point.result.is_none() || is_in_share())
    }
}
