//! Castling rights without king and rook at home: every verb that reads them says what it drops, and
//! `--chess960` reads them as those of Chess960.

use crate::common::{ALL_WELL, FAILED, FAULTY, Folder, run, stderr, stdout};
use predicates::str::{contains, starts_with};

const FIELDS: &str = "1r3k1r/p6p/8/8/8/8/P6P/1R3K1R w";
const TOLD: &str =
    "castling rights KQkq dropped: no king and rook at home; for Chess960 write HBhb";
const OPTION: &str = " or give --chess960";

fn folder() -> Folder {
    Folder::with(
        "in.epd",
        format!("{FIELDS} KQkq - D1 23; bm O-O+; id \"x\";\n"),
    )
}

/// The verbs, with the status of each and what stands before the message.
#[test]
fn dropped_rights_are_told() {
    for (verb, code, before) in [
        ("pfga in.epd - --depth 2", ALL_WELL, ""),
        ("pfts in.epd - --depth 2", FAULTY, ""),
        ("pfms --moves 1 in.epd -", ALL_WELL, ""),
        ("pfdn in.epd", FAULTY, "warning[chess960-castling]: "),
        ("pfop bm in.epd", ALL_WELL, "warning[chess960-castling]: "),
        (
            "convert in.epd out.fen",
            FAULTY,
            "warning[chess960-castling]: ",
        ),
        ("unique in.epd", ALL_WELL, ""),
        ("merge in.epd", ALL_WELL, ""),
        ("query legal in.epd", ALL_WELL, ""),
        ("sort in.epd", ALL_WELL, ""),
        ("sample --count 1 in.epd", ALL_WELL, ""),
        ("split in.epd parts --parts 1", ALL_WELL, ""),
        ("stats in.epd", ALL_WELL, ""),
        ("perft --suite in.epd", FAULTY, ""),
        ("report in.epd", FAULTY, ""),
        (
            "diagram in.epd out.svg",
            FAULTY,
            "warning[chess960-castling]: ",
        ),
        ("mine in.epd --nodes 100", ALL_WELL, ""),
        ("book build --min-games 1 in.epd -o book.epd", FAULTY, ""),
        (
            "book classify in.epd",
            ALL_WELL,
            "warning[chess960-castling]: ",
        ),
    ] {
        let folder = folder();
        let assert = folder.run(verb).code(code);
        let message = format!("in.epd:1:33: {before}{TOLD}{OPTION}\n");
        let told = stderr(&assert);
        assert_eq!(told.matches(&message).count(), 1, "{verb}: {told}");
        let (verb, rest) = verb.split_once(' ').expect("a verb");
        // The subcommands of `book` have it after their names.
        let line = match verb {
            "book" => format!("book {rest} --chess960"),
            _ => format!("{verb} --chess960 {rest}"),
        };
        let told = stderr(&self::folder().run(&line));
        assert!(!told.contains("dropped:"), "{line}: {told}");
    }
}

#[test]
fn castling_of_chess960_is_read() {
    let folder = folder();
    folder.run("perft --suite in.epd --chess960").code(ALL_WELL);
    folder
        .run("pfdn --chess960 in.epd")
        .code(ALL_WELL)
        .stdout(format!("{FIELDS} HBhb - D1 23; bm O-O+; id \"x\";\n"));
    let assert = folder
        .run("convert --chess960 in.epd - --to fen")
        .code(ALL_WELL);
    assert.stdout(format!("{FIELDS} HBhb - 0 1\n"));
    let assert = folder.run("validate in.epd").code(FAULTY);
    assert.stdout(starts_with(format!(
        "in.epd:1:33: warning[chess960-castling]: {TOLD}\n"
    )));
    let assert = folder.run("pfdr in.epd").code(FAULTY);
    assert.stderr(starts_with(format!(
        "in.epd:1:33: warning[chess960-castling]: {TOLD}{OPTION}\n"
    )));
    let csv = format!("fen,id\n{FIELDS} KQkq - 0 1,x\n");
    let assert = run("convert --from csv - -", csv).code(FAULTY);
    assert.stderr(starts_with(format!(
        "-:2:1: warning[chess960-castling]: {TOLD}{OPTION}\n"
    )));
}

/// A position on the command line is refused, or told.
#[test]
fn castling_of_chess960_in_arguments() {
    let fen = format!("{FIELDS} KQkq -");
    let assert = run(&format!("perft 1 {fen}"), "").code(FAILED);
    assert.stderr(contains(format!("; for Chess960 write HBhb{OPTION}\n")));
    let assert = run(&format!("perft --chess960 1 {fen}"), "").code(ALL_WELL);
    assert.stdout("23\n");
}

/// Rights that mean nothing in Chess960 either are no warning.
#[test]
fn odds_games_are_told() {
    let line = "r3k2r/8/8/8/8/8/8/4K2R w KQkq - noop;\n";
    let assert = run("pfdn -", line).code(ALL_WELL);
    assert_eq!(stdout(&assert), line.replace("KQkq", "Kkq"));
    assert.stderr(
        "-:1:26: note[impossible-castling]: castling right Q dropped: no king and rook at home\n\
         1 record, 1 repaired, 0 with warnings; 0 lines not understood\n",
    );
}
