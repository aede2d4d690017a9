//! The program: a chess engine that speaks EPD.

#![forbid(unsafe_code)]

/// Prints to standard error. Unlike the macros of `std`, it does not panic when nobody reads that any
/// more, or when it goes to a full disk: the work goes on.
macro_rules! eprintln {
    ($($message:tt)*) => {{
        use std::io::Write as _;
        let _ = writeln!(std::io::stderr(), $($message)*);
    }};
}

/// [`eprintln`] without the end of the line.
macro_rules! eprint {
    ($($message:tt)*) => {{
        use std::io::Write as _;
        let _ = write!(std::io::stderr(), $($message)*);
    }};
}

mod analyse;
mod args;
mod batch;
mod bench;
mod compression;
mod datagen;
mod filter;
mod games;
mod input;
mod lag;
mod output;
mod parallel;
mod perft;
mod pfdn;
mod pfdr;
mod pfga;
mod pfms;
mod pfop;
mod pfts;
mod play;
mod player;
mod report;
mod run_info;
mod shell;
mod target;
mod train;
mod uci;
mod unpack;
mod validate;

use std::process::ExitCode;

use args::{Args, Command};

fn main() -> ExitCode {
    let done = match Args::read().command {
        Command::Pfga(args) => pfga::run(&args),
        Command::Pfms(args) => pfms::run(&args),
        Command::Pfts(args) => pfts::run(&args),
        Command::Report(args) => report::run(&args),
        Command::Pfdn(args) => pfdn::run(&args),
        Command::Pfop(args) => pfop::run(&args),
        Command::Pfdr(args) => pfdr::run(&args),
        Command::Validate(args) => validate::run(&args),
        Command::Client(args) => play::run(&args),
        Command::Uci(net) => uci::run(&net),
        Command::Perft(args) => perft::run(&args),
        Command::Bench(args) => bench::run(&args),
        Command::Datagen(args) => datagen::run(&args),
        Command::Train(args) => train::run(&args),
        Command::Unpack(args) => unpack::run(&args),
        Command::Completions(args) => shell::completions(&args),
        Command::Man(args) => shell::man(&args),
    };
    match done {
        Ok(verdict) => verdict.into(),
        // Whoever reads our output has enough: that is no failure.
        Err(error) if output::is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("epode: {error:#}");
            Verdict::Failed.into()
        }
    }
}

/// What the exit status tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Verdict {
    /// 0: all was well.
    Good,
    /// 1: the input was read, and something in it is wrong.
    Faulty,
    /// 2: something could not be read, written or understood.
    Failed,
}

impl From<Verdict> for ExitCode {
    fn from(verdict: Verdict) -> Self {
        Self::from(verdict as u8)
    }
}
