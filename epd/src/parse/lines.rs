//! Splits the bytes of a file into lines.
//!
//! A line ends with LF, CR LF, or CR alone as in files of old Macs; a file may mix them. CR CR LF is one
//! line ending as well: it comes from converting CR LF twice. A CR inside a string also ends the line;
//! the string is then joined as described below.
//!
//! Bytes that are not UTF-8 are read as Latin-1. Some editors wrap records in the middle of a string: if
//! a string is open at the end of a line, and the next line closes it and is not a record itself, the
//! two lines are joined with a blank. A line of more than [`MAX_READABLE_LINE`] bytes is an error.

use std::borrow::Cow;

use movegen::Setup;

use super::error::{ReadError, ReadErrorKind};
pub use super::limits::MAX_READABLE_LINE;
use super::line_ends::closes_string;
pub use super::line_ends::{count_line_ends, first_line, opens_string, whole_lines};
use super::location::{Locations, Span};
use super::reader::{Mode, Reader};
use super::repair::{Repair, RepairKind};
use crate::chars::{BYTE_ORDER_MARK, is_any_space};
use crate::record::Record;

/// The kind of a line, by its first characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, strum::Display, strum::EnumString)]
#[strum(serialize_all = "kebab-case")]
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
    /// The line number, from 1; that of the first line if two were joined.
    pub number: usize,
    /// The text, without the line feed. A carriage return at the end counts as white space.
    pub text: Cow<'a, str>,
    /// The bytes in the file, without the line ending; from the start of the first line to the end of the
    /// second if two were joined.
    pub raw: &'a [u8],
    /// The offset of the second line in the text, if two were joined.
    pub broken_at: Option<usize>,
}

impl LineKind {
    /// The kind of a line.
    #[must_use]
    pub fn of(line: &str) -> Self {
        let text = line.trim_start_matches(BYTE_ORDER_MARK);
        match text.trim_start_matches(is_any_space).bytes().next() {
            None => Self::Blank,
            Some(b'#' | b'%') => Self::Comment,
            Some(_) => Self::Record,
        }
    }
}

impl<'a> Line<'a> {
    /// The bytes of the line, or of both lines, without line endings.
    pub fn raw_lines(&self) -> impl Iterator<Item = &'a [u8]> + use<'a> {
        let mut rest = Some(self.raw);
        std::iter::from_fn(move || {
            let bytes = rest?;
            let (end, next) = first_line(bytes);
            // A line, perhaps an empty one, follows a line ending.
            rest = (next > end).then(|| &bytes[next..]);
            Some(&bytes[..end])
        })
    }

    /// The kind of the line.
    #[must_use]
    pub fn kind(&self) -> LineKind {
        LineKind::of(&self.text)
    }

    /// The line number and the column of a byte of the text. Columns are counted in characters, from 1.
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

    /// Reads the line with [`Reader::read`]. A blank line or a comment is an error.
    pub fn read(
        &self,
        reader: &Reader<'_>,
        repairs: &mut Vec<Repair>,
    ) -> Result<Record, ReadError> {
        self.check_line(reader, repairs)?;
        reader.read(&self.text, repairs)
    }

    /// Reads only the position, with [`Reader::read_setup`]. A blank line or a comment is an error.
    pub fn read_setup(
        &self,
        reader: &Reader<'_>,
        repairs: &mut Vec<Repair>,
    ) -> Result<Setup, ReadError> {
        self.check_line(reader, repairs)?;
        reader.read_setup(&self.text, repairs)
    }

    /// Reads the line with [`Reader::locate`], which also returns the locations of its parts.
    pub fn locate(
        &self,
        reader: &Reader<'_>,
        repairs: &mut Vec<Repair>,
    ) -> Result<(Record, Locations), ReadError> {
        self.check_line(reader, repairs)?;
        reader.locate(&self.text, repairs)
    }

    /// Refuses a line that cannot be a record.
    fn check_line(&self, reader: &Reader<'_>, repairs: &mut Vec<Repair>) -> Result<(), ReadError> {
        let refuse = |start, end, kind| {
            let span = Span::new(start, end);
            Err(ReadError { span, kind })
        };
        if self.text.len() > MAX_READABLE_LINE {
            return refuse(
                MAX_READABLE_LINE,
                self.text.len(),
                ReadErrorKind::EndlessLine,
            );
        }
        if self.kind() != LineKind::Record {
            return refuse(0, self.text.len(), ReadErrorKind::NoRecord);
        }
        if let Some(at) = self.broken_at {
            let kind = RepairKind::BrokenLine;
            if reader.mode() == Mode::Strict {
                return refuse(at - 1, at, ReadErrorKind::NonStandard(kind));
            }
            repairs.push(Repair {
                span: Span::new(at - 1, at),
                kind,
                replacement: Some(" ".into()),
            });
        }
        Ok(())
    }
}

/// An iterator over the lines of a file.
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
    /// The lines of `text`. The first one gets the number `first`.
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

/// Text that is UTF-8, or bytes that are not. Whole files are checked at once because that is faster
/// than line by line.
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

    /// The first line without its line feed, and the rest. A CR is kept.
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
        match self {
            Self::Utf8(text) => Cow::Borrowed(text),
            Self::Bytes(bytes) => decode(bytes),
        }
    }
}

/// Bytes as text: what is not UTF-8 is read as Latin-1, apart from a byte order mark of UTF-8 at its beginning.
#[must_use]
pub fn decode(bytes: &[u8]) -> Cow<'_, str> {
    const MARK: &[u8] = "\u{FEFF}".as_bytes();
    let latin_1 = |bytes: &[u8]| -> String { bytes.iter().copied().map(char::from).collect() };
    match (str::from_utf8(bytes), bytes.strip_prefix(MARK)) {
        (Ok(text), _) => Cow::Borrowed(text),
        (Err(_), Some(rest)) => Cow::Owned(format!("{BYTE_ORDER_MARK}{}", latin_1(rest))),
        (Err(_), None) => Cow::Owned(latin_1(bytes)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIELDS: &str = "8/8/8/8/8/k7/8/K7 w - -";

    #[test]
    fn lines_that_are_not_records() {
        assert_eq!(LineKind::of(" \t\0\r"), LineKind::Blank);
        assert_eq!(LineKind::of("\u{FEFF}"), LineKind::Blank);
        assert_eq!(LineKind::of("# 3 and 4 piece endgames"), LineKind::Comment);
        assert_eq!(LineKind::of(" % suite"), LineKind::Comment);
        assert_eq!(LineKind::of("8/8 w"), LineKind::Record);
        let line = Lines::new(b"# x", 7).next().expect("a line");
        let error = line
            .read(&Reader::lenient(), &mut Vec::new())
            .expect_err("a comment");
        assert_eq!(
            error.to_string(),
            "column 1: a blank line or a comment, expected a record"
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

    /// Files of old Macs, of Windows and of Unix, and mixed ones.
    #[test]
    fn every_kind_of_line_ending() {
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

    /// Wherever a file is cut, the lines before the cut are the same.
    #[test]
    fn whole_lines_do_not_depend_on_what_follows() {
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

    /// A CR inside a string ends the line; the two lines are joined again.
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

    /// Bytes that are not UTF-8 are read as Latin-1. Columns count characters in both cases.
    #[test]
    fn bytes_that_are_not_utf_8() {
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

    /// Some editors put a byte order mark before whatever follows.
    #[test]
    fn latin_1_after_a_byte_order_mark() {
        let text = [b"\xEF\xBB\xBF", FIELDS.as_bytes(), b" id \"caf\xe9\";"].concat();
        let line = Lines::new(&text, 1).next().expect("a line");
        let record = line.read(&Reader::lenient(), &mut Vec::new());
        let id = record
            .expect("readable")
            .id()
            .map(|id| id.map(str::to_owned));
        assert_eq!(id, Ok(Some("caf\u{e9}".to_owned())));
    }

    #[test]
    fn strings_over_two_lines_are_joined() {
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
            .expect_err("two lines");
        assert_eq!(error.kind.name(), "broken-line");
        // Lines are not joined if the next line does not close the string.
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
    fn lines_over_the_limit_are_errors() {
        let fill = |len: usize| format!("{FIELDS} noop {};", "x".repeat(len - FIELDS.len() - 7));
        let read = |text: &str| {
            let line = Lines::new(text.as_bytes(), 1).next().expect("a line");
            line.read(&Reader::lenient(), &mut Vec::new())
        };
        assert!(read(&fill(MAX_READABLE_LINE)).is_ok());
        let error = read(&fill(MAX_READABLE_LINE + 1)).expect_err("too long");
        assert_eq!(
            (error.span.column(), error.kind.name()),
            (MAX_READABLE_LINE + 1, "endless-line")
        );
    }
}
