//! `epode convert`.

use std::fs;
use std::path::Path;

use crate::common::{ALL_WELL, FAILED, FAULTY, Folder, run, stdout};
use predicates::prelude::*;
use predicates::str::contains;
use proptest::prelude::*;
use serde_json::Value;

/// Records with what no column says exactly, in normal form.
const HARD: &str = "\
4k3/8/8/8/8/8/8/4K2R w K - am \"Zz\"; bm O-O Rh8+; ce +15; hmvc 3;
4k3/8/8/8/8/8/8/4K2R w K - bm e1g1; bm Rh8+; id \"two lists, and \\ a comma, 'quoted'\";
4k3/8/8/8/8/8/8/4K2R w K - bm O-O; c0; c1 \"\"; c2 \"caf\u{e9} \u{1F600}\"; id 7; noop;
4k3/8/8/8/8/8/8/4K2R w K - Pv2 \"Kf1 Kd8\"; acn 18446744073709551615; ce 007; v0 \"name\"; wdl 1 2 3;
8/8/8/8/8/8/8/4K2R w - - bm \"Kf1\"; id \"no black king\";
nrbbqkrn/pppppppp/8/8/8/8/PPPPPPPP/NRBBQKRN w GBgb - fmvn 1; hmvc 0; pm Nb3; pv Nb3 Nb6; sm Nb3;
rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6
";

const GAMES: &str = "\
[Event \"Cup\"]
[Date \"2025.11.30\"]
[White \"Ann\"]
[Black \"Bob\"]
[Result \"1-0\"]
[ECO \"C20\"]

1. e4 e5 {a remark
[White \"in a comment\"]} 2. Qh5 Ke7 3. Qxe5# 1-0

[Event \"Cup\"]
[White \"Cem\"]
[Black \"?\"]

1. e4 c5 2. Zz *

[Event \"Third\"]

1. e4 *
";

/// The normal form that pfdn writes.
fn normal(folder: &Folder, name: &str) -> String {
    let line = format!("pfdn --drop-unreadable {name} normal.epd");
    folder.command(&line).output().expect("it runs");
    folder.read("normal.epd")
}

/// Converts a file and back.
fn there_and_back(folder: &Folder, name: &str, other: &str) -> String {
    for (from, to) in [(name, other), (other, "back.epd")] {
        let output = folder
            .command(&format!("convert {from} {to}"))
            .output()
            .expect("it runs");
        assert!(
            folder.path(to).exists(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
    }
    folder.read("back.epd")
}

#[test]
fn nothing_is_lost() {
    let folder = Folder::with("in.epd", HARD);
    let expected = normal(&folder, "in.epd");
    assert_eq!(expected.lines().count(), HARD.lines().count());
    for other in [
        "x.csv",
        "x.json",
        "x.jsonl",
        "x.csv.gz",
        "x.json.gz",
        "x.ndjson.zst",
        "x.epd",
    ] {
        assert_eq!(
            there_and_back(&folder, "in.epd", other),
            expected,
            "{other}"
        );
    }
}

#[test]
fn nothing_is_lost_of_shared_suites() {
    let ours = Path::new(env!("CARGO_MANIFEST_DIR")).join("../suites");
    let folder = Folder::new();
    for suites in [Some(ours), crate::common::shared("suites")]
        .into_iter()
        .flatten()
    {
        for file in fs::read_dir(suites).expect("a folder") {
            let path = file.expect("a file").path();
            if path.extension().is_none_or(|extension| extension != "epd") {
                continue;
            }
            fs::copy(&path, folder.path("in.epd")).expect("copied");
            let expected = normal(&folder, "in.epd");
            for other in ["x.csv", "x.jsonl"] {
                let back = there_and_back(&folder, "in.epd", other);
                assert!(back == expected, "{}: {other}", path.display());
            }
        }
    }
}

fn operation() -> impl Strategy<Value = String> {
    let opcode = prop_oneof![
        "(id|bm|am|pm|pv|sm|sv|ce|dm|acd|acn|acs|hmvc|fmvn|eco|c[0-9]|v[0-9]|noop)",
        "[A-Za-z][A-Za-z0-9_]{0,14}",
    ];
    let operand = prop_oneof![
        "[+-]?[0-9]{1,20}",
        "(Kf1|O-O|Rh8\\+|e1f1|Kd8)",
        "\"[^\"\\p{Cc}]{0,20}\"",
        "[!#-:<-~]{1,9}",
    ];
    let operands = prop::collection::vec(operand, 0..4);
    (opcode, operands).prop_map(|(opcode, operands)| format!("{opcode} {};", operands.join(" ")))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    /// Many records a case, because each case runs the program.
    #[test]
    fn any_operation_survives(
        records in prop::collection::vec(prop::collection::vec(operation(), 0..6), 100)
    ) {
        let folder = Folder::new();
        let line = |operations: &Vec<String>| {
            format!("4k3/8/8/8/8/8/8/4K2R w K - {}\n", operations.join(" "))
        };
        fs::write(folder.path("in.epd"), records.iter().map(line).collect::<String>()).expect("written");
        let expected = normal(&folder, "in.epd");
        for other in ["x.csv", "x.jsonl"] {
            prop_assert_eq!(&there_and_back(&folder, "in.epd", other), &expected);
        }
        // And a second time nothing changes.
        fs::write(folder.path("again.epd"), &expected).expect("written");
        prop_assert_eq!(&there_and_back(&folder, "again.epd", "y.jsonl"), &expected);
    }
}

#[test]
fn columns_have_types() {
    let line = "1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - Scd 10; acd 18; acn 12981; bm Qd1+; \
                ce 32762; id \"001\"; pm Qd1+; pv Qd1+ Kxd1 Bg4+;\n";
    let folder = Folder::with("x.epd", line);
    folder.run("convert x.epd x.jsonl").code(ALL_WELL);
    let row: Value = serde_json::from_str(&folder.read("x.jsonl")).expect("JSON");
    let expected = serde_json::json!({
        "fen": "1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - 0 1", "turn": "b", "id": "001",
        "bm": ["Qd1+"], "pm": "Qd1+", "pv": ["Qd1+", "Kxd1", "Bg4+"], "ce": 32762, "acd": 18, "acn": 12981,
        "operations": "Scd 10;",
    });
    let mut present = row.as_object().expect("an object").clone();
    assert_eq!(present.len(), 29, "every column is there");
    present.retain(|_, value| !value.is_null());
    assert_eq!(Value::Object(present), expected);
    folder.run("convert x.epd x.csv").code(ALL_WELL);
    let csv = folder.read("x.csv");
    let mut lines = csv.lines();
    assert!(
        lines
            .next()
            .expect("a header")
            .starts_with("fen,turn,id,bm,am,pm,pv,sm,sv,ce,dm,acd")
    );
    let row = lines.next().expect("a row");
    assert!(
        row.contains(",b,001,Qd1+,,Qd1+,Qd1+ Kxd1 Bg4+,,,32762,,18,12981,,"),
        "{row}"
    );
}

#[test]
fn tables_of_others_are_read() {
    let csv = "\u{FEFF}FEN;depth;Name;White Elo;bm\r\n\
               4k3/8/8/8/8/8/8/4K2R w K - 0 1;20;\"a; b\nc\";2700;['O-O', 'Rh8+']\r\n\
               4k3/8/8/8/8/8/8/4K2R b K - 5 9;;x;;\r\n";
    let folder = Folder::with("x.csv", csv);
    folder
        .run("convert x.csv -")
        .code(ALL_WELL)
        .stdout(
            "4k3/8/8/8/8/8/8/4K2R w K - Name \"a; b c\"; bm O-O Rh8+; depth 20; fmvn 1; hmvc 0;\n\
             4k3/8/8/8/8/8/8/4K2R b K - Name \"x\"; fmvn 9; hmvc 5;\n",
        )
        .stderr(contains("x.csv:1: the column \"White Elo\" is left out"));
    let json = "{\"fen\": \"4k3/8/8/8/8/8/8/4K2R w K -\", \"ce\": 15.0, \"hmvc\": null, \"x\": \"y\", \"id\": 5}\n";
    fs::write(folder.path("x.jsonl"), json).expect("written");
    folder
        .run("convert x.jsonl -")
        .code(ALL_WELL)
        .stdout("4k3/8/8/8/8/8/8/4K2R w K - ce 15; id \"5\"; x \"y\";\n");
}

#[test]
fn bad_rows_are_reported_with_their_places() {
    let fen = "4k3/8/8/8/8/8/8/4K2R w K -";
    let folder = Folder::with(
        "x.jsonl",
        format!(
            "{{\"fen\": \"{fen}\"}}\n{{\"fen\": \"4k3/8 w\"}}\n[1]\n{{\"id\": \"x\"\n{{\"fen\": \"{fen}\", \"turn\": \"b\"}}\n"
        ),
    );
    folder
        .run("convert x.jsonl -")
        .code(FAILED)
        .stdout(format!("{fen}\n"))
        .stderr(contains("x.jsonl:2:10: \"4k3/8 w\": "))
        .stderr(contains("x.jsonl:3:1: expected a JSON object\n"))
        .stderr(contains("x.jsonl:4:10: EOF while parsing"))
        .stderr(contains(
            "x.jsonl:5:48: turn is \"b\", but the FEN says \"w\"",
        ))
        .stderr(contains(
            "1 record, 0 with warnings; 4 lines not understood",
        ));
    fs::write(
        folder.path("x.csv"),
        format!("fen,ce\n{fen},12,13\n,3\n{fen},draw\n"),
    )
    .expect("written");
    folder
        .run("convert x.csv -")
        .code(FAILED)
        .stdout(format!("{fen} ce \"draw\";\n"))
        .stderr(contains("x.csv:2:1: 3 fields, expected 2"))
        .stderr(contains("x.csv:3:1: there is no fen"))
        .stderr(contains("x.csv:4:1: warning[operand-type]"));
    fs::write(folder.path("y.csv"), "a,b\n1,2\n").expect("written");
    folder
        .run("convert y.csv -")
        .code(FAILED)
        .stderr(contains("y.csv:1:1: there is no column \"fen\""));
}

#[test]
fn long_rows_are_read() {
    let line = format!(
        "4k3/8/8/8/8/8/8/4K2R w K - {}",
        "Zz \"some text\"; ".repeat(4000)
    );
    let folder = Folder::with("x.epd", line.trim_end().to_owned() + "\n");
    let expected = normal(&folder, "x.epd");
    assert!(expected.len() > 60_000);
    assert_eq!(there_and_back(&folder, "x.epd", "x.csv"), expected);
    let json = folder
        .command("convert x.epd x.jsonl")
        .output()
        .expect("it runs");
    assert!(json.status.success());
    // A row may be longer than a line of EPD.
    let text = folder.read("x.jsonl").replace(
        "{\"fen\"",
        &format!("{{\"x\":\"{}\",\"fen\"", " ".repeat(200_000)),
    );
    fs::write(folder.path("x.jsonl"), text.repeat(3)).expect("written");
    folder.run("convert x.jsonl y.fen").code(ALL_WELL);
    assert_eq!(
        folder.read("y.fen"),
        "4k3/8/8/8/8/8/8/4K2R w K - 0 1\n".repeat(3)
    );
}

#[test]
fn positions_of_games() {
    let folder = Folder::with("g.pgn", GAMES);
    folder
        .run("convert g.pgn - --ply 1-2")
        .code(FAILED)
        .stdout(
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 eco \"C20\"; id \"Ann - Bob, Cup, 2025.11.30, ply 1\"; sm e5;\n\
             rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 eco \"C20\"; fmvn 2; hmvc 0; id \"Ann - Bob, Cup, 2025.11.30, ply 2\"; sm Qh5;\n\
             rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 id \"Third, ply 1\";\n",
        )
        .stderr(contains("g.pgn:15:13: \"Zz\": not a move, expected a legal move or a result"))
        .stderr(contains("3 records from 3 games, 0 with warnings; 1 game not understood"));
    let last = folder
        .command("convert g.pgn - --last --to fen")
        .output()
        .expect("it runs");
    let last = String::from_utf8(last.stdout).expect("UTF-8");
    assert_eq!(last.lines().count(), 2);
    assert!(last.starts_with("rnbq1bnr/ppppkppp/8/4Q3/"), "{last}");
    let all = folder.command("convert g.pgn -").output().expect("it runs");
    assert_eq!(
        String::from_utf8(all.stdout)
            .expect("UTF-8")
            .lines()
            .count(),
        6 + 2
    );
    folder
        .run("convert g.pgn - --ply 0,1 --unique --tags")
        .stdout(contains("ptp Event \"Cup\" Date \"2025.11.30\" White \"Ann\" Black \"Bob\" Result \"1-0\" ECO \"C20\";"))
        .stderr(contains("2 records from 3 games"))
        .stderr(contains("4 repeated positions left out"));
}

/// As python-chess writes them: `Variant` after `FEN`.
#[test]
fn games_of_chess960_keep_their_castling_rights() {
    let game = |moves| {
        format!(
            "[Event \"?\"]\n[FEN \"1k6/8/8/8/8/8/8/RK5R w KQ - 0 1\"]\n[SetUp \"1\"]\n[Variant \"Chess960\"]\n\n{moves} *\n\n"
        )
    };
    let folder = Folder::with("g.pgn", game("1. O-O Kc7") + &game("") + &game("1. O-O-O"));
    folder
        .run("convert g.pgn - --last --to fen")
        .code(ALL_WELL)
        .stdout(
            "8/2k5/8/8/8/8/8/R4RK1 w - - 2 2\n\
             1k6/8/8/8/8/8/8/RK5R w HA - 0 1\n\
             1k6/8/8/8/8/8/8/2KR3R b - - 1 1\n",
        );
}

#[test]
fn a_pgn_has_one_position_a_game() {
    let folder = Folder::with("in.epd", HARD);
    folder
        .run("convert in.epd x.pgn")
        .code(FAULTY)
        .stderr(contains(
            "in.epd:5:1: left out: PGN has no place for an illegal position",
        ));
    let pgn = folder.read("x.pgn");
    assert_eq!(pgn.matches("[Event ").count(), HARD.lines().count() - 1);
    assert!(pgn.contains("[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 3 1\"]\n"));
    assert!(pgn.contains("[Variant \"Chess960\"]"));
    folder.run("convert x.pgn back.epd --ply 0");
    let expected = normal(&folder, "in.epd");
    let mut expected: Vec<_> = expected.lines().collect();
    expected.remove(4);
    assert_eq!(
        folder.read("back.epd").lines().collect::<Vec<_>>(),
        expected
    );
}

#[test]
fn what_fen_has_no_place_for_is_counted() {
    let folder = Folder::with("in.epd", format!("# remark\n{HARD}no record\n"));
    folder
        .run("convert in.epd x.fen")
        .code(FAILED)
        .stderr(contains("in.epd:9:"))
        .stderr(contains(
            "1 line not understood; 1 blank line or comment left out; 2",
        ))
        .stderr(contains("operations left out, which FEN has no place for"));
    let fens = folder.read("x.fen");
    assert!(
        fens.starts_with("4k3/8/8/8/8/8/8/4K2R w K - 3 1\n"),
        "{fens}"
    );
    assert!(
        fens.contains("\n8/8/8/8/8/8/8/4K2R w - - 0 1\n"),
        "illegal ones too"
    );
}

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

/// The first move of a puzzle of Lichess is the opponent's, and is played.
#[test]
fn puzzles() {
    let header = "PuzzleId,FEN,Moves,Rating,Themes\n";
    let fen = "q3k1nr/1pp1nQpp/3p4/1P2p3/4P3/B1PP1b2/B5PP/5K2 b k - 0 17";
    let row = format!("00sHx,{fen},e8d7 a2e6 d7d8 f7f8,1760,mate mateIn2\n");
    let record = "q5nr/1ppknQpp/3p4/1P2p3/4P3/B1PP1b2/B5PP/5K2 w - - Rating 1760; Themes \"mate mateIn2\"; \
                  bm Be6+; dm 2; fmvn 18; hmvc 1; id \"00sHx\"; sv Be6+ Kd8 Qf8#;\n";
    let folder = Folder::with(
        "a.csv",
        format!("{header}{row}1,{fen},e8d7,1,x\n2,{fen},e8d7 a2e7,1,x\n"),
    );
    folder
        .run("convert --puzzles a.csv -")
        .code(FAILED)
        .stdout(record)
        .stderr(contains(
            "a.csv:3:61: \"e8d7\": expected two moves at least\n",
        ))
        .stderr(contains("a.csv:4:66: \"a2e7\": not a legal move here\n"));
    // The mate is proven, and the best move is found.
    fs::write(folder.path("a.epd"), record).expect("written");
    folder
        .run("pfms --moves 2 a.epd")
        .code(ALL_WELL)
        .stdout(contains("dm 2;"));
    folder
        .run("pfts --nodes 1000 a.epd")
        .code(ALL_WELL)
        .stderr(contains("1 solved"));
    // A game shows the solution.
    folder
        .run("convert a.epd - --to pgn")
        .code(ALL_WELL)
        .stdout(contains("\n18. Be6+ Kd8 19. Qf8# *\n"));
    // As JSON, and without the option.
    let json = format!(
        "{{\"PuzzleId\":\"00sHx\",\"FEN\":\"{fen}\",\"Moves\":\"e8d7 a2e6 d7d8 f7f8\",\"Rating\":1760,\"Themes\":\"mate mateIn2\"}}\n"
    );
    fs::write(folder.path("b.jsonl"), json).expect("written");
    folder
        .run("convert --puzzles b.jsonl -")
        .code(ALL_WELL)
        .stdout(record);
    folder
        .run("convert a.csv -")
        .code(ALL_WELL)
        .stdout(contains("Moves \"e8d7 a2e6 d7d8 f7f8\""))
        .stderr(contains("--puzzles plays that move"));
    folder
        .run("convert --puzzles a.epd -")
        .code(FAILED)
        .stderr("epode: --puzzles expects CSV or JSON, and a.epd is neither\n");
}
