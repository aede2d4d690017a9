//! The pipeline of the verbs that select, order or unite lines: it examines records on several threads, and
//! passes each line, unchanged, to one function in the order of the input.

use std::fmt::Write;
use std::ops::Range;

use epd::{Line, LineKind, Record, Repair};

use crate::cli::Castling;
use crate::exit_status::ExitStatus;
use crate::io::compression::Compression;
use crate::io::input::{Block, Blocks, DroppedCastling, LineError, Message, reader};
use crate::io::output::{Output, check_destination};
use crate::io::parallel::map_in_order;
use crate::io::stream::Stream;
use crate::text::counted;
use crate::verbs::filter::progress_bar;

/// The maximum number of finished blocks that wait for an earlier one.
const BLOCKS_AHEAD: usize = 32;

/// A line of the input.
pub struct Entry<'b, T> {
    /// The line number, from 1.
    pub number: usize,
    /// The line as it stands in the file, with a line feed. A part of an overlong line may lack it.
    pub text: &'b [u8],
    pub content: Content<T>,
}

/// What a line contains.
pub enum Content<T> {
    /// A record, and what was found out about it.
    Record(T),
    /// A blank line, a comment, or a line that cannot be read.
    NoRecord,
}

/// Counts of the lines of one or several files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub records: u64,
    pub unreadable: u64,
    pub others: u64,
}

impl Counts {
    pub fn status(self) -> ExitStatus {
        if self.unreadable > 0 {
            ExitStatus::Failed
        } else {
            ExitStatus::Success
        }
    }

    /// The end of a summary: the lines that are not records, and what became of them, such as `, copied`.
    pub fn rest(self, fate: &str) -> String {
        let mut text = String::new();
        if self.unreadable > 0 {
            let lines = counted(self.unreadable, "line", "lines");
            text = format!("; {lines} not understood{fate}");
        }
        if self.others > 0 {
            let lines = counted(
                self.others,
                "blank line or comment",
                "blank lines and comments",
            );
            let _ = write!(text, "; {lines}{fate}");
        }
        text
    }
}

impl std::ops::AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.records += other.records;
        self.unreadable += other.unreadable;
        self.others += other.others;
    }
}

/// Input and output of a verb.
pub struct Streams<'s> {
    pub input: &'s Stream,
    pub output: &'s Stream,
    /// Overwrite a read-only output.
    pub force: bool,
    pub castling: Castling,
    /// The number of threads that examine records.
    pub jobs: usize,
    pub depth: Depth,
}

/// How much of a record is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// Only the position; the record has no operations.
    Position,
    Operations,
}

/// Copies lines from the input to the output: `examine` finds out something about each record, on several
/// threads; `take` sees all lines in their order and appends what is to be written.
pub fn copy_lines<T: Send>(
    streams: &Streams<'_>,
    examine: impl Fn(&Line<'_>, &Record) -> T + Sync,
    take: impl FnMut(Entry<'_, T>, &mut Vec<u8>) -> anyhow::Result<()>,
) -> anyhow::Result<Counts> {
    let input = Input::open(streams.input)?;
    let mut output = input.create_output(streams)?;
    let counts = input.read(streams, examine, take, |out| output.write(out))?;
    output.finish()?;
    Ok(counts)
}

/// An input that is open.
pub struct Input(Blocks);

impl Input {
    pub fn open(stream: &Stream) -> anyhow::Result<Self> {
        Blocks::open_records(stream).map(Self)
    }

    pub fn compression(&self) -> Option<Compression> {
        self.0.compression()
    }

    /// Creates the output of a verb, unless that would destroy its input.
    pub fn create_output(&self, streams: &Streams<'_>) -> anyhow::Result<Output> {
        self.check_output(streams)?;
        Output::create_records(streams.output)
    }

    /// Refuses an output that would destroy the input.
    pub fn check_output(&self, streams: &Streams<'_>) -> anyhow::Result<()> {
        check_destination(
            streams.input,
            self.compression(),
            streams.output,
            streams.force,
        )
    }

    /// Reads the lines like [`copy_lines`], and writes nothing.
    pub fn read_only<T: Send>(
        self,
        streams: &Streams<'_>,
        examine: impl Fn(&Line<'_>, &Record) -> T + Sync,
        mut take: impl FnMut(Entry<'_, T>) -> anyhow::Result<()>,
    ) -> anyhow::Result<Counts> {
        self.read(streams, examine, |entry, _| take(entry), |_| Ok(()))
    }

    fn read<T: Send>(
        self,
        streams: &Streams<'_>,
        examine: impl Fn(&Line<'_>, &Record) -> T + Sync,
        mut take: impl FnMut(Entry<'_, T>, &mut Vec<u8>) -> anyhow::Result<()>,
        mut write: impl FnMut(&[u8]) -> anyhow::Result<()>,
    ) -> anyhow::Result<Counts> {
        let is_compressed = self.0.compression().is_some();
        let bar = progress_bar(streams.input, streams.output, is_compressed);
        let mut counts = Counts::default();
        let mut out = Vec::new();
        map_in_order(
            self.0,
            streams.jobs,
            BLOCKS_AHEAD,
            || {
                |block: anyhow::Result<Block>| {
                    block.map(|block| Examined::new(&block, streams, &examine))
                }
            },
            |examined| {
                let examined = examined?;
                if !examined.messages.is_empty() {
                    bar.suspend(|| eprint!("{}", examined.messages));
                }
                counts += examined.counts;
                out.clear();
                for (number, range, content) in examined.entries {
                    let text = &examined.text[range];
                    take(
                        Entry {
                            number,
                            text,
                            content,
                        },
                        &mut out,
                    )?;
                }
                bar.inc(examined.size);
                if out.is_empty() { Ok(()) } else { write(&out) }
            },
        )?;
        bar.finish_and_clear();
        Ok(counts)
    }
}

/// A block with what was found out about its records.
struct Examined<T> {
    /// The size of the block in bytes.
    size: u64,
    text: Vec<u8>,
    /// Line number, place in the text, and content of each line.
    entries: Vec<(usize, Range<usize>, Content<T>)>,
    messages: String,
    counts: Counts,
}

impl<T> Examined<T> {
    fn new(
        block: &Block,
        streams: &Streams<'_>,
        examine: &impl Fn(&Line<'_>, &Record) -> T,
    ) -> Self {
        let mut examined = Self {
            size: block.text.len() as u64,
            text: Vec::with_capacity(block.text.len() + 1),
            entries: Vec::new(),
            messages: String::new(),
            counts: Counts::default(),
        };
        let reader = reader(false, streams.castling);
        let mut repairs = Vec::new();
        let read = |line: &Line<'_>, repairs: &mut Vec<Repair>| {
            repairs.clear();
            match streams.depth {
                Depth::Position => line.read_setup(&reader, repairs).map(Record::new),
                Depth::Operations => line.read(&reader, repairs),
            }
        };
        for line in block.lines() {
            let begin = examined.text.len();
            block.copy_line(&line, &mut examined.text);
            let is_record = line.kind() == LineKind::Record;
            let content = match is_record.then(|| read(&line, &mut repairs)) {
                None => {
                    examined.counts.others += 1;
                    Content::NoRecord
                }
                Some(Ok(record)) => {
                    examined.counts.records += 1;
                    if let Some(dropped) = DroppedCastling::of(&line, &record.setup, &repairs) {
                        let _ = writeln!(examined.messages, "{}", dropped.message(streams.input));
                    }
                    Content::Record(examine(&line, &record))
                }
                Some(Err(error)) => {
                    examined.counts.unreadable += 1;
                    examined.report(streams.input, &LineError::new(&line, &error));
                    Content::NoRecord
                }
            };
            let range = begin..examined.text.len();
            examined.entries.push((line.number, range, content));
        }
        let begin = examined.text.len();
        block.copy_rest(&mut examined.text);
        let range = begin..examined.text.len();
        if !range.is_empty() {
            let rest = (block.first_line, range, Content::NoRecord);
            examined.entries.push(rest);
        }
        examined
    }

    /// Reports a line that is not a record.
    fn report(&mut self, stream: &Stream, error: &LineError) {
        let (line, column) = error.place;
        let message = Message {
            stream,
            line,
            column: Some(column),
            text: &error.message,
        };
        let _ = writeln!(self.messages, "{message}");
    }
}
