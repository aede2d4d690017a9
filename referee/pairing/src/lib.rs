#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

pub mod baku;
mod colours;
mod criteria;
pub mod dutch;
pub mod event;
pub mod faults;
mod field;
pub mod matching;
mod refusal;
pub mod review;
mod standing;
pub mod tiebreaks;
pub mod trf;
pub mod wide;

pub use dutch::{Pair, PairError, Pairing, pair};
pub use event::{Colour, Event, Forbidden, Outcome, Player, PointSystem, Round, Score, Tally};
pub use refusal::Refusal;
