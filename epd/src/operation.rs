//! Operations: an opcode and its operands.

use std::cmp::Ordering;
use std::fmt::{self, Write};
use std::str::FromStr;

use movegen::san::{self, SanError};
use movegen::{Move, Position, San};
use smallvec::SmallVec;
use smol_str::{SmolStr, format_smolstr};

/// A value of an operation (EPD 5.1). What it means depends on the opcode; here it is text.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Operand {
    /// Printing characters without blanks: a move, a number, an identifier.
    Symbol(SmolStr),
    /// Any printing characters, in quotes. The quotes are not part of the text.
    String(SmolStr),
}

/// Whether a text can only be a part of the move before it.
pub(crate) fn is_sign(text: &str) -> bool {
    text.trim_matches(['+', '#', '!', '?', '=']).is_empty()
}

impl Operand {
    /// Whether the operand is a sign alone, or a promotion without its piece.
    pub(crate) fn is_part_of_move(&self) -> bool {
        matches!(self, Self::Symbol(text) if text.ends_with('=') || is_sign(text))
    }

    /// What the operand says, without quotes.
    #[must_use]
    pub fn text(&self) -> &str {
        match self {
            Self::Symbol(text) | Self::String(text) => text,
        }
    }

    pub(crate) fn print(&self, out: &mut impl Write) -> fmt::Result {
        let text = match self {
            Self::Symbol(text) => return out.write_str(text),
            Self::String(text) => text,
        };
        out.write_str("\"")?;
        let plain = |byte| matches!(byte, b' '..=b'~') && byte != b'"';
        if text.bytes().all(plain) {
            out.write_str(text)?;
        } else {
            for letter in text.chars() {
                out.write_char(match letter {
                    '"' => '\'',
                    letter if letter.is_control() => ' ',
                    letter => letter,
                })?;
            }
        }
        out.write_str("\"")
    }

    /// The order of two operands by their bytes as written (decision 111).
    #[must_use]
    pub fn cmp_as_written(&self, other: &Self) -> Ordering {
        fn written(operand: &Operand) -> impl Iterator<Item = u8> + '_ {
            let quote = matches!(operand, Operand::String(_)).then_some(b'"');
            let text = operand.text().bytes();
            quote.into_iter().chain(text).chain(quote)
        }
        written(self).cmp(written(other))
    }
}

/// Prints the operand as it stands in a record. A quote, which no string can hold, becomes an
/// apostrophe, and a control character a blank (decisions 106 and 107).
impl fmt::Display for Operand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.print(f)
    }
}

/// An opcode with its operands (EPD 5).
///
/// ```
/// use epode_epd::Operation;
///
/// let operation = Operation::new("Src").string("a book").symbol(12);
/// assert_eq!(operation.to_string(), "Src \"a book\" 12;");
/// assert_eq!(Operation::new("acn").symbol(u64::MAX).count(), Ok(u64::MAX));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Operation {
    /// The mnemonic: a letter, then letters, digits and underscores.
    pub opcode: SmolStr,
    /// The operands in the order of the record; one, which is what most have, needs no memory of
    /// its own.
    pub operands: SmallVec<[Operand; 1]>,
}

/// The operands of an operation are not what its opcode asks for.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)]
pub enum OperandError {
    #[error("{opcode}: {found} operands, expected {expected}")]
    Count {
        opcode: SmolStr,
        found: usize,
        expected: &'static str,
    },
    #[error("{opcode}: {text:?} is not {expected}")]
    Value {
        opcode: SmolStr,
        text: SmolStr,
        expected: &'static str,
    },
    #[error("{opcode}: {text:?}: {error}")]
    Move {
        opcode: SmolStr,
        text: SmolStr,
        error: SanError,
    },
}

impl Operation {
    /// An operation without operands.
    #[must_use]
    pub fn new(opcode: &str) -> Self {
        Self {
            opcode: opcode.into(),
            operands: SmallVec::new(),
        }
    }

    /// The operation with one more operand that needs no quotes: what is printed must be printing
    /// characters without blanks.
    #[must_use]
    pub fn symbol(mut self, value: impl fmt::Display) -> Self {
        self.operands
            .push(Operand::Symbol(format_smolstr!("{value}")));
        self
    }

    /// The operation with one more operand in quotes.
    #[must_use]
    pub fn string(mut self, text: &str) -> Self {
        self.operands.push(Operand::String(text.into()));
        self
    }

    /// The operation with a line of play as operands, the first move played from `position`.
    ///
    /// # Panics
    /// When a move is not legal where it is played.
    #[must_use]
    pub fn line(mut self, position: &Position, moves: &[Move]) -> Self {
        let mut position = *position;
        for &mv in moves {
            self = self.symbol(San::of(&position, mv));
            position.play(mv);
        }
        self
    }

    pub(crate) fn print(&self, out: &mut impl Write) -> fmt::Result {
        out.write_str(&self.opcode)?;
        for operand in &self.operands {
            out.write_str(" ")?;
            operand.print(out)?;
        }
        out.write_str(";")
    }

    /// The one operand that the operation must have.
    pub fn single(&self) -> Result<&Operand, OperandError> {
        match &self.operands[..] {
            [operand] => Ok(operand),
            operands => Err(OperandError::Count {
                opcode: self.opcode.clone(),
                found: operands.len(),
                expected: "one",
            }),
        }
    }

    /// The one operand as a value of its text: a number, a date, a clock.
    pub fn value<T: FromStr>(&self, expected: &'static str) -> Result<T, OperandError> {
        self.read(self.single()?.text(), expected)
    }

    /// Both operands as values of their texts.
    pub fn values<T: FromStr, U: FromStr>(
        &self,
        expected: &'static str,
    ) -> Result<(T, U), OperandError> {
        let [one, other] = &self.operands[..] else {
            return Err(OperandError::Count {
                opcode: self.opcode.clone(),
                found: self.operands.len(),
                expected: "two",
            });
        };
        Ok((
            self.read(one.text(), expected)?,
            self.read(other.text(), expected)?,
        ))
    }

    fn read<T: FromStr>(&self, text: &str, expected: &'static str) -> Result<T, OperandError> {
        text.parse().map_err(|_| OperandError::Value {
            opcode: self.opcode.clone(),
            text: text.into(),
            expected,
        })
    }

    /// The one operand as a non-negative integer; more than 32 bits are read (decision 90).
    pub fn count(&self) -> Result<u64, OperandError> {
        let text = self.single()?.text();
        match crate::value::integer(text).map(u64::try_from) {
            Some(Ok(count)) if !text.starts_with('-') => Ok(count),
            _ => Err(OperandError::Value {
                opcode: self.opcode.clone(),
                text: text.into(),
                expected: "a non-negative integer",
            }),
        }
    }

    /// The operands as moves that are all playable from `position` (`bm`, `am`, `pm`, `sm`), read
    /// as [`san::mend`] does.
    pub fn moves(&self, position: &Position) -> Result<Vec<Move>, OperandError> {
        self.operands
            .iter()
            .map(|operand| self.mv(position, operand.text()))
            .collect()
    }

    /// The operands as moves played one after the other (`pv`, `sv`).
    pub fn variation(&self, position: &Position) -> Result<Vec<Move>, OperandError> {
        let mut position = *position;
        self.operands
            .iter()
            .map(|operand| {
                let mv = self.mv(&position, operand.text())?;
                position.play_unchecked(mv);
                Ok(mv)
            })
            .collect()
    }

    fn mv(&self, position: &Position, text: &str) -> Result<Move, OperandError> {
        san::mend(position, text)
            .map(|(mv, _)| mv)
            .map_err(|error| OperandError::Move {
                opcode: self.opcode.clone(),
                text: text.into(),
                error,
            })
    }
}

/// Prints the operation with the semicolon that ends it.
impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.print(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Record;

    #[test]
    fn errors_tell_opcode_and_text() {
        let line = "8/8/8/8/8/k7/8/K7 w - - acn -1; bm Kc1; dm 1 2; pv Kb1 Kb1;";
        let record: Record = line.parse().expect("readable");
        let position = record.position().expect("legal");
        let get = |opcode| record.get(opcode).expect("there");
        for (error, text) in [
            (
                get("acn").count().expect_err("negative"),
                "acn: \"-1\" is not a non-negative integer",
            ),
            (
                get("dm").count().expect_err("two"),
                "dm: 2 operands, expected one",
            ),
            (
                get("bm").moves(&position).expect_err("far"),
                "bm: \"Kc1\": not a legal move here",
            ),
            (
                get("pv").variation(&position).expect_err("again"),
                "pv: \"Kb1\": not a legal move here",
            ),
        ] {
            assert_eq!(error.to_string(), text);
        }
    }

    /// Decision 90: counts of more than 32 bits.
    #[test]
    fn counts_are_wide() {
        let operation = Operation::new("acn").symbol(u64::MAX);
        assert_eq!(operation.count(), Ok(u64::MAX));
        assert_eq!(Operation::new("acs").symbol("+5").count(), Ok(5));
    }
}
