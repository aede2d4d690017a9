//! Evaluation and search.
//!
//! ```
//! use epode_engine::movegen::Game;
//! use epode_engine::{Limits, Searcher, Signals};
//!
//! let game = Game::default();
//! let outcome =
//!     Searcher::new(16).search(&game, &Limits::depth(6), &Signals::default(), &mut |_| ());
//! assert!(game.position().is_legal(outcome.best.expect("there are moves")));
//! ```
//!
//! In: a [`Game`](movegen::Game), [`Limits`], [`Signals`] and a callback. Out: an [`Outcome`].
//! Apart from that search a [`MateSolver`] proves mates. Nothing here parses, prints, or knows what
//! EPD is, but for the scale of [`Score`], which is that of the opcode `ce`.

mod chances;
mod checks;
mod clock;
mod correction;
mod deepen;
mod endgame;
mod evaluation;
mod extend;
mod history;
mod kpk;
mod limits;
mod mate;
mod net;
mod order;
mod outcome;
mod pace;
mod params;
mod played;
mod processor;
mod prune;
mod quiesce;
mod reduce;
mod sample;
mod score;
mod search;
mod searcher;
mod see;
mod selfplay;
mod table;
mod train;
mod vote;
mod worker;

/// The chess rules that this crate plays by, in the version that it uses.
pub use movegen;

pub use chances::Chances;
pub use clock::Clock;
pub use evaluation::{Evaluation, Output};
pub use limits::{Limits, Signals};
pub use mate::{Mate, MateOutcome, MateSolver};
pub use net::{BadNet, Net};
#[doc(hidden)]
pub use order::Picking;
pub use outcome::{Outcome, Progress};
pub use played::{Branch, PlayedGame, PlayedPly};
pub use sample::{BadSample, GameResult, Sample, Stored};
pub use score::{MAX_PLY, Score};
pub use searcher::Searcher;
pub use selfplay::{SelfPlay, Unplayed};
pub use train::{Losses, Trainer, Training};

/// The examples of the crate's README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
