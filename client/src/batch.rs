//! Batch runs of the verbs that analyse: records pass through engines on several threads and are
//! written in order, and a run that ended early can be resumed.
//!
//! A verb is a function from a record to a record ([`Verb`]); everything else is here. Each result
//! becomes a [`JournalEntry`], the text to write and its counts. If OUT is a file, the entry is written into
//! a [journal] at once, in whatever order the threads finish. A resumed run takes these results from the
//! journal and analyses the remaining records.

pub mod analyse;
mod counts;
pub mod interrupt;
mod journal;
mod narrow;
mod note;
mod options;
pub mod progress;
pub mod run_info;
mod screen;
pub mod settings;
mod sink;
mod tally;
pub mod target;

use std::io::{self, IsTerminal};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use anyhow::{Context, anyhow, bail};
use epd::{Lexicon, Record};
use indicatif::ProgressBar;
use jiff::Timestamp;
use movegen::Position;

use crate::cli::Batch;
use crate::exit_status::ExitStatus;
use crate::io::input::{DroppedCastling, LineError, Message, NumberedLine, Records, reader};
use crate::io::output::{Output, Unfinished, check_destination};
use crate::io::parallel::map_in_order;
use crate::io::stream::Stream;
use crate::text::counted;
pub use counts::Counts;
use interrupt::Interrupt;
use journal::{Journal, JournalEntry, fingerprint};
use run_info::RunInfo;
use screen::Screen;
pub use screen::{Heading, Mark, Row, operands};
use settings::Settings;
use sink::Sink;
pub use tally::Tally;

/// What a verb does with a record.
pub trait Verb: Sync {
    /// The engine, of which each thread has its own.
    type Engine: Send;

    /// Starts an engine; the run fails if it cannot.
    fn start_engine(&self) -> anyhow::Result<Self::Engine>;

    /// The options that must be unchanged for a run to be resumed.
    fn settings(&self) -> anyhow::Result<Settings>;

    /// The run information known before the run.
    fn info(&self) -> RunInfo;

    /// The name and version of the engine.
    fn engine_name(&self, engine: &Self::Engine) -> String;

    /// Analyses the position of a record and writes the result into the record. After an error or a
    /// panic the record is copied with a note, and the engine is restarted.
    fn work(
        &self,
        engine: &mut Self::Engine,
        record: &mut Record,
        position: &Position,
    ) -> anyhow::Result<RecordResult>;

    /// The column headings of the table on a terminal.
    fn heading(&self) -> Heading;

    /// A short summary of the progress.
    fn short(&self, tally: &Tally) -> String;
}

/// The result of a record.
#[derive(Debug, Default)]
pub struct RecordResult {
    /// Counts to be added up over all records; `nodes` gives the speed.
    pub counts: Counts,
    /// The line for a terminal, printed instead of the record.
    pub row: Row,
    /// A fault in the record, which was analysed nevertheless.
    pub fault: Option<String>,
    /// A remark to print, which is not a fault.
    pub remark: Option<String>,
}

/// The result of a line.
enum LineResult {
    /// Analysed or given up, by this run or an earlier one.
    Record { entry: JournalEntry, now: bool },
    /// Copied unchanged (decision 132).
    IllegalPosition { record: String, fault: String },
    /// Not a record: copied unchanged or dropped.
    NoRecord(LineError),
}

/// The maximum number of finished records that wait for an earlier one.
const RECORDS_AHEAD: usize = 4096;

/// Runs a verb over every record of a file.
pub fn run(verb: &impl Verb, args: &Batch) -> anyhow::Result<ExitStatus> {
    let total = progress::count_records(&args.input)?;
    let mut records =
        Records::open(&args.input, reader(args.strict, args.castling))?.with_all_lines();
    let compression = records.compression();
    check_destination(&args.input, compression, args.output(), args.rewrite.force)?;
    let bar = progress::bar(total);
    let interrupt = Interrupt::listen(bar.clone(), "positions")?;
    let first_engine = verb.start_engine()?;
    let mut info = describe(verb, args, &first_engine);
    let journal = open_journal(args, &settings(verb, &info)?)?;
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
fn open_journal(args: &Batch, settings: &Settings) -> anyhow::Result<Option<Journal>> {
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
    let journal = if args.resume {
        Journal::resume(&path, settings)
    } else {
        Journal::create(&path, settings).with_context(cannot)
    };
    journal.map(Some)
}

/// One thread of a run, with an engine of its own.
struct BatchWorker<'a, V: Verb> {
    verb: &'a V,
    engine: Option<V::Engine>,
    journal: Option<&'a Journal>,
}

impl<V: Verb> BatchWorker<'_, V> {
    /// Analyses the record of a line, unless the journal has its result from an earlier run.
    fn work(&mut self, numbered: NumberedLine) -> anyhow::Result<LineResult> {
        let mut record = match numbered.record {
            Ok(record) => record,
            Err(error) => return Ok(LineResult::NoRecord(error)),
        };
        // Other programs must be able to read all output, copied records included.
        record.make_portable(&Lexicon::standard());
        let position = match record.position() {
            Ok(position) => position,
            Err(fault) => {
                return Ok(LineResult::IllegalPosition {
                    record: record.to_string(),
                    fault: fault.to_string(),
                });
            }
        };
        let Some(journal) = self.journal else {
            let entry = self.analyse(numbered.line, &record, &position)?;
            return Ok(LineResult::Record { entry, now: true });
        };
        let fingerprint = fingerprint(&record);
        if let Some(entry) = journal.earlier(numbered.line, fingerprint)? {
            return Ok(LineResult::Record { entry, now: false });
        }
        let mut entry = self.analyse(numbered.line, &record, &position)?;
        entry.fingerprint = fingerprint;
        journal.append(&entry)?;
        Ok(LineResult::Record { entry, now: true })
    }

    /// Analyses a record, or gives it up with a note.
    fn analyse(
        &mut self,
        line: usize,
        record: &Record,
        position: &Position,
    ) -> anyhow::Result<JournalEntry> {
        let engine = match &mut self.engine {
            Some(engine) => engine,
            none => none.insert(self.verb.start_engine()?),
        };
        let mut changed = record.clone();
        let work = || self.verb.work(engine, &mut changed, position);
        // Neither the engine nor the record is used again after a panic.
        let done = catch_unwind(AssertUnwindSafe(work));
        let done = done.unwrap_or_else(|panic| {
            let text = panic.downcast_ref::<String>().map(String::as_str);
            let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
            Err(anyhow!("panic: {}", text.unwrap_or("without a message")))
        });
        Ok(match done {
            Ok(done) => {
                note::remove(&mut changed);
                let mut entry = JournalEntry::new(line, &changed, done.counts, done.fault, false);
                entry.remark = done.remark;
                entry.row = Some(done.row);
                entry
            }
            Err(error) => {
                self.engine = None;
                let why = format!("{error:#}");
                let mut record = record.clone();
                note::add(&mut record, &why);
                let fault = format!("given up: {why}");
                JournalEntry::new(line, &record, Counts::default(), Some(fault), true)
            }
        })
    }
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
                for text in entry.fault.iter().chain(&entry.remark) {
                    self.print_message(line, None, text);
                }
                let row = entry.row.as_ref().ok_or("not analysed");
                self.output.put(&entry.record, row, &self.bar)?;
                self.tally.add(entry, now);
            }
            LineResult::IllegalPosition { record, fault } => {
                self.print_message(line, None, &fault);
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
            self.print_message(error.place.0, Some(error.place.1), &error.message);
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

    fn print_message(&self, line: usize, column: Option<usize>, text: &str) {
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

#[cfg(test)]
mod tests;
