//! Batch runs of the verbs that analyse: records pass through engines on several threads and are
//! written in order, and a run that ended early can be resumed.
//!
//! A verb is a function from a record to a record ([`Verb`]); everything else is here. Each result
//! becomes a `JournalEntry`, the text to write and its counts. If OUT is a file, the entry is written into
//! a [journal] at once, in whatever order the threads finish. A resumed run takes these results from the
//! journal and analyses the remaining records.

pub mod analyse;
mod counts;
pub mod interrupt;
mod journal;
mod narrow;
pub mod note;
pub mod opcodes;
mod options;
pub mod progress;
pub mod run_info;
mod screen;
pub mod settings;
mod sink;
mod tally;
pub mod target;
mod verb;
mod worker;

use std::io::{self, IsTerminal};
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use anyhow::{Context, anyhow, bail};
use epd::Reader;
use indicatif::ProgressBar;
use jiff::Timestamp;

use crate::cli::Batch;
use crate::exit_status::ExitStatus;
use crate::io::input::{DroppedCastling, LineError, Message, NumberedLine, Records, reader};
use crate::io::output::{Output, Unfinished, check_destination};
use crate::io::parallel::map_in_order;
use crate::io::stream::Stream;
use crate::text::counted;
pub use counts::Counts;
use interrupt::Interrupt;
use journal::{Journal, OtherInput, fingerprint};
use run_info::RunInfo;
use screen::Screen;
pub use screen::{Heading, Mark, Row, operands};
use settings::Settings;
use sink::Sink;
pub use tally::Tally;
use verb::LineResult;
pub use verb::{RecordResult, Verb};
use worker::{BatchWorker, make_portable};

/// The maximum number of finished records that wait for an earlier one.
const RECORDS_AHEAD: usize = 4096;

/// Runs a verb over every record of a file.
pub fn run(verb: &impl Verb, args: &Batch) -> anyhow::Result<ExitStatus> {
    let total = progress::count_records(&args.input)?;
    let reader = reader(args.strict, args.castling);
    let mut records = Records::open(&args.input, reader)?.with_all_lines();
    let compression = records.compression();
    check_destination(&args.input, compression, args.output(), args.rewrite.force)?;
    let bar = progress::bar(total);
    let interrupt = Interrupt::listen(bar.clone(), "positions")?;
    let first_engine = verb.start_engine()?;
    let mut info = describe(verb, args, &first_engine);
    let journal = open_journal(args, &settings(verb, &info)?, reader)?;
    info.started = journal.as_ref().map(Journal::started);
    let mut writer = ResultWriter {
        verb,
        args,
        output: open_output(args, journal.is_some(), verb.heading())?,
        bar,
        tally: Tally::default(),
        info,
        stopped: false,
    };

    let started = Instant::now();
    let first_engine = Mutex::new(Some(first_engine));
    let (mut ended, mut interrupted) = (false, false);
    let items = std::iter::from_fn(|| {
        interrupted |= !ended && interrupt.is_raised();
        let item = if interrupted { None } else { records.next() };
        ended |= item.is_none();
        item
    });
    let done = map_in_order(
        items,
        args.jobs.get(),
        RECORDS_AHEAD,
        || {
            let mut first = first_engine.lock().unwrap_or_else(PoisonError::into_inner);
            let mut worker = BatchWorker {
                verb,
                engine: first.take(),
                journal: journal.as_ref(),
                reader,
            };
            move |item: anyhow::Result<NumberedLine>| {
                let mut numbered = item?;
                let dropped = numbered.dropped.take();
                Ok((numbered.line, dropped, worker.work(numbered)?))
            }
        },
        |item: anyhow::Result<_>| {
            let (line, dropped, item) = item?;
            writer.take(line, dropped, item)
        },
    );
    writer.bar.finish_and_clear();
    match done {
        Ok(()) if !interrupted => writer.finish(journal, started),
        Ok(()) => Err(writer.leave(journal, None)),
        Err(error) => Err(writer.leave(journal, Some(error))),
    }
}

/// The run information at the start of the run.
fn describe<V: Verb>(verb: &V, args: &Batch, engine: &V::Engine) -> RunInfo {
    let mut info = verb.info();
    info.engine.name = verb.engine_name(engine);
    info.input = match &args.input {
        Stream::Standard => "-".to_owned(),
        Stream::File(path) => {
            let name = path.file_name().unwrap_or(path.as_os_str());
            name.to_string_lossy().into_owned()
        }
    };
    info.jobs = args.jobs.get() as u64;
    info
}

/// All settings that must be unchanged for a run to be resumed.
fn settings(verb: &impl Verb, info: &RunInfo) -> anyhow::Result<Settings> {
    let mut settings = verb.settings()?;
    settings.set("the command", &info.verb);
    settings.set("epode", env!("CARGO_PKG_VERSION"));
    if info.engine.command.is_some() {
        settings.set("the engine", &info.engine.name);
    }
    Ok(settings)
}

/// The table on a terminal, or the stream of records.
fn open_output(args: &Batch, has_journal: bool, heading: Heading) -> anyhow::Result<Sink> {
    if args.output.is_none() && io::stdout().is_terminal() {
        return Ok(Sink::Screen(Screen::new(heading)));
    }
    let output = if has_journal {
        Output::create_part(args.output())
    } else {
        Output::create_records(args.output())
    };
    output.map(Sink::Records)
}

/// The journal beside OUT, if that is a file.
fn open_journal(
    args: &Batch,
    settings: &Settings,
    reader: Reader<'_>,
) -> anyhow::Result<Option<Journal>> {
    let cannot = || format!("cannot write {}", args.output());
    let Some(path) = args.output().plain_file().with_context(cannot)? else {
        if args.resume {
            bail!("--resume needs a file as OUT, which has a journal beside it");
        }
        return Ok(None);
    };
    let path = Unfinished::Journal.beside(&path);
    if !args.resume && !args.restart && path.exists() {
        bail!(
            "{} belongs to an unfinished run: --resume continues it, --restart starts over",
            path.display()
        );
    }
    let input = args.input.to_string();
    if !args.resume {
        return Journal::create(&path, settings, &input)
            .with_context(cannot)
            .map(Some);
    }
    let journal = Journal::resume(&path, settings, &input)?;
    // Other inputs can be read only once: there a difference is found on the way.
    if args.input.is_regular() {
        journal.check_input(fingerprints(&args.input, reader)?)?;
    }
    Ok(Some(journal))
}

/// The lines and fingerprints of the records in a file that can be analysed.
fn fingerprints(
    input: &Stream,
    reader: Reader<'_>,
) -> anyhow::Result<impl Iterator<Item = anyhow::Result<(usize, u32)>>> {
    let records = Records::open(input, reader)?;
    Ok(records.filter_map(|numbered| {
        let numbered = match numbered {
            Ok(numbered) => numbered,
            Err(error) => return Some(Err(error)),
        };
        let mut record = numbered.record.ok()?;
        make_portable(&mut record);
        record.legality().ok()?;
        Some(Ok((numbered.line, fingerprint(&record))))
    }))
}

/// Collects the results in order: writes records, prints messages, counts.
struct ResultWriter<'a, V> {
    verb: &'a V,
    args: &'a Batch,
    output: Sink,
    bar: ProgressBar,
    tally: Tally,
    info: RunInfo,
    /// The run was stopped by an error in the input.
    stopped: bool,
}

impl<V: Verb> ResultWriter<'_, V> {
    /// Writes and counts the result of a line.
    fn take(
        &mut self,
        line: usize,
        dropped: Option<DroppedCastling>,
        result: LineResult,
    ) -> anyhow::Result<()> {
        if let Some(dropped) = dropped {
            let message = dropped.message(&self.args.input);
            self.bar.suspend(|| eprintln!("{message}"));
        }
        match result {
            LineResult::Record { entry, now } => {
                if let Some(text) = &entry.fault {
                    let place = entry.place.map(|(line, column)| (line, Some(column)));
                    self.print_message(place.unwrap_or((line, None)), text);
                }
                if let Some(text) = &entry.remark {
                    self.print_message((line, None), text);
                }
                let row = entry.row.as_ref().ok_or("not analysed");
                self.output.put(&entry.record, row, &self.bar)?;
                self.tally.add(entry, now);
            }
            LineResult::IllegalPosition {
                record,
                place: (line, column),
                fault,
            } => {
                self.print_message((line, Some(column)), &fault);
                self.output
                    .put(&record, Err("illegal position"), &self.bar)?;
                self.tally.illegal += 1;
            }
            LineResult::NoRecord(error) => {
                self.pass_over(line, &error)?;
                if error.is_harmless {
                    return Ok(());
                }
            }
        }
        self.bar.set_message(self.verb.short(&self.tally));
        self.bar.inc(1);
        Ok(())
    }

    /// Copies or drops a line that is not a record.
    fn pass_over(&mut self, line: usize, error: &LineError) -> anyhow::Result<()> {
        if !error.is_harmless {
            let (number, column) = error.place;
            self.print_message((number, Some(column)), &error.message);
            if self.args.strict {
                // The input has to be corrected first, so there is nothing to resume.
                self.stopped = true;
                bail!("stopped at line {line} of {}", self.args.input);
            }
            self.tally.unreadable += 1;
        }
        if self.args.rewrite.drop_unreadable {
            return Ok(());
        }
        self.output.copy(&error.copy, &self.bar)
    }

    fn print_message(&self, (line, column): (usize, Option<usize>), text: &str) {
        let message = Message {
            stream: &self.args.input,
            line,
            column,
            text,
        };
        self.bar.suspend(|| eprintln!("{message}"));
    }

    /// Completes OUT and prints the summary.
    fn finish(mut self, journal: Option<Journal>, started: Instant) -> anyhow::Result<ExitStatus> {
        let path = self.output.path().map(Path::to_owned);
        self.output.finish()?;
        if let Some(path) = path {
            self.info.records = self.tally.written() as u64;
            self.info.finished = Some(Timestamp::now());
            self.info.write_beside(&path)?;
            // A leftover file does no harm.
            let _ = RunInfo::remove_beside(&Unfinished::Part.beside(&path));
        }
        let journal = journal.map(Journal::remove).transpose()?;
        let short = self.verb.short(&self.tally);
        let dropped = self.args.rewrite.drop_unreadable;
        let long = self
            .tally
            .summary(&short, started.elapsed(), journal, dropped);
        eprintln!("{long}");
        Ok(self.tally.status())
    }

    /// Ends a run that was interrupted or failed, and keeps the files from which it can be resumed.
    fn leave(mut self, journal: Option<Journal>, error: Option<anyhow::Error>) -> anyhow::Error {
        let records = counted(self.tally.analysed(), "record", "records");
        let interrupted = error.is_none();
        let error = error.unwrap_or_else(|| anyhow!("interrupted after {records}"));
        let Some(journal) = journal else {
            return error;
        };
        if error.is::<OtherInput>() {
            // The journal and the part file stay for the right input.
            let _ = self.output.leave();
            return error;
        }
        if journal.is_empty() || self.stopped {
            // A leftover file does no harm.
            let _ = self.output.discard();
            let _ = journal.remove();
            return error;
        }
        let Some(part) = self.output.leave() else {
            return error;
        };
        self.info.records = self.tally.written() as u64;
        // A failure here must not hide that the records were kept.
        if let Err(error) = self.info.write_beside(&part) {
            eprintln!("epode: {error:#}");
        }
        let part = part.display();
        let what = if interrupted {
            format!("interrupted: {records} so far are in {part}")
        } else {
            format!("{error:#}; {records} so far are in {part}")
        };
        anyhow!("{what}, run the same command with --resume to continue")
    }
}
