//! Tests of reading lines, lenient and strict.

use super::error::ReadErrorKind;
use super::location::Part;
use super::reader::{Reader, read};
use super::repair::RepairKind;
use crate::record::Record;

const FIELDS: &str = "8/8/8/8/8/k7/8/K7 w - -";

/// The normal form of a line, and the columns and kinds of its repairs.
fn repaired(line: &str) -> (String, Vec<(usize, RepairKind)>) {
    let mut repairs = Vec::new();
    let record = read(line, &mut repairs).unwrap_or_else(|error| panic!("{line:?}: {error}"));
    for repair in &repairs {
        assert!(
            repair.span.start <= repair.span.end && repair.span.end <= line.len(),
            "{line:?}: {repair}"
        );
    }
    let normal = record.to_string();
    assert_eq!(
        normal.parse::<Record>().as_ref(),
        Ok(&record),
        "normal form can be read strictly"
    );
    (
        normal,
        repairs
            .iter()
            .map(|repair| (repair.span.column(), repair.kind))
            .collect(),
    )
}

#[track_caller]
fn repairs(operations: &str, normal: &str, deviations: &[(usize, RepairKind)]) {
    let expected = format!("{FIELDS}{normal}");
    let columns: Vec<_> = deviations
        .iter()
        .map(|&(c, kind)| (c + FIELDS.len(), kind))
        .collect();
    assert_eq!(
        repaired(&format!("{FIELDS}{operations}")),
        (expected, columns),
        "{operations:?}"
    );
}

#[test]
fn standard_records_need_no_repairs() {
    repairs("", "", &[]);
    repairs(" noop;", " noop;", &[]);
    repairs(" c0 \"\"; c1;", " c0 \"\"; c1;", &[]);
    repairs(" bm Kb1; id \"a; b\";", " bm Kb1; id \"a; b\";", &[]);
    // EPD 5.1: operations may be in any order.
    repairs(" id \"x\"; bm Kb1;", " bm Kb1; id \"x\";", &[]);
}

#[test]
fn spaces() {
    use RepairKind::{OddSpace, SurplusSpace};
    repairs(
        "  bm  Kb1 ;  ",
        " bm Kb1;",
        &[
            (2, SurplusSpace),
            (6, SurplusSpace),
            (10, SurplusSpace),
            (12, SurplusSpace),
        ],
    );
    repairs("\tbm\tKb1;", " bm Kb1;", &[(1, OddSpace), (4, OddSpace)]);
    // A no-break space has two bytes, an ideographic one three.
    repairs(
        "\u{a0}bm \u{3000}Kb1;",
        " bm Kb1;",
        &[(1, OddSpace), (6, SurplusSpace)],
    );
    repairs(" bm Kb1;id \"x\";", " bm Kb1; id \"x\";", &[(9, OddSpace)]);
    repairs(
        " id \"x\" \"y\";\r",
        " id \"x\" \"y\";",
        &[(13, SurplusSpace)],
    );
    assert_eq!(
        repaired(&format!("  {FIELDS}\0")).1,
        [(1, SurplusSpace), (26, SurplusSpace)]
    );
}

/// Decision 116.
#[test]
fn fen_counters() {
    use RepairKind::FenCounters;
    let both = " fmvn 12; hmvc 1;";
    for counters in [" 1 12", " 1 12;"] {
        repairs(counters, both, &[(2, FenCounters)]);
    }
    repairs("1 12", both, &[(1, FenCounters)]);
    repairs(
        " 1 12 bm Kb1;",
        " bm Kb1; fmvn 12; hmvc 1;",
        &[(2, FenCounters)],
    );
    repairs(" 7", " hmvc 7;", &[(2, FenCounters)]);
    repairs(" 1 12; hmvc 1;", both, &[(2, FenCounters)]);
    let disagree = [(2, RepairKind::CountersDisagree)];
    repairs(" 1 12; hmvc 3;", " fmvn 12; hmvc 3;", &disagree);
    // A number at the start of a text is not a counter.
    let text = [(2, RepairKind::FreeText)];
    repairs(" 3 kings;", " c9 \"3 kings\";", &text);
}

#[test]
fn semicolons() {
    use RepairKind::{MissingSemicolon, OddSpace, SurplusSemicolon, SurplusSpace};
    repairs(" bm Kb1", " bm Kb1;", &[(8, MissingSemicolon)]);
    repairs(" ; bm Kb1;", " bm Kb1;", &[(2, SurplusSemicolon)]);
    repairs(
        "; bm Kb1; ;",
        " bm Kb1;",
        &[(1, OddSpace), (1, SurplusSemicolon), (11, SurplusSemicolon)],
    );
    repairs(
        " id \"x\" ",
        " id \"x\";",
        &[(8, MissingSemicolon), (8, SurplusSpace)],
    );
}

/// Decisions 5, 105 and 106.
#[test]
fn strings() {
    let long = format!(" id \"{}\";", "x".repeat(256));
    let mut deviations = Vec::new();
    let record = read(&format!("{FIELDS}{long}"), &mut deviations).expect("readable");
    assert_eq!(
        record.to_string(),
        format!("{FIELDS}{long}"),
        "nothing is cut"
    );
    assert_eq!(deviations[0].kind, RepairKind::LongString);

    let mut deviations = Vec::new();
    let record = read(&format!(r#"{FIELDS} a0 "foo\"bar";"#), &mut deviations).expect("readable");
    assert_eq!(
        record.get("a0").expect("there").operands[0].text(),
        "foo'bar"
    );
    assert_eq!(record.to_string(), format!("{FIELDS} a0 \"foo'bar\";"));
    assert_eq!(deviations[0].kind, RepairKind::EscapedQuote);

    // White space beyond ASCII stays in strings.
    for text in ["é", "a\u{a0}b"] {
        let line = format!("{FIELDS} id \"{text}\";");
        let mut deviations = Vec::new();
        let record = read(&line, &mut deviations).expect("readable");
        assert_eq!(record.to_string(), line);
        assert_eq!(deviations[0].kind, RepairKind::NotAscii);
    }
}

/// Decisions 104 and 109.
#[test]
fn opcodes() {
    let mut deviations = Vec::new();
    let line = format!("{FIELDS} a 1; bm Kb1; bm Ka2; sixteen_letters_ 1;");
    let record = read(&line, &mut deviations).expect("readable");
    assert_eq!(record.to_string(), line, "nothing is lost");
    assert_eq!(
        record.get("bm").expect("there").operands[0].text(),
        "Kb1",
        "the first counts"
    );
    let kinds: Vec<_> = deviations.iter().map(|found| found.kind).collect();
    assert_eq!(
        kinds,
        [
            RepairKind::ShortOpcode,
            RepairKind::DuplicateOpcode,
            RepairKind::LongOpcode
        ]
    );
}

/// Decisions 67, 108, 117 and 118, among others.
#[test]
fn operations_in_real_files() {
    use RepairKind::{FreeText, KeyValue, OpcodeSynonym, RunTogether, SplitMoves, UnquotedString};
    repairs(" id BK.01;", " id \"BK.01\";", &[(5, UnquotedString)]);
    repairs(
        " c1 two  words;",
        " c1 \"two words\";",
        &[(5, UnquotedString), (9, RepairKind::SurplusSpace)],
    );
    repairs(" val=-328;", " val -328;", &[(5, KeyValue)]);
    repairs(" id=\"3 3\";", " id \"3 3\";", &[(4, KeyValue)]);
    repairs(" bm Kb1 dm 26;", " bm Kb1; dm 26;", &[(9, RunTogether)]);
    repairs(" c0 \"x\" ce 12;", " c0 \"x\"; ce 12;", &[(9, RunTogether)]);
    repairs(
        " c0 use ce 12;",
        " c0 \"use ce 12\";",
        &[(5, UnquotedString)],
    );
    let rooks = "8/8/8/8/8/k7/8/K6R w - -";
    assert_eq!(
        repaired(&format!("{rooks} bm Rh2; Rb1;")),
        (format!("{rooks} bm Rh2 Rb1;"), vec![(34, SplitMoves)])
    );
    assert_eq!(
        repaired(&format!("{rooks} am Rh2; Rh3 + ?;")),
        (format!("{rooks} am Rh2 Rh3+;"), vec![(34, SplitMoves)])
    );
    let pawn = "8/P7/8/8/8/8/5k2/K7 w - -";
    let apart = RepairKind::ApartSign;
    assert_eq!(
        repaired(&format!("{pawn} bm a8 = Q Kb2 !;")),
        (
            format!("{pawn} bm a8=Q Kb2;"),
            vec![(33, apart), (35, apart), (41, RepairKind::MoveGlyph)]
        )
    );
    repairs(
        " bm Kb1, +, Kb2;",
        " bm Kb1+ Kb2;",
        &[
            (8, RepairKind::CommaList),
            (10, apart),
            (11, RepairKind::CommaList),
        ],
    );
    // Not a move, but not the opcode either.
    repairs(" bm Kb1 dm! 3;", " bm Kb1 dm! 3;", &[]);
    // Not a legal move: an operation with an unknown opcode.
    repairs(" bm Kb1; Kc5;", " Kc5; bm Kb1;", &[]);
    repairs(" draw_decline;", " draw_reject;", &[(2, OpcodeSynonym)]);
    repairs(" +- no repet", " c9 \"+- no repet\";", &[(2, FreeText)]);
    let line = format!("{FIELDS} +-\u{a0}no");
    let record = read(&line, &mut Vec::new()).expect(&line);
    assert_eq!(record.to_string(), format!("{FIELDS} c9 \"+-\u{a0}no\";"));
    repairs(
        " -+; c9 \"y\"; +- x",
        " c8 \"-+; +- x\"; c9 \"y\";",
        &[(2, FreeText), (14, FreeText)],
    );
}

#[test]
fn positions_in_real_files() {
    use RepairKind::{ImpossibleEnPassant, MissingField, OpenPlacement, PawnSquare, SurplusDash};
    for (line, normal, deviations) in [
        (
            "8/8/8/8/8/k7/8/K7 w - bm Kb1;",
            "8/8/8/8/8/k7/8/K7 w - - bm Kb1;",
            vec![(22, MissingField)],
        ),
        (
            "8/8/8/8/8/k7/8/K7 w bm Kb1;",
            "8/8/8/8/8/k7/8/K7 w - - bm Kb1;",
            vec![(20, MissingField), (20, MissingField)],
        ),
        (
            "8/8/8/8/8/k7/8/K7 w - - - bm Kb1;",
            "8/8/8/8/8/k7/8/K7 w - - bm Kb1;",
            vec![(25, SurplusDash)],
        ),
        // The examples of the 1996 description.
        ("k2r/ppp5/8/8/8/8/Q/5PPP/7K/ b -", "", vec![]),
        (
            "k2r/ppp5/8/8/8/Q/5PPP/7K/ b -",
            "k2r4/ppp5/8/8/8/Q7/5PPP/7K b - -",
            vec![(1, OpenPlacement), (30, MissingField)],
        ),
        (
            "4k3/8/8/8/4P3/8/8/4K3 b - e4",
            "4k3/8/8/8/4P3/8/8/4K3 b - e3",
            vec![(27, PawnSquare)],
        ),
        (
            "4k3/8/8/8/4P3/8/8/4K3 b - d3",
            "4k3/8/8/8/4P3/8/8/4K3 b - -",
            vec![(27, ImpossibleEnPassant)],
        ),
    ] {
        if normal.is_empty() {
            assert!(read(line, &mut Vec::new()).is_err(), "nine ranks");
        } else {
            assert_eq!(repaired(line), (normal.to_owned(), deviations), "{line}");
        }
    }
}

#[test]
fn errors_name_their_column() {
    for (line, column, message) in [
        ("", 1, "the piece placement is missing"),
        (
            "8/8/8/8/8/k7/8/K7 w ",
            20,
            "the castling availability is missing",
        ),
        (
            "8/8/8/8/8/k7/8/K8 w - -",
            16,
            "rank 1 has 9 squares, expected 8",
        ),
        (
            "8/8/8/8/8/k7/8/K7 w - - id \"x; y;",
            28,
            "the string has no closing quote",
        ),
    ] {
        let error = read(line, &mut Vec::new()).expect_err(line);
        assert_eq!(
            error.to_string(),
            format!("column {column}: {message}"),
            "{line:?}"
        );
    }
    let error = format!("{FIELDS}  bm Kb1;")
        .parse::<Record>()
        .expect_err("two blanks");
    assert_eq!(
        error.kind,
        ReadErrorKind::NonStandard(RepairKind::SurplusSpace)
    );
}

/// Lenient reading removes castling flags without king and rook at home, as in games at odds, so that
/// the position is legal. Strict reading refuses them.
#[test]
fn castling_without_king_or_rook_is_dropped() {
    for (board, castling, normal) in [
        ("rnbqkbnr/8/8/8/8/8/8/1NBQKBNR", "KQkq", "Kkq"),
        ("rnbqkbnr/8/8/8/8/8/8/RNBQ1RK1", "KQkq", "kq"),
        ("8/8/8/8/8/k7/8/K7", "qk", "-"),
    ] {
        let line = |castling| format!("{board} w {castling} - id \"odds\";");
        let at = board.len() + 4;
        assert_eq!(
            repaired_leniently(&line(castling)),
            (line(normal), vec![(at, RepairKind::ImpossibleCastling)])
        );
        let record = read(&line(castling), &mut Vec::new()).expect("readable");
        assert!(record.position().is_ok());
        let error = line(castling).parse::<Record>().expect_err("not exact");
        assert_eq!(
            error.to_string(),
            format!("column {at}: castling availability without king and rook at home, removed")
        );
    }
    // Chess960, by its file letter.
    let line = "1r2k3/8/8/8/8/8/8/4K2R w KQb - noop;";
    let record = read(line, &mut Vec::new()).expect("readable");
    assert_eq!(record.to_string(), line.replace("KQb", "Hb"));
    assert!(record.position().is_ok());
}

/// Letters that mean castlings of Chess960 alone are dropped too, which the repair says (decision 122).
#[test]
fn castling_of_chess960_without_files_is_dropped() {
    for (board, castling, normal, kind, told) in [
        (
            "1r3k1r/8/8/8/8/8/8/1R3K1R",
            "KQkq",
            "-",
            RepairKind::Chess960Castling,
            "castling rights KQkq dropped: no king and rook at home; for Chess960 write HBhb",
        ),
        (
            "r3k2r/8/8/8/8/8/8/1R2K2R",
            "KQkq",
            "Kkq",
            RepairKind::Chess960Castling,
            "castling right Q dropped: no king and rook at home; for Chess960 write HBha",
        ),
        (
            "r3k2r/8/8/8/8/8/8/4K2R",
            "KQkq",
            "Kkq",
            RepairKind::ImpossibleCastling,
            "castling right Q dropped: no king and rook at home",
        ),
        (
            "1r3k1r/8/8/8/8/8/8/1R3K1R",
            "HGhbc",
            "Hhb",
            RepairKind::CastlingJunk,
            "castling rights Gc dropped: no such king and rook, or repeated",
        ),
    ] {
        let line = format!("{board} w {castling} - id \"odds\";");
        let mut repairs = Vec::new();
        let record = read(&line, &mut repairs).expect(&line);
        assert_eq!(record.to_string(), line.replace(castling, normal));
        assert_eq!(repairs[0].kind, kind, "{line}");
        let dropped = repairs[0].dropped_rights(&line, &record.setup).expect(told);
        assert_eq!(dropped.to_string(), told);
    }
    let line = "1r3k1r/8/8/8/8/8/8/1R3K1R w KQkq -";
    let reader = Reader::lenient().with_castling_mode(movegen::CastlingMode::Chess960);
    let mut repairs = Vec::new();
    let record = reader.read(line, &mut repairs).expect(line);
    assert_eq!(record.to_string(), line.replace("KQkq", "HBhb"));
    assert_eq!(repairs[0].dropped_rights(line, &record.setup), None);
}

/// Commas, move numbers and glyphs are removed.
#[test]
fn lists_of_moves() {
    use RepairKind::{CommaList, MoveGlyph, MoveNumber};
    repairs(" bm Kb1, Kb2;", " bm Kb1 Kb2;", &[(8, CommaList)]);
    repairs(
        " am Kb1,Kb2,;",
        " am Kb1 Kb2;",
        &[(8, CommaList), (12, CommaList)],
    );
    repairs(
        " bm 1.Kb1!;",
        " bm Kb1;",
        &[(5, MoveNumber), (10, MoveGlyph)],
    );
    repairs(" bm Zz Kb1?!;", " bm Zz Kb1;", &[(11, MoveGlyph)]);
    repairs(
        " pv 1. Kb1 1... Kb3;",
        " pv Kb1 Kb3;",
        &[(5, MoveNumber), (12, MoveNumber)],
    );
    // Text after a comma is an operand, even if it begins with a quote.
    repairs(" bm x,\"y;", " bm x \"'y\";", &[(6, CommaList)]);
    // Operations without moves keep them.
    repairs(" noop 1.x, y!;", " noop 1.x, y!;", &[]);
}

/// Decision 122, and fields with letters in the wrong case or order.
#[test]
fn castling_fields_in_real_files() {
    use RepairKind::{CapitalLetter, CastlingFiles, CastlingJunk, CastlingOrder};
    let at = |castling: &str| format!("r3k2r/8/8/8/8/8/8/R3K2R w {castling} - bm O-O;");
    for (castling, normal, deviation) in [
        ("qkQK", "KQkq", CastlingOrder),
        ("Qq", "Qq", CastlingOrder),
        ("HAha", "KQkq", CastlingFiles),
        ("Hkq", "Kkq", CastlingFiles),
        ("GBgb", "-", CastlingJunk),
        ("KQAb", "KQ", CastlingJunk),
        ("KKq", "Kq", CastlingJunk),
    ] {
        let (line, repairs) = repaired_leniently(&at(castling));
        assert_eq!(line, at(normal), "{castling}");
        let expected = (castling != normal).then_some((27, deviation));
        assert_eq!(repairs, Vec::from_iter(expected), "{castling}");
    }
    let at = |castling: &str| format!("1r2k1r1/6p1/8/8/8/8/6P1/1R2K1R1 w {castling} - bm O-O;");
    for (castling, normal, deviation) in [
        ("GBgb", "GBgb", CastlingOrder),
        ("Gb", "Gb", CastlingOrder),
        ("bgBG", "GBgb", CastlingOrder),
        ("KQgb", "GBgb", CastlingFiles),
        ("GBkc", "GBg", CastlingJunk),
    ] {
        let (line, repairs) = repaired_leniently(&at(castling));
        assert_eq!(line, at(normal), "{castling}");
        let expected = (castling != normal).then_some((35, deviation));
        assert_eq!(repairs, Vec::from_iter(expected), "{castling}");
    }
    let record = read(&at("GBgb"), &mut Vec::new()).expect("readable");
    assert_eq!(crate::check(&record, &crate::Lexicon::standard()), []);
    let illegal = at("GBgb").replace("1r2k1r1/6p1", "1r4r1/4k1p1");
    let record = read(&illegal, &mut Vec::new()).expect("readable");
    assert_eq!(record.to_string(), illegal.replace("GBgb", "GB"));
    assert_eq!(
        repaired("4k3/8/8/8/4P3/8/8/4K3 B - E3"),
        (
            "4k3/8/8/8/4P3/8/8/4K3 b - e3".to_owned(),
            vec![(23, CapitalLetter), (27, CapitalLetter)]
        )
    );
}

/// As [`repaired`], for lines whose normal form cannot be read strictly.
fn repaired_leniently(line: &str) -> (String, Vec<(usize, RepairKind)>) {
    let mut repairs = Vec::new();
    let record = read(line, &mut repairs).unwrap_or_else(|error| panic!("{line:?}: {error}"));
    let repairs = repairs
        .iter()
        .map(|repair| (repair.span.column(), repair.kind));
    (record.to_string(), repairs.collect())
}

#[test]
fn repairs_have_the_text_and_its_replacement() {
    let line = format!("{FIELDS} 0 1 bm Ka2 ! dm 3; id BK 1; c0 \"x\\\"y\"; +- ; ts=1");
    let mut repairs = Vec::new();
    let record = Reader::lenient()
        .read(&line, &mut repairs)
        .expect("readable");
    assert_eq!(
        record.to_string(),
        format!("{FIELDS} bm Ka2; c0 \"x'y\"; c9 \"+-\"; dm 3; fmvn 1; hmvc 0; id \"BK 1\"; ts 1;")
    );
    let told: Vec<_> = repairs
        .iter()
        .map(|repair| (repair.span.of(&line), repair.replacement.as_deref()))
        .collect();
    assert_eq!(
        told,
        [
            ("0 1", Some("hmvc 0; fmvn 1;")),
            ("!", Some("")),
            ("dm", Some("; dm")),
            ("BK 1", Some("\"BK 1\"")),
            ("\\\"", Some("'")),
            ("+-", Some("c9 \"+-\";")),
            ("=", Some(" ")),
            ("", Some(";")),
        ]
    );
}

/// Operations that are sorted, joined or made of other text keep their locations.
#[test]
fn every_operand_has_its_location() {
    let line = format!("{FIELDS} 3 7 id BK 1; bm Ka2 ; Kb1 +; am a8 = Q e2e4; zz; {{text}};");
    let reader = Reader::lenient();
    let (record, locations) = reader.locate(&line, &mut Vec::new()).expect("readable");
    let mut found = Vec::new();
    for (n, operation) in record.operations().iter().enumerate() {
        let opcode = locations.span(Part::Operation(n)).of(&line);
        found.push(format!("{}@{opcode}", operation.opcode));
        for m in 0..operation.operands.len() {
            found.push(locations.span(Part::Operand(n, m)).of(&line).to_owned());
        }
    }
    let expected = "am@am|a8 = Q|e2e4|bm@bm|Ka2|Kb1 +|c9@{text}|{text}|fmvn@3 7|3 7|hmvc@3 7|3 7|\
                    id@id|BK 1|zz@zz";
    assert_eq!(found.join("|"), expected);
    assert_eq!(
        locations.span(Part::Field(movegen::Field::Turn)).of(&line),
        "w"
    );
}
