//! Splits a stream of bytes into lines, and prepares records for it (decisions 1 and 2).
//!
//! ```
//! use epode_epd::protocol::frame::{Frame, Frames};
//!
//! let mut frames = Frames::default();
//! let mut lines = Vec::new();
//! for part in [&b"8/8/8/8/8/k7/8/K7 w - - ref"[..], b"com reset;\r\n\r\nnext"] {
//!     frames.push(part, |frame| lines.push(frame));
//! }
//! assert_eq!(lines, [Frame::Line("8/8/8/8/8/k7/8/K7 w - - refcom reset;".into())]);
//! ```

use crate::parse::lines::decode;
use crate::record::Record;

/// The longest line that is read, in bytes without the line ending.
pub const MAX_READ: usize = 4095;
/// The longest line that is written, in bytes: the longest that the original EPD Kit can read.
pub const MAX_WRITTEN: usize = 4093;

/// A line from the stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Frame {
    /// A line that is not empty, without its line ending. Bytes that are not UTF-8 are read as Latin-1.
    Line(String),
    /// A line that is too long. The rest of it is skipped.
    Oversize,
}

/// Splits a stream into lines. It never keeps more than one line in memory.
#[derive(Clone, Debug, Default)]
pub struct Frames {
    /// A line whose end has not arrived yet.
    unfinished: Vec<u8>,
    /// Whether the rest of a line that is too long is being skipped.
    skipping: bool,
}

impl Frames {
    /// Adds bytes from the stream, and calls `take` with every line that they complete.
    pub fn push(&mut self, bytes: &[u8], mut take: impl FnMut(Frame)) {
        let mut rest = bytes;
        while let Some(end) = memchr::memchr(b'\n', rest) {
            self.add(&rest[..end], &mut take);
            rest = &rest[end + 1..];
            if !std::mem::take(&mut self.skipping) {
                let line = self.unfinished.trim_ascii_end();
                if !line.is_empty() {
                    take(Frame::Line(decode(line).into_owned()));
                }
            }
            self.unfinished.clear();
        }
        self.add(rest, &mut take);
    }

    fn add(&mut self, part: &[u8], take: &mut impl FnMut(Frame)) {
        if self.skipping {
            return;
        }
        // Keep only as much as shows that the line is too long.
        let room = MAX_READ + 2 - self.unfinished.len();
        self.unfinished
            .extend_from_slice(&part[..part.len().min(room)]);
        // A carriage return belongs to the line ending.
        let len = self
            .unfinished
            .strip_suffix(b"\r")
            .unwrap_or(&self.unfinished)
            .len();
        if len > MAX_READ {
            self.skipping = true;
            take(Frame::Oversize);
        }
    }
}

/// The line for a record, with its line feed: pure ASCII (decision 5) of at most [`MAX_WRITTEN`] bytes
/// (decision 2). A longer record loses first the variations, then the comment, then all tags after the
/// seventh, then everything but the kind of the message and its move.
#[must_use]
pub fn line_of(record: &Record) -> String {
    let mut line = record.to_string();
    if line.len() > MAX_WRITTEN {
        line = shortened(record);
    }
    if !line.is_ascii() {
        let letters = line.chars();
        line = letters
            .map(|letter| if letter.is_ascii() { letter } else { '?' })
            .collect();
    }
    line.push('\n');
    line
}

fn shortened(record: &Record) -> String {
    let mut record = record.clone();
    for opcode in ["pv", "sv", "c0", "ptp"] {
        if let ("ptp", Some(mut ptp)) = (opcode, record.get("ptp").cloned()) {
            ptp.operands.truncate(14);
            record.set(ptp);
        } else {
            record.remove(opcode);
        }
        let line = record.to_string();
        if line.len() <= MAX_WRITTEN {
            return line;
        }
    }
    let kept = ["refcom", "refreq", "sm"];
    record.retain(|operation| kept.contains(&&*operation.opcode));
    record.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frames(parts: &[&[u8]]) -> Vec<Frame> {
        let mut frames = Frames::default();
        let mut found = Vec::new();
        for part in parts {
            frames.push(part, |frame| found.push(frame));
        }
        found
    }

    fn line(text: &str) -> Frame {
        Frame::Line(text.to_owned())
    }

    /// Decision 1: the lines do not depend on how the bytes arrive.
    #[test]
    fn lines_do_not_depend_on_the_parts() {
        let text = b"one\ntwo \r\n\r\n\n \nthree; \"caf\xe9\"\nrest";
        let expected = [line("one"), line("two"), line("three; \"caf\u{e9}\"")];
        for size in 1..=text.len() {
            let parts: Vec<_> = text.chunks(size).collect();
            assert_eq!(frames(&parts), expected, "{size}");
        }
    }

    /// Decision 2: a line that is too long is one fault, reported as soon as it is known.
    #[test]
    fn lines_that_are_too_long() {
        let longest = "x".repeat(MAX_READ);
        for end in ["\n", "\r\n"] {
            let text = format!("{longest}{end}y\n");
            for size in [1, 7, 4096, 5000] {
                let parts: Vec<_> = text.as_bytes().chunks(size).collect();
                assert_eq!(frames(&parts), [line(&longest), line("y")], "{size}");
            }
        }
        for text in [format!("{longest}x\ny\n"), format!("{longest}xxxx\r\ny\n")] {
            for size in [1, 7, 4096, 5000] {
                let parts: Vec<_> = text.as_bytes().chunks(size).collect();
                assert_eq!(frames(&parts), [Frame::Oversize, line("y")], "{size}");
            }
        }
        assert_eq!(frames(&["x".repeat(5000).as_bytes()]), [Frame::Oversize]);
    }

    /// Decisions 2 and 5.
    #[test]
    fn lines_are_short_and_plain_ascii() {
        let mut record: Record = "8/8/8/8/8/k7/8/K7 w - - refreq reply; sm Kb1;"
            .parse()
            .expect("exact");
        assert_eq!(line_of(&record), format!("{record}\n"));
        let bare = line_of(&record);
        record.set_comment(0, &"é".repeat(100));
        assert_eq!(line_of(&record).matches('?').count(), 100);
        record.set_comment(0, &"x".repeat(5000));
        assert_eq!(line_of(&record), bare);
        let tags: Vec<_> = (0..40)
            .map(|n| (format!("Tag{n}"), "v".repeat(200)))
            .collect();
        record.set_tags(
            tags.iter()
                .map(|(tag, value)| (tag.as_str(), value.as_str())),
        );
        let line = line_of(&record);
        assert!(line.contains("Tag6") && !line.contains("Tag7") && line.len() <= MAX_WRITTEN + 1);
    }
}
