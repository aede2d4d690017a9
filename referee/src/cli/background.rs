//! `--background`: a referee without a terminal.

use std::fs;
use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use anyhow::{Context, bail};

use super::event_file::read_event;
use super::print::{WARNING, print};
use crate::exit_status::ExitStatus;

/// How often to look whether the referee listens.
const POLL: Duration = Duration::from_millis(20);

/// Starts this program again with the same arguments, detached from the terminal, with its output in
/// `output.log` in the event's folder. Returns when it listens; if it ends before, that is an error.
pub fn start(verb: &str, path: &Path) -> anyhow::Result<ExitStatus> {
    let directory = if verb == "run" {
        let (config, _) = read_event(path)?;
        config.directory(path)
    } else {
        path.to_owned()
    };
    fs::create_dir_all(&directory)
        .with_context(|| format!("cannot create {}", directory.display()))?;
    let output = directory.join("output.log");
    let file = fs::OpenOptions::new()
        .create(true)
        .append(true)
        .open(&output);
    let file = file.with_context(|| format!("cannot write {}", output.display()))?;
    let before = file.metadata()?.len();
    let arguments = std::env::args_os().skip(1);
    let mut command = Command::new(std::env::current_exe()?);
    command.args(arguments.filter(|argument| argument != "--background"));
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
    let mut child = command.spawn().context("cannot start the referee")?;
    loop {
        let ended = child.try_wait()?;
        let said = read_from(&output, before)?;
        let address = said.lines().find(|line| line.starts_with("listening on "));
        let warnings = said.lines().filter(|line| line.starts_with(WARNING));
        let warnings: Vec<_> = warnings.collect();
        if let (Some(address), true) = (address, said.contains('\n')) {
            for warning in warnings {
                eprintln!("{warning}");
            }
            let id = child.id();
            print(&format!(
                "process {id}, {address}, output in {}",
                output.display()
            ));
            return Ok(ExitStatus::Finished);
        }
        if let Some(status) = ended {
            bail!("the referee ended ({status}):\n{}", said.trim_end());
        }
        thread::sleep(POLL);
    }
}

/// What was added to a file since it was so long.
fn read_from(path: &Path, start: u64) -> anyhow::Result<String> {
    let mut file = fs::File::open(path).with_context(|| path.display().to_string())?;
    file.seek(SeekFrom::Start(start))?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
