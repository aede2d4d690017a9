//! Reports on the results of pfga and pfts (the role of Gastric, EPD 3.3). `verbs/report.rs` reads the
//! files and calls this module.
//!
//! Each record is read as a question and an `answer`, and matched with those of the other files
//! (`rows`). All records make up a [`Report`] (`summary`): the effort of the searches (`effort`),
//! comparisons of each pair of files (`comparison`) and results by `theme`, with the statistics in
//! `numbers`. These modules are pure. `json` and `csv` write the report as data. The formats for
//! people have a `title` and a `conclusion`, and lay out the sections of `outline`; an `html` page
//! also has charts (`svg`) and boards.

pub mod answer;
mod board;
mod comparison;
mod conclusion;
mod csv;
mod effort;
mod html;
mod json;
mod markdown;
mod numbers;
mod outline;
pub mod rows;
mod sts;
pub mod summary;
mod svg;
mod terminal;
mod theme;
mod title;
mod words;

use std::io::{self, Write};

use crate::cli::ReportFormat;
use crate::io::output::{Output, is_broken_pipe};
use summary::Report;

/// Writes a report in a format, with at most `boards` boards on an HTML page.
pub fn write(
    report: &Report,
    format: ReportFormat,
    boards: usize,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    match format {
        ReportFormat::Terminal => out.write_all(terminal::render(report).as_bytes())?,
        ReportFormat::Markdown => out.write_all(markdown::render(report).as_bytes())?,
        ReportFormat::Html => out.write_all(html::render(report, boards).as_bytes())?,
        ReportFormat::Csv => csv::write(report, out)?,
        ReportFormat::Json => json::write(report, out)?,
    }
    Ok(())
}

/// An adapter from [`Output`] to [`Write`].
pub struct Sink<'o>(pub &'o mut Output);

impl Write for Sink<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes).map_err(|error| {
            // A reader that has gone is recognised by its kind.
            if is_broken_pipe(&error) {
                io::ErrorKind::BrokenPipe.into()
            } else {
                io::Error::other(error)
            }
        })?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests;
