//! `epode merge`: the records of each position become one.

mod unite;

use anyhow::Context;
use epd::Counters;

use crate::cli::{Castling, Conflict, Merge, SamePosition, Unique};
use crate::exit_status::ExitStatus;
use crate::io::input::reader;
use crate::io::output::Output;
use crate::io::sorter::Sorter;
use crate::io::stream::Stream;
use crate::text::{counted, noun};
use crate::verbs::identity::Identity;
use crate::verbs::lines::{Content, Counts, Depth, Input, Streams};

use self::unite::{Source, unite};

/// What is merged, and how.
pub struct Merging<'a> {
    inputs: Vec<&'a Stream>,
    output: &'a Stream,
    conflict: Conflict,
    same: SamePosition,
    drop_unreadable: bool,
    force: bool,
    castling: Castling,
    quiet: bool,
    jobs: usize,
}

impl<'a> Merging<'a> {
    /// The records of one file.
    pub fn of_unique(args: &'a Unique) -> Self {
        let files = &args.files;
        Self {
            inputs: vec![&files.input],
            output: &files.output,
            conflict: args.conflict.unwrap_or(Conflict::Union),
            same: args.same,
            drop_unreadable: files.rewrite.drop_unreadable,
            force: files.rewrite.force,
            castling: files.castling,
            quiet: false,
            jobs: files.jobs.get(),
        }
    }
}

pub fn run(args: &Merge) -> anyhow::Result<ExitStatus> {
    merge(&Merging {
        inputs: args.inputs.iter().collect(),
        output: &args.output,
        conflict: args.conflict,
        same: args.same,
        drop_unreadable: args.drop_unreadable,
        force: args.force,
        castling: args.castling,
        quiet: args.quiet,
        jobs: args.jobs.get(),
    })
}

/// Sorts the records by position, unites those of each position, and sorts the results by the place of the
/// first. Both sorts use temporary files if need be.
pub fn merge(merging: &Merging<'_>) -> anyhow::Result<ExitStatus> {
    let mut by_place = Sorter::new();
    let Read {
        by_position,
        counts,
        output,
    } = Read::all(merging, &mut by_place)?;
    let mut groups = Groups {
        merging,
        by_place,
        positions: 0,
        left_out: 0,
    };
    let mut group: Vec<(Source, Vec<u8>)> = Vec::new();
    let mut last = Vec::new();
    for item in by_position.finish()? {
        let (mut key, text) = item?;
        let place = key.split_off(Identity::SIZE);
        if key != last {
            groups.add(&group)?;
            group.clear();
            last = key;
        }
        group.push((
            Source::from_bytes(&place).context("a damaged temporary file")?,
            text,
        ));
    }
    groups.add(&group)?;
    let (positions, left_out) = (groups.positions, groups.left_out);
    let mut output = output;
    for item in groups.by_place.finish()? {
        let (_, text) = item?;
        output.write_with(|out| out.write_all(&text))?;
    }
    output.finish()?;
    let fate = if merging.drop_unreadable {
        ", dropped"
    } else {
        ", copied"
    };
    eprintln!(
        "{}, {positions} {}, {} left out{}",
        counted(counts.records, "record", "records"),
        noun(positions, "position", "positions"),
        counted(left_out, "operation", "operations"),
        counts.rest(fate),
    );
    Ok(counts.status())
}

/// What was read from all inputs.
struct Read {
    by_position: Sorter,
    counts: Counts,
    output: Output,
}

impl Read {
    /// Reads all inputs. Lines that are not records go directly to their places.
    fn all(merging: &Merging<'_>, by_place: &mut Sorter) -> anyhow::Result<Self> {
        let mut by_position = Sorter::new();
        let mut counts = Counts::default();
        let mut output = None;
        for (file, &input) in merging.inputs.iter().enumerate() {
            let streams = Streams {
                input,
                output: merging.output,
                force: merging.force,
                castling: merging.castling,
                jobs: merging.jobs,
                depth: Depth::Operations,
            };
            let lines = Input::open(input)?;
            // The output may be the same as any of the inputs.
            match output {
                None => output = Some(lines.create_output(&streams)?),
                Some(_) => lines.check_output(&streams)?,
            }
            counts += lines.read_only(
                &streams,
                |_, record| Identity::new(record, merging.same),
                |entry| {
                    let place = Source {
                        file,
                        line: entry.number,
                    }
                    .to_bytes();
                    match entry.content {
                        Content::Record(identity) => {
                            by_position.push(&[&identity.0[..], &place].concat(), entry.text)
                        }
                        Content::NoRecord if merging.drop_unreadable => Ok(()),
                        Content::NoRecord => by_place.push(&place, entry.text),
                    }
                },
            )?;
        }
        let output = output.context("no input")?;
        Ok(Self {
            by_position,
            counts,
            output,
        })
    }
}

/// Unites groups of records.
struct Groups<'a> {
    merging: &'a Merging<'a>,
    by_place: Sorter,
    positions: u64,
    left_out: u64,
}

impl Groups<'_> {
    /// Unites the records of a position, in the order of the input.
    fn add(&mut self, group: &[(Source, Vec<u8>)]) -> anyhow::Result<()> {
        let Some((first, _)) = group.first() else {
            return Ok(());
        };
        let reader = reader(false, self.merging.castling);
        let mut records = Vec::with_capacity(group.len());
        for (source, text) in group {
            let line = epd::Lines::new(text, source.line)
                .next()
                .context("an empty line")?;
            let mut repairs = Vec::new();
            let record = line
                .read(&reader, &mut repairs)
                .map_err(|error| error.kind)?;
            records.push((*source, record));
        }
        let united = unite(records, self.merging.conflict, reader.lexicon());
        let name = |source: Source| format!("{}:{}", self.merging.inputs[source.file], source.line);
        let (mut record, left_out) = united.map_err(|conflict| {
            anyhow::anyhow!(
                "{}: {} contradicts {}: {}",
                name(conflict.later),
                conflict.opcode,
                name(conflict.first),
                conflict.texts
            )
        })?;
        for operation in left_out.iter().filter(|_| !self.merging.quiet) {
            eprintln!(
                "{}: left out: {} ({})",
                name(operation.source),
                operation.text,
                operation.why(&name)
            );
        }
        self.left_out += left_out.len() as u64;
        self.positions += 1;
        record.normalise(reader.lexicon());
        record.make_portable(reader.lexicon());
        let text = format!("{}\n", record.with_counters(Counters::Operations));
        self.by_place.push(&first.to_bytes(), text.as_bytes())
    }
}
