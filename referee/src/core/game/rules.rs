//! The rules of one game: which draws count, how long players may take, when a game is adjudicated.

use std::sync::Arc;
use std::time::Duration;

use crate::core::adjudication::{Adjudication, Judge};
use crate::core::ending::DrawRule;

/// Draw rules, timeouts and adjudication.
#[derive(Clone, Debug)]
pub struct Rules {
    /// Which draws end the game without a claim.
    pub draws: DrawRule,
    /// How late a reply may arrive after the clock has run out, to allow for the network
    /// (decision 79).
    pub time_margin: Duration,
    /// How long to wait until the mated side acknowledges the mate (decision 62).
    pub mate_reply_timeout: Duration,
    /// Longest time for a move where there is no time control (decision 80).
    pub move_timeout: Duration,
    /// A player that is disconnected for longer than this loses (decision 22).
    pub reconnect_timeout: Duration,
    /// When a game is adjudicated.
    pub adjudication: Adjudication,
    /// The endgame tablebases of the adjudication.
    pub judge: Option<Arc<dyn Judge>>,
}

impl Default for Rules {
    fn default() -> Self {
        Self {
            draws: DrawRule::Automatic,
            time_margin: Duration::from_millis(100),
            mate_reply_timeout: Duration::from_secs(5),
            move_timeout: Duration::from_mins(10),
            reconnect_timeout: Duration::from_mins(1),
            adjudication: Adjudication::default(),
            judge: None,
        }
    }
}
