//! Verbs, options and their help.

use crate::common::records::MATE_IN_ONE;
use crate::common::{ALL_WELL, FAILED, Folder, run, stdout};
use assert_cmd::cargo::{cargo_bin, cargo_bin_cmd};
use predicates::prelude::*;
use predicates::str::{contains, ends_with, is_empty, starts_with};

/// Its node count is a signature.
#[test]
fn bench_counts_the_same() {
    let counts = [" --depth 4", " --hash 16 --threads 1 --depth 4", " 16 1 4"].map(|options| {
        let assert = run(&format!("bench{options}"), "").code(ALL_WELL);
        let output = stdout(&assert.stderr(is_empty()));
        let words: Vec<&str> = output.lines().last().expect("a line").split(' ').collect();
        let [nodes, "nodes", rate, "nps"] = words[..] else {
            panic!("{output}");
        };
        rate.parse::<u64>().expect("a rate");
        nodes.parse::<u64>().expect("a count")
    });
    assert!(counts[0] > 0);
    assert_eq!(counts, [counts[0]; 3]);
}

#[test]
fn help_is_there() {
    for verb in [
        "pfga", "pfms", "pfts", "report", "pfdn", "pfop", "pfdr", "validate", "client", "perft",
        "bench",
    ] {
        let usage = contains(format!("Usage: epode {verb}"));
        let help = run(&format!("{verb} --help"), "").code(ALL_WELL);
        help.stdout(usage.clone()).stderr(is_empty());
        run(&format!("{verb} -h"), "")
            .code(ALL_WELL)
            .stdout(usage.clone());
        run(&format!("help {verb}"), "")
            .code(ALL_WELL)
            .stdout(usage);
        let version = run(&format!("{verb} --version"), "").code(ALL_WELL);
        version.stdout(ends_with(format!(" {}\n", env!("CARGO_PKG_VERSION"))));
        run("--help", "")
            .code(ALL_WELL)
            .stdout(contains(format!("  {verb}")));
        let example = contains("Examples:\n").and(contains(format!("\n  epode {verb}")));
        run(&format!("{verb} --help"), "").stdout(example);
    }
    let version = format!("epode {}\n", env!("CARGO_PKG_VERSION"));
    run("--version", "").code(ALL_WELL).stdout(version);
}

/// Tables and code in help texts fit into a terminal of 80 columns, so that no line of them is broken.
#[test]
fn tables_in_help_fit() {
    for (verb, begin) in [
        ("merge", "The records of one position"),
        ("query", "A query has tests"),
    ] {
        let help = |width: &str| {
            let mut command = cargo_bin_cmd!("epode");
            command.args([verb, "--help"]).env("COLUMNS", width);
            let output = String::from_utf8(command.output().expect("it runs").stdout);
            let output = output.expect("UTF-8");
            let (_, after) = output.split_once(begin).expect("a table");
            let (table, _) = after.split_once("Examples:").expect("examples");
            let rows = table.lines().filter(|line| line.starts_with("  "));
            rows.map(str::to_owned).collect::<Vec<_>>()
        };
        assert!(help("80").len() >= 5);
        assert_eq!(help("80"), help("100"), "{verb}");
    }
}

/// The plain names do the same as the names of the standard, and the help shows one for each verb.
#[test]
fn verbs_have_plain_aliases() {
    let help = stdout(&run("--help", "").code(ALL_WELL));
    // Long lines are wrapped.
    let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
    for (verb, alias, hidden) in [
        ("pfga", "analyze", Some("analyse")),
        ("pfms", "mate", None),
        ("pfts", "solve", None),
        ("pfdn", "normalize", Some("normalise")),
        ("pfdr", "repair", None),
        ("pfop", "strip", None),
    ] {
        assert!(help.contains(&format!("[alias: {alias}]")), "{help}");
        for name in [Some(alias), hidden].into_iter().flatten() {
            let usage = contains(format!("Usage: epode {verb}"));
            run(&format!("{name} --help"), "")
                .code(ALL_WELL)
                .stdout(usage);
        }
    }
    for (verb, alias, options) in [
        ("pfga", "analyze", " --nodes 500 -"),
        ("pfga", "analyse", " --nodes 500 -"),
        ("pfms", "mate", " --moves 2 -"),
        ("pfts", "solve", " --nodes 500 -"),
        ("pfdn", "normalize", " -"),
        ("pfdn", "normalise", " -"),
        ("pfdr", "repair", " -"),
        ("pfop", "strip", " bm -"),
    ] {
        let [by_verb, by_alias] = [verb, alias].map(|name| {
            let assert = run(&format!("{name}{options}"), MATE_IN_ONE).code(ALL_WELL);
            stdout(&assert)
        });
        assert!(!by_verb.is_empty());
        assert_eq!(by_verb, by_alias, "{alias}");
    }
}

#[test]
fn verbs_of_training_name_their_program() {
    for (line, verb) in [
        ("datagen games.epg --nodes 100", "datagen"),
        ("unpack --help", "unpack"),
        ("train", "train"),
    ] {
        let assert = run(line, "").code(FAILED).stdout(is_empty());
        let message = format!("error: training has a program of its own: epode-train {verb}\n");
        assert.stderr(starts_with(message));
    }
}

#[test]
fn unknown_words_are_refused() {
    for line in [
        "pfdn",
        "--frobnicate",
        "pfts --frobnicate",
        "bench 0",
        "bench 1 1 1 1",
        "bench 3 --hash 3",
        "perft 1 --suite -",
    ] {
        let assert = run(line, "").code(FAILED).stdout(is_empty());
        assert.stderr(starts_with("error: ").and(contains("--help")));
    }
    // No verb at all: the help, as an error.
    cargo_bin_cmd!("epode")
        .assert()
        .code(FAILED)
        .stderr(contains("Usage: epode"));
}

/// A table larger than the memory is refused with a message.
#[test]
fn a_table_too_large_is_refused() {
    let record = "4k3/8/8/8/8/8/4P3/4K3 w - -\n";
    for line in [
        "pfga --depth 1 -",
        "pfts --depth 1 -",
        "pfms --moves 1 -",
        "perft 3",
        "bench",
    ] {
        let assert = run(&format!("{line} --hash 1048576"), record).code(FAILED);
        let message = "epode: the system gives no 1048576 MiB for the table\n";
        assert.stdout(is_empty()).stderr(ends_with(message));
    }
}

/// A time without a unit is accepted with a note about its unit.
#[test]
fn times_without_a_unit_are_seconds() {
    let folder = Folder::with("in.epd", format!("{MATE_IN_ONE}\n"));
    for (line, note) in [
        ("pfts in.epd --time 1 --depth 1", "--time 1 means 1 s: "),
        (
            "pfga in.epd --depth 1 --timeout 9.5",
            "--timeout 9.5 means 9.5 s: ",
        ),
    ] {
        let assert = folder.run(line).code(ALL_WELL);
        let note = format!("{note}times without a unit are in seconds\n");
        assert.stderr(starts_with(note));
    }
    let assert = folder.run("pfts in.epd --time 1s --depth 1").code(ALL_WELL);
    assert.stderr(starts_with("1 solved").or(starts_with("0 solved")));
}

/// Interfaces that start the program without arguments name their protocol. Otherwise there is the help.
#[test]
fn without_arguments_the_input_names_the_protocol() {
    let alone = |input: &'static str| cargo_bin_cmd!("epode").write_stdin(input).assert();
    alone("uci\r\nisready\r\nquit\r\n")
        .success()
        .stdout(contains("\nuciok\n").and(contains("\nreadyok\n")));
    alone("xboard\nprotover 2\nping 7\nquit\n")
        .success()
        .stdout(contains("feature ").and(contains("\npong 7\n")));
    for input in ["", "\n", "uci please\n", "8/8/8/8/8/8/8/8 w - -\n"] {
        alone(input)
            .code(2)
            .stdout("")
            .stderr(contains("Usage: epode"));
    }
    // So it is an engine for `--engine` too.
    let folder = Folder::with("in.epd", "6k1/5ppp/8/8/8/8/5PPP/4R1K1 w - - id \"x\";\n");
    let engine = cargo_bin!("epode").display().to_string();
    let line = format!("pfga in.epd - --depth 5 --engine {engine}");
    folder.run(&line).success().stdout(contains("pm Re8#;"));
}
