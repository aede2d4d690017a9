//! How far a run is, on a terminal.

use std::io::IsTerminal;

use indicatif::{ProgressBar, ProgressStyle};

use crate::args::Stream;
use crate::input;

/// The records that a file has, if that is known. Nobody sees it where there is no terminal.
pub fn count_records(input: &Stream) -> anyhow::Result<Option<u64>> {
    if !std::io::stderr().is_terminal() {
        return Ok(None);
    }
    input::count_records(input)
}

/// A bar on a terminal, nothing elsewhere. It is never as wide as the terminal, lest the `^C` of a
/// user goes to the next line; a message that is too long is cut.
pub fn bar(total: Option<u64>) -> ProgressBar {
    let (bar, template) = match total {
        Some(total) => (
            ProgressBar::new(total),
            "{bar:20} {pos}/{len}, {eta} to go: {wide_msg}",
        ),
        None => (
            ProgressBar::no_length(),
            "{spinner} {pos} records, {elapsed} gone: {wide_msg}",
        ),
    };
    let style = ProgressStyle::with_template(template).unwrap_or(ProgressStyle::default_bar());
    bar.with_style(style)
}
