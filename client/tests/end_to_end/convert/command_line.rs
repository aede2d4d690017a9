//! The command line: numbers of threads, wrong arguments, and standard input.

use std::fs;

use super::{GAMES, HARD};
use crate::common::{ALL_WELL, FAILED, FAULTY, Folder, run, stdout};
use predicates::prelude::*;
use predicates::str::contains;

#[test]
fn threads_make_no_difference() {
    let many = HARD.repeat(2000);
    let folder = Folder::with("in.epd", many);
    fs::write(folder.path("in.pgn"), GAMES.repeat(4000)).expect("written");
    folder.run("convert in.epd in.json").code(FAULTY);
    for (line, name) in [
        ("convert in.epd - --to csv", "csv"),
        ("convert in.epd - --to jsonl --unique", "jsonl"),
        ("convert in.epd - --to json --unique", "json"),
        ("convert in.json -", "from json"),
        ("convert in.pgn - --ply 0-3", "pgn"),
    ] {
        let run = |jobs: usize| {
            let mut command = folder.command(&format!("{line} --jobs {jobs}"));
            let output = command.output().expect("it runs");
            (output.stdout, output.stderr)
        };
        let one = run(1);
        assert!(one.0.len() > 100, "{name}");
        assert!(one == run(3), "{name}");
    }
    let bad = folder
        .command("convert in.pgn - --ply 99")
        .output()
        .expect("it runs");
    let errors = String::from_utf8(bad.stderr).expect("UTF-8");
    assert!(
        errors.contains("0 records from 12000 games, 0 with warnings; 4000 games not understood")
    );
    // The line numbers go on across blocks.
    let last = format!("in.pgn:{}:13: \"Zz\"", 3999 * GAMES.lines().count() + 15);
    assert!(errors.contains(&last), "{last}");
}

#[test]
fn wrong_arguments_are_refused() {
    let folder = Folder::with("in.epd", HARD);
    for (line, message) in [
        (
            "in.epd x.xml",
            "does not end in .epd, .fen, .pgn, .csv, .json or .jsonl, and no --to is given",
        ),
        ("in.txt -", "and no --from is given"),
        (
            "in.epd - --ply 3",
            "choose from the games of a PGN, and in.epd is none",
        ),
        ("none.epd -", "cannot open none.epd"),
        ("in.epd none/x.csv", "cannot write none/x.csv"),
        ("in.epd - --ply 3-x", "is not a number from 0"),
        ("in.epd - --ply -1", "\"-1\" is not a number from 0"),
    ] {
        folder
            .run(&format!("convert {line}"))
            .code(FAILED)
            .stderr(contains(message));
    }
    fs::write(folder.path("empty.csv"), "").expect("written");
    folder
        .run("convert empty.csv -")
        .code(FAILED)
        .stderr(contains("empty.csv is empty"));
    fs::write(folder.path("empty.jsonl"), "").expect("written");
    folder
        .run("convert empty.jsonl -")
        .code(ALL_WELL)
        .stdout(predicate::str::is_empty());
}

/// Standard input is recognised by its first lines, with a byte order mark too. Games in a file of another format are one
/// error, not one for each line.
#[test]
fn standard_input_is_recognised() {
    let folder = Folder::with("in.epd", HARD);
    for format in ["epd", "fen", "pgn", "csv", "json", "jsonl"] {
        let text = folder.run(&format!("convert in.epd - --to {format}"));
        let text = text.get_output().stdout.clone();
        let named = run(&format!("convert --from {format} - -"), text.clone());
        let expected = named.get_output().stdout.clone();
        assert!(!expected.is_empty(), "{format}");
        for mark in ["", "\u{FEFF}"] {
            let text = [mark.as_bytes(), &text].concat();
            let recognised = run("convert - -", text);
            assert_eq!(recognised.get_output().stdout, expected, "{format}");
        }
    }
    // Games without tags begin with a move number.
    let moves = "1. e4 e5 2. Nf3 *\n";
    let named = run("convert --from pgn - -", moves);
    let expected = stdout(&named);
    assert_eq!(expected.lines().count(), 4);
    run("convert - -", moves).stdout(expected);
    fs::write(folder.path("games.epd"), GAMES).expect("written");
    folder
        .run("convert games.epd -")
        .code(FAILED)
        .stdout("")
        .stderr(
            "epode: games.epd is PGN, expected EPD text (`epode convert --from pgn` makes records of the positions of games)\n",
        );
}
