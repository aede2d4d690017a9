//! The reader: parses a line of text into a record. `Parser::record`, at the end of this file, calls
//! `Parser::setup` (`fields.rs`) and `Parser::operations` (`operations.rs`).

use std::str::FromStr;

use movegen::{CastlingMode, Setup};

use super::cursor::Parser;
use super::error::{ReadError, ReadErrorKind};
use super::limits::MAX_LINE;
use super::location::{Locations, Span};
use super::repair::{Repair, RepairKind};
use super::rewrite;
use crate::opcode::lexicon::Lexicon;
use crate::record::Record;

/// How tolerant a [`Reader`] is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, strum::Display, strum::EnumString)]
#[strum(serialize_all = "kebab-case")]
pub enum Mode {
    /// Accepts only what the standard allows. Operations may be in any order (EPD 5.1).
    Strict,
    /// Also accepts deviations whose meaning is clear, and reports each as a [`Repair`]. Operands keep
    /// their spelling.
    ///
    /// **Lines and white space:**
    ///
    /// - a byte order mark;
    /// - tabs, extra blanks and white space beyond ASCII, such as no-break spaces, anywhere; carriage returns
    ///   and NUL bytes at the end of the line (decision 119);
    /// - bytes beyond ASCII inside strings (decision 5).
    ///
    /// **The position:**
    ///
    /// - a missing castling or en passant field, an extra dash after the fields, `W` for `w`;
    /// - castling letters in any order, or as the files of the rooks where `KQkq` say the same. Letters
    ///   without king and rook are removed (decision 122);
    /// - the square of the pawn in place of the en passant square. An impossible en passant square is
    ///   removed (decision 121);
    /// - the placement field of a 1996 Macintosh program: a slash after the last rank, and no digit for
    ///   the empty squares at the end of a rank;
    /// - FEN counters after the position, with or without a semicolon, even without a blank before
    ///   them. They become `hmvc` and `fmvn` unless the record has these operations (decision 116).
    ///
    /// **Operations:**
    ///
    /// - extra semicolons, and a missing last one;
    /// - strings over 255 bytes, opcodes with one character or more than 15, opcodes that occur twice
    ///   (decisions 104, 105 and 109);
    /// - parts of a move separated by blanks: `Qd1 +`, `a8 = Q`;
    /// - commas between moves, move numbers and annotation glyphs: `1.e4!, d4`;
    /// - strings without quotes where the opcode takes a string (decisions 108 and 117), and `id="33"`
    ///   for `id "33"`;
    /// - two operations without a semicolon between them, or moves of `bm` and `am` with one
    ///   (decision 118);
    /// - `draw_decline` for `draw_reject` (decision 67);
    /// - a backslash before a quote that does not end the string (decision 106);
    /// - text that is not an operation. It becomes a comment in the last free register.
    #[default]
    Lenient,
    /// Accepts the same, and also rewrites operands: moves in exact SAN, times with all digits.
    Repair,
}

/// Parses lines into records.
///
/// ```
/// use epode_epd::{Reader, RepairKind};
///
/// let line = "r1k5/8/8/8/8/8/8/4K2R w K - 0 1 ; bm h1h8 ; id Rook to the seventh";
/// let mut repairs = Vec::new();
/// let record = Reader::repair().read(line, &mut repairs)?;
/// assert_eq!(
///     record.to_string(),
///     "r1k5/8/8/8/8/8/8/4K2R w K - bm Rh8+; fmvn 1; hmvc 0; id \"Rook to the seventh\";"
/// );
/// let spelling = repairs.iter().find(|repair| repair.kind == RepairKind::MoveSpelling).unwrap();
/// assert_eq!(spelling.span.of(line), "h1h8");
/// assert_eq!(spelling.replacement.as_deref(), Some("Rh8+"));
/// # Ok::<(), epode_epd::ReadError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Reader<'l> {
    mode: Mode,
    castling_mode: CastlingMode,
    lexicon: &'l Lexicon,
}

impl Reader<'static> {
    /// A reader that knows the opcodes of [`Lexicon::standard`].
    #[must_use]
    pub const fn new(mode: Mode) -> Self {
        const STANDARD: &Lexicon = &Lexicon::standard();
        Self {
            mode,
            castling_mode: CastlingMode::Standard,
            lexicon: STANDARD,
        }
    }

    /// A reader in [`Mode::Strict`].
    #[must_use]
    pub const fn strict() -> Self {
        Self::new(Mode::Strict)
    }

    /// A reader in [`Mode::Lenient`].
    #[must_use]
    pub const fn lenient() -> Self {
        Self::new(Mode::Lenient)
    }

    /// A reader in [`Mode::Repair`].
    #[must_use]
    pub const fn repair() -> Self {
        Self::new(Mode::Repair)
    }
}

impl<'l> Reader<'l> {
    /// The same reader with another lexicon.
    #[must_use]
    pub const fn with_lexicon(self, lexicon: &Lexicon) -> Reader<'_> {
        Reader {
            mode: self.mode,
            castling_mode: self.castling_mode,
            lexicon,
        }
    }

    /// The same reader for positions of this kind. In Chess960, castling letters `KQkq` mean the outermost
    /// rooks (X-FEN), where they do not mean the castlings of standard chess.
    ///
    /// ```
    /// use epode_epd::Reader;
    /// use epode_epd::movegen::CastlingMode;
    ///
    /// let line = "nrbbnqkr/pppppppp/8/8/8/8/PPPPPPPP/NRBBNQKR w KQkq -";
    /// let reader = Reader::lenient().with_castling_mode(CastlingMode::Chess960);
    /// let record = reader.read(line, &mut Vec::new())?;
    /// assert_eq!(record.setup.castling.to_string(), "HBhb");
    /// # Ok::<(), epode_epd::ReadError>(())
    /// ```
    #[must_use]
    pub const fn with_castling_mode(self, castling_mode: CastlingMode) -> Self {
        Self {
            castling_mode,
            ..self
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

    /// Reads a line, without its line ending. Repairs are appended in the order of their columns.
    pub fn read(&self, line: &str, repairs: &mut Vec<Repair>) -> Result<Record, ReadError> {
        if self.mode == Mode::Repair {
            return Ok(self.locate(line, repairs)?.0);
        }
        let first = repairs.len();
        let mut parser = Parser::new(line, self.lexicon, repairs, None);
        parser.castling_mode = self.castling_mode;
        let record = parser.record()?;
        self.finish(&mut repairs[first..])?;
        Ok(record)
    }

    /// Reads only the position of a line, without the cost of its operations. What follows the position is
    /// not checked.
    pub fn read_setup(&self, line: &str, repairs: &mut Vec<Repair>) -> Result<Setup, ReadError> {
        let first = repairs.len();
        let mut parser = Parser::new(line, self.lexicon, repairs, None);
        parser.castling_mode = self.castling_mode;
        let setup = parser.setup()?;
        self.finish(&mut repairs[first..])?;
        Ok(setup)
    }

    /// Reads a line as [`read`](Self::read) does, and also returns the location of each part of the
    /// record.
    pub fn locate(
        &self,
        line: &str,
        repairs: &mut Vec<Repair>,
    ) -> Result<(Record, Locations), ReadError> {
        let first = repairs.len();
        let mut locations = Locations::default();
        let mut parser = Parser::new(line, self.lexicon, repairs, Some(&mut locations));
        parser.castling_mode = self.castling_mode;
        let mut record = parser.record()?;
        if self.mode == Mode::Repair {
            rewrite::rewrite(&mut record, &mut locations, self.lexicon, repairs);
        }
        self.finish(&mut repairs[first..])?;
        Ok((record, locations))
    }

    /// Sorts the repairs by column. In strict mode the first one is an error.
    fn finish(&self, repairs: &mut [Repair]) -> Result<(), ReadError> {
        repairs.sort_by_key(|repair| repair.span.start);
        match repairs.first() {
            Some(repair) if self.mode == Mode::Strict => Err(ReadError {
                span: repair.span,
                kind: ReadErrorKind::NonStandard(repair.kind),
            }),
            _ => Ok(()),
        }
    }
}

/// Reads a line with [`Reader::lenient`]; [`Mode::Lenient`] lists what it accepts.
pub fn read(line: &str, repairs: &mut Vec<Repair>) -> Result<Record, ReadError> {
    Reader::lenient().read(line, repairs)
}

/// Reads a line with [`Reader::strict`].
impl FromStr for Record {
    type Err = ReadError;

    fn from_str(line: &str) -> Result<Self, ReadError> {
        Reader::strict().read(line, &mut Vec::new())
    }
}

impl Parser<'_, '_> {
    fn record(mut self) -> Result<Record, ReadError> {
        if self.line.len() > MAX_LINE {
            let span = Span::new(MAX_LINE, self.line.len());
            self.keep(span, RepairKind::LongLine);
        }
        let setup = self.setup()?;
        let operations = self.operations(&setup)?;
        Ok(Record::from_parts(setup, operations))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The position alone is the one that is read with the operations.
    #[test]
    fn position_alone() {
        for line in [
            "8/8/8/8/8/1k6/p7/2K5 b - - bm a1=Q;",
            "\u{feff}  8/8/8/8/8/1k6/p7/2K5  B - id x",
            "8/8/8/8/8/1k6/p7/2K5 b - - 3 40 bm a1=Q",
            "r1k5/8/8/8/8/8/8/4K2R w KQ - - noop;",
            "4k3/8/8/8/4P3/8/8/4K3 b - e4;",
            "r3k2r/8/8/8/8/8/8/R3K2R w HAha -",
        ] {
            let (mut all, mut repairs) = (Vec::new(), Vec::new());
            let record = Reader::lenient().read(line, &mut all).expect(line);
            let setup = Reader::lenient()
                .read_setup(line, &mut repairs)
                .expect(line);
            assert_eq!(setup, record.setup, "{line}");
            assert!(repairs.iter().all(|repair| all.contains(repair)), "{line}");
        }
        for line in ["", "8/8 w - -", "8/8/8/8/8/8/8/8", "nonsense here w"] {
            let error = Reader::lenient()
                .read(line, &mut Vec::new())
                .expect_err(line);
            assert_eq!(
                Reader::lenient().read_setup(line, &mut Vec::new()),
                Err(error)
            );
        }
    }
}
