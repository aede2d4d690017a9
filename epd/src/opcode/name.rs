//! [`Opcode`]: the name of an operation, which the standard calls its mnemonic.

use std::fmt;
use std::ops::Deref;
use std::str::FromStr;

use smol_str::{SmolStr, format_smolstr};

/// The name (mnemonic) of an operation: a letter, then letters, digits and underscores (EPD 5.1). It has a
/// meaning if a [lexicon](crate::Lexicon) has an entry for it.
///
/// ```
/// use epode_epd::Opcode;
///
/// let opcode: Opcode = "Src".parse()?;
/// assert!(opcode == "Src");
/// assert!("x;y".parse::<Opcode>().is_err());
/// # Ok::<(), epode_epd::OpcodeError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Opcode(SmolStr);

/// The text is not an opcode.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not an opcode: expected a letter, then letters, digits and underscores")]
pub struct OpcodeError(SmolStr);

impl Opcode {
    /// Checks a text and makes an opcode of it.
    pub fn new(text: impl Into<SmolStr>) -> Result<Self, OpcodeError> {
        let text = text.into();
        let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
        if text.starts_with(|first: char| first.is_ascii_alphabetic())
            && text.bytes().all(is_letter)
        {
            Ok(Self(text))
        } else {
            Err(OpcodeError(text))
        }
    }

    /// An opcode from text that has been checked.
    pub(crate) fn of_word(word: &str) -> Self {
        debug_assert!(Self::new(word).is_ok(), "{word:?}");
        Self(word.into())
    }

    /// The opcode of one of the ten registers of a family: `c0` to `c9`, `v0` to `v9`.
    ///
    /// # Panics
    /// If the register is above 9.
    pub(crate) fn of_register(family: char, register: u8) -> Self {
        assert!(register < 10, "registers are numbered 0 to 9");
        Self::of_word(&format_smolstr!("{family}{register}"))
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
    type Err = OpcodeError;

    fn from_str(text: &str) -> Result<Self, OpcodeError> {
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
