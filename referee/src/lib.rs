//! A tournament referee: who meets whom from which position, what is written of each game, and
//! how the event stands.
//!
//! What is decided here is a function of its arguments: no module opens a file or a socket, or
//! reads a clock.

#![forbid(unsafe_code)]

pub mod adjudication;
pub mod clock;
pub mod config;
pub mod ending;
pub mod game;
pub mod journal;
pub mod openings;
pub mod pairing;
pub mod report;
