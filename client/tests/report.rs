//! `epode report` as a user runs it: what each format has, what the exit status tells, and its
//! numbers held against a script that counts in another way.

mod common;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use common::records::SUITE;
use common::{Folder, run, stderr, stdout};
use predicates::prelude::*;
use predicates::str::{contains, starts_with};
use serde_json::Value;

/// What searches of 400 ms and of 15 ms found. Of seven targets the first solved six and was given up
/// in one, the second solved four; in the first a record lacks its id and another has no target.
const OURS: &str = include_str!("report/ours.epd");
const THEIRS: &str = include_str!("report/theirs.epd");

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/report")
        .join(name)
}

/// A folder with both files.
fn folder() -> Folder {
    let folder = Folder::with("ours.epd", OURS);
    fs::write(folder.path("theirs.epd"), THEIRS).expect("written");
    folder
}

/// Runs a Python script, and says so where there is no Python.
fn python(arguments: &[PathBuf]) -> Option<String> {
    let child = Command::new("python3")
        .args(arguments)
        .stdout(Stdio::piped())
        .spawn();
    let Ok(child) = child else {
        eprintln!("not tested: there is no python3");
        return None;
    };
    let output = child.wait_with_output().expect("ended");
    assert!(output.status.success());
    Some(String::from_utf8(output.stdout).expect("UTF-8"))
}

/// Each format, byte for byte. After a change that is meant, run
/// `EPODE_BLESS=1 cargo test -p epode --test report` and look at what git says changed.
#[test]
fn golden() {
    let folder = folder();
    for name in [
        "report.txt",
        "report.md",
        "report.csv",
        "report.json",
        "report.html",
    ] {
        let line = format!("report ours.epd theirs.epd -o {name}");
        folder.run(&line).success().stdout("").stderr("");
        let found = folder.read(name);
        if std::env::var_os("EPODE_BLESS").is_some() {
            fs::write(data(name), &found).expect("written");
        }
        let expected = fs::read_to_string(data(name)).expect("committed");
        assert!(found == expected, "{name} is another:\n{found}");
    }
    assert_eq!(folder.names().len(), 7, "{:?}", folder.names());
}

#[test]
fn formats_by_name_or_by_option() {
    let folder = folder();
    let by_option =
        |format: &str| stdout(&folder.run(&format!("report ours.epd --format {format}")));
    for (format, begin) in [
        ("terminal", "Solved\n"),
        ("markdown", "# Report\n"),
        ("csv", "file,line,id,"),
        ("json", "{\n"),
        ("html", "<!DOCTYPE html>\n"),
    ] {
        assert!(by_option(format).starts_with(begin), "{format}");
    }
    assert_eq!(
        stdout(&folder.run("report ours.epd")),
        by_option("terminal")
    );
    // What is asked for goes before what a name means.
    folder
        .run("report ours.epd -o x.json --format csv")
        .success();
    assert_eq!(folder.read("x.json"), by_option("csv"));
}

fn report(folder: &Folder, files: &str) -> Value {
    let assert = folder
        .run(&format!("report {files} -o report.json"))
        .success();
    assert_eq!(stdout(&assert), "");
    serde_json::from_str(&folder.read("report.json")).expect("JSON")
}

/// Numbers are equal, or the same but for rounding.
fn assert_same(found: &Value, expected: &Value, at: &str) {
    match (found, expected) {
        (Value::Number(one), Value::Number(other)) => {
            let [one, other] = [one, other].map(|number| number.as_f64().expect("finite"));
            let close = (one - other).abs() <= 1e-9 * one.abs().max(other.abs());
            assert!(close, "{at}: {one}, recounted {other}");
        }
        (Value::Array(one), Value::Array(other)) => {
            assert_eq!(
                one.len(),
                other.len(),
                "{at}: {found}, recounted {expected}"
            );
            for (i, (one, other)) in one.iter().zip(other).enumerate() {
                assert_same(one, other, &format!("{at}[{i}]"));
            }
        }
        (Value::Object(one), Value::Object(other)) => {
            // The script tells what can be counted; names and the like it does not repeat.
            for (key, other) in other {
                let one = one.get(key).unwrap_or_else(|| panic!("{at}: no {key}"));
                assert_same(one, other, &format!("{at}.{key}"));
            }
        }
        _ => assert_eq!(found, expected, "{at}"),
    }
}

fn recount(folder: &Folder, files: &[&str]) {
    let report = report(folder, &files.join(" "));
    let mut arguments = vec![data("recount.py"), folder.path("report.json")];
    arguments.extend(files.iter().map(|name| folder.path(name)));
    let Some(recounted) = python(&arguments) else {
        return;
    };
    let recounted: Value = serde_json::from_str(&recounted).expect("JSON");
    for part in ["files", "comparisons"] {
        assert_same(&report[part], &recounted[part], part);
    }
    for part in ["themes", "distributions", "curves"] {
        let lists = report[part].as_array().expect("a list").iter();
        let lists = Value::Array(lists.map(|part| part["files"].clone()).collect());
        assert_same(&lists, &recounted[part], part);
    }
}

#[test]
fn small_files_recounted() {
    recount(&folder(), &["ours.epd", "theirs.epd"]);
    recount(&folder(), &["theirs.epd"]);
}

/// What three real runs of different effort come to.
#[test]
fn real_runs_recounted() {
    let folder = Folder::with("in.epd", SUITE);
    for (name, effort) in [
        ("a.epd", "--nodes 500"),
        ("b.epd", "--nodes 5000"),
        ("c.epd", "--depth 4 --write default,cte,acs"),
    ] {
        folder
            .run(&format!("pfts in.epd {name} {effort}"))
            .success();
    }
    recount(&folder, &["a.epd", "b.epd", "c.epd"]);
}

/// pfts counts as the report does.
#[test]
fn pfts_says_the_same() {
    let folder = Folder::with("in.epd", SUITE);
    let assert = folder.run("pfts in.epd out.epd --nodes 2000").success();
    let file = &report(&folder, "out.epd")["files"][0];
    let expected = format!(
        "{} solved, {} missed, 0 without target; {} nodes ",
        file["solved"], file["missed"], file["nodes"]
    );
    assert.stderr(starts_with(expected));
}

/// Python's reader of XML takes the page, which names nothing outside itself.
#[test]
fn the_page_is_whole() {
    let folder = folder();
    folder
        .run("report ours.epd theirs.epd -o page.html")
        .success();
    let page = folder.read("page.html");
    for word in ["http", "src=", "@import", "<link", "url(h"] {
        assert!(!page.contains(word), "{word}");
    }
    for (what, count) in [("<svg class=\"board\"", 4), ("<svg class=\"chart\"", 8)] {
        assert_eq!(page.matches(what).count(), count, "{what}");
    }
    fs::write(
        folder.path("check.py"),
        "import sys, xml.etree.ElementTree as tree\n\
         page = tree.parse(sys.argv[1]).getroot()\n\
         used = {use.get('href')[1:] for use in page.iter('use')}\n\
         assert used <= {each.get('id') for each in page.iter()}, used\n\
         print(len(page.findall('.//table')))\n",
    )
    .expect("written");
    if let Some(tables) = python(&[folder.path("check.py"), folder.path("page.html")]) {
        assert_eq!(tables, "7\n");
    }
    folder
        .run("report theirs.epd --boards 1 -o page.html")
        .success();
    assert!(
        folder
            .read("page.html")
            .contains("Missed positions (1 of 3)")
    );
    folder
        .run("report theirs.epd --boards 0 -o page.html")
        .success();
    assert!(!folder.read("page.html").contains("<svg class=\"board\""));
}

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
        // The report is written all the same.
        assert!(folder.read("out.txt").contains("Solved"));
    }
    folder
        .run("report theirs.epd ours.epd --fail-under 70%")
        .code(1)
        .stderr("theirs.epd: 4 of 7 solved, which is under 70%\n");
    // Where there was nothing to solve, no share of it was.
    run(
        "report - --fail-under 0%",
        "8/8/8/8/8/k7/8/K7 w - - pm Kb1;\n",
    )
    .code(1)
    .stderr("-: 0 of 0 solved, which is under 0%\n");
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
    assert!(lines[1].starts_with("-:10: illegal position"), "{told}");
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
        ("bm Kb2;", "-:1: bm: "),
        ("bm Kb1; pm Qh5;", "-:1: pm: "),
        ("acn many; bm Kb1; pm Kb1;", "-:1: acn: "),
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
    // A file that was there stays when there is nothing to put in its place.
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

/// The same id with another position is compared, and said.
#[test]
fn different_positions_under_one_id_are_told() {
    let folder = folder();
    let other = "8/8/8/8/8/k7/8/K7 w - - bm Kb1; id \"BK.01\"; pm Kb1;\n";
    fs::write(folder.path("other.epd"), other).expect("written");
    folder.run("report ours.epd other.epd").success().stderr(
        "ours.epd and other.epd: 1 of 1 records have the same id and different positions\n",
    );
}
