//! The verbs that select, order, unite and count positions.

use std::fs;

use crate::common::{ALL_WELL, FAILED, FAULTY, Folder, run, suites};
use predicates::str::contains;

const PAWN: &str = "8/8/8/8/8/1k6/p7/2K5 b - -";
const ROOK: &str = "r1k5/8/8/8/8/8/8/4K2R w K -";
/// A pawn has moved two squares, and no pawn can capture it.
const EN_PASSANT: &str = "4k3/8/8/8/4P3/8/8/4K3 b - e3";
const NO_EN_PASSANT: &str = "4k3/8/8/8/4P3/8/8/4K3 b - -";

/// Each position once; lines stay as they are, dirt included.
#[test]
fn unique_keeps_the_first_record() {
    let input = format!(
        "# head\r\n{PAWN}  id \"1\" ;x\n{ROOK} id \"2\";\nnonsense\n\n{PAWN} id \"3\"; hmvc 7;\n{EN_PASSANT} ;\n{NO_EN_PASSANT}"
    );
    let assert = run("unique -", input.clone()).code(FAILED);
    assert
        .stdout(format!("# head\n{PAWN}  id \"1\" ;x\n{ROOK} id \"2\";\nnonsense\n\n{EN_PASSANT} ;\n"))
        .stderr(contains("-:4:9: the active colour is missing"))
        .stderr(contains(
            "5 records, 3 positions, 2 duplicates; 1 line not understood, copied; 2 blank lines and comments, copied",
        ));
    let assert = run("unique - --duplicates report", input.clone()).code(FAILED);
    assert.stdout("-:6: the position of line 2\n-:8: the position of line 7\n");
    for (options, positions) in [
        ("--counters", 4),
        ("--en-passant written", 4),
        ("--counters --en-passant written", 5),
    ] {
        let assert = run(
            &format!("unique - {options} --drop-unreadable"),
            input.clone(),
        );
        assert
            .code(FAILED)
            .stderr(contains(format!("{positions} positions")));
    }
    let castling = format!("{ROOK}\n{}\n", ROOK.replace(" K ", " - "));
    run("unique -", castling.clone()).stdout(castling.clone());
    run("unique - --ignore-castling", castling).stdout(format!("{ROOK}\n"));
    run("unique - --duplicates report", format!("{PAWN}\n{PAWN}\n")).code(FAULTY);
    run("unique - --duplicates report", format!("{PAWN}\n{ROOK}\n")).code(ALL_WELL);
    run("unique - --conflict last", input)
        .code(FAILED)
        .stderr("epode: --conflict says how to merge, and needs --duplicates merge\n");
}

#[test]
fn merge_unites_operations() {
    let folder = Folder::with(
        "a.epd",
        format!(
            "{ROOK} acd 10; bm O-O; c0 \"one\"; ce 20; id \"a\"; pv O-O Kb7;\n# between\n{PAWN} id \"p\";\n"
        ),
    );
    let second = format!(
        "{ROOK} acd 12; acn 900; am Kd1; bm Rh8+ O-O; c0 \"two\"; c1 \"one\"; ce 30; eco \"B33\"; id \"b\"; pv Rh8+;\n{PAWN};\n"
    );
    fs::write(folder.path("b.epd"), second).expect("written");
    let united = format!(
        "{ROOK} acd 12; acn 900; am Kd1; bm O-O Rh8+; c0 \"one\"; c1 \"two\"; ce 30; eco \"B33\"; id \"a\"; pv Rh8+;\n"
    );
    let assert = folder.run("merge a.epd b.epd -o out.epd").code(ALL_WELL);
    assert.stderr(
        "b.epd:1: left out: id \"b\"; (that of a.epd:1 is kept)\n\
         4 records, 2 positions, 1 operation left out; 1 blank line or comment, copied\n",
    );
    assert_eq!(
        folder.read("out.epd"),
        format!("{united}# between\n{PAWN} id \"p\";\n")
    );
    // The place of the first record counts, and which analysis is deeper does not depend on the order.
    folder.run("merge b.epd a.epd -o other.epd --drop-unreadable");
    assert_eq!(
        folder.read("other.epd"),
        format!(
            "{}{PAWN} id \"p\";\n",
            united
                .replace("id \"a\"", "id \"b\"")
                .replace("c0 \"one\"; c1 \"two\"", "c0 \"two\"; c1 \"one\"")
        )
    );
    for (conflict, bm) in [
        ("first", "bm O-O;"),
        ("last", "bm O-O Rh8+;"),
        ("intersection", "bm O-O;"),
    ] {
        let assert = folder.run(&format!("merge a.epd b.epd --conflict {conflict}"));
        assert.code(ALL_WELL).stdout(contains(bm));
    }
    folder
        .run("merge a.epd b.epd --conflict error")
        .code(FAILED)
        .stderr(contains(
            "b.epd:1: bm contradicts a.epd:1: bm O-O; bm Rh8+ O-O;",
        ));
    // Nothing is written over by an error.
    assert_eq!(folder.names(), ["a.epd", "b.epd", "other.epd", "out.epd"]);
    let one = fs::read(folder.path("a.epd")).expect("readable");
    fs::write(
        folder.path("both.epd"),
        [one, fs::read(folder.path("b.epd")).expect("readable")].concat(),
    )
    .expect("written");
    folder
        .run("unique both.epd both.epd --duplicates merge")
        .code(ALL_WELL);
    assert_eq!(folder.read("both.epd"), folder.read("out.epd"));
}

/// Moves that a rule leaves out are reported as other operations are.
#[test]
fn moves_that_are_left_out_are_reported() {
    let folder = Folder::with("a.epd", format!("{ROOK} bm O-O Kd1;\n"));
    fs::write(folder.path("b.epd"), format!("{ROOK} bm Rh8+;\n")).expect("written");
    let kept = |file: &str| format!("(that of {file}:1 is kept)");
    for (conflict, moves, messages) in [
        ("union", " bm Kd1 O-O Rh8+;", String::new()),
        (
            "first",
            " bm Kd1 O-O;",
            format!("b.epd:1: left out: bm Rh8+; {}\n", kept("a.epd")),
        ),
        (
            "last",
            " bm Rh8+;",
            format!("a.epd:1: left out: bm O-O Kd1; {}\n", kept("b.epd")),
        ),
        (
            "intersection",
            "",
            "a.epd:1: left out: bm O-O Kd1; (not in all records)\n\
             b.epd:1: left out: bm Rh8+; (not in all records)\n"
                .to_owned(),
        ),
    ] {
        let left_out = match messages.lines().count() {
            1 => "1 operation".to_owned(),
            count => format!("{count} operations"),
        };
        let assert = folder.run(&format!("merge a.epd b.epd --conflict {conflict}"));
        assert
            .code(ALL_WELL)
            .stdout(format!("{ROOK}{moves}\n"))
            .stderr(format!(
                "{messages}2 records, 1 position, {left_out} left out\n"
            ));
    }
}

/// A mate that was found is not replaced by a deeper search that has not found it.
#[test]
fn a_mate_is_kept() {
    let mate = format!("{ROOK} acd 5; ce 32762; dm 3; pv Rh8+;\n");
    let folder = Folder::with("a.epd", &mate);
    fs::write(
        folder.path("b.epd"),
        format!("{ROOK} acd 12; ce 250; pv O-O;\n"),
    )
    .expect("written");
    for files in ["a.epd b.epd", "b.epd a.epd"] {
        let assert = folder.run(&format!("merge {files}"));
        assert.code(ALL_WELL).stdout(mate.clone());
    }
}

/// What is merged once is merged: merging it with itself changes nothing and leaves nothing out.
#[test]
fn merging_again_changes_nothing() {
    for file in suites() {
        let folder = Folder::with("in.epd", fs::read(&file).expect("readable"));
        folder.run("merge in.epd -o one.epd --drop-unreadable --jobs 2");
        let assert = folder.run("merge one.epd one.epd -o two.epd");
        let name = file.display();
        assert
            .code(ALL_WELL)
            .stderr(contains(", 0 operations left out"));
        assert_eq!(folder.read("one.epd"), folder.read("two.epd"), "{name}");
        let assert = folder.run("unique one.epd --duplicates report");
        assert.code(ALL_WELL).stdout("");
    }
}

#[test]
fn comments_use_free_registers() {
    let comments = (0..12)
        .map(|i| format!("{PAWN} c{} \"comment {i}\";\n", i % 3))
        .collect::<Vec<_>>()
        .concat();
    let assert = run("merge -", comments).code(ALL_WELL);
    assert
        .stdout(contains(
            "c0 \"comment 0\"; c1 \"comment 1\"; c2 \"comment 2\"; c3 \"comment 3\";",
        ))
        .stderr(contains(
            "-:11: left out: c1 \"comment 10\"; (no comment register is free)\n",
        ))
        .stderr(contains("-:12: left out"));
}

#[test]
fn query_selects_records() {
    let input = format!("# head\n{PAWN}   bm a1=Q;\n{ROOK} ce 5;\n{PAWN} ce 900;\n");
    let query = |expression: &str, more: &[&str]| {
        let folder = Folder::with("in.epd", &input);
        let mut command = folder.command("query");
        command.arg(expression).arg("in.epd").args(more);
        command.assert()
    };
    query("Kvkp", &[])
        .code(FAILED)
        .stderr(contains("`Kvkp` is not compared"));
    query("Kkp and not has ce", &[])
        .code(ALL_WELL)
        .stdout(format!("{PAWN}   bm a1=Q;\n"));
    query("ce > 0", &["--count"]).code(ALL_WELL).stdout("2\n");
    query("ce > 0", &["--invert", "--jobs", "3"])
        .code(ALL_WELL)
        .stderr("1 of 3 records; 1 blank line or comment, left out\n");
    query("ce > 1000", &[]).code(FAULTY).stdout("");
    query("ce >", &[])
        .code(FAILED)
        .stderr("epode: EXPR: found the end, expected a number or a text\n  ce >\n      ^\n");
    run("query legal -", format!("{PAWN}\nnonsense\n"))
        .code(FAILED)
        .stdout(format!("{PAWN}\n"));
}

#[test]
fn sort_orders_records() {
    let line = |id: &str, ce: &str| format!("{PAWN} {ce}id \"{id}\";\n");
    let lines = [
        line("BK.10", "ce -3; "),
        line("BK.9", "ce 20; "),
        line("none", ""),
        line("BK.9", "ce 4; "),
    ];
    let input = format!("{}# remark\n", lines.concat());
    let sorted =
        |order: [usize; 4]| format!("# remark\n{}", order.map(|i| lines[i].clone()).concat());
    for (keys, order) in [
        ("position", [0, 1, 2, 3]),
        ("id", [1, 3, 0, 2]),
        ("ce", [0, 3, 1, 2]),
        ("-ce", [1, 3, 0, 2]),
        ("-id,ce", [2, 0, 3, 1]),
        ("pieces,line", [0, 1, 3, 2]),
    ] {
        let assert = run(&format!("sort - --by {keys}"), input.clone()).code(ALL_WELL);
        assert.stdout(sorted(order));
    }
    run("sort - --by colour", input.clone())
        .code(FAILED)
        .stderr(contains("--by: \"colour\" is neither"));
    run("sort - --by ce --shuffle 3", input).code(FAILED);
}

/// Sorting, shuffling and splitting lose no line, and the number of threads changes nothing.
#[test]
fn every_line_is_kept() {
    for file in suites() {
        let text = fs::read(&file).expect("readable");
        let folder = Folder::with("in.epd", text);
        let lines = |name: &str| {
            let text = fs::read(folder.path(name)).expect(name);
            let mut lines: Vec<_> = text
                .split(|&byte| byte == b'\n')
                .map(<[u8]>::to_vec)
                .collect();
            lines.sort();
            lines
        };
        // Line ends become line feeds.
        folder.run("sort --by line in.epd one.epd");
        for (verb, name) in [
            ("sort --by -pieces,id --jobs 4 in.epd a.epd", "a.epd"),
            ("sort --shuffle 5 --jobs 2 in.epd b.epd", "b.epd"),
            ("sort a.epd c.epd", "c.epd"),
        ] {
            folder.run(verb);
            assert_eq!(lines(name), lines("one.epd"), "{verb} {}", file.display());
        }
        folder.run("sort --shuffle 5 in.epd again.epd");
        let bytes = |name: &str| fs::read(folder.path(name)).expect(name);
        assert_eq!(bytes("b.epd"), bytes("again.epd"));
        folder.run("split in.epd parts --parts 3 --jobs 2");
        let mut parts = Vec::new();
        for part in fs::read_dir(folder.path("parts")).expect("a folder") {
            parts.extend(fs::read(part.expect("a file").path()).expect("readable"));
        }
        fs::write(folder.path("joined.epd"), parts).expect("written");
        assert_eq!(lines("joined.epd"), lines("one.epd"), "{}", file.display());
    }
}

#[test]
fn samples() {
    let input = (0..1000)
        .map(|i| format!("{PAWN} id \"{i}\";\n"))
        .collect::<Vec<_>>()
        .concat();
    let sample = |options: &str| {
        let assert = run(&format!("sample - {options}"), input.clone()).code(ALL_WELL);
        String::from_utf8(assert.get_output().stdout.clone()).expect("UTF-8")
    };
    let is_ordered = |sample: &str| {
        let numbers: Vec<usize> = sample
            .lines()
            .map(|line| {
                line.split('"')
                    .nth(1)
                    .expect("an id")
                    .parse()
                    .expect("a number")
            })
            .collect();
        numbers.is_sorted_by(|one, two| one < two)
    };
    let fifty = sample("--count 50");
    assert!(fifty.lines().count() == 50 && is_ordered(&fifty));
    assert_eq!(fifty, sample("--count 50 --jobs 3"));
    assert_ne!(fifty, sample("--count 50 --seed 1"));
    assert_eq!(sample("--count 2000"), input);
    let tenth = sample("--fraction 0.1");
    assert!((50..150).contains(&tenth.lines().count()) && is_ordered(&tenth));
    assert_eq!(
        (sample("--fraction 1"), sample("--fraction 0")),
        (input.clone(), String::new())
    );
    run("sample - --fraction 1.5", input.clone())
        .code(FAILED)
        .stderr(contains("from 0 to 1"));
    run("sample -", input)
        .code(FAILED)
        .stderr(contains("--count"));
}

#[test]
fn parts() {
    let folder = Folder::with(
        "x.epd",
        format!(
            "# head\n{PAWN} eco \"B33\";\n{ROOK} eco \"../A/00\";\n{PAWN}\nnonsense\n{ROOK} eco \"B33\";\n"
        ),
    );
    folder.run("split x.epd by --by eco").code(FAILED).stderr(contains(
        "4 records in 3 files; 1 line not understood, in rest.txt; 1 blank line or comment, in rest.txt",
    ));
    let parts = folder.path("by");
    let read = |name: &str| fs::read_to_string(parts.join(name)).expect(name);
    assert_eq!(
        read("B33.epd"),
        format!("{PAWN} eco \"B33\";\n{ROOK} eco \"B33\";\n")
    );
    assert_eq!(read("_A_00.epd"), format!("{ROOK} eco \"../A/00\";\n"));
    assert_eq!(read("none.epd"), format!("{PAWN}\n"));
    assert_eq!(read("rest.txt"), "# head\nnonsense\n");
    folder.run("split x.epd three --records 3").code(FAILED);
    assert_eq!(
        fs::read_to_string(folder.path("three").join("x-002.epd")).expect("it"),
        format!("{ROOK} eco \"B33\";\n")
    );
    folder
        .run("split x.epd three")
        .code(FAILED)
        .stderr(contains("--records"));
    let many = (0..600)
        .map(|i| format!("{PAWN} id \"{i}\";\n"))
        .collect::<Vec<_>>()
        .concat();
    run("split - many --by id", many)
        .code(FAILED)
        .stderr(contains("more than 500 different values"));
    run("split - parts --by -ce", format!("{PAWN}\n"))
        .code(FAILED)
        .stderr(contains("--by: \"-ce\" is no key"));
}

/// Parts of an earlier run stay, and are reported.
#[test]
fn older_parts_are_reported() {
    let folder = Folder::with("a.epd", format!("{PAWN}\n").repeat(6));
    folder.run("split a.epd parts --parts 3").code(ALL_WELL);
    let message = "parts also has 1 part of a that an earlier run wrote\n6 records in 2 files\n";
    folder
        .run("split a.epd parts --parts 2")
        .code(ALL_WELL)
        .stderr(message);
}

/// Neither the input nor a read-only file is replaced, and then no other file either.
#[test]
fn parts_that_must_not_be_replaced() {
    let text = format!("{PAWN} id \"new\";\n{PAWN} id \"a\";\n{ROOK} id \"b\";\n");
    let folder = Folder::with("a.epd", &text);
    folder
        .run("split a.epd . --by id")
        .code(FAILED)
        .stderr("epode: ./a.epd is the file to split, name another DIR\n");
    let folder_with_force = folder.run("split a.epd . --by id --force");
    folder_with_force.code(FAILED);
    assert_eq!(folder.read("a.epd"), text);
    fs::write(folder.path("a-002.epd"), "kept\n").expect("written");
    let mut permissions = fs::metadata(folder.path("a-002.epd"))
        .expect("it")
        .permissions();
    permissions.set_readonly(true);
    fs::set_permissions(folder.path("a-002.epd"), permissions).expect("set");
    folder
        .run("split a.epd . --records 1")
        .code(FAILED)
        .stderr("epode: cannot write ./a-002.epd: it is read-only (--force overwrites it)\n");
    assert_eq!(folder.read("a-002.epd"), "kept\n");
    assert_eq!(folder.names(), ["a-002.epd", "a.epd"]);
    folder
        .run("split a.epd . --records 1 --force")
        .code(ALL_WELL);
    assert_eq!(folder.read("a-002.epd"), format!("{PAWN} id \"a\";\n"));
}

#[test]
fn statistics() {
    let input = format!(
        "# head\n{PAWN} ce 5; id \"x\";\n{ROOK} ce -1;\n{PAWN} ce 5.5;\nnonsense\n8/8/8/8/8/8/8/K7 w - -\n"
    );
    let assert = run("stats - --format json", input.clone()).code(FAILED);
    let stats: serde_json::Value =
        serde_json::from_slice(&assert.get_output().stdout).expect("JSON");
    for (key, value) in [
        ("records", 4),
        ("unreadable", 1),
        ("blank_or_comment", 1),
        ("positions", 3),
        ("illegal_positions", 1),
        ("white_to_move", 2),
        ("different_materials", 3),
    ] {
        assert_eq!(stats[key], value, "{key}");
    }
    assert_eq!(stats["opcodes"]["ce"]["least"], -1.0);
    assert_eq!(stats["opcodes"]["id"], serde_json::json!({"records": 1}));
    assert_eq!(
        stats["materials"][0],
        serde_json::json!({"material": "Kkp", "records": 2})
    );
    let assert = run("stats -", input).code(FAILED);
    assert
        .stdout(contains("different positions                 3\n"))
        .stdout(contains(
            "ce                                  3           -1         3.17          5.5\n",
        ));
}

/// A blunder in a game becomes a test position; the reply to it is the only good move.
#[test]
fn mining() {
    let game = "[Event \"Cafe\"]\n[White \"Ann\"]\n[Black \"Bob\"]\n\n1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0\n\n";
    let wrong = "[Event \"x\"]\n\n1. e4 e4 *\n\n";
    let folder = Folder::with("games.pgn", format!("{game}{wrong}{game}"));
    let options = "--nodes 3000 --from-ply 6";
    let assert = folder
        .run(&format!("mine games.pgn out.epd {options}"))
        .code(FAULTY);
    assert
        .stderr(contains("games.pgn:9:7: \"e4\": "))
        .stderr(contains(
            "1 position found in 4 positions of 3 games or records",
        ));
    let found = folder.read("out.epd");
    assert!(
        found
            .starts_with("r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - Scd 1; ")
            && found.contains(
                "bm Qxf7#; ce 32766; fmvn 4; hmvc 4; id \"Ann - Bob, Cafe, ply 6\"; pv Qxf7#;"
            )
            && found.lines().count() == 1,
        "{found}"
    );
    folder.run(&format!("mine games.pgn again.epd {options} --jobs 3"));
    assert_eq!(folder.read("again.epd"), found);
    // Records may have positions of any kind, and keep their other operations.
    let records =
        format!("6k1/5ppp/8/8/8/8/q7/1R2K3 w - - c0 \"kept\";\n8/8/8/8/8/8/8/K7 w - -\n{found}");
    fs::write(folder.path("in.epd"), records).expect("written");
    let assert = folder
        .run("mine in.epd - --nodes 3000 --margin 100")
        .code(FAULTY);
    assert
        .stdout(contains("bm Rb8#; c0 \"kept\"; ce "))
        .stderr(contains("in.epd:2: illegal position: no black king"));
    let assert = folder
        .run("mine in.epd - --nodes 3000 --min-nodes 2000")
        .code(FAULTY);
    assert.stdout("");
    folder.run("mine in.epd - --engine ./nothing").code(FAILED);
}
