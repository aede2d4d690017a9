//! The rules and decisions of a tournament, as functions of their arguments: no file, no socket, and
//! no clock of their own. Instants are passed in.

pub mod adjudication;
pub mod broadcast;
pub mod clock;
pub mod config;
pub mod elo;
pub mod ending;
pub mod equipment;
pub mod event;
pub mod exposure;
pub(crate) mod fail;
pub mod game;
pub mod journal;
pub mod normalization;
pub mod observer;
pub mod openings;
pub mod ranking;
pub mod ratings;
pub mod replication;
pub mod report_file;
pub mod schedule;
pub mod secret;
pub mod sprt;
pub mod standings;
pub mod takeover;
pub mod text;
pub mod time_control;
pub mod variant;
