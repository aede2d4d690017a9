//! What the verbs that copy records have in common: lines in, records out, in order, on several
//! threads, and what there is to tell on the way.

use std::collections::BTreeMap;
use std::fmt::{Display, Write};
use std::io::IsTerminal;
use std::ops::AddAssign;

use anyhow::bail;
use epd::{Counters, Line, LineKind, Mend, Mode, ReadErrorKind, Reader, Record};
use indicatif::{ProgressBar, ProgressStyle};

use crate::Verdict;
use crate::args::{BadLines, Files, Stream};
use crate::input::{Block, Blocks, Fault, Message};
use crate::output::Output;
use crate::parallel::map_in_order;

/// Files to go through, and how.
pub struct Filter<'f> {
    pub files: &'f Files,
    pub reader: Reader<'f>,
    /// Write how lines differ from what they would become, and nothing else.
    pub differences: bool,
}

/// How many lines were what.
#[derive(Default)]
pub struct Tally {
    pub records: usize,
    pub mended: usize,
    pub faulty: usize,
    pub unreadable: usize,
    pub skipped: usize,
    pub differing: usize,
    /// Anything that a verb counts by name.
    pub kinds: BTreeMap<&'static str, usize>,
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.records += other.records;
        self.mended += other.mended;
        self.faulty += other.faulty;
        self.unreadable += other.unreadable;
        self.skipped += other.skipped;
        self.differing += other.differing;
        for (kind, count) in other.kinds {
            *self.kinds.entry(kind).or_default() += count;
        }
    }
}

impl Tally {
    pub fn verdict(&self) -> Verdict {
        if self.unreadable > 0 {
            Verdict::Failed
        } else if self.faulty > 0 || self.differing > 0 {
            Verdict::Faulty
        } else {
            Verdict::Good
        }
    }

    /// How many records there were and what became of them.
    pub fn summary(&self) -> String {
        let records = counted(self.records, "record", "records");
        let (mended, faulty) = (self.mended, self.faulty);
        format!(
            "{records}, {mended} mended, {faulty} with warnings{}",
            self.rest()
        )
    }

    /// What was not a record, for the end of a summary.
    pub fn rest(&self) -> String {
        let unreadable = counted(self.unreadable, "line", "lines");
        let mut text = format!("; {unreadable} not understood");
        if self.skipped > 0 {
            let skipped = counted(
                self.skipped,
                "blank line or comment",
                "blank lines and comments",
            );
            let _ = write!(text, "; {skipped}");
        }
        text
    }
}

/// A number of things.
pub fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

/// What comes of a block of lines: texts to write and to tell.
pub struct Told<'f> {
    stream: &'f Stream,
    out: String,
    messages: String,
    pub tally: Tally,
    stopped_at: Option<usize>,
}

impl Told<'_> {
    /// Writes a record.
    pub fn write(&mut self, record: &Record, counters: Counters) {
        // A string takes everything.
        let _ = record.print(counters, &mut self.out);
        self.out.push('\n');
    }

    /// Tells something about a place of a line.
    pub fn tell(&mut self, line: &Line<'_>, offset: Option<usize>, text: &dyn Display) {
        let (number, column) = line.place(offset.unwrap_or(0));
        let message = Message {
            stream: self.stream,
            line: number,
            column: offset.is_some().then_some(column),
            text,
        };
        let _ = writeln!(self.messages, "{message}");
    }
}

/// Goes through the lines of a file. For each record, `change` writes what is to become of it.
pub fn filter(
    filter: &Filter<'_>,
    change: impl Fn(&mut Told<'_>, &Line<'_>, Record, &[Mend]) + Sync,
) -> anyhow::Result<Tally> {
    let files = filter.files;
    let blocks = Blocks::open(&files.input)?;
    let mut output = Output::create(&files.output)?;
    let bar = progress_bar(files);
    let mut tally = Tally::default();
    map_in_order(
        blocks,
        files.jobs.get(),
        || {
            |block: anyhow::Result<Block>| {
                block.map(|block| (block.text.len(), filter.block(&block, &change)))
            }
        },
        |done| {
            let (size, told) = done?;
            bar.inc(size as u64);
            output.write(told.out.as_bytes())?;
            if !told.messages.is_empty() {
                bar.suspend(|| eprint!("{}", told.messages));
            }
            tally += told.tally;
            match told.stopped_at {
                Some(line) => bail!("stopped at line {line} of {}", files.input),
                None => anyhow::Ok(()),
            }
        },
    )?;
    bar.finish_and_clear();
    output.finish()?;
    Ok(tally)
}

impl<'f> Filter<'f> {
    fn block(
        &self,
        block: &Block,
        change: &impl Fn(&mut Told<'_>, &Line<'_>, Record, &[Mend]),
    ) -> Told<'f> {
        let mut told = Told {
            stream: &self.files.input,
            out: String::with_capacity(block.text.len() + block.text.len() / 4),
            messages: String::new(),
            tally: Tally::default(),
            stopped_at: None,
        };
        let mut mends = Vec::new();
        let mut lines = block.lines().peekable();
        while let Some(line) = lines.next() {
            let begin = told.out.len();
            mends.clear();
            match line.read(&self.reader, &mut mends) {
                Ok(record) => {
                    told.tally.records += 1;
                    let mended = mends.iter().any(|mend| mend.taken.is_some());
                    told.tally.mended += usize::from(mended);
                    change(&mut told, &line, record, &mends);
                }
                Err(error) => {
                    let fault = Fault::new(&line, &error);
                    if self.reader.mode() == Mode::Strict {
                        told.tell(&line, Some(error.span.start), &fault.message);
                        told.stopped_at = Some(fault.place.0);
                        return told;
                    }
                    self.pass_over(&mut told, &line, &error);
                }
            }
            if self.differences {
                let unended = lines.peek().is_none() && !block.text.ends_with(b"\n");
                self.compare(&mut told, &line, begin, unended);
            }
        }
        told
    }

    /// What becomes of a line that is no record.
    fn pass_over(&self, told: &mut Told<'_>, line: &Line<'_>, error: &epd::ReadError) {
        match line.kind() {
            LineKind::Blank => told.tally.skipped += 1,
            // Notes about what the file says of itself; nothing of that is lost unseen.
            LineKind::Comment if error.kind == ReadErrorKind::NoRecord => {
                told.tally.skipped += 1;
                told.tell(
                    line,
                    None,
                    &format_args!("comment left out: {}", line.text.trim()),
                );
            }
            LineKind::Comment | LineKind::Record => {
                told.tally.unreadable += 1;
                told.tell(line, Some(error.span.start), &error.kind);
                if self.files.bad_lines == BadLines::Copy {
                    told.out.push_str(&line.text);
                    told.out.push('\n');
                }
            }
        }
    }

    /// Replaces what was written since `begin` by how it differs from the line.
    fn compare(&self, told: &mut Told<'_>, line: &Line<'_>, begin: usize, unended: bool) {
        let written = told.out.split_off(begin);
        // A text that had to be decoded or joined is another one.
        let as_read = matches!(line.text, std::borrow::Cow::Borrowed(_)) && !unended;
        if as_read && written.strip_suffix('\n') == Some(&line.text) {
            return;
        }
        told.tally.differing += 1;
        let _ = writeln!(
            told.out,
            "{}:{}:\n-{}",
            self.files.input, line.number, line.text
        );
        if !written.is_empty() {
            let _ = write!(told.out, "+{written}");
        }
        if unended {
            told.out.push_str("\\ No newline at the end of the file\n");
        }
    }
}

/// A bar on a terminal that nothing else is written to.
fn progress_bar(files: &Files) -> ProgressBar {
    let size = match &files.input {
        Stream::File(path) => path.metadata().map_or(0, |metadata| metadata.len()),
        Stream::Standard => 0,
    };
    if size == 0 || (files.output == Stream::Standard && std::io::stdout().is_terminal()) {
        return ProgressBar::hidden();
    }
    let template = "{wide_bar} {bytes}/{total_bytes}, {bytes_per_sec}, {eta} to go";
    let style = ProgressStyle::with_template(template).unwrap_or(ProgressStyle::default_bar());
    ProgressBar::new(size).with_style(style)
}
