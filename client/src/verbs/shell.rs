//! `epode completions` and `epode man`: shell completions and man pages.

use std::fs;

use anyhow::Context;
use clap::CommandFactory;

use crate::cli::{Args, Completions, Man};
use crate::exit_status::ExitStatus;
use crate::io::output::Output;
use crate::io::stream::Stream;

/// Prints the script.
pub fn completions(args: &Completions) -> anyhow::Result<ExitStatus> {
    // Generated in memory: the generator panics if the output is closed.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Args::command(), "epode", &mut script);
    let mut output = Output::create(&Stream::Standard)?;
    output.line(&String::from_utf8(script)?.trim_end())?;
    output.finish()?;
    Ok(ExitStatus::Success)
}

/// Writes `epode.1` and a page for each command, such as `epode-pfts.1`.
pub fn man(args: &Man) -> anyhow::Result<ExitStatus> {
    let directory = &args.directory;
    let failed = || format!("cannot write man pages into {}", directory.display());
    fs::create_dir_all(directory).with_context(failed)?;
    clap_mangen::generate_to(Args::command(), directory).with_context(failed)?;
    Ok(ExitStatus::Success)
}
