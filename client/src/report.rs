//! `epode report`: what results of pfga and pfts come to (the part of Gastric, EPD 3.3).
//!
//! Each record is read as a question and an `answer`, and put beside those of the other files (`rows`).
//! All records become a [`Report`] (`summary`), which has what searches took (`effort`), every two files
//! against each other (`comparison`) and the positions by `theme`, by the statistics in `numbers`: all
//! that is pure. A report begins with a `title` and a `conclusion`; `json` and `csv` write it as it is,
//! the others what `outline` makes of it, a page (`html`) with charts (`svg`) and boards besides.

mod answer;
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
mod rows;
mod sts;
mod summary;
mod svg;
mod terminal;
mod theme;
mod title;
mod words;

use std::io::{self, BufWriter, Write};

use anyhow::bail;
use epd::Reader;

use crate::Verdict;
use crate::args::{Least, Report as Args, ReportFormat, Stream};
use crate::filter::counted;
use crate::input::{Message, Records as Input};
use crate::output::{Output, is_broken_pipe};
use crate::run_info::RunInfo;
use rows::Records;
use summary::{Report, Totals};

pub fn run(args: &Args) -> anyhow::Result<Verdict> {
    check(args)?;
    let format = args.format()?;
    let mut verdict = Verdict::Good;
    let mut files = Vec::new();
    let mut records = Records::default();
    for input in &args.inputs {
        let (totals, found) = read(input, &mut records)?;
        files.push(totals);
        verdict = verdict.max(found);
    }
    name(&mut files, &args.names);
    let report = Report::new(files, records);
    tell_different_positions(&report);
    let mut output = Output::create(&args.output)?;
    let mut out = BufWriter::new(Sink(&mut output));
    write(&report, format, args.boards, &mut out)?;
    out.flush()?;
    drop(out);
    output.finish()?;
    if let Some(least) = args.fail_under {
        for file in report.files.iter().filter(|file| fails(file, least)) {
            let (solved, targets) = (file.score.solved, file.score.targets());
            let name = &file.file;
            eprintln!("{name}: {solved} of {targets} solved, which is under {least}");
            verdict = verdict.max(Verdict::Faulty);
        }
    }
    Ok(verdict)
}

/// What the options ask for and cannot be.
fn check(args: &Args) -> anyhow::Result<()> {
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
    Ok(())
}

/// Names the files as they are asked to be, or after their engines where these tell several files
/// apart, or as they are called on the disk.
fn name(files: &mut [Totals], names: &[String]) {
    let engines = files.iter().map(|file| {
        let name = file.run.as_ref().map(|run| &run.engine.name);
        name.filter(|name| !name.is_empty()).cloned()
    });
    let engines: Option<Vec<String>> = engines.collect();
    let engines = engines.filter(|engines| {
        let others = |i: usize| engines[i + 1..].contains(&engines[i]);
        engines.len() > 1 && !(0..engines.len()).any(others)
    });
    for (i, file) in files.iter_mut().enumerate() {
        let engine = engines.as_ref().map(|engines| &engines[i]);
        file.name = names.get(i).or(engine).unwrap_or(&file.file).clone();
    }
}

fn tell_different_positions(report: &Report) {
    for comparison in &report.comparisons {
        let [first, second] = comparison.files.map(|file| &report.files[file].file);
        if comparison.different_positions > 0 {
            let (differ, all) = (comparison.different_positions, comparison.records);
            eprintln!(
                "{first} and {second}: {differ} of {all} records have the same id and different positions"
            );
        }
    }
}

fn write(
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
struct Sink<'o>(&'o mut Output);

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
fn read(input: &Stream, records: &mut Records) -> anyhow::Result<(Totals, Verdict)> {
    let mut totals = Totals {
        file: input.to_string(),
        ..Totals::default()
    };
    let mut verdict = Verdict::Good;
    records.begin_file();
    for numbered in Input::open(input, Reader::lenient())? {
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
                totals.unreadable += 1;
                continue;
            }
        };
        let position = match record.position() {
            Ok(position) => position,
            Err(error) => {
                tell((line, None), &error.to_string(), Verdict::Faulty);
                totals.records += 1;
                totals.illegal += 1;
                continue;
            }
        };
        let (question, answer) = answer::read(line, &record, &position, &mut |error| {
            tell((line, None), &error.to_string(), Verdict::Faulty);
        });
        totals.count(&answer);
        records.add(&question, answer);
    }
    totals.run = run_info(input, totals.records);
    Ok((totals, verdict))
}

/// How a file of so many records was made, where that stands beside it. What stands there is not
/// needed, so that nothing fails by it.
fn run_info(input: &Stream, records: usize) -> Option<RunInfo> {
    let Stream::File(path) = input else {
        return None;
    };
    let run = RunInfo::beside(path).unwrap_or_else(|error| {
        eprintln!("{error:#}");
        None
    })?;
    if run.records != records as u64 {
        let path = RunInfo::path(path);
        eprintln!(
            "{}: not used: it is about {} records, and {input} has {records}",
            path.display(),
            run.records
        );
        return None;
    }
    Some(run)
}

#[cfg(test)]
mod tests;
