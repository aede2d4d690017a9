//! When a search ends.

use std::time::{Duration, Instant};

/// What a search may spend; nothing set means no end but the stop flag. Depth 1 is always
/// finished, so that there is a move (decision 133).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Iterations, in plies.
    pub depth: Option<usize>,
    /// Nodes of all threads together.
    pub nodes: Option<u64>,
    /// After this time no further iteration begins.
    pub soft_time: Option<Duration>,
    /// After this time the search breaks off.
    pub hard_time: Option<Duration>,
}

impl Limits {
    /// So many plies.
    #[must_use]
    pub fn depth(plies: usize) -> Self {
        Self {
            depth: Some(plies),
            ..Self::default()
        }
    }

    /// So many nodes.
    #[must_use]
    pub fn nodes(nodes: u64) -> Self {
        Self {
            nodes: Some(nodes),
            ..Self::default()
        }
    }

    /// So much time, and not more.
    #[must_use]
    pub fn time(time: Duration) -> Self {
        Self {
            hard_time: Some(time),
            ..Self::default()
        }
    }
}

/// The time since a search began, held against its limits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stopwatch {
    begun: Instant,
    soft: Option<Duration>,
    hard: Option<Duration>,
}

impl Stopwatch {
    pub fn start(limits: &Limits) -> Self {
        Self {
            begun: Instant::now(),
            soft: limits.soft_time,
            hard: limits.hard_time,
        }
    }

    pub fn elapsed(&self) -> Duration {
        self.begun.elapsed()
    }

    /// Whether another iteration may begin.
    pub fn allows_iteration(&self) -> bool {
        self.soft.is_none_or(|soft| self.elapsed() < soft) && self.allows_nodes()
    }

    /// Whether the search may go on.
    pub fn allows_nodes(&self) -> bool {
        self.hard.is_none_or(|hard| self.elapsed() < hard)
    }
}
