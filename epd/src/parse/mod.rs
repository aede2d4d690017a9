//! Parsing: from a line of text to a record.
//!
//! There is one parser. It accepts every deviation from the standard that
//! [`Mode::Lenient`](crate::Mode::Lenient) lists, and reports each as a [`Repair`](crate::Repair). In
//! [`Mode::Strict`](crate::Mode::Strict) the first one is an error. [`Mode::Repair`](crate::Mode::Repair)
//! also rewrites operands (see `rewrite.rs`).
//!
//! Each file does one step: `lines` and `line_ends` split a file into lines, `fields` reads the
//! position, `operations` the operations, with `operands`, `move_list` and `extras` for what is special;
//! `rewrite` rewrites operands; `reader` puts them together. `dropped` tells what was dropped.

mod cursor;
pub(crate) mod dropped;
pub(crate) mod error;
mod extras;
mod fields;
mod found;
pub(crate) mod limits;
mod line_ends;
pub mod lines;
pub(crate) mod location;
mod move_list;
mod operands;
mod operations;
pub(crate) mod reader;
pub(crate) mod repair;
mod rewrite;
#[cfg(test)]
mod tests;
