//! `standings`: the standings of an event by its journal, whether a referee is running or not.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::Context;
use referee::event::Ledger;
use referee::journal::{self, Entry};
use referee::standings;
use referee::storage;

use super::event_file::{read_openings, read_saved_event};
use super::print::print_result;
use crate::exit_status::ExitStatus;

/// Prints the standings.
pub fn standings(directory: &Path) -> anyhow::Result<ExitStatus> {
    let (ledger, _) = load(directory)?;
    print_result(text(&ledger).trim_end())?;
    Ok(ExitStatus::Finished)
}

/// The tables of the standings, the replaced players and the forfeits; with SPRT its state too.
pub fn text(ledger: &Ledger) -> String {
    let standings = ledger.standings();
    let mut text = [
        standings.table(),
        "\n".to_owned(),
        standings.cross_table(),
        standings.replacements(),
        standings.forfeits(),
    ]
    .concat();
    if let Some(sprt) = &standings.sprt {
        let (lower, upper) = (sprt.lower, sprt.upper);
        let line = format!(
            "\nllr {:.2} ({lower:.2} to {upper:.2}): {}",
            sprt.llr, sprt.state
        );
        text.push_str(&line);
        if let Some(line) = standings.of(0).and_then(standings::text::elo_line) {
            text.push('\n');
            text.push_str(&line);
        }
    }
    text
}

/// The state of an event by the journal in its folder, and the dates of its games. Nothing is written, and a referee may
/// be running.
pub fn load(directory: &Path) -> anyhow::Result<(Ledger, BTreeMap<usize, String>)> {
    let mut config = read_saved_event(&directory.join("event.toml"))?;
    if let Some(book) = &mut config.openings {
        book.file = storage::OPENINGS.into();
    }
    let (openings, _) = read_openings(&config, directory)?;
    let path = directory.join(storage::JOURNAL);
    let bytes = fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
    // The referee may be writing the last line.
    let (entries, _) =
        journal::read(&bytes).map_err(|error| anyhow::anyhow!("{}:{error}", path.display()))?;
    let mut dates = BTreeMap::new();
    for entry in &entries {
        if let Entry::Begun { game, date, .. } = entry {
            dates.insert(*game, date.clone());
        }
    }
    let mut ledger = Ledger::new(config, openings)?;
    ledger.resume(entries)?;
    Ok((ledger, dates))
}
