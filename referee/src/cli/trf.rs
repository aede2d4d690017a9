//! `trf`: the tournament report file of an event. `init --trf`: an event from such a file.

mod event;

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Args as Arguments;
use referee::report_file::report;

use super::print::{print_result, warn};
use super::standings::load;
use crate::exit_status::ExitStatus;

pub use self::event::init;

/// Of which event, and where to.
#[derive(Clone, Debug, Arguments)]
pub struct Trf {
    /// The event's folder
    #[arg(value_name = "DIR")]
    directory: PathBuf,
    /// The file to write; without it, or with `-`, print to standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Writes the report.
pub fn trf(args: &Trf) -> anyhow::Result<ExitStatus> {
    let (ledger, dates) = load(&args.directory)?;
    let (report, notes) =
        report(&ledger, &dates).with_context(|| args.directory.display().to_string())?;
    warn(&notes);
    let text = report.to_string();
    match args
        .output
        .as_deref()
        .filter(|&path| path != Path::new("-"))
    {
        None => print_result(text.trim_end())?,
        Some(path) => {
            write(path, &text).with_context(|| format!("cannot write {}", path.display()))?;
        }
    }
    Ok(ExitStatus::Finished)
}

/// Writes a file completely or not at all.
fn write(path: &Path, text: &str) -> anyhow::Result<()> {
    let folder = match path.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    };
    let is_file = fs::metadata(path).is_ok_and(|metadata| metadata.is_file());
    if path.exists() && !is_file {
        // A pipe or a device.
        return Ok(fs::write(path, text)?);
    }
    let mut file = tempfile::Builder::new();
    #[cfg(unix)]
    file.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut file = file.tempfile_in(folder)?;
    file.write_all(text.as_bytes())?;
    file.persist(path)?;
    Ok(())
}
