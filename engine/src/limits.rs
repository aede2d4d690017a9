//! The limits of a search, and the signals that stop it.

use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::time::{Duration, Instant};

/// The limits of a search. Without any, only the stop flag ends it.
///
/// Each thread polls the clock and the stop flag every 512 nodes, in the first iteration too. If
/// even the first iteration is not finished, the search returns the best move so far, or the first
/// in move order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Iterations, in plies.
    pub depth: Option<usize>,
    /// Nodes of all threads together, never exceeded. Several threads draw them in portions of at
    /// most 512: so many may be left over for each thread but one. One thread uses them all.
    pub nodes: Option<u64>,
    /// After so many nodes of all threads together no further iteration begins.
    pub soft_nodes: Option<u64>,
    /// After this time no further iteration begins.
    pub soft_time: Option<Duration>,
    /// The optimum time for the move. It is scaled by how stable the best move and its score are;
    /// after that time no further iteration begins.
    pub optimum_time: Option<Duration>,
    /// After this time the search stops.
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

/// What may be changed while a search goes on.
#[derive(Debug, Default)]
pub struct Signals {
    /// Raised to end the search.
    pub stop: AtomicBool,
    /// As long as it is raised no limit of time counts: the opponent thinks as well. When it falls,
    /// the time since the search began counts.
    pub pondering: AtomicBool,
}

/// The nodes that a search may still enter, from which its threads draw portions.
#[derive(Debug)]
pub(crate) struct NodeBudget {
    left: Option<AtomicU64>,
    threads: u64,
}

impl NodeBudget {
    /// The largest portion where threads share the nodes.
    const PORTION: u64 = 512;

    pub fn new(limits: &Limits, threads: usize) -> Self {
        Self {
            left: limits.nodes.map(AtomicU64::new),
            threads: threads as u64,
        }
    }

    /// The next portion for a thread; 0 when nothing is left. Portions shrink towards the end, so
    /// that no thread is left with many when the others have none.
    pub fn draw(&self) -> u64 {
        let Some(left) = &self.left else {
            return u64::MAX;
        };
        let portion = |left: u64| match self.threads {
            1 => left,
            threads => (left / (2 * threads)).clamp(1, Self::PORTION).min(left),
        };
        let before = left.fetch_update(Relaxed, Relaxed, |left| Some(left - portion(left)));
        before.map_or(0, portion)
    }
}

/// The time since a search began, held against its limits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stopwatch<'a> {
    begun: Instant,
    soft: Option<Duration>,
    optimum: Option<Duration>,
    hard: Option<Duration>,
    soft_nodes: u64,
    signals: &'a Signals,
}

impl<'a> Stopwatch<'a> {
    pub fn start(limits: &Limits, signals: &'a Signals) -> Self {
        Self {
            begun: Instant::now(),
            soft: limits.soft_time,
            optimum: limits.optimum_time,
            hard: limits.hard_time,
            soft_nodes: limits.soft_nodes.unwrap_or(u64::MAX),
            signals,
        }
    }

    fn is_within(&self, limit: Option<Duration>) -> bool {
        limit.is_none_or(|limit| self.signals.pondering.load(Relaxed) || self.elapsed() < limit)
    }

    /// Whether the search is to end, whatever the time.
    pub fn is_stopped(&self) -> bool {
        self.signals.stop.load(Relaxed)
    }

    pub fn elapsed(&self) -> Duration {
        self.begun.elapsed()
    }

    /// Whether another iteration may begin after so many nodes, when this move deserves so many
    /// times the time of others.
    pub fn allows_iteration(&self, nodes: u64, time_factor: f64) -> bool {
        let optimum = self.optimum.map(|optimum| optimum.mul_f64(time_factor));
        !self.is_stopped()
            && nodes < self.soft_nodes
            && self.is_within(self.soft)
            && self.is_within(optimum)
            && self.allows_nodes()
    }

    /// Whether the search may go on.
    pub fn allows_nodes(&self) -> bool {
        self.is_within(self.hard)
    }
}
