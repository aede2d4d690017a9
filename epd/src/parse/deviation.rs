//! Deviations from the standard, and what the parser did about them.

use std::fmt;

use smol_str::SmolStr;
use strum::{EnumIter, IntoStaticStr};

use super::location::Span;

/// A deviation from the standard that could be read, and what was used instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repair {
    /// The text in question.
    pub span: Span,
    /// How it deviates.
    pub deviation: Deviation,
    /// The text used in its place; `None` if the text was kept.
    pub taken: Option<SmolStr>,
}

/// A way in which a line deviates from the standard. Messages and reports use its
/// [name](Self::name).
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
    IntoStaticStr,
)]
#[strum(serialize_all = "kebab-case")]
#[allow(missing_docs)]
pub enum Deviation {
    #[error("blank space that separates nothing")]
    SurplusSpace,
    #[error("another separator than a blank")]
    OddSpace,
    #[error("FEN counters, which EPD writes as hmvc and fmvn")]
    FenCounters,
    #[error("FEN counters that are not those of hmvc and fmvn, which count")]
    CountersDisagree,
    #[error("a semicolon that ends no operation")]
    SurplusSemicolon,
    #[error("no semicolon after the last operation")]
    MissingSemicolon,
    #[error("a string of more than 255 bytes")]
    LongString,
    #[error("an escaped quote inside a string")]
    EscapedQuote,
    #[error("a string that goes on in the next line")]
    BrokenLine,
    #[error("letters beyond ASCII")]
    NotAscii,
    #[error("a tab or another control character")]
    ControlCharacter,
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
    #[error("a capital letter for a small one")]
    CapitalLetter,
    #[error("castling availability in another order than KQkq")]
    CastlingOrder,
    #[error("castling availability by the files of the rooks")]
    CastlingFiles,
    #[error("castling availability without king and rook at home, left out")]
    ImpossibleCastling,
    #[error("castling letters that name no rook or stand twice, left out")]
    CastlingJunk,
    #[error("castling availability of another chess, so that the position is not checked")]
    ForeignCastling,
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
    #[error("a comma between the moves of one operation")]
    CommaList,
    #[error("an annotation glyph after a move")]
    MoveGlyph,
    #[error("draw_decline, which is draw_reject")]
    DrawDecline,
    #[error("text that is no operation, kept as a comment")]
    FreeText,
    #[error("a move that is not spelt in standard notation")]
    MoveSpelling,
    #[error("a move that the operation has already")]
    DuplicateMove,
    #[error("a move number")]
    MoveNumber,
    #[error("a value in another than its usual form")]
    ValueSpelling,
}

impl Deviation {
    /// The name of the deviation in kebab case, such as `missing-semicolon`.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// Whether another meaning was possible.
    #[must_use]
    pub const fn is_doubtful(self) -> bool {
        matches!(
            self,
            Self::CountersDisagree
                | Self::DuplicateOpcode
                | Self::ForeignCastling
                | Self::ImpossibleEnPassant
                | Self::CastlingJunk
                | Self::FreeText
                | Self::BrokenLine
                | Self::LongLine
                | Self::LongString
        )
    }
}

/// Prints the column in bytes, the deviation and the replacement, if there is one.
impl fmt::Display for Repair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "column {}: {}", self.span.column(), self.deviation)?;
        match &self.taken {
            Some(taken) if !taken.trim().is_empty() => write!(f, "; taken as {taken}"),
            _ => Ok(()),
        }
    }
}
