//! `epode pfdr`: data repair, a verb of the original EPD Kit that the standard does not list.

use std::fmt::Write;

use epd::{Counters, Line, Reader, Record, Repair};

use crate::cli::Pfdr;
use crate::exit_status::ExitStatus;
use crate::io::input::DroppedCastling;
use crate::verbs::filter::{Filter, filter};
use crate::verbs::pfdn::report_lints;

pub fn run(args: &Pfdr) -> anyhow::Result<ExitStatus> {
    let reader = Reader::repair().with_castling_mode(args.files.castling.mode());
    let files = Filter {
        files: &args.files,
        reader,
        differences: false,
    };
    let counts = filter(&files, |result, line, mut record, repairs| {
        for repair in repairs {
            let name = repair.kind.name();
            *result.counts.kinds.entry(name).or_default() += 1;
            if !args.quiet {
                let found = repair.span.of(&line.text);
                let place = Some(repair.span.start);
                match repair.replacement.as_deref() {
                    None => result.report(line, place, &format_args!("kept[{name}]: {found:?}")),
                    Some(taken) => {
                        let advice = advice(line, &record, repair);
                        let text = format_args!("repaired[{name}]: {found:?} -> {taken:?}{advice}");
                        result.report(line, place, &text);
                    }
                }
            }
        }
        let faulty = report_lints(result, line, &record, &reader);
        result.counts.faulty += usize::from(faulty);
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

/// What to do if castling letters that were dropped are meant as in Chess960.
fn advice(line: &Line<'_>, record: &Record, repair: &Repair) -> String {
    let dropped = DroppedCastling::of(line, &record.setup, std::slice::from_ref(repair));
    match dropped.filter(DroppedCastling::is_warning) {
        Some(dropped) => format!(" ({dropped})"),
        None => String::new(),
    }
}
