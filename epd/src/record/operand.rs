//! Operands: the values of an operation. Every operand prints as text that reads back as the same
//! operand.

use std::cmp::Ordering;
use std::fmt::{self, Write};
use std::ops::Deref;
use std::str::FromStr;

use smol_str::{SmolStr, StrExt as _};

use crate::chars::{ends_word, is_wide_space};

/// A text without blanks and semicolons that does not start with a quote, such as a move, a number or
/// an identifier.
///
/// ```
/// use epode_epd::Symbol;
///
/// let symbol: Symbol = "Qd1+".parse()?;
/// assert_eq!(&*symbol, "Qd1+");
/// assert!("a b".parse::<Symbol>().is_err() && "x;y".parse::<Symbol>().is_err());
/// # Ok::<(), epode_epd::SymbolError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Symbol(SmolStr);

/// The text cannot be written without quotes.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a symbol: expected text without blanks, semicolons and a quote at the start")]
pub struct SymbolError(SmolStr);

impl Symbol {
    /// Checks a text and makes a symbol of it.
    pub fn new(text: impl Into<SmolStr>) -> Result<Self, SymbolError> {
        let text = text.into();
        if !text.is_empty()
            && !text.starts_with('"')
            && !text.bytes().any(ends_word)
            && (text.is_ascii() || !text.contains(is_wide_space))
        {
            Ok(Self(text))
        } else {
            Err(SymbolError(text))
        }
    }

    /// A symbol from a word that the parser has read.
    pub(crate) fn of_word(word: impl Into<SmolStr>) -> Self {
        let word = word.into();
        debug_assert!(Self::new(word.clone()).is_ok(), "{word:?}");
        Self(word)
    }
}

impl Deref for Symbol {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl FromStr for Symbol {
    type Err = SymbolError;

    fn from_str(text: &str) -> Result<Self, SymbolError> {
        Self::new(text)
    }
}

impl fmt::Display for Symbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self)
    }
}

/// The text of a string, without the quotes around it. It has no quotes and no control characters;
/// characters beyond ASCII are kept as UTF-8.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Quoted(SmolStr);

impl Quoted {
    /// Makes a text fit for a string: a quote becomes an apostrophe, a control character a blank
    /// (decisions 106 and 107).
    pub fn new(text: impl Into<SmolStr>) -> Self {
        let text = text.into();
        let plain = |byte| matches!(byte, b' '..=b'~') && byte != b'"';
        if text.bytes().all(plain) {
            return Self(text);
        }
        let text = text.replace_smolstr("\"", "'");
        if !text.contains(char::is_control) {
            return Self(text);
        }
        let letters = text.chars();
        Self(
            letters
                .map(|letter| if letter.is_control() { ' ' } else { letter })
                .collect(),
        )
    }
}

impl From<&str> for Quoted {
    fn from(text: &str) -> Self {
        Self::new(text)
    }
}

/// Prints the text without quotes.
impl fmt::Display for Quoted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self)
    }
}

impl Deref for Quoted {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

/// A value of an operation (EPD 5.1), kept as text. Its meaning depends on the opcode.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Operand {
    /// Text without quotes.
    Symbol(Symbol),
    /// Text in quotes.
    String(Quoted),
}

/// Whether a text belongs to the move before it: a check sign, an annotation glyph or an equals sign.
pub(crate) fn is_sign(text: &str) -> bool {
    text.trim_matches(['+', '#', '!', '?', '=']).is_empty()
}

impl Operand {
    /// An operand with a text, in quotes only if it needs them.
    pub fn new(text: impl Into<SmolStr>) -> Self {
        match Symbol::new(text) {
            Ok(symbol) => Self::Symbol(symbol),
            Err(SymbolError(text)) => Self::string(text),
        }
    }

    /// An operand in quotes.
    pub fn string(text: impl Into<SmolStr>) -> Self {
        Self::String(Quoted::new(text))
    }

    /// Whether the operand is a sign without a move, or a promotion without a piece.
    pub(crate) fn is_part_of_move(&self) -> bool {
        matches!(self, Self::Symbol(text) if text.ends_with('=') || is_sign(text))
    }

    /// The text, without quotes.
    #[must_use]
    pub fn text(&self) -> &str {
        match self {
            Self::Symbol(text) => text,
            Self::String(text) => text,
        }
    }

    /// An operand with another text, in quotes if this one is.
    pub(crate) fn with_text(&self, text: impl Into<SmolStr>) -> Self {
        match self {
            Self::Symbol(_) => Self::new(text),
            Self::String(_) => Self::string(text),
        }
    }

    pub(crate) fn print(&self, out: &mut impl Write) -> fmt::Result {
        match self {
            Self::Symbol(text) => out.write_str(text),
            Self::String(text) => {
                out.write_str("\"")?;
                out.write_str(text)?;
                out.write_str("\"")
            }
        }
    }

    /// Compares two operands by their written form, byte by byte (decision 111).
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

/// Prints the operand as in a record, a string with its quotes.
impl fmt::Display for Operand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.print(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::reader::read;

    #[test]
    fn every_text_is_printed_as_one_operand() {
        for (text, printed) in [
            ("e4", "e4"),
            ("a b", "\"a b\""),
            ("x;y", "\"x;y\""),
            ("", "\"\""),
            ("\"q\"", "\"'q'\""),
            ("a\"b", "a\"b"),
            ("a\nb\0", "\"a b \""),
            ("caf\u{e9}\u{85}", "caf\u{e9}\u{85}"),
            ("caf\u{e9} \u{85}", "\"caf\u{e9}  \""),
            ("a\u{a0}b", "\"a\u{a0}b\""),
        ] {
            assert_eq!(Operand::new(text).to_string(), printed);
            let line = format!("8/8/8/8/8/k7/8/K7 w - - noop {printed};");
            let record = read(&line, &mut Vec::new()).expect(&line);
            let operands = &record.get("noop").expect("there").operands;
            assert_eq!(operands[..], [Operand::new(text)], "{line}");
        }
    }
}
