//! What is not as the standard has it, and where.

use std::fmt;

use movegen::{FenError, FenErrorKind};

/// A place where a line is not as the standard has it, though what it means is clear.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Deviation {
    /// The column of the first byte concerned, from 1.
    pub column: usize,
    /// What is there.
    pub kind: DeviationKind,
}

/// What is not as the standard has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)]
pub enum DeviationKind {
    #[error("blank space that separates nothing")]
    SurplusSpace,
    #[error("another separator than a blank")]
    OddSpace,
    #[error("FEN counters, which EPD writes as hmvc and fmvn")]
    FenCounters,
    #[error("a semicolon that ends no operation")]
    SurplusSemicolon,
    #[error("no semicolon after the last operation")]
    MissingSemicolon,
    #[error("a string of more than 255 bytes")]
    LongString,
    #[error("an escaped quote inside a string")]
    EscapedQuote,
    #[error("letters beyond ASCII")]
    NotAscii,
    #[error("an opcode of one letter")]
    ShortOpcode,
    #[error("an opcode of more than fifteen letters")]
    LongOpcode,
    #[error("an opcode that the record has already")]
    DuplicateOpcode,
    #[error("a line of more than 4095 bytes")]
    LongLine,
    #[error("a byte order mark")]
    ByteOrderMark,
    #[error("a placement with a solidus after the last rank and empty squares left out")]
    OpenPlacement,
    #[error("no castling availability or no en passant square")]
    MissingField,
    #[error("a dash after the fourth field")]
    SurplusDash,
    #[error("the square of the pawn in place of the one it skipped")]
    PawnSquare,
    #[error("an en passant square that no double push can have skipped, left out")]
    ImpossibleEnPassant,
    #[error("a string without quotes")]
    UnquotedString,
    #[error("an equals sign between opcode and operand")]
    KeyValue,
    #[error("no semicolon before the next operation")]
    RunTogether,
    #[error("a sign that stands apart from its move")]
    ApartSign,
    #[error("a semicolon between the moves of one operation")]
    SplitMoves,
    #[error("draw_decline, which is draw_reject")]
    DrawDecline,
    #[error("text that is no operation, kept as a comment")]
    FreeText,
}

impl fmt::Display for Deviation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "column {}: {}", self.column, self.kind)
    }
}

/// A line is no record.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("column {column}: {kind}")]
pub struct ReadError {
    /// The column of the first byte concerned, from 1; one past the end if something is missing
    /// there.
    pub column: usize,
    /// What is wrong.
    pub kind: ReadErrorKind,
}

/// Why a line is no record.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)]
pub enum ReadErrorKind {
    #[error(transparent)]
    Position(FenErrorKind),
    #[error("the string has no closing quote")]
    OpenString,
    /// Only when a record must be exact.
    #[error(transparent)]
    Deviation(DeviationKind),
}

impl From<FenError> for ReadError {
    fn from(error: FenError) -> Self {
        Self {
            column: error.column,
            kind: ReadErrorKind::Position(error.kind),
        }
    }
}
