//! `epode report`: what results of pfga and pfts come to (the part of Gastric, EPD 3.3).
//!
//! A file becomes [`Results`] here: each record a question and an `answer`. Several of them become a
//! [`Report`] (`summary`), which has the records side by side (`rows`), what searches took (`effort`)
//! and every two files against each other (`comparison`), by the statistics in `numbers`: all that is
//! pure. A report becomes a text: `json` and `csv` write it as it is, the others what `outline` makes of
//! it, a page with charts (`svg`) and boards besides.

mod answer;
mod board;
mod comparison;
mod csv;
mod effort;
mod html;
mod json;
mod markdown;
mod numbers;
mod outline;
mod rows;
mod summary;
mod svg;
mod terminal;
mod words;

use anyhow::bail;
use epd::Reader;

use crate::Verdict;
use crate::args::{Least, Report as Args, ReportFormat, Stream};
use crate::filter::counted;
use crate::input::{Message, Records};
use crate::output::Output;
use summary::{Report, Results, Totals};

pub fn run(args: &Args) -> anyhow::Result<Verdict> {
    let standard = args
        .inputs
        .iter()
        .filter(|&input| *input == Stream::Standard);
    if standard.count() > 1 {
        bail!("standard input can be read only once, and - is named several times");
    }
    if args.names.len() > args.inputs.len() {
        let files = counted(args.inputs.len(), "file", "files");
        bail!("--name is given {} times for {files}", args.names.len());
    }
    let format = args.format()?;
    let mut verdict = Verdict::Good;
    let mut files = Vec::new();
    for (i, input) in args.inputs.iter().enumerate() {
        let (mut results, found) = read(input)?;
        results.name = match args.names.get(i) {
            Some(name) => name.clone(),
            None => input.to_string(),
        };
        files.push(results);
        verdict = verdict.max(found);
    }
    let report = Report::new(files);
    for comparison in &report.comparisons {
        let [first, second] = comparison.files.map(|file| &report.files[file].name);
        if comparison.different_positions > 0 {
            let (differ, all) = (comparison.different_positions, comparison.records);
            eprintln!(
                "{first} and {second}: {differ} of {all} records have the same id and different positions"
            );
        }
    }
    let text = match format {
        ReportFormat::Terminal => terminal::render(&report),
        ReportFormat::Markdown => markdown::render(&report),
        ReportFormat::Csv => csv::render(&report),
        ReportFormat::Json => json::render(&report)?,
        ReportFormat::Html => html::render(&report, args.boards),
    };
    let mut output = Output::create(&args.output)?;
    output.write(text.as_bytes())?;
    output.finish()?;
    if let Some(least) = args.fail_under {
        for file in report.files.iter().filter(|file| fails(file, least)) {
            let (solved, targets) = (file.score.solved, file.score.targets());
            let name = &file.name;
            eprintln!("{name}: {solved} of {targets} solved, which is under {least}");
            verdict = verdict.max(Verdict::Faulty);
        }
    }
    Ok(verdict)
}

/// Whether too little was solved; of nothing, any share is too little.
fn fails(file: &Totals, least: Least) -> bool {
    match least {
        Least::Count(least) => file.score.solved < least,
        Least::Percent(least) => {
            let [solved, targets] = [file.score.solved, file.score.targets()].map(|n| n as f64);
            targets == 0.0 || 100.0 * solved < least * targets
        }
    }
}

/// Reads a file, and tells what is wrong in it.
fn read(input: &Stream) -> anyhow::Result<(Results, Verdict)> {
    let mut results = Results::default();
    let mut verdict = Verdict::Good;
    for numbered in Records::open(input, Reader::lenient())? {
        let numbered = numbered?;
        let line = numbered.line;
        let mut tell = |place: (usize, Option<usize>), text: &str, found: Verdict| {
            let (line, column) = place;
            let message = Message {
                stream: input,
                line,
                column,
                text,
            };
            eprintln!("{message}");
            verdict = verdict.max(found);
        };
        let record = match numbered.record {
            Ok(record) => record,
            Err(fault) => {
                let (line, column) = fault.place;
                tell((line, Some(column)), &fault.message, Verdict::Failed);
                results.unreadable += 1;
                continue;
            }
        };
        let position = match record.position() {
            Ok(position) => position,
            Err(error) => {
                tell((line, None), &error.to_string(), Verdict::Faulty);
                results.illegal += 1;
                continue;
            }
        };
        let entry = answer::read(line, &record, &position, &mut |error| {
            tell((line, None), &error.to_string(), Verdict::Faulty);
        });
        results.entries.push(entry);
    }
    Ok((results, verdict))
}

#[cfg(test)]
mod tests;
