//! Repairs: where a line deviates from the standard, and what the parser used instead.

use std::fmt;

use smol_str::SmolStr;
use strum::{EnumIter, EnumString, IntoStaticStr};

use super::location::Span;

/// A deviation from the standard that the parser could read, and what it used instead.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Repair {
    /// The text that deviates.
    pub span: Span,
    /// How it deviates.
    pub kind: RepairKind,
    /// The text used in its place; `None` if the text was kept.
    pub replacement: Option<SmolStr>,
}

/// A way in which a line deviates from the standard. It is parsed from its [name](Self::name), such as
/// `missing-semicolon`, and prints what it means.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    thiserror::Error,
    EnumIter,
    EnumString,
    IntoStaticStr,
)]
#[strum(serialize_all = "kebab-case")]
#[non_exhaustive]
#[allow(missing_docs)]
pub enum RepairKind {
    #[error("white space where the standard allows none")]
    SurplusSpace,
    #[error("a separator other than one blank")]
    OddSpace,
    #[error("FEN counters; EPD writes them as hmvc and fmvn")]
    FenCounters,
    #[error("FEN counters that differ from hmvc and fmvn, and are ignored")]
    CountersDisagree,
    #[error("a semicolon without an operation")]
    SurplusSemicolon,
    #[error("no semicolon after the last operation")]
    MissingSemicolon,
    #[error("a string of more than 255 bytes")]
    LongString,
    #[error("an escaped quote inside a string")]
    EscapedQuote,
    #[error("a string that continues on the next line")]
    BrokenLine,
    #[error("characters beyond ASCII")]
    NotAscii,
    #[error("a tab or another control character")]
    ControlCharacter,
    #[error("an opcode with only one character")]
    ShortOpcode,
    #[error("an opcode with more than 15 characters")]
    LongOpcode,
    #[error("an opcode that the record already has")]
    DuplicateOpcode,
    #[error("a line of more than 4095 bytes")]
    LongLine,
    #[error("a byte order mark")]
    ByteOrderMark,
    #[error("a placement with a slash after the last rank, or with empty squares left out")]
    OpenPlacement,
    #[error("no castling field or no en passant field")]
    MissingField,
    #[error("an extra dash after the fourth field")]
    SurplusDash,
    #[error("a capital letter in place of a small one")]
    CapitalLetter,
    #[error("castling letters that are not in their usual order")]
    CastlingOrder,
    #[error("castling availability not written with the usual letters")]
    CastlingFiles,
    #[error("castling availability without king and rook at home, removed")]
    ImpossibleCastling,
    #[error(
        "castling availability that only Chess960 has, without the files of the rooks, removed"
    )]
    Chess960Castling,
    #[error("castling letters without a rook, or repeated, removed")]
    CastlingJunk,
    #[error("the square of the pawn in place of the square that it skipped")]
    PawnSquare,
    #[error("an en passant square that no pawn can have skipped, removed")]
    ImpossibleEnPassant,
    #[error("a string without quotes")]
    UnquotedString,
    #[error("an equals sign between opcode and operand")]
    KeyValue,
    #[error("no semicolon before the next operation")]
    RunTogether,
    #[error("a blank between a move and its sign")]
    ApartSign,
    #[error("a semicolon between the moves of one operation")]
    SplitMoves,
    #[error("a comma between the moves of one operation")]
    CommaList,
    #[error("an annotation glyph after a move")]
    MoveGlyph,
    #[error("another spelling of an opcode")]
    OpcodeSynonym,
    #[error("text that is not an operation, kept as a comment")]
    FreeText,
    #[error("a move that is not in exact SAN")]
    MoveSpelling,
    #[error("a move that the operation already has")]
    DuplicateMove,
    #[error("a move number")]
    MoveNumber,
    #[error("a value that is not in canonical form")]
    ValueSpelling,
}

impl RepairKind {
    /// The name in kebab case, such as `missing-semicolon`. Reports use it.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// Whether the text may mean something else, or another program may cut it or refuse it.
    #[must_use]
    pub const fn is_ambiguous(self) -> bool {
        matches!(
            self,
            Self::CountersDisagree
                | Self::DuplicateOpcode
                | Self::ImpossibleEnPassant
                | Self::Chess960Castling
                | Self::CastlingJunk
                | Self::FreeText
                | Self::BrokenLine
                | Self::LongLine
                | Self::LongString
        )
    }
}

/// Prints the column in bytes, the kind and the replacement, if there is one.
impl fmt::Display for Repair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "column {}: {}", self.span.column(), self.kind)?;
        match &self.replacement {
            Some(text) if !text.trim().is_empty() => write!(f, "; read as {text}"),
            _ => Ok(()),
        }
    }
}
