//! Evaluation and search.
//!
//! ```
//! use epode_engine::{Limits, Searcher};
//! use movegen::Game;
//!
//! let game = Game::default();
//! let stop = std::sync::atomic::AtomicBool::new(false);
//! let outcome = Searcher::new(16).search(&game, &Limits::depth(6), &stop, &mut |_| ());
//! assert!(game.position().is_legal(outcome.best.expect("there are moves")));
//! ```
//!
//! In: a [`Game`](movegen::Game), [`Limits`], a stop flag and a callback. Out: an [`Outcome`].
//! Nothing here parses, prints, or knows what EPD is, but for the scale of [`Score`], which is
//! that of the opcode `ce`.

mod clock;
mod eval;
mod history;
mod limits;
mod order;
mod params;
mod quiesce;
mod score;
mod search;
mod searcher;
mod see;
mod table;
mod worker;

pub use clock::Clock;
pub use limits::Limits;
pub use score::{MAX_PLY, Score};
pub use searcher::{Outcome, Progress, Searcher};
