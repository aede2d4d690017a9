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
//! Apart from that search a [`MateSolver`] proves mates. Nothing here parses, prints, or knows what
//! EPD is, but for the scale of [`Score`], which is that of the opcode `ce`.

mod cpu_time;
mod engine;
mod eval;
mod limits;
mod mate;
mod ordering;
mod score;
mod search;
mod selfplay;
mod train;
mod wdl;

pub use engine::Searcher;
pub use eval::nnue::{BadNet, Net};
pub use eval::{Evaluation, Output};
pub use limits::{Limits, Signals};
pub use mate::{Mate, MateOutcome, MateSolver};
#[doc(hidden)]
pub use ordering::picker::Picking;
pub use score::{MAX_PLY, Score};
pub use search::outcome::{Outcome, Progress};
pub use search::time::Clock;
pub use selfplay::data_point::{BadDataPoint, DataPoint, GameResult, Stored};
pub use selfplay::record::{Branch, PlayedGame, PlayedPly};
pub use selfplay::{SelfPlay, Unplayed};
pub use train::{Losses, Trainer, Training};
pub use wdl::Wdl;
