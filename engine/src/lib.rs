//! Evaluation and search.
//!
//! ```
//! use epode_engine::{Limits, Searcher, Signals};
//! use movegen::Game;
//!
//! let game = Game::default();
//! let outcome =
//!     Searcher::new(16).search(&game, &Limits::depth(6), &Signals::default(), &mut |_| ());
//! assert!(game.position().is_legal(outcome.best.expect("there are moves")));
//! ```
//!
//! In: a [`Game`](movegen::Game), [`Limits`], [`Signals`] and a callback. Out: an [`Outcome`].
//! Nothing here parses, prints, or knows what EPD is, but for the scale of [`Score`], which is
//! that of the opcode `ce`.

mod clock;
mod eval;
mod history;
mod limits;
mod order;
mod params;
mod quiesce;
mod sample;
mod score;
mod search;
mod searcher;
mod see;
mod selfplay;
mod table;
mod worker;

pub use clock::Clock;
#[cfg(feature = "tuning")]
pub use eval::tuning;
pub use limits::{Limits, Signals};
pub use sample::{BadSample, GameResult, Sample};
pub use score::{MAX_PLY, Score};
pub use searcher::{Outcome, Progress, Searcher};
pub use selfplay::{Played, SelfPlay, Unplayed};
