//! The command-line program `epode-train`: plays self-play games, and trains networks on them.
//!
//! `cli` parses the command line, `verbs` has a module for each verb. The library does the rest.

#![forbid(unsafe_code)]

/// Prints to standard error. Unlike the macro of `std`, it does not panic when the pipe is closed or
/// the disk is full, so that the run continues.
macro_rules! eprintln {
    ($($message:tt)*) => {{
        use std::io::Write as _;
        let _ = writeln!(std::io::stderr(), $($message)*);
    }};
}

mod book;
mod cli;
mod exit_status;
mod output;
mod parallel;
mod verbs;

use std::io;
use std::process::ExitCode;

use clap::Parser;

use cli::{Args, Command};
use exit_status::ExitStatus;

fn main() -> ExitCode {
    let result = match Args::parse().command {
        Command::Datagen(args) => verbs::datagen::run(&args),
        Command::Unpack(args) => verbs::unpack::run(&args),
        Command::Train(args) => verbs::train::run(&args),
    };
    match result {
        Ok(status) => status.into(),
        // The reader of the output closed the pipe, which is not a failure.
        Err(error) if is_broken_pipe(&error) => ExitStatus::Success.into(),
        Err(error) => {
            eprintln!("epode-train: {error:#}");
            ExitStatus::Failed.into()
        }
    }
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .downcast_ref::<io::Error>()
        .is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}
