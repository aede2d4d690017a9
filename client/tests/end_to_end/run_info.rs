//! The description of a run beside its result file.

use crate::common::records::SUITE;
use crate::common::{ALL_WELL, Folder, stockfish};
use serde_json::Value;

/// The description of a run.
fn info(folder: &Folder, name: &str) -> Value {
    serde_json::from_str(&folder.read(name)).expect("JSON")
}

#[test]
fn a_result_file_has_its_run_beside_it() {
    let folder = Folder::with("in.epd", SUITE);
    folder
        .run("pfts in.epd out.epd --nodes 1000 --depth 9 --jobs 2")
        .code(ALL_WELL);
    let told = info(&folder, "out.epd.run.json");
    assert_eq!(told["format"], "epode-run");
    assert_eq!(told["version"], 1);
    assert_eq!(told["verb"], "pfts");
    assert_eq!(told["input"], "in.epd");
    assert_eq!(told["records"], 24);
    assert_eq!(
        told["limits"],
        serde_json::json!({"nodes": 1000, "depth": 9})
    );
    let engine = concat!("Epode ", env!("CARGO_PKG_VERSION"));
    assert_eq!(
        told["engine"],
        serde_json::json!({"name": engine, "options": {}})
    );
    for (field, expected) in [("threads", 1), ("jobs", 2), ("multipv", 1), ("hash_mib", 1)] {
        assert_eq!(told[field], expected, "{field}");
    }
    let time = |field: &str| -> jiff::Timestamp {
        let text = told[field].as_str().expect(field);
        assert!(text.ends_with('Z'), "{text}");
        text.parse().expect("RFC 3339")
    };
    assert!(time("started") <= time("finished"));

    folder
        .run("pfms --moves 2 --time 1s in.epd mates.epd")
        .code(ALL_WELL);
    let told = info(&folder, "mates.epd.run.json");
    assert_eq!(told["verb"], "pfms");
    assert_eq!(
        told["limits"],
        serde_json::json!({"time_ms": 1000, "moves": 2})
    );
}

/// Standard output has no description.
#[test]
fn a_stream_has_no_run_beside_it() {
    let folder = Folder::with("in.epd", SUITE);
    for line in ["pfga in.epd --depth 1", "pfga in.epd - --depth 1"] {
        folder.run(line).code(ALL_WELL);
        assert_eq!(folder.names(), ["in.epd"]);
    }
}

#[test]
fn another_engine_is_named_as_it_names_itself() {
    let Some(stockfish) = stockfish() else {
        return;
    };
    let folder = Folder::with("in.epd", SUITE);
    let line = format!("pfga in.epd out.epd --depth 1 --engine {stockfish} --option Hash=2");
    folder.run(&line).code(ALL_WELL);
    let told = info(&folder, "out.epd.run.json");
    // The engine's own option is what counts.
    assert_eq!(told["hash_mib"], 2);
    let engine = &told["engine"];
    let name = engine["name"].as_str().expect("a name");
    assert!(name.starts_with("Stockfish "), "{name}");
    assert_eq!(engine["command"], stockfish);
}
