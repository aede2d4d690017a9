//! The lexicon: every opcode that has a meaning, said once.
//!
//! The checker, the normaliser and the documentation all read [`LEXICON`]. Opcodes that are not in
//! it are kept as they are and mean nothing here (EPD 5.3).
//!
//! ```
//! use epode_epd::opcode::LexiconEntry;
//!
//! let entry = LexiconEntry::find("c3").unwrap();
//! assert_eq!((entry.name, entry.meaning), ("c#", "comment of ten ranks"));
//! assert_eq!(entry.arity.describe(), "a string in quotes or none");
//! assert!(LexiconEntry::find("Elo").is_none());
//! ```
//!
//! # The lexicon
//!
#![doc = include_str!("../../LEXICON.md")]

pub(crate) mod lexicon;
pub mod time;
pub mod value;

pub use lexicon::{Arity, LEXICON, LexiconEntry, Moves, Order, documentation};
pub use value::Basetype;

use std::fmt;
use std::ops::Deref;
use std::str::FromStr;

use smol_str::SmolStr;

/// The mnemonic of an operation: a letter, then letters, digits and underscores (EPD 5.1). It has a
/// meaning if a [lexicon](crate::Lexicon) has an entry for it.
///
/// ```
/// use epode_epd::Opcode;
///
/// let opcode: Opcode = "Src".parse()?;
/// assert!(opcode == "Src");
/// assert!("x;y".parse::<Opcode>().is_err());
/// # Ok::<(), epode_epd::NotAnOpcode>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Opcode(SmolStr);

/// A text is no opcode.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no opcode: a letter, then letters, digits and underscores")]
pub struct NotAnOpcode(SmolStr);

impl Opcode {
    /// The opcode of a text.
    pub fn new(text: impl Into<SmolStr>) -> Result<Self, NotAnOpcode> {
        let text = text.into();
        let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
        if text.starts_with(|first: char| first.is_ascii_alphabetic())
            && text.bytes().all(is_letter)
        {
            Ok(Self(text))
        } else {
            Err(NotAnOpcode(text))
        }
    }

    /// The opcode of a text that has been checked.
    pub(crate) fn of_word(word: &str) -> Self {
        debug_assert!(Self::new(word).is_ok(), "{word:?}");
        Self(word.into())
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Deref for Opcode {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl FromStr for Opcode {
    type Err = NotAnOpcode;

    fn from_str(text: &str) -> Result<Self, NotAnOpcode> {
        Self::new(text)
    }
}

impl PartialEq<str> for Opcode {
    fn eq(&self, other: &str) -> bool {
        self.0 == other
    }
}

impl PartialEq<&str> for Opcode {
    fn eq(&self, other: &&str) -> bool {
        self.0 == *other
    }
}

impl fmt::Display for Opcode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self)
    }
}
