//! What a verb does with a record, and what comes of it.

use epd::{OperandError, Record};
use movegen::Position;

use super::counts::Counts;
use super::journal::JournalEntry;
use super::run_info::RunInfo;
use super::screen::{Heading, Row};
use super::settings::Settings;
use super::tally::Tally;
use crate::io::input::LineError;

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
    /// Faults in the record, which was analysed nevertheless.
    pub faults: Vec<OperandError>,
    /// What the analysis has shown to be wrong in the record.
    pub wrong: Option<String>,
    /// A remark to print, which is not a fault.
    pub remark: Option<String>,
}

/// The result of a line.
pub enum LineResult {
    /// Analysed or given up, by this run or an earlier one.
    Record { entry: JournalEntry, now: bool },
    /// Copied unchanged (decision 132).
    IllegalPosition {
        record: String,
        place: (usize, usize),
        fault: String,
    },
    /// Not a record: copied unchanged or dropped.
    NoRecord(LineError),
}
