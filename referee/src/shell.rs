//! `epode-referee completions` and `epode-referee man`: what a package installs beside the program.

use std::fs;
use std::path::Path;

use anyhow::Context;
use clap::CommandFactory;
use clap_complete::Shell;

use crate::cli::args::Args;
use crate::cli::print::print_result;
use crate::exit_status::ExitStatus;

/// Prints a completion script.
pub fn completions(shell: Shell) -> anyhow::Result<ExitStatus> {
    // Into memory first: the generator panics when nobody reads what it writes.
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Args::command(), "epode-referee", &mut script);
    print_result(String::from_utf8(script)?.trim_end())?;
    Ok(ExitStatus::Finished)
}

/// Writes `epode-referee.1` and a page for each command, such as `epode-referee-run.1`.
pub fn man(directory: &Path) -> anyhow::Result<ExitStatus> {
    let failed = || format!("cannot write man pages into {}", directory.display());
    fs::create_dir_all(directory).with_context(failed)?;
    clap_mangen::generate_to(Args::command(), directory).with_context(failed)?;
    Ok(ExitStatus::Finished)
}
