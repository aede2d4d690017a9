//! Where the records of a run go: to a stream, or as lines for people to a terminal.

use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};

use indicatif::ProgressBar;

use super::screen::{Row, Screen};
use crate::io::output::Output;

pub enum Sink {
    Records(Output),
    Screen(Screen),
}

impl Sink {
    /// Writes a record, or prints what it came to or why it was not analysed. The progress bar makes
    /// room on the terminal that it shares with standard output.
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
            Self::Screen(screen) => Ok(bar.suspend(|| screen.print(record, row))?),
        }
    }

    /// Copies a line that is not a record. People do not need to see it.
    pub fn copy(&mut self, line: &[u8], bar: &ProgressBar) -> anyhow::Result<()> {
        match self {
            Self::Records(output @ Output::Standard(_)) if io::stdout().is_terminal() => {
                bar.suspend(|| output.write(line))
            }
            Self::Records(output) => output.write(line),
            Self::Screen(_) => Ok(()),
        }
    }

    /// The file that it will be in the end; none for other streams.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Self::Records(output) => output.path(),
            Self::Screen(_) => None,
        }
    }

    /// Puts a file in its place.
    pub fn finish(self) -> anyhow::Result<()> {
        match self {
            Self::Records(output) => output.finish(),
            Self::Screen(_) => Ok(()),
        }
    }

    /// Leaves a file that grows as it is; returns where it is.
    pub fn leave(self) -> Option<PathBuf> {
        match self {
            Self::Records(output) => output.leave(),
            Self::Screen(_) => None,
        }
    }

    /// Removes a file that grows.
    pub fn discard(self) -> io::Result<()> {
        match self {
            Self::Records(output) => output.discard(),
            Self::Screen(_) => Ok(()),
        }
    }
}
