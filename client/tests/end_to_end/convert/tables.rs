//! The columns of CSV and JSON: their types, the tables of others, and bad rows.

use std::fs;

use crate::common::{ALL_WELL, FAILED, Folder};
use predicates::str::contains;
use serde_json::Value;

#[test]
fn columns_have_types() {
    let line = "1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - Scd 10; acd 18; acn 12981; bm Qd1+; \
                ce 32762; id \"001\"; pm Qd1+; pv Qd1+ Kxd1 Bg4+;\n";
    let folder = Folder::with("x.epd", line);
    folder.run("convert x.epd x.jsonl").code(ALL_WELL);
    let row: Value = serde_json::from_str(&folder.read("x.jsonl")).expect("JSON");
    let expected = serde_json::json!({
        "fen": "1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - 0 1", "turn": "b", "id": "001",
        "bm": ["Qd1+"], "pm": "Qd1+", "pv": ["Qd1+", "Kxd1", "Bg4+"], "ce": 32762, "acd": 18, "acn": 12981,
        "operations": "Scd 10;",
    });
    let mut present = row.as_object().expect("an object").clone();
    assert_eq!(present.len(), 29, "every column is there");
    present.retain(|_, value| !value.is_null());
    assert_eq!(Value::Object(present), expected);
    folder.run("convert x.epd x.csv").code(ALL_WELL);
    let csv = folder.read("x.csv");
    let mut lines = csv.lines();
    assert!(
        lines
            .next()
            .expect("a header")
            .starts_with("fen,turn,id,bm,am,pm,pv,sm,sv,ce,dm,acd")
    );
    let row = lines.next().expect("a row");
    assert!(
        row.contains(",b,001,Qd1+,,Qd1+,Qd1+ Kxd1 Bg4+,,,32762,,18,12981,,"),
        "{row}"
    );
}

#[test]
fn tables_of_others_are_read() {
    let csv = "\u{FEFF}FEN;depth;Name;White Elo;bm\r\n\
               4k3/8/8/8/8/8/8/4K2R w K - 0 1;20;\"a; b\nc\";2700;['O-O', 'Rh8+']\r\n\
               4k3/8/8/8/8/8/8/4K2R b K - 5 9;;x;;\r\n";
    let folder = Folder::with("x.csv", csv);
    folder
        .run("convert x.csv -")
        .code(ALL_WELL)
        .stdout(
            "4k3/8/8/8/8/8/8/4K2R w K - Name \"a; b c\"; bm O-O Rh8+; depth 20; fmvn 1; hmvc 0;\n\
             4k3/8/8/8/8/8/8/4K2R b K - Name \"x\"; fmvn 9; hmvc 5;\n",
        )
        .stderr(contains("x.csv:1: the column \"White Elo\" is left out"));
    let json = "{\"fen\": \"4k3/8/8/8/8/8/8/4K2R w K -\", \"ce\": 15.0, \"hmvc\": null, \"x\": \"y\", \"id\": 5}\n";
    fs::write(folder.path("x.jsonl"), json).expect("written");
    folder
        .run("convert x.jsonl -")
        .code(ALL_WELL)
        .stdout("4k3/8/8/8/8/8/8/4K2R w K - ce 15; id \"5\"; x \"y\";\n");
}

#[test]
fn bad_rows_are_reported_with_their_places() {
    let fen = "4k3/8/8/8/8/8/8/4K2R w K -";
    let folder = Folder::with(
        "x.jsonl",
        format!(
            "{{\"fen\": \"{fen}\"}}\n{{\"fen\": \"4k3/8 w\"}}\n[1]\n{{\"id\": \"x\"\n{{\"fen\": \"{fen}\", \"turn\": \"b\"}}\n"
        ),
    );
    folder
        .run("convert x.jsonl -")
        .code(FAILED)
        .stdout(format!("{fen}\n"))
        .stderr(contains("x.jsonl:2:10: \"4k3/8 w\": "))
        .stderr(contains("x.jsonl:3:1: expected a JSON object\n"))
        .stderr(contains("x.jsonl:4:10: EOF while parsing"))
        .stderr(contains(
            "x.jsonl:5:48: turn is \"b\", but the FEN says \"w\"",
        ))
        .stderr(contains(
            "1 record, 0 with warnings; 4 lines not understood",
        ));
    fs::write(
        folder.path("x.csv"),
        format!("fen,ce\n{fen},12,13\n,3\n{fen},draw\n"),
    )
    .expect("written");
    folder
        .run("convert x.csv -")
        .code(FAILED)
        .stdout(format!("{fen} ce \"draw\";\n"))
        .stderr(contains("x.csv:2:1: 3 fields, expected 2"))
        .stderr(contains("x.csv:3:1: there is no fen"))
        .stderr(contains("x.csv:4:1: warning[operand-type]"));
    fs::write(folder.path("y.csv"), "a,b\n1,2\n").expect("written");
    folder
        .run("convert y.csv -")
        .code(FAILED)
        .stderr(contains("y.csv:1:1: there is no column \"fen\""));
}
