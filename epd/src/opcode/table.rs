//! The opcodes that every lexicon knows, with their operands and meanings.
//!
//! "How to add an opcode" in [the module above](super) lists the few other places that may need a
//! change.

use std::fmt::Write;

use strum::VariantNames as _;

use super::basetype::Basetype;
use super::entry::{Arity, LexiconEntry, Order};
use super::role::{CommandKind, PlayerActions, RequestKind, Role};

use Arity::{Exactly, Many, Optional, Pairs};
use Basetype::{
    Any, Clock, Date, Identifier, Integer, MillisecondClock, Move, PawnScore, String as Text,
    TimeOfDay,
};
use Role::{Action, Analysis, Message};

const COUNT: Basetype = Integer(0, u64::MAX);
const POSITIVE: Basetype = Integer(1, u32::MAX as u64);

const fn entry(
    name: &'static str,
    arity: Arity,
    source: &'static str,
    meaning: &'static str,
) -> LexiconEntry {
    LexiconEntry::new(name, arity, source, meaning)
}

/// Every opcode, in ASCII order.
#[rustfmt::skip]
pub const LEXICON: &[LexiconEntry] = &[
    entry("D#", Exactly(&[COUNT]), "perft suites", "number of leaves of the move tree at a depth"),
    entry("acd", Exactly(&[COUNT]), "EPD Kit 1996; decision 138", "analysis: depth in plies").role(Analysis),
    entry("acn", Exactly(&[COUNT]), "EPD 6.1; decision 90", "analysis: number of nodes").role(Analysis),
    entry("acs", Exactly(&[COUNT]), "EPD 6.2; decision 89", "analysis: time in seconds").role(Analysis),
    entry("am", Many(Move), "EPD 6.3", "moves to avoid").unordered(),
    entry("bm", Many(Move), "EPD 6.4", "best moves").unordered(),
    entry("c#", Optional(Text), "EPD 6.5", "comment, in one of ten registers"),
    entry("cc", Exactly(&[Clock, Clock]), "EPD 6.6; decision 83", "time used by White and by Black"),
    entry("ce", Exactly(&[Integer(-32768, 32766)]), "EPD 6.7; decisions 124, 125", "evaluation in centipawns for the side to move; a mate in n plies is 32767 - n").role(Analysis),
    entry("ctcc", Exactly(&[MillisecondClock, MillisecondClock]), "later lexicon; decision 88", "time used by White and by Black, in milliseconds"),
    entry("cte", Exactly(&[MillisecondClock]), "later lexicon", "analysis: elapsed time"),
    entry("ctu", Exactly(&[MillisecondClock]), "later lexicon", "analysis: processor time"),
    entry("dm", Exactly(&[Integer(1, 1023)]), "EPD 6.8; decision 127", "the side to move mates in this many moves"),
    entry("draw_accept", Exactly(&[]), "EPD 6.9", "accepts the draw offer").role(Action(PlayerActions::ACCEPT_DRAW)),
    entry("draw_claim", Exactly(&[]), "EPD 6.10; decision 74", "claims a draw").role(Action(PlayerActions::CLAIM_DRAW)),
    entry("draw_offer", Exactly(&[]), "EPD 6.11", "offers a draw with the supplied move").role(Action(PlayerActions::OFFER_DRAW)),
    entry("draw_reject", Exactly(&[]), "EPD 6.12; decision 67", "rejects the draw offer").role(Action(PlayerActions::REJECT_DRAW)),
    entry("eco", Optional(Text), "EPD 6.13", "opening code of the Encyclopedia of Chess Openings"),
    entry("fmvn", Exactly(&[POSITIVE]), "EPD 6.14", "fullmove number"),
    entry("hmvc", Exactly(&[Integer(0, u32::MAX as u64)]), "EPD 6.15; decision 50", "halfmove clock: plies since the last capture or pawn move"),
    entry("id", Exactly(&[Text]), "EPD 6.16", "name of the position"),
    entry("nic", Optional(Text), "EPD 6.17", "opening code of New In Chess"),
    entry("noop", Many(Any), "EPD 6.18", "no meaning"),
    entry("pes", Exactly(&[PawnScore]), "later lexicon", "evaluation in pawns for the side to move"),
    entry("pm", Exactly(&[Move]), "EPD 6.19", "predicted move").role(Analysis),
    entry("ptp", Pairs(Identifier(&[]), Text), "EPD 6.20; decisions 34, 36", "PGN tag pairs"),
    entry("pv", Many(Move), "EPD 6.21", "predicted variation").variation().role(Analysis),
    entry("rc", Exactly(&[POSITIVE]), "EPD 6.22", "how often the position has occurred"),
    entry("refcom", Exactly(&[Identifier(CommandKind::VARIANTS)]), "EPD 6.23 and 8.1", "command of the referee").role(Message),
    entry("refreq", Exactly(&[Identifier(RequestKind::VARIANTS)]), "EPD 6.24 and 8.2", "request of a player").role(Message),
    entry("resign", Exactly(&[]), "EPD 6.25", "the side to move resigns").role(Action(PlayerActions::RESIGN)),
    entry("sm", Exactly(&[Move]), "EPD 6.26", "supplied move: the move that is played"),
    entry("sv", Many(Move), "EPD 6.27", "supplied variation: the moves that are played").variation(),
    entry("tcgs", Exactly(&[POSITIVE]), "EPD 6.28", "correspondence: number of the game"),
    entry("tcri", Exactly(&[Text, Text]), "EPD 6.29", "correspondence: address and name of the receiver"),
    entry("tcsi", Exactly(&[Text, Text]), "EPD 6.30; decision 15", "correspondence: address and name of the sender"),
    entry("ts", Exactly(&[Date, TimeOfDay]), "EPD 6.31; decisions 101, 102", "date and time of the last change, UTC"),
    entry("v#", Optional(Text), "EPD 6.32", "name of the variation, in one of ten registers"),
];

/// Other spellings of opcodes, and the opcodes they stand for (decision 67).
pub(crate) const SYNONYMS: &[(&str, &str)] = &[("draw_decline", "draw_reject")];

impl LexiconEntry {
    /// The entry for an opcode, or `None` if it has no meaning.
    #[must_use]
    pub fn find(mnemonic: &str) -> Option<&'static Self> {
        let name = match mnemonic.as_bytes() {
            [b'c', b'0'..=b'9'] => "c#",
            [b'v', b'0'..=b'9'] => "v#",
            [b'D', b'0'..=b'9', rest @ ..] if rest.iter().all(u8::is_ascii_digit) => "D#",
            // `c#` itself is not an opcode.
            [.., b'#'] => return None,
            _ => mnemonic,
        };
        let first = usize::from(*name.as_bytes().first()?);
        let &[begin, end] = STARTS.get(first..first + 2)? else {
            return None;
        };
        // Names are too short for a call that compares strings.
        let is_same = |entry: &&Self| {
            entry.name.len() == name.len()
                && entry.name.bytes().zip(name.bytes()).all(|(a, b)| a == b)
        };
        let same_letter = &LEXICON[usize::from(begin)..usize::from(end)];
        same_letter.iter().find(is_same)
    }
}

/// For each first letter the index of its first entry. Most letters have one entry or two: processors
/// mispredict the branches of a binary search, which made reading and checking a record take a fifth longer.
const STARTS: [u8; 129] = {
    let mut starts = [0; 129];
    let (mut letter, mut n) = (0, 0);
    while letter < starts.len() {
        while n < LEXICON.len() && (LEXICON[n].name.as_bytes()[0] as usize) < letter {
            n += 1;
        }
        starts[letter] = n as u8;
        letter += 1;
    }
    starts
};

impl PlayerActions {
    /// The actions with their opcodes, in ASCII order of the opcodes.
    pub fn opcodes() -> impl Iterator<Item = (&'static str, Self)> {
        LEXICON.iter().filter_map(|entry| match entry.role {
            Role::Action(action) => Some((entry.name, action)),
            _ => None,
        })
    }
}

/// What the page says before the table.
const INTRODUCTION: &str = "\
**Opcodes with a meaning.** This page is written from `src/opcode/table.rs`; `src/opcode/mod.rs` says how
to add one. Opcodes that are not listed, such as `Scd` and `Pv2`, are private to programs and kept as they
are. \"EPD\" is the standard of 1995, decisions are in `DECISIONS.md`, `#` is a digit.

The referee, its players and its observer have private opcodes for what the standard lacks: `Auth` (a password,
decision 11), `Chk` (a check of a serial line, decision 4), `Machine` and `Speed` (what a player runs on, decision 145),
`Observe` and `Term` (a second referee, decision 143), `Ping` (decision 10).

Opening repositories have one for each move (decision 144): `Bk_` and the move in UCI notation, with a string of the games, wins,
draws, losses, weight and last year: `Bk_e2e4 \"12 5 3 4 13 2024\";`.

";

/// The page `LEXICON.md`: the table in Markdown.
#[must_use]
pub fn documentation() -> String {
    let mut text = String::from(INTRODUCTION);
    text += "| opcode | operands | meaning | in the protocol | source |\n|---|---|---|---|---|\n";
    for opcode in LEXICON {
        let (name, meaning, source) = (opcode.name, opcode.meaning, opcode.source);
        let operands = opcode.arity.describe();
        let order = if opcode.order == Order::Free {
            ", sorted"
        } else {
            ""
        };
        let role = match opcode.role {
            Role::Data => "",
            Role::Analysis => "analysis",
            Role::Action(_) => "action of a player",
            Role::Message => "kind of message",
        };
        let _ = writeln!(
            text,
            "| `{name}` | {operands}{order} | {meaning} | {role} | {source} |"
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `EPODE_BLESS=1 cargo test -p epode-epd` regenerates the page.
    #[test]
    fn the_page_is_the_table() {
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
    fn the_table_is_in_ascii_order() {
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
        for (synonym, opcode) in SYNONYMS {
            assert!(LexiconEntry::find(synonym).is_none() && LexiconEntry::find(opcode).is_some());
        }
    }

    /// EPD 5.3: common mnemonics are lower case and have two letters or more.
    #[test]
    fn names_follow_the_standard() {
        for opcode in LEXICON.iter().filter(|opcode| opcode.name != "D#") {
            let letters = |byte: u8| byte.is_ascii_lowercase() || byte == b'_' || byte == b'#';
            assert!((2..=15).contains(&opcode.name.len()) && opcode.name.bytes().all(letters));
        }
    }

    #[test]
    fn every_action_has_one_opcode() {
        let actions: Vec<_> = PlayerActions::opcodes().map(|(_, action)| action).collect();
        assert_eq!(actions.len(), 5);
        assert_eq!(
            actions.into_iter().collect::<PlayerActions>(),
            PlayerActions::all()
        );
    }
}
