//! The output of a run: records to a stream, or a table to a terminal.

use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};

use anyhow::Context;
use indicatif::ProgressBar;

use super::screen::{Row, Screen};
use crate::io::output::{Output, StandardOutput};

pub enum Sink {
    Records(Output),
    Screen(Screen),
}

impl Sink {
    /// Writes a record, or prints its line in the table. The progress bar is suspended if it shares the
    /// terminal with standard output.
    pub fn put(
        &mut self,
        record: &str,
        row: Result<&Row, &str>,
        bar: &ProgressBar,
    ) -> anyhow::Result<()> {
        match self {
            Self::Records(output @ Output::Standard(_)) if io::stdout().is_terminal() => {
                bar.suspend(|| output.line(&record))
            }
            Self::Records(output) => output.line(&record),
            Self::Screen(screen) => bar
                .suspend(|| screen.print(record, row))
                .context(StandardOutput),
        }
    }

    /// Copies a line that is not a record; the table leaves it out.
    pub fn copy(&mut self, line: &[u8], bar: &ProgressBar) -> anyhow::Result<()> {
        match self {
            Self::Records(output @ Output::Standard(_)) if io::stdout().is_terminal() => {
                bar.suspend(|| output.write(line))
            }
            Self::Records(output) => output.write(line),
            Self::Screen(_) => Ok(()),
        }
    }

    /// The path of the finished file; none for other streams.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Self::Records(output) => output.path(),
            Self::Screen(_) => None,
        }
    }

    /// Completes the output.
    pub fn finish(self) -> anyhow::Result<()> {
        match self {
            Self::Records(output) => output.finish(),
            Self::Screen(_) => Ok(()),
        }
    }

    /// Keeps the unfinished part file; returns its path.
    pub fn leave(self) -> Option<PathBuf> {
        match self {
            Self::Records(output) => output.leave(),
            Self::Screen(_) => None,
        }
    }

    /// Removes the unfinished part file.
    pub fn discard(self) -> io::Result<()> {
        match self {
            Self::Records(output) => output.discard(),
            Self::Screen(_) => Ok(()),
        }
    }
}
