//! What an analysis finds and writes: suites, targets, limits and jobs.

use std::fmt::Write;
use std::fs;

use super::{bare, check_analysed, messages_and_summary, only};
use crate::common::records::{
    CHECKMATE, ILLEGAL, ILLEGAL_BECAUSE, MATE_IN_ONE, STALEMATE, SUITE, count, record, records,
};
use crate::common::{ALL_WELL, FAILED, FAULTY, Folder, calm, run, stdout};
use assert_cmd::cargo::cargo_bin_cmd;
use epd::{Operation, Record};
use predicates::str::starts_with;

/// An operation as text, or nothing.
fn printed(record: &Record, opcode: &str) -> Option<String> {
    record.get(opcode).map(Operation::to_string)
}

/// The records whose `pm` is among the moves of `bm` and not among those of `am`, and those that
/// have neither.
fn solved_and_untargeted(records: &[Record]) -> (usize, usize) {
    let mut solved = 0;
    let mut untargeted = 0;
    for record in records {
        let position = record.position().expect("legal");
        let moves = |opcode| {
            let operation: Option<&Operation> = record.get(opcode);
            operation.map(|operation| operation.moves(&position).expect("moves"))
        };
        let (best, avoid) = (moves("bm"), moves("am"));
        let Some(found) = moves("pm").filter(|_| best.is_some() || avoid.is_some()) else {
            untargeted += 1;
            continue;
        };
        let hit = best.is_none_or(|best| best.contains(&found[0]));
        let avoided = avoid.is_none_or(|avoid| !avoid.contains(&found[0]));
        solved += usize::from(hit && avoided);
    }
    (solved, untargeted)
}

#[test]
fn a_suite_is_solved() {
    let input = records(SUITE);
    assert_eq!(input.len(), 24);
    let folder = Folder::with("suite.epd", SUITE);
    let assert = folder.run("pfts suite.epd --nodes 2000").code(ALL_WELL);
    let output = records(&stdout(&assert));
    assert_eq!(output.iter().map(bare).collect::<Vec<_>>(), input);
    for record in &output {
        check_analysed(record);
        assert!(record.get("bm").is_some() && record.get("id").is_some());
        assert_eq!(count(record, "acn"), 2000, "{record}");
    }

    let (messages, summary) = messages_and_summary(&assert);
    assert_eq!(messages, Vec::<String>::new());
    let (solved, untargeted) = solved_and_untargeted(&output);
    let missed = output.len() - solved - untargeted;
    let nodes: u64 = output.iter().map(|record| count(record, "acn")).sum();
    let expected =
        format!("{solved} solved, {missed} missed, {untargeted} without target; {nodes} nodes in ");
    assert!(summary.starts_with(&expected), "{summary}");
    assert!(summary.ends_with(" nodes a second"), "{summary}");
}

#[test]
fn any_number_of_jobs_writes_the_same() {
    // Lines of every kind, so that the order of messages shows too.
    let mut input = SUITE.to_owned();
    let _ = write!(input, "{ILLEGAL}\n# a remark\n\nnonsense\n{CHECKMATE}\n");
    input += SUITE;
    let folder = Folder::with("in.epd", input);
    for limit in ["--nodes 1000", "--depth 4"] {
        let outputs = [1, 2, 5].map(|jobs| {
            let line = format!("pfts in.epd {limit} --hash 1 --jobs {jobs}");
            let assert = folder.run(&line).code(FAILED);
            let output = stdout(&assert);
            let lines: Vec<_> = output.lines().collect();
            assert_eq!(lines.len(), 53);
            assert_eq!(lines[25..28], ["# a remark", "", "nonsense"]);
            let (messages, summary) = messages_and_summary(&assert);
            let found = summary.split(" nodes in ").next().map(str::to_owned);
            (output, messages, found)
        });
        assert_eq!(outputs[0], outputs[1], "{limit}");
        assert_eq!(outputs[0], outputs[2], "{limit}");
        assert_eq!(
            outputs[0].1,
            [
                format!("in.epd:25:23: {ILLEGAL_BECAUSE}"),
                "in.epd:28:9: the active colour is missing".to_owned(),
            ]
        );
    }
}

/// Several threads on one position, and time limits: outputs may differ, but each is valid.
#[test]
fn other_ways_to_search() {
    let folder = Folder::with("in.epd", SUITE);
    for options in [
        "--nodes 2000 --threads 2",
        "--time 1ms",
        "--time 0.002s --depth 5 --jobs 2",
    ] {
        let line = format!("pfts in.epd {options} --hash 1");
        let assert = folder.run(&line).code(ALL_WELL);
        let output = records(&stdout(&assert));
        assert_eq!(output.iter().map(bare).collect::<Vec<_>>(), records(SUITE));
        output.iter().for_each(check_analysed);
    }
}

/// A chosen move has a depth of at least 1, as in UCI.
#[test]
fn the_smallest_search_has_a_depth_of_one() {
    for line in [
        "pfga - --nodes 1",
        "pfts - --nodes 1",
        "pfts - --nodes 1 --multipv 2",
    ] {
        let assert = run(line, SUITE).code(ALL_WELL);
        for record in stdout(&assert).lines() {
            assert!(record.contains(" acd 1; acn 1;"), "{line}: {record}");
        }
    }
}

/// At checkmate and stalemate `pv` is empty, and there is no `pm` (decision 131).
#[test]
fn finished_games_have_no_move() {
    let input =
        format!("{CHECKMATE} pm Kh8; id \"mate\";\n{STALEMATE} bm Kh7; id \"stalemate\";\n");
    let assert = run("pfts - --nodes 100", input).code(ALL_WELL);
    assert_eq!(
        stdout(&assert),
        format!(
            "{CHECKMATE} acd 0; acn 0; ce -32767; id \"mate\"; pv;\n\
             {STALEMATE} acd 0; acn 0; bm \"Kh7\"; ce 0; id \"stalemate\"; pv;\n"
        )
    );
    let summary = messages_and_summary(&assert).1;
    assert!(summary.starts_with("0 solved, 0 missed, 2 without target; 0 nodes in "));
}

/// An analysis replaces an older one; everything else is kept.
#[test]
fn old_analyses_are_replaced() {
    let others = "am Rd7; bm Rd8+; c0 \"a; b\"; c1; dm 1; id \"x\"; noop \"1 2 3\"; sm Kf1; zz_9;";
    let input = format!("{MATE_IN_ONE} {others} acd 9; acn 9; acs 9; ce 9; pm Kf1; pv Kf1 Kf8;\n");
    let assert = run("pfts - --depth 3", input).code(ALL_WELL);
    let output = only(&assert);
    check_analysed(&output);
    assert_eq!(bare(&output), record(&format!("{MATE_IN_ONE} {others}")));
    assert_eq!(printed(&output, "ce").as_deref(), Some("ce 32766;"));
    assert_eq!(printed(&output, "pm").as_deref(), Some("pm Rd8#;"));
    assert_eq!(printed(&output, "pv").as_deref(), Some("pv Rd8#;"));

    // Faulty records may have several.
    let input = format!("{MATE_IN_ONE} pm Kf1; pm Kh1; ce 1; ce 2; pv; pv Kf1;");
    let output = only(&run("pfts - --depth 3", input).code(ALL_WELL));
    let opcodes = output
        .operations()
        .iter()
        .map(|operation| operation.opcode.as_str());
    assert!(opcodes.eq(["acd", "acn", "ce", "pm", "pv"]));
}

/// A record is solved if both `bm` and `am` hold; without them it has no target (decisions 135 and
/// 136).
#[test]
fn targets() {
    for (operations, solved, missed, untargeted) in [
        ("bm Rd8#;", 1, 0, 0),
        // Compared as moves, not as text.
        ("bm d1d8;", 1, 0, 0),
        ("bm Rd8 +;", 1, 0, 0),
        ("bm Kf1 Rd8;", 1, 0, 0),
        ("bm Kf1;", 0, 1, 0),
        ("am Kf1;", 1, 0, 0),
        ("am Rd8;", 0, 1, 0),
        ("am Kf1; bm Rd8;", 1, 0, 0),
        ("am Rd8; bm Rd8;", 0, 1, 0),
        ("am Rd8; bm Kf1;", 0, 1, 0),
        ("am Kh1; bm Kf1;", 0, 1, 0),
        ("id \"neither\";", 0, 0, 1),
        ("am; bm;", 0, 0, 1),
    ] {
        let input = format!("{MATE_IN_ONE} {operations}");
        let assert = run("pfts - --depth 1", input).code(ALL_WELL);
        check_analysed(&only(&assert));
        assert.stderr(starts_with(format!(
            "{solved} solved, {missed} missed, {untargeted} without target; "
        )));
    }
    // An unreadable target is reported; the record is searched nevertheless.
    let input = format!("{MATE_IN_ONE} bm Rd9; id \"x\";");
    let assert = run("pfts - --depth 1", input).code(FAULTY);
    check_analysed(&only(&assert));
    assert.stderr(starts_with(
        "-:1:38: bm: Rd9: not a move\n0 solved, 0 missed, 1 without",
    ));
}

/// The suites outside the repository: every readable line becomes a record, in order, with all of
/// its operations.
#[test]
fn shared_suites_come_out_whole() {
    let Some(folder) = crate::common::shared("suites") else {
        return;
    };
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.extension().is_none_or(|extension| extension != "epd") {
            continue;
        }
        let text = String::from_utf8(fs::read(&path).expect("readable"));
        let text = text.unwrap_or_else(|error| {
            let bytes = error.into_bytes();
            bytes.into_iter().map(char::from).collect()
        });
        let lines = text.split('\n');
        let lines = lines.filter(|line| epd::LineKind::of(line) == epd::LineKind::Record);
        let input: Vec<_> = lines.map(|line| epd::read(line, &mut Vec::new())).collect();
        let readable: Vec<&Record> = input.iter().flatten().collect();

        let mut command = cargo_bin_cmd!("epode");
        command
            .args(["pfts", "--depth", "1", "--hash", "1"])
            .arg("--drop-unreadable")
            .arg(&path);
        let assert = calm(command.assert());
        let output = stdout(&assert);
        assert_eq!(output.lines().count(), readable.len(), "{}", path.display());
        for (line, before) in output.lines().zip(&readable) {
            let after = epd::read(line, &mut Vec::new()).expect("our own");
            let mut before = (**before).clone();
            before.make_portable(&epd::Lexicon::standard());
            assert_eq!(after.to_string(), line);
            if after.position().is_ok() {
                check_analysed(&after);
                assert_eq!(bare(&after), bare(&before));
            } else {
                assert_eq!(after, before);
            }
        }
        let code = assert.get_output().status.code();
        let all_read = readable.len() == input.len();
        assert_eq!(code == Some(FAILED), !all_read, "{}", path.display());
    }
}
