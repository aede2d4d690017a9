//! `epode completions` and `epode man`: what a package installs beside the program.

use std::fs;
use std::path::PathBuf;

use anyhow::Context;
use clap::{Args as Arguments, CommandFactory};
use clap_complete::Shell;

use crate::cli::{Args, Stream};
use crate::exit_status::ExitStatus;
use crate::io::output::Output;

#[derive(Debug, Arguments)]
#[command(after_help = "\
Examples:
  epode completions bash > ~/.local/share/bash-completion/completions/epode
  epode completions zsh > ~/.zfunc/_epode    (a folder in $fpath)
  epode completions fish > ~/.config/fish/completions/epode.fish")]
pub struct Completions {
    /// The shell that reads the script
    pub shell: Shell,
}

#[derive(Debug, Arguments)]
#[command(after_help = "\
Example:
  epode man ~/.local/share/man/man1
  man epode-pfts")]
pub struct Man {
    /// The folder to write the pages into; created if it does not exist
    #[arg(value_name = "DIR")]
    pub directory: PathBuf,
}

/// Prints the script.
pub fn completions(args: &Completions) -> anyhow::Result<ExitStatus> {
    // Into memory first: the generator panics when nobody reads what it writes.
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
