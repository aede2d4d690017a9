//! Splits the bytes of a file into lines.
//!
//! A line ends with LF, CR LF, or CR alone, as files of old Macs have it; these may be mixed. CR CR LF
//! is one end as well: it comes from converting CR LF twice. A CR inside a string is an end like any
//! other, and the string is then joined as described below.
//!
//! Bytes that are not UTF-8 are read as Latin-1. Some editors have wrapped records in the middle of a
//! string: if a string is open at the end of a line, and the next line closes it and is not a record
//! itself, the two lines are joined with a blank. Lines of more than [`LIMIT`] bytes are errors.

use std::borrow::Cow;

pub use super::limits::LIMIT;
use super::reader::{Mode, Reader};
use crate::chars::{BYTE_ORDER_MARK, is_space};
use crate::parse::deviation::{Deviation, Repair};
use crate::parse::error::{ReadError, ReadErrorKind};
use crate::parse::location::{Locations, Span};
use crate::record::Record;

/// The kind of a line, by its first characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineKind {
    /// Nothing but white space (decision 115).
    Blank,
    /// A comment: it starts with `#` or `%` (decision 115).
    Comment,
    /// Anything else, which should be a record.
    Record,
}

/// A line of a file, or two lines that were joined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line<'a> {
    /// Its number, from 1; of two lines that of the first.
    pub number: usize,
    /// Its text, without the line feed; a carriage return at the end is blank space like any other.
    pub text: Cow<'a, str>,
    /// Its bytes as they stand in the file, without the end of the line; of two lines all between the
    /// begin of the first and the end of the second.
    pub raw: &'a [u8],
    /// Where the second line begins, if there are two.
    pub broken_at: Option<usize>,
}

impl LineKind {
    /// What a line is, by how it begins.
    #[must_use]
    pub fn of(line: &str) -> Self {
        let text = line.trim_start_matches(BYTE_ORDER_MARK);
        match text.bytes().find(|&byte| !is_space(byte)) {
            None => Self::Blank,
            Some(b'#' | b'%') => Self::Comment,
            Some(_) => Self::Record,
        }
    }
}

impl<'a> Line<'a> {
    /// The bytes of the line, or of both lines, without the ends of the lines.
    pub fn raw_lines(&self) -> impl Iterator<Item = &'a [u8]> + use<'a> {
        let mut rest = Some(self.raw);
        std::iter::from_fn(move || {
            let bytes = rest?;
            let (end, next) = first_line(bytes);
            // An end of a line has a line after it, be it empty.
            rest = (next > end).then(|| &bytes[next..]);
            Some(&bytes[..end])
        })
    }

    /// What the line is.
    #[must_use]
    pub fn kind(&self) -> LineKind {
        LineKind::of(&self.text)
    }

    /// The number of the line in which a byte of the text stands, and its column, counted in
    /// characters from 1.
    #[must_use]
    pub fn place(&self, offset: usize) -> (usize, usize) {
        let (number, begin) = match self.broken_at {
            Some(at) if offset >= at => (self.number + 1, at),
            _ => (self.number, 0),
        };
        let before = self.text.as_bytes().get(begin..offset).unwrap_or_default();
        let characters = before.iter().filter(|&&byte| byte & 0xC0 != 0x80).count();
        (number, characters + 1)
    }

    /// Reads the line as a record: [`Reader::read`]. A blank line or a comment is an error.
    pub fn read(
        &self,
        reader: &Reader<'_>,
        repairs: &mut Vec<Repair>,
    ) -> Result<Record, ReadError> {
        self.admit(reader, repairs)?;
        reader.read(&self.text, repairs)
    }

    /// Reads the line as a record and tells where its parts stand: [`Reader::locate`].
    pub fn locate(
        &self,
        reader: &Reader<'_>,
        repairs: &mut Vec<Repair>,
    ) -> Result<(Record, Locations), ReadError> {
        self.admit(reader, repairs)?;
        reader.locate(&self.text, repairs)
    }

    /// Refuses what can be no record.
    fn admit(&self, reader: &Reader<'_>, repairs: &mut Vec<Repair>) -> Result<(), ReadError> {
        let refuse = |start, end, kind| {
            let span = Span::new(start, end);
            Err(ReadError { span, kind })
        };
        if self.text.len() > LIMIT {
            return refuse(LIMIT, self.text.len(), ReadErrorKind::EndlessLine);
        }
        if self.kind() != LineKind::Record {
            return refuse(0, self.text.len(), ReadErrorKind::NoRecord);
        }
        if let Some(at) = self.broken_at {
            let deviation = Deviation::BrokenLine;
            if reader.mode() == Mode::Strict {
                return refuse(at - 1, at, ReadErrorKind::Deviation(deviation));
            }
            repairs.push(Repair {
                span: Span::new(at - 1, at),
                deviation,
                taken: Some(" ".into()),
            });
        }
        Ok(())
    }
}

/// The lines of a text, as an iterator.
///
/// ```
/// use epode_epd::{LineKind, Lines, Reader};
///
/// let text = b"# kings\r\n\n8/8/8/8/8/k7/8/K7 w - - id \"torn\napart\";\n";
/// let mut lines = Lines::new(text, 1).filter(|line| line.kind() == LineKind::Record);
/// let line = lines.next().unwrap();
/// let record = line.read(&Reader::lenient(), &mut Vec::new())?;
/// assert_eq!(record.get("id").unwrap().operands[0].text(), "torn apart");
/// assert_eq!(line.place(line.text.find("apart").unwrap()), (4, 1));
/// assert!(lines.next().is_none());
/// # Ok::<(), epode_epd::ReadError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Lines<'a> {
    rest: Text<'a>,
    number: usize,
}

impl<'a> Lines<'a> {
    /// The lines of `text`, the first of which has the number `first`.
    #[must_use]
    pub fn new(text: &'a [u8], first: usize) -> Self {
        Self {
            rest: str::from_utf8(text).map_or(Text::Bytes(text), Text::Utf8),
            number: first,
        }
    }
}

impl<'a> Iterator for Lines<'a> {
    type Item = Line<'a>;

    fn next(&mut self) -> Option<Line<'a>> {
        let all = self.rest.bytes();
        let (line, rest) = self.rest.split()?;
        let number = self.number;
        (self.rest, self.number) = (rest, number + 1);
        if opens_string(line.bytes())
            && let Some((next, after)) = rest.split()
            && closes_string(next.bytes())
        {
            (self.rest, self.number) = (after, number + 2);
            let begin = all.len() - rest.bytes().len();
            let head = line.decode();
            let head = head.trim_ascii_end();
            return Some(Line {
                number,
                text: Cow::Owned([head, " ", &next.decode()].concat()),
                raw: &all[..begin + first_line(rest.bytes()).0],
                broken_at: Some(head.len() + 1),
            });
        }
        Some(Line {
            number,
            text: line.decode(),
            raw: &all[..first_line(all).0],
            broken_at: None,
        })
    }
}

/// Where the first line of some bytes ends, and where the next begins.
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

/// How many bytes at the begin of some bytes are lines with their ends, whatever comes after them.
/// A CR at the very end may be the first byte of CR LF.
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

/// How many lines end within some bytes.
#[must_use]
pub fn count_line_ends(bytes: &[u8]) -> usize {
    let alone = |&at: &usize| {
        let after = &bytes[at + 1..];
        !after.starts_with(b"\n") && !after.starts_with(b"\r\n")
    };
    let returns = memchr::memchr_iter(b'\r', bytes).filter(alone).count();
    memchr::memchr_iter(b'\n', bytes).count() + returns
}

/// Bytes, which most often are known to be UTF-8: that is found out sooner for many lines at once.
#[derive(Clone, Copy, Debug)]
enum Text<'a> {
    Utf8(&'a str),
    Bytes(&'a [u8]),
}

impl<'a> Text<'a> {
    const fn bytes(self) -> &'a [u8] {
        match self {
            Self::Utf8(text) => text.as_bytes(),
            Self::Bytes(bytes) => bytes,
        }
    }

    /// The first line without its line feed, and what comes after it. A CR stays.
    fn split(self) -> Option<(Self, Self)> {
        let bytes = self.bytes();
        if bytes.is_empty() {
            return None;
        }
        let (_, next) = first_line(bytes);
        let end = next - usize::from(bytes[next - 1] == b'\n');
        Some(match self {
            Self::Utf8(text) => (Self::Utf8(&text[..end]), Self::Utf8(&text[next..])),
            Self::Bytes(bytes) => (Self::Bytes(&bytes[..end]), Self::Bytes(&bytes[next..])),
        })
    }

    fn decode(self) -> Cow<'a, str> {
        let latin_1 = |bytes: &[u8]| bytes.iter().copied().map(char::from).collect();
        match self {
            Self::Utf8(text) => Cow::Borrowed(text),
            Self::Bytes(bytes) => {
                str::from_utf8(bytes).map_or_else(|_| latin_1(bytes), Cow::Borrowed)
            }
        }
    }
}

/// Whether a line is a record whose last string has no end. A program that cuts files into parts
/// must not do so after such a line.
#[must_use]
pub fn opens_string(line: &[u8]) -> bool {
    has_odd_quotes(line) && begins_record(line)
}

fn closes_string(line: &[u8]) -> bool {
    has_odd_quotes(line) && !begins_record(line)
}

fn has_odd_quotes(line: &[u8]) -> bool {
    // A bit for a byte: many of them go at once.
    line.iter().fold(false, |odd, &byte| odd ^ (byte == b'"'))
}

/// Whether the first word of a line has the solidi of a placement.
fn begins_record(line: &[u8]) -> bool {
    let word = line.trim_ascii_start().split(|&byte| is_space(byte)).next();
    memchr::memchr_iter(b'/', word.unwrap_or_default()).count() >= 7
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIELDS: &str = "8/8/8/8/8/k7/8/K7 w - -";

    #[test]
    fn lines_that_are_no_records() {
        assert_eq!(LineKind::of(" \t\0\r"), LineKind::Blank);
        assert_eq!(LineKind::of("\u{FEFF}"), LineKind::Blank);
        assert_eq!(LineKind::of("# 3 and 4 piece endgames"), LineKind::Comment);
        assert_eq!(LineKind::of(" % suite"), LineKind::Comment);
        assert_eq!(LineKind::of("8/8 w"), LineKind::Record);
        let line = Lines::new(b"# x", 7).next().expect("a line");
        let error = line
            .read(&Reader::lenient(), &mut Vec::new())
            .expect_err("a remark");
        assert_eq!(
            error.to_string(),
            "column 1: a blank line or a remark, expected a record"
        );
    }

    #[test]
    fn every_line_has_its_number() {
        let lines: Vec<_> = Lines::new(b"a\n\nb\r\nc", 10)
            .map(|line| (line.number, line.text.into_owned()))
            .collect();
        let expected = [(10, "a"), (11, ""), (12, "b\r"), (13, "c")];
        assert!(
            lines
                .iter()
                .map(|(n, text)| (*n, text.as_str()))
                .eq(expected)
        );
        assert_eq!(Lines::new(b"", 1).count(), 0);
    }

    /// Files of old Macs, of Windows and of Unix, also mixed.
    #[test]
    fn every_kind_of_line_end() {
        for (text, expected) in [
            ("a\rb\rc", &["a", "b", "c"][..]),
            ("a\rb\r", &["a", "b"]),
            ("a\r\rb", &["a", "", "b"]),
            ("a\r\nb\nc\rd", &["a", "b", "c", "d"]),
            ("a\r\r\nb", &["a", "b"]),
            ("a\r\r\r\nb", &["a", "", "b"]),
            ("a\n\rb", &["a", "", "b"]),
            ("\r", &[""]),
        ] {
            let lines: Vec<_> = Lines::new(text.as_bytes(), 1).collect();
            let texts = lines.iter().map(|line| line.text.trim_end_matches('\r'));
            assert!(texts.eq(expected.iter().copied()), "{text:?}: {lines:?}");
            assert!(lines.iter().map(|line| line.number).eq(1..=expected.len()));
            for line in &lines {
                let [raw] = line.raw_lines().collect::<Vec<_>>()[..] else {
                    panic!("{line:?}");
                };
                assert_eq!(raw, line.text.trim_end_matches('\r').as_bytes());
            }
            let unended = usize::from(!text.ends_with(['\r', '\n']));
            assert_eq!(
                count_line_ends(text.as_bytes()) + unended,
                expected.len(),
                "{text:?}"
            );
        }
    }

    /// Wherever bytes are cut, the lines before the cut are those of the whole.
    #[test]
    fn whole_lines_are_lines_whatever_follows() {
        let text = b"a\r\rb\r\n\r\r\nc\r\r\r\r\nd\n\n\re\r";
        let all: Vec<_> = Lines::new(text, 1).collect();
        for cut in 0..=text.len() {
            let whole = whole_lines(&text[..cut]);
            let head: Vec<_> = Lines::new(&text[..whole], 1).collect();
            let tail = Lines::new(&text[whole..], 1 + count_line_ends(&text[..whole]));
            let joined: Vec<_> = head.into_iter().chain(tail).collect();
            assert_eq!(joined, all, "{cut}");
            assert!(cut - whole < 4, "{cut}");
        }
    }

    /// A CR inside a string tears it, as any end of a line does; it is joined again.
    #[test]
    fn carriage_returns_inside_strings() {
        for end in ["\r", "\r\n", "\n"] {
            let text = format!("{FIELDS} id \"a{end}b\"; bm Kb2;\n{FIELDS}\n");
            let lines: Vec<_> = Lines::new(text.as_bytes(), 1).collect();
            let [torn, next] = &lines[..] else {
                panic!("{lines:?}");
            };
            assert_eq!(torn.text, format!("{FIELDS} id \"a b\"; bm Kb2;"));
            assert_eq!(torn.raw, &text.as_bytes()[..torn.raw.len()]);
            let raw: Vec<_> = torn.raw_lines().collect();
            let head = format!("{FIELDS} id \"a");
            assert_eq!(raw, [head.as_bytes(), b"b\"; bm Kb2;"]);
            assert_eq!((torn.number, next.number), (1, 3));
        }
    }

    /// Bytes that are no UTF-8 are letters of Latin-1; columns count letters either way.
    #[test]
    fn letters_of_latin_1() {
        for name in ["id \"caf\u{e9}\"; x".as_bytes(), b"id \"caf\xe9\"; x"] {
            let text = [FIELDS.as_bytes(), b" ", name].concat();
            let line = Lines::new(&text, 1).next().expect("a line");
            assert!(line.text.ends_with("\"caf\u{e9}\"; x"));
            let mut repairs = Vec::new();
            line.read(&Reader::lenient(), &mut repairs)
                .expect("readable");
            let locations: Vec<_> = repairs
                .iter()
                .map(|repair| line.place(repair.span.start).1)
                .collect();
            assert_eq!(locations, [28, 36, 37], "{repairs:?}");
        }
    }

    #[test]
    fn torn_strings_are_joined() {
        let read = |text: &str| -> Vec<String> {
            let lines = Lines::new(text.as_bytes(), 1);
            lines.map(|line| line.text.into_owned()).collect()
        };
        let torn = format!("{FIELDS} c0 \"a  \r\nb\"; x 1;\n{FIELDS} y;");
        assert_eq!(
            read(&torn),
            [format!("{FIELDS} c0 \"a b\"; x 1;"), format!("{FIELDS} y;")]
        );
        let strict = Lines::new(torn.as_bytes(), 1).next().expect("a line");
        let error = strict
            .read(&Reader::strict(), &mut Vec::new())
            .expect_err("torn");
        assert_eq!(error.kind.name(), "broken-line");
        // What the next line cannot close is left alone.
        for text in [
            format!("{FIELDS} c0 \"a\n{FIELDS} c0 b\";"),
            format!("{FIELDS} c0 \"a\nb;"),
            format!("{FIELDS} c0 \"a"),
            "no record \"a\nb\"".to_owned(),
        ] {
            assert_eq!(read(&text).len(), text.split('\n').count(), "{text}");
        }
    }

    #[test]
    fn endless_lines_are_errors() {
        let fill = |len: usize| format!("{FIELDS} noop {};", "x".repeat(len - FIELDS.len() - 7));
        let read = |text: &str| {
            let line = Lines::new(text.as_bytes(), 1).next().expect("a line");
            line.read(&Reader::lenient(), &mut Vec::new())
        };
        assert!(read(&fill(LIMIT)).is_ok());
        let error = read(&fill(LIMIT + 1)).expect_err("too long");
        assert_eq!(
            (error.span.column(), error.kind.name()),
            (LIMIT + 1, "endless-line")
        );
    }
}
