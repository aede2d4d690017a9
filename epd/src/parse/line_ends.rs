//! Line endings and open strings in bytes. Programs that cut files into parts use these functions.

use crate::chars::is_space;

/// The end of the first line in some bytes, and the start of the next line.
#[must_use]
pub fn first_line(bytes: &[u8]) -> (usize, usize) {
    let end = memchr::memchr2(b'\n', b'\r', bytes).unwrap_or(bytes.len());
    let next = match &bytes[end..] {
        [] => end,
        [b'\r', b'\r', b'\n', ..] => end + 3,
        [b'\r', b'\n', ..] => end + 2,
        [_, ..] => end + 1,
    };
    (end, next)
}

/// The number of leading bytes that are complete lines, whatever bytes follow. A CR at the very end may
/// be the first byte of CR LF, so it does not end a line yet.
#[must_use]
pub fn whole_lines(bytes: &[u8]) -> usize {
    let open = match bytes {
        [.., b'\r', b'\r'] => 2,
        [.., b'\r'] => 1,
        _ => 0,
    };
    let bytes = &bytes[..bytes.len() - open];
    memchr::memrchr2(b'\n', b'\r', bytes).map_or(0, |last| last + 1)
}

/// The number of line endings in some bytes.
#[must_use]
pub fn count_line_ends(bytes: &[u8]) -> usize {
    let alone = |&at: &usize| {
        let after = &bytes[at + 1..];
        !after.starts_with(b"\n") && !after.starts_with(b"\r\n")
    };
    let returns = memchr::memchr_iter(b'\r', bytes).filter(alone).count();
    memchr::memchr_iter(b'\n', bytes).count() + returns
}

/// Whether a line is a record whose last string has no closing quote. A program that cuts files into
/// parts must not cut after such a line.
#[must_use]
pub fn opens_string(line: &[u8]) -> bool {
    has_odd_quotes(line) && begins_record(line)
}

/// Whether a line is not a record and closes a string.
pub(super) fn closes_string(line: &[u8]) -> bool {
    has_odd_quotes(line) && !begins_record(line)
}

fn has_odd_quotes(line: &[u8]) -> bool {
    // No early exit, so that the compiler vectorises the loop.
    line.iter().fold(false, |odd, &byte| odd ^ (byte == b'"'))
}

/// Whether the first word of a line has the slashes of a placement.
fn begins_record(line: &[u8]) -> bool {
    let word = line.trim_ascii_start().split(|&byte| is_space(byte)).next();
    memchr::memchr_iter(b'/', word.unwrap_or_default()).count() >= 7
}
