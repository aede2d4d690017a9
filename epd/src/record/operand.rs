//! Operands: what follows an opcode. Every value of these types can be printed as it is and read
//! back as the same.

use std::cmp::Ordering;
use std::fmt::{self, Write};
use std::ops::Deref;

use smol_str::{SmolStr, StrExt as _};

use crate::chars::ends_word;

/// Characters without blanks and semicolons, and no quote in front: a move, a number, an
/// identifier.
///
/// ```
/// use epode_epd::Symbol;
///
/// assert_eq!(&*Symbol::new("Qd1+").unwrap(), "Qd1+");
/// assert!(Symbol::new("a b").is_none() && Symbol::new("x;y").is_none());
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Symbol(SmolStr);

impl Symbol {
    /// The symbol of a text; `None` if the text cannot stand without quotes.
    pub fn new(text: impl Into<SmolStr>) -> Option<Self> {
        let text = text.into();
        let is_word = !text.is_empty() && !text.starts_with('"') && !text.bytes().any(ends_word);
        is_word.then_some(Self(text))
    }

    /// The symbol of a word that was read up to the blank or semicolon that ends it.
    pub(crate) fn of_word(word: impl Into<SmolStr>) -> Self {
        let word = word.into();
        debug_assert!(Self::new(word.clone()).is_some(), "{word:?}");
        Self(word)
    }
}

impl Deref for Symbol {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

/// Any characters but quotes and control characters. The quotes around them in a record are no
/// part of the text. Characters beyond ASCII are kept as UTF-8.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Quoted(SmolStr);

impl Quoted {
    /// The text as a string can hold it: a quote becomes an apostrophe and a control character a
    /// blank (decisions 106 and 107).
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

impl Deref for Quoted {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

/// A value of an operation (EPD 5.1). What it means depends on the opcode; here it is text.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Operand {
    /// Text without quotes.
    Symbol(Symbol),
    /// Text in quotes.
    String(Quoted),
}

/// Whether a text can only be a part of the move before it.
pub(crate) fn is_sign(text: &str) -> bool {
    text.trim_matches(['+', '#', '!', '?', '=']).is_empty()
}

impl Operand {
    /// The operand of a text: without quotes where it can stand so, else in quotes.
    pub fn new(text: impl Into<SmolStr>) -> Self {
        let text = text.into();
        match Symbol::new(text.clone()) {
            Some(symbol) => Self::Symbol(symbol),
            None => Self::string(text),
        }
    }

    /// The operand of a text in quotes.
    pub fn string(text: impl Into<SmolStr>) -> Self {
        Self::String(Quoted::new(text))
    }

    /// Whether the operand is a sign alone, or a promotion without its piece.
    pub(crate) fn is_part_of_move(&self) -> bool {
        matches!(self, Self::Symbol(text) if text.ends_with('=') || is_sign(text))
    }

    /// What the operand says, without quotes.
    #[must_use]
    pub fn text(&self) -> &str {
        match self {
            Self::Symbol(text) => text,
            Self::String(text) => text,
        }
    }

    /// An operand of another text, in quotes if this one is.
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

/// Prints the operand as it stands in a record.
impl fmt::Display for Operand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.print(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whatever text is given, what is printed is one operand.
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
        ] {
            assert_eq!(Operand::new(text).to_string(), printed);
            let line = format!("8/8/8/8/8/k7/8/K7 w - - noop {printed};");
            let record = crate::read(&line, &mut Vec::new()).expect(&line);
            let operands = &record.get("noop").expect("there").operands;
            assert_eq!(operands[..], [Operand::new(text)], "{line}");
        }
    }
}
