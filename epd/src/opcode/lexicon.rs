//! [`Lexicon`]: the standard opcodes of `table.rs` together with a program's private ones.

use super::basetype::Basetype;
use super::entry::LexiconEntry;

/// The opcodes that have a meaning: [the standard ones](crate::opcode::LEXICON) and private ones,
/// which begin with a capital letter (EPD 5.3).
///
/// ```
/// use epode_epd::opcode::{Arity, Basetype};
/// use epode_epd::{Lexicon, LexiconEntry, Lint, Reader, check};
///
/// let mut lexicon = Lexicon::standard();
/// let rating = Arity::Exactly(&[Basetype::Integer(0, 4000)]);
/// lexicon.add(LexiconEntry::new("Elo", rating, "ours", "rating of the solver"))?;
/// let reader = Reader::lenient().with_lexicon(&lexicon);
/// let record = reader.read("8/8/8/8/8/k7/8/K7 w - - Elo 9999;", &mut Vec::new())?;
/// assert_eq!(check(&record, &lexicon)[0].lint, Lint::OperandType);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Lexicon {
    private: Vec<LexiconEntry>,
}

/// An opcode cannot be added to a lexicon.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LexiconError {
    /// The name is not that of a private opcode.
    #[error(
        "{0:?} is not a private opcode: expected a capital letter, then 1 to 14 letters, digits \
         and underscores"
    )]
    Name(&'static str),
    /// The lexicon has an entry for this opcode.
    #[error("{0} already has a meaning")]
    Taken(&'static str),
}

impl Lexicon {
    /// A lexicon with the opcodes of the standard, of its author's later lexicon and of perft
    /// suites: [`LEXICON`](crate::opcode::LEXICON).
    #[must_use]
    pub const fn standard() -> Self {
        Self {
            private: Vec::new(),
        }
    }

    /// Adds a private opcode.
    pub fn add(&mut self, entry: LexiconEntry) -> Result<(), LexiconError> {
        let name = entry.name;
        let capital = name.starts_with(|first: char| first.is_ascii_uppercase());
        if !capital || name.len() < 2 || !Basetype::is_identifier(name) {
            return Err(LexiconError::Name(name));
        }
        if self.find(name).is_some() {
            return Err(LexiconError::Taken(name));
        }
        self.private.push(entry);
        Ok(())
    }

    /// The entry for an opcode, or `None` if it has no meaning.
    #[must_use]
    pub fn find(&self, mnemonic: &str) -> Option<&LexiconEntry> {
        LexiconEntry::find(mnemonic).or_else(|| {
            let mut private = self.private.iter();
            private.find(|entry| entry.name == mnemonic)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::opcode::entry::Arity;

    #[test]
    fn private_opcodes_need_new_names() {
        let entry =
            |name| LexiconEntry::new(name, Arity::Optional(Basetype::String), "source", "meaning");
        let mut lexicon = Lexicon::standard();
        assert_eq!(lexicon.add(entry("Zz")), Ok(()));
        assert!(lexicon.find("Zz").is_some() && lexicon.find("bm").is_some());
        assert_eq!(lexicon.add(entry("Zz")), Err(LexiconError::Taken("Zz")));
        // Perft counts have a meaning, though they look private.
        assert_eq!(lexicon.add(entry("D7")), Err(LexiconError::Taken("D7")));
        for name in ["", "Z", "zz", "Sixteen_letters_", "Z z", "Z\"", "_Z"] {
            assert_eq!(lexicon.add(entry(name)), Err(LexiconError::Name(name)));
        }
    }
}
