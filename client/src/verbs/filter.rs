//! The pipeline of the verbs that copy records: it reads lines, passes them through several threads
//! in order, and writes records and messages.

use std::collections::BTreeMap;
use std::fmt::{Display, Write};
use std::io::IsTerminal;
use std::ops::AddAssign;

use anyhow::bail;
use epd::{Counters, Line, LineKind, Mode, ReadErrorKind, Reader, Record, Repair};
use indicatif::{ProgressBar, ProgressStyle};

use crate::cli::Files;
use crate::exit_status::ExitStatus;
use crate::io::input::{Block, Blocks, DroppedCastling, LineError, Message, Part};
use crate::io::output::{Output, check_destination};
use crate::io::parallel::map_in_order;
use crate::io::stream::Stream;
use crate::text::counted;

/// Input and output of a verb, and how to read records.
pub struct Filter<'f> {
    pub files: &'f Files,
    pub reader: Reader<'f>,
    /// Write only the differences between each line and its new form.
    pub differences: bool,
}

/// Counts of lines by their result.
#[derive(Default)]
pub struct LineCounts {
    pub records: usize,
    pub repaired: usize,
    pub faulty: usize,
    pub unreadable: usize,
    pub skipped: usize,
    pub differing: usize,
    /// Whether lines that are not records were copied or dropped; none if neither.
    non_records: Option<NonRecords>,
    /// Further counts of a verb, by name.
    pub kinds: BTreeMap<&'static str, usize>,
}

/// What happens to lines that are not records.
#[derive(Clone, Copy, PartialEq, Eq)]
enum NonRecords {
    Copied,
    Dropped,
}

impl AddAssign for LineCounts {
    fn add_assign(&mut self, other: Self) {
        self.records += other.records;
        self.repaired += other.repaired;
        self.faulty += other.faulty;
        self.unreadable += other.unreadable;
        self.skipped += other.skipped;
        self.differing += other.differing;
        for (kind, count) in other.kinds {
            *self.kinds.entry(kind).or_default() += count;
        }
    }
}

impl LineCounts {
    pub fn status(&self) -> ExitStatus {
        if self.unreadable > 0 {
            ExitStatus::Failed
        } else if self.faulty > 0 || self.differing > 0 {
            ExitStatus::Faulty
        } else {
            ExitStatus::Success
        }
    }

    /// The summary line: the number of records, repairs and warnings.
    pub fn summary(&self) -> String {
        let records = counted(self.records, "record", "records");
        let (repaired, faulty) = (self.repaired, self.faulty);
        format!(
            "{records}, {repaired} repaired, {faulty} with warnings{}",
            self.rest()
        )
    }

    /// The end of a summary: the lines that are not records.
    pub fn rest(&self) -> String {
        let unreadable = counted(self.unreadable, "line", "lines");
        let mut text = format!("; {unreadable} not understood");
        let dropped = if self.non_records == Some(NonRecords::Dropped) {
            ", dropped"
        } else {
            ""
        };
        if self.unreadable > 0 {
            let copied = self.non_records == Some(NonRecords::Copied);
            text.push_str(if copied { ", copied" } else { dropped });
        }
        if self.skipped > 0 {
            let skipped = counted(
                self.skipped,
                "blank line or comment",
                "blank lines and comments",
            );
            let _ = write!(text, "; {skipped}{dropped}");
        }
        text
    }
}

/// The result of a block of lines: text to write, messages and counts.
pub struct BlockResult<'f> {
    stream: &'f Stream,
    out: Vec<u8>,
    messages: String,
    /// The messages about the current line, with their places.
    line_messages: Vec<((usize, usize), String)>,
    pub counts: LineCounts,
    stopped_at: Option<usize>,
}

impl BlockResult<'_> {
    /// Writes a record.
    pub fn write(&mut self, record: &Record, counters: Counters) {
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = record.print(counters, &mut text);
        text.push('\n');
        self.out.extend(text.into_bytes());
    }

    /// Reports something about a place in a line.
    pub fn report(&mut self, line: &Line<'_>, offset: Option<usize>, text: &dyn Display) {
        let (number, column) = line.place(offset.unwrap_or(0));
        let message = Message {
            stream: self.stream,
            line: number,
            column: offset.is_some().then_some(column),
            text,
        };
        self.line_messages
            .push(((number, column), message.to_string()));
    }

    /// Reports castling rights that a repair dropped from a record; false if it dropped none.
    pub fn report_dropped(&mut self, line: &Line<'_>, record: &Record, repair: &Repair) -> bool {
        let repairs = std::slice::from_ref(repair);
        let Some(dropped) = DroppedCastling::of(line, &record.setup, repairs) else {
            return false;
        };
        let message = dropped.at_place(self.stream, dropped.diagnostic());
        self.line_messages
            .push((dropped.place, message.to_string()));
        true
    }

    /// Ends a line: its messages come in the order of their columns.
    fn end_line(&mut self) {
        self.line_messages.sort_by_key(|&(place, _)| place);
        for (_, message) in self.line_messages.drain(..) {
            self.messages += &message;
            self.messages.push('\n');
        }
    }
}

/// The maximum number of finished blocks that wait for an earlier one.
const BLOCKS_AHEAD: usize = 32;

/// Reads the lines of a file, and calls `change` for each record, which writes its new form.
pub fn filter(
    filter: &Filter<'_>,
    change: impl Fn(&mut BlockResult<'_>, &Line<'_>, Record, &[Repair]) + Sync,
) -> anyhow::Result<LineCounts> {
    let files = filter.files;
    let blocks = Blocks::open_records(&files.input)?;
    let compression = blocks.compression();
    check_destination(
        &files.input,
        compression,
        &files.output,
        files.rewrite.force,
    )?;
    let bar = progress_bar(&files.input, &files.output, compression.is_some());
    filter_blocks(filter, blocks, &bar, change)
}

/// The same with the blocks of a file that was opened and whose output was checked.
pub fn filter_blocks(
    filter: &Filter<'_>,
    blocks: impl Iterator<Item = anyhow::Result<Block>> + Send,
    bar: &ProgressBar,
    change: impl Fn(&mut BlockResult<'_>, &Line<'_>, Record, &[Repair]) + Sync,
) -> anyhow::Result<LineCounts> {
    let files = filter.files;
    let rewrite = files.rewrite;
    let mut output = Output::create_records(&files.output)?;
    let non_records = if rewrite.drop_unreadable {
        NonRecords::Dropped
    } else {
        NonRecords::Copied
    };
    let mut counts = LineCounts {
        non_records: (!filter.differences).then_some(non_records),
        ..LineCounts::default()
    };
    map_in_order(
        blocks,
        files.jobs.get(),
        BLOCKS_AHEAD,
        || {
            |block: anyhow::Result<Block>| {
                block.map(|block| (block.text.len(), filter.block(&block, &change)))
            }
        },
        |done| {
            let (size, result) = done?;
            bar.inc(size as u64);
            output.write(&result.out)?;
            if !result.messages.is_empty() {
                bar.suspend(|| eprint!("{}", result.messages));
            }
            counts += result.counts;
            match result.stopped_at {
                Some(line) => bail!("stopped at line {line} of {}", files.input),
                None => anyhow::Ok(()),
            }
        },
    )?;
    bar.finish_and_clear();
    output.finish()?;
    Ok(counts)
}

impl<'f> Filter<'f> {
    fn block(
        &self,
        block: &Block,
        change: &impl Fn(&mut BlockResult<'_>, &Line<'_>, Record, &[Repair]),
    ) -> BlockResult<'f> {
        let mut result = BlockResult {
            stream: &self.files.input,
            out: Vec::with_capacity(block.text.len() + block.text.len() / 4),
            messages: String::new(),
            line_messages: Vec::new(),
            counts: LineCounts::default(),
            stopped_at: None,
        };
        let mut repairs = Vec::new();
        let mut lines = block.lines().peekable();
        while let Some(line) = lines.next() {
            let begin = result.out.len();
            repairs.clear();
            match line.read(&self.reader, &mut repairs) {
                Ok(record) => {
                    result.counts.records += 1;
                    let repaired = repairs.iter().any(|repair| repair.replacement.is_some());
                    result.counts.repaired += usize::from(repaired);
                    change(&mut result, &line, record, &repairs);
                }
                Err(error) => {
                    let line_error = LineError::new(&line, &error);
                    if self.reader.mode() == Mode::Strict {
                        result.report(&line, Some(error.span.start), &line_error.message);
                        result.end_line();
                        result.stopped_at = Some(line_error.place.0);
                        return result;
                    }
                    self.pass_over(&mut result, block, &line, &error);
                }
            }
            result.end_line();
            if self.differences {
                let unended =
                    lines.peek().is_none() && !matches!(block.text[..], [.., b'\n' | b'\r']);
                // The comparison is with the text after `begin`.
                self.compare(
                    &mut result,
                    &line,
                    begin,
                    unended && block.part == Part::Lines,
                );
            }
        }
        if !self.differences && !self.files.rewrite.drop_unreadable {
            block.copy_rest(&mut result.out);
        }
        result
    }

    /// Reports a line that is not a record, and copies it unchanged or drops it.
    fn pass_over(
        &self,
        result: &mut BlockResult<'_>,
        block: &Block,
        line: &Line<'_>,
        error: &epd::ReadError,
    ) {
        let dropped = self.files.rewrite.drop_unreadable;
        match line.kind() {
            _ if error.kind != ReadErrorKind::NoRecord => {
                result.counts.unreadable += 1;
                result.report(line, Some(error.span.start), &error.kind);
            }
            LineKind::Comment if dropped => {
                result.counts.skipped += 1;
                let comment = line.text.trim();
                result.report(line, None, &format_args!("comment left out: {comment}"));
            }
            _ => result.counts.skipped += 1,
        }
        if !dropped {
            block.copy_line(line, &mut result.out);
        }
    }

    /// Replaces the output since `begin` by its difference from the input line.
    fn compare(&self, result: &mut BlockResult<'_>, line: &Line<'_>, begin: usize, unended: bool) {
        let written = result.out.split_off(begin);
        let text = written.strip_suffix(b"\n").unwrap_or(&written);
        // A dropped line has no output, not even an empty line.
        let is_written = !written.is_empty();
        if is_written && text == line.raw && !line.text.ends_with('\r') && !unended {
            return;
        }
        result.counts.differing += 1;
        let (input, number) = (&self.files.input, line.number);
        result
            .out
            .extend(format!("{input}:{number}:\n-{}\n", line.text).into_bytes());
        if is_written {
            result.out.push(b'+');
            result.out.extend(written);
        }
        if unended {
            result.out.extend(b"\\ No newline at the end of the file\n");
        }
    }
}

/// A progress bar, unless standard output is a terminal too.
pub fn progress_bar(input: &Stream, output: &Stream, is_compressed: bool) -> ProgressBar {
    let size = match input {
        // The decompressed size is unknown.
        Stream::File(_) if is_compressed => 0,
        Stream::File(path) => path.metadata().map_or(0, |metadata| metadata.len()),
        Stream::Standard => 0,
    };
    if size == 0 || (*output == Stream::Standard && std::io::stdout().is_terminal()) {
        return ProgressBar::hidden();
    }
    let template = "{wide_bar} {bytes}/{total_bytes}, {bytes_per_sec}, {eta} to go";
    let style = ProgressStyle::with_template(template).unwrap_or(ProgressStyle::default_bar());
    ProgressBar::new(size).with_style(style)
}
