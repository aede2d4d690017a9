//! Records on a stream of bytes: a line each (decisions 1 and 2).
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

use std::borrow::Cow;

use crate::record::Record;

/// The bytes that a line may have to be read, its end not counted.
pub const MAX_READ: usize = 4095;
/// The bytes that a line may have when it is written: what the original EPD Kit can read.
pub const MAX_WRITTEN: usize = 4093;

/// A line that came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Frame {
    /// A line that is not empty, without its end. Bytes that are no UTF-8 are letters of Latin-1.
    Line(String),
    /// More bytes than a line may have; the rest of it is passed over.
    Oversize,
}

/// Cuts a stream into lines. It never keeps more than one line.
#[derive(Clone, Debug, Default)]
pub struct Frames {
    /// The beginning of a line that has not ended.
    begun: Vec<u8>,
    /// The rest of a line that was too long is still to come.
    passing_over: bool,
}

impl Frames {
    /// Takes bytes and hands on the lines that end in them.
    pub fn push(&mut self, bytes: &[u8], mut take: impl FnMut(Frame)) {
        let mut rest = bytes;
        while let Some(end) = memchr::memchr(b'\n', rest) {
            self.add(&rest[..end], &mut take);
            rest = &rest[end + 1..];
            if !std::mem::take(&mut self.passing_over) {
                let line = self.begun.trim_ascii_end();
                if !line.is_empty() {
                    take(Frame::Line(decode(line).into_owned()));
                }
            }
            self.begun.clear();
        }
        self.add(rest, &mut take);
    }

    fn add(&mut self, part: &[u8], take: &mut impl FnMut(Frame)) {
        if self.passing_over {
            return;
        }
        // No more than shows that it is too much.
        let room = MAX_READ + 2 - self.begun.len();
        self.begun.extend_from_slice(&part[..part.len().min(room)]);
        // A carriage return is a part of the end.
        let len = self.begun.strip_suffix(b"\r").unwrap_or(&self.begun).len();
        if len > MAX_READ {
            self.passing_over = true;
            take(Frame::Oversize);
        }
    }
}

fn decode(line: &[u8]) -> Cow<'_, str> {
    match str::from_utf8(line) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => line.iter().copied().map(char::from).collect(),
    }
}

/// The line of a record with its line feed: pure ASCII (decision 5) of at most [`MAX_WRITTEN`] bytes
/// (decision 2). What is left out of a record that is longer is first the variations, then the words,
/// then all tags but the seven of the roster.
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

    /// Decision 1: however the bytes are cut, the lines are the same.
    #[test]
    fn lines_do_not_depend_on_the_parts() {
        let text = b"one\ntwo \r\n\r\n\n \nthree; \"caf\xe9\"\nrest";
        let expected = [line("one"), line("two"), line("three; \"caf\u{e9}\"")];
        for size in 1..=text.len() {
            let parts: Vec<_> = text.chunks(size).collect();
            assert_eq!(frames(&parts), expected, "{size}");
        }
    }

    /// Decision 2: a line that is too long is one fault, told when it is known, and never records.
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
    fn what_is_written_is_short_and_plain() {
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
