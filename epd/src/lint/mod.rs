//! Checks of records, and diagnostics for lines of text.
//!
//! A [`Lint`](crate::Lint) is one check. [`check()`](crate::check()) runs them all on a record: `check.rs`
//! looks at each operation alone, `contradictions.rs` compares operations with each other.
//! [`diagnose()`](crate::diagnose()) joins their messages with what the reader reports about the line.

pub(crate) mod check;
mod contradictions;
pub(crate) mod diagnostic;
pub(crate) mod lints;
