//! Exit statuses and messages.

use std::fs;

use super::{OURS, folder};
use crate::common::{run, stderr, stdout};
use predicates::str::{contains, starts_with};
use serde_json::Value;

#[test]
fn too_little_fails() {
    let folder = folder();
    // Six of seven and four of seven.
    for (least, files, code) in [
        ("85.7%", "ours.epd", 0),
        ("85.8%", "ours.epd", 1),
        ("6", "ours.epd", 0),
        ("7", "ours.epd", 1),
        ("6", "ours.epd theirs.epd", 1),
        ("57%", "ours.epd theirs.epd", 0),
        ("0%", "ours.epd", 0),
    ] {
        let line = format!("report {files} --fail-under {least} -o out.txt");
        let assert = folder.run(&line).code(code);
        assert_eq!(stderr(&assert).is_empty(), code == 0, "{line}");
        // The report is written nevertheless.
        assert!(folder.read("out.txt").contains("Solved"));
    }
    folder
        .run("report theirs.epd ours.epd --fail-under 70%")
        .code(1)
        .stderr("theirs.epd: 4 of 7 solved, below the required 70%\n");
    // Without targets, no percentage is reached.
    run(
        "report - --fail-under 0%",
        "8/8/8/8/8/k7/8/K7 w - - pm Kb1;\n",
    )
    .code(1)
    .stderr("-: 0 of 0 solved, below the required 0%\n");
    for bad in ["101%", "many", "-1", "1.5"] {
        let assert = folder.run(&format!("report ours.epd --fail-under={bad}"));
        assert.code(2).stderr(contains("--fail-under"));
    }
}

#[test]
fn what_is_no_record_is_told() {
    let input = format!("{OURS}hello world\n8/8/8/8/8/8/8/K7 w - - id \"no king\";\n");
    let assert = run("report - --format json", input).code(2);
    let told = stderr(&assert);
    let lines: Vec<_> = told.lines().collect();
    assert!(lines[0].starts_with("-:9:12: "), "{told}");
    assert!(lines[1].starts_with("-:10:1: illegal position"), "{told}");
    let report: Value = serde_json::from_str(&stdout(&assert)).expect("JSON");
    let file = &report["files"][0];
    for (name, count) in [
        ("records", 9),
        ("illegal", 1),
        ("unreadable", 1),
        ("solved", 6),
    ] {
        assert_eq!(file[name], count, "{name}");
    }
    // An illegal position is the fault of the input, as is a move that cannot be played.
    let position = "8/8/8/8/8/k7/8/K7 w - -";
    for (operations, message) in [
        ("bm Kb2;", "-:1:28: bm: "),
        ("bm Kb1; pm Qh5;", "-:1:36: pm: "),
        ("acn many; bm Kb1; pm Kb1;", "-:1:29: acn: "),
    ] {
        let assert = run("report -", format!("{position} {operations}\n")).code(1);
        assert
            .stderr(starts_with(message))
            .stdout(contains("Totals"));
    }
}

#[test]
fn what_cannot_be_done_is_told() {
    let folder = folder();
    for (line, message) in [
        ("report none.epd", "cannot open none.epd"),
        (
            "report ours.epd -o no/where.txt",
            "cannot write no/where.txt",
        ),
        ("report - -", "standard input can be read only once"),
        (
            "report ours.epd --name a --name b",
            "--name is given 2 times for 1 file",
        ),
        ("report", "<FILE>..."),
        (
            "report ours.epd --format pdf",
            "terminal, markdown, csv, json, html",
        ),
    ] {
        folder.run(line).code(2).stderr(contains(message));
    }
    // An existing file is kept after an error.
    fs::write(folder.path("out.txt"), "old").expect("written");
    folder.run("report none.epd -o out.txt").code(2);
    assert_eq!(folder.read("out.txt"), "old");
}

#[test]
fn little_is_enough() {
    let position = "8/8/8/8/8/k7/8/K7 w - -";
    for (input, summary) in [
        (String::new(), "-  0/0"),
        (format!("{position}\n"), "-  0/0"),
        (format!("{position} bm Kb1; pm Kb1;\n"), "100.0%  1/1"),
        (format!("{position} am Kb1; pm Kb1;\n"), "0.0%  0/1"),
        (format!("{position} bm Kb1;\n"), "0.0%  0/1"),
    ] {
        for format in ["terminal", "markdown", "csv", "json", "html"] {
            let assert = run(&format!("report - --format {format}"), input.as_str()).success();
            assert
                .stderr("")
                .stdout(contains(if format == "terminal" { summary } else { "" }));
        }
    }
}

/// Records with the same id but different positions are compared and reported.
#[test]
fn different_positions_under_one_id_are_told() {
    let folder = folder();
    let other = "8/8/8/8/8/k7/8/K7 w - - bm Kb1; id \"BK.01\"; pm Kb1;\n";
    fs::write(folder.path("other.epd"), other).expect("written");
    folder
        .run("report ours.epd other.epd")
        .success()
        .stderr("ours.epd and other.epd: 1 of 1 record has the same id but different positions\n");
}
