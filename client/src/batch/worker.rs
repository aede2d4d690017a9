//! A thread of a run: it analyses records, or takes their results from the journal.

use std::panic::{AssertUnwindSafe, catch_unwind};

use anyhow::anyhow;
use epd::{Lexicon, Reader, Record};
use movegen::Position;

use super::counts::Counts;
use super::journal::{Journal, JournalEntry, fingerprint};
use super::note;
use super::verb::{LineResult, Verb};
use crate::io::input::{NumberedLine, Source};

/// One thread of a run, with an engine of its own.
pub struct BatchWorker<'a, V: Verb> {
    pub verb: &'a V,
    pub engine: Option<V::Engine>,
    pub journal: Option<&'a Journal>,
    /// The reader of the records.
    pub reader: Reader<'static>,
}

impl<V: Verb> BatchWorker<'_, V> {
    /// Analyses the record of a line, unless the journal has its result from an earlier run.
    pub fn work(&mut self, numbered: NumberedLine) -> anyhow::Result<LineResult> {
        let NumberedLine {
            line,
            record,
            source,
            ..
        } = numbered;
        let mut record = match record {
            Ok(record) => record,
            Err(error) => return Ok(LineResult::NoRecord(error)),
        };
        make_portable(&mut record);
        let position = match record.position() {
            Ok(position) => position,
            Err(fault) => {
                return Ok(LineResult::IllegalPosition {
                    record: record.to_string(),
                    place: source.place(&self.reader, |_| fault.part()),
                    fault: fault.to_string(),
                });
            }
        };
        let Some(journal) = self.journal else {
            let entry = self.analyse(line, &source, &record, &position)?;
            return Ok(LineResult::Record { entry, now: true });
        };
        let fingerprint = fingerprint(&record);
        if let Some(entry) = journal.earlier(line, fingerprint)? {
            return Ok(LineResult::Record { entry, now: false });
        }
        let mut entry = self.analyse(line, &source, &record, &position)?;
        entry.fingerprint = fingerprint;
        journal.append(&entry)?;
        Ok(LineResult::Record { entry, now: true })
    }

    /// Analyses a record, or gives it up with a note.
    fn analyse(
        &mut self,
        line: usize,
        source: &Source,
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
                let faults = done.faults.iter().map(ToString::to_string);
                let texts: Vec<_> = faults.chain(done.wrong).collect();
                let fault = (!texts.is_empty()).then(|| texts.join("; "));
                let mut entry = JournalEntry::new(line, &changed, done.counts, fault, false);
                entry.place = done
                    .faults
                    .first()
                    .map(|first| source.place(&self.reader, |record| record.part_at_fault(first)));
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

/// Other programs must be able to read all output, copied records included.
pub fn make_portable(record: &mut Record) {
    record.make_portable(&Lexicon::standard());
}

#[cfg(test)]
mod tests;
