//! The progress bar of a run.

use std::io::IsTerminal;

use console::Term;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::narrow::Narrow;
use crate::io::input;
use crate::io::stream::Stream;

const REFRESHES_A_SECOND: u8 = 20;

/// The number of records in a file, if it is known; not counted without a terminal to show it on.
pub fn count_records(input: &Stream) -> anyhow::Result<Option<u64>> {
    if !std::io::stderr().is_terminal() {
        return Ok(None);
    }
    input::count_records(input)
}

/// A progress bar on a terminal, hidden elsewhere. A message that is too long is cut.
pub fn bar(total: Option<u64>) -> ProgressBar {
    let (bar, template) = match total {
        Some(total) => (
            ProgressBar::new(total),
            "{bar:20} {pos}/{len}, {eta} to go: {wide_msg}",
        ),
        None => (
            ProgressBar::no_length(),
            "{spinner} {pos} done, {elapsed} elapsed: {wide_msg}",
        ),
    };
    let style = ProgressStyle::with_template(template).unwrap_or(ProgressStyle::default_bar());
    let terminal = Term::buffered_stderr();
    bar.set_draw_target(if terminal.is_term() {
        ProgressDrawTarget::term_like_with_hz(Box::new(Narrow(terminal)), REFRESHES_A_SECOND)
    } else {
        ProgressDrawTarget::hidden()
    });
    bar.with_style(style)
}
