//! Why a text is not the SAN of a legal move.

use super::deviations::Deviations;
use super::text::San;

/// A text is not the SAN of a legal move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SanError {
    /// The text does not have the form of a move.
    #[error("not a move")]
    Syntax,
    /// The text fits no legal move.
    #[error("not a legal move here")]
    Illegal,
    /// The text fits several legal moves, of which these are two.
    #[error("ambiguous: {0} or {1}")]
    Ambiguous(San, San),
    /// The text fits one legal move but is not its exact SAN. Only [`parse`](super::parse) returns this error.
    #[error("inexact: expected {san} ({deviations})")]
    Inexact {
        /// The exact SAN.
        san: San,
        /// How the text deviates from it.
        deviations: Deviations,
    },
}
