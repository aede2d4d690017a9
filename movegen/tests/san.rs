//! Reading SAN: exact texts, common variants, and errors.

use std::collections::{BTreeMap, HashMap};

use epode_movegen::san::{Deviations, SanError, parse, parse_lenient};
use epode_movegen::{Move, MoveKind, Position, Role, San};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use proptest::test_runner::RngSeed;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};

fn position(fen: &str) -> Position {
    fen.parse().expect(fen)
}

/// Expects this move and these deviations, and that the strict parser accepts only exact texts.
#[track_caller]
fn check(position: &Position, text: &str, san: &str, expected: Deviations) {
    let (mv, deviations) =
        parse_lenient(position, text).unwrap_or_else(|error| panic!("{text}: {error}"));
    assert_eq!(
        (&*San::of(position, mv), deviations),
        (san, expected),
        "{text}"
    );
    assert_eq!(parse(position, text).is_ok(), expected.is_empty(), "{text}");
}

#[test]
fn check_signs() {
    let mate = position("6k1/R7/1R6/8/8/8/8/6K1 w - - 0 1");
    check(&mate, "Rb8#", "Rb8#", Deviations::empty());
    for text in ["Rb8", "Rb8+", "Rb8++", "Rb8mate", "Rb8ch", "Rb8#+"] {
        check(&mate, text, "Rb8#", Deviations::CHECK_SIGN);
    }
    check(
        &mate,
        "Rb8+!!",
        "Rb8#",
        Deviations::CHECK_SIGN | Deviations::ANNOTATION,
    );
    for text in ["Ra8#", "Ra8mate", "Ra8"] {
        check(&mate, text, "Ra8+", Deviations::CHECK_SIGN);
    }
    let castle = position("5k2/8/8/8/8/8/8/4K2R w K - 0 1");
    check(&castle, "O-O+", "O-O+", Deviations::empty());
    check(&castle, "O-O", "O-O+", Deviations::CHECK_SIGN);
    check(&castle, "0-0+", "O-O+", Deviations::CASTLING);
}

/// Signs and suffixes can come in any order, each once.
#[test]
fn orders_of_suffixes() {
    let pawns = position("8/2k5/8/3pP3/8/8/8/4K3 w - d6 0 1");
    for text in ["exd6+ep", "exd6ep+", "exd6+e.p.", "exd6e.p.+"] {
        check(&pawns, text, "exd6+", Deviations::EN_PASSANT);
    }
    for text in ["exd6ep", "exd6chep", "exd6e.p.++", "exd6ep#", "exd6+#ep"] {
        let expected = Deviations::EN_PASSANT | Deviations::CHECK_SIGN;
        check(&pawns, text, "exd6+", expected);
    }
    check(
        &pawns,
        "exd6+ep!",
        "exd6+",
        Deviations::EN_PASSANT | Deviations::ANNOTATION,
    );
    check(&pawns, "exd6+#", "exd6+", Deviations::CHECK_SIGN);
    for text in ["exd6epep", "exd6##", "exd6++++", "exd6!+", "exd6 ep"] {
        assert_eq!(parse_lenient(&pawns, text), Err(SanError::Syntax), "{text}");
    }
}

#[test]
fn capture_signs() {
    let position = position("1n2k3/P7/8/3pP3/4n3/2N5/8/R3K2R w KQ d6 0 1");
    check(&position, "Nxe4", "Nxe4", Deviations::empty());
    for text in ["Ne4", "N:e4", "N-e4", "Nxxe4"] {
        check(&position, text, "Nxe4", Deviations::CAPTURE_SIGN);
    }
    for text in ["e:d6", "exxd6", "ed6"] {
        check(&position, text, "exd6", Deviations::CAPTURE_SIGN);
    }
    check(&position, "Nc3xe4", "Nxe4", Deviations::DISAMBIGUATION);
}

#[test]
fn origin_squares() {
    let rooks = position("4k3/8/8/8/7p/8/8/R3K2R w KQ - 0 1");
    for text in ["Rhxh4", "R1xh4", "Rh1xh4"] {
        check(&rooks, text, "Rxh4", Deviations::DISAMBIGUATION);
    }
    check(&rooks, "h1xh4", "Rxh4", Deviations::UCI);
    check(&rooks, "e1c1", "O-O-O", Deviations::UCI);
    check(&rooks, "o-o-o", "O-O-O", Deviations::CASTLING);
    // A king move over two squares is castling only in UCI notation.
    for text in ["Kg1", "Ke1g1", "Kc1"] {
        assert_eq!(
            parse_lenient(&rooks, text),
            Err(SanError::Illegal),
            "{text}"
        );
    }
}

#[test]
fn promotions() {
    let pawn = position("4k3/P7/8/8/8/8/8/4K3 w - - 0 1");
    check(&pawn, "a8=N", "a8=N", Deviations::empty());
    for text in ["a8N", "a8n", "a8=n", "a8(N)", "a8/N", "a8==N", "a8(=N)"] {
        check(&pawn, text, "a8=N", Deviations::PROMOTION);
    }
    for text in ["a8", "a8=K", "a8=P", "Ka8=Q"] {
        assert!(parse_lenient(&pawn, text).is_err(), "{text}");
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
        ("Ra1d1", "inexact: expected Rad1 (extra origin square)"),
        ("h1d1!", "inexact: expected Rhd1 (annotation, UCI notation)"),
        ("Ra8", "inexact: expected Ra8+ (check sign)"),
        ("Rxa5", "inexact: expected Ra5 (capture sign)"),
    ] {
        let error = parse(&rooks, text).expect_err(text);
        assert_eq!(error.to_string(), message, "{text}");
    }
    let all = "check sign, annotation, spelling of castling, spelling of the promotion, capture sign, \
               extra origin square, UCI notation, en passant suffix";
    assert_eq!(Deviations::all().to_string(), all);
}

/// One way to write a move, without a check sign.
#[derive(Clone)]
struct Spelling {
    mv: Move,
    /// The written part of the origin square.
    origin: String,
    deviations: Deviations,
}

/// All ways to write the promotion of a move.
fn written_promotions(mv: Move) -> Vec<(String, Deviations)> {
    let Some(role) = mv.promotes_to() else {
        return vec![(String::new(), Deviations::empty())];
    };
    let (large, small) = (role.to_char(), role.to_char().to_ascii_lowercase());
    vec![
        (format!("={large}"), Deviations::empty()),
        (format!("{large}"), Deviations::PROMOTION),
        (format!("{small}"), Deviations::PROMOTION),
        (format!("={small}"), Deviations::PROMOTION),
        (format!("({large})"), Deviations::PROMOTION),
        (format!("/{small}"), Deviations::PROMOTION),
    ]
}

/// All ways to write a move, including those that also fit other moves.
fn spellings(position: &Position, mv: Move) -> Vec<(String, Spelling)> {
    let mut texts = Vec::new();
    let mut add = |text, origin: &str, deviations| {
        let origin = origin.to_owned();
        let spelling = Spelling {
            mv,
            origin,
            deviations,
        };
        texts.push((text, spelling));
    };
    let (from, to) = (mv.from().to_string(), mv.to().to_string());
    let castles = mv.kind() == MoveKind::Castle;
    let side = if to.starts_with('g') { 2 } else { 3 };
    for letter in ["O", "0", "o"].into_iter().filter(|_| castles) {
        let deviations = [Deviations::CASTLING, Deviations::empty()][usize::from(letter == "O")];
        add([letter; 3][..side].join("-"), "", deviations);
    }
    let role = position.role_at(mv.from()).expect("a piece");
    let names: &[&str] = match role {
        _ if castles => &[],
        Role::Pawn => &["", "P"],
        _ => &[&role.to_char().to_string()],
    };
    let captures = position.occupied().contains(mv.to()) || mv.kind() == MoveKind::EnPassant;
    for (promotion, deviations) in written_promotions(mv) {
        for sign in ["", "x", "-", ":"] {
            let mut odd = deviations;
            odd.set(Deviations::CAPTURE_SIGN, sign == "-" || sign == ":");
            let text = format!("{from}{sign}{to}{promotion}");
            add(text, &from, odd | Deviations::UCI);
            odd.set(
                Deviations::CAPTURE_SIGN,
                sign != if captures { "x" } else { "" },
            );
            for name in names {
                odd.set(Deviations::DISAMBIGUATION, *name == "P");
                for origin in ["", &from[..1], &from[1..], &from] {
                    // Both squares without a piece letter are UCI notation.
                    if origin != from || !name.is_empty() {
                        let text = format!("{name}{origin}{sign}{to}{promotion}");
                        add(text, origin, odd);
                    }
                }
            }
        }
    }
    texts
}

/// The part of the origin square in the exact SAN of a move: for a pawn its file if it captures, for
/// a piece the first part that fits no other move.
fn exact_origin(
    fitting: &BTreeMap<String, Vec<Spelling>>,
    position: &Position,
    mv: Move,
) -> String {
    let (from, to) = (mv.from().to_string(), mv.to().to_string());
    let role = position.role_at(mv.from()).expect("a piece");
    if mv.kind() == MoveKind::Castle {
        return String::new();
    }
    if role == Role::Pawn {
        let captures = from[..1] != to[..1];
        return from[..usize::from(captures)].to_owned();
    }
    let alone = |origin: &&str| fitting[&format!("{}{origin}{to}", role.to_char())].len() == 1;
    let choices = ["", &from[..1], &from[1..], &from];
    (*choices
        .iter()
        .find(|origin| alone(origin))
        .expect("the whole square is unambiguous"))
    .to_owned()
}

/// The exact SAN of a move.
fn exact_text(position: &Position, mv: Move, origin: &str) -> String {
    let mut text = spellings(position, mv)
        .into_iter()
        .find(|(_, spelling)| spelling.deviations.is_empty() && spelling.origin == origin)
        .map(|(text, _)| text)
        .expect("an exact text");
    let mut after = *position;
    after.play(mv);
    if after.is_checkmate() {
        text.push('#');
    } else if after.is_check() {
        text.push('+');
    }
    text
}

/// Checks the parsers with all ways to write all legal moves of a position. Texts of another
/// position that fit no move here must be illegal. Returns all texts of this position.
fn readers_agree(position: &Position, foreign: &[String], random: &mut StdRng) -> Vec<String> {
    let mut fitting: BTreeMap<String, Vec<Spelling>> = BTreeMap::new();
    for mv in position.legal_moves() {
        for (text, spelling) in spellings(position, mv) {
            fitting.entry(text).or_default().push(spelling);
        }
    }
    let exact: HashMap<Move, (String, String)> = position
        .legal_moves()
        .into_iter()
        .map(|mv| {
            let origin = exact_origin(&fitting, position, mv);
            let text = exact_text(position, mv, &origin);
            assert_eq!(*San::of(position, mv), *text, "in {position}");
            assert_eq!(parse(position, &text), Ok(mv), "{text} in {position}");
            (mv, (origin, text))
        })
        .collect();
    for (text, moves) in &fitting {
        let sign = *["", "+", "#", "++", "ch", "mate"]
            .choose(random)
            .expect("signs");
        let annotation = *["", "", "!", "?!"].choose(random).expect("annotations");
        let written = format!("{text}{sign}{annotation}");
        let [spelling] = &moves[..] else {
            let [a, b] = [0, 1].map(|i| San::of(position, moves[i].mv));
            let expected = Err(SanError::Ambiguous(a, b));
            assert_eq!(
                parse_lenient(position, &written),
                expected,
                "{written} in {position}"
            );
            continue;
        };
        let (origin, exact) = &exact[&spelling.mv];
        let mut deviations = spelling.deviations;
        if !deviations.contains(Deviations::UCI) && spelling.origin != *origin {
            deviations |= Deviations::DISAMBIGUATION;
        }
        deviations.set(
            Deviations::CHECK_SIGN,
            exact.trim_start_matches(|c| c != '+' && c != '#') != sign,
        );
        deviations.set(Deviations::ANNOTATION, !annotation.is_empty());
        assert_eq!(
            parse_lenient(position, &written),
            Ok((spelling.mv, deviations)),
            "{written} in {position}"
        );
    }
    for text in foreign.iter().filter(|text| !fitting.contains_key(*text)) {
        assert_eq!(
            parse_lenient(position, text),
            Err(SanError::Illegal),
            "{text} in {position}"
        );
    }
    fitting.into_keys().collect()
}

#[test]
fn all_spellings_of_all_moves() {
    const STARTS: [&str; 8] = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
        "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1",
        // Several pieces of a kind can move to one square.
        "7k/8/8/3pP1Q1/8/2Q3Q1/8/K7 w - d6 0 1",
        "2n1n3/8/2n1n1k1/n3n3/8/3b1b2/3q3q/K7 b - - 0 1",
        "5rk1/PP6/8/8/3N3N/1R3R2/1B3B2/R3K2R w KQ - 0 1",
    ];
    let mut random = StdRng::seed_from_u64(0x5A17);
    let mut texts = Vec::new();
    for round in 0..64 {
        let mut position = position(STARTS[round % STARTS.len()]);
        for _ in 0..random.random_range(4..24) {
            texts = readers_agree(&position, &texts, &mut random);
            let Some(&mv) = position.legal_moves().choose(&mut random) else {
                break;
            };
            position.play(mv);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 20_000,
        rng_seed: RngSeed::Fixed(0x0E90_DE02),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    /// Any text that can be read is exact if and only if it is what `San::of` writes.
    #[test]
    fn only_exact_texts_are_exact(
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
        match parse_lenient(&position, &text) {
            Ok((mv, deviations)) => {
                let exact = San::of(&position, mv);
                prop_assert_eq!(deviations.is_empty(), *exact == *text, "{} for {}", text, exact);
                let expected = if deviations.is_empty() {
                    Ok(mv)
                } else {
                    Err(SanError::Inexact { san: exact, deviations })
                };
                prop_assert_eq!(parse(&position, &text), expected, "{}", text);
            }
            Err(error) => prop_assert_eq!(parse(&position, &text), Err(error), "{}", text),
        }
    }
}
