//! The search: iterative deepening of a principal variation search.
//!
//! | module | concern |
//! |---|---|
//! | [`node`] | one node of the tree: principal variation search |
//! | [`node_state`] | what is known about a node before its moves are searched |
//! | [`quiescence`] | captures at the horizon |
//! | [`pruning`] | nodes and moves that can be cut without a full search |
//! | [`reductions`] | how much [`node`] reduces a late move (late move reductions) |
//! | [`extensions`] | singular extensions |
//! | [`iterative`] | iterative deepening, aspiration windows, `MultiPV` |
//! | [`thread`] | the state of one search thread |
//! | [`tablebases`] | how endgame tablebases are used, and at the root |
//! | [`probe`] | endgame tablebases below the root |
//! | [`smp`] | the vote of several threads on the best move |
//! | [`tt`] | the transposition table |
//! | [`time`] | time management |
//! | [`params`] | all tunable numbers |
//! | [`outcome`] | what a search reports |

pub(crate) mod extensions;
pub(crate) mod iterative;
pub(crate) mod node;
pub(crate) mod node_state;
pub(crate) mod outcome;
pub(crate) mod params;
pub(crate) mod probe;
pub(crate) mod pruning;
pub(crate) mod quiescence;
pub(crate) mod reductions;
pub(crate) mod smp;
pub(crate) mod tablebases;
pub(crate) mod thread;
pub(crate) mod time;
pub(crate) mod tt;
