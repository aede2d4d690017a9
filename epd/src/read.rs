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
//! - a missing castling or en passant field, a surplus dash after the fields, the pawn's square in
//!   place of the en passant square; an impossible en passant square is left out (decision 121);
//! - the placement of the Macintosh dialect of 1996: a solidus after the last rank, and empty
//!   squares at the end of a rank left out;
//! - signs that stand apart from their move: `Qd1 +`, `a8 = Q`;
//! - strings without quotes where the opcode takes a string (decisions 108 and 117), `id="33"` for
//!   `id "33"`, two operations with no semicolon between, moves of `bm` and `am` with one between
//!   (decision 118), `draw_decline` for `draw_reject` (decision 67);
//! - text that is no operation at all: it becomes a comment, in the last register that is free;
//! - bytes beyond ASCII inside strings (decision 5), and a backslash before a quote that does not
//!   end the string (decision 106).

use std::str::FromStr;

use movegen::san;
use movegen::{FenErrorKind, Field, Position, Rank, Setup, SetupFaults, Square, Word};

use crate::deviation::{Deviation, DeviationKind, ReadError, ReadErrorKind};
use crate::opcode::{Arity, Basetype, Moves, Opcode};
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
        last_moves: None,
        after_key: false,
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
    /// The opcode of the last operation, if it takes moves of the record's position.
    last_moves: Option<&'static str>,
    /// An operand follows at once, after an equals sign.
    after_key: bool,
}

/// Whether a text can only be a part of the move before it.
fn is_sign(text: &str) -> bool {
    text.trim_matches(['+', '#', '!', '?', '=']).is_empty()
}

/// Whether a word is an opcode of the lexicon; `c4` is a square before it is a comment.
fn is_opcode_not_square(word: &str) -> bool {
    Opcode::find(word).is_some() && word.parse::<Square>().is_err()
}

/// Whether an opcode takes one string and nothing else.
fn takes_one_string(entry: &Opcode) -> bool {
    matches!(
        entry.arity,
        Arity::Exactly([Basetype::String]) | Arity::Optional(Basetype::String)
    )
}

/// Puts a text that is no operation into the last comment register that is free, or adds it to the
/// last register if none is.
fn keep_as_comment(record: &mut Record, text: &str) {
    let registers = (0..10).rev().map(|n| format!("c{n}"));
    let free = registers
        .clone()
        .find(|register| record.get(register).is_none());
    let said = record
        .get("c9")
        .and_then(|comment| comment.operands.first());
    let text = match (&free, said) {
        (None, Some(said)) => format!("{}; {text}", said.text()),
        _ => text.to_owned(),
    };
    let register = free.unwrap_or_else(|| "c9".to_owned());
    record.set(Operation::new(&register).string(&text));
}

/// The placement of the dialect that ends with a solidus and leaves out the empty squares at the
/// end of a rank, as the standard writes it.
fn close_placement(text: &str) -> Option<String> {
    let ranks: Vec<_> = text.strip_suffix('/')?.split('/').collect();
    let closed = ranks.into_iter().map(|rank| {
        let squares: u32 = rank
            .chars()
            .map(|letter| letter.to_digit(10).unwrap_or(1))
            .sum();
        match 8u32.checked_sub(squares) {
            Some(missing @ 1..) => format!("{rank}{missing}"),
            _ => rank.to_owned(),
        }
    });
    Some(closed.collect::<Vec<_>>().join("/"))
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
        let mut setup = self.setup()?;
        if setup.en_passant.is_some() {
            self.mend_en_passant(&mut setup);
        }
        let mut record = Record::new(setup);
        let counters = self.counters();
        let mut texts = Vec::new();
        while self.operation(&mut record, &mut texts)? {}
        // An operation that says the same says it better.
        for counter in counters {
            if record.get(&counter.opcode).is_none() {
                record.add(counter);
            }
        }
        if !texts.is_empty() {
            keep_as_comment(&mut record, &texts.join("; "));
        }
        Ok(record)
    }

    /// Reads the four position fields.
    fn setup(&mut self) -> Result<Setup, ReadError> {
        const FIELDS: [Field; 4] = [
            Field::Placement,
            Field::Turn,
            Field::Castling,
            Field::EnPassant,
        ];
        let mut fields = [Word {
            text: "",
            column: 0,
        }; 4];
        for (i, field) in fields.iter_mut().enumerate() {
            let (before, seen) = (self.at, self.deviations.len());
            if i > 0 {
                self.separator();
            }
            *field = self.word();
            // What is no field is an operation, and the fields that are missing are empty.
            let optional = matches!(FIELDS[i], Field::Castling | Field::EnPassant);
            let missing = field.text.is_empty() && FIELDS[i] == Field::EnPassant;
            if missing || optional && is_opcode_not_square(field.text) {
                self.deviations.truncate(seen);
                self.at = before;
                self.deviate(before, DeviationKind::MissingField);
                *field = Word {
                    text: "-",
                    column: before + 1,
                };
            } else if field.text.is_empty() {
                let kind = ReadErrorKind::Position(FenErrorKind::Missing(FIELDS[i]));
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
        self.surplus_dash();
        let closed = close_placement(fields[0].text);
        if let Some(closed) = &closed {
            self.deviate(fields[0].column - 1, DeviationKind::OpenPlacement);
            fields[0].text = closed;
        }
        Ok(Setup::from_fields(fields)?)
    }

    fn surplus_dash(&mut self) {
        let before = self.at;
        self.space();
        let begin = self.at;
        if begin > before && self.word().text == "-" {
            self.deviate(begin, DeviationKind::SurplusDash);
        } else {
            self.at = before;
        }
    }

    /// Takes the pawn's square for the one that it skipped, and leaves out what cannot be.
    fn mend_en_passant(&mut self, setup: &mut Setup) {
        let impossible = |setup: &Setup| {
            Position::from_setup(setup)
                .is_err_and(|illegal| illegal.faults().contains(SetupFaults::EN_PASSANT))
        };
        let (Some(square), true) = (setup.en_passant, impossible(setup)) else {
            return;
        };
        // The field is the last word before the reader.
        let field = self.line[..self.at]
            .trim_end_matches(is_space)
            .rfind(' ')
            .map_or(0, |at| at + 1);
        let skipped = match square.rank() {
            Rank::R4 => Rank::R3,
            Rank::R5 => Rank::R6,
            rank => rank,
        };
        setup.en_passant = Some(Square::new(square.file(), skipped));
        if impossible(setup) {
            setup.en_passant = None;
            self.deviate(field, DeviationKind::ImpossibleEnPassant);
        } else {
            self.deviate(field, DeviationKind::PawnSquare);
        }
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

    /// Reads one operation into the record, or what is none into `texts`; false at the end of the
    /// line.
    fn operation(
        &mut self,
        record: &mut Record,
        texts: &mut Vec<String>,
    ) -> Result<bool, ReadError> {
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
        let opcode = self.opcode();
        if opcode.is_none_or(|opcode| Opcode::find(opcode).is_none())
            && let Some(end) = self.split_moves(record, begin)
        {
            self.deviate(begin, DeviationKind::SplitMoves);
            self.at = end;
            return Ok(true);
        }
        let Some(opcode) = opcode else {
            self.deviate(begin, DeviationKind::FreeText);
            self.at = begin;
            texts.push(self.statement().to_owned());
            return Ok(true);
        };
        self.check_opcode(begin, opcode);
        let mut operation = Operation::new(opcode);
        if opcode == "draw_decline" {
            self.deviate(begin, DeviationKind::DrawDecline);
            "draw_reject".clone_into(&mut operation.opcode);
        }
        if record.get(&operation.opcode).is_some() {
            self.deviate(begin, DeviationKind::DuplicateOpcode);
        }
        let entry = Opcode::find(opcode);
        let operands_begin = self.at + 1;
        while !self.runs_into_next(&operation, entry) {
            let Some(operand) = self.operand()? else {
                break;
            };
            match (operation.operands.last_mut(), &operand) {
                (Some(Operand::Symbol(mv)), Operand::Symbol(text))
                    if entry.is_some_and(|entry| entry.moves != Moves::None)
                        && (mv.ends_with('=') || is_sign(text)) =>
                {
                    self.deviate(self.at - text.len(), DeviationKind::ApartSign);
                    mv.push_str(text);
                }
                _ => operation.operands.push(operand),
            }
        }
        if let Some(entry) = entry
            && takes_one_string(entry)
            && !operation.operands.is_empty()
            && operation
                .operands
                .iter()
                .all(|operand| matches!(operand, Operand::Symbol(_)))
        {
            self.deviate(operands_begin, DeviationKind::UnquotedString);
            let words: Vec<_> = operation.operands.iter().map(Operand::text).collect();
            operation.operands = vec![Operand::String(words.join(" "))];
        }
        self.last_moves = entry
            .filter(|entry| entry.moves == Moves::Each)
            .map(|entry| entry.name);
        record.add(operation);
        Ok(true)
    }

    /// Reads an opcode, and an equals sign glued to it; `None` if there is no identifier.
    fn opcode(&mut self) -> Option<&'a str> {
        let begin = self.at;
        let word = self.word().text;
        let (text, key) = match word.split_once('=') {
            Some((text, value)) if !value.is_empty() => (text, true),
            _ => (word, false),
        };
        let identifier = text
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        if !identifier || !text.starts_with(|first: char| first.is_ascii_alphabetic()) {
            return None;
        }
        if key {
            self.at = begin + text.len();
        }
        Some(text)
    }

    /// Tells what is odd about an opcode, and skips an equals sign after it.
    fn check_opcode(&mut self, begin: usize, opcode: &str) {
        if opcode.len() < *OPCODE_LENGTHS.start() {
            self.deviate(begin, DeviationKind::ShortOpcode);
        } else if opcode.len() > *OPCODE_LENGTHS.end() {
            self.deviate(begin, DeviationKind::LongOpcode);
        }
        if self.peek() == Some(b'=') {
            self.deviate(self.at, DeviationKind::KeyValue);
            self.at += 1;
            self.after_key = true;
        }
    }

    /// Reads up to the next semicolon, or to the end, and skips the semicolon.
    fn statement(&mut self) -> &'a str {
        let rest = &self.line[self.at..];
        let len = rest.find(';').unwrap_or(rest.len());
        self.at += (len + 1).min(rest.len());
        rest[..len].trim_matches(is_space)
    }

    /// Adds what stands at `begin` to the moves of the operation before, if it is a move there and
    /// that takes moves (decision 118). Returns where it ends.
    fn split_moves(&mut self, record: &mut Record, begin: usize) -> Option<usize> {
        let opcode = self.last_moves?;
        let position = record.position().ok()?;
        let before = self.at;
        self.at = begin;
        let text = self.statement();
        let end = std::mem::replace(&mut self.at, before);
        let text: String = text.split_ascii_whitespace().collect();
        san::mend(&position, &text).ok()?;
        let mut operation = record.get(opcode)?.clone();
        operation.operands.push(Operand::Symbol(text));
        record.set(operation);
        Some(end)
    }

    /// Whether the next word begins another operation, though no semicolon ends this one: the
    /// operands of a move or string opcode never look like an opcode of the lexicon.
    fn runs_into_next(&mut self, operation: &Operation, entry: Option<&Opcode>) -> bool {
        let Some(entry) = entry.filter(|_| !operation.operands.is_empty()) else {
            return false;
        };
        let takes_moves = entry.moves != Moves::None;
        let takes_string = entry.arity == Arity::Exactly(&[Basetype::String]);
        if !takes_moves && !takes_string {
            return false;
        }
        let before = self.at;
        self.space();
        let begin = self.at;
        let word = self.word().text;
        self.at = before;
        let runs = if takes_moves {
            is_opcode_not_square(word)
        } else {
            Opcode::find(word).is_some()
        };
        if runs {
            self.deviate(begin, DeviationKind::RunTogether);
        }
        runs
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
                if std::mem::take(&mut self.after_key) && skipped == 0 {
                    return Ok(Some(if next == b'"' {
                        self.string()?
                    } else {
                        self.symbol()
                    }));
                }
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
mod tests;
