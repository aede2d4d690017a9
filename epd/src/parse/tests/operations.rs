//! Operations: what separates them, their opcodes, strings and moves, and those of real files.

use super::{FIELDS, repaired, repairs};
use crate::parse::reader::read;
use crate::parse::repair::RepairKind;

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
