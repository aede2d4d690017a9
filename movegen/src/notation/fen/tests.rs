//! Tests of the columns and messages of errors, and of variants that are read.

use crate::position::setup::Setup;

#[track_caller]
fn error_of(text: &str, column: usize, message: &str) {
    let error = text.parse::<Setup>().expect_err(text);
    assert_eq!(
        error.to_string(),
        format!("column {column}: {message}"),
        "{text}"
    );
}

#[test]
fn errors_have_columns() {
    error_of("", 1, "the piece placement is missing");
    error_of("8/8/8/8/8/8/8/8", 16, "the active colour is missing");
    error_of(
        "8/8/8/8/8/8/8/8 w - ",
        20,
        "the en passant square is missing",
    );
    error_of("8/8/8/8 w - -", 1, "4 ranks, expected 8");
    error_of("8 w - -", 1, "1 rank, expected 8");
    error_of(
        "8/8/8/8/8/1/8/8 w - -",
        11,
        "rank 3 has 1 square, expected 8",
    );
    error_of(
        "8/8/ppp6/8/8/8/8/8 w - -",
        5,
        "rank 6 has 9 squares, expected 8",
    );
    error_of(
        "8/8/8/8/8/6/8/8 w - -",
        11,
        "rank 3 has 6 squares, expected 8",
    );
    error_of(
        "8/pi6/8/8/8/8/8/8 w - -",
        4,
        "'i' is neither a piece letter nor a digit from 1 to 8",
    );
    error_of(
        "8/8/8/8/0p7/8/8/8 w - -",
        9,
        "'0' is neither a piece letter nor a digit from 1 to 8",
    );
    error_of(
        "8/8/8/8/8/8/8/8 K - -",
        17,
        "the active colour is \"K\", expected \"w\" or \"b\"",
    );
    for bad in ["KQAb", "KK", "K-", "--"] {
        error_of(
            &format!("8/8/8/8/8/8/8/8 w {bad} -"),
            19,
            &format!(
                "the castling availability is {bad:?}, expected \"-\", letters of \"KQkq\", or \
                 files of rooks"
            ),
        );
    }
    error_of(
        "8/8/8/8/8/8/8/8 w - e9",
        21,
        "the en passant square is \"e9\", expected \"-\" or a square",
    );
    error_of(
        "8/8/8/8/8/8/8/8 w - - -1",
        23,
        "the halfmove clock is \"-1\", expected a number from 0 to 65535",
    );
    error_of(
        "8/8/8/8/8/8/8/8 w - - 0 65536",
        25,
        "the fullmove number is \"65536\", expected a number from 0 to 65535",
    );
    error_of(
        "8/8/8/8/8/8/8/8 w - - 0 1 bm",
        27,
        "\"bm\" after the last field",
    );
}

/// Decisions 48 and 120, and missing fields.
#[test]
fn variants_are_accepted() {
    let setup: Setup = " r11111k1/8/8/8/8/8/8/4K2R  w  kK - 3"
        .parse()
        .expect("readable");
    assert_eq!(setup.to_string(), "r5k1/8/8/8/8/8/8/4K2R w Kk - 3 1");
    assert_eq!(setup.fields().to_string(), "r5k1/8/8/8/8/8/8/4K2R w Kk -");
}
