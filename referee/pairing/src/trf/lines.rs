//! Lines of a report and the fields in their columns.

use super::report::TrfError;
use crate::event::Score;

/// A line. Columns count from zero here, from one in errors.
#[derive(Clone, Debug)]
pub(super) struct Line {
    pub(super) number: usize,
    chars: Vec<char>,
}

/// A word of a line and the column where it begins.
#[derive(Clone, Debug)]
pub(super) struct Word {
    pub(super) column: usize,
    pub(super) text: String,
}

impl Line {
    /// The lines of a file that are not empty. A line ends with a line feed, a carriage return, or both.
    pub(super) fn all(text: &str) -> Vec<Self> {
        let unified = text
            .strip_prefix('\u{feff}')
            .unwrap_or(text)
            .replace("\r\n", "\n")
            .replace('\r', "\n");
        let lines = unified
            .lines()
            .enumerate()
            .filter(|(_, line)| !line.trim().is_empty());
        lines
            .map(|(index, line)| Self {
                number: index + 1,
                chars: line.chars().collect(),
            })
            .collect()
    }

    pub(super) fn code(&self) -> String {
        self.chars.iter().take(3).collect()
    }

    pub(super) fn text(&self) -> String {
        self.chars.iter().collect()
    }

    pub(super) fn len(&self) -> usize {
        self.chars.len()
    }

    pub(super) fn error(&self, column: usize, message: impl Into<String>) -> TrfError {
        TrfError {
            line: self.number,
            column: column + 1,
            message: message.into(),
        }
    }

    pub(super) fn expected(&self, column: usize, found: &str, expected: &str) -> TrfError {
        let found = if found.is_empty() {
            "nothing".to_owned()
        } else {
            format!("{found:?}")
        };
        self.error(column, format!("found {found}, expected {expected}"))
    }

    /// The character in a column, a blank beyond the end.
    pub(super) fn char(&self, column: usize) -> char {
        self.chars.get(column).copied().unwrap_or(' ')
    }

    /// What some columns hold, without the blanks around it.
    pub(super) fn field(&self, columns: std::ops::Range<usize>) -> String {
        columns
            .map(|column| self.char(column))
            .collect::<String>()
            .trim()
            .to_owned()
    }

    /// Where the text in some columns begins.
    fn start(&self, columns: std::ops::Range<usize>) -> usize {
        let first = columns.start;
        columns
            .into_iter()
            .find(|&column| self.char(column) != ' ')
            .unwrap_or(first)
    }

    /// The words from a column on.
    pub(super) fn words(&self, from: usize) -> Vec<Word> {
        let mut words: Vec<Word> = Vec::new();
        let mut open = false;
        for (column, &char) in self.chars.iter().enumerate().skip(from) {
            if char.is_whitespace() {
                open = false;
            } else if open {
                words.last_mut().expect("a word is open").text.push(char);
            } else {
                words.push(Word {
                    column,
                    text: char.to_string(),
                });
                open = true;
            }
        }
        words
    }

    /// The only word from a column on.
    pub(super) fn single(&self, from: usize, expected: &str) -> Result<Word, TrfError> {
        let mut words = self.words(from).into_iter();
        let first = words
            .next()
            .ok_or_else(|| self.expected(from, "", expected))?;
        match words.next() {
            None => Ok(first),
            Some(word) => Err(self.expected(word.column, &word.text, "the end of the line")),
        }
    }

    /// A number in some columns; `None` where they are blank.
    pub(super) fn number(
        &self,
        columns: std::ops::Range<usize>,
        what: &str,
    ) -> Result<Option<u32>, TrfError> {
        let (start, text) = (columns.start, self.field(columns));
        if text.is_empty() {
            Ok(None)
        } else {
            self.parse_number(start, &text, what).map(Some)
        }
    }

    pub(super) fn parse_number(
        &self,
        column: usize,
        text: &str,
        what: &str,
    ) -> Result<u32, TrfError> {
        text.parse().map_err(|_| self.expected(column, text, what))
    }

    /// The index of the player whose starting rank is in some columns.
    pub(super) fn player(&self, columns: std::ops::Range<usize>) -> Result<usize, TrfError> {
        let (start, text) = (columns.start, self.field(columns));
        self.parse_player(start, &text)
    }

    pub(super) fn parse_player(&self, column: usize, text: &str) -> Result<usize, TrfError> {
        let expected = "the starting rank of a player, from 1 to 9999";
        match text.parse::<usize>() {
            Ok(rank @ 1..=9999) => Ok(rank - 1),
            _ => Err(self.expected(column, text, expected)),
        }
    }

    /// The round in some columns, from zero on.
    pub(super) fn round(&self, columns: std::ops::Range<usize>) -> Result<usize, TrfError> {
        let (start, text) = (columns.start, self.field(columns));
        match text.parse::<usize>() {
            Ok(round @ 1..=999) => Ok(round - 1),
            _ => Err(self.expected(start, &text, "a round, from 1 to 999")),
        }
    }

    pub(super) fn score(&self, columns: std::ops::Range<usize>) -> Result<Score, TrfError> {
        let (start, text) = (self.start(columns.clone()), self.field(columns));
        self.parse_score(start, &text)
    }

    pub(super) fn parse_score(&self, column: usize, text: &str) -> Result<Score, TrfError> {
        parse_score(text).ok_or_else(|| self.expected(column, text, "points such as 1.5"))
    }
}

/// Points with at most three digits before the point and one behind it.
fn parse_score(text: &str) -> Option<Score> {
    let (whole, tenths) = text.split_once(['.', ',']).unwrap_or((text, "0"));
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    if !(is_number(whole) && whole.len() <= 3 && is_number(tenths) && tenths.len() == 1) {
        return None;
    }
    Some(Score::tenths(
        whole.parse::<u32>().ok()? * 10 + tenths.parse::<u32>().ok()?,
    ))
}
