//! What the reader dropped from the castling availability of a record. Moves are lost with it, so every verb
//! tells it.

use std::fmt;

use epd::{DroppedRights, Line, Repair, RepairKind, Severity};
use movegen::Setup;

use super::message::Message;
use crate::io::stream::Stream;

/// Castling rights that were dropped, for verbs with the option `--chess960`.
pub struct DroppedCastling {
    /// Line and column, from 1.
    pub place: (usize, usize),
    pub rights: DroppedRights,
    kind: RepairKind,
}

impl DroppedCastling {
    /// What was dropped from a line that was read with these repairs.
    pub fn of(line: &Line<'_>, setup: &Setup, repairs: &[Repair]) -> Option<Self> {
        repairs.iter().find_map(|repair| {
            Some(Self {
                place: line.place(repair.span.start),
                ..Self::from_repair(&line.text, setup, repair)?
            })
        })
    }

    /// The same for a text whose place in the file is not known.
    pub fn in_text(text: &str, setup: &Setup, repairs: &[Repair]) -> Option<Self> {
        let mut repairs = repairs.iter();
        repairs.find_map(|repair| Self::from_repair(text, setup, repair))
    }

    fn from_repair(text: &str, setup: &Setup, repair: &Repair) -> Option<Self> {
        Some(Self {
            place: (1, 1),
            rights: repair.dropped_rights(text, setup)?,
            kind: repair.kind,
        })
    }

    /// Whether the letters may mean something else.
    pub fn is_warning(&self) -> bool {
        self.kind.severity() == Severity::Warning
    }

    /// The message of verbs that name what they report.
    pub fn diagnostic(&self) -> String {
        let (severity, name) = (self.kind.severity(), self.kind.name());
        format!("{severity}[{name}]: {self}")
    }

    /// The message with file, line and column.
    pub fn message<'a>(&'a self, stream: &'a Stream) -> Message<'a, &'a Self> {
        self.at_place(stream, self)
    }

    /// A text with file, line and column.
    pub fn at_place<'a, T>(&self, stream: &'a Stream, text: T) -> Message<'a, T> {
        let (line, column) = self.place;
        Message {
            stream,
            line,
            column: Some(column),
            text,
        }
    }

    /// The option that reads the letters as in Chess960, if they mean something there.
    fn hint(&self) -> &'static str {
        match self.rights.chess960 {
            Some(_) => " or give --chess960",
            None => "",
        }
    }
}

impl fmt::Display for DroppedCastling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.rights.fmt(f)?;
        f.write_str(self.hint())
    }
}
