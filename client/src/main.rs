//! The command-line program `epode`.
//!
//! `cli` parses the command line; `verbs` has a module for each command, except for `play` (the command
//! `client`), `tune`, `uci` and `xboard`; the latter two share the search thread of `think`. `batch` runs the verbs
//! that analyse: it feeds records to `engines` and writes the results, and `report` summarises result files.
//! `query` is the language of the verb of that name, whose terms `sort` and `split` use too. EPD lines enter in `io/input.rs`, results leave in
//! `batch/sink.rs`. All of them share `io` (input, output, compression and threads), `text` (numbers and
//! names in messages) and `exit_status`. `build_info` describes this build.

#![forbid(unsafe_code)]

/// Prints to standard error. Unlike the macro of `std`, it does not panic when the pipe is closed or
/// the disk is full, so that the run continues.
macro_rules! eprintln {
    ($($message:tt)*) => {{
        use std::io::Write as _;
        let _ = writeln!(std::io::stderr(), $($message)*);
    }};
}

/// Like [`eprintln`], without the line end.
macro_rules! eprint {
    ($($message:tt)*) => {{
        use std::io::Write as _;
        let _ = write!(std::io::stderr(), $($message)*);
    }};
}

mod batch;
mod build_info;
mod cli;
mod engines;
mod exit_status;
mod io;
mod play;
mod query;
mod report;
mod text;
mod think;
mod tune;
mod uci;
mod verbs;
mod xboard;

use std::process::ExitCode;

use cli::{Args, Command};
use exit_status::ExitStatus;

fn main() -> ExitCode {
    let result = match Args::read().command {
        Command::Pfga(args) => verbs::pfga::run(&args),
        Command::Pfms(args) => verbs::pfms::run(&args),
        Command::Pfts(args) => verbs::pfts::run(&args),
        Command::Report(args) => verbs::report::run(&args),
        Command::Pfdn(args) => verbs::pfdn::run(&args),
        Command::Pfop(args) => verbs::pfop::run(&args),
        Command::Pfdr(args) => verbs::pfdr::run(&args),
        Command::Validate(args) => verbs::validate::run(&args),
        Command::Unique(args) => verbs::unique::run(&args),
        Command::Merge(args) => verbs::merge::run(&args),
        Command::Query(args) => verbs::query::run(&args),
        Command::Sort(args) => verbs::sort::run(&args),
        Command::Sample(args) => verbs::sample::run(&args),
        Command::Split(args) => verbs::split::run(&args),
        Command::Stats(args) => verbs::stats::run(&args),
        Command::Mine(args) => verbs::mine::run(&args),
        Command::Convert(args) => verbs::convert::run(&args),
        Command::Diagram(args) => verbs::diagram::run(&args),
        Command::Book(args) => verbs::book::run(&args),
        Command::Client(args) => play::run(&args),
        Command::Uci(args) => uci::run(&args),
        Command::Xboard(args) => xboard::run(&args),
        Command::Tune(args) => tune::run(&args),
        Command::Perft(args) => verbs::perft::run(&args),
        Command::Bench(args) => verbs::bench::run(&args),
        Command::Completions(args) => verbs::shell::completions(&args),
        Command::Man(args) => verbs::shell::man(&args),
    };
    match result {
        Ok(status) => status.into(),
        // A reader such as `head` has read enough.
        Err(error) if io::output::is_closed_by_reader(&error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("epode: {error:#}");
            ExitStatus::Failed.into()
        }
    }
}
