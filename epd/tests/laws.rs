//! Properties of records: what is written reads back, what is read is kept, and no line makes the
//! reader panic.
//!
//! All random numbers come from fixed seeds, so that runs do not differ. More cases with other seeds: `PROPTEST_CASES=20000 PROPTEST_RNG_SEED=1 cargo test -p epode-epd --test laws`.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use epode_epd::opcode::{Arity, Basetype, Moves};
use epode_epd::{
    Diagnostic, LexiconEntry, Line, LineKind, MAX_STRING, Operand, Operation, ReadError,
    ReadErrorKind, Reader, Record, Repair, RepairKind, diagnose, read,
};
use movegen::{Move, Position};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use proptest::test_runner::RngSeed;

fn config(cases: u32) -> ProptestConfig {
    let default = ProptestConfig::default();
    // The environment may ask for other seeds.
    let chosen = std::env::var_os("PROPTEST_RNG_SEED").is_some();
    ProptestConfig {
        cases: if chosen { default.cases } else { cases },
        rng_seed: if chosen {
            default.rng_seed
        } else {
            RngSeed::Fixed(0x0E90_DE01)
        },
        failure_persistence: None,
        ..default
    }
}

/// Where random games begin: the starting position, castling on both sides, many pawns, few pieces.
const STARTS: [&str; 4] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "4k3/1p1p1p1p/8/P1P1P1P1/1p1p1p1p/8/P1P1P1P1/4K3 w - - 0 1",
    "8/8/1k6/2b5/2pP4/8/5K2/8 b - d3 0 1",
];

/// The position after a random game, and the moves of a random game from there.
fn games() -> impl Strategy<Value = (Position, Vec<Move>)> {
    fn play(position: &mut Position, choices: &[Index]) -> Vec<Move> {
        let mut played = Vec::new();
        for choice in choices {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            let mv = *choice.get(&moves);
            position.play(mv);
            played.push(mv);
        }
        played
    }
    let parts = (
        select(&STARTS[..]),
        vec(any::<Index>(), 0..=80),
        vec(any::<Index>(), 0..=8),
    );
    parts.prop_map(|(start, before, after)| {
        let mut position: Position = start.parse().expect(start);
        play(&mut position, &before);
        let line = play(&mut position.clone(), &after);
        (position, line)
    })
}

/// Identifiers of 2 to 15 characters, some of them opcodes of the standard.
fn opcodes() -> impl Strategy<Value = String> {
    let known = select(&["am", "bm", "ce", "c0", "fmvn", "hmvc", "id", "noop", "pv"][..]);
    let letters = select(('a'..='z').chain('A'..='Z').collect::<Vec<_>>());
    let others = ('a'..='z').chain('A'..='Z').chain('0'..='9').chain(['_']);
    let others = select(others.collect::<Vec<_>>());
    let any = (letters, vec(others, 1..=14))
        .prop_map(|(first, rest)| std::iter::once(first).chain(rest).collect());
    prop_oneof![known.prop_map(str::to_owned), any]
}

/// Printing ASCII characters that pass a test.
fn printing(test: fn(&char) -> bool) -> impl Strategy<Value = char> {
    select((' '..='~').filter(test).collect::<Vec<_>>())
}

fn operands() -> impl Strategy<Value = Operand> {
    let symbol = vec(
        printing(|&letter| !matches!(letter, ' ' | ';' | '"')),
        1..=12,
    );
    let string = prop_oneof![
        9 => vec(printing(|&letter| letter != '"'), 0..=40),
        1 => vec(printing(|&letter| letter != '"'), MAX_STRING),
    ];
    prop_oneof![
        symbol.prop_map(|letters| Operand::new(letters.into_iter().collect::<String>())),
        string.prop_map(|letters| Operand::string(letters.into_iter().collect::<String>())),
    ]
}

/// Operations with strings in quotes where the opcode takes a string.
fn operations() -> impl Strategy<Value = Operation> {
    (opcodes(), vec(operands(), 0..=3)).prop_map(|(opcode, mut operands)| {
        let takes_string = LexiconEntry::find(&opcode).is_some_and(|entry| {
            matches!(
                entry.arity,
                Arity::Exactly([Basetype::String]) | Arity::Optional(Basetype::String)
            )
        });
        if takes_string {
            operands = operands
                .iter()
                .map(|operand| Operand::string(operand.text()))
                .collect();
        }
        // A sign alone, or an operand after an equals sign, would be joined to the operand before it.
        if LexiconEntry::find(&opcode).is_some_and(|entry| entry.moves != Moves::None) {
            for operand in &mut operands {
                // Commas, move numbers and glyphs would be removed.
                if let Operand::Symbol(text) = operand {
                    let text = text.replace(['=', ',', '!', '?'], "-");
                    *operand = Operand::new(format!("N{text}"));
                }
            }
        }
        Operation {
            opcode: opcode.parse().expect("an opcode"),
            operands: operands.into(),
        }
    })
}

/// A position, and operations that do not repeat an opcode.
fn drafts() -> impl Strategy<Value = (Position, Vec<Operation>)> {
    let parts = (games(), vec(operations(), 0..=5));
    parts.prop_map(|((position, _), mut operations)| {
        let mut seen = Vec::new();
        operations.retain(|operation| {
            let fresh = !seen.contains(&operation.opcode);
            seen.push(operation.opcode.clone());
            fresh
        });
        (position, operations)
    })
}

/// A record of a position without its counters, with operations.
fn record_of(position: &Position, operations: &[Operation]) -> Record {
    let mut setup = position.setup();
    setup.halfmove_clock = 0;
    setup.fullmove_number = 1;
    let mut record = Record::new(setup);
    for operation in operations {
        record.add(operation.clone());
    }
    record
}

/// Reads a line, and checks spans, the order of repairs, and that strict reading agrees.
fn read_and_check(line: &str) -> (Result<Record, ReadError>, Vec<Repair>) {
    let mut repairs = Vec::new();
    let result = read(line, &mut repairs);
    for repair in &repairs {
        assert!(
            line.get(repair.span.start..repair.span.end).is_some(),
            "{line:?}: {repair}"
        );
    }
    match &result {
        Ok(_) => assert!(
            repairs.is_sorted_by_key(|repair| repair.span.start),
            "{line:?}: {repairs:?}"
        ),
        Err(error) => assert!(
            line.get(error.span.start..error.span.end).is_some(),
            "{line:?}: {error}"
        ),
    }
    // Strict reading is lenient reading that stops at the first repair.
    match (line.parse::<Record>(), &result) {
        (Ok(exact), Ok(record)) => assert!(repairs.is_empty() && exact == *record, "{line:?}"),
        (Ok(_), Err(error)) => panic!("{line:?} can be read strictly only: {error}"),
        (Err(error), Ok(_)) => assert_eq!(
            (error.span, error.kind),
            (repairs[0].span, ReadErrorKind::NonStandard(repairs[0].kind)),
            "{line:?}"
        ),
        (Err(error), Err(same)) => assert_eq!(error, *same, "{line:?}"),
    }
    (result, repairs)
}

/// Checks everything that must be true for any line.
fn check_line(line: &str) {
    let (result, repairs) = read_and_check(line);
    let Ok(record) = result else { return };
    let normal = record.to_string();
    let (again, rest) = read_and_check(&normal);
    let again = again.unwrap_or_else(|error| panic!("{line:?} -> {normal:?}: {error}"));
    assert_eq!(again.to_string(), normal, "{line:?}");
    // Only deviations that normal form cannot repair without loss are left.
    for repair in rest {
        use RepairKind as Kind;
        assert!(
            matches!(
                repair.kind,
                Kind::NotAscii
                    | Kind::ControlCharacter
                    | Kind::ShortOpcode
                    | Kind::LongOpcode
                    | Kind::DuplicateOpcode
                    | Kind::LongString
                    | Kind::LongLine
            ),
            "{line:?} -> {normal:?}: {repair}"
        );
    }
    check_nothing_lost(line, &normal, &repairs);
    check_repair(line, &record);
    check_diagnostics(line);
}

/// Repair mode changes only operands, and its output needs no more repairs.
fn check_repair(line: &str, lenient: &Record) {
    let repair = Reader::repair();
    let repaired = repair.read(line, &mut Vec::new()).expect("read before");
    assert_eq!(repaired.setup, lenient.setup, "{line:?}");
    let opcodes = |record: &Record| -> Vec<_> {
        let operations = record.operations().iter();
        operations
            .map(|operation| operation.opcode.clone())
            .collect()
    };
    assert_eq!(opcodes(&repaired), opcodes(lenient), "{line:?}");
    let once = repaired.to_string();
    let mut repairs = Vec::new();
    let twice = repair.read(&once, &mut repairs).expect("a repaired line");
    assert_eq!(twice.to_string(), once, "{line:?}");
    assert!(
        repairs.iter().all(|repair| repair.replacement.is_none()),
        "{line:?} -> {once:?}: {repairs:?}"
    );
}

/// Diagnostics lie within the line, in order, and have known names.
fn check_diagnostics(line: &str) {
    let line = Line {
        number: 1,
        text: line.into(),
        raw: line.as_bytes(),
        broken_at: None,
    };
    let diagnostics = diagnose(&line, &Reader::lenient());
    assert!(
        diagnostics.is_sorted_by_key(|diagnostic| diagnostic.span.start),
        "{line:?}: {diagnostics:?}"
    );
    for diagnostic in diagnostics {
        let span = diagnostic.span;
        assert!(
            line.text.get(span.start..span.end).is_some(),
            "{line:?}: {diagnostic:?}"
        );
        assert!(Diagnostic::names().any(|(name, _)| name == diagnostic.name));
    }
}

/// Every character of the operations is in the normal form, except for what a repair removes.
fn check_nothing_lost(line: &str, normal: &str, repairs: &[Repair]) {
    let has = |deviation| repairs.iter().any(|repair| repair.kind == deviation);
    let mut kept = words_of_operations(normal).concat();
    let mut lost = Vec::new();
    for letter in words_of_operations(line).concat().chars() {
        match kept.find(letter) {
            Some(at) => drop(kept.remove(at)),
            None => lost.push(letter),
        }
    }
    // Commas, move numbers and glyphs around moves are reported one by one.
    let around = |repair: &&Repair| {
        use RepairKind::{CommaList, MoveGlyph, MoveNumber};
        matches!(repair.kind, CommaList | MoveGlyph | MoveNumber)
    };
    for letter in repairs
        .iter()
        .filter(around)
        .flat_map(|repair| repair.span.of(line).chars())
    {
        if let Some(at) = lost.iter().position(|&other| other == letter) {
            lost.remove(at);
        }
    }
    if has(RepairKind::FenCounters) || has(RepairKind::CountersDisagree) {
        lost.retain(|letter| !letter.is_ascii_digit());
    }
    if has(RepairKind::KeyValue) {
        lost.retain(|&letter| letter != '=');
    }
    if has(RepairKind::SurplusDash) {
        lost.retain(|&letter| letter != '-');
    }
    if has(RepairKind::OpcodeSynonym) {
        lost.clear();
    }
    assert!(lost.is_empty(), "{line:?} -> {normal:?}: lost {lost:?}");
}

/// The words after the four position fields, without semicolons and quotes. Apostrophes and backslashes
/// do not count either: an escaped quote becomes an apostrophe (decision 106).
fn words_of_operations(line: &str) -> Vec<String> {
    let is_space = |letter: char| letter.is_ascii_whitespace() || "\x0B\0".contains(letter);
    let mut rest = line;
    for field in 0..4 {
        rest = rest.trim_start_matches(is_space);
        let end = rest.find(|letter| is_space(letter) || letter == ';');
        let end = end.unwrap_or(rest.len());
        // A counter may follow the dash without a blank (decision 116).
        rest = match rest[..end].strip_prefix('-') {
            Some(_) if field == 3 => &rest[1..],
            _ => &rest[end..],
        };
    }
    let separates = |letter: char| {
        letter.is_ascii_whitespace() || letter.is_control() || ";\"'\\".contains(letter)
    };
    rest.split(separates)
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect()
}

proptest! {
    #![proptest_config(config(2000))]

    /// A record prints as a line that can be read strictly and reads back as the same record.
    #[test]
    fn prints_what_it_reads((position, operations) in drafts()) {
        let record = record_of(&position, &operations);
        let line = record.to_string();
        let exact = line.parse::<Record>();
        prop_assert_eq!(exact.as_ref(), Ok(&record), "{}", &line);
        prop_assert_eq!(record.position(), exact.expect("just read").position());
        check_line(&line);
    }

    /// EPD 5.1: the order of operations means nothing.
    #[test]
    fn any_order_reads_the_same((position, operations) in drafts()) {
        let record = record_of(&position, &operations);
        let mut line = record_of(&position, &[]).to_string();
        for operation in &operations {
            line.push(' ');
            line.push_str(&operation.to_string());
        }
        prop_assert_eq!(line.parse::<Record>(), Ok(record.clone()), "{}", line);
        prop_assert!(record.operations().is_sorted_by(|one, next| one.opcode < next.opcode));
    }

    /// `hmvc` and `fmvn` are the counters of the position.
    #[test]
    fn counters_are_operations((position, _) in games()) {
        let clock = Operation::new("hmvc").symbol(position.halfmove_clock());
        let number = Operation::new("fmvn").symbol(position.fullmove_number());
        let record = record_of(&position, &[clock, number]);
        let back = record.position().expect("legal");
        prop_assert_eq!(back.to_string(), position.to_string());
        // Decision 116: FEN counters mean the same.
        let fen = position.to_string();
        let (from_fen, repairs) = read_and_check(&fen);
        prop_assert_eq!(from_fen, Ok(record));
        prop_assert_eq!(repairs.len(), 1);
        check_line(&fen);
    }

    /// Variations and lists of moves read back.
    #[test]
    fn moves_are_what_was_written((position, line) in games()) {
        let pv = Operation::new("pv").line(&position, &line);
        let all = position.legal_moves();
        let bm = all.iter().fold(Operation::new("bm"), |bm, &mv| {
            bm.symbol(movegen::San::of(&position, mv))
        });
        let text = record_of(&position, &[pv, bm]).to_string();
        let record: Record = text.parse().expect("exact");
        let (pv, bm) = (record.get("pv").expect("there"), record.get("bm").expect("there"));
        prop_assert_eq!(pv.variation(&position), Ok(line));
        prop_assert_eq!(bm.moves(&position), Ok(all.to_vec()));
    }

    /// A record keeps operations like a map, except that it can have duplicates.
    #[test]
    fn a_record_is_a_map(steps in vec((0..3_u8, select(&["am", "bm", "id", "c0"][..]), 0..99_u8), 0..20)) {
        let mut record = record_of(&Position::start(), &[]);
        let mut model: BTreeMap<&str, Vec<Operation>> = BTreeMap::new();
        for (step, opcode, operand) in steps {
            let operation = Operation::new(opcode).symbol(operand);
            match step {
                0 => {
                    model.insert(opcode, vec![operation.clone()]);
                    record.set(operation);
                }
                1 => {
                    model.entry(opcode).or_default().push(operation.clone());
                    record.add(operation);
                }
                _ => prop_assert_eq!(record.remove(opcode), model.remove(opcode).is_some()),
            }
            prop_assert!(record.operations().iter().eq(model.values().flatten()));
            for opcode in ["am", "bm", "id", "c0", "pv"] {
                let first = model.get(opcode).and_then(|operations| operations.first());
                prop_assert_eq!(record.get(opcode), first);
            }
        }
    }
}

/// Deviations from the standard, by their place in a record.
#[derive(Clone, Debug)]
struct Deviations {
    /// Blanks and tabs before the first field and before each operation or operand.
    gaps: Vec<&'static str>,
    /// Extra semicolons before these operations.
    semicolons: Vec<Index>,
    /// FEN counters.
    counters: Option<(u16, u16)>,
    ends_without_semicolon: bool,
    end: &'static str,
}

fn deviations() -> impl Strategy<Value = Deviations> {
    let parts = (
        vec(select(&[" ", "  ", "\t", " \t "][..]), 1..8),
        vec(any::<Index>(), 0..3),
        proptest::option::of(any::<(u16, u16)>()),
        any::<bool>(),
        select(&["", " ", "\0", "\r", " \0\r", "\t  "][..]),
    );
    parts.prop_map(
        |(gaps, semicolons, counters, ends_without_semicolon, end)| Deviations {
            gaps,
            semicolons,
            counters,
            ends_without_semicolon,
            end,
        },
    )
}

proptest! {
    #![proptest_config(config(2000))]

    /// Deviations of several kinds in one line do not change the record.
    #[test]
    fn deviations_do_not_change_the_record((position, operations) in drafts(), deviant in deviations()) {
        let mut record = record_of(&position, &operations);
        let mut gaps = deviant.gaps.iter().cycle();
        let mut line = String::new();
        let mut put = |line: &mut String, word: &str| {
            line.push_str(gaps.next().expect("a cycle"));
            line.push_str(word);
        };
        for field in record_of(&position, &[]).to_string().split(' ') {
            put(&mut line, field);
        }
        if let Some((clock, number)) = deviant.counters {
            put(&mut line, &clock.to_string());
            put(&mut line, &number.to_string());
            for (opcode, count) in [("hmvc", clock), ("fmvn", number)] {
                if record.get(opcode).is_none() {
                    record.add(Operation::new(opcode).symbol(count));
                }
            }
        }
        for (i, operation) in operations.iter().enumerate() {
            for _ in deviant.semicolons.iter().filter(|at| at.index(operations.len()) == i) {
                put(&mut line, ";");
            }
            put(&mut line, &operation.opcode);
            for operand in &operation.operands {
                put(&mut line, &operand.to_string());
            }
            if i + 1 < operations.len() || !deviant.ends_without_semicolon {
                put(&mut line, ";");
            }
        }
        line.push_str(deviant.end);
        // A long line is reported, but not cut.
        let (result, repairs) = read_and_check(&line);
        prop_assert_eq!(result, Ok(record), "{:?}", &line);
        prop_assert!(!repairs.is_empty());
        check_line(&line);
    }
}

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

/// Suites outside the repository, each with the number of lines that cannot be read, and a remark. The
/// numbers were counted by hand.
const SUITES: [(&str, usize, &str); 20] = [
    ("bratko-kopec-strict.epd", 0, "written to the letter"),
    (
        "bratko-kopec.epd",
        0,
        "odd semicolons, blanks before check signs",
    ),
    ("bt2630.epd", 0, "clean"),
    (
        "destruction-test.epd",
        9,
        "nine positions that are not positions",
    ),
    (
        "endgame-dm-4.epd",
        0,
        "clean, with comments on their own lines",
    ),
    ("endgame-dm-5.epd", 0, "as the one before"),
    ("fortresses.epd", 0, "comments that look like operations"),
    ("grief-causers.epd", 0, "remarks"),
    (
        "hard-mates-blass-uri.epd",
        0,
        "operations without semicolons",
    ),
    ("hardtestpos-clean.epd", 0, "counters, no semicolons"),
    ("kaufman.epd", 0, "counters"),
    ("lapuce2.epd", 0, "clean"),
    ("lct2.epd", 0, "odd semicolons"),
    ("mixed.epd", 1, "\"startpos\" in place of a position"),
    ("nolot.epd", 0, "odd semicolons"),
    ("perft-double-checks.epd", 0, "counters"),
    ("perft-random-488.epd", 0, "counters"),
    ("perft.epd", 0, "counters"),
    ("silent-but-deadly.epd", 0, "odd semicolons"),
    ("wacnew.epd", 0, "clean"),
];

/// The path of a folder outside the repository, if it is there.
fn shared(folder: &str) -> Option<std::path::PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared");
    let path = path.join(folder);
    if !path.is_dir() {
        println!("nothing to test: {} is not there", path.display());
    }
    path.is_dir().then_some(path)
}

/// The lines of a file that should be records. Bytes that are not UTF-8 are read as Latin-1.
fn records_of(path: &Path) -> Vec<String> {
    let bytes = fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let text = String::from_utf8(bytes)
        .unwrap_or_else(|error| error.into_bytes().into_iter().map(char::from).collect());
    text.split('\n')
        .filter(|line| LineKind::of(line) == LineKind::Record)
        .map(str::to_owned)
        .collect()
}

#[test]
fn shared_suites_are_read_without_loss() {
    let Some(folder) = shared("suites") else {
        return;
    };
    for (name, unreadable, reason) in SUITES {
        let path = folder.join(name);
        if !path.exists() {
            println!("{name} is not there");
            continue;
        }
        let lines = records_of(&path);
        assert!(lines.len() > 10, "{name}");
        let errors: Vec<_> = lines
            .iter()
            .filter_map(|line| {
                check_line(line);
                let error = read(line, &mut Vec::new()).err()?;
                Some(format!("{error}: {line}"))
            })
            .collect();
        assert_eq!(errors.len(), unreadable, "{name} ({reason}): {errors:#?}");
    }
}

#[test]
fn every_line_of_every_shared_file_is_safe() {
    for folder in ["suites", "books"] {
        let Some(folder) = shared(folder) else {
            return;
        };
        for entry in fs::read_dir(&folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.extension().is_some_and(|extension| extension == "epd") {
                for line in records_of(&path) {
                    check_line(&line);
                }
            }
        }
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
