//! What comes in: bad lines, illegal positions, dirty files, bytes beyond ASCII.

use super::{bare, check_analysed, messages_and_summary, only};
use crate::common::records::{ILLEGAL, ILLEGAL_BECAUSE, MATE_IN_ONE, SUITE, records};
use crate::common::{ALL_WELL, FAILED, FAULTY, Folder, run, stdout};
use predicates::str::{contains, is_empty, starts_with};

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
    assert_eq!(messages, [format!("-:1:23: {ILLEGAL_BECAUSE}")]);
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
