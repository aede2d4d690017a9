//! Lines of every kind, length and end.

use std::fs;
use std::io::Write;

use super::{PAWN, VERBS, check_lines};
use crate::common::{FAILED, FAULTY, Folder, run};
use predicates::prelude::*;
use predicates::str::{contains, starts_with};
use proptest::prelude::*;

/// Lines of every kind: records, what is nearly one, torn ones, text, bytes.
fn line() -> impl Strategy<Value = Vec<u8>> {
    let text = |text: &'static str| Just(text.as_bytes().to_vec());
    prop_oneof![
        4 => text("8/P7/8/8/8/8/5k2/K7 w - - bm a8=Q; id \"x\";"),
        1 => text("  8/P7/8/8/8/8/5k2/K7 w - - 3 40 ; bm Kb2"),
        1 => text("8/8/8/8/8/8/8/K7 w - - noop;"),
        2 => text("8/P7/8/8/8/8/5k2/K7 w - - id \"torn"),
        1 => text("apart\"; noop;"),
        1 => text(""),
        1 => text(" \t"),
        1 => text("# a remark"),
        1 => text("8/P7/8/8/8/8/5k2"),
        1 => Just(b"caf\xe9 8/8".to_vec()),
        1 => Just(b"8/P7/8/8/8/8/5k2/K7 w - - id \"caf\xe9\";".to_vec()),
        2 => prop::collection::vec(32_u8.., 0..60),
        1 => Just(vec![b'x'; 70_000]),
    ]
}

fn junk() -> impl Strategy<Value = Vec<u8>> {
    let end = prop_oneof![4 => Just("\n"), 1 => Just("\r\n"), 1 => Just("\r")];
    let lines = prop::collection::vec((line(), end), 0..12);
    (lines, any::<bool>()).prop_map(|(lines, is_ended)| {
        let mut bytes = Vec::new();
        for (line, end) in &lines {
            bytes.extend(line);
            bytes.extend(end.as_bytes());
        }
        if !is_ended {
            bytes.pop();
        }
        bytes
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..Default::default() })]

    #[test]
    fn no_line_of_any_file_is_lost(input in junk()) {
        for verb in VERBS {
            let folder = Folder::with("x.epd", &input);
            let piped = folder.run(&format!("{verb} x.epd"));
            check_lines(&input, &piped.get_output().stdout, verb);
            folder.run(&format!("{verb} x.epd y.epd --jobs 2"));
            let there = fs::read(folder.path("y.epd")).expect("readable");
            check_lines(&input, &there, verb);
            folder.run(&format!("{verb} x.epd x.epd"));
            let in_place = fs::read(folder.path("x.epd")).expect("readable");
            check_lines(&input, &in_place, verb);
        }
    }
}

/// A long line is copied unchanged, however it arrives.
#[test]
fn a_long_line_in_pieces_is_copied() {
    let folder = Folder::new();
    let mut input = vec![b'y'; 200_000];
    for at in [65_535, 65_536, 65_537, 131_072, 131_073, 199_999] {
        for end in ["\n", "\r\n", "\r", "\r\r\n"] {
            for verb in ["pfdn -", "pfga - --nodes 20 --hash 1"] {
                input.truncate(200_000);
                input.splice(at..at, end.bytes());
                let mut child = folder.start(verb);
                let mut stdin = child.stdin.take().expect("piped");
                let piece = input.clone();
                let writer = std::thread::spawn(move || {
                    for piece in piece.chunks(at) {
                        stdin.write_all(piece).expect("written");
                    }
                });
                let output = child.wait_with_output().expect("it ends");
                writer.join().expect("written");
                check_lines(&input, &output.stdout, verb);
                input.drain(at..at + end.len());
            }
        }
    }
}

/// Line ends of old Macs (CR) are line ends, and lines are numbered.
#[test]
fn carriage_returns_end_lines() {
    let input = format!("{PAWN} id \"1\";\r{PAWN} id \"2\";\r\rnonsense\r{PAWN} bm Kc1;\r");
    let folder = Folder::with("mac.epd", &input);
    let assert = folder.run("pfdn mac.epd").code(FAILED);
    let assert = assert.stderr(starts_with(
        "mac.epd:4:9: the active colour is missing\n\
         mac.epd:5:30: warning[bm-not-legal]: bm: Kc1: not a legal move here\n",
    ));
    // An illegal move is quoted: as a bare operand python-chess would reject it.
    let copied = input.replace('\r', "\n").replace("Kc1", "\"Kc1\"");
    assert.stdout(copied);
    let assert = folder.run("pfga mac.epd out.epd --nodes 20").code(FAILED);
    assert.stderr(starts_with("mac.epd:4:9: ").and(contains("3 analysed; ")));
    assert_eq!(folder.read("out.epd").lines().count(), 5);
    let assert = folder.run("validate --level warning mac.epd").code(FAILED);
    assert.stdout(starts_with("mac.epd:4:9: error[").and(contains("mac.epd:5:30: warning[")));
    // To be in normal form, they must end as other lines do.
    let assert = folder.run("pfdn --check mac.epd");
    assert.stderr(contains("3 records; 5 lines are not in normal form"));
    // Of whatever kind, and also within a string.
    let mixed = format!("{PAWN}\r\n{PAWN}\n{PAWN}\r{PAWN} id \"a\rb\";\n{PAWN} noop;");
    let assert = run("pfdn -", mixed).code(FAULTY);
    assert.stdout(format!(
        "{PAWN}\n{PAWN}\n{PAWN}\n{PAWN} id \"a b\";\n{PAWN} noop;\n"
    ));
}
