//! Damaged lines, lines that end too soon and arbitrary bytes: they are read or refused, and nothing
//! panics.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};

use crate::checks::check_line;
use crate::config;

/// Records as in real files, which the tests below damage.
const LINES: [&str; 8] = [
    "1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - bm Qd1+; id \"BK.01\";",
    "1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - ; bm Qd1 + ; id BK.01 \0",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1; D1 48; D2 2039;",
    "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 acd 12; acn 3456789; ce -21; pv dxe3;",
    "7R/2k1p2P/r2rP3/8/3p1R2/8/2P2p2/2K5 w - -0 1 bm Rc8+ dm 26\r",
    "8/8/8/8/8/k7/8/K7 w - - c0 \"a; b\" \"\" \"d\\\"e\"; c1; id \"caf\u{e9}\"; x \"y\\\"; z 1",
    "8/8/8/8/8/k7/8/K7 b - - hmvc 3; 4 5; a 1; an_opcode_of_many_letters 2;",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - - ; +- ; noop;",
];

/// One change of a line, byte by byte.
#[derive(Clone, Copy, Debug)]
enum Edit {
    Delete(Index),
    Duplicate(Index),
    Swap(Index, Index),
    Insert(Index, u8),
    Cut(Index),
}

impl Edit {
    fn apply(self, bytes: &mut Vec<u8>) {
        let len = bytes.len();
        match self {
            Self::Insert(at, byte) => bytes.insert(at.index(len + 1), byte),
            _ if bytes.is_empty() => {}
            Self::Delete(at) => drop(bytes.remove(at.index(len))),
            Self::Duplicate(at) => bytes.insert(at.index(len), bytes[at.index(len)]),
            Self::Swap(one, other) => bytes.swap(one.index(len), other.index(len)),
            Self::Cut(at) => bytes.truncate(at.index(len)),
        }
    }
}

fn edits() -> impl Strategy<Value = Edit> {
    let at = any::<Index>;
    let harmful = select(b";\"\\ \0\t\r\n-0/#.'\x0B\x7F\xC3\xA9\xFF".to_vec());
    prop_oneof![
        3 => at().prop_map(Edit::Delete),
        3 => at().prop_map(Edit::Duplicate),
        3 => (at(), at()).prop_map(|(one, other)| Edit::Swap(one, other)),
        6 => (at(), prop_oneof![9 => harmful, 1 => any::<u8>()])
            .prop_map(|(at, byte)| Edit::Insert(at, byte)),
        1 => at().prop_map(Edit::Cut),
    ]
}

/// Checks bytes as lossy UTF-8 and as Latin-1.
fn check_bytes(bytes: &[u8]) {
    check_line(&String::from_utf8_lossy(bytes));
    check_line(&bytes.iter().copied().map(char::from).collect::<String>());
}

proptest! {
    #![proptest_config(config(20_000))]

    #[test]
    fn damaged_lines_are_safe(line in select(&LINES[..]), edits in vec(edits(), 1..=6)) {
        let mut bytes = line.as_bytes().to_vec();
        for edit in edits {
            edit.apply(&mut bytes);
        }
        check_bytes(&bytes);
    }

    /// Damage after the position, where nearly all lines can still be read.
    #[test]
    fn damaged_operations_are_safe(line in select(&LINES[..]), edits in vec(edits(), 1..=6)) {
        let (fields, operations) = line.split_at(line.match_indices(' ').nth(3).expect("fields").0);
        let mut operations = operations.as_bytes().to_vec();
        for edit in edits {
            edit.apply(&mut operations);
        }
        check_bytes(&[fields.as_bytes(), &operations].concat());
    }

    #[test]
    fn any_bytes_are_safe(bytes in vec(any::<u8>(), 0..120)) {
        check_bytes(&bytes);
        let fields = b"8/8/8/8/8/k7/8/K7 w - - ";
        check_bytes(&[fields, &bytes[..]].concat());
    }
}

/// Half a record is read or refused.
#[test]
fn every_beginning_of_a_line_is_safe() {
    for line in LINES {
        for end in 0..=line.len() {
            check_bytes(&line.as_bytes()[..end]);
        }
    }
}
