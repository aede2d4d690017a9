//! `epode perft`: counts, divided counts, and suites.

use std::fs;
use std::path::Path;

use crate::common::records::{CHECKMATE, ILLEGAL, ILLEGAL_BECAUSE, STALEMATE, START, records};
use crate::common::{ALL_WELL, FAILED, FAULTY, Folder, calm, run, stdout};
use assert_cmd::cargo::cargo_bin_cmd;
use predicates::prelude::*;
use predicates::str::{contains, ends_with, is_empty, starts_with};

#[test]
fn perft_counts() {
    let kiwipete = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -";
    for (line, leaves) in [
        ("perft 0", "1"),
        ("perft 1", "20"),
        ("perft 4", "197281"),
        ("perft 4 --threads 2", "197281"),
        ("perft 4 --hash 1", "197281"),
        ("perft --threads 3 --hash 2 4", "197281"),
        (&format!("perft 3 {kiwipete}"), "97862"),
        (
            &format!("perft 3 {kiwipete} 0 1 --hash 1 --threads 2"),
            "97862",
        ),
        (&format!("perft 3 {CHECKMATE}"), "0"),
        (&format!("perft 0 {CHECKMATE}"), "1"),
    ] {
        let assert = run(line, "").code(ALL_WELL);
        let assert = assert.stdout(format!("{leaves}\n"));
        let nodes = if leaves == "1" {
            "1 node"
        } else {
            &format!("{leaves} nodes")
        };
        assert.stderr(starts_with(format!("{nodes} in ")).and(ends_with(" nodes a second\n")));
    }
    // The position as one word.
    let mut command = cargo_bin_cmd!("epode");
    let assert = calm(command.args(["perft", "3", kiwipete]).assert());
    assert.code(ALL_WELL).stdout("97862\n");
}

/// A suite without counts checks nothing, which is exit status 1.
#[test]
fn a_suite_without_counts_is_told() {
    let folder = Folder::with("x.epd", format!("{START} id \"a\";\n{STALEMATE}\n"));
    let message = "x.epd: nothing to check: 2 records, none with counts such as D1 20; D2 400;\n";
    folder
        .run("perft --suite x.epd")
        .code(FAULTY)
        .stderr(starts_with(message));
    fs::write(folder.path("x.epd"), "").expect("written");
    folder.run("perft --suite x.epd").code(FAULTY);
    // The same if all counts are skipped.
    fs::write(
        folder.path("x.epd"),
        format!("{START} D1 20;\n{STALEMATE}\n"),
    )
    .expect("written");
    let assert = folder
        .run("perft --suite x.epd --max-nodes 10")
        .code(FAULTY);
    assert.stderr(starts_with(
        "x.epd: nothing to check: 2 records, all counts are above --max-nodes\n\
         2 positions, 0 counts right, 0 wrong, 1 above --max-nodes skipped; ",
    ));
}

/// A count that is much too small does not keep the check busy for years.
#[test]
fn a_count_that_is_too_small_ends_early() {
    let suite = format!("{START} D1 20; D12 5;\n");
    for options in ["", " --threads 100000", " --hash 1"] {
        let line = format!("perft --suite - --max-nodes 100{options}");
        let assert = run(&line, suite.clone()).code(FAULTY);
        assert.stderr(starts_with(
            "-:1:65: D12 is more than 1000000, expected 5\n\
             1 position, 1 count right, 1 wrong; 1000020 nodes in ",
        ));
    }
}

#[test]
fn perft_divides() {
    for options in ["", " --threads 2", " --hash 1", " --threads 2 --hash 1"] {
        let output = stdout(&run(&format!("perft --divide 3{options}"), "").code(ALL_WELL));
        let lines: Vec<&str> = output.lines().collect();
        let (total, moves) = lines.split_last().expect("a total");
        assert_eq!((*total, moves.len()), ("8902", 20));
        assert!(moves.is_sorted());
        let counts = moves.iter().map(|line| {
            let (mv, count) = line.split_once(": ").expect("a move and a count");
            assert_eq!(mv.len(), 4, "{line}");
            count.parse::<u64>().expect("a count")
        });
        assert_eq!(counts.sum::<u64>(), 8902);
        assert!(moves.contains(&"e2e4: 600") && moves.contains(&"a2a3: 380"));
    }
    let promotions = run("perft --divide 1 8/P7/8/8/8/7k/8/K7 w - -", "").code(ALL_WELL);
    promotions.stdout("a1a2: 1\na1b1: 1\na1b2: 1\na7a8b: 1\na7a8n: 1\na7a8q: 1\na7a8r: 1\n7\n");
    run(&format!("perft --divide 2 {STALEMATE}"), "")
        .code(ALL_WELL)
        .stdout("0\n");
}

#[test]
fn perft_refuses_what_is_no_position() {
    for (fen, message) in [
        (
            "8/8/8/8/8/k7/8/K8 w - -",
            "column 16: rank 1 has 9 squares, expected 8",
        ),
        (
            "8/8/8/8/8/k7/8/K7 x - -",
            "column 19: the active colour is \"x\", expected \"w\" or \"b\"",
        ),
        (
            "8/8/8/8/8/k7/8/K7 w -",
            "column 22: the en passant square is missing",
        ),
        (
            "8/8/8/8/8/k7/8/K7 w - - 0 1 x",
            "column 29: \"x\" after the last field",
        ),
        (ILLEGAL, ILLEGAL_BECAUSE),
    ] {
        let assert = run(&format!("perft 2 {fen}"), "")
            .code(FAILED)
            .stdout(is_empty());
        assert.stderr(format!("epode: FEN {fen:?}: {message}\n"));
    }
    for line in [
        "perft",
        "perft x",
        "perft -1",
        "perft 65",
        "perft 2 --threads 0",
        "perft --suite",
    ] {
        run(line, "")
            .code(FAILED)
            .stdout(is_empty())
            .stderr(starts_with("error: "));
    }
}

#[test]
fn perft_checks_suites() {
    let right = format!("{START} D1 20; D2 400; D3 8902; id \"start\";\n# a remark\n");
    let folder = Folder::with("suite.epd", &right);
    for options in ["", " --threads 2", " --hash 1"] {
        let line = format!("perft --suite suite.epd{options}");
        let assert = folder.run(&line).code(ALL_WELL).stdout(is_empty());
        assert.stderr(starts_with(
            "1 position, 3 counts right, 0 wrong; 9322 nodes in ",
        ));
    }
    let assert = folder.run("perft --suite suite.epd --max-nodes 400");
    let assert = assert.code(ALL_WELL);
    assert.stderr(starts_with(
        "1 position, 2 counts right, 0 wrong, 1 above --max-nodes skipped; 420 nodes in ",
    ));

    let wrong = format!("{right}{START} D1 20; D3 8903; D4 197280;\n");
    let folder = Folder::with("suite.epd", &wrong);
    let assert = folder
        .run("perft --suite suite.epd --max-nodes 10000")
        .code(FAULTY);
    assert.stdout(is_empty()).stderr(starts_with(
        "suite.epd:3:64: D3 is 8902, expected 8903\n2 positions, 4 counts right, 1 wrong, 1 above --max-nodes skipped; ",
    ));
    let assert = run("perft --suite - --max-nodes 10000", wrong.as_bytes()).code(FAULTY);
    assert.stderr(starts_with("-:3:64: D3 is 8902, expected 8903\n"));

    for (line, code, message) in [
        ("nonsense", FAILED, "-:1:9: the active colour is missing\n"),
        (ILLEGAL, FAULTY, &format!("-:1:23: {ILLEGAL_BECAUSE}\n")),
        (
            &format!("{START} D1 x;"),
            FAULTY,
            "-:1:57: D1: x is not a non-negative integer\n",
        ),
        (
            &format!("{START} D1 20 20;"),
            FAULTY,
            "-:1:57: D1 has 2 operands, expected one\n",
        ),
    ] {
        let assert = run("perft --suite -", format!("{line}\n")).code(code);
        assert.stderr(starts_with(message));
        // The other counts are checked nevertheless.
        let assert = run("perft --suite -", format!("{line}\n{right}")).code(code);
        assert.stderr(contains(" 3 counts right, 0 wrong; 9322 nodes in "));
    }
    // Other opcodes that begin with D are not counts.
    let other = format!("{START} Done 7; D 7;\n");
    let assert = run("perft --suite -", other.clone()).code(FAULTY);
    assert.stderr(starts_with(
        "-: nothing to check: 1 record, none with counts such as D1 20; D2 400;\n",
    ));
    let assert = run("perft --suite -", format!("{other}{right}")).code(ALL_WELL);
    assert.stderr(contains(" 3 counts right, 0 wrong; 9322 nodes in "));
    let assert = folder.run("perft --suite none.epd").code(FAILED);
    assert.stderr(starts_with("epode: cannot open none.epd: "));
    folder.run("perft --suite suite.epd 3").code(FAILED);
}

#[test]
fn the_perft_suite_is_right() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../suites/perft.epd");
    let mut command = cargo_bin_cmd!("epode");
    command
        .args(["perft", "--max-nodes", "100000", "--suite"])
        .arg(&path);
    let assert = calm(command.assert()).code(ALL_WELL).stdout(is_empty());
    let positions =
        records(&fs::read_to_string(&path).expect("it is part of the repository")).len();
    assert.stderr(starts_with(format!("{positions} positions, ")).and(contains(" 0 wrong, ")));
}
