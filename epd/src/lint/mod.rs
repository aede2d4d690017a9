//! Checks of records, and diagnostics for a line of text.

pub(crate) mod check;
pub(crate) mod diagnostic;
