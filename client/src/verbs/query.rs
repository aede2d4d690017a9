//! `epode query`: the records that pass a test.

use anyhow::anyhow;

use crate::cli::Query as Args;
use crate::exit_status::ExitStatus;
use crate::io::output::Output;
use crate::io::stream::Stream;
use crate::query::Query;
use crate::text::counted;
use crate::verbs::lines::{Content, Depth, Entry, Input, Streams, copy_lines};

pub fn run(args: &Args) -> anyhow::Result<ExitStatus> {
    let query = Query::parse(&args.expression).map_err(|error| anyhow!("EXPR: {error}"))?;
    let files = &args.files;
    let streams = Streams {
        input: &files.input,
        output: &files.output,
        force: files.force,
        castling: files.castling,
        jobs: files.jobs.get(),
        depth: if query.needs_operations() {
            Depth::Operations
        } else {
            Depth::Position
        },
    };
    let examine = |_: &epd::Line<'_>, record: &epd::Record| query.matches(record) != args.invert;
    let mut found = 0_u64;
    let counts = if args.count {
        Input::open(&files.input)?.read_only(&streams, examine, |entry| {
            found += u64::from(matches!(entry.content, Content::Record(true)));
            Ok(())
        })?
    } else {
        copy_lines(&streams, examine, |entry: Entry<'_, bool>, out| {
            if matches!(entry.content, Content::Record(true)) {
                found += 1;
                out.extend(entry.text);
            }
            Ok(())
        })?
    };
    if args.count {
        let mut output = Output::create(&Stream::Standard)?;
        output.line(&found)?;
        output.finish()?;
    } else {
        let records = counted(counts.records, "record", "records");
        eprintln!("{found} of {records}{}", counts.rest(", left out"));
    }
    let status = if found > 0 {
        ExitStatus::Success
    } else {
        ExitStatus::Faulty
    };
    Ok(status.max(counts.status()))
}
