//! Where errors, repairs and operands are in a line.

use super::FIELDS;
use crate::parse::error::ReadErrorKind;
use crate::parse::location::Part;
use crate::parse::reader::{Reader, read};
use crate::parse::repair::RepairKind;
use crate::record::Record;

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
