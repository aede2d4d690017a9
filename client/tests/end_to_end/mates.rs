//! `epode pfms` as a user runs it: EPD 7.3, decisions 127 to 129.

use std::fs;

use crate::common::records::{
    CHECKMATE, ILLEGAL, MATE_IN_ONE, MATE_IN_TWO, STALEMATE, START, SUITE,
};
use crate::common::{Folder, run, stderr, stdout};
use epd::Record;
use movegen::Position;
use predicates::prelude::*;
use predicates::str::{contains, ends_with, starts_with};

/// White has a distant mate.
const BISHOPS: &str = "8/8/8/3k4/8/8/8/K1BB4 w - -";

const ONE: &str = "pm Rd8#; pv Rd8#;";
const TWO: &str = "pm Re8+; pv Re8+ Rxe8 Rxe8#;";

#[test]
fn pfms_golden() {
    let input = format!(
        "{MATE_IN_ONE} ce 5; dm 4; id \"a\"; pm Kf1; pv Kf1; sm Kh1;\n\
         {MATE_IN_TWO} id \"b\";\n\
         {MATE_IN_TWO} dm 3; id \"c\"; pm Kf1;\n\
         {MATE_IN_TWO} dm 4; id \"d\";\n\
         {MATE_IN_TWO} dm 0; id \"e\";\n\
         {MATE_IN_TWO} dm -2; id \"f\";\n\
         {START} ce 20; id \"g\"; pm e4;\n\
         {CHECKMATE} dm 9; id \"h\"; pm \"Kf8\";\n\
         {STALEMATE} id \"i\";\n\
         {ILLEGAL} id \"j\"; pm \"Kd1\";\n"
    );
    let found = |id: char| format!("{MATE_IN_TWO} ce 32764; dm 2; id \"{id}\"; {TWO}\n");
    let line = |i: usize| format!("{}\n", input.lines().nth(i).expect("there are ten"));
    let expected = [
        format!("{MATE_IN_ONE} ce 32766; dm 1; id \"a\"; {ONE} sm Kh1;\n"),
        found('b'),
        line(2),
        found('d'),
        found('e'),
        found('f'),
        line(6),
        line(7),
        line(8),
        line(9),
    ];
    let assert = run("pfms --moves 3 - --write none", &*input).code(1);
    assert_eq!(stdout(&assert), expected.concat());
    assert.stderr(starts_with("-:10:23: illegal position: ").and(contains(
        "5 with a mate, 3 without, 1 skipped, 0 not decided; ",
    )));

    // With one move most have no mate.
    let assert = run("pfms --moves 1 - --write none", &*input).code(1);
    assert_eq!(
        stdout(&assert),
        input.replacen(&line(0), &expected[0], 1),
        "only the first"
    );

    // A scan looks for mates shorter than `dm`; a record without a shorter one is unchanged.
    let input = format!(
        "{MATE_IN_TWO} dm 3;\n{MATE_IN_TWO} dm 2;\n{MATE_IN_ONE} dm 1;\n{START} dm 3;\n{START} dm 4;\n"
    );
    let expected = format!(
        "{MATE_IN_TWO} ce 32764; dm 2; {TWO}\n{MATE_IN_TWO} dm 2;\n{MATE_IN_ONE} dm 1;\n{START} dm 3;\n\
         {START} dm 4;\n"
    );
    let assert = run("pfms --scan --moves 3 - --write none", input).code(0);
    assert_eq!(stdout(&assert), expected);
    assert.stderr(starts_with(
        "1 with a mate, 1 without, 3 skipped, 0 not decided; ",
    ));
}

/// A claimed mate is proven; one that is shorter or not there is reported.
#[test]
fn claims_are_checked() {
    let input = format!(
        "{MATE_IN_TWO} dm 2;\n{MATE_IN_TWO} dm 3;\n{START} dm 2;\n{START} ce 20;\n{MATE_IN_TWO} dm 4;\n"
    );
    let found = format!("{MATE_IN_TWO} ce 32764; dm 2; {TWO}\n");
    let expected = format!("{found}{found}{START} dm 2;\n{START} ce 20;\n{MATE_IN_TWO} dm 4;\n");
    let assert = run("pfms --check --moves 3 - --write none", input).code(1);
    assert_eq!(stdout(&assert), expected);
    assert.stderr(starts_with(
        "-:2: dm 3: there is a mate in 2\n-:3: dm 2: there is no mate in 2\n\
         2 with a mate, 1 without, 2 skipped, 0 not decided; ",
    ));
}

/// The operations of `--write` are written, and replaced ones can be kept.
#[test]
fn the_operations_are_chosen() {
    let opcodes = |options: &str| {
        let input = format!("{MATE_IN_ONE} dm 8; id \"x\"; ts 1995.11.26 18:05:59;");
        let assert = run(&format!("pfms - --moves {options}"), input).code(0);
        let record: Record = stdout(&assert).trim_end().parse().expect("exact");
        assert!(epd::check(&record, &epd::Lexicon::standard()).is_empty());
        let operations = record.operations().iter();
        let opcodes: Vec<_> = operations.map(|one| one.opcode.to_string()).collect();
        // An existing time stamp is updated (decision 102).
        assert!(!record.to_string().contains(" ts 1995"), "{record}");
        opcodes.join(",")
    };
    for (options, expected) in [
        ("2", "acd,acn,ce,dm,id,pm,pv,ts"),
        ("2 --write none", "ce,dm,id,pm,pv,ts"),
        ("2 --time 1m", "acd,acn,acs,ce,dm,id,pm,pv,ts"),
        (
            "2 --write acs,cte,pes,sm",
            "acs,ce,cte,dm,id,pes,pm,pv,sm,ts",
        ),
        (
            "2 --write none --keep-old Old_",
            "Old_dm,Old_ts,ce,dm,id,pm,pv,ts",
        ),
    ] {
        assert_eq!(opcodes(options), expected, "{options}");
    }
}

/// An undecided record is copied unchanged, counted and reported; it is not an error.
#[test]
fn what_is_not_decided_is_told() {
    let input = format!("{MATE_IN_ONE}\n{BISHOPS} id \"x\";\n");
    for limit in ["--nodes 20000", "--time 20ms"] {
        let assert = run(&format!("pfms --moves 30 - --write none {limit}"), &*input).code(0);
        assert_eq!(
            stdout(&assert),
            format!("{MATE_IN_ONE} ce 32766; dm 1; {ONE}\n{BISHOPS} id \"x\";\n")
        );
        assert.stderr(
            starts_with("-:2: not decided: no mate in ")
                .and(contains(", perhaps one in 30\n"))
                .and(contains(
                    "\n1 with a mate, 0 without, 0 skipped, 1 not decided; ",
                )),
        );
    }
    // The fifty-move rule applies.
    let input = "7k/8/R7/1R6/8/8/8/K7 w - - hmvc 97;\n7k/8/R7/1R6/8/8/8/K7 w - - hmvc 98;\n";
    let assert = run("pfms --moves 2 -", input).code(0);
    assert.stderr(starts_with("1 with a mate, 1 without, "));
}

/// The output is the same byte for byte for any number of jobs.
#[test]
fn any_number_of_jobs_writes_the_same_bytes() {
    let input = format!("{SUITE}{MATE_IN_TWO}\n{BISHOPS}\n{SUITE}");
    let folder = Folder::with("in.epd", &input);
    let outputs = [1, 2, 3].map(|jobs| {
        let line = format!("pfms --moves 6 in.epd --nodes 30000 --jobs {jobs}");
        let output = stdout(&folder.run(&line).code(0));
        let line = format!("pfms --moves 6 in.epd out.epd --nodes 30000 --jobs {jobs}");
        let told = stderr(&folder.run(&line).code(0));
        assert_eq!(folder.read("out.epd"), output);
        (output, told.split(" nodes in ").next().map(str::to_owned))
    });
    assert_eq!(outputs[0], outputs[1]);
    assert_eq!(outputs[0], outputs[2]);
    let lines: Vec<_> = outputs[0].0.lines().collect();
    assert_eq!(lines[..24], lines[26..]);
}

#[test]
fn wrong_words_are_refused() {
    for (line, told) in [
        ("pfms -", "--moves <N>"),
        ("pfms --moves 0 -", "0 is not in 1..="),
        ("pfms --moves 999 -", "999 is not in 1..="),
        ("pfms --moves x -", "expected a whole number"),
        ("pfms --moves 2 --nodes 0 -", "0 is not in 1.."),
        ("pfms --moves 2 --time 0s -", "expected a time above zero"),
        ("pfms --moves 2 --hash 0 -", "0 is not in 1..="),
        ("pfms --moves 2 --write xyz -", "invalid value 'xyz'"),
        ("pfms --moves 2 --engine stockfish -", "unexpected argument"),
    ] {
        let assert = run(line, "").code(2);
        assert.stderr(starts_with("error: ").and(contains(told)));
    }
    let assert = run("pfms --moves 2 nowhere.epd", "").code(2);
    assert.stderr(starts_with("epode: ").and(contains("nowhere.epd")));
    let assert = run("pfms --moves 2 - --resume", "").code(2);
    assert.stderr("epode: --resume needs a file as OUT, which has a journal beside it\n");
    let assert = run("pfms --moves 2 -", format!("nonsense\n{MATE_IN_ONE}\n")).code(2);
    assert.stderr(starts_with("-:1:9: ").and(ends_with("; 1 line not understood, copied\n")));
    let assert = run("pfms --moves 2 --strict -", format!("{MATE_IN_ONE}  id;\n")).code(2);
    assert.stderr(contains("epode: stopped at line 1 of -"));
}

/// A suite of the material outside the repository.
fn shared(name: &str) -> Option<String> {
    let bytes = fs::read(crate::common::shared("suites")?.join(name)).expect("readable");
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// The mates of a real suite: each line is legal, ends in mate and has the stated length, and a
/// second run skips all of them.
#[test]
fn mates_of_a_shared_suite() {
    let Some(suite) = shared("wacnew.epd") else {
        return;
    };
    let folder = Folder::with("in.epd", suite);
    let assert = folder.run("pfms --moves 3 in.epd out.epd --jobs 2").code(0);
    assert.stderr(starts_with(
        "38 with a mate, 262 without, 0 skipped, 0 not decided; ",
    ));
    let output = folder.read("out.epd");
    let mut mates = 0;
    for line in output.lines() {
        let record: Record = line.parse().expect("exact");
        let Some(moves) = record.mate_in().expect("readable") else {
            continue;
        };
        mates += 1;
        let mut position: Position = record.position().expect("legal");
        let pv = record.predicted_variation(&position);
        let pv = pv.expect("playable").expect("there");
        let best = record.predicted_move(&position).expect("a move");
        assert_eq!(best, pv.first().copied());
        assert_eq!(pv.len() as u32, 2 * moves - 1, "{line}");
        for mv in pv {
            position.play(mv);
        }
        assert!(position.is_checkmate(), "{line}");
    }
    assert_eq!(mates, 38);
    let mates: Vec<_> = output
        .lines()
        .filter(|line| line.contains("; dm "))
        .collect();
    fs::write(folder.path("mates.epd"), mates.join("\n") + "\n").expect("written");
    let assert = folder.run("pfms --moves 3 mates.epd again.epd").code(0);
    assert_eq!(folder.read("again.epd"), folder.read("mates.epd"));
    assert.stderr(starts_with(
        "0 with a mate, 0 without, 38 skipped, 0 not decided; 0 nodes",
    ));
}

/// Where a suite has a distant mate, there is no shorter one.
#[test]
fn claimed_mates_of_a_shared_suite_are_not_contradicted() {
    let Some(suite) = shared("hard-mates-blass-uri.epd") else {
        return;
    };
    let assert = run("pfms --scan --moves 30 --nodes 20000 -", suite).code(0);
    let told = stderr(&assert);
    assert!(!told.contains("given up"), "{told}");
    let summary = told.lines().last().expect("a summary");
    assert!(summary.starts_with("0 with a mate, "), "{summary}");
}
