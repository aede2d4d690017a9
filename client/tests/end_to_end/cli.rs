//! The program as a user runs it: files and streams in and out, messages, exit statuses.

use std::fmt::Write;
use std::fs;
use std::process::Stdio;

use crate::common::records::{
    CHECKMATE, ILLEGAL, ILLEGAL_BECAUSE, MATE_IN_ONE, STALEMATE, SUITE, count, record, records,
};
use crate::common::{ALL_WELL, FAILED, FAULTY, Folder, calm, run, stderr, stdout};
use assert_cmd::assert::Assert;
use assert_cmd::cargo::{cargo_bin, cargo_bin_cmd};
use epd::{Operation, Record};
use predicates::prelude::*;
use predicates::str::{contains, ends_with, is_empty, starts_with};

/// The operations that an analysis sets.
const ANALYSIS: [&str; 9] = ["Scd", "Scn", "Sct", "acd", "acn", "acs", "ce", "pm", "pv"];

/// The messages of an analysis, and its last line on its own.
fn messages_and_summary(assert: &Assert) -> (Vec<String>, String) {
    let mut lines: Vec<_> = stderr(assert).lines().map(str::to_owned).collect();
    let summary = lines.pop().expect("a summary");
    (lines, summary)
}

/// The one record of an output.
fn only(assert: &Assert) -> Record {
    let mut records = records(&stdout(assert));
    assert_eq!(records.len(), 1);
    records.remove(0)
}

/// An operation as text, or nothing.
fn printed(record: &Record, opcode: &str) -> Option<String> {
    record.get(opcode).map(Operation::to_string)
}

/// A record without the operations of an analysis.
fn bare(record: &Record) -> Record {
    let mut record = record.clone();
    for opcode in ANALYSIS {
        record.remove(opcode);
    }
    record
}

/// Checks what must hold for every analysed record.
fn check_analysed(record: &Record) {
    let position = record.position().expect("legal");
    let get = |opcode| {
        let operation = record.get(opcode);
        operation.unwrap_or_else(|| panic!("no {opcode} in {record}"))
    };
    let pv = get("pv").variation(&position).expect("playable");
    let (depth, nodes) = (count(record, "acd"), count(record, "acn"));
    let score = get("ce").single().expect("one").text().parse::<i32>();
    assert!((-32767..=32767).contains(&score.expect("centipawns")));
    if position.count_moves() == 0 {
        assert!(pv.is_empty() && (depth, nodes) == (0, 0), "{record}");
        assert_eq!(record.get("pm"), None, "{record}");
    } else {
        assert!(depth > 0 && nodes > 0, "{record}");
        let pm = get("pm").moves(&position).expect("playable");
        assert_eq!(pm, pv[..1], "{record}");
    }
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

/// Files and streams give the same result, for input and output.
#[test]
fn streams_are_files() {
    let folder = Folder::with("in.epd", SUITE);
    let expected = stdout(&folder.run("pfts in.epd --depth 2").code(ALL_WELL));
    assert_eq!(records(&expected).len(), 24);

    for line in [
        "pfts - --depth 2",
        "pfts - - --depth 2",
        "pfts --depth 2 - -",
    ] {
        let assert = run(line, SUITE).code(ALL_WELL);
        assert_eq!(stdout(&assert), expected, "{line}");
    }
    let assert = folder.run("pfts in.epd out.epd --depth 2").code(ALL_WELL);
    assert.stdout(is_empty());
    assert_eq!(folder.read("out.epd"), expected);
    let mut command = folder.command("pfts --depth 2 - other.epd");
    calm(command.write_stdin(SUITE).assert()).code(ALL_WELL);
    assert_eq!(folder.read("other.epd"), expected);
    assert_eq!(
        folder.names(),
        [
            "in.epd",
            "other.epd",
            "other.epd.run.json",
            "out.epd",
            "out.epd.run.json"
        ]
    );

    // Also the same file, which is replaced after it has been read.
    folder.run("pfts in.epd in.epd --depth 2").code(ALL_WELL);
    assert_eq!(folder.read("in.epd"), expected);
}

/// A file is written whole or not at all, and nothing else is left behind.
#[test]
fn a_file_that_cannot_be_finished_is_not_touched() {
    let folder = Folder::with("in.epd", format!("{MATE_IN_ONE} noop;\nnonsense\n"));
    fs::write(folder.path("out.epd"), "as it was\n").expect("written");
    let unchanged = || {
        assert_eq!(folder.names(), ["in.epd", "out.epd"]);
        assert_eq!(folder.read("out.epd"), "as it was\n");
    };
    for (line, message) in [
        (
            "pfts in.epd out.epd --depth 1 --strict",
            "in.epd:2:9: the active colour is missing\nepode: stopped at line 2 of in.epd\n",
        ),
        (
            "pfts in.epd none.epd --depth 1 --strict",
            "in.epd:2:9: the active colour is missing\nepode: stopped at line 2 of in.epd\n",
        ),
        (
            "pfts none.epd out.epd --depth 1",
            "epode: cannot open none.epd: ",
        ),
        ("pfts . out.epd --depth 1", "epode: cannot "),
        (
            "pfts in.epd none/out.epd --depth 1",
            "epode: cannot write none/out.epd: ",
        ),
        (
            "pfts in.epd out.epd/out.epd --depth 1",
            "epode: cannot write out.epd/out.epd: ",
        ),
        ("pfts in.epd out.epd", "error: "),
        ("pfts in.epd out.epd --depth 0", "error: "),
        ("pfts in.epd out.epd --time 0s", "error: "),
    ] {
        let assert = folder.run(line).code(FAILED);
        assert.stdout(is_empty()).stderr(starts_with(message));
        unchanged();
    }
    // Without --strict, lines that are not records are copied.
    folder.run("pfts in.epd out.epd --depth 1").code(FAILED);
    assert_eq!(folder.names(), ["in.epd", "out.epd", "out.epd.run.json"]);
    let written = folder.read("out.epd");
    let (first, rest) = written.split_once('\n').expect("lines");
    assert_eq!(rest, "nonsense\n");
    check_analysed(&record(first));
    assert_eq!(
        bare(&record(first)),
        record(&format!("{MATE_IN_ONE} noop;"))
    );
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
                format!("in.epd:25: {ILLEGAL_BECAUSE}"),
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

#[test]
fn bad_lines_are_told_and_copied() {
    let good = format!("{MATE_IN_ONE} bm Rd8#; id \"good\";");
    let input = [
        good.as_str(),
        "8/8/8/8/8/k7/8/K8 w - -",
        "",
        "# a remark",
        "8/8/8/8/8/k7/8/K7 w - x9 noop;",
        &good,
        "8/8/8/8/8/k7/8/K7 w - - id \"open;",
        "8/8/8/8/8/k7/8/K7 w KQx -",
        &good,
    ];
    let expected = [
        "2:16: rank 1 has 9 squares, expected 8",
        "5:23: the en passant square is \"x9\", expected \"-\" or a square",
        "7:28: the string has no closing quote",
        "8:21: the castling availability is \"KQx\", expected \"-\", letters of \"KQkq\", \
         or files of rooks",
    ];
    let folder = Folder::with("in.epd", input.join("\n"));
    let input = input.join("\n");
    let dropping = "pfts - --depth 2 --drop-unreadable";
    for (name, fate, assert) in [
        ("in.epd", "copied", folder.run("pfts in.epd --depth 2")),
        ("-", "copied", run("pfts - --depth 2", input.clone())),
        ("-", "dropped", run(dropping, input.clone())),
    ] {
        let assert = assert.code(FAILED);
        let output = stdout(&assert);
        let (analysed, others): (Vec<_>, Vec<_>) =
            output.lines().partition(|line| line.contains(" acd "));
        let mut bad: Vec<_> = input.lines().filter(|&line| line != good).collect();
        bad.retain(|_| fate == "copied");
        assert_eq!(others, bad);
        let output = records(&format!("{}\n", analysed.join("\n")));
        assert_eq!(output.len(), 3);
        output.iter().for_each(check_analysed);
        let (messages, summary) = messages_and_summary(&assert);
        assert_eq!(messages.len(), expected.len(), "{messages:?}");
        for (message, expected) in messages.iter().zip(expected) {
            assert!(
                message.starts_with(&format!("{name}:{expected}")),
                "{message}"
            );
        }
        assert!(summary.starts_with("3 solved, 0 missed, 0 without target; "));
        let end = format!("; 4 lines not understood, {fate}");
        assert!(summary.ends_with(&end), "{summary}");
    }
}

/// With --strict even a superfluous blank ends the run; earlier results have been written.
#[test]
fn strict_stops_at_the_first() {
    let good = format!("{MATE_IN_ONE} bm Rd8#;");
    let odd = format!("{MATE_IN_ONE}  bm Rd8#;");
    let folder = Folder::with(
        "in.epd",
        [&good[..], &good, &odd, &good, "nonsense"].join("\n"),
    );
    let assert = folder.run("pfts in.epd --depth 2 --strict").code(FAILED);
    assert_eq!(records(&stdout(&assert)).len(), 2);
    let column = MATE_IN_ONE.len() + 2;
    assert.stderr(format!(
        "in.epd:3:{column}: white space where the standard allows none\n\
         epode: stopped at line 3 of in.epd\n"
    ));
    folder.run("pfts in.epd --depth 2").code(FAILED);

    // Strict input passes.
    let folder = Folder::with("in.epd", SUITE);
    let assert = folder.run("pfts in.epd --depth 1 --strict").code(ALL_WELL);
    assert_eq!(records(&stdout(&assert)).len(), 24);
}

/// A record with an illegal position is copied with a message (decision 132).
#[test]
fn illegal_positions_are_copied() {
    let illegal = format!("{ILLEGAL} bm Re7; ce 3; id \"x\"; pv Re7;");
    let input = format!("{illegal}\n{MATE_IN_ONE} bm Rd8#;\n");
    let assert = run("pfts - --depth 2", input.as_bytes()).code(FAULTY);
    let output = records(&stdout(&assert));
    // Moves in an illegal position are quoted, for programs that would look them up.
    let quoted = format!("{ILLEGAL} bm \"Re7\"; ce 3; id \"x\"; pv \"Re7\";");
    assert_eq!(output[0].to_string(), quoted);
    check_analysed(&output[1]);
    let (messages, summary) = messages_and_summary(&assert);
    assert_eq!(messages, [format!("-:1: {ILLEGAL_BECAUSE}")]);
    assert!(summary.starts_with("1 solved, 0 missed, 0 without target; "));
    assert!(
        summary.ends_with("; 1 illegal position copied"),
        "{summary}"
    );

    // It is a fault of the position and not of the line.
    run("pfts - --depth 2 --strict", input.as_bytes()).code(FAULTY);
    // A line that is not a record is worse, wherever it is.
    for input in [format!("nonsense\n{input}"), format!("{input}nonsense")] {
        run("pfts - --depth 2", input).code(FAILED);
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
        "-:1: bm: Rd9: not a move\n0 solved, 0 missed, 1 without",
    ));
}

/// All kinds of real files are read, and the output is valid.
#[test]
fn dirty_input_comes_out_clean() {
    let bratko = "1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - -";
    for (input, kept) in [
        (
            format!("{bratko} ; bm Qd1 + ; id BK.01 \0"),
            "bm Qd1+; id \"BK.01\";",
        ),
        (
            format!("{bratko} bm Qd1+; id \"BK.01\";\r"),
            "bm Qd1+; id \"BK.01\";",
        ),
        (format!("{bratko} 3 12 bm Qd1"), "bm Qd1; fmvn 12; hmvc 3;"),
        (
            format!("  {bratko} 3 12; id  \"a  b\" "),
            "fmvn 12; hmvc 3; id \"a  b\";",
        ),
        (format!("{bratko}3 12"), "fmvn 12; hmvc 3;"),
        (
            format!("{bratko}\tbm\tQd1+\t;;; c0 \"say \\\"hello\\\", now\""),
            "bm Qd1+; c0 \"say 'hello', now\";",
        ),
        (format!("{bratko}\0\0\0"), ""),
    ] {
        for end in ["", "\n", "\r\n", "\0\n", "\n\n\r\n\0\n# end\n% end"] {
            let line = "pfts - --depth 1 --drop-unreadable";
            let assert = run(line, format!("{input}{end}")).code(ALL_WELL);
            let output = only(&assert);
            check_analysed(&output);
            let kept = format!("{bratko} {kept}");
            assert_eq!(bare(&output).to_string(), kept.trim_end(), "{input:?}");
            assert_eq!(messages_and_summary(&assert).0, Vec::<String>::new());
        }
    }
}

/// Bytes that are not UTF-8 are read as Latin-1, and written as UTF-8.
#[test]
fn bytes_beyond_ascii_pass() {
    let mut latin = format!("{MATE_IN_ONE} id \"caf").into_bytes();
    latin.extend(b"\xE9\";\n");
    let utf8 = format!("{MATE_IN_ONE} id \"caf\u{e9}\";\n").into_bytes();
    for input in [latin, utf8] {
        let assert = run("pfts - --depth 1", input).code(ALL_WELL);
        assert.stdout(contains(" id \"caf\u{e9}\"; "));
    }
    // Binary garbage does not stop the run.
    let mut input: Vec<u8> = (0..=255).collect();
    input.extend(format!("\n{MATE_IN_ONE}\n").bytes());
    let assert = run("pfts - --depth 1 --drop-unreadable", input).code(FAILED);
    check_analysed(&only(&assert));
}

#[test]
fn no_records_in_give_no_records_out() {
    for input in ["", "\n", "\r\n\0\n", "# a remark\n% another\n \t\n"] {
        let folder = Folder::with("in.epd", input);
        let assert = folder.run("pfts in.epd out.epd --nodes 100").code(ALL_WELL);
        assert.stdout(is_empty()).stderr(starts_with(
            "0 solved, 0 missed, 0 without target; 0 nodes in ",
        ));
        // Blank lines and comments stay, with the ends of lines that all have.
        let lines = input.lines().collect::<Vec<_>>();
        assert!(folder.read("out.epd").lines().eq(lines));
    }
}

/// A reader that closes standard output early is not a failure and gets no message.
#[test]
fn a_closed_pipe_is_quiet_success() {
    let folder = Folder::with("in.epd", SUITE);
    for line in [
        "pfts in.epd --depth 1",
        "pfts in.epd --depth 1 --jobs 3",
        "perft 2",
        "perft 2 --divide",
        "bench --depth 1",
    ] {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let mut command = std::process::Command::new(cargo_bin!("epode"));
        command.args(line.split(' ')).current_dir(folder.path(""));
        command.env("RUST_BACKTRACE", "1");
        command.stdin(Stdio::null()).stdout(writer);
        let output = command.output().expect("it runs");
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{line:?}");
        assert_eq!(output.status.code(), Some(ALL_WELL), "{line:?}");
    }
}

/// Its node count is a signature.
#[test]
fn bench_counts_the_same() {
    let counts = [" --depth 4", " --hash 16 --depth 4", " 16 1 4"].map(|options| {
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

/// Devices, pipes and folders are written or refused, never replaced.
#[cfg(unix)]
#[test]
fn other_things_than_files_stay_what_they_are() {
    use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};

    let folder = Folder::with("in.epd", "8/8/8/8/8/k7/8/K7 w - -\n");
    folder
        .run("pfts in.epd . --depth 1")
        .code(FAILED)
        .stderr("epode: cannot write .: Is a directory (os error 21)\n");
    let missing = "epode: cannot write no/out.epd: No such file or directory (os error 2)\n";
    folder
        .run("pfts in.epd no/out.epd --depth 1")
        .code(FAILED)
        .stderr(missing);

    folder.run("pfts in.epd /dev/null --depth 1").code(ALL_WELL);
    let device = fs::metadata("/dev/null").expect("a device");
    assert!(device.file_type().is_char_device());

    // The file behind a link is replaced, and keeps its permissions.
    fs::write(folder.path("real.epd"), "old\n").expect("written");
    fs::set_permissions(folder.path("real.epd"), fs::Permissions::from_mode(0o600)).expect("set");
    symlink("real.epd", folder.path("link.epd")).expect("linked");
    folder.run("pfts in.epd link.epd --depth 1").code(ALL_WELL);
    assert!(folder.path("link.epd").is_symlink());
    assert_eq!(records(&folder.read("real.epd")).len(), 1);
    let mode = fs::metadata(folder.path("real.epd"))
        .expect("there")
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o600);
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
