//! How long lines and strings may be.

/// The length of a line in the standard, in bytes without the line ending (EPD 4, decision 2).
pub const MAX_LINE: usize = 4095;
/// The length of a string in the standard, in bytes without the quotes (EPD 5.1).
pub const MAX_STRING: usize = 255;
/// The length of the longest line that is read at all, in bytes.
pub const LIMIT: usize = 64 << 10;
