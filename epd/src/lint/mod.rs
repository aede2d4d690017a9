//! Checks of records that can be read, and diagnostics for a whole line.

pub(crate) mod check;
pub(crate) mod diagnostic;
