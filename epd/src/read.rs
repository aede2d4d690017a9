//! From a line of text to a record.
//!
//! There is one reader. It takes everything below as it is meant and tells each place as a
//! [`Deviation`]; reading a [`Record`] by `parse` refuses the first of them.
//! - a byte order mark;
//! - tabs and surplus blanks anywhere, carriage returns and NUL bytes at the end of the line
//!   (decision 119);
//! - the two counters of FEN after the position, with or without a semicolon and even glued to
//!   the dash: they become `hmvc` and `fmvn` (decision 116);
//! - semicolons that end nothing, and a missing last one;
//! - strings over 255 bytes, opcodes of one letter or over fifteen, opcodes that occur twice
//!   (decisions 104, 105 and 109);
//! - bytes beyond ASCII inside strings (decision 5), and a backslash before a quote that does not
//!   end the string (decision 106).

use std::fmt;
use std::str::FromStr;

use movegen::{FenError, FenErrorKind, Setup, Word};

use crate::operation::{Operand, Operation};
use crate::record::Record;

/// The bytes that a line may have, its end not counted (EPD 4, decision 2).
pub const MAX_LINE: usize = 4095;
/// The bytes that a string may have, its quotes not counted (EPD 5.1).
pub const MAX_STRING: usize = 255;
/// What some editors put before the first line.
const BYTE_ORDER_MARK: char = '\u{FEFF}';
/// The letters that an opcode should have (EPD 5.1 and 5.3).
const OPCODE_LENGTHS: std::ops::RangeInclusive<usize> = 2..=15;

/// A place where a line is not as the standard has it, though what it means is clear.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Deviation {
    /// The column of the first byte concerned, from 1.
    pub column: usize,
    /// What is there.
    pub kind: DeviationKind,
}

/// What is not as the standard has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)]
pub enum DeviationKind {
    #[error("blank space that separates nothing")]
    SurplusSpace,
    #[error("another separator than a blank")]
    OddSpace,
    #[error("FEN counters, which EPD writes as hmvc and fmvn")]
    FenCounters,
    #[error("a semicolon that ends no operation")]
    SurplusSemicolon,
    #[error("no semicolon after the last operation")]
    MissingSemicolon,
    #[error("a string of more than 255 bytes")]
    LongString,
    #[error("an escaped quote inside a string")]
    EscapedQuote,
    #[error("letters beyond ASCII")]
    NotAscii,
    #[error("an opcode of one letter")]
    ShortOpcode,
    #[error("an opcode of more than fifteen letters")]
    LongOpcode,
    #[error("an opcode that the record has already")]
    DuplicateOpcode,
    #[error("a line of more than 4095 bytes")]
    LongLine,
    #[error("a byte order mark")]
    ByteOrderMark,
}

impl fmt::Display for Deviation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "column {}: {}", self.column, self.kind)
    }
}

/// A line is no record.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("column {column}: {kind}")]
pub struct ReadError {
    /// The column of the first byte concerned, from 1; one past the end if something is missing
    /// there.
    pub column: usize,
    /// What is wrong.
    pub kind: ReadErrorKind,
}

/// Why a line is no record.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)]
pub enum ReadErrorKind {
    #[error(transparent)]
    Position(FenErrorKind),
    #[error("{0:?} is no opcode: expected a letter, then letters, digits and underscores")]
    Opcode(String),
    #[error("the string has no closing quote")]
    OpenString,
    /// Only when a record must be exact.
    #[error(transparent)]
    Deviation(DeviationKind),
}

impl From<FenError> for ReadError {
    fn from(error: FenError) -> Self {
        Self {
            column: error.column,
            kind: ReadErrorKind::Position(error.kind),
        }
    }
}

/// What a line of a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Line {
    /// Nothing but white space (decision 115).
    Blank,
    /// A remark after `#` or `%` (decision 115).
    Comment,
    /// What ought to be a record.
    Record,
}

impl Line {
    /// Tells records from what files have beside them.
    #[must_use]
    pub fn of(line: &str) -> Self {
        match line
            .trim_start_matches(BYTE_ORDER_MARK)
            .trim_matches(is_space)
            .as_bytes()
            .first()
        {
            None => Self::Blank,
            Some(b'#' | b'%') => Self::Comment,
            Some(_) => Self::Record,
        }
    }
}

/// White space as files have it: NUL bytes stand at the ends of thousands of lines (decision 119).
const fn is_space(letter: char) -> bool {
    letter.is_ascii_whitespace() || letter == '\0'
}

/// Reads a line without its line feed, and adds what deviates from the standard in the order of
/// the columns.
pub fn read(line: &str, deviations: &mut Vec<Deviation>) -> Result<Record, ReadError> {
    let first = deviations.len();
    let mut reader = Reader {
        line,
        at: 0,
        deviations,
    };
    if line.len() > MAX_LINE {
        reader.deviate(MAX_LINE, DeviationKind::LongLine);
    }
    let record = reader.record()?;
    deviations[first..].sort_by_key(|deviation| deviation.column);
    Ok(record)
}

/// Reads a record that is exactly as the standard has it; the operations may come in any order
/// (EPD 5.1).
impl FromStr for Record {
    type Err = ReadError;

    fn from_str(line: &str) -> Result<Self, ReadError> {
        let mut deviations = Vec::new();
        let record = read(line, &mut deviations)?;
        match deviations.first() {
            None => Ok(record),
            Some(&deviation) => {
                let column = deviation.column;
                Err(ReadError {
                    column,
                    kind: ReadErrorKind::Deviation(deviation.kind),
                })
            }
        }
    }
}

struct Reader<'a, 'd> {
    line: &'a str,
    /// The next byte to read.
    at: usize,
    deviations: &'d mut Vec<Deviation>,
}

impl<'a> Reader<'a, '_> {
    fn record(&mut self) -> Result<Record, ReadError> {
        if self.line.starts_with(BYTE_ORDER_MARK) {
            self.deviate(0, DeviationKind::ByteOrderMark);
            self.at = BYTE_ORDER_MARK.len_utf8();
        }
        let begin = self.at;
        if self.space() > 0 {
            self.deviate(begin, DeviationKind::SurplusSpace);
        }
        let mut fields = [Word {
            text: "",
            column: 0,
        }; 4];
        for (i, field) in fields.iter_mut().enumerate() {
            if i > 0 {
                self.separator();
            }
            *field = self.word();
            if field.text.is_empty() {
                use movegen::Field;
                let missing = [
                    Field::Placement,
                    Field::Turn,
                    Field::Castling,
                    Field::EnPassant,
                ][i];
                let kind = ReadErrorKind::Position(FenErrorKind::Missing(missing));
                return Err(ReadError {
                    column: self.end() + 1,
                    kind,
                });
            }
        }
        // A halfmove clock glued to the dash is read again as a word of its own.
        if let Some(glued @ 1..) = fields[3].text.strip_prefix('-').map(str::len) {
            self.at -= glued;
            fields[3].text = "-";
        }
        let mut record = Record::new(Setup::from_fields(fields)?);
        let counters = self.counters();
        while self.operation(&mut record)? {}
        // An operation that says the same says it better.
        for counter in counters {
            if record.get(&counter.opcode).is_none() {
                record.add(counter);
            }
        }
        Ok(record)
    }

    fn deviate(&mut self, at: usize, kind: DeviationKind) {
        self.deviations.push(Deviation {
            column: at + 1,
            kind,
        });
    }

    fn peek(&self) -> Option<u8> {
        self.line.as_bytes().get(self.at).copied()
    }

    /// The offset at which the last word of the line ends.
    fn end(&self) -> usize {
        self.line.trim_end_matches(is_space).len()
    }

    /// Skips white space; returns how much.
    fn space(&mut self) -> usize {
        let before = self.at;
        while self.peek().is_some_and(|byte| is_space(byte.into())) {
            self.at += 1;
        }
        self.at - before
    }

    /// Skips white space where there should be one blank, or none at the end of the line.
    fn separator(&mut self) {
        let before = self.at;
        let skipped = self.space();
        if self.peek().is_none() {
            if skipped > 0 {
                self.deviate(before, DeviationKind::SurplusSpace);
            }
        } else if skipped > 0 && self.line.as_bytes()[before] != b' ' {
            self.deviate(before, DeviationKind::OddSpace);
        } else if skipped > 1 {
            self.deviate(before + 1, DeviationKind::SurplusSpace);
        } else if skipped == 0 {
            self.deviate(before, DeviationKind::OddSpace);
        }
    }

    /// Reads up to white space or a semicolon; a position field of one dash may be followed by
    /// digits at once.
    fn word(&mut self) -> Word<'a> {
        let rest = &self.line[self.at..];
        let len = rest
            .find(|letter| is_space(letter) || letter == ';')
            .unwrap_or(rest.len());
        let word = Word {
            text: &rest[..len],
            column: self.at + 1,
        };
        self.at += len;
        word
    }

    /// Reads the counters of FEN, if they are there, and a semicolon after them.
    fn counters(&mut self) -> Vec<Operation> {
        let begin = self.at;
        let mut counters = Vec::new();
        for opcode in ["hmvc", "fmvn"] {
            let before = self.at;
            self.space();
            let word = self.word();
            if word.text.is_empty() || !word.text.bytes().all(|byte| byte.is_ascii_digit()) {
                self.at = before;
                break;
            }
            counters.push(Operation::new(opcode).symbol(word.text));
        }
        if !counters.is_empty() {
            let gap = usize::from(self.line.as_bytes()[begin] == b' ');
            self.deviate(begin + gap, DeviationKind::FenCounters);
            let before = self.at;
            self.space();
            if self.peek() == Some(b';') {
                self.at += 1;
            } else {
                self.at = before;
            }
        }
        counters
    }

    /// Reads one operation into the record; false at the end of the line.
    fn operation(&mut self, record: &mut Record) -> Result<bool, ReadError> {
        self.separator();
        let begin = self.at;
        match self.peek() {
            None => return Ok(false),
            Some(b';') => {
                self.deviate(begin, DeviationKind::SurplusSemicolon);
                self.at += 1;
                return Ok(true);
            }
            Some(_) => {}
        }
        let mut operation = Operation::new(self.opcode()?);
        if record.get(&operation.opcode).is_some() {
            self.deviate(begin, DeviationKind::DuplicateOpcode);
        }
        while let Some(operand) = self.operand()? {
            operation.operands.push(operand);
        }
        record.add(operation);
        Ok(true)
    }

    fn opcode(&mut self) -> Result<&'a str, ReadError> {
        let begin = self.at;
        let text = self.word().text;
        let identifier = text
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        if !identifier || !text.starts_with(|first: char| first.is_ascii_alphabetic()) {
            return Err(ReadError {
                column: begin + 1,
                kind: ReadErrorKind::Opcode(text.to_owned()),
            });
        }
        if text.len() < *OPCODE_LENGTHS.start() {
            self.deviate(begin, DeviationKind::ShortOpcode);
        } else if text.len() > *OPCODE_LENGTHS.end() {
            self.deviate(begin, DeviationKind::LongOpcode);
        }
        Ok(text)
    }

    /// Reads one operand, or the semicolon after the last one.
    fn operand(&mut self) -> Result<Option<Operand>, ReadError> {
        let before = self.at;
        let skipped = self.space();
        match self.peek() {
            None => {
                self.deviate(self.end(), DeviationKind::MissingSemicolon);
                if skipped > 0 {
                    self.deviate(before, DeviationKind::SurplusSpace);
                }
                Ok(None)
            }
            Some(b';') => {
                if skipped > 0 {
                    self.deviate(before, DeviationKind::SurplusSpace);
                }
                self.at += 1;
                Ok(None)
            }
            Some(next) => {
                self.at = before;
                self.separator();
                Ok(Some(if next == b'"' {
                    self.string()?
                } else {
                    self.symbol()
                }))
            }
        }
    }

    fn symbol(&mut self) -> Operand {
        let begin = self.at;
        let text = self.word().text;
        if !text.is_ascii() {
            self.deviate(begin, DeviationKind::NotAscii);
        }
        Operand::Symbol(text.to_owned())
    }

    fn string(&mut self) -> Result<Operand, ReadError> {
        let open = self.at;
        let mut text = String::new();
        let mut from = open + 1;
        loop {
            let Some(quote) = self.line[from..].find('"').map(|found| from + found) else {
                return Err(ReadError {
                    column: open + 1,
                    kind: ReadErrorKind::OpenString,
                });
            };
            let after = self.line.as_bytes().get(quote + 1);
            let ends = after.is_none_or(|&byte| byte == b';' || is_space(byte.into()));
            if self.line[from..quote].ends_with('\\') && !ends {
                self.deviate(quote - 1, DeviationKind::EscapedQuote);
                text.push_str(&self.line[from..quote - 1]);
                text.push('"');
                from = quote + 1;
            } else {
                text.push_str(&self.line[from..quote]);
                self.at = quote + 1;
                break;
            }
        }
        if text.len() > MAX_STRING {
            self.deviate(open, DeviationKind::LongString);
        }
        if !text.is_ascii() {
            self.deviate(open, DeviationKind::NotAscii);
        }
        Ok(Operand::String(text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIELDS: &str = "8/8/8/8/8/k7/8/K7 w - -";

    /// The normal form of a line, and its deviations as columns and kinds.
    fn mended(line: &str) -> (String, Vec<(usize, DeviationKind)>) {
        let mut deviations = Vec::new();
        let record =
            read(line, &mut deviations).unwrap_or_else(|error| panic!("{line:?}: {error}"));
        for deviation in &deviations {
            assert!(
                (1..=line.len() + 1).contains(&deviation.column),
                "{line:?}: {deviation}"
            );
        }
        let normal = record.to_string();
        assert_eq!(
            normal.parse::<Record>().as_ref(),
            Ok(&record),
            "normal form is exact"
        );
        (
            normal,
            deviations
                .iter()
                .map(|found| (found.column, found.kind))
                .collect(),
        )
    }

    #[track_caller]
    fn mends(operations: &str, normal: &str, deviations: &[(usize, DeviationKind)]) {
        let expected = format!("{FIELDS}{normal}");
        let columns: Vec<_> = deviations
            .iter()
            .map(|&(c, kind)| (c + FIELDS.len(), kind))
            .collect();
        assert_eq!(
            mended(&format!("{FIELDS}{operations}")),
            (expected, columns),
            "{operations:?}"
        );
    }

    #[test]
    fn exact_records_have_no_deviation() {
        mends("", "", &[]);
        mends(" noop;", " noop;", &[]);
        mends(" c0 \"\"; c1;", " c0 \"\"; c1;", &[]);
        mends(" bm Kb1; id \"a; b\";", " bm Kb1; id \"a; b\";", &[]);
        // EPD 5.1: the order of operations is not the reader's business.
        mends(" id \"x\"; bm Kb1;", " bm Kb1; id \"x\";", &[]);
    }

    #[test]
    fn spaces() {
        use DeviationKind::{OddSpace, SurplusSpace};
        mends(
            "  bm  Kb1 ;  ",
            " bm Kb1;",
            &[
                (2, SurplusSpace),
                (6, SurplusSpace),
                (10, SurplusSpace),
                (12, SurplusSpace),
            ],
        );
        mends("\tbm\tKb1;", " bm Kb1;", &[(1, OddSpace), (4, OddSpace)]);
        mends(" bm Kb1;id \"x\";", " bm Kb1; id \"x\";", &[(9, OddSpace)]);
        mends(
            " id \"x\" \"y\";\r",
            " id \"x\" \"y\";",
            &[(13, SurplusSpace)],
        );
        assert_eq!(
            mended(&format!("  {FIELDS}\0")).1,
            [(1, SurplusSpace), (26, SurplusSpace)]
        );
    }

    /// Decision 116.
    #[test]
    fn counters_of_fen() {
        use DeviationKind::FenCounters;
        let both = " fmvn 12; hmvc 1;";
        for counters in [" 1 12", " 1 12;"] {
            mends(counters, both, &[(2, FenCounters)]);
        }
        mends("1 12", both, &[(1, FenCounters)]);
        mends(
            " 1 12 bm Kb1;",
            " bm Kb1; fmvn 12; hmvc 1;",
            &[(2, FenCounters)],
        );
        mends(" 7", " hmvc 7;", &[(2, FenCounters)]);
        mends(" 1 12; hmvc 3;", " fmvn 12; hmvc 3;", &[(2, FenCounters)]);
    }

    #[test]
    fn semicolons() {
        use DeviationKind::{MissingSemicolon, OddSpace, SurplusSemicolon, SurplusSpace};
        mends(" bm Kb1", " bm Kb1;", &[(8, MissingSemicolon)]);
        mends(" ; bm Kb1;", " bm Kb1;", &[(2, SurplusSemicolon)]);
        mends(
            "; bm Kb1; ;",
            " bm Kb1;",
            &[(1, OddSpace), (1, SurplusSemicolon), (11, SurplusSemicolon)],
        );
        mends(
            " id \"x\" ",
            " id \"x\";",
            &[(8, MissingSemicolon), (8, SurplusSpace)],
        );
    }

    /// Decisions 5, 105 and 106.
    #[test]
    fn strings() {
        let long = format!(" id \"{}\";", "x".repeat(256));
        let mut deviations = Vec::new();
        let record = read(&format!("{FIELDS}{long}"), &mut deviations).expect("readable");
        assert_eq!(
            record.to_string(),
            format!("{FIELDS}{long}"),
            "nothing is cut"
        );
        assert_eq!(deviations[0].kind, DeviationKind::LongString);

        let mut deviations = Vec::new();
        let record =
            read(&format!(r#"{FIELDS} a0 "foo\"bar";"#), &mut deviations).expect("readable");
        assert_eq!(
            record.get("a0").expect("there").operands[0].text(),
            r#"foo"bar"#
        );
        assert_eq!(record.to_string(), format!("{FIELDS} a0 \"foo'bar\";"));
        assert_eq!(deviations[0].kind, DeviationKind::EscapedQuote);

        let mut deviations = Vec::new();
        read(&format!("{FIELDS} id \"é\";"), &mut deviations).expect("readable");
        assert_eq!(deviations[0].kind, DeviationKind::NotAscii);
    }

    /// Decisions 104 and 109.
    #[test]
    fn opcodes() {
        let mut deviations = Vec::new();
        let line = format!("{FIELDS} a 1; bm Kb1; bm Ka2; sixteen_letters_ 1;");
        let record = read(&line, &mut deviations).expect("readable");
        assert_eq!(record.to_string(), line, "nothing is lost");
        assert_eq!(
            record.get("bm").expect("there").operands[0].text(),
            "Kb1",
            "the first counts"
        );
        let kinds: Vec<_> = deviations.iter().map(|found| found.kind).collect();
        assert_eq!(
            kinds,
            [
                DeviationKind::ShortOpcode,
                DeviationKind::DuplicateOpcode,
                DeviationKind::LongOpcode
            ]
        );
    }

    #[test]
    fn errors_name_their_column() {
        for (line, column, message) in [
            ("", 1, "the piece placement is missing"),
            (
                "8/8/8/8/8/k7/8/K7 w ",
                20,
                "the castling availability is missing",
            ),
            (
                "8/8/8/8/8/k7/8/K8 w - -",
                16,
                "rank 1 has 9 squares, expected 8",
            ),
            (
                "8/8/8/8/8/k7/8/K7 w - - 18x knights;",
                25,
                "\"18x\" is no opcode: expected a letter, then letters, digits and underscores",
            ),
            (
                "8/8/8/8/8/k7/8/K7 w - - id \"x; y;",
                28,
                "the string has no closing quote",
            ),
        ] {
            let error = read(line, &mut Vec::new()).expect_err(line);
            assert_eq!(
                error.to_string(),
                format!("column {column}: {message}"),
                "{line:?}"
            );
        }
        let error = format!("{FIELDS}  bm Kb1;")
            .parse::<Record>()
            .expect_err("two blanks");
        assert_eq!(
            error.kind,
            ReadErrorKind::Deviation(DeviationKind::SurplusSpace)
        );
    }

    #[test]
    fn lines_that_are_no_records() {
        assert_eq!(Line::of(" \t\0\r"), Line::Blank);
        assert_eq!(Line::of("# 3 and 4 piece endgames"), Line::Comment);
        assert_eq!(Line::of(" % suite"), Line::Comment);
        assert_eq!(Line::of("8/8 w"), Line::Record);
    }
}
