//! A tournament referee: who meets whom from which position, what is written of each game, and
//! how the event stands.
//!
//! What is decided is a function of its arguments: `game` (one game), `event` (all of them), `clock`,
//! `ending`, `adjudication`, `pairing`, `openings`, `journal`, `report` and `config` open no file and no
//! socket, and read no clock. `server` gives them what comes in on connections (`connection`, `local`) and
//! writes down what comes of it (`files`).

#![forbid(unsafe_code)]

pub mod adjudication;
pub mod clock;
pub mod config;
pub mod connection;
pub mod ending;
pub mod event;
pub mod files;
pub mod game;
pub mod journal;
pub mod local;
pub mod openings;
pub mod pairing;
pub mod report;
pub mod server;
