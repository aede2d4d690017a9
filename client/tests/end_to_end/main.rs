//! The program from outside: its verbs and protocols, as users and referees meet them. All tests are one program,
//! so that what they share is compiled and linked once.

mod analysis;
mod book;
mod book_play;
mod castling;
mod cli;
mod common;
mod convert;
mod diagram;
mod duckdb;
#[cfg(unix)]
mod engines;
mod files;
mod games;
mod imports;
mod lossless;
mod mates;
mod net;
mod perft;
mod play;
mod positions;
mod python_chess;
#[cfg(unix)]
mod readme;
mod report;
#[cfg(unix)]
mod restarts;
#[cfg(unix)]
mod resume;
mod run_info;
mod shell;
mod syzygy;
mod tables;
#[cfg(unix)]
mod terminal;
mod tls;
#[cfg(unix)]
mod tune;
mod uci;
mod version;
mod xboard;
#[cfg(unix)]
mod xboard_engines;
