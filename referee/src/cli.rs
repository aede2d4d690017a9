//! The command line: one file per group of subcommands.

pub mod args;
pub mod background;
pub mod control;
pub mod demo;
pub mod event_file;
pub mod run;
pub mod token;

use std::io::Write as _;

/// Prints a line. Errors are ignored: an event goes on when nobody reads its output.
pub fn print(text: &str) {
    let _ = writeln!(std::io::stdout(), "{text}");
}
