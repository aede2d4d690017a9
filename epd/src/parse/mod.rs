//! From a line of text to a record.
//!
//! There is one reader. It takes everything below as it is meant and tells each place as a [`Repair`];
//! in [`Mode::Strict`] the first of them is an error.
//! - a byte order mark;
//! - tabs and surplus blanks anywhere, carriage returns and NUL bytes at the end of the line
//!   (decision 119);
//! - the two counters of FEN after the position, with or without a semicolon and even glued to
//!   the dash: they become `hmvc` and `fmvn`, unless these are there (decision 116);
//! - semicolons that end nothing, and a missing last one;
//! - strings over 255 bytes, opcodes of one letter or over fifteen, opcodes that occur twice
//!   (decisions 104, 105 and 109);
//! - a missing castling or en passant field, a surplus dash after the fields, `W` for `w`, castling
//!   letters in any order or as files of the rooks, the pawn's square in place of the en passant
//!   square; an impossible en passant square is left out (decision 121), and so are castling flags
//!   without king and rook at home and letters that name no rook; castling of another chess is kept
//!   and the position not checked (decision 122);
//! - the placement of the Macintosh dialect of 1996: a solidus after the last rank, and empty
//!   squares at the end of a rank left out;
//! - signs that stand apart from their move: `Qd1 +`, `a8 = Q`;
//! - commas between moves, numbers before them and glyphs after them: `1.e4!, d4`;
//! - strings without quotes where the opcode takes a string (decisions 108 and 117), `id="33"` for
//!   `id "33"`, two operations with no semicolon between, moves of `bm` and `am` with one between
//!   (decision 118), `draw_decline` for `draw_reject` (decision 67);
//! - text that is no operation at all: it becomes a comment, in the last register that is free;
//! - bytes beyond ASCII inside strings (decision 5), and a backslash before a quote that does not
//!   end the string (decision 106).
//!
//! [`Mode::Repair`] goes on to what operands say: moves in exact notation, times with all digits.

mod cursor;
pub(crate) mod deviation;
pub(crate) mod error;
mod fields;
pub(crate) mod limits;
pub mod lines;
pub(crate) mod location;
mod operations;
pub(crate) mod reader;
mod repair;
#[cfg(test)]
mod tests;
