//! Maximum lengths of lines and strings.

/// The longest line that the standard allows, in bytes without the line ending (EPD 4, decision 2).
pub const MAX_LINE: usize = 4095;
/// The longest string that the standard allows, in bytes without the quotes (EPD 5.1).
pub const MAX_STRING: usize = 255;
/// The longest line that can be read, in bytes. Longer ones are an error.
pub const MAX_READABLE_LINE: usize = 64 << 10;
