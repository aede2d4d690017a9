//! The list of checks, and the message of a check that a record fails.

use std::fmt;

use strum::{EnumIter, EnumString, IntoStaticStr};

use crate::opcode::Moves;
use crate::parse::location::Part;

/// A check. It is parsed from its [name](Self::name), such as `bm-not-legal`, and prints what is
/// wrong with a record that fails it.
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
pub enum Lint {
    #[error("an illegal position")]
    IllegalPosition,
    #[error("too many or too few operands for the opcode")]
    OperandCount,
    #[error("an operand of the wrong type for the opcode")]
    OperandType,
    #[error("an avoid move that is not legal")]
    AmNotLegal,
    #[error("a best move that is not legal")]
    BmNotLegal,
    #[error("a predicted move that is not legal")]
    PmNotLegal,
    #[error("a supplied move that is not legal")]
    SmNotLegal,
    #[error("a predicted variation with an illegal move")]
    PvNotPlayable,
    #[error("a supplied variation with an illegal move")]
    SvNotPlayable,
    #[error("a move of a private opcode that is not legal")]
    MoveNotLegal,
    #[error("a move that is not in exact SAN")]
    MoveNotExact,
    #[error("a predicted move that is not the first of the predicted variation")]
    PmNotFirstOfPv,
    #[error("a supplied move that is not the first of the supplied variation")]
    SmNotFirstOfSv,
    #[error("a draw offer that is both accepted and rejected")]
    AcceptAndReject,
    #[error("a draw that is both claimed and offered")]
    ClaimAndOffer,
    #[error("a draw claim or draw offer without a move")]
    DrawWithoutMove,
    #[error("a resignation together with a draw operation")]
    ResignAndDraw,
    #[error("a tag without a value")]
    OddTagPairs,
    #[error("a tag that occurs twice")]
    RepeatedTag,
    #[error("a number of moves to mate that contradicts the evaluation")]
    DmAgainstCe,
}

impl Lint {
    /// The name of the check in kebab case, such as `bm-not-legal`. Reports use it.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// The check for illegal moves of an opcode. The lints are named after the opcodes.
    pub(super) fn illegal_move(opcode: &str, moves: Moves) -> Self {
        let fault = match moves {
            Moves::Variation => "not-playable",
            Moves::Each | Moves::None => "not-legal",
        };
        let lint = format!("{opcode}-{fault}").parse();
        lint.unwrap_or(Self::MoveNotLegal)
    }
}

/// A message about a check that a record fails.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LintMessage {
    /// The check.
    pub lint: Lint,
    /// The part of the record that fails it.
    pub part: Part,
    /// What was found and what was expected.
    pub message: String,
}

impl LintMessage {
    pub(super) const fn new(lint: Lint, part: Part, message: String) -> Self {
        Self {
            lint,
            part,
            message,
        }
    }
}

impl fmt::Display for LintMessage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

#[cfg(test)]
mod tests {
    use strum::IntoEnumIterator;

    use super::*;
    use crate::opcode::LEXICON;

    #[test]
    fn lints_parse_from_their_names() {
        for lint in Lint::iter() {
            assert_eq!(lint.name().parse(), Ok(lint));
        }
    }

    #[test]
    fn every_opcode_with_moves_has_a_lint() {
        for entry in LEXICON.iter().filter(|entry| entry.takes_moves()) {
            let lint = Lint::illegal_move(entry.name, entry.moves);
            assert!(lint.name().starts_with(entry.name), "{}", entry.name);
        }
        assert_eq!(Lint::illegal_move("Zz", Moves::Each), Lint::MoveNotLegal);
    }
}
