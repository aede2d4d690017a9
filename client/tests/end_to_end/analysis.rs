//! The verbs that analyse, run as a user does: output, engines and limits.

use std::collections::BTreeSet;
use std::fs;

use crate::common::records::{
    CHECKMATE, ILLEGAL, MATE_IN_ONE, MATE_IN_TWO, STALEMATE, START, SUITE, count, records,
};
use crate::common::{Folder, run, stderr, stdout};
use assert_cmd::cargo::cargo_bin;
use epd::{Operation, Record};
use predicates::prelude::*;
use predicates::str::{contains, starts_with};

/// Black has one move and is mated after it.
const MATED_IN_ONE: &str = "k7/2K5/8/1R6/8/8/8/8 b - -";

fn opcodes(record: &Record) -> BTreeSet<&str> {
    let opcodes = record.operations().iter();
    opcodes.map(|operation| operation.opcode.as_str()).collect()
}

fn text(record: &Record, opcode: &str) -> String {
    let operation = record.get(opcode);
    operation
        .unwrap_or_else(|| panic!("no {opcode} in {record}"))
        .to_string()
}

/// The operations of a forced mate do not depend on the engine: decisions 124 to 127, 130, 131 and
/// 132.
#[test]
fn pfga_golden() {
    let input = format!(
        "{MATE_IN_ONE} dm 9; id \"a\"; pm Kf1; pv Kf1; sm Kh1;\n\
         {MATE_IN_TWO} id \"b\";\n\
         {MATED_IN_ONE} id \"c\"; dm 7;\n\
         {CHECKMATE} id \"d\"; pm Kf8;\n\
         {STALEMATE} id \"e\"; ce 5;\n\
         {ILLEGAL} id \"f\"; pm Kd1;\n"
    );
    let expected = format!(
        "{MATE_IN_ONE} ce 32766; dm 1; id \"a\"; pes \"MateIn1\"; pm Rd8#; pv Rd8#; sm Kh1;\n\
         {MATE_IN_TWO} ce 32764; dm 2; id \"b\"; pes \"MateIn2\"; pm Re8+; pv Re8+ Rxe8 Rxe8#;\n\
         {MATED_IN_ONE} ce -32765; id \"c\"; pes \"LoseIn1\"; pm Ka7; pv Ka7 Ra5#;\n\
         {CHECKMATE} ce -32767; id \"d\"; pes \"Checkmated\"; pv;\n\
         {STALEMATE} ce 0; id \"e\"; pes 0.000; pv;\n\
         {ILLEGAL} id \"f\"; pm \"Kd1\";\n"
    );
    let assert = run("pfga - --depth 6 --write pm,dm,pes", input).code(1);
    assert_eq!(stdout(&assert), expected);
    assert.stderr(starts_with("-:6:23: illegal position: ").and(contains("5 analysed; ")));
}

/// The chosen move, the points and the counts; the number of nodes depends on the engine.
#[test]
fn pfts_golden() {
    let input = format!(
        "{MATE_IN_ONE} bm Rd8; Scn 9; Sct 000.00:00:09.000;\n\
         {MATE_IN_ONE} bm Kf1; Scd 9;\n\
         {MATE_IN_ONE} am Kf1; c0 \"Rd8#=10, Kf1=3\";\n\
         {MATE_IN_ONE} bm Kf1; c7 \"Kf1 Rd8\"; c8 \"10 4\";\n\
         {MATE_IN_ONE} c0 \"Kf1=1\";\n\
         {MATE_IN_ONE} bm Rd9;\n\
         {CHECKMATE} bm Kf8;\n"
    );
    let assert = run("pfts - --depth 3 --write pm", input).code(1);
    let mut output = records(&stdout(&assert));
    for record in &mut output {
        if record.remove("Scn") {
            assert_eq!(text(record, "Scd"), "Scd 1;");
        }
    }
    let found = "ce 32766; pm Rd8#; pv Rd8#;";
    let expected = [
        format!("{MATE_IN_ONE} Scd 1; bm Rd8; {found}"),
        format!("{MATE_IN_ONE} bm Kf1; {found}"),
        format!("{MATE_IN_ONE} Scd 1; am Kf1; c0 \"Rd8#=10, Kf1=3\"; {found}"),
        format!("{MATE_IN_ONE} bm Kf1; c7 \"Kf1 Rd8\"; c8 \"10 4\"; {found}"),
        format!("{MATE_IN_ONE} c0 \"Kf1=1\"; {found}"),
        format!("{MATE_IN_ONE} bm \"Rd9\"; {found}"),
        format!("{CHECKMATE} bm \"Kf8\"; ce -32767; pv;"),
    ];
    assert_eq!(
        output.iter().map(Record::to_string).collect::<Vec<_>>(),
        expected
    );
    assert.stderr(starts_with(
        "-:6:38: bm: Rd9: not a move\n\
         2 solved, 2 missed, 3 without target, 14 of 21 points; ",
    ));
}

/// The solution lies within the effort of the whole search and is written only for solved records.
/// Its time is written if the time is limited.
#[test]
fn the_moment_of_the_solution_is_told() {
    for (limit, tells_time) in [("--nodes 20000", false), ("--time 20ms", true)] {
        let assert = run(&format!("pfts - {limit}"), SUITE).code(0);
        let mut solved = 0;
        for record in records(&stdout(&assert)) {
            let position = record.position().expect("legal");
            let best = record.best_moves(&position).expect("moves").expect("there");
            let found = record
                .predicted_move(&position)
                .expect("one")
                .expect("there");
            let is_solved = best.contains(&found);
            solved += usize::from(is_solved);
            assert_eq!(record.get("Scn").is_some(), is_solved, "{record}");
            assert_eq!(record.get("Scd").is_some(), is_solved, "{record}");
            assert_eq!(
                record.get("Sct").is_some(),
                is_solved && tells_time,
                "{record}"
            );
            assert_eq!(record.get("acs").is_some(), tells_time, "{record}");
            if is_solved {
                assert!(count(&record, "Scn") <= count(&record, "acn"), "{record}");
                assert!(
                    count(&record, "Scd") <= count(&record, "acd") + 1,
                    "{record}"
                );
            }
        }
        assert!(solved > 2);
        assert.stderr(starts_with(format!("{solved} solved, ")));
    }
}

/// A search ends after a number of iterations with the correct move.
#[test]
fn until_solved_ends_early() {
    let whole = records(&stdout(&run("pfts - --depth 9", SUITE).code(0)));
    let early = records(&stdout(
        &run("pfts - --depth 9 --until-solved 2", SUITE).code(0),
    ));
    let mut sooner = 0;
    for (whole, early) in whole.iter().zip(&early) {
        let (depth, most) = (count(early, "acd"), count(whole, "acd"));
        assert!(depth <= most);
        if depth < most {
            sooner += 1;
            assert_eq!(depth, count(early, "Scd") + 1, "{early}");
        }
    }
    assert!(sooner > 0);
}

/// Only the requested operations are written, beside `ce` and `pv`.
#[test]
fn the_operations_are_chosen() {
    let usual = BTreeSet::from(["ce", "pv", "acd", "acn", "pm"]);
    let with = |more: &[&'static str]| usual.iter().copied().chain(more.to_vec()).collect();
    let all = "acd,acn,acs,cte,ctu,pes,pm,sm,ts";
    for (options, expected) in [
        ("--depth 2", usual.clone()),
        ("--nodes 100 --depth 2", usual.clone()),
        ("--time 1ms", with(&["acs"])),
        ("--depth 2 --write default,cte", with(&["cte"])),
        ("--depth 2 --write none", BTreeSet::from(["ce", "pv"])),
        (
            "--depth 2 --write sm,acs",
            BTreeSet::from(["ce", "pv", "sm", "acs"]),
        ),
        (
            &format!("--depth 2 --write {all}"),
            "ce,pv,"
                .split(',')
                .chain(all.split(','))
                .filter(|name| !name.is_empty())
                .collect(),
        ),
    ] {
        let assert = run(&format!("pfga - {options}"), START).code(0);
        let output = records(&stdout(&assert));
        assert_eq!(opcodes(&output[0]), expected, "{options}");
        assert!(
            epd::check(&output[0], &epd::Lexicon::standard()).is_empty(),
            "{}",
            output[0]
        );
    }
    let assert = run("pfga - --depth 2 --write acs,ctu --min-acs 3", START).code(0);
    assert.stdout(contains(" acs 3; ce ").and(contains(" ctu 000.00:00:0")));
    // Decision 102: an existing time stamp is updated.
    let stamped = format!("{START} ts 1995.11.26 18:05:59;");
    let assert = run("pfga - --depth 1", stamped).code(0);
    assert.stdout(contains("; ts 2").and(contains("1995").not()));
    for wrong in [
        "--write acd,xyz",
        "--keep-old old_",
        "--keep-old Far_too_long",
        "--multipv 0",
        "--threads 0",
        "--threads 1025",
    ] {
        run(&format!("pfga - --depth 1 {wrong}"), "")
            .code(2)
            .stderr(starts_with("error: "));
    }
}

/// An older analysis is replaced as a whole, and can be kept under other opcodes (decision 130).
#[test]
fn an_older_analysis_is_removed_or_kept() {
    let input = format!(
        "{MATE_IN_ONE} Ce2 4; Old_ce 1; Old_cte \"x\"; Pv2 \"x\"; acs 9; bm Rd8; ce 5; ce 6; dm 9; id \"x\"; \
         pm Kf1; sm Kh1; zz 1;\n\
         {MATE_IN_ONE} Scn 9; Sct 9.000; cte 000.00:00:01.000; ctu 000.00:00:01.000; pes +9.000;\n\
         {CHECKMATE} pm Kf8;\n"
    );
    let found = "pm Rd8#; pv Rd8#;";
    let assert = run("pfga - --depth 4 --write pm", input.clone()).code(0);
    assert_eq!(
        stdout(&assert),
        format!(
            "{MATE_IN_ONE} Old_ce 1; Old_cte \"x\"; bm Rd8; ce 32766; dm 9; id \"x\"; pm Rd8#; \
             pv Rd8#; sm Kh1; zz 1;\n\
             {MATE_IN_ONE} ce 32766; {found}\n\
             {CHECKMATE} ce -32767; pv;\n"
        )
    );
    let line = "pfga - --depth 4 --write pm,dm,sm --keep-old Old_";
    assert_eq!(
        stdout(&run(line, input).code(0)),
        format!(
            "{MATE_IN_ONE} Old_Ce2 4; Old_Pv2 \"x\"; Old_acs 9; Old_ce 5; Old_ce 6; Old_dm 9; \
             Old_pm \"Kf1\"; Old_sm \"Kh1\"; bm Rd8; ce 32766; dm 1; id \"x\"; {found} sm Rd8#; zz 1;\n\
             {MATE_IN_ONE} Old_Scn 9; Old_Sct \"9.000\"; Old_cte \"000.00:00:01.000\"; \
             Old_ctu \"000.00:00:01.000\"; Old_pes \"+9.000\"; ce 32766; dm 1; {found} sm Rd8#;\n\
             {CHECKMATE} Old_pm \"Kf8\"; ce -32767; pv;\n"
        )
    );
}

/// Further lines begin with other moves and have no better scores; there are at most as many as
/// legal moves.
#[test]
fn several_lines() {
    let assert = run("pfga - --depth 4 --multipv 3", SUITE).code(0);
    for record in records(&stdout(&assert)) {
        let position = record.position().expect("legal");
        let score = |opcode| {
            let operation: &Operation = record.get(opcode).expect(opcode);
            operation.value::<i64>("a score").expect(opcode)
        };
        let first = |opcode| {
            let operation: &Operation = record.get(opcode).expect(opcode);
            operation.variation(&position).expect("playable")[0].to_string()
        };
        let moves = BTreeSet::from(["pv", "Pv2", "Pv3"].map(first));
        assert_eq!(moves.len(), 3, "{record}");
        assert!(
            score("ce") >= score("Ce2") && score("Ce2") >= score("Ce3"),
            "{record}"
        );
        assert_eq!(record.get("Pv4"), None);
    }
    // The lines also differ if an iteration was stopped.
    for nodes in [500, 900, 1300, 1700] {
        let line = format!("pfga - --nodes {nodes} --multipv 2");
        for record in records(&stdout(&run(&line, SUITE).code(0))) {
            let position = record.position().expect("legal");
            let first = |opcode| {
                let operation: &Operation = record.get(opcode).expect(opcode);
                operation.variation(&position).expect("playable")[0]
            };
            assert_ne!(first("pv"), first("Pv2"), "{record}");
        }
    }
    let assert = run("pfga - --depth 3 --multipv 5", MATED_IN_ONE).code(0);
    assert!(!stdout(&assert).contains("Pv2"));
}

/// A soft limit lets the iteration end (decision 134).
#[test]
fn hard_and_soft_limits() {
    let hard = run("pfga - --nodes 3000 --hard", SUITE).code(0);
    assert_eq!(
        stdout(&hard),
        stdout(&run("pfga - --nodes 3000", SUITE).code(0))
    );
    let soft = run("pfga - --nodes 3000 --soft", SUITE).code(0);
    let mut beyond = 0;
    for (hard, soft) in records(&stdout(&hard)).iter().zip(records(&stdout(&soft))) {
        let (least, nodes) = (count(hard, "acn"), count(&soft, "acn"));
        assert!(nodes >= least && nodes <= 9000, "{soft}");
        assert!(count(&soft, "acd") >= count(hard, "acd"));
        beyond += usize::from(nodes > 3000);
    }
    assert!(beyond > 12);
    run("pfga - --nodes 1 --soft --hard", "")
        .code(2)
        .stderr(starts_with("error: "));
}

/// The output is the same byte for byte for any number of jobs, to a stream and to a file.
#[test]
fn any_number_of_jobs_writes_the_same_bytes() {
    let input = format!("{SUITE}{ILLEGAL}\n{CHECKMATE}\n{SUITE}");
    let folder = Folder::with("in.epd", &input);
    for verb in ["pfga in.epd --multipv 2", "pfts in.epd"] {
        let outputs = [1, 2, 3].map(|jobs| {
            let line = format!("{verb} --nodes 1500 --jobs {jobs}");
            let output = stdout(&folder.run(&line).code(1));
            let line = format!("{verb} out{jobs}.epd --nodes 1500 --jobs {jobs}");
            folder.run(&line).code(1);
            assert_eq!(folder.read(&format!("out{jobs}.epd")), output);
            output
        });
        assert_eq!(outputs[0], outputs[1], "{verb}");
        assert_eq!(outputs[0], outputs[2], "{verb}");
        let (first, second) = (&outputs[0], records(&outputs[0]));
        assert_eq!(second[..24], second[26..], "{first}");
    }
    assert_eq!(
        folder.names(),
        [
            "in.epd",
            "out1.epd",
            "out1.epd.run.json",
            "out2.epd",
            "out2.epd.run.json",
            "out3.epd",
            "out3.epd.run.json"
        ]
    );
}

/// The built-in engine finds the same through UCI as directly.
#[test]
fn another_engine_stands_in() {
    let folder = Folder::with("in.epd", SUITE);
    let engine = format!("{} uci", cargo_bin!("epode").display());
    let with_engine = |line: &str| {
        let mut command = folder.command(line);
        command.args(["--engine", &engine]);
        crate::common::calm(command.assert())
    };
    for line in [
        "pfga in.epd --depth 5 --write pm,acd,pes,dm --hash 16",
        "pfga in.epd --depth 4 --write pm,acd --multipv 2 --hash 16 --jobs 2",
        "pfts in.epd --depth 5 --write pm,acn --hash 16",
    ] {
        let ours = records(&stdout(&folder.run(line).code(0)));
        let theirs = records(&stdout(&with_engine(line).code(0)));
        for (ours, theirs) in ours.iter().zip(&theirs) {
            for opcode in ["ce", "pm", "acd", "Ce2", "pes", "Scd"] {
                let both = [ours, theirs].map(|record| record.get(opcode));
                assert_eq!(both[0], both[1], "{line}\n{ours}\n{theirs}");
            }
        }
        assert_eq!(ours.len(), theirs.len());
    }
    // It is stopped after it reports the correct move, and may have searched on until then.
    let assert = with_engine("pfts in.epd --depth 9 --until-solved 2 --write pm,acd").code(0);
    let early = records(&stdout(&assert));
    assert!(early.iter().any(|record| count(record, "acd") < 9));
    // Mates, and positions without legal moves.
    let input = format!("{MATE_IN_TWO}\n{MATED_IN_ONE}\n{CHECKMATE}\n{STALEMATE}\n");
    fs::write(folder.path("in.epd"), input).expect("written");
    let line = "pfga in.epd --depth 6 --write pm,dm,pes";
    assert_eq!(stdout(&with_engine(line)), stdout(&folder.run(line)));
    let assert = with_engine("pfga in.epd --time 20ms --soft --write acs,ctu --threads 2");
    let output = records(&stdout(&assert.code(0)));
    assert!(output.iter().all(|record| record.get("acs").is_some()));

    let assert = run("pfga - --depth 1 --engine /nowhere/engine", START).code(2);
    assert.stderr(starts_with(
        "epode: cannot start the engine /nowhere/engine: ",
    ));
    run("pfga - --depth 1 --option Hash=1", "").code(2);
}

#[test]
fn stockfish_stands_in() {
    let Some(stockfish) = crate::common::stockfish() else {
        return;
    };
    let line = format!("pfts - --nodes 20000 --jobs 2 --engine {stockfish} --option Hash=4");
    let assert = run(&line, SUITE).code(0);
    let output = records(&stdout(&assert));
    assert_eq!(output.len(), 24);
    assert!(output.iter().all(|record| count(record, "acn") >= 5000));
    let line = format!("pfga - --depth 8 --multipv 2 --write pm,dm --engine {stockfish}");
    let input = format!(
        "{MATE_IN_ONE}\n{STALEMATE}\n{}",
        SUITE.lines().next().expect("one")
    );
    let output = records(&stdout(&run(&line, input).code(0)));
    assert!(
        output[0]
            .to_string()
            .contains("ce 32766; dm 1; pm Rd8#; pv Rd8#;")
    );
    assert!(output[1].to_string().ends_with("ce 0; pv;"));
    assert!(output[2].get("Pv2").is_some());
}

/// A scripted engine that answers the handshake and then follows the script.
#[cfg(unix)]
fn script(folder: &Folder, name: &str, on_go: &str) -> String {
    use std::os::unix::fs::PermissionsExt;
    let text = format!(
        "#!/bin/sh\nwhile read -r word rest; do case $word in\n\
         uci) echo id name Script; echo uciok;;\n\
         isready) echo readyok;;\n\
         position) position=$rest;;\n\
         go) {on_go};;\n\
         stop) echo bestmove a1b1;;\n\
         quit) exit;;\n\
         esac; done\n"
    );
    let path = folder.path(name);
    fs::write(&path, text).expect("written");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("permissions");
    path.display().to_string()
}

/// A record whose engine dies, prints nonsense or does not stop is copied with a note and counted,
/// and the run continues with another process.
#[cfg(unix)]
#[test]
fn a_record_can_be_given_up() {
    let folder = Folder::new();
    let good = "8/8/8/8/8/k7/8/K7 w - - id \"good\";";
    let bad = "8/8/8/8/8/1k6/8/K7 w - - c9 \"x\"; id \"bad\";";
    fs::write(folder.path("in.epd"), format!("{good}\n{bad}\n{good}\n")).expect("written");
    let found = "echo info depth 3 nodes 77 score cp 12 pv a1b1; echo bestmove a1b1";
    for (name, on_bad, why) in [
        ("dies", "exit 1", "Script has ended (exit status: 1)"),
        (
            "lies",
            "echo bestmove a1a8",
            "Script plays 'a1a8', which is not a legal move",
        ),
    ] {
        let on_go = format!("case $position in *1k6*) {on_bad};; *) {found};; esac");
        let engine = script(&folder, name, &on_go);
        let line = format!("pfga in.epd out.epd --nodes 5 --engine {engine}");
        let assert = folder.run(&line).code(1);
        let found = "8/8/8/8/8/k7/8/K7 w - - acd 3; acn 77; ce 12; id \"good\"; pm Kb1; pv Kb1;";
        let noted = format!("8/8/8/8/8/1k6/8/K7 w - - c9 \"x; not analysed: {why}\"; id \"bad\";");
        assert_eq!(
            folder.read("out.epd"),
            format!("{found}\n{noted}\n{found}\n")
        );
        let why = why.replace('\'', "\"");
        assert.stderr(
            starts_with(format!("in.epd:2: given up: {why}\n2 analysed; "))
                .and(predicates::str::ends_with("; 1 given up\n")),
        );
    }
    // An engine that never stops uses the whole timeout.
    fs::write(folder.path("sleepy.epd"), format!("{bad}\n")).expect("written");
    let engine = script(&folder, "sleeps", ":");
    let line = format!("pfga sleepy.epd out.epd --nodes 5 --timeout 100ms --engine {engine}");
    let why = "no result within 100ms";
    let assert = folder.run(&line).code(1);
    assert.stderr(starts_with(format!(
        "sleepy.epd:1: given up: {why}\n0 analysed; "
    )));
    let noted = format!("8/8/8/8/8/1k6/8/K7 w - - c9 \"x; not analysed: {why}\"; id \"bad\";\n");
    assert_eq!(folder.read("out.epd"), noted);
    // A later run that analyses the record removes the note.
    let assert = folder.run("pfga out.epd --depth 1 --write none").code(0);
    assert!(stdout(&assert).contains(" c9 \"x\"; ce "));
    // Such an engine finds only one line.
    let engine = script(&folder, "one", found);
    let line = format!("pfga in.epd --nodes 5 --multipv 2 --engine {engine}");
    folder
        .run(&line)
        .code(2)
        .stderr(starts_with("epode: Script has no option MultiPV"));

    let assert = run("pfga - --time 1s --timeout 1s", START).code(2);
    assert.stderr(starts_with(
        "epode: --timeout 1s would give up every position: ",
    ));
    // The built-in engine can take too long as well.
    let assert = run("pfga - --depth 99 --timeout 20ms", START).code(1);
    assert!(stdout(&assert).ends_with(" c9 \"not analysed: no result within 20ms\";\n"));
    assert!(stderr(&assert).ends_with("; 1 given up\n"));
}
