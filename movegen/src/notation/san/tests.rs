//! Tests of exact SAN, its variants and its errors.

use super::*;
use crate::types::{Promotion, Square};

fn position(fen: &str) -> Position {
    fen.parse().expect(fen)
}

#[track_caller]
fn check(position: &Position, text: &str, san: &str, expected: Deviations) {
    let (mv, deviations) =
        parse_lenient(position, text).unwrap_or_else(|error| panic!("{text}: {error}"));
    assert_eq!(
        (&*San::of(position, mv), deviations),
        (san, expected),
        "{text}"
    );
    match parse(position, text) {
        Ok(_) => assert!(expected.is_empty(), "{text}"),
        Err(error) => assert_eq!(
            error,
            SanError::Inexact {
                san: San::of(position, mv),
                deviations: expected
            },
            "{text}"
        ),
    }
}

#[test]
fn exact_san() {
    // By file, else by rank, else by both. A pinned knight makes no move ambiguous.
    for (fen, from, to, san) in [
        (
            "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1",
            Square::A1,
            Square::B1,
            "Rb1",
        ),
        (
            "4k3/8/8/8/8/4K3/8/R6R w - - 0 1",
            Square::A1,
            Square::D1,
            "Rad1",
        ),
        (
            "4k3/8/8/R7/8/4K3/8/R7 w - - 0 1",
            Square::A1,
            Square::A3,
            "R1a3",
        ),
        (
            "6k1/8/8/8/Q6Q/8/8/K6Q w - - 0 1",
            Square::H4,
            Square::E4,
            "Qh4e4",
        ),
        (
            "6k1/8/8/8/Q6Q/8/8/K3Q3 w - - 0 1",
            Square::E1,
            Square::E4,
            "Qee4",
        ),
        (
            "6k1/8/8/8/4Q2Q/8/8/K6Q w - - 0 1",
            Square::H4,
            Square::E1,
            "Qh4e1",
        ),
        (
            "4k3/8/4r3/8/8/4N3/8/1N2K3 w - - 0 1",
            Square::B1,
            Square::D2,
            "Nd2",
        ),
        (
            "4k3/4r3/8/8/8/4N3/8/N3K3 w - - 0 1",
            Square::A1,
            Square::C2,
            "Nc2",
        ),
        (
            "4k3/P7/8/8/8/8/8/4K3 w - - 0 1",
            Square::E1,
            Square::E2,
            "Ke2",
        ),
    ] {
        assert_eq!(&*San::of(&position(fen), Move::normal(from, to)), san);
    }
    let mate = position("6k1/R7/1R6/8/8/8/8/6K1 w - - 0 1");
    assert_eq!(
        &*San::of(&mate, Move::normal(Square::B6, Square::B8)),
        "Rb8#"
    );
    let both = position("1n2k3/P7/8/8/8/8/8/R3K2R w KQ - 0 1");
    let promotion = Move::promotion(Square::A7, Square::B8, Promotion::Queen);
    assert_eq!(&*San::of(&both, promotion), "axb8=Q+");
    assert_eq!(
        &*San::of(&both, Move::castle(Square::E1, Square::C1)),
        "O-O-O"
    );
}

#[test]
fn common_variants_are_read() {
    let start = Position::start();
    check(&start, "e4", "e4", Deviations::empty());
    check(&start, "e4!?", "e4", Deviations::ANNOTATION);
    check(&start, "e4+", "e4", Deviations::CHECK_SIGN);
    check(&start, "e2e4", "e4", Deviations::UCI);
    check(&start, "g1f3", "Nf3", Deviations::UCI);
    check(&start, "Ng1f3", "Nf3", Deviations::DISAMBIGUATION);
    check(
        &start,
        "Ng1-f3",
        "Nf3",
        Deviations::DISAMBIGUATION | Deviations::CAPTURE_SIGN,
    );
    check(&start, "Nxf3", "Nf3", Deviations::CAPTURE_SIGN);
    check(&start, "Pe4", "e4", Deviations::DISAMBIGUATION);

    let open = position("1n2k3/P7/8/3pP3/8/8/8/R3K2R w KQ d6 0 1");
    check(&open, "exd6", "exd6", Deviations::empty());
    check(&open, "exd6ep", "exd6", Deviations::EN_PASSANT);
    check(&open, "exd6e.p.", "exd6", Deviations::EN_PASSANT);
    check(&open, "ed6", "exd6", Deviations::CAPTURE_SIGN);
    check(&open, "e5d6", "exd6", Deviations::UCI);
    for text in ["0-0", "o-o"] {
        check(&open, text, "O-O", Deviations::CASTLING);
    }
    check(&open, "0-0-0", "O-O-O", Deviations::CASTLING);
    check(&open, "e1g1", "O-O", Deviations::UCI);
    for text in ["a8Q", "a8q", "a8=q", "a8(Q)", "a8/Q", "a8(q)"] {
        check(&open, text, "a8=Q", Deviations::PROMOTION);
    }
    check(&open, "axb8=Q", "axb8=Q+", Deviations::CHECK_SIGN);
    check(&open, "axb8B", "axb8=B", Deviations::PROMOTION);
    check(
        &open,
        "a7b8q",
        "axb8=Q+",
        Deviations::PROMOTION | Deviations::UCI | Deviations::CHECK_SIGN,
    );
    for text in ["Rh8+", "Rh8ch", "Rh8++"] {
        let expected = if text == "Rh8+" {
            Deviations::empty()
        } else {
            Deviations::CHECK_SIGN
        };
        check(&open, text, "Rh8+", expected);
    }
    check(
        &open,
        "Rh1h8",
        "Rh8+",
        Deviations::DISAMBIGUATION | Deviations::CHECK_SIGN,
    );
}

#[test]
fn ambiguous_and_other_texts_are_errors() {
    let two = position("4k3/8/8/8/8/4K3/8/R6R w - - 0 1");
    assert!(matches!(
        parse_lenient(&two, "Rd1"),
        Err(SanError::Ambiguous(..))
    ));
    let promotion = position("4k3/P7/8/8/8/8/8/4K3 w - - 0 1");
    assert_eq!(parse_lenient(&promotion, "a8"), Err(SanError::Illegal));
    assert_eq!(parse_lenient(&promotion, "Kg1"), Err(SanError::Illegal));
    for text in [
        "", "e", "4", "Bcx3", "e2e4e5", "Q", "=Q", "a8=", "é4", "O-O-O-O", "--", "x", "e44", "♔e2",
    ] {
        assert_eq!(
            parse_lenient(&promotion, text),
            Err(SanError::Syntax),
            "{text}"
        );
    }
}
