//! Reports on the results of pfga and pfts (the role of Gastric, EPD 3.3). `verbs/report.rs` reads the
//! files and calls this module.
//!
//! Each record is read as a question and an `answer`, and matched with those of the other files
//! (`rows`). All records make up a [`Report`] (`summary`): the effort of the searches (`effort`),
//! comparisons of each pair of files (`comparison`) and results by `theme`, with the statistics in
//! `numbers`. These modules are pure. `json` and `csv` write the report as data. The formats for
//! people have a `title` and a `conclusion`, and lay out the sections of `outline`; an `html` page
//! also has charts (`plots`) and boards. `chart` is the leading chart of the page as a file.

pub mod answer;
mod chart;
mod comparison;
mod conclusion;
mod csv;
mod distribution;
mod effort;
mod html;
mod json;
mod markdown;
mod numbers;
mod outline;
mod plots;
pub mod rows;
mod sts;
pub mod summary;
mod terminal;
mod theme;
mod title;
mod words;

use std::io::{self, Write};

use crate::cli::ReportFormat;
use summary::Report;

/// Why there is no chart.
const NO_CURVE: &str = "there is nothing to draw: no record with a target says when it was solved \
                        (Sct, Scn or Scd, which pfts writes)";

/// Writes a report in a format, with at most `boards` boards on an HTML page.
pub fn write(
    report: &Report,
    format: ReportFormat,
    boards: usize,
    out: &mut dyn Write,
) -> io::Result<()> {
    match format {
        ReportFormat::Terminal => out.write_all(terminal::render(report).as_bytes()),
        ReportFormat::Markdown => out.write_all(markdown::render(report).as_bytes()),
        ReportFormat::Html => out.write_all(html::render(report, boards).as_bytes()),
        ReportFormat::Csv => csv::write(report, out),
        ReportFormat::Json => json::write(report, out),
        ReportFormat::Svg => {
            let chart = chart::render(report).ok_or_else(|| io::Error::other(NO_CURVE))?;
            out.write_all(chart.as_bytes())
        }
    }
}

#[cfg(test)]
mod tests;
