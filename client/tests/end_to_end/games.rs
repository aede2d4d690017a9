//! Games in PGN as other programs write them: comments, byte order marks, signs of annotators; and commands that
//! expect records.

use std::fs;

use predicates::str::contains;

use crate::common::{ALL_WELL, FAILED, Folder, stderr};

const MARK: &str = "\u{FEFF}";

/// A result in a comment or after `%` ends no game.
#[test]
fn a_result_in_a_comment_ends_no_game() {
    for moves in [
        "1. d4 d5 ; 1-0\n2. c4 e6 *",
        "1. d4 d5\n% Ann 1-0\n2. c4 e6 *",
        "1. d4 d5 {0-1}\n2. c4 (2. Nf3 *\n) e6 *",
        "1. d4 d5 2. c4 e6 * {as agreed}",
    ] {
        let text = format!("[Event \"a\"]\n\n{moves}\n\n[Event \"b\"]\n\n1. e4 *\n");
        let folder = Folder::with("a.pgn", text);
        let assert = folder.run("convert a.pgn - --last").code(ALL_WELL);
        let assert = assert
            .stderr(contains(
                "2 records from 2 games, 0 with warnings; 0 games not understood",
            ))
            .stdout(contains(
                "rnbqkbnr/ppp2ppp/4p3/3p4/2PP4/8/PP2PPPP/RNBQKBNR w KQkq -",
            ));
        drop(assert);
        // The tags of the opening stand with the other tags, not among the moves.
        folder.run("book classify a.pgn named.pgn").code(ALL_WELL);
        let named = folder.read("named.pgn");
        assert!(named.contains(moves), "{named}");
        let beginning = "[Event \"a\"]\n[ECO \"D30\"]\n";
        assert!(named.starts_with(beginning), "{named}");
    }
}

#[test]
fn signs_of_annotators_are_no_moves() {
    let moves = "1. e4, e5 2. Nf3\u{25A1} Nc6 N 3. Bb5 D a6\u{B1} 1:0\n";
    let folder = Folder::with(
        "a.pgn",
        format!("{moves}\n{MARK}[Event \"b\"]\n\n1. d4 *\n"),
    );
    folder
        .run("convert a.pgn - --last")
        .code(ALL_WELL)
        .stdout(contains(
            "r1bqkbnr/1ppp1ppp/p1n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R w KQkq -",
        ))
        .stderr(contains("2 records from 2 games"));
}

/// Comments and a byte order mark before the tags stay before them, and old tags of the opening are replaced.
#[test]
fn tags_come_after_what_is_before_them() {
    for before in ["", MARK, "{by\nAnn}\n", "% x\n\n", "; x\n"] {
        let text = format!(
            "{before}[Event \"A\"]\n[White \"W\"]\n[ECO \"A00\"]\n\n1. e4 e5 2. Nf3 Nc6 *\n"
        );
        let folder = Folder::with("a.pgn", text);
        folder.run("book classify a.pgn a.pgn").code(ALL_WELL);
        let before = before.trim_start_matches(MARK);
        let expected = format!(
            "{before}[Event \"A\"]\n[White \"W\"]\n[ECO \"C44\"]\n[Opening \"King's Knight Opening\"]\n[Variation \"Normal\"]\n\n1. e4 e5 2. Nf3 Nc6 *\n"
        );
        let found = folder
            .read("a.pgn")
            .replace("[Variation \"Normal Variation\"]", "[Variation \"Normal\"]");
        assert_eq!(found, expected);
    }
}

/// Commands that read records name the kind of the file, once.
#[test]
fn games_are_no_records() {
    let folder = Folder::with("a.pgn", format!("{MARK}[Event \"A\"]\n\n1. e4 e5 *\n"));
    for command in [
        "pfdn a.pgn",
        "pfga a.pgn --nodes 100",
        "query in-check a.pgn",
        "stats a.pgn",
        "validate a.pgn",
        "diagram a.pgn out",
        "merge a.pgn",
    ] {
        let assert = folder.run(command).code(FAILED);
        let message = stderr(&assert);
        assert!(
            message.starts_with("epode: a.pgn is PGN, expected EPD text"),
            "{command}: {message}"
        );
    }
    assert_eq!(folder.names(), ["a.pgn"]);
}

/// A byte order mark belongs to the file, not to the line that follows it.
#[test]
fn a_byte_order_mark_does_not_move() {
    let [first, second] = [
        "8/8/8/8/8/k7/8/K7 w - - id \"a\";\n",
        "8/8/8/8/8/k7/8/K7 w - - id \"b\";\n",
    ];
    let folder = Folder::with("a.epd", format!("{MARK}{first}{second}"));
    folder.run("sort --by -id a.epd b.epd").code(ALL_WELL);
    assert_eq!(folder.read("b.epd"), format!("{second}{first}"));
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
    let book = format!(
        "{MARK}8/8/8/8/8/k7/8/K7 w - - Bk_a1b1 \"1 1 0 0 1 0\";\n{start} Bk_e2e4 \"1 1 0 0 1 0\";\n"
    );
    fs::write(folder.path("book.epd"), book).expect("written");
    folder.run("book stats book.epd").code(ALL_WELL);
    folder
        .run("book lookup book.epd")
        .code(ALL_WELL)
        .stdout(contains("e4"));
}

/// A file of another kind is not called an unsorted book.
#[test]
fn what_is_no_book_is_named() {
    let folder = Folder::with("a.csv", "PuzzleId,FEN\n1,x\n");
    fs::write(folder.path("b"), [0; 64]).expect("written");
    folder
        .run("book lookup a.csv")
        .code(FAILED)
        .stderr(contains("epode: a.csv:1: the active colour is missing"));
    folder.run("book lookup b").code(FAILED).stderr(
        "epode: b is binary data, expected a repository; the name of a Polyglot book must end in .bin\n",
    );
}

/// What a command writes does not replace what it reads, where that is of another kind.
#[test]
fn other_output_does_not_replace_the_input() {
    let record = "6k1/5ppp/8/8/8/8/5PPP/4R1K1 w - - bm Re8#;\n";
    let folder = Folder::with("a.epd", record);
    let games = "[Event \"A\"]\n\n1. e4 e5 *\n";
    fs::write(folder.path("a.pgn"), games).expect("written");
    folder
        .run("book build --min-games 1 a.pgn -o book.epd")
        .code(ALL_WELL);
    folder.run("book export book.epd book.bin").code(ALL_WELL);
    let files = || {
        ["a.epd", "a.pgn", "book.epd", "book.bin"]
            .map(|name| fs::read(folder.path(name)).expect(name))
    };
    let before = files();
    for (command, file) in [
        ("unique --duplicates report a.epd a.epd", "a.epd"),
        ("report a.epd --format html -o a.epd", "a.epd"),
        ("mine a.pgn a.pgn --nodes 100", "a.pgn"),
        ("book export book.epd book.epd", "book.epd"),
        ("book dump book.epd book.epd", "book.epd"),
        ("book import book.bin book.bin", "book.bin"),
    ] {
        folder.run(command).code(FAILED).stderr(format!(
            "epode: {file} is one of the files to read, name another OUT\n"
        ));
    }
    folder
        .run("tune --param Hash=16,1..64 --chart a.epd")
        .code(FAILED)
        .stderr(contains("expected a name that ends in .svg or .png"));
    assert_eq!(files(), before);
}
