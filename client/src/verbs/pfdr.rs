//! `epode pfdr`: data repair, a verb of the original EPD Kit that the standard does not list.

use std::fmt::Write;

use epd::{Counters, Reader};

use crate::cli::Pfdr;
use crate::exit_status::ExitStatus;
use crate::verbs::filter::{Filter, filter};
use crate::verbs::pfdn::report_warnings;

pub fn run(args: &Pfdr) -> anyhow::Result<ExitStatus> {
    let reader = Reader::repair().with_castling_mode(args.files.castling.mode());
    let files = Filter {
        files: &args.files,
        reader,
        differences: false,
    };
    let counts = filter(&files, |result, line, mut record, repairs| {
        for repair in repairs {
            // An ambiguous one is a warning, see below.
            if repair.kind.is_ambiguous() {
                continue;
            }
            let name = repair.kind.name();
            *result.counts.kinds.entry(name).or_default() += 1;
            if !args.quiet {
                let found = repair.span.of(&line.text);
                let place = Some(repair.span.start);
                match repair.replacement.as_deref() {
                    None => result.report(line, place, &format_args!("kept[{name}]: {found:?}")),
                    Some(taken) => {
                        let text = format_args!("repaired[{name}]: {found:?} -> {taken:?}");
                        result.report(line, place, &text);
                    }
                }
            }
        }
        report_warnings(result, line, &record, repairs, &reader, false);
        record.normalise(reader.lexicon());
        record.make_portable(reader.lexicon());
        result.write(&record, Counters::Operations);
    })?;
    let mut kinds: Vec<_> = counts.kinds.iter().collect();
    kinds.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
    let mut text = String::new();
    for (name, count) in kinds {
        let _ = write!(text, "\n{count:8} {name}");
    }
    eprintln!("{}{text}", counts.summary());
    Ok(counts.status())
}
