//! `--background`: a referee without a terminal.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::Context;

use super::args::Network;
use super::event_file::read_event;
use super::print;
use crate::ExitStatus;

/// Starts this program again, detached from the terminal, with its output in `output.log` in the
/// event's folder.
pub fn start(verb: &str, path: &Path, network: &Network) -> anyhow::Result<ExitStatus> {
    let output = if verb == "run" {
        let (config, _) = read_event(path)?;
        let directory = config.directory(path);
        fs::create_dir_all(&directory)?;
        directory.join("output.log")
    } else {
        path.join("output.log")
    };
    let file = fs::OpenOptions::new()
        .create(true)
        .append(true)
        .open(&output);
    let file = file.with_context(|| format!("cannot write {}", output.display()))?;
    let mut command = Command::new(std::env::current_exe()?);
    command.arg(verb).arg(path).args(network.arguments());
    command
        .stdin(Stdio::null())
        .stdout(file.try_clone()?)
        .stderr(file);
    #[cfg(unix)]
    {
        use std::os::unix::process::CommandExt;
        // A process group of its own, so that Ctrl-C on this terminal does not reach it.
        command.process_group(0);
    }
    let child = command.spawn().context("cannot start the referee")?;
    print(&format!(
        "process {}, output in {}",
        child.id(),
        output.display()
    ));
    Ok(ExitStatus::Finished)
}
