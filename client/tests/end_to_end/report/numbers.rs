//! The numbers of a report, recounted by an independent script.

use super::{data, folder, python, report};
use crate::common::records::SUITE;
use crate::common::{Folder, run, stdout};
use predicates::str::starts_with;
use serde_json::Value;

/// Numbers are equal up to rounding.
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
            // The script has only numbers.
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

/// The results of three real runs with different limits.
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

/// Results of the Strategic Test Suite: half of the points.
#[test]
fn the_strategic_test_suite_has_a_rating() {
    let position = "8/P7/8/8/8/8/5k2/K7 w - -";
    let record = |theme: &str, n: usize, mv: &str| {
        format!("{position} bm Kb1; c0 \"Kb1=10, Kb2=4\"; id \"STS(v{theme}.{n:03}\"; pm {mv};\n")
    };
    let input = [
        record("1.0) Undermine", 1, "Kb1"),
        record("1.0) Undermine", 2, "a8=Q"),
        record("9.0) Advancement of a/b/c pawns", 1, "Kb2"),
        record("9.0) Advancement of a/b/c pawns", 2, "Kb2"),
    ];
    let text = stdout(&run("report -", input.concat()).success());
    // 18 of 40 points: 44.523 * 45 - 242.85.
    for words in [
        "STS rating, an estimate: about 1761.",
        "STS rating (estimate)  1761",
        "(STS Rating v13 by Ferdinand Mosca",
        "  STS(v9.0) Advancement of a/b/c pawns",
    ] {
        assert!(
            text.split_whitespace()
                .collect::<Vec<_>>()
                .join(" ")
                .contains(&words.split_whitespace().collect::<Vec<_>>().join(" ")),
            "{words}: {text}"
        );
    }
    let other = input.concat().replace("STS(v1.0) Undermine.002", "BK.02");
    let text = stdout(&run("report -", other).success());
    assert!(!text.contains("STS rating"), "{text}");
}
