//! `epode pfdn`: data normalisation (EPD 7.1).

use epd::{Line, LintMessage, Reader, Record, Repair, check};

use crate::cli::Pfdn;
use crate::exit_status::ExitStatus;
use crate::io::input::reader;
use crate::text::counted;
use crate::verbs::filter::{BlockResult, Filter, filter};

pub fn run(args: &Pfdn) -> anyhow::Result<ExitStatus> {
    let reader = reader(args.strict, args.files.castling);
    let files = Filter {
        files: &args.files,
        reader,
        differences: args.check,
    };
    let counts = filter(&files, |result, line, mut record, repairs| {
        let notes = repairs.iter().filter(|repair| !repair.kind.is_ambiguous());
        for repair in notes.filter(|_| !args.quiet) {
            result.report_dropped(line, &record, repair);
        }
        report_warnings(result, line, &record, repairs, &reader, args.quiet);
        if args.canonical {
            record.canonicalise(reader.lexicon());
        }
        record.normalise(reader.lexicon());
        record.make_portable(reader.lexicon());
        result.write(&record, args.counters.into());
    })?;
    if args.check {
        let records = counted(counts.records, "record", "records");
        let differing = counted(counts.differing, "line is", "lines are");
        eprintln!("{records}; {differing} not in normal form{}", counts.rest());
    } else {
        eprintln!("{}", counts.summary());
    }
    Ok(counts.status())
}

/// Counts a record with wrong content, which is written nevertheless (decision 112), or whose line may mean
/// something else than what was read, and reports what is wrong with it unless that is to be quiet.
pub fn report_warnings(
    result: &mut BlockResult<'_>,
    line: &Line<'_>,
    record: &Record,
    repairs: &[Repair],
    reader: &Reader<'_>,
    quiet: bool,
) {
    let mut ambiguous = repairs
        .iter()
        .filter(|repair| repair.kind.is_ambiguous())
        .peekable();
    let messages = check(record, reader.lexicon());
    if messages.is_empty() && ambiguous.peek().is_none() {
        return;
    }
    result.counts.faulty += 1;
    if quiet {
        return;
    }
    for repair in ambiguous {
        if result.report_dropped(line, record, repair) {
            continue;
        }
        let (name, found) = (repair.kind.name(), repair.span.of(&line.text));
        let place = Some(repair.span.start);
        match repair.replacement.as_deref() {
            Some(taken) if taken != found => {
                result.report(
                    line,
                    place,
                    &format_args!("warning[{name}]: {found:?} -> {taken:?}"),
                );
            }
            _ => result.report(
                line,
                place,
                &format_args!("warning[{name}]: {}", repair.kind),
            ),
        }
    }
    report_lints(result, line, &messages, reader);
}

fn report_lints(
    result: &mut BlockResult<'_>,
    line: &Line<'_>,
    messages: &[LintMessage],
    reader: &Reader<'_>,
) {
    if messages.is_empty() {
        return;
    }
    // Places are computed only for records with messages.
    let places = line
        .locate(reader, &mut Vec::new())
        .map(|(_, places)| places);
    for message in messages {
        let span = places
            .as_ref()
            .ok()
            .map(|places| places.span(message.part).start);
        let name = message.lint.name();
        result.report(line, span, &format_args!("warning[{name}]: {message}"));
    }
}
