//! `epode pfdn`: data normalisation (EPD 7.1).

use epd::{Line, Reader, Record, check};

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
        let dropped = result.report_dropped(line, &record, repairs);
        let linted = report_lints(result, line, &record, &reader);
        result.counts.faulty += usize::from(dropped || linted);
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

/// Reports wrong content of a record, which is written nevertheless (decision 112). Returns whether there is
/// any.
pub fn report_lints(
    result: &mut BlockResult<'_>,
    line: &Line<'_>,
    record: &Record,
    reader: &Reader<'_>,
) -> bool {
    let messages = check(record, reader.lexicon());
    if messages.is_empty() {
        return false;
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
    true
}
