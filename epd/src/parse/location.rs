//! Locations: where in the line each field, operation and operand of a record was read.

use movegen::Field;
use smallvec::SmallVec;

/// A range of bytes in a line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Span {
    /// The first byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

impl Span {
    /// The range from `start` up to, but not including, `end`.
    #[must_use]
    pub const fn new(start: usize, end: usize) -> Self {
        Self { start, end }
    }

    /// The column of the first byte, counted in bytes from 1.
    #[must_use]
    pub const fn column(self) -> usize {
        self.start + 1
    }

    /// The text of the range.
    #[must_use]
    pub fn of(self, line: &str) -> &str {
        &line[self.start..self.end]
    }
}

/// A part of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// One of the four fields of the position.
    Field(Field),
    /// The n-th of [`Record::operations`](crate::Record::operations), from 0.
    Operation(usize),
    /// The m-th operand of the n-th operation, both from 0.
    Operand(usize, usize),
}

/// The location of one operation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Location {
    /// The opcode, or the text that the operation was made of.
    pub opcode: Span,
    /// The operands, including their quotes.
    pub operands: SmallVec<[Span; 2]>,
}

/// The locations of the parts of a record.
///
/// ```
/// use epode_epd::{Reader, Part};
///
/// let line = "8/8/8/8/8/k7/8/K7 w - - id \"x\"; bm Kb1;";
/// let (record, locations) = Reader::lenient().locate(line, &mut Vec::new())?;
/// assert_eq!(record.operations()[0].opcode, "bm");
/// assert_eq!(locations.span(Part::Operation(0)).of(line), "bm");
/// assert_eq!(locations.span(Part::Operand(1, 0)).of(line), "\"x\"");
/// # Ok::<(), epode_epd::ReadError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Locations {
    /// Placement, turn, castling and en passant; the last two may be empty.
    pub(crate) fields: [Span; 4],
    /// In the order of the record's operations.
    pub(crate) operations: Vec<Location>,
}

impl Locations {
    /// The location of a part. An operand without a location of its own has that of its operation.
    ///
    /// # Panics
    /// If the record has no such operation.
    #[must_use]
    pub fn span(&self, part: Part) -> Span {
        match part {
            Part::Field(field) => self.fields[(field as usize).min(3)],
            Part::Operation(n) => self.operations[n].opcode,
            Part::Operand(n, m) => {
                let location = &self.operations[n];
                *location.operands.get(m).unwrap_or(&location.opcode)
            }
        }
    }
}
