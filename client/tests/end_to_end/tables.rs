//! `epode convert` with CSV and JSON of other programs, and with damaged files.

use std::fs;

use crate::common::{ALL_WELL, FAILED, FAULTY, Folder, stderr};
use predicates::str::contains;

const FEN: &str = "8/8/8/8/8/8/8/K1k4R b - -";

/// One row is lost and reported, and none after it.
#[test]
fn a_quote_that_is_not_closed_swallows_nothing() {
    let last = format!("{FEN},last\n");
    for (rows, place, kept) in [
        (format!("{FEN},\"x\n"), "x.csv:3:27", 2),
        // A quote further on is not the end of the field.
        (format!("{FEN},\"x\n{FEN},\"a, b\"\n"), "x.csv:3:27", 3),
        (format!("{FEN},\"x \"\"y\"\"\n{FEN},z\n"), "x.csv:3:27", 3),
        (format!("\"{FEN}\",\"x\n{FEN},z\n"), "x.csv:3:29", 3),
    ] {
        let first = format!("{FEN},\"two\nlines\"\n");
        let text = format!("fen,id\n{rows}{last}").replacen("fen,id\n", "fen,id\n\n", 1);
        for text in [text.clone(), text.trim_end().to_owned()] {
            let folder = Folder::with("x.csv", &text);
            let assert = folder.run("convert x.csv -").code(FAILED);
            let told = stderr(&assert);
            assert!(
                told.starts_with(&format!("{place}: the quote is not closed\n")),
                "{text}: {told}"
            );
            assert!(told.contains("; 1 line not understood"), "{told}");
            assert!(told.contains(&format!("{} record", kept - 1)), "{told}");
        }
        // A field may have line breaks, and a row others before it.
        let folder = Folder::with("x.csv", format!("fen,id\n{first}{rows}{last}"));
        let assert = folder.run("convert x.csv out.epd").code(FAILED);
        let told = stderr(&assert);
        let place = place.replacen(":3:", ":4:", 1);
        assert!(told.starts_with(&place), "{told}");
        let records = folder.read("out.epd");
        assert_eq!(records.lines().count(), kept, "{records}");
        assert!(records.starts_with(&format!("{FEN} id \"two lines\";\n")));
        assert!(records.ends_with(&format!("{FEN} id \"last\";\n")));
    }
}

/// Quotes within a field that has none at its beginning are text, as in measures.
#[test]
fn quotes_in_the_middle_are_text() {
    let folder = Folder::with("x.csv", format!("fen,id\n{FEN},5\" board\n{FEN},y\n"));
    let assert = folder.run("convert x.csv -").code(ALL_WELL);
    assert.stderr(contains("2 records, 0 with warnings"));
}

/// An open quote is found wherever a block of the input ends.
#[test]
fn open_quotes_in_large_files() {
    let rows = format!("{FEN},x\n").repeat(20_000);
    let folder = Folder::with("x.csv", format!("fen,id\n{rows}{FEN},\"y\n{rows}"));
    let assert = folder.run("convert x.csv out.epd --jobs 2").code(FAILED);
    assert
        .stderr(contains("x.csv:20002:27: the quote is not closed\n"))
        .stderr(contains(
            "40000 records, 0 with warnings; 1 line not understood",
        ));
}

#[test]
fn repeated_columns_are_reported() {
    let folder = Folder::with("x.csv", format!("fen,bm,bm,id\n{FEN},Kd2,Kc2,x\n"));
    folder
        .run("convert x.csv -")
        .code(ALL_WELL)
        .stdout(format!("{FEN} bm Kd2; id \"x\";\n"))
        .stderr(contains(
            "x.csv:1: the column \"bm\" is left out: a column before it has the same name\n",
        ));
    let object = format!("{{\"fen\": \"{FEN}\", \"id\": \"x\", \"id\": \"y\"}}\n");
    fs::write(folder.path("x.jsonl"), object.repeat(2)).expect("written");
    folder
        .run("convert x.jsonl -")
        .code(FAULTY)
        .stdout(format!("{FEN} id \"x\";\n").repeat(2))
        .stderr(contains(
            "\"id\" is left out: a column before it has the same name\n",
        ));
}

#[test]
fn arrays_of_json_are_read() {
    let folder = Folder::new();
    let first = format!("{{\"fen\":\"{FEN}\",\"id\":\"[a], \\\"{{b\"}}");
    let second = format!("{{\n    \"fen\": \"{FEN}\",\n    \"bm\": [\"Kd2\"]\n  }}");
    let expected = format!("{FEN} id \"[a], '{{b\";\n{FEN} bm Kd2;\n");
    for (name, text) in [
        ("x.json", format!("[{first},{second}]")),
        (
            "x.jsonl",
            format!("\u{FEFF}\n[\n  {first},\n  {second}\n]\n"),
        ),
        ("x.json", format!("{first}\n{}\n", second.replace('\n', ""))),
    ] {
        fs::write(folder.path(name), &text).expect("written");
        let assert = folder.run(&format!("convert {name} -")).code(ALL_WELL);
        assert.stdout(expected.clone());
    }
    fs::write(folder.path("x.json"), "[]").expect("written");
    folder.run("convert x.json y.json").code(ALL_WELL);
    assert_eq!(folder.read("y.json"), "[\n]\n");
    // On one line, as pandas writes them, and large.
    let many = format!("[{}{first}]", format!("{first},").repeat(20_000));
    fs::write(folder.path("x.json"), many).expect("written");
    folder.run("convert x.json y.json").code(ALL_WELL);
    let written = folder.read("y.json");
    let written: Vec<serde_json::Value> = serde_json::from_str(&written).expect("JSON");
    assert_eq!(written.len(), 20_001);
}

#[test]
fn errors_in_json_say_what_is_expected() {
    let folder = Folder::new();
    for (text, messages) in [
        ("not json\n", &["1:1: expected a JSON object"][..]),
        ("{\"fen\": nope}\n", &["1:10: expected null, true or false"]),
        (
            "[{\"fen\": \"8/8 w\"},\n {\"a\":\n x}, 3]",
            &[
                "1:11: \"8/8 w\": ",
                "3:2: expected value",
                "3:6: expected a JSON object",
            ],
        ),
        (
            "[{}\n",
            &["1:2: there is no fen", "2:1: the array is not closed"],
        ),
        ("[{\"a\": 1", &["1:8: EOF while parsing an object"]),
    ] {
        fs::write(folder.path("x.json"), text).expect("written");
        let told = stderr(&folder.run("convert x.json -").code(FAILED));
        for message in messages {
            assert!(
                told.contains(&format!("x.json:{message}")),
                "{text}: {told}"
            );
        }
    }
}

/// Latin-1 after a byte order mark, which some editors put before whatever follows.
#[test]
fn latin_1_after_a_byte_order_mark() {
    let game = b"\xEF\xBB\xBF[Event \"Caf\xe9\"]\n[White \"Ann\"]\n\n1. e4 *\n";
    let folder = Folder::with("x.pgn", game);
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
    folder
        .run("convert x.pgn - --ply 0")
        .code(ALL_WELL)
        .stdout(format!(
            "{start} id \"Ann - ?, Caf\u{e9}, ply 0\"; sm e4;\n"
        ));
    let record = [b"\xEF\xBB\xBF", FEN.as_bytes(), b" id \"Caf\xe9\";\n"].concat();
    fs::write(folder.path("x.epd"), record).expect("written");
    folder
        .run("convert x.epd -")
        .code(ALL_WELL)
        .stdout(format!("{FEN} id \"Caf\u{e9}\";\n"));
}
