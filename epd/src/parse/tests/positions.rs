//! The fields of the position: those of real files, and castling rights that are dropped or written in other ways.

use super::repaired;
use crate::parse::reader::{Reader, read};
use crate::parse::repair::RepairKind;
use crate::record::Record;

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
