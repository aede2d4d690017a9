//! `DuckDB` reads CSV and JSON lines of `epode convert` with the right types. Tested if `EPODE_DUCKDB` names a
//! Python with duckdb.

use std::process::Command;

use crate::common::{ALL_WELL, Folder};
use epd::Record;
use serde_json::{Value, json};

const SUITE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../suites/bratko-kopec.epd");

/// What the records say, in the form of the script's answers.
fn expected(records: &[Record]) -> Value {
    let score = |record: &Record| record.evaluation().expect("a number").expect("ce");
    let nodes = |record: &Record| record.nodes().expect("a number").expect("acn");
    let scores = records.iter().map(score);
    let spread = scores.clone().max().expect("some") - scores.min().expect("some");
    let mut good: Vec<_> = records
        .iter()
        .filter(|record| score(record) > 150 && record.depth().expect("a number") >= Some(5))
        .collect();
    good.sort_by_key(|record| {
        (
            -score(record),
            record.id().expect("text").map(str::to_owned),
        )
    });
    let names: Vec<_> = good
        .iter()
        .map(|record| record.id().expect("text"))
        .collect();
    let black = records
        .iter()
        .filter(|record| record.setup.turn == movegen::Color::Black)
        .count();
    let solved = records.iter().filter(|record| {
        let position = record.position().expect("legal");
        let best = record.best_moves(&position).expect("legal").expect("bm");
        let found = record
            .predicted_move(&position)
            .expect("legal")
            .expect("pm");
        best.contains(&found)
    });
    json!([
        [
            records.len(),
            records.iter().map(nodes).sum::<u64>(),
            spread
        ],
        names,
        [["b", black], ["w", records.len() - black]],
        [solved.count()],
    ])
}

#[test]
fn duckdb_knows_the_types() {
    let Some(python) = std::env::var_os("EPODE_DUCKDB") else {
        println!("not tested: EPODE_DUCKDB names no Python with duckdb");
        return;
    };
    let folder = Folder::new();
    folder
        .run(&format!("pfts {SUITE} solved.epd --nodes 2000"))
        .code(ALL_WELL);
    folder.run("convert solved.epd solved.csv").code(ALL_WELL);
    folder.run("convert solved.epd solved.jsonl").code(ALL_WELL);
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/duckdb.py");
    let files = ["solved.csv", "solved.jsonl"].map(|name| folder.path(name));
    let output = Command::new(python)
        .arg(script)
        .args(files)
        .output()
        .expect("Python runs");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );

    let records = folder.read("solved.epd");
    let records: Vec<Record> = records
        .lines()
        .map(|line| line.parse().expect("a record"))
        .collect();
    let printed = String::from_utf8(output.stdout).expect("UTF-8");
    for (line, moves) in printed.lines().zip(["VARCHAR", "VARCHAR[]"]) {
        let told: Value = serde_json::from_str(line).expect("JSON");
        let kinds = &told[0];
        for (column, kind) in [
            ("fen", "VARCHAR"),
            ("id", "VARCHAR"),
            ("bm", moves),
            ("pv", moves),
            ("pm", "VARCHAR"),
        ] {
            assert_eq!(kinds[column], kind, "{column}");
        }
        for column in ["ce", "acd", "acn"] {
            // Which integer depends on the values.
            let kind = kinds[column].as_str().expect("a type");
            assert!(
                ["BIGINT", "UBIGINT", "HUGEINT"].contains(&kind),
                "{column}: {kind}"
            );
        }
        assert_eq!(told[1], expected(&records));
    }
    assert_eq!(printed.lines().count(), 2);
}
