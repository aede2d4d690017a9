//! What the readers of moves take and refuse, and what they say.

use epode_movegen::san::{Mends, SanError, mend, parse};
use epode_movegen::{Position, San};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use proptest::test_runner::RngSeed;

fn position(fen: &str) -> Position {
    fen.parse().expect(fen)
}

/// Expects that the text is this move with these mends, and that only an exact text is parsed.
#[track_caller]
fn mends(position: &Position, text: &str, san: &str, expected: Mends) {
    let (mv, mends) = mend(position, text).unwrap_or_else(|error| panic!("{text}: {error}"));
    assert_eq!((&*San::of(position, mv), mends), (san, expected), "{text}");
    assert_eq!(parse(position, text).is_ok(), expected.is_empty(), "{text}");
}

#[test]
fn check_signs() {
    let mate = position("6k1/R7/1R6/8/8/8/8/6K1 w - - 0 1");
    mends(&mate, "Rb8#", "Rb8#", Mends::empty());
    for text in ["Rb8", "Rb8+", "Rb8++", "Rb8mate", "Rb8ch", "Rb8#+"] {
        mends(&mate, text, "Rb8#", Mends::CHECK_SIGN);
    }
    mends(&mate, "Rb8+!!", "Rb8#", Mends::CHECK_SIGN | Mends::GLYPH);
    for text in ["Ra8#", "Ra8mate", "Ra8"] {
        mends(&mate, text, "Ra8+", Mends::CHECK_SIGN);
    }
    let castle = position("5k2/8/8/8/8/8/8/4K2R w K - 0 1");
    mends(&castle, "O-O+", "O-O+", Mends::empty());
    mends(&castle, "O-O", "O-O+", Mends::CHECK_SIGN);
    mends(&castle, "0-0+", "O-O+", Mends::CASTLING);
}

#[test]
fn capture_signs() {
    let position = position("1n2k3/P7/8/3pP3/4n3/2N5/8/R3K2R w KQ d6 0 1");
    mends(&position, "Nxe4", "Nxe4", Mends::empty());
    for text in ["Ne4", "N:e4", "N-e4", "Nxxe4"] {
        mends(&position, text, "Nxe4", Mends::CAPTURE_SIGN);
    }
    for text in ["e:d6", "exxd6", "ed6"] {
        mends(&position, text, "exd6", Mends::CAPTURE_SIGN);
    }
    mends(&position, "Nc3xe4", "Nxe4", Mends::DISAMBIGUATION);
}

#[test]
fn squares_of_departure() {
    let rooks = position("4k3/8/8/8/7p/8/8/R3K2R w KQ - 0 1");
    for text in ["Rhxh4", "R1xh4", "Rh1xh4"] {
        mends(&rooks, text, "Rxh4", Mends::DISAMBIGUATION);
    }
    mends(&rooks, "h1xh4", "Rxh4", Mends::COORDINATES);
    mends(&rooks, "e1c1", "O-O-O", Mends::COORDINATES);
    mends(&rooks, "o-o-o", "O-O-O", Mends::CASTLING);
    // The king's two steps are castling in coordinates only.
    for text in ["Kg1", "Ke1g1", "Kc1"] {
        assert_eq!(mend(&rooks, text), Err(SanError::Illegal), "{text}");
    }
}

#[test]
fn promotions() {
    let pawn = position("4k3/P7/8/8/8/8/8/4K3 w - - 0 1");
    mends(&pawn, "a8=N", "a8=N", Mends::empty());
    for text in ["a8N", "a8n", "a8=n", "a8(N)", "a8/N", "a8==N", "a8(=N)"] {
        mends(&pawn, text, "a8=N", Mends::PROMOTION);
    }
    for text in ["a8", "a8=K", "a8=P", "Ka8=Q"] {
        assert!(mend(&pawn, text).is_err(), "{text}");
    }
}

#[test]
fn errors_say_what_is_wrong() {
    let rooks = position("4k3/8/8/8/8/4K3/8/R6R w - - 0 1");
    for (text, message) in [
        ("Zd1", "not a move"),
        ("Rd9", "not a move"),
        ("Qd1", "not a legal move here"),
        ("O-O", "not a legal move here"),
        ("Rd1", "ambiguous: Rad1 or Rhd1"),
        (
            "Ra1d1",
            "inexact: expected Rad1 (surplus square of departure)",
        ),
        ("h1d1!", "inexact: expected Rhd1 (glyph, coordinates)"),
        ("Ra8", "inexact: expected Ra8+ (check sign)"),
        ("Rxa5", "inexact: expected Ra5 (capture sign)"),
    ] {
        let error = parse(&rooks, text).expect_err(text);
        assert_eq!(error.to_string(), message, "{text}");
    }
    let all = "check sign, glyph, spelling of castling, spelling of the promotion, capture sign, \
               surplus square of departure, coordinates, en passant suffix";
    assert_eq!(Mends::all().to_string(), all);
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 20_000,
        rng_seed: RngSeed::Fixed(0x0E90_DE02),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    /// However a text comes about: it is exact just if it is what would be written, and a text
    /// that is not says so.
    #[test]
    fn only_the_exact_text_is_exact(
        fen in select(&[
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
            "7k/8/8/3pP1Q1/8/2Q3Q1/8/K7 w - d6 0 1",
            "5rk1/PP6/8/8/3N3N/8/8/R3K2R w KQ - 0 1",
        ][..]),
        chosen in any::<Index>(),
        edits in vec((any::<Index>(), "[KQRBNPabcdefgh12345678x:=()/O0o+#!?epmatch. -]{0,2}"), 0..3),
    ) {
        let position = position(fen);
        let legal = position.legal_moves();
        let mut text = San::of(&position, *chosen.get(&legal)).to_string();
        for (at, letters) in edits {
            let at = at.index(text.len() + 1);
            let end = text.len().min(at + letters.len() % 2);
            text.replace_range(at..end, &letters);
        }
        match mend(&position, &text) {
            Ok((mv, mends)) => {
                let exact = San::of(&position, mv);
                prop_assert_eq!(mends.is_empty(), *exact == *text, "{} for {}", text, exact);
                let expected = if mends.is_empty() {
                    Ok(mv)
                } else {
                    Err(SanError::Inexact { san: exact, mends })
                };
                prop_assert_eq!(parse(&position, &text), expected, "{}", text);
            }
            Err(error) => prop_assert_eq!(parse(&position, &text), Err(error), "{}", text),
        }
    }
}
