//! `epode report`: what results of pfga and pfts come to (the part of Gastric, EPD 3.3).
//!
//! Each record is read as a question and an `answer`, and put beside those of the other files (`rows`).
//! All records become a [`Report`] (`summary`), which has what searches took (`effort`), every two files
//! against each other (`comparison`) and the positions by `theme`, by the statistics in `numbers`: all
//! that is pure. A report begins with a `title` and a `conclusion`; `json` and `csv` write it as it is,
//! the others what `outline` makes of it, a page (`html`) with charts (`svg`) and boards besides.

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

/// Writes a report in a format; a page shows so many boards at most.
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

/// An output to which anything is written that asks for [`Write`].
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
