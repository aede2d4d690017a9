//! Self-play games of the Epode chess engine, the files that store them, and the training of its
//! network on them. The program `epode-train` is built on this library.
//!
//! | module | contents |
//! |---|---|
//! | [`selfplay`] | [`SelfPlay`](selfplay::SelfPlay) plays games ([`PlayedGame`](selfplay::PlayedGame)) from random openings |
//! | [`expectation`] | the expected points of a score |
//! | [`games`] | game files: [`Store`](games::Store) writes them, [`Blocks`](games::Blocks) reads them |
//! | [`data_point`] | [`DataPoint`](data_point::DataPoint): a position with score and result in 32 bytes |
//! | [`selection`] | [`Selection`](selection::Selection): which data points a network is trained on |
//! | [`trainer`] | [`Trainer`](trainer::Trainer) trains a network on data points |
//!
//! ```
//! use engine::{Searcher, Signals};
//! use epode_train::selfplay::SelfPlay;
//!
//! let selfplay = SelfPlay { nodes: 50, seed: 1, ..SelfPlay::default() };
//! let mut searcher = Searcher::new(1);
//! let game = selfplay.play(0, &mut searcher, &Signals::default())?;
//! assert!(game.data_points(0.0)?.iter().all(|point| !point.position.is_check()));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![forbid(unsafe_code)]

pub mod data_point;
pub mod expectation;
pub mod games;
pub mod selection;
pub mod selfplay;
pub mod trainer;
