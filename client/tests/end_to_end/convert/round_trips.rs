//! Nothing is lost in tables: records that are converted there and back are the same.

use std::fs;
use std::path::Path;

use super::{HARD, normal};
use crate::common::{ALL_WELL, Folder};
use proptest::prelude::*;

/// Converts a file and back.
fn there_and_back(folder: &Folder, name: &str, other: &str) -> String {
    for (from, to) in [(name, other), (other, "back.epd")] {
        let output = folder
            .command(&format!("convert {from} {to}"))
            .output()
            .expect("it runs");
        assert!(
            folder.path(to).exists(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
    }
    folder.read("back.epd")
}

#[test]
fn nothing_is_lost() {
    let folder = Folder::with("in.epd", HARD);
    let expected = normal(&folder, "in.epd");
    assert_eq!(expected.lines().count(), HARD.lines().count());
    for other in [
        "x.csv",
        "x.json",
        "x.jsonl",
        "x.csv.gz",
        "x.json.gz",
        "x.ndjson.zst",
        "x.epd",
    ] {
        assert_eq!(
            there_and_back(&folder, "in.epd", other),
            expected,
            "{other}"
        );
    }
}

#[test]
fn nothing_is_lost_of_shared_suites() {
    let ours = Path::new(env!("CARGO_MANIFEST_DIR")).join("../suites");
    let folder = Folder::new();
    for suites in [Some(ours), crate::common::shared("suites")]
        .into_iter()
        .flatten()
    {
        for file in fs::read_dir(suites).expect("a folder") {
            let path = file.expect("a file").path();
            if path.extension().is_none_or(|extension| extension != "epd") {
                continue;
            }
            fs::copy(&path, folder.path("in.epd")).expect("copied");
            let expected = normal(&folder, "in.epd");
            for other in ["x.csv", "x.jsonl"] {
                let back = there_and_back(&folder, "in.epd", other);
                assert!(back == expected, "{}: {other}", path.display());
            }
        }
    }
}

fn operation() -> impl Strategy<Value = String> {
    let opcode = prop_oneof![
        "(id|bm|am|pm|pv|sm|sv|ce|dm|acd|acn|acs|hmvc|fmvn|eco|c[0-9]|v[0-9]|noop)",
        "[A-Za-z][A-Za-z0-9_]{0,14}",
    ];
    let operand = prop_oneof![
        "[+-]?[0-9]{1,20}",
        "(Kf1|O-O|Rh8\\+|e1f1|Kd8)",
        "\"[^\"\\p{Cc}]{0,20}\"",
        "[!#-:<-~]{1,9}",
    ];
    let operands = prop::collection::vec(operand, 0..4);
    (opcode, operands).prop_map(|(opcode, operands)| format!("{opcode} {};", operands.join(" ")))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    /// Many records a case, because each case runs the program.
    #[test]
    fn any_operation_survives(
        records in prop::collection::vec(prop::collection::vec(operation(), 0..6), 100)
    ) {
        let folder = Folder::new();
        let line = |operations: &Vec<String>| {
            format!("4k3/8/8/8/8/8/8/4K2R w K - {}\n", operations.join(" "))
        };
        fs::write(folder.path("in.epd"), records.iter().map(line).collect::<String>()).expect("written");
        let expected = normal(&folder, "in.epd");
        for other in ["x.csv", "x.jsonl"] {
            prop_assert_eq!(&there_and_back(&folder, "in.epd", other), &expected);
        }
        // And a second time nothing changes.
        fs::write(folder.path("again.epd"), &expected).expect("written");
        prop_assert_eq!(&there_and_back(&folder, "again.epd", "y.jsonl"), &expected);
    }
}

#[test]
fn long_rows_are_read() {
    let line = format!(
        "4k3/8/8/8/8/8/8/4K2R w K - {}",
        "Zz \"some text\"; ".repeat(4000)
    );
    let folder = Folder::with("x.epd", line.trim_end().to_owned() + "\n");
    let expected = normal(&folder, "x.epd");
    assert!(expected.len() > 60_000);
    assert_eq!(there_and_back(&folder, "x.epd", "x.csv"), expected);
    let json = folder
        .command("convert x.epd x.jsonl")
        .output()
        .expect("it runs");
    assert!(json.status.success());
    // A row may be longer than a line of EPD.
    let text = folder.read("x.jsonl").replace(
        "{\"fen\"",
        &format!("{{\"x\":\"{}\",\"fen\"", " ".repeat(200_000)),
    );
    fs::write(folder.path("x.jsonl"), text.repeat(3)).expect("written");
    folder.run("convert x.jsonl y.fen").code(ALL_WELL);
    assert_eq!(
        folder.read("y.fen"),
        "4k3/8/8/8/8/8/8/4K2R w K - 0 1\n".repeat(3)
    );
}
