//! What a run is given: parameters, options that can be tuned, numbers of games, and openings.

use std::fs;

use super::{RULES, folder, iterations, tune};
use crate::common::{ALL_WELL, FAILED, stdout};
use predicates::prelude::*;
use predicates::str::{contains, ends_with, starts_with};

#[test]
fn faults_in_parameters_are_told() {
    let folder = folder();
    fs::write(
        folder.path("params.txt"),
        "Nodes, int, 40, 1, 400\nBad, int, x, 0, 9\n",
    )
    .expect("written");
    for (line, why) in [
        (
            "--params params.txt",
            "params.txt:2:11: found \"x\", expected a value",
        ),
        (
            "--param Nodes=5,1-9",
            "--param \"Nodes=5,1-9\": column 9: found \"1-9\", expected a range MIN..MAX",
        ),
        (
            "--param Node=5,1..9",
            "has no option Node; did you mean Nodes?",
        ),
        (
            "--param Nodes=5,0..9",
            "the range of Nodes is 0 to 9, but Epode",
        ),
        (
            "--param Nodes=5,0.5..9",
            "takes whole numbers for Nodes, which is a float here",
        ),
        ("--param Ponder=5,0..9", "takes true or false for Ponder"),
        (
            "--param SyzygyPath=5,0..9",
            "the value of SyzygyPath of Epode",
        ),
        (
            "--param Bad=5,0..9 --option Bad=1",
            "Bad is both a parameter and an --option",
        ),
        (
            "--param Hash=16,1..64 --hash 4",
            "Hash is both a parameter and set by --hash",
        ),
        (
            "--param threads=1,1..2 --threads 1",
            "threads is both a parameter and set by --threads",
        ),
        (
            "--param Bad=5,..9",
            "column 7: found nothing, expected a minimum",
        ),
        (
            "--param Bad=5,7..6",
            "column 10: found \"6\", expected a maximum above 7",
        ),
        (
            "--param Bad=5,0..9 --param bad=5,0..9",
            "bad is there twice",
        ),
        ("--params none.txt", "cannot read none.txt"),
        ("", "nothing to tune: give --param"),
    ] {
        tune(
            &folder,
            &format!("{RULES} {line} -o run.tune").replace("  ", " "),
        )
        .code(FAILED)
        .stderr(contains(why));
    }
    assert!(!folder.path("run.tune").exists());
    tune(&folder, "--param Bad=5,0..9")
        .code(FAILED)
        .stderr(contains("Give --nodes N"));
    let missing = folder.run(&format!("tune --engine ./none {RULES} --param Bad=5,0..9"));
    missing
        .code(FAILED)
        .stderr(contains("cannot start the engine ./none"));
}

/// Only whole iterations are played, and the output says so.
#[test]
fn games_beyond_the_last_iteration_are_told() {
    let folder = folder();
    let told = "--games 3: 2 are played, since an iteration has 2\n";
    for (games, begin) in [("3", told), ("2", "1 iteration in ")] {
        let line = format!("{RULES} --param Bad=5,0..9 --games {games}");
        tune(&folder, &line)
            .code(ALL_WELL)
            .stderr(starts_with(begin));
    }
}

/// What `--list` prints can be used as `--params`.
#[test]
fn numeric_options_are_listed() {
    let folder = folder();
    let listed = stdout(&tune(&folder, "--list").code(ALL_WELL));
    for line in [
        "Nodes, int, 40, 1, 400, 19.95, 0.002",
        "Bad, int, 0, 0, 9, 0.5, 0.002",
        "Factor, float, 0.5, 0, 1, 0.05, 0.002",
    ] {
        assert!(listed.lines().any(|other| other == line), "{listed}");
    }
    assert!(listed.starts_with("# Epode"), "{listed}");
    let chosen: Vec<_> = listed
        .lines()
        .filter(|line| line.starts_with(['N', 'F']))
        .collect();
    fs::write(folder.path("params.txt"), chosen.join("\n")).expect("written");
    let line = format!("{RULES} --params params.txt --games 2 --print setoption");
    let done = tune(&folder, &line).code(ALL_WELL);
    let printed = stdout(&done);
    assert!(
        printed.starts_with("setoption name Nodes value "),
        "{printed}"
    );
    // The engine gets a number of type string as it is: both sides of each game.
    let factors = folder.read("factors");
    let values: Vec<f64> = factors
        .lines()
        .map(|line| {
            line.rsplit(' ')
                .next()
                .expect("a word")
                .parse()
                .expect("a number")
        })
        .filter(|value: &f64| (value - 0.5).abs() > 1e-9)
        .collect();
    assert_eq!(values.len(), 4, "{factors}");
    assert!(
        values
            .iter()
            .all(|value| ((value - 0.5).abs() - 0.05).abs() < 1e-6),
        "{factors}"
    );
    // The built-in engine.
    let built_in = folder.run("tune --list").code(ALL_WELL);
    built_in.stdout(contains("Hash, int, 16, 1, 1048576, "));
}

/// Openings come from EPD, FEN and PGN.
#[test]
fn books() {
    let folder = folder();
    fs::write(folder.path("book.pgn"), "1. e4 e5 2. Nf3 *\n\n1. d4 d5 *\n").expect("written");
    let line = format!("{RULES} --book book.pgn --param Bad=5,0..9 --games 4 -o run.tune");
    tune(&folder, &line).code(ALL_WELL);
    assert!(
        iterations(&folder)
            .iter()
            .all(|line| line.contains("\"opening\":"))
    );
    fs::write(folder.path("book.epd"), "\n4k3/8/8/8/8/8/8/4K2x w - -\n").expect("written");
    let line = format!("{RULES} --book book.epd --param Bad=5,0..9 --games 4");
    tune(&folder, &line)
        .code(FAILED)
        .stderr(starts_with("epode: book.epd:2:"));
    // Lines of a pipe.
    let mut command = folder.command(&format!(
        "tune --engine ./engine.sh {RULES} --params - --games 2 --print params"
    ));
    let done = crate::common::calm(command.write_stdin("Bad,5,0,9\n").assert()).code(ALL_WELL);
    done.stdout(starts_with("Bad, int, ").and(ends_with(", 0, 9, 0.5, 0.002\n")));
}
