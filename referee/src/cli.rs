//! The command line: one file per group of subcommands.

mod addresses;
pub mod args;
pub mod background;
pub mod certificate;
pub mod command_line;
pub mod control;
pub mod demo;
pub mod event_file;
pub mod observe;
pub mod pair;
pub mod print;
pub mod ratings;
pub mod run;
pub mod serve;
pub mod standings;
pub mod token;
pub mod trf;
pub mod watch;
