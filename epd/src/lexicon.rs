//! The opcodes that a program knows: those of the standard and its own.

use crate::opcode::{Basetype, LexiconEntry};

/// The opcodes that have a meaning: [those of the standard](crate::opcode::LEXICON) and any private
/// ones, which begin with a capital letter (EPD 5.3).
///
/// ```
/// use epode_epd::opcode::{Arity, Basetype, Moves, Order};
/// use epode_epd::{Lexicon, LexiconEntry, Reader, Rule};
///
/// let mut lexicon = Lexicon::standard();
/// lexicon.add(LexiconEntry {
///     name: "Elo",
///     arity: Arity::Exactly(&[Basetype::Integer(0, 4000)]),
///     order: Order::Kept,
///     moves: Moves::None,
///     meaning: "rating of who solved it",
///     source: "ours",
/// })?;
/// let reader = Reader::lenient().with_lexicon(&lexicon);
/// let record = reader.read("8/8/8/8/8/k7/8/K7 w - - Elo 9999;", &mut Vec::new())?;
/// assert_eq!(epode_epd::check(&record, &lexicon)[0].rule, Rule::OperandType);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Lexicon {
    private: Vec<LexiconEntry>,
}

/// An opcode cannot be added to a lexicon.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)]
pub enum LexiconError {
    #[error(
        "{0:?} is no private opcode: a capital letter, then 1 to 14 letters, digits and underscores"
    )]
    Name(&'static str),
    #[error("{0} has a meaning already")]
    Taken(&'static str),
}

impl Lexicon {
    /// The opcodes of the standard, of its author's later lexicon and of what circulates.
    #[must_use]
    pub const fn standard() -> Self {
        Self {
            private: Vec::new(),
        }
    }

    /// Adds a private opcode.
    pub fn add(&mut self, opcode: LexiconEntry) -> Result<(), LexiconError> {
        let name = opcode.name;
        let capital = name.starts_with(|first: char| first.is_ascii_uppercase());
        if !capital || name.len() < 2 || !Basetype::is_identifier(name) {
            return Err(LexiconError::Name(name));
        }
        if self.find(name).is_some() {
            return Err(LexiconError::Taken(name));
        }
        self.private.push(opcode);
        Ok(())
    }

    /// The entry of an opcode, if it has a meaning.
    #[must_use]
    pub fn find(&self, mnemonic: &str) -> Option<&LexiconEntry> {
        LexiconEntry::find(mnemonic).or_else(|| {
            let mut private = self.private.iter();
            private.find(|opcode| opcode.name == mnemonic)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::opcode::{Arity, Moves, Order};

    #[test]
    fn private_opcodes_have_names_of_their_own() {
        let opcode = |name| LexiconEntry {
            name,
            arity: Arity::Optional(Basetype::String),
            order: Order::Kept,
            moves: Moves::None,
            meaning: "",
            source: "",
        };
        let mut lexicon = Lexicon::standard();
        assert_eq!(lexicon.add(opcode("Zz")), Ok(()));
        assert!(lexicon.find("Zz").is_some() && lexicon.find("bm").is_some());
        assert_eq!(lexicon.add(opcode("Zz")), Err(LexiconError::Taken("Zz")));
        // Perft counts have a meaning, though they look private.
        assert_eq!(lexicon.add(opcode("D7")), Err(LexiconError::Taken("D7")));
        for name in ["", "Z", "zz", "Sixteen_letters_", "Z z", "Z\"", "_Z"] {
            assert_eq!(lexicon.add(opcode(name)), Err(LexiconError::Name(name)));
        }
    }
}
