//! `epode pfdn`: data normalisation (EPD 7.1).

use epd::{Line, Reader, Record, check};

use crate::cli::Pfdn;
use crate::exit_status::ExitStatus;
use crate::io::input::reader;
use crate::text::counted;
use crate::verbs::filter::{BlockResult, Filter, filter};

pub fn run(args: &Pfdn) -> anyhow::Result<ExitStatus> {
    let reader = reader(args.strict);
    let files = Filter {
        files: &args.files,
        reader,
        differences: args.check,
    };
    let counts = filter(&files, |result, line, mut record, _| {
        report_lints(result, line, &record, &reader);
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

/// Reports wrong content of a record, which is written nevertheless (decision 112).
pub fn report_lints(
    result: &mut BlockResult<'_>,
    line: &Line<'_>,
    record: &Record,
    reader: &Reader<'_>,
) {
    let messages = check(record, reader.lexicon());
    if messages.is_empty() {
        return;
    }
    result.counts.faulty += 1;
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
