//! The limits of a search, and the signals that stop it.

use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::time::{Duration, Instant};

use movegen::Move;

/// How many moves are skipped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pruning {
    /// As many as makes the engine strongest.
    #[default]
    Full,
    /// None in PV nodes, and fewer in the first two plies. The scores of searches of a few hundred nodes
    /// are more accurate, because they do not overlook the replies to the first moves. Evaluations are those
    /// of the network as they are, because networks learn from these scores.
    Careful,
}

/// The limits of a search. Without any, only the stop flag ends it.
///
/// Each thread polls the clock and the stop flag every 512 nodes, in the first iteration too. If
/// even the first iteration is not finished, the search returns the best move so far, or the first
/// in move order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// The last iteration, in plies.
    pub depth: Option<usize>,
    /// Nodes of all threads together, never exceeded. One thread uses them all. Several threads draw
    /// portions of at most 512 nodes, so that up to 512 for each thread but one may remain unused.
    pub nodes: Option<u64>,
    /// No iteration begins after this many nodes of all threads.
    pub soft_nodes: Option<u64>,
    /// No iteration begins after this time.
    pub soft_time: Option<Duration>,
    /// The optimum time for the move, which is scaled by how stable the best move and its score are.
    /// No iteration begins after the scaled time.
    pub optimum_time: Option<Duration>,
    /// After this time the search stops.
    pub hard_time: Option<Duration>,
}

impl Limits {
    /// Limits the depth.
    #[must_use]
    pub fn depth(plies: usize) -> Self {
        Self {
            depth: Some(plies),
            ..Self::default()
        }
    }

    /// Limits the nodes.
    #[must_use]
    pub fn nodes(nodes: u64) -> Self {
        Self {
            nodes: Some(nodes),
            ..Self::default()
        }
    }

    /// Limits the time.
    #[must_use]
    pub fn time(time: Duration) -> Self {
        Self {
            hard_time: Some(time),
            ..Self::default()
        }
    }
}

/// Signals to a running search.
#[derive(Debug, Default)]
pub struct Signals {
    /// Set it to stop the search.
    pub stop: AtomicBool,
    /// While it is set, time limits do not apply, because the opponent is to move. Once it is cleared,
    /// they apply to the time since the search began.
    pub pondering: AtomicBool,
    /// The search writes here now and then how many nodes all threads have searched so far.
    pub nodes: AtomicU64,
    /// The packed [`RootMove`], or 0.
    root_move: AtomicU64,
}

/// The move of the root that a search is looking at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RootMove {
    /// The move.
    pub mv: Move,
    /// Its place in the order of this iteration, from 1.
    pub number: usize,
    /// The depth of the iteration, in plies.
    pub depth: usize,
}

impl Signals {
    /// The move of the root that the first thread is looking at, once it looks at one.
    #[must_use]
    pub fn root_move(&self) -> Option<RootMove> {
        let packed = self.root_move.load(Relaxed);
        Move::from_bits(packed as u16).map(|mv| RootMove {
            mv,
            number: usize::from((packed >> 16) as u16),
            depth: usize::from((packed >> 32) as u16),
        })
    }

    pub(crate) fn publish_root_move(&self, RootMove { mv, number, depth }: RootMove) {
        let packed = u64::from(mv.bits()) | (number as u64) << 16 | (depth as u64) << 32;
        self.root_move.store(packed, Relaxed);
    }
}

/// The remaining nodes of a search, from which its threads draw portions.
#[derive(Debug)]
pub(crate) struct NodeBudget {
    left: Option<AtomicU64>,
    threads: u64,
}

impl NodeBudget {
    /// The largest portion when several threads share the nodes.
    const PORTION: u64 = 512;

    pub fn new(limits: &Limits, threads: usize) -> Self {
        Self {
            left: limits.nodes.map(AtomicU64::new),
            threads: threads as u64,
        }
    }

    /// The next portion for a thread; 0 when none is left. Portions shrink towards the end, so that the
    /// threads finish at about the same time.
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

/// The time since a search began, and its limits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stopwatch<'a> {
    started: Instant,
    soft: Option<Duration>,
    optimum: Option<Duration>,
    hard: Option<Duration>,
    soft_nodes: u64,
    signals: &'a Signals,
}

impl<'a> Stopwatch<'a> {
    pub fn start(limits: &Limits, signals: &'a Signals) -> Self {
        Self {
            started: Instant::now(),
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

    /// Publishes the nodes of all threads.
    pub fn publish_nodes(&self, nodes: u64) {
        self.signals.nodes.store(nodes, Relaxed);
    }

    /// Publishes the move of the root that the search is looking at.
    pub fn publish_root_move(&self, root_move: RootMove) {
        self.signals.publish_root_move(root_move);
    }

    /// Whether the stop signal is set.
    pub fn is_stopped(&self) -> bool {
        self.signals.stop.load(Relaxed)
    }

    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Whether another iteration may begin after this many nodes, given the time factor of this move.
    pub fn allows_iteration(&self, nodes: u64, time_factor: f64) -> bool {
        let optimum = self.optimum.map(|optimum| optimum.mul_f64(time_factor));
        !self.is_stopped()
            && nodes < self.soft_nodes
            && self.is_within(self.soft)
            && self.is_within(optimum)
            && self.allows_nodes()
    }

    /// Whether the hard time limit allows more nodes.
    pub fn allows_nodes(&self) -> bool {
        self.is_within(self.hard)
    }
}
