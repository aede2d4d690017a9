//! The journal of a run: runs that are resumed, killed, changed, or shown while they are under way.

use std::fs;
use std::io::{BufRead, BufReader};

use super::{RULES, folder, iterations, tune};
use crate::common::records::SUITE;
use crate::common::{ALL_WELL, FAILED, interrupt, stdout};
use predicates::prelude::*;
use predicates::str::contains;

/// With one job, fixed nodes and a seed, runs are the same; and so is one that was killed at any line, even
/// within it.
#[test]
fn a_resumed_run_is_the_same() {
    let folder = folder();
    let line = format!(
        "{RULES} --param Nodes=10,1..100 --param Bad=5,0..9 --games 16 --seed 7 -o run.tune"
    );
    let first = stdout(&tune(&folder, &line).code(ALL_WELL));
    let whole = iterations(&folder);
    assert_eq!(whole.len(), 8);
    let exists =
        contains("run.tune exists: --resume run.tune continues its run, --restart starts over");
    tune(&folder, &line).code(FAILED).stderr(exists);
    let again = tune(&folder, &format!("{line} --restart")).code(ALL_WELL);
    assert_eq!(
        (stdout(&again), iterations(&folder)),
        (first.clone(), whole.clone())
    );

    let text = folder.read("run.tune");
    let third = text.match_indices('\n').nth(3).expect("four lines").0;
    for (cut, torn) in [(third + 1, false), (third + 30, true), (third, true)] {
        fs::write(folder.path("run.tune"), &text[..cut]).expect("written");
        let done = folder.run("tune --resume run.tune").code(ALL_WELL);
        let note = contains("the line is incomplete and not used");
        let done = if torn {
            done.stderr(note)
        } else {
            done.stderr(note.not())
        };
        assert_eq!(
            (stdout(&done), iterations(&folder)),
            (first.clone(), whole.clone())
        );
    }
    // A finished run has nothing left to do.
    let done = folder.run("tune --resume run.tune").code(ALL_WELL);
    assert_eq!((stdout(&done), iterations(&folder)), (first.clone(), whole));
    let shown = folder.run("tune --show run.tune").code(ALL_WELL);
    assert_eq!(stdout(&shown), first);
}

/// A run that is killed keeps all iterations that it finished.
#[test]
fn a_killed_run_loses_nothing() {
    let folder = folder();
    let line = format!(
        "tune --engine ./engine.sh {RULES} --param Nodes=10,1..100 --games 2000 --jobs 2 -o run.tune"
    );
    let mut child = folder.start(&line);
    while !folder.path("run.tune").exists() || iterations(&folder).len() < 3 {
        assert!(child.try_wait().expect("a child").is_none(), "it runs");
        std::thread::yield_now();
    }
    child.kill().expect("killed");
    child.wait().expect("dead");
    let text = folder.read("run.tune");
    let lines = text.matches('\n').count();
    // The same with Ctrl-C.
    let mut child = folder.start("tune --resume run.tune");
    while iterations(&folder).len() < lines + 2 {
        assert!(child.try_wait().expect("a child").is_none(), "it runs");
        std::thread::yield_now();
    }
    interrupt(&child);
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(FAILED));
    let told = String::from_utf8(output.stderr).expect("UTF-8");
    assert!(
        told.contains("finishing the iterations in progress"),
        "{told}"
    );
    assert!(
        told.contains("continue with: epode tune --resume run.tune"),
        "{told}"
    );
    let whole = &text[..=text.rfind('\n').expect("lines")];
    assert!(folder.read("run.tune").starts_with(whole));
    // No iteration is played twice.
    let mut numbers: Vec<_> = iterations(&folder)
        .iter()
        .map(|line| line.split(',').next().expect("a number").to_owned())
        .collect();
    let count = numbers.len();
    numbers.sort();
    numbers.dedup();
    assert_eq!(numbers.len(), count);
}

#[test]
fn changed_settings_are_refused() {
    let folder = folder();
    fs::write(folder.path("book.epd"), SUITE).expect("written");
    let line = format!("{RULES} --book book.epd --param Nodes=10,1..100 --games 2 -o run.tune");
    tune(&folder, &line).code(ALL_WELL);
    let refused = |line: &str, why: &str| {
        folder
            .run(&format!("tune --resume run.tune {line}"))
            .code(FAILED)
            .stderr(contains(format!(
                "run.tune was started with other settings: {why}"
            )));
    };
    refused(
        "--nodes 21 --seed 5",
        "--nodes was 20, is 21; --seed was not given, is 5",
    );
    refused("--param Nodes=10,1..99", "the parameters");
    folder
        .run("tune --resume run.tune --nodes 20 --param Nodes=10,1..100")
        .code(ALL_WELL);
    let text = folder.read("book.epd") + "4k3/8/8/8/8/8/8/4K2R w K - id \"more\";\n";
    fs::write(folder.path("book.epd"), text).expect("written");
    refused("--nodes 20", "the positions of book.epd");
    fs::write(
        folder.path("run.tune"),
        "{\"format\":\"epode-tune\",\"version\":2}\n",
    )
    .expect("written");
    let version = contains("run.tune:1: found version 2 of the journal, expected version 1");
    folder
        .run("tune --show run.tune")
        .code(FAILED)
        .stderr(version);
    fs::write(folder.path("run.tune"), "x\n").expect("written");
    let other = contains("run.tune:1: not the first line of a journal of epode tune");
    folder
        .run("tune --resume run.tune")
        .code(FAILED)
        .stderr(other);
    let none = contains("cannot open none: there is no such file");
    folder.run("tune --resume none").code(FAILED).stderr(none);
}

/// The output of a run under way can be shown.
#[test]
fn a_run_under_way_is_shown() {
    let folder = folder();
    let line = format!(
        "tune --engine ./engine.sh {RULES} --param Nodes=10,1..100 --games 2000 -o run.tune"
    );
    let mut child = folder.start(&line);
    while !folder.path("run.tune").exists() || folder.read("run.tune").matches('\n').count() < 2 {
        assert!(child.try_wait().expect("a child").is_none(), "it runs");
        std::thread::yield_now();
    }
    folder
        .run("tune --show run.tune")
        .code(ALL_WELL)
        .stdout(contains(" of 1,000 iterations; "));
    let writes = contains("another run writes run.tune");
    folder
        .run("tune --resume run.tune")
        .code(FAILED)
        .stderr(writes);
    interrupt(&child);
    let told = child.stderr.take().expect("a pipe");
    let lines: Vec<_> = BufReader::new(told).lines().map_while(Result::ok).collect();
    assert_eq!(
        child.wait().expect("it ends").code(),
        Some(FAILED),
        "{lines:?}"
    );
}
