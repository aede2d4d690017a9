//! `epode report`: reads result files and writes a report.

use anyhow::bail;

use crate::batch::run_info::RunInfo;
use crate::cli::{Castling, Least, Report as Args};
use crate::exit_status::ExitStatus;
use crate::io::input::{Message, NumberedLine, Records as Input, reader};
use crate::io::output::{Output, refuse_same_file};
use crate::io::stream::Stream;
use crate::report::rows::Records;
use crate::report::summary::{Report, Totals};
use crate::report::{answer, write};
use crate::text::counted;

pub fn run(args: &Args) -> anyhow::Result<ExitStatus> {
    check(args)?;
    for input in &args.inputs {
        refuse_same_file(input, &args.output)?;
    }
    let format = args.format()?;
    let mut status = ExitStatus::Success;
    let mut files = Vec::new();
    let mut records = Records::default();
    for input in &args.inputs {
        let (totals, found) = read(input, args.castling, &mut records)?;
        files.push(totals);
        status = status.max(found);
    }
    name(&mut files, &args.names);
    let report = Report::new(files, records);
    tell_different_positions(&report);
    let mut output = Output::create(&args.output)?;
    output.write_with(|out| write(&report, format, args.boards, out))?;
    output.finish()?;
    if let Some(least) = args.fail_under {
        for file in report.files.iter().filter(|file| fails(file, least)) {
            let (solved, targets) = (file.score.solved, file.score.targets());
            let name = &file.file;
            eprintln!("{name}: {solved} of {targets} solved, below the required {least}");
            status = status.max(ExitStatus::Faulty);
        }
    }
    Ok(status)
}

/// Checks the combination of options.
fn check(args: &Args) -> anyhow::Result<()> {
    let standard = args
        .inputs
        .iter()
        .filter(|&input| *input == Stream::Standard);
    if standard.count() > 1 {
        bail!("- is given several times, but standard input can be read only once");
    }
    if args.names.len() > args.inputs.len() {
        let files = counted(args.inputs.len(), "file", "files");
        let times = counted(args.names.len(), "time", "times");
        bail!("--name is given {times} for {files}");
    }
    Ok(())
}

/// Names the files: by --name, or by their engines if these differ, or by their paths.
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
                "{first} and {second}: {differ} of {} the same id but different positions",
                counted(all, "record has", "records have")
            );
        }
    }
}

/// Whether too few positions were solved. Without any target, a percentage is never reached.
fn fails(file: &Totals, least: Least) -> bool {
    match least {
        Least::Count(least) => file.score.solved < least,
        Least::Percent(least) => {
            let [solved, targets] = [file.score.solved, file.score.targets()].map(|n| n as f64);
            targets == 0.0 || 100.0 * solved < least * targets
        }
    }
}

/// Reads a file, and reports errors in it.
fn read(
    input: &Stream,
    castling: Castling,
    records: &mut Records,
) -> anyhow::Result<(Totals, ExitStatus)> {
    let mut totals = Totals {
        file: input.to_string(),
        ..Totals::default()
    };
    let mut status = ExitStatus::Success;
    records.begin_file();
    let reader = reader(false, castling);
    for numbered in Input::open(input, reader)? {
        let numbered = numbered?;
        numbered.tell_dropped(input);
        let NumberedLine {
            line,
            record,
            source,
            ..
        } = numbered;
        let mut tell = |(line, column): (usize, usize), text: &str, found: ExitStatus| {
            let message = Message {
                stream: input,
                line,
                column: Some(column),
                text,
            };
            eprintln!("{message}");
            status = status.max(found);
        };
        let record = match record {
            Ok(record) => record,
            Err(fault) => {
                tell(fault.place, &fault.message, ExitStatus::Failed);
                totals.unreadable += 1;
                continue;
            }
        };
        let position = match record.position() {
            Ok(position) => position,
            Err(error) => {
                let place = source.place(&reader, |_| error.part());
                tell(place, &error.to_string(), ExitStatus::Faulty);
                totals.records += 1;
                totals.illegal += 1;
                continue;
            }
        };
        let (question, answer) = answer::read(line, &record, &position, &mut |error| {
            let place = source.place(&reader, |record| record.part_at_fault(&error));
            tell(place, &error.to_string(), ExitStatus::Faulty);
        });
        totals.count(&answer);
        records.add(&question, answer);
    }
    totals.run = run_info(input, totals.records);
    Ok((totals, status))
}

/// The description of the run beside a result file. It is optional, so errors are only reported.
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
            "{}: ignored: it describes {}, but {input} has {records}",
            path.display(),
            counted(run.records, "record", "records")
        );
        return None;
    }
    Some(run)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::summary::Score;

    #[test]
    fn shares_that_are_enough() {
        let file = |solved, missed| Totals {
            score: Score {
                solved,
                missed,
                ..Score::default()
            },
            ..Totals::default()
        };
        for (solved, missed, least, expected) in [
            (9, 1, "90%", false),
            (8, 1, "90%", true),
            (1, 2, "33.3%", false),
            (1, 2, "33.4%", true),
            (3, 0, "100%", false),
            (3, 0, "4", true),
            (3, 0, "3", false),
            (0, 3, "0%", false),
            (0, 0, "0", false),
            // Without targets a percentage is never reached.
            (0, 0, "0%", true),
        ] {
            let least: Least = least.parse().expect("a least");
            assert_eq!(
                fails(&file(solved, missed), least),
                expected,
                "{solved} {least}"
            );
        }
    }
}
