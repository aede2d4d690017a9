//! `epode pfdr`: data repair, which the original EPD Kit has beside the verbs of the standard.

use std::fmt::Write;

use epd::{Counters, Reader};

use crate::cli::Pfdr;
use crate::exit_status::ExitStatus;
use crate::io::filter::{Filter, filter};
use crate::verbs::pfdn::tell_findings;

pub fn run(args: &Pfdr) -> anyhow::Result<ExitStatus> {
    let reader = Reader::repair();
    let files = Filter {
        files: &args.files,
        reader,
        differences: false,
    };
    let tally = filter(&files, |told, line, mut record, mends| {
        for mend in mends {
            let name = mend.deviation.name();
            *told.tally.kinds.entry(name).or_default() += 1;
            if !args.quiet {
                let found = mend.span.of(&line.text);
                let place = Some(mend.span.start);
                match mend.taken.as_deref() {
                    None => told.tell(line, place, &format_args!("kept[{name}]: {found:?}")),
                    Some(taken) => {
                        told.tell(
                            line,
                            place,
                            &format_args!("mended[{name}]: {found:?} -> {taken:?}"),
                        );
                    }
                }
            }
        }
        tell_findings(told, line, &record, &reader);
        record.normalise(reader.lexicon());
        record.make_portable(reader.lexicon());
        told.write(&record, Counters::Operations);
    })?;
    let mut kinds: Vec<_> = tally.kinds.iter().collect();
    kinds.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
    let mut text = String::new();
    for (name, count) in kinds {
        let _ = write!(text, "\n{count:8} {name}");
    }
    eprintln!("{}{text}", tally.summary());
    Ok(tally.status())
}
