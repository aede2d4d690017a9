//! The opcodes that a program knows: those of the standard and its own.

use std::fmt::Write;

use super::value::Basetype;

/// How many operands an opcode takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arity {
    /// Exactly these.
    Exactly(&'static [Basetype]),
    /// One or none.
    Optional(Basetype),
    /// Any number, none included.
    Many(Basetype),
    /// Any number of pairs.
    Pairs(Basetype, Basetype),
}

/// What the order of the operands means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Nothing: normal form sorts them (decision 110).
    Free,
    /// Something: they stay as they are.
    Kept,
}

/// Where the moves among the operands are played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moves {
    /// There are none.
    None,
    /// Each in the position of the record.
    Each,
    /// The first in the position of the record, each of the others after the one before it.
    Line,
}

/// An opcode and what is known of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LexiconEntry {
    /// The mnemonic; `c#` and the like stand for the ten opcodes with a digit, `D#` for those with
    /// a number.
    pub name: &'static str,
    /// How many operands, and of what kind.
    pub arity: Arity,
    /// Whether their order matters.
    pub order: Order,
    /// Where moves are played.
    pub moves: Moves,
    /// What the operation says.
    pub meaning: &'static str,
    /// Where that is laid down.
    pub source: &'static str,
}

const COUNT: Basetype = Basetype::Integer(0, u64::MAX);
const POSITIVE: Basetype = Basetype::Integer(1, u32::MAX as u64);
const REFEREE_COMMANDS: &[&str] = &[
    "conclude",
    "disconnect",
    "execute",
    "fault",
    "inform",
    "reset",
    "respond",
];
const REFEREE_REQUESTS: &[&str] = &["fault", "reply", "sign_off", "sign_on"];

const fn plain(
    name: &'static str,
    arity: Arity,
    source: &'static str,
    meaning: &'static str,
) -> LexiconEntry {
    moves(name, arity, Order::Kept, Moves::None, source, meaning)
}

const fn moves(
    name: &'static str,
    arity: Arity,
    order: Order,
    moves: Moves,
    source: &'static str,
    meaning: &'static str,
) -> LexiconEntry {
    LexiconEntry {
        name,
        arity,
        order,
        moves,
        meaning,
        source,
    }
}

use Arity::{Exactly, Many, Optional, Pairs};
use Basetype::{
    Any, Clock, Date, Identifier, Integer, MillisecondClock, Move, PawnScore, String as Text,
    TimeOfDay,
};

/// Every opcode, in ASCII order.
#[rustfmt::skip]
pub const LEXICON: &[LexiconEntry] = &[
    plain("D#", Exactly(&[COUNT]), "perft suites", "leaves of the move tree so many plies down"),
    plain("acd", Exactly(&[COUNT]), "EPD Kit 1996; decision 138", "analysis count: depth in plies"),
    plain("acn", Exactly(&[COUNT]), "EPD 6.1; decision 90", "analysis count: nodes"),
    plain("acs", Exactly(&[COUNT]), "EPD 6.2; decision 89", "analysis count: seconds"),
    moves("am", Many(Move), Order::Free, Moves::Each, "EPD 6.3", "avoid moves"),
    moves("bm", Many(Move), Order::Free, Moves::Each, "EPD 6.4", "best moves"),
    plain("c#", Optional(Text), "EPD 6.5", "comment of ten ranks"),
    plain("cc", Exactly(&[Clock, Clock]), "EPD 6.6; decision 83", "time consumed by White and by Black"),
    plain("ce", Exactly(&[Integer(-32768, 32766)]), "EPD 6.7; decisions 124, 125", "centipawn evaluation for the side to move; 32767 less the plies to a mate"),
    plain("ctcc", Exactly(&[MillisecondClock, MillisecondClock]), "later lexicon; decision 88", "chess clocks of White and Black"),
    plain("cte", Exactly(&[MillisecondClock]), "later lexicon", "time elapsed"),
    plain("ctu", Exactly(&[MillisecondClock]), "later lexicon", "processor time used"),
    plain("dm", Exactly(&[Integer(1, 1023)]), "EPD 6.8; decision 127", "direct mate in so many moves"),
    plain("draw_accept", Exactly(&[]), "EPD 6.9", "the draw offer is accepted"),
    plain("draw_claim", Exactly(&[]), "EPD 6.10; decision 74", "a draw is claimed"),
    plain("draw_offer", Exactly(&[]), "EPD 6.11", "a draw is offered with the move supplied"),
    plain("draw_reject", Exactly(&[]), "EPD 6.12; decision 67", "the draw offer is rejected"),
    plain("eco", Optional(Text), "EPD 6.13", "opening in the Encyclopedia of Chess Openings"),
    plain("fmvn", Exactly(&[POSITIVE]), "EPD 6.14", "fullmove number"),
    plain("hmvc", Exactly(&[Integer(0, u32::MAX as u64)]), "EPD 6.15; decision 50", "halfmove clock: plies since a capture or pawn move"),
    plain("id", Exactly(&[Text]), "EPD 6.16", "label of the position"),
    plain("nic", Optional(Text), "EPD 6.17", "opening in New In Chess"),
    plain("noop", Many(Any), "EPD 6.18", "nothing"),
    plain("pes", Exactly(&[PawnScore]), "later lexicon", "evaluation in pawns for the side to move"),
    moves("pm", Exactly(&[Move]), Order::Kept, Moves::Each, "EPD 6.19", "predicted move"),
    plain("ptp", Pairs(Identifier(&[]), Text), "EPD 6.20; decisions 34, 36", "tag pairs of PGN"),
    moves("pv", Many(Move), Order::Kept, Moves::Line, "EPD 6.21", "predicted variation"),
    plain("rc", Exactly(&[POSITIVE]), "EPD 6.22", "repetition count of the position"),
    plain("refcom", Exactly(&[Identifier(REFEREE_COMMANDS)]), "EPD 6.23 and 8.1", "command of the referee"),
    plain("refreq", Exactly(&[Identifier(REFEREE_REQUESTS)]), "EPD 6.24 and 8.2", "request to the referee"),
    plain("resign", Exactly(&[]), "EPD 6.25", "the side to move resigns"),
    moves("sm", Exactly(&[Move]), Order::Kept, Moves::Each, "EPD 6.26", "supplied move: the one played"),
    moves("sv", Many(Move), Order::Kept, Moves::Line, "EPD 6.27", "supplied variation"),
    plain("tcgs", Exactly(&[POSITIVE]), "EPD 6.28", "game selector of a correspondence"),
    plain("tcri", Exactly(&[Text, Text]), "EPD 6.29", "receiver: address and name"),
    plain("tcsi", Exactly(&[Text, Text]), "EPD 6.30; decision 15", "sender: address and name"),
    plain("ts", Exactly(&[Date, TimeOfDay]), "EPD 6.31; decisions 101, 102", "time of the last change, UTC"),
    plain("v#", Optional(Text), "EPD 6.32", "variation name of ten ranks"),
];

/// Where the opcodes that begin with a letter begin in the lexicon, for each letter from `a` and the
/// one after `z`.
const BEGINS: [u8; 27] = {
    let mut begins = [0; 27];
    let mut letter = 0;
    while letter < begins.len() {
        let mut n = 0;
        while n < LEXICON.len() && LEXICON[n].name.as_bytes()[0] < b'a' + letter as u8 {
            n += 1;
        }
        begins[letter] = n as u8;
        letter += 1;
    }
    begins
};

impl LexiconEntry {
    /// The entry of an opcode, if it has a meaning.
    #[must_use]
    pub fn find(mnemonic: &str) -> Option<&'static Self> {
        let bytes = mnemonic.as_bytes();
        let pattern = match bytes {
            [b'c', b'0'..=b'9'] => "c#",
            [b'v', b'0'..=b'9'] => "v#",
            [b'D', b'0'..=b'9', rest @ ..] if rest.iter().all(u8::is_ascii_digit) => "D#",
            // The pattern itself is no opcode.
            [.., b'#'] => return None,
            _ => mnemonic,
        };
        let letter = match pattern.bytes().next()? {
            b'D' => return (pattern == "D#").then_some(&LEXICON[0]),
            letter @ b'a'..=b'z' => usize::from(letter - b'a'),
            _ => return None,
        };
        let entries = &LEXICON[BEGINS[letter].into()..BEGINS[letter + 1].into()];
        // The last letter sets most of them apart, for less than a call that compares memory.
        let mut entries = entries.iter();
        let last = pattern.as_bytes().last();
        entries.find(|entry| entry.name.as_bytes().last() == last && entry.name == pattern)
    }
}

/// The lexicon as a table in Markdown.
#[must_use]
pub fn documentation() -> String {
    let mut text = String::from("| opcode | operands | meaning | source |\n|---|---|---|---|\n");
    for opcode in LEXICON {
        let (name, meaning, source) = (opcode.name, opcode.meaning, opcode.source);
        let operands = opcode.arity.describe();
        let order = if opcode.order == Order::Free {
            ", sorted"
        } else {
            ""
        };
        let _ = writeln!(
            text,
            "| `{name}` | {operands}{order} | {meaning} | {source} |"
        );
    }
    text
}

impl Arity {
    /// What the n-th operand is, from 0; none where there should be none.
    #[must_use]
    pub fn basetype(&self, n: usize) -> Option<&Basetype> {
        match self {
            Self::Exactly(types) => types.get(n),
            Self::Optional(basetype) => (n == 0).then_some(basetype),
            Self::Many(basetype) => Some(basetype),
            Self::Pairs(first, second) => Some([first, second][n % 2]),
        }
    }

    /// What operands are expected, in words.
    #[must_use]
    pub fn describe(&self) -> String {
        match self {
            Self::Exactly([]) => "none".to_owned(),
            Self::Exactly(types) => types
                .iter()
                .map(Basetype::describe)
                .collect::<Vec<_>>()
                .join(", "),
            Self::Optional(basetype) => format!("{} or none", basetype.describe()),
            Self::Many(basetype) => format!("any number: {}", basetype.describe()),
            Self::Pairs(first, second) => {
                format!(
                    "any number of pairs: {}, {}",
                    first.describe(),
                    second.describe()
                )
            }
        }
    }
}

/// The opcodes that have a meaning: [those of the standard](crate::opcode::LEXICON) and any private
/// ones, which begin with a capital letter (EPD 5.3).
///
/// ```
/// use epode_epd::opcode::{Arity, Basetype, Moves, Order};
/// use epode_epd::{Lexicon, LexiconEntry, Reader, Lint};
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
/// assert_eq!(epode_epd::check(&record, &lexicon)[0].lint, Lint::OperandType);
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

    /// The page is what [`documentation`] prints: `EPODE_BLESS=1 cargo test -p epode-epd` writes
    /// it anew.
    #[test]
    fn the_page_is_the_lexicon() {
        let page = concat!(env!("CARGO_MANIFEST_DIR"), "/LEXICON.md");
        if std::env::var_os("EPODE_BLESS").is_some() {
            std::fs::write(page, documentation()).expect("written");
        }
        assert_eq!(
            std::fs::read_to_string(page).expect("a page"),
            documentation()
        );
    }

    #[test]
    fn the_lexicon_is_in_ascii_order() {
        assert!(LEXICON.windows(2).all(|pair| pair[0].name < pair[1].name));
    }

    #[test]
    fn every_opcode_of_the_standard_is_found() {
        let standard = "acn acs am bm c0 c1 c2 c3 c4 c5 c6 c7 c8 c9 cc ce dm draw_accept draw_claim \
                        draw_offer draw_reject eco fmvn hmvc id nic noop pm ptp pv rc refcom refreq \
                        resign sm sv tcgs tcri tcsi ts v0 v1 v2 v3 v4 v5 v6 v7 v8 v9";
        let later = "acd cte ctu ctcc pes D1 D12";
        for mnemonic in standard.split_whitespace().chain(later.split(' ')) {
            assert!(LexiconEntry::find(mnemonic).is_some(), "{mnemonic}");
        }
        for mnemonic in [
            "",
            "c",
            "c#",
            "c10",
            "D",
            "D#",
            "Dx",
            "bM",
            "wdl",
            "v",
            "draw_decline",
        ] {
            assert!(LexiconEntry::find(mnemonic).is_none(), "{mnemonic}");
        }
    }

    /// EPD 5.3: common mnemonics are lower case and have two letters or more.
    #[test]
    fn names_are_as_the_standard_asks() {
        for opcode in LEXICON.iter().filter(|opcode| opcode.name != "D#") {
            let letters = |byte: u8| byte.is_ascii_lowercase() || byte == b'_' || byte == b'#';
            assert!((2..=15).contains(&opcode.name.len()) && opcode.name.bytes().all(letters));
        }
    }
}
