//! `epode book merge`.

use book::Merge;

use super::entries::Entries;
use crate::cli::BookMerge;
use crate::exit_status::ExitStatus;
use crate::io::output::{Output, check_destination};
use crate::text::counted;

pub fn run(args: &BookMerge) -> anyhow::Result<ExitStatus> {
    let mut sources = Vec::new();
    for input in &args.inputs {
        let entries = Entries::open(input)?;
        check_destination(input, entries.compression(), &args.output, args.force)?;
        sources.push(entries.map(|entry| entry.map(|(_, entry)| entry)));
    }
    let mut output = Output::create_records(&args.output)?;
    let mut positions = 0_u64;
    for entry in Merge::new(sources) {
        let entry = entry?;
        positions += 1;
        output.write_with(|out| writeln!(out, "{entry}"))?;
    }
    output.finish()?;
    let files = counted(args.inputs.len(), "file", "files");
    eprintln!(
        "{} from {files}",
        counted(positions, "position", "positions")
    );
    Ok(ExitStatus::Success)
}
