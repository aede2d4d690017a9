//! `epode-referee`: runs chess tournaments over TCP.

#![forbid(unsafe_code)]

mod cli;
mod exit_status;
mod shell;

use std::process::ExitCode;

use cli::args::Command;
use exit_status::ExitStatus;

fn main() -> ExitCode {
    let status = run(cli::command_line::read().command).unwrap_or_else(|error| {
        eprintln!("epode-referee: {error:#}");
        ExitStatus::Error
    });
    ExitCode::from(status as u8)
}

fn run(command: Command) -> anyhow::Result<ExitStatus> {
    match command {
        Command::Check { event } => cli::event_file::check(&event),
        Command::Init {
            event: Some(event),
            tls: true,
            hosts,
            ..
        } => cli::certificate::init(&event, &hosts),
        Command::Init {
            event,
            trf: Some(report),
            ..
        } => cli::trf::init(&report, event.as_deref()),
        Command::Init { event, .. } => cli::event_file::init(event.as_deref()),
        Command::Run {
            event,
            background: true,
            ..
        } => cli::background::start("run", &event),
        Command::Run {
            event,
            network,
            moves,
            ..
        } => cli::run::run(&event, &network, moves),
        Command::Resume {
            directory,
            background: true,
            ..
        } => cli::background::start("resume", &directory),
        Command::Resume {
            directory,
            network,
            moves,
            ..
        } => cli::run::resume(&directory, &network, moves),
        Command::Observe(args) => cli::observe::observe(&args),
        Command::Control { directory, given } => {
            cli::print::print_result(&cli::control::ask(&directory, given)?)?;
            Ok(ExitStatus::Finished)
        }
        Command::Serve { directory, http } => cli::serve::serve(&directory, http.as_deref()),
        Command::Watch { target } => cli::watch::watch(&target),
        Command::Pair(args) => cli::pair::pair(&args),
        Command::Ratings(args) => cli::ratings::ratings(&args),
        Command::Standings { directory } => cli::standings::standings(&directory),
        Command::Stop { directory } => cli::control::stop(&directory),
        Command::Trf(args) => cli::trf::trf(&args),
        Command::Token { name, .. } => cli::token::token(name.as_deref()),
        Command::Demo {
            http,
            games,
            time_control,
        } => cli::demo::demo(http.as_deref(), games, &time_control),
        Command::Completions { shell } => shell::completions(shell),
        Command::Man { directory } => shell::man(&directory),
    }
}
