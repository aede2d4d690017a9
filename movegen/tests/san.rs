//! What the readers of moves take and refuse, and what they say.

use std::collections::{BTreeMap, HashMap};

use epode_movegen::san::{Mends, SanError, mend, parse};
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

/// Signs and suffixes may come in any order, each of them once.
#[test]
fn orders_of_suffixes() {
    let check = position("8/2k5/8/3pP3/8/8/8/4K3 w - d6 0 1");
    for text in ["exd6+ep", "exd6ep+", "exd6+e.p.", "exd6e.p.+"] {
        mends(&check, text, "exd6+", Mends::EN_PASSANT);
    }
    for text in ["exd6ep", "exd6chep", "exd6e.p.++", "exd6ep#", "exd6+#ep"] {
        let expected = Mends::EN_PASSANT | Mends::CHECK_SIGN;
        mends(&check, text, "exd6+", expected);
    }
    mends(
        &check,
        "exd6+ep!",
        "exd6+",
        Mends::EN_PASSANT | Mends::GLYPH,
    );
    mends(&check, "exd6+#", "exd6+", Mends::CHECK_SIGN);
    for text in ["exd6epep", "exd6##", "exd6++++", "exd6!+", "exd6 ep"] {
        assert_eq!(mend(&check, text), Err(SanError::Syntax), "{text}");
    }
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

/// A way to write a move: without its sign, and what sets it apart from the exact way.
#[derive(Clone)]
struct Spelling {
    mv: Move,
    /// The square of departure, as far as it is written.
    departure: String,
    mends: Mends,
}

/// Every way to write what a pawn becomes.
fn written_promotions(mv: Move) -> Vec<(String, Mends)> {
    let Some(role) = mv.promotes_to() else {
        return vec![(String::new(), Mends::empty())];
    };
    let (large, small) = (role.to_char(), role.to_char().to_ascii_lowercase());
    vec![
        (format!("={large}"), Mends::empty()),
        (format!("{large}"), Mends::PROMOTION),
        (format!("{small}"), Mends::PROMOTION),
        (format!("={small}"), Mends::PROMOTION),
        (format!("({large})"), Mends::PROMOTION),
        (format!("/{small}"), Mends::PROMOTION),
    ]
}

/// Every way to write a move, whatever other moves it may fit.
fn spellings(position: &Position, mv: Move) -> Vec<(String, Spelling)> {
    let mut texts = Vec::new();
    let mut add = |text, departure: &str, mends| {
        let departure = departure.to_owned();
        let spelling = Spelling {
            mv,
            departure,
            mends,
        };
        texts.push((text, spelling));
    };
    let (from, to) = (mv.from().to_string(), mv.to().to_string());
    let castles = mv.kind() == MoveKind::Castle;
    let side = if to.starts_with('g') { 2 } else { 3 };
    for letter in ["O", "0", "o"].into_iter().filter(|_| castles) {
        let mends = [Mends::CASTLING, Mends::empty()][usize::from(letter == "O")];
        add([letter; 3][..side].join("-"), "", mends);
    }
    let role = position.role_at(mv.from()).expect("a piece");
    let names: &[&str] = match role {
        _ if castles => &[],
        Role::Pawn => &["", "P"],
        _ => &[&role.to_char().to_string()],
    };
    let captures = position.occupied().contains(mv.to()) || mv.kind() == MoveKind::EnPassant;
    for (promotion, mends) in written_promotions(mv) {
        for sign in ["", "x", "-", ":"] {
            let mut odd = mends;
            odd.set(Mends::CAPTURE_SIGN, sign == "-" || sign == ":");
            let text = format!("{from}{sign}{to}{promotion}");
            add(text, &from, odd | Mends::COORDINATES);
            odd.set(Mends::CAPTURE_SIGN, sign != if captures { "x" } else { "" });
            for name in names {
                odd.set(Mends::DISAMBIGUATION, *name == "P");
                for departure in ["", &from[..1], &from[1..], &from] {
                    // Both squares and no name are coordinates.
                    if departure != from || !name.is_empty() {
                        let text = format!("{name}{departure}{sign}{to}{promotion}");
                        add(text, departure, odd);
                    }
                }
            }
        }
    }
    texts
}

/// What the exact text of a move holds of the square of departure: of a pawn's the file if it
/// captures, of a piece's the first that no other move shares.
fn exact_departure(
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
    let alone =
        |departure: &&str| fitting[&format!("{}{departure}{to}", role.to_char())].len() == 1;
    let choices = ["", &from[..1], &from[1..], &from];
    (*choices
        .iter()
        .find(|departure| alone(departure))
        .expect("both tell apart"))
    .to_owned()
}

/// The exact text of a move.
fn exact_text(position: &Position, mv: Move, departure: &str) -> String {
    let mut text = spellings(position, mv)
        .into_iter()
        .find(|(_, spelling)| spelling.mends.is_empty() && spelling.departure == departure)
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

/// Compares the readers with what they stand for: all ways to write all legal moves, and which of
/// these moves a text can be.
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
            let departure = exact_departure(&fitting, position, mv);
            let text = exact_text(position, mv, &departure);
            assert_eq!(*San::of(position, mv), *text, "in {position}");
            assert_eq!(parse(position, &text), Ok(mv), "{text} in {position}");
            (mv, (departure, text))
        })
        .collect();
    for (text, moves) in &fitting {
        let sign = *["", "+", "#", "++", "ch", "mate"]
            .choose(random)
            .expect("signs");
        let glyph = *["", "", "!", "?!"].choose(random).expect("glyphs");
        let written = format!("{text}{sign}{glyph}");
        let [spelling] = &moves[..] else {
            let [a, b] = [0, 1].map(|i| San::of(position, moves[i].mv));
            let expected = Err(SanError::Ambiguous(a, b));
            assert_eq!(
                mend(position, &written),
                expected,
                "{written} in {position}"
            );
            continue;
        };
        let (departure, exact) = &exact[&spelling.mv];
        let mut mends = spelling.mends;
        if !mends.contains(Mends::COORDINATES) && spelling.departure != *departure {
            mends |= Mends::DISAMBIGUATION;
        }
        mends.set(
            Mends::CHECK_SIGN,
            exact.trim_start_matches(|c| c != '+' && c != '#') != sign,
        );
        mends.set(Mends::GLYPH, !glyph.is_empty());
        assert_eq!(
            mend(position, &written),
            Ok((spelling.mv, mends)),
            "{written} in {position}"
        );
    }
    for text in foreign.iter().filter(|text| !fitting.contains_key(*text)) {
        assert_eq!(
            mend(position, text),
            Err(SanError::Illegal),
            "{text} in {position}"
        );
    }
    fitting.into_keys().collect()
}

#[test]
fn readers_agree_with_all_ways_to_write_all_moves() {
    const STARTS: [&str; 8] = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
        "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1",
        // Several of a kind to one square.
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
