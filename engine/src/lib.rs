//! The evaluation and search of the Epode chess engine.
//!
//! ```
//! use epode_engine::movegen::Game;
//! use epode_engine::{Limits, Searcher, Signals};
//!
//! let game = Game::default();
//! let mut searcher = Searcher::with_hash(16)?; // MiB of transposition table
//! let outcome = searcher.search(&game, &Limits::depth(6), &Signals::default(), &mut |progress| {
//!     println!("depth {}: {}", progress.depth, progress.score);
//! });
//! assert!(game.position().is_legal(outcome.best.expect("a legal move")));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`Searcher`] takes a [`Game`](movegen::Game), [`Limits`], [`Signals`] and a callback that receives
//! each [`Progress`] report, and returns an [`Outcome`]. [`MateSolver`] is a search of its own that
//! proves forced mates. The crate parses nothing and prints nothing, and reads no file but tablebases. It does not depend on EPD, but
//! [`Score`] uses the scale of the EPD opcode `ce`.
//!
//! # Where to find what
//!
//! | folder or file | contents |
//! |---|---|
//! | `engine` | [`Searcher`]: starts the threads and returns their result |
//! | `limits`, `score`, `wdl` | [`Limits`] and [`Signals`], [`Score`], win, draw and loss probabilities ([`Wdl`]) |
//! | `search/` | `node` (principal variation search), `quiescence`, `pruning`, `reductions` (late move reductions), `extensions` (singular extensions), `iterative` (iterative deepening), `thread`, `smp`, `tt` (transposition table), `tablebases` and `probe` (endgame tablebases), `time` (time management), `params` (tunable numbers) |
//! | `ordering/` | `picker` (staged move picker), `history` (history tables and killers), `see` (static exchange evaluation), `checks` |
//! | `eval/` | `nnue/` (the network), `adjust` (by pieces, halfmove clock and score at the root), `endgame` and `kpk` (known endings), `correction` (correction history) |
//! | `mate/` | [`MateSolver`]: df-pn proof-number search |
//!
//! Start reading at `search/node.rs`: `Worker::node` is one function with numbered steps.

mod cpu_time;
mod engine;
mod eval;
mod limits;
mod mate;
mod ordering;
mod score;
mod search;
mod wdl;

/// The chess rules that this crate plays by, and the tablebases it reads, in the versions that it uses.
pub use {movegen, syzygy};

pub use engine::Searcher;
pub use eval::nnue::{BadNet, Net};
pub use eval::{Evaluation, Output};
pub use limits::{Limits, Pruning, RootMove, Signals};
pub use mate::{Mate, MateOutcome, MateSolver};
#[doc(hidden)]
pub use ordering::picker::PickerBench;
pub use score::{MAX_PLY, Score};
pub use search::outcome::{Outcome, Progress};
#[cfg(feature = "tune")]
pub use search::params::tunable::{Tunable, tunables};
pub use search::tablebases::Probing;
pub use search::time::Clock;
pub use wdl::Wdl;

/// The layout of the network, for programs that train one: its shape, its inputs, its outputs and
/// the units of its integers. [`Net`] has the integers.
pub mod layout {
    pub use crate::eval::nnue::{
        BUCKETS, CENTIPAWNS, FEATURES, HIDDEN, ONE, OUTPUT_LIMIT, OUTPUT_ONE, ROWS, bucket, input,
    };
}

/// The examples of the crate's README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
