//! `epode unique`: each position once.

use std::collections::HashMap;
use std::collections::hash_map::Entry as Known;

use anyhow::bail;

use crate::cli::{Duplicates, Unique};
use crate::exit_status::ExitStatus;
use crate::io::output::refuse_same_file;
use crate::text::{counted, noun};
use crate::verbs::identity::Identity;
use crate::verbs::lines::{Content, Depth, Entry, Streams, copy_lines};
use crate::verbs::merge::{self, Merging};

pub fn run(args: &Unique) -> anyhow::Result<ExitStatus> {
    if args.duplicates == Duplicates::Merge {
        return merge::merge(&Merging::of_unique(args));
    }
    if args.conflict.is_some() {
        bail!("--conflict says how to merge, and needs --duplicates merge");
    }
    let files = &args.files;
    let streams = Streams {
        input: &files.input,
        output: &files.output,
        force: files.rewrite.force,
        castling: files.castling,
        jobs: files.jobs.get(),
        depth: if args.same.counters {
            Depth::Operations
        } else {
            Depth::Position
        },
    };
    let reports = args.duplicates == Duplicates::Report;
    if reports {
        refuse_same_file(&files.input, &files.output)?;
    }
    // The line of the first record of each position.
    let mut lines: HashMap<[u32; 4], u32> = HashMap::new();
    let mut duplicates = 0_u64;
    let examine = |_: &epd::Line<'_>, record: &epd::Record| Identity::new(record, args.same).hash();
    let counts = copy_lines(&streams, examine, |entry: Entry<'_, [u32; 4]>, out| {
        let Content::Record(hash) = entry.content else {
            if !reports && !files.rewrite.drop_unreadable {
                out.extend(entry.text);
            }
            return Ok(());
        };
        match lines.entry(hash) {
            Known::Vacant(place) => {
                place.insert(u32::try_from(entry.number).unwrap_or(u32::MAX));
                if !reports {
                    out.extend(entry.text);
                }
            }
            Known::Occupied(first) => {
                duplicates += 1;
                if reports {
                    let (input, number, first) = (&files.input, entry.number, first.get());
                    let text = format!("{input}:{number}: the position of line {first}\n");
                    out.extend(text.into_bytes());
                }
            }
        }
        Ok(())
    })?;
    let fate = match (reports, files.rewrite.drop_unreadable) {
        (true, _) => "",
        (false, true) => ", dropped",
        (false, false) => ", copied",
    };
    eprintln!(
        "{}, {} {}, {}{}",
        counted(counts.records, "record", "records"),
        counts.records - duplicates,
        noun(counts.records - duplicates, "position", "positions"),
        counted(duplicates, "duplicate", "duplicates"),
        counts.rest(fate),
    );
    let found = if reports && duplicates > 0 {
        ExitStatus::Faulty
    } else {
        ExitStatus::Success
    };
    Ok(found.max(counts.status()))
}
