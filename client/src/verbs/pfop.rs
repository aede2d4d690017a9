//! `epode pfop`: operation purge (EPD 7.4; decision 137).

use epd::Counters;

use crate::cli::Pfop;
use crate::exit_status::ExitStatus;
use crate::io::input::reader;
use crate::text::counted;
use crate::verbs::filter::{Filter, filter};

pub fn run(args: &Pfop) -> anyhow::Result<ExitStatus> {
    let reader = reader(false, args.files.castling);
    let files = Filter {
        files: &args.files,
        reader,
        differences: false,
    };
    let counts = filter(&files, |result, line, mut record, repairs| {
        for repair in repairs {
            result.report_dropped(line, &record, repair);
        }
        let purged = record.retain(|operation| args.opcodes.has(&operation.opcode) == args.keep);
        *result.counts.kinds.entry("purged").or_default() += purged;
        record.normalise(reader.lexicon());
        record.make_portable(reader.lexicon());
        result.write(&record, Counters::Operations);
    })?;
    let purged = counts.kinds.get("purged").copied().unwrap_or(0);
    let purged = counted(purged, "operation", "operations");
    let records = counted(counts.records, "record", "records");
    eprintln!("{purged} purged from {records}{}", counts.rest());
    Ok(counts.status())
}
