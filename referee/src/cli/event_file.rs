//! `check` and `init`: reading and writing event files.

use std::fs;
use std::io::Write as _;
use std::path::Path;

use anyhow::{Context, bail};
use referee::config::{Config, TEMPLATE};
use referee::openings::{self, Opening};

use super::print;
use crate::ExitStatus;

/// Reads an event file and describes the event.
pub fn check(path: &Path) -> anyhow::Result<ExitStatus> {
    let (config, _) = read_event(path)?;
    let (openings, _) = read_openings(&config, folder_of(path))?;
    print(&format!("{config}\n{} openings", openings.len()));
    Ok(ExitStatus::Finished)
}

/// Writes the template of an event file, to standard output if no path is given.
pub fn init(path: Option<&Path>) -> anyhow::Result<ExitStatus> {
    let Some(path) = path else {
        print(TEMPLATE.trim_end());
        return Ok(ExitStatus::Finished);
    };
    let file = fs::OpenOptions::new()
        .write(true)
        .create_new(true)
        .open(path);
    let mut file = file.with_context(|| format!("cannot create {}", path.display()))?;
    file.write_all(TEMPLATE.as_bytes())
        .with_context(|| format!("cannot write {}", path.display()))?;
    Ok(ExitStatus::Finished)
}

/// The folder that paths in an event file are relative to.
pub fn folder_of(path: &Path) -> &Path {
    path.parent().unwrap_or(Path::new(""))
}

/// Reads a new event's file; returns its text too.
pub fn read_event(path: &Path) -> anyhow::Result<(Config, String)> {
    let text = read_text(path)?;
    let config = Config::read(&text).with_context(|| path.display().to_string())?;
    Ok((config, text))
}

/// Reads the copy of the event file in an event's folder. An earlier version may have written it, so
/// old names of settings are accepted.
pub fn read_saved_event(path: &Path) -> anyhow::Result<Config> {
    Config::read_saved(&read_text(path)?).with_context(|| path.display().to_string())
}

fn read_text(path: &Path) -> anyhow::Result<String> {
    fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))
}

/// Reads an event's openings; returns the book's text too. Without a book, every game begins from the
/// starting position.
pub fn read_openings(
    config: &Config,
    folder: &Path,
) -> anyhow::Result<(Vec<Opening>, Option<String>)> {
    let Some(book) = &config.openings else {
        return Ok((vec![Opening::default()], None));
    };
    let path = folder.join(&book.file);
    let text = fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
    let text = String::from_utf8_lossy(&text);
    let openings = openings::read(&text, book.plies);
    let openings = openings.map_err(|error| anyhow::anyhow!("{}:{error}", path.display()))?;
    if openings.is_empty() {
        bail!("{} has no openings", path.display());
    }
    Ok((openings, Some(text.into_owned())))
}
