//! Where the operations of a record stand in its line.

use movegen::Field;
use smallvec::SmallVec;

/// A part of a line: byte offsets, the end excluded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Span {
    /// The first byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

impl Span {
    /// The part from `start` to before `end`.
    #[must_use]
    pub const fn new(start: usize, end: usize) -> Self {
        Self { start, end }
    }

    /// The column of the first byte, counted in bytes from 1.
    #[must_use]
    pub const fn column(self) -> usize {
        self.start + 1
    }

    /// The text of the part.
    #[must_use]
    pub fn of(self, line: &str) -> &str {
        &line[self.start..self.end]
    }
}

/// A part of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Site {
    /// One of the four fields of the position.
    Field(Field),
    /// The n-th of [`Record::operations`](crate::Record::operations), from 0.
    Operation(usize),
    /// The n-th operation's m-th operand, both from 0.
    Operand(usize, usize),
}

/// Where one operation stands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// The opcode; for what was no operation in the line, the text that became one.
    pub opcode: Span,
    /// The operands, quotes included.
    pub operands: SmallVec<[Span; 2]>,
}

/// Where the parts of a record stand.
///
/// ```
/// use epode_epd::{Reader, Site};
///
/// let line = "8/8/8/8/8/k7/8/K7 w - - id \"x\"; bm Kb1;";
/// let (record, places) = Reader::lenient().locate(line, &mut Vec::new())?;
/// assert_eq!(record.operations()[0].opcode, "bm");
/// assert_eq!(places.span(Site::Operation(0)).of(line), "bm");
/// assert_eq!(places.span(Site::Operand(1, 0)).of(line), "\"x\"");
/// # Ok::<(), epode_epd::ReadError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Places {
    /// Placement, turn, castling, en passant; the last two may be empty.
    pub(crate) fields: [Span; 4],
    /// In the order of the record's operations.
    pub(crate) operations: Vec<Place>,
}

impl Places {
    /// Where a part stands. An operand without a place of its own stands where its operation does.
    ///
    /// # Panics
    /// When the record has no such operation.
    #[must_use]
    pub fn span(&self, site: Site) -> Span {
        match site {
            Site::Field(field) => self.fields[(field as usize).min(3)],
            Site::Operation(n) => self.operations[n].opcode,
            Site::Operand(n, m) => {
                let place = &self.operations[n];
                *place.operands.get(m).unwrap_or(&place.opcode)
            }
        }
    }
}
