//! `book build`: games and records become a repository, and what is left out or not replaced.

use std::fs;

use predicates::str::contains;

use super::{GAMES, START};
use crate::common::{ALL_WELL, FAILED, FAULTY, Folder, stderr, stdout};

#[test]
fn games_become_a_repository() {
    let folder = Folder::with("games.pgn", GAMES);
    let built = folder.run("book build --min-games 1 games.pgn -o book.epd");
    assert_eq!(
        stderr(&built.code(ALL_WELL)),
        "4 games: 27 positions, 30 moves\n"
    );
    let text = folder.read("book.epd");
    assert!(text.contains(&format!(
        "{START} Bk_d2d4 \"1 1 0 0 2 2024\"; Bk_e2e4 \"2 1 1 0 3 2022\"; Bk_g1f3 \"1 0 0 1 0 2023\";\n"
    )));
    assert!(text.contains(" Bk_c7c5 \"1 0 1 0 1 2022\"; Bk_e7e5 \"1 0 0 1 0 2021\"; eco \"B00\"; v0 \"King's Pawn Game\";\n"));
    assert!(text.lines().is_sorted());
    // A record in normal form stays as it is.
    folder.run("pfdn --check book.epd").code(ALL_WELL);
    // From a pipe, compressed, in several threads, with little memory: the same.
    folder
        .command("book build --min-games 1 --jobs 3 --memory 1 - -o piped.epd")
        .write_stdin(GAMES)
        .assert()
        .code(ALL_WELL);
    assert_eq!(folder.read("piped.epd"), text);
    folder
        .run("book build --min-games 1 games.pgn -o book.epd.zst")
        .code(ALL_WELL);
    folder
        .run("book merge book.epd.zst -o plain.epd")
        .code(ALL_WELL);
    assert_eq!(folder.read("plain.epd"), text);
    let rare = folder.run("book build --plies 2 --min-games 2 games.pgn -o rare.epd");
    assert_eq!(
        stderr(&rare),
        "4 games: 1 position, 1 move; 6 moves in fewer than 2 games left out (--min-games)\n"
    );
    assert_eq!(
        folder.read("rare.epd"),
        format!("{START} Bk_e2e4 \"2 1 1 0 3 2022\";\n")
    );
}

#[test]
fn wrong_games_and_records_are_left_out() {
    let folder = Folder::with(
        "games.pgn",
        "1. e4 e5 *\n\n[Event \"x\"]\n\n1. e4\n2. Ke3 *\n\n1. d4 *\n",
    );
    let built = folder
        .run("book build --min-games 1 games.pgn -o book.epd")
        .code(FAULTY);
    assert_eq!(
        stderr(&built),
        "games.pgn:6:4: game left out: \"Ke3\": not a legal move here, expected a legal move or a result\n\
         2 games: 2 positions, 3 moves; 1 with errors left out\n"
    );
    fs::write(
        folder.path("x.epd"),
        format!("{START} bm e4; ce 30;\n{START} bm e5;\n# x\nnonsense\n"),
    )
    .expect("written");
    let built = folder.run("book build x.epd -o book.epd").code(FAILED);
    assert_eq!(
        stderr(&built),
        "x.epd:2: record left out: bm: e5: not a legal move here\n\
         x.epd:4:9: record left out: the active colour is missing\n\
         1 record: 1 position, 1 move; 1 with errors left out; 1 line not understood\n"
    );
    assert_eq!(
        folder.read("book.epd"),
        format!("{START} Bk_e2e4 \"0 0 0 0 1 0\"; bm e4; ce 30;\n")
    );
    folder
        .run("book build missing.pgn -o book.epd")
        .code(FAILED);
    folder
        .command("book build --min-games 1 --temp none x.epd -o book.epd")
        .assert()
        .code(FAILED)
        .stderr(contains(
            "epode: cannot use a temporary file in none (--temp names another folder): No such file",
        ));
}

/// What was read, or looks like games, is not replaced by a book.
#[test]
fn a_book_replaces_no_games() {
    let folder = Folder::with("a.pgn", GAMES);
    fs::write(folder.path("b.pgn"), GAMES).expect("written");
    fs::write(folder.path("c.epd"), format!("{START} bm e4;\n")).expect("written");
    let games =
        |name| format!("{name} has games (PGN), which the book would replace: name another OUT");
    for (files, message) in [
        ("a.pgn -o b.pgn", games("b.pgn")),
        ("a.pgn -o a.pgn --force", games("a.pgn")),
        (
            "c.epd a.pgn -o c.epd",
            "c.epd is one of the files to read, name another OUT".to_owned(),
        ),
    ] {
        folder
            .run(&format!("book build --min-games 1 {files}"))
            .code(FAILED)
            .stderr(format!("epode: {message}\n"));
    }
    assert_eq!(
        folder.read("a.pgn") + &folder.read("b.pgn"),
        GAMES.repeat(2)
    );
    // Without -o the book goes to standard output.
    let printed = stdout(
        &folder
            .run("book build --min-games 1 a.pgn b.pgn")
            .code(ALL_WELL),
    );
    assert_eq!(printed.lines().count(), 27);
    for verb in [
        "lookup a.pgn",
        "merge a.pgn",
        "export a.pgn out.bin",
        "stats a.pgn",
    ] {
        folder.run(&format!("book {verb}")).code(FAILED).stderr(
            "epode: a.pgn is PGN; `epode book build a.pgn -o BOOK.epd` makes a book of games\n",
        );
    }
}

/// A file of several groups of games: nothing depends on where they are cut, or on the number of threads.
#[test]
fn many_games_are_read_in_groups() {
    let mut text = String::new();
    for number in 0..3000 {
        let game = GAMES.split("\n\n[Event").nth(number % 4).expect("a game");
        let game = game.trim_start_matches("[Event").trim_start();
        text += &["[Event ", game.trim_start_matches('"'), "\n\n"]
            .concat()
            .replace("[Event Club", "[Event \"Club");
    }
    let folder = Folder::with("many.pgn", &text);
    let built = folder.run("book build many.pgn -o one.epd").code(ALL_WELL);
    assert!(
        stderr(&built).starts_with("3,000 games: "),
        "{}",
        stderr(&built)
    );
    folder
        .run("book build --jobs 4 --memory 1 many.pgn -o four.epd")
        .code(ALL_WELL);
    assert_eq!(folder.read("one.epd"), folder.read("four.epd"));
    assert!(
        folder
            .read("one.epd")
            .contains(&format!("{START} Bk_d2d4 \"750 750 0 0 1500 2024\""))
    );
    let one = stdout(&folder.run("book classify many.pgn"));
    assert_eq!(one, stdout(&folder.run("book classify --jobs 3 many.pgn")));
}
