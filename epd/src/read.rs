//! From a line of text to a record.
//!
//! There is one reader. It takes everything below as it is meant and tells each place as a [`Mend`];
//! in [`Mode::Strict`] the first of them is an error.
//! - a byte order mark;
//! - tabs and surplus blanks anywhere, carriage returns and NUL bytes at the end of the line
//!   (decision 119);
//! - the two counters of FEN after the position, with or without a semicolon and even glued to
//!   the dash: they become `hmvc` and `fmvn`, unless these are there (decision 116);
//! - semicolons that end nothing, and a missing last one;
//! - strings over 255 bytes, opcodes of one letter or over fifteen, opcodes that occur twice
//!   (decisions 104, 105 and 109);
//! - a missing castling or en passant field, a surplus dash after the fields, `W` for `w`, castling
//!   letters in any order or as files of the rooks, the pawn's square in place of the en passant
//!   square; an impossible en passant square is left out (decision 121), and so are castling flags
//!   without king and rook at home and letters that name no rook; castling of another chess is kept
//!   and the position not checked (decision 122);
//! - the placement of the Macintosh dialect of 1996: a solidus after the last rank, and empty
//!   squares at the end of a rank left out;
//! - signs that stand apart from their move: `Qd1 +`, `a8 = Q`;
//! - commas between moves, numbers before them and glyphs after them: `1.e4!, d4`;
//! - strings without quotes where the opcode takes a string (decisions 108 and 117), `id="33"` for
//!   `id "33"`, two operations with no semicolon between, moves of `bm` and `am` with one between
//!   (decision 118), `draw_decline` for `draw_reject` (decision 67);
//! - text that is no operation at all: it becomes a comment, in the last register that is free;
//! - bytes beyond ASCII inside strings (decision 5), and a backslash before a quote that does not
//!   end the string (decision 106).
//!
//! [`Mode::Repair`] goes on to what operands say: moves in exact notation, times with all digits.

mod cursor;
mod fields;
mod operations;

pub(crate) use cursor::{ends_word, is_space};
pub(crate) use fields::BYTE_ORDER_MARK;
use operations::is_printing;

use std::str::FromStr;

use crate::lexicon::Lexicon;
use crate::mend::{Mend, ReadError, ReadErrorKind, Span};
use crate::places::Places;
use crate::record::Record;
use crate::repair;

/// The bytes that a line may have, its end not counted (EPD 4, decision 2).
pub const MAX_LINE: usize = 4095;
/// The bytes that a string may have, its quotes not counted (EPD 5.1).
pub const MAX_STRING: usize = 255;
/// The letters that an opcode should have (EPD 5.1 and 5.3).
const OPCODE_LENGTHS: std::ops::RangeInclusive<usize> = 2..=15;

/// How much is understood.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Mode {
    /// The letter of the standard; the order of operations is free (EPD 5.1).
    Strict,
    /// What is meant. Operands are kept as they are spelt.
    #[default]
    Lenient,
    /// What is meant; moves are spelt as the standard has it.
    Repair,
}

/// Reads lines, in a mode and with a lexicon.
///
/// ```
/// use epode_epd::{Deviation, Reader};
///
/// let line = "r1k5/8/8/8/8/8/8/4K2R w K - 0 1 ; bm h1h8 ; id Rook to the seventh";
/// let mut mends = Vec::new();
/// let record = Reader::repair().read(line, &mut mends)?;
/// assert_eq!(
///     record.to_string(),
///     "r1k5/8/8/8/8/8/8/4K2R w K - bm Rh8+; fmvn 1; hmvc 0; id \"Rook to the seventh\";"
/// );
/// let spelling = mends.iter().find(|mend| mend.deviation == Deviation::MoveSpelling).unwrap();
/// assert_eq!(spelling.span.of(line), "h1h8");
/// assert_eq!(spelling.taken.as_deref(), Some("Rh8+"));
/// # Ok::<(), epode_epd::ReadError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Reader<'l> {
    mode: Mode,
    lexicon: &'l Lexicon,
}

impl Reader<'static> {
    /// A reader with the lexicon of the standard.
    #[must_use]
    pub const fn new(mode: Mode) -> Self {
        const STANDARD: &Lexicon = &Lexicon::standard();
        Self {
            mode,
            lexicon: STANDARD,
        }
    }

    /// Reads the letter of the standard.
    #[must_use]
    pub const fn strict() -> Self {
        Self::new(Mode::Strict)
    }

    /// Reads what is meant.
    #[must_use]
    pub const fn lenient() -> Self {
        Self::new(Mode::Lenient)
    }

    /// Reads what is meant, and spells it as the standard has it.
    #[must_use]
    pub const fn repair() -> Self {
        Self::new(Mode::Repair)
    }
}

impl<'l> Reader<'l> {
    /// The reader with another lexicon.
    #[must_use]
    pub const fn with_lexicon(self, lexicon: &Lexicon) -> Reader<'_> {
        Reader {
            mode: self.mode,
            lexicon,
        }
    }

    /// The mode.
    #[must_use]
    pub const fn mode(&self) -> Mode {
        self.mode
    }

    /// The lexicon.
    #[must_use]
    pub const fn lexicon(&self) -> &'l Lexicon {
        self.lexicon
    }

    /// Reads a line without its line feed, and adds what was mended in the order of the columns.
    pub fn read(&self, line: &str, mends: &mut Vec<Mend>) -> Result<Record, ReadError> {
        if self.mode == Mode::Repair {
            return Ok(self.locate(line, mends)?.0);
        }
        let first = mends.len();
        let record = Parser::new(line, self.lexicon, mends, None).record()?;
        self.settle(&mut mends[first..])?;
        Ok(record)
    }

    /// Reads a line and tells where each operation and operand stands in it.
    pub fn locate(&self, line: &str, mends: &mut Vec<Mend>) -> Result<(Record, Places), ReadError> {
        let first = mends.len();
        let mut places = Places::default();
        let mut record = Parser::new(line, self.lexicon, mends, Some(&mut places)).record()?;
        if self.mode == Mode::Repair {
            repair::located(&mut record, &mut places, self.lexicon, mends);
        }
        self.settle(&mut mends[first..])?;
        Ok((record, places))
    }

    /// Puts what was mended in order; the first of it is an error where nothing may be.
    fn settle(&self, mends: &mut [Mend]) -> Result<(), ReadError> {
        mends.sort_by_key(|mend| mend.span.start);
        match mends.first() {
            Some(mend) if self.mode == Mode::Strict => Err(ReadError {
                span: mend.span,
                kind: ReadErrorKind::Deviation(mend.deviation),
            }),
            _ => Ok(()),
        }
    }
}

/// Reads what a line means, by the lexicon of the standard: [`Reader::lenient`].
pub fn read(line: &str, mends: &mut Vec<Mend>) -> Result<Record, ReadError> {
    Reader::lenient().read(line, mends)
}

/// Reads a record that is exactly as the standard has it; the operations may come in any order
/// (EPD 5.1).
impl FromStr for Record {
    type Err = ReadError;

    fn from_str(line: &str) -> Result<Self, ReadError> {
        Reader::strict().read(line, &mut Vec::new())
    }
}

/// The way of one line to its record: `cursor` moves along, `fields` reads the position,
/// `operations` the rest.
struct Parser<'a, 'r> {
    line: &'a str,
    /// Whether the line has no other letters than those of the standard.
    is_plain: bool,
    /// The next byte to read.
    at: usize,
    lexicon: &'r Lexicon,
    mends: &'r mut Vec<Mend>,
    /// Where operations stand, if somebody wants to know.
    places: Option<&'r mut Places>,
}

impl<'a, 'r> Parser<'a, 'r> {
    fn new(
        line: &'a str,
        lexicon: &'r Lexicon,
        mends: &'r mut Vec<Mend>,
        places: Option<&'r mut Places>,
    ) -> Self {
        // Without an early end, so that many bytes go at once.
        let is_plain = line.bytes().fold(true, |all, byte| all & is_printing(byte));
        Self {
            line,
            is_plain,
            at: 0,
            lexicon,
            mends,
            places,
        }
    }

    fn record(mut self) -> Result<Record, ReadError> {
        if self.line.len() > MAX_LINE {
            let span = Span::new(MAX_LINE, self.line.len());
            self.keep(span, crate::Deviation::LongLine);
        }
        let (setup, foreign_castling) = self.position()?;
        let operations = self.operations(&setup, foreign_castling.is_none())?;
        Ok(Record::from_parts(setup, foreign_castling, operations))
    }
}

#[cfg(test)]
mod tests;
