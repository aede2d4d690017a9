//! The title of a report, and the names of its files.

use std::fs;

use super::{OURS, folder, report};
use crate::common::records::SUITE;
use crate::common::{Folder, stdout};
use predicates::prelude::*;
use predicates::str::{contains, starts_with};
use serde_json::Value;

#[test]
fn files_have_the_names_that_they_are_given() {
    let folder = folder();
    let assert = folder
        .command("report ours.epd theirs.epd --name")
        .arg("a <b> | c")
        .assert();
    assert
        .success()
        .stdout(contains("a <b> | c").and(contains("theirs.epd")));
    let mut command = folder.command("report - theirs.epd --format json");
    let assert = command.write_stdin(OURS).assert().success();
    let report: Value = serde_json::from_str(&stdout(&assert)).expect("JSON");
    assert_eq!(report["files"][0]["name"], "-");
    assert_eq!(report["comparisons"][0]["records"], 7);
}

/// The title has suite, limits, engine and date from the description of the run, or else the file
/// names.
#[test]
fn the_title_tells_how_results_were_made() {
    let folder = Folder::with("in.epd", SUITE);
    for (name, nodes) in [("a.epd", 500), ("b.epd", 5000)] {
        folder
            .run(&format!("pfts in.epd {name} --nodes {nodes}"))
            .success();
    }
    let text = stdout(&folder.run("report a.epd b.epd").success());
    let lines: Vec<_> = text.lines().take(3).collect();
    assert_eq!(lines[0], "in.epd, 500 nodes and 5,000 nodes a position");
    for (line, begin) in [
        (
            lines[1],
            "  a.epd: Epode 0.1.0, 500 nodes a position, 1 thread, ",
        ),
        (
            lines[2],
            "  b.epd: Epode 0.1.0, 5,000 nodes a position, 1 thread, ",
        ),
    ] {
        assert!(line.starts_with(begin) && line.ends_with(" UTC"), "{line}");
    }
    let markdown = stdout(&folder.run("report b.epd --format markdown").success());
    assert!(
        markdown
            .starts_with("# in.epd, 5,000 nodes a position\n\n- b.epd: Epode 0.1.0, 5,000 nodes"),
        "{markdown}"
    );
    let report = report(&folder, "a.epd b.epd");
    assert_eq!(report["title"], lines[0]);
    assert_eq!(report["files"][1]["run"]["limits"]["nodes"], 5000);
    let page = stdout(&folder.run("report b.epd --format html").success());
    assert!(page.contains("<title>in.epd, 5,000 nodes a position: Epode 0.1.0</title>"));
    assert!(page.contains("<h1>in.epd, 5,000 nodes a position</h1>"));

    // A description of another file is ignored, and an unreadable one is reported.
    let first = folder.read("a.epd").lines().next().map(str::to_owned);
    fs::write(folder.path("a.epd"), first.expect("a line") + "\n").expect("written");
    fs::write(folder.path("b.epd.run.json"), "{").expect("written");
    folder
        .run("report a.epd b.epd")
        .success()
        .stderr(contains("a.epd.run.json: ignored: it describes").and(contains("b.epd.run.json")))
        .stdout(starts_with("Report on a.epd and b.epd\n\n"));
}

/// Files are named by their engines if these differ.
#[test]
fn files_are_named_after_their_engines() {
    let folder = folder();
    let write = |file: &str, engine: &str| {
        let run = format!(
            "{{\"format\": \"epode-run\", \"version\": 1, \"input\": \"bk.epd\", \"records\": {}, \
             \"engine\": {{\"name\": \"{engine}\"}}}}",
            folder.read(file).lines().count()
        );
        fs::write(folder.path(&format!("{file}.run.json")), run).expect("written");
    };
    write("ours.epd", "Epode 0.1.0");
    write("theirs.epd", "Stockfish 15.1");
    let verdict = "Epode 0.1.0 solved 6 of 7 (85.7%), Stockfish 15.1 solved 4 (57.1%)";
    let line = "report ours.epd theirs.epd";
    folder.run(line).success().stdout(contains(verdict));
    let assert = folder.run(&format!("{line} --name X")).success();
    assert.stdout(contains(
        "X solved 6 of 7 (85.7%), Stockfish 15.1 solved 4 (57.1%)",
    ));
    write("theirs.epd", "Epode 0.1.0");
    let verdict = "ours.epd solved 6 of 7 (85.7%), theirs.epd solved 4 (57.1%)";
    folder.run(line).success().stdout(contains(verdict));
}
