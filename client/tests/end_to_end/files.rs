//! The verbs that copy or check EPD files: normal form, repair, purge, validation.

use std::fs;
use std::io::{BufRead, BufReader, Write};

use crate::common::{ALL_WELL, FAILED, FAULTY, Folder, run, stderr, stdout, suites};
use predicates::prelude::*;
use predicates::str::{contains, ends_with, is_empty, starts_with};
use serde_json::Value;

const PAWN: &str = "8/P7/8/8/8/8/5k2/K7 w - -";
const ROOK: &str = "r1k5/8/8/8/8/8/8/4K2R w K -";

/// All suites in one file, repeated until it has at least this many bytes, so that it is read in many
/// blocks.
fn everything(least: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    for file in suites() {
        bytes.extend(fs::read(file).expect("readable"));
        bytes.push(b'\n');
    }
    bytes.repeat(least.div_ceil(bytes.len()))
}

#[test]
fn normal_form() {
    let input = format!("  {PAWN} 3 40 ;  id BK.01; bm Kb2  a8 = Q ;am Ka2 \r\n\n# end\n");
    let normal = format!("{PAWN} am Ka2; bm Kb2 a8=Q; fmvn 40; hmvc 3; id \"BK.01\";\n");
    let assert = run("pfdn -", input.clone())
        .code(ALL_WELL)
        .stdout(format!("{normal}\n# end\n"));
    assert.stderr(
        "1 record, 1 repaired, 0 with warnings; 0 lines not understood; 2 blank lines and comments\n",
    );
    let assert = run("pfdn - --drop-unreadable", input).code(ALL_WELL);
    assert.stdout(normal.clone()).stderr(
        "-:3: comment left out: # end\n\
         1 record, 1 repaired, 0 with warnings; 0 lines not understood; \
         2 blank lines and comments, dropped\n",
    );
    let assert = run("pfdn - --strict", normal.clone());
    let assert = assert.code(ALL_WELL).stdout(normal);
    assert.stderr("1 record, 0 repaired, 0 with warnings; 0 lines not understood\n");
}

/// Decision 112: errors are reported, and every readable record is written.
#[test]
fn normal_form_tells_what_is_wrong() {
    let nowhere = "8/8/8/8/8/8/8/K7 w - - noop;";
    let folder = Folder::with(
        "in.epd",
        format!("{PAWN} bm Kc1; dm 0;\nnonsense\n{nowhere}\n"),
    );
    let assert = folder.run("pfdn in.epd out.epd").code(FAILED);
    assert.stderr(
        "in.epd:1:30: warning[bm-not-legal]: bm: Kc1: not a legal move here\n\
         in.epd:1:38: warning[operand-type]: dm: 0 is not an integer from 1 to 1023\n\
         in.epd:2:9: the active colour is missing\n\
         in.epd:3:1: warning[illegal-position]: illegal position: no black king\n\
         2 records, 0 repaired, 2 with warnings; 1 line not understood, copied\n",
    );
    assert_eq!(
        folder.read("out.epd"),
        format!("{PAWN} bm \"Kc1\"; dm 0;\nnonsense\n{nowhere}\n")
    );
    let assert = folder.run("pfdn in.epd none.epd --strict").code(FAILED);
    assert.stderr(ends_with("epode: stopped at line 2 of in.epd\n"));
    assert_eq!(folder.names(), ["in.epd", "out.epd"]);
    let assert = folder.run("pfdn in.epd records.epd --drop-unreadable");
    let assert = assert.code(FAILED);
    assert.stderr(ends_with("; 1 line not understood, dropped\n"));
    assert_eq!(
        folder.read("records.epd"),
        format!("{PAWN} bm \"Kc1\"; dm 0;\n{nowhere}\n")
    );
}

/// Decision 115: lines between the records are errors in strict mode.
#[test]
fn strict_takes_records_and_nothing_else() {
    for (input, column, message) in [
        (
            format!("{PAWN}\n\n"),
            1,
            "a blank line or a comment, expected a record",
        ),
        (
            format!("{PAWN}\n# end\n"),
            1,
            "a blank line or a comment, expected a record",
        ),
        (
            format!("{PAWN}\n{PAWN} bm Kb2\n"),
            33,
            "no semicolon after the last operation",
        ),
        (
            format!("{PAWN}\n{PAWN} id \"a\nb\";\n"),
            32,
            "a string that continues on the next line",
        ),
    ] {
        let assert = run("pfdn - --strict", input)
            .code(FAILED)
            .stdout(format!("{PAWN}\n"));
        assert.stderr(format!(
            "-:2:{column}: {message}\nepode: stopped at line 2 of -\n"
        ));
    }
}

/// EPD 7.1: normalisation is idempotent, and `--check` recognises normal form.
#[test]
fn normal_form_is_idempotent() {
    for file in suites() {
        let folder = Folder::with("in.epd", fs::read(&file).expect("readable"));
        folder.run("pfdn in.epd one.epd");
        folder.run("pfdn one.epd two.epd");
        assert_eq!(
            folder.read("one.epd"),
            folder.read("two.epd"),
            "{}",
            file.display()
        );
        let same =
            fs::read(folder.path("in.epd")).expect("there") == folder.read("one.epd").as_bytes();
        let check = folder.run("pfdn in.epd --check");
        assert_eq!(stdout(&check).is_empty(), same, "{}", file.display());
        assert!(same || check.get_output().status.code() != Some(ALL_WELL));
        folder.run("pfdn one.epd --check").stdout(is_empty());
    }
}

#[test]
fn check_shows_differences() {
    let input = format!("{PAWN} id \"x\"; bm Kb2;\n{PAWN} bm Kb2;\n\nnonsense\n{PAWN} bm Kb2;");
    let folder = Folder::with("in.epd", &input);
    let [first, blank, nonsense, last] = [
        format!("in.epd:1:\n-{PAWN} id \"x\"; bm Kb2;\n+{PAWN} bm Kb2; id \"x\";\n"),
        "in.epd:3:\n-\n".to_owned(),
        "in.epd:4:\n-nonsense\n".to_owned(),
        format!(
            "in.epd:5:\n-{PAWN} bm Kb2;\n+{PAWN} bm Kb2;\n\\ No newline at the end of the file\n"
        ),
    ];
    let assert = folder.run("pfdn --check in.epd").code(FAILED);
    let assert = assert.stdout(format!("{first}{last}"));
    assert.stderr(ends_with(
        "3 records; 2 lines are not in normal form; 1 line not understood; 1 blank line or comment\n",
    ));
    let assert = folder.run("pfdn --check --drop-unreadable in.epd");
    let assert = assert.stdout(format!("{first}{blank}{nonsense}{last}"));
    assert.stderr(ends_with(
        "3 records; 4 lines are not in normal form; 1 line not understood; 1 blank line or comment\n",
    ));
    assert_eq!(folder.names(), ["in.epd"]);
    // Letters of Latin-1 would become others.
    let latin = [PAWN.as_bytes(), b" id \"caf\xe9\";\n"].concat();
    run("pfdn --check -", latin)
        .code(FAULTY)
        .stdout(starts_with("-:1:\n"));
    run("pfdn --check -", format!("{PAWN} bm Kb2;\n"))
        .code(ALL_WELL)
        .stdout(is_empty());
}

/// Decisions 113 and 116, by choice.
#[test]
fn counters_and_numbers_in_another_form() {
    let line = format!("{PAWN} acs +07; bm Kb2; fmvn 40; hmvc 3; ts 1995.11.26 18:05;\n");
    let fields = format!("{PAWN} 3 40 acs +07; bm Kb2; ts 1995.11.26 18:05;\n");
    let there = run("pfdn - --counters fields", line.clone())
        .code(ALL_WELL)
        .stdout(fields.clone());
    run("pfdn -", stdout(&there))
        .code(ALL_WELL)
        .stdout(line.clone());
    run("pfdn - --counters fields", fields.clone()).stdout(fields);
    run("pfdn - --canonical", line)
        .code(ALL_WELL)
        .stdout(format!(
            "{PAWN} acs 7; bm Kb2; fmvn 40; hmvc 3; ts 1995.11.26 18:05:00;\n"
        ));
    // A field that is not a number is left in place.
    let odd = format!("{PAWN} fmvn x; hmvc 70000;");
    run("pfdn - --counters fields", odd).stdout(format!("{PAWN} 0 1 fmvn \"x\"; hmvc 70000;\n"));
}

/// The number of threads does not change output or messages.
#[test]
fn any_number_of_jobs_writes_the_same_from_shared_suites() {
    let folder = Folder::with("in.epd", everything(2 << 20));
    for verb in ["pfdn in.epd", "pfdr in.epd"] {
        let results = [1, 2, 5].map(|jobs| {
            let assert = folder.run(&format!("{verb} --jobs {jobs}"));
            (stdout(&assert), stderr(&assert))
        });
        assert!(results[0].0.lines().count() > 5000);
        assert!(
            results[0] == results[1] && results[0] == results[2],
            "{verb}"
        );
    }
}

#[test]
fn every_repair_is_reported() {
    let input = format!("{ROOK} 0 1 bm h1h8 0-0; pv 1. e1g1 a8b8;\n{ROOK} bm O-O;\n");
    let repaired = format!("{ROOK} bm O-O Rh8+; fmvn 1; hmvc 0; pv O-O Rb8;\n{ROOK} bm O-O;\n");
    let assert = run("pfdr -", input.clone())
        .code(ALL_WELL)
        .stdout(repaired.clone());
    assert.stderr(
        "-:1:29: repaired[fen-counters]: \"0 1\" -> \"hmvc 0; fmvn 1;\"\n\
         -:1:36: repaired[move-spelling]: \"h1h8\" -> \"Rh8+\"\n\
         -:1:41: repaired[move-spelling]: \"0-0\" -> \"O-O\"\n\
         -:1:49: repaired[move-number]: \"1.\" -> \"\"\n\
         -:1:52: repaired[move-spelling]: \"e1g1\" -> \"O-O\"\n\
         -:1:57: repaired[move-spelling]: \"a8b8\" -> \"Rb8\"\n\
         2 records, 1 repaired, 0 with warnings; 0 lines not understood\n       \
         4 move-spelling\n       1 fen-counters\n       1 move-number\n",
    );
    let assert = run("pfdr --quiet -", input).stdout(repaired.clone());
    assert.stderr(starts_with("2 records, 1 repaired"));
    // A repaired file needs no repair.
    let assert = run("pfdr -", repaired.clone()).stdout(repaired);
    assert.stderr("2 records, 0 repaired, 0 with warnings; 0 lines not understood\n");
}

/// Repairs and warnings of a line come in the order of their columns.
#[test]
fn messages_of_a_line_are_sorted() {
    let input = format!("{ROOK} bm Kd8; pv 1. O-O;\n");
    let assert = run("pfdr -", input).code(FAULTY);
    let stderr = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
    let messages: Vec<_> = stderr.lines().take(2).collect();
    assert!(
        messages[0].contains(": warning[bm-not-legal]: bm: Kd8: not a legal move here"),
        "{stderr}"
    );
    assert!(
        messages[1].contains(": repaired[move-number]: \"1.\""),
        "{stderr}"
    );
}

#[test]
fn repaired_suites_need_no_repair() {
    for file in suites() {
        let folder = Folder::with("in.epd", fs::read(&file).expect("readable"));
        folder.run("pfdr in.epd one.epd");
        let again = folder.run("pfdr --quiet one.epd two.epd");
        assert_eq!(
            folder.read("one.epd"),
            folder.read("two.epd"),
            "{}",
            file.display()
        );
        again.stderr(contains("records, 0 repaired"));
    }
}

#[test]
fn purged_operations_are_gone() {
    let input = format!("{PAWN} D1 5; D2 40; acd 3; bm Kb2 Ka2; id \"D1\";\n{PAWN} noop;\n");
    for (words, left, purged) in [
        (
            "acd,bm",
            format!("{PAWN} D1 5; D2 40; id \"D1\";\n{PAWN} noop;\n"),
            2,
        ),
        (
            "D*",
            format!("{PAWN} acd 3; bm Ka2 Kb2; id \"D1\";\n{PAWN} noop;\n"),
            2,
        ),
        (
            "--keep id,a*",
            format!("{PAWN} acd 3; id \"D1\";\n{PAWN}\n"),
            4,
        ),
        (
            "ce",
            format!("{PAWN} D1 5; D2 40; acd 3; bm Ka2 Kb2; id \"D1\";\n{PAWN} noop;\n"),
            0,
        ),
    ] {
        let assert = run(&format!("pfop {words} -"), input.clone())
            .code(ALL_WELL)
            .stdout(left);
        let s = if purged == 1 { "" } else { "s" };
        assert.stderr(format!(
            "{purged} operation{s} purged from 2 records; 0 lines not understood\n"
        ));
    }
    let assert = run("pfop bm;am -", input).code(FAILED).stdout(is_empty());
    assert.stderr(contains("\"bm;am\" is not an opcode"));
}

#[test]
fn validation_for_people() {
    let input = format!("# a remark\n{PAWN} bm  Kc1; id é;\n{PAWN} id \"x;\n");
    let folder = Folder::with("in.epd", input);
    let assert = folder.run("validate in.epd").code(FAILED);
    let assert = assert.stdout(format!(
        "in.epd:2:30: note[surplus-space]: white space where the standard allows none\n  |\n\
         2 | {PAWN} bm  Kc1; id é;\n  |                              ^ left out\n\
         in.epd:2:31: warning[bm-not-legal]: bm: Kc1: not a legal move here\n  |\n\
         2 | {PAWN} bm  Kc1; id é;\n  |                               ^^^\n\
         in.epd:2:39: note[not-ascii]: characters beyond ASCII\n  |\n\
         2 | {PAWN} bm  Kc1; id é;\n  |                                       ^\n\
         in.epd:2:39: note[unquoted-string]: a string without quotes\n  |\n\
         2 | {PAWN} bm  Kc1; id é;\n  |                                       ^ taken as \"é\"\n\
         in.epd:3:30: error[open-string]: the string has no closing quote\n  |\n\
         3 | {PAWN} id \"x;\n  |                              ^^^\n"
    ));
    assert.stderr("1 record, 1 line not understood: 1 error, 1 warning, 3 notes\n");
    folder
        .run("validate --level error in.epd")
        .code(FAILED)
        .stderr("1 record, 1 line not understood: 1 error, 0 warnings, 0 notes\n");
    let strict = folder.run("validate --strict in.epd").code(FAILED);
    strict.stdout(starts_with("in.epd:1:1: error[no-record]"));
    run("validate -", format!("{PAWN} bm Kb2;\n"))
        .code(ALL_WELL)
        .stdout(is_empty());
    folder
        .run("validate in.epd none.epd")
        .code(FAILED)
        .stderr(contains("cannot open none.epd"));
}

/// Every diagnostic of every suite is a JSON object on a line, and its place is in the file.
#[test]
fn validation_for_programs() {
    for file in suites() {
        let bytes = fs::read(&file).expect("readable");
        let lines: Vec<usize> = bytes
            .split(|&byte| byte == b'\n')
            .map(<[u8]>::len)
            .collect();
        let folder = Folder::with("in.epd", &bytes);
        let json = stdout(&folder.run("validate --format json in.epd"));
        let all: Vec<Value> = json
            .lines()
            .map(|line| serde_json::from_str(line).expect("an object"))
            .collect();
        for one in &all {
            let number = |name: &str| one[name].as_u64().expect(name) as usize;
            assert!(number("column") <= lines[number("line") - 1] + 1, "{one}");
            assert!((number("line"), number("column")) <= (number("endLine"), number("endColumn")));
            assert!(
                one["name"].is_string() && one["message"].is_string() && one["found"].is_string()
            );
        }
        let sarif = stdout(&folder.run("validate --format sarif in.epd"));
        let log: Value = serde_json::from_str(&sarif).expect("one object");
        assert_eq!(log["version"], "2.1.0");
        let results = log["runs"][0]["results"].as_array().expect("results");
        assert_eq!(results.len(), all.len());
        let rules = log["runs"][0]["tool"]["driver"]["rules"]
            .as_array()
            .expect("rules");
        let known = |name: &Value| rules.iter().any(|rule| rule["id"] == *name);
        for (result, one) in results.iter().zip(&all) {
            assert!(
                result["ruleId"] == one["name"] && known(&one["name"]),
                "{one}"
            );
            let region = &result["locations"][0]["physicalLocation"]["region"];
            assert_eq!(region["startColumn"], one["column"]);
        }
    }
}

/// A file that cannot be read does not keep the others from being checked.
#[test]
fn validation_goes_on_after_a_file_that_cannot_be_read() {
    let folder = Folder::with("x.epd", format!("{PAWN} bm Kc1;\nnonsense\n"));
    fs::write(folder.path("y.epd"), [7; 64]).expect("written");
    for (format, results) in [("text", 0), ("json", 2), ("sarif", 2)] {
        let line = format!("validate --format {format} none.epd x.epd y.epd");
        let assert = folder.run(&line).code(FAILED);
        let output = stdout(&assert);
        assert.stderr(
            starts_with("epode: cannot open none.epd: ")
                .and(contains("\nepode: y.epd is binary data, "))
                .and(ends_with(
                    "\n1 record, 1 line not understood, 2 files not read: 1 error, 1 warning, 0 notes\n",
                )),
        );
        let found = match format {
            "sarif" => {
                let log: Value = serde_json::from_str(&output).expect("one object");
                log["runs"][0]["results"].as_array().expect("results").len()
            }
            "json" => output.lines().count(),
            _ => continue,
        };
        assert_eq!(found, results, "{format}");
    }
}

/// What validate warns of, pfdn and pfdr warn of too.
#[test]
fn nothing_is_dropped_silently() {
    for (line, warning, written) in [
        (
            format!("{PAWN} 7 9 hmvc 3; fmvn 4;"),
            "27: warning[counters-disagree]: \"7 9\" -> \"\"",
            format!("{PAWN} fmvn 4; hmvc 3;"),
        ),
        (
            "4k3/8/8/4pP2/8/8/8/4K3 w - e3 bm f6;".to_owned(),
            "28: warning[impossible-en-passant]: \"e3\" -> \"-\"",
            "4k3/8/8/4pP2/8/8/8/4K3 w - - bm f6;".to_owned(),
        ),
        (
            "r3k2r/8/8/8/8/8/8/R3K2R w KQkqK - bm O-O;".to_owned(),
            "27: warning[castling-junk]: castling right K dropped: no such king and rook, or repeated",
            "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - bm O-O;".to_owned(),
        ),
    ] {
        for verb in ["pfdn -", "pfdr -", "pfdr --quiet -"] {
            let assert = run(verb, format!("{line}\n")).code(FAULTY);
            assert.stdout(format!("{written}\n")).stderr(
                starts_with(format!("-:1:{warning}\n")).and(contains(", 1 with warnings;")),
            );
        }
        let assert = run("pfdn --quiet -", format!("{line}\n")).code(FAULTY);
        assert.stderr("1 record, 1 repaired, 1 with warnings; 0 lines not understood\n");
        run("validate --level warning -", line).code(FAULTY);
    }
}

/// A control character is a blank outside strings too (decision 107), so that a second pass changes nothing.
#[test]
fn control_characters_are_blanks() {
    let line = "4k3/8/8/8/8/8/PPPPPPPP/4K3 w - -";
    for verb in ["pfdr -", "pfdn -"] {
        let first = run(verb, format!("{line} bm e4\u{4}d4;id \"x\";\n")).code(ALL_WELL);
        let expected = format!("{line} bm d4 e4; id \"x\";\n");
        assert_eq!(stdout(&first), expected);
    }
    let assert = run("validate -", format!("{line} bm e4;id \"x\";\n")).code(FAULTY);
    assert.stdout(ends_with("^ a blank is missing\n"));
}

/// A program that waits for each answer receives it.
#[test]
fn answers_come_line_by_line() {
    let folder = Folder::new();
    let mut child = folder.start("pfdn -");
    let mut input = child.stdin.take().expect("piped");
    let mut answers = BufReader::new(child.stdout.take().expect("piped")).lines();
    for n in 0..3 {
        writeln!(input, "{PAWN} id {n}").expect("written");
        let answer = answers.next().expect("an answer").expect("readable");
        assert_eq!(answer, format!("{PAWN} id \"{n}\";"));
    }
    // A record with an open string waits for the next line.
    write!(input, "{PAWN} id \"a\nb\";\n").expect("written");
    drop(input);
    assert_eq!(
        answers.next().expect("an answer").expect("readable"),
        format!("{PAWN} id \"a b\";")
    );
    // It was joined, which is a warning.
    assert_eq!(child.wait().expect("it ends").code(), Some(FAULTY));
}

#[test]
fn what_is_no_epd_file() {
    let utf16: Vec<u8> = [0xFF, 0xFE, b'8', 0].to_vec();
    run("pfdn -", utf16)
        .code(FAILED)
        .stderr("epode: - is UTF-16 text, expected EPD text in UTF-8 (iconv -f UTF-16 -t UTF-8 converts it)\n");
    // An overlong line between two records.
    let long = "x".repeat(3_000_000);
    let input = format!("{PAWN}\n{long}\n{PAWN} bm Kb2;\n{PAWN} noop {long}");
    let records = format!("{PAWN}\n{PAWN} bm Kb2;\n");
    for (line, out, fate) in [
        ("pfdn -", format!("{input}\n"), "copied"),
        ("pfdn - --drop-unreadable", records, "dropped"),
    ] {
        let assert = run(line, input.clone()).code(FAILED).stdout(out);
        assert.stderr(format!(
            "-:2:65537: a line of more than 65536 bytes, the most that can be read\n\
             -:4:65537: a line of more than 65536 bytes, the most that can be read\n\
             2 records, 0 repaired, 0 with warnings; 2 lines not understood, {fate}\n",
        ));
    }
}
