//! Parsing: from a line of text to a record.
//!
//! There is one parser. It accepts every deviation listed below and reports each as a
//! [`Repair`](crate::Repair). In [`Mode::Strict`](crate::Mode::Strict) the first one is an error.
//!
//! Lines and white space:
//! - a byte order mark;
//! - tabs and extra blanks anywhere; carriage returns and NUL bytes at the end of the line
//!   (decision 119);
//! - bytes beyond ASCII inside strings (decision 5).
//!
//! The position:
//! - a missing castling or en passant field, an extra dash after the fields, `W` for `w`;
//! - castling letters in any order, or as the files of the rooks. Letters without king and rook at home
//!   are removed. Castling rights of other chess variants are kept, and the position is not checked
//!   (decision 122);
//! - the square of the pawn in place of the en passant square. An impossible en passant square is
//!   removed (decision 121);
//! - the placement field of a 1996 Macintosh program: a slash after the last rank, and no digit for the
//!   empty squares at the end of a rank;
//! - FEN counters after the position, with or without a semicolon, even without a blank before them.
//!   They become `hmvc` and `fmvn` unless the record has these operations (decision 116).
//!
//! Operations:
//! - extra semicolons, and a missing last one;
//! - strings over 255 bytes, opcodes with one character or more than 15, opcodes that occur twice
//!   (decisions 104, 105 and 109);
//! - parts of a move separated by blanks: `Qd1 +`, `a8 = Q`;
//! - commas between moves, move numbers and annotation glyphs: `1.e4!, d4`;
//! - strings without quotes where the opcode takes a string (decisions 108 and 117), and `id="33"` for
//!   `id "33"`;
//! - two operations without a semicolon between them, or moves of `bm` and `am` with one
//!   (decision 118);
//! - `draw_decline` for `draw_reject` (decision 67);
//! - a backslash before a quote that does not end the string (decision 106);
//! - text that is not an operation. It becomes a comment in the last free register.
//!
//! [`Mode::Repair`](crate::Mode::Repair) also rewrites operands: moves in exact SAN, times with all
//! digits (see `rewrite.rs`).
//!
//! Each file does one step: `lines` and `line_ends` split a file into lines, `fields` reads the position, `operations`
//! the operations, with `operands`, `move_list` and `extras` for what is special; `rewrite` rewrites
//! operands; `reader` puts them together.

mod cursor;
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
