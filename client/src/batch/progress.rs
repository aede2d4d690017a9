//! How far a run is, on a terminal.

use std::io::IsTerminal;

use epd::Reader;
use indicatif::{ProgressBar, ProgressStyle};

use crate::args::Stream;
use crate::input::Records;

/// The records that a file has; unknown for standard input, which can be read only once. Nobody
/// sees it where there is no terminal.
pub fn count_records(input: &Stream, reader: Reader<'_>) -> anyhow::Result<Option<u64>> {
    if *input == Stream::Standard || !std::io::stderr().is_terminal() {
        return Ok(None);
    }
    Ok(Some(Records::open(input, reader)?.count() as u64))
}

/// A bar on a terminal, nothing elsewhere.
pub fn bar(total: Option<u64>) -> ProgressBar {
    let (bar, template) = match total {
        Some(total) => (
            ProgressBar::new(total),
            "{wide_bar} {pos}/{len}, {msg}, {per_sec}, {elapsed} gone, {eta} to go",
        ),
        None => (
            ProgressBar::no_length(),
            "{spinner} {pos} records, {msg}, {per_sec}, {elapsed} gone",
        ),
    };
    let style = ProgressStyle::with_template(template).unwrap_or(ProgressStyle::default_bar());
    bar.with_style(style)
}
