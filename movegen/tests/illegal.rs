//! Illegal positions and their messages, and parsers that no text makes panic.

use epode_movegen::{
    Bitboard, CastlingRights, Color, File, Move, Piece, Position, PositionError, Promotion, Rank,
    Role, Setup, SetupFaults, Square, UciMove, san, words,
};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use proptest::test_runner::RngSeed;

/// Expects exactly these faults and this message.
#[track_caller]
fn refused(fen: &str, faults: SetupFaults, message: &str) {
    let error = fen.parse::<Position>().expect_err(fen);
    assert_eq!(
        error.to_string(),
        format!("illegal position: {message}"),
        "{fen}"
    );
    let PositionError::Illegal(illegal) = error else {
        panic!("{fen} should be readable");
    };
    assert_eq!(illegal.faults(), faults, "{fen}");
}

#[track_caller]
fn accepted(fen: &str) {
    match fen.parse::<Position>() {
        Ok(position) => assert_eq!(position.to_string(), fen),
        Err(error) => panic!("{fen}: {error}"),
    }
}

#[test]
fn each_side_has_one_king() {
    let (white, black) = (SetupFaults::WHITE_KINGS, SetupFaults::BLACK_KINGS);
    refused("4k3/8/8/8/8/8/8/8 w - -", white, "no white king");
    refused("8/8/8/8/8/8/8/4K3 w - -", black, "no black king");
    refused(
        "4k3/8/8/3K4/8/8/8/1K2K3 b - -",
        white,
        "several white kings: b1, e1, d5",
    );
    refused(
        "k6k/8/8/8/8/8/8/4K3 b - -",
        black,
        "several black kings: a8, h8",
    );
    refused(
        "8/8/8/8/8/8/8/8 w - -",
        white | black,
        "no white king; no black king",
    );
}

#[test]
fn pawns_and_promotions_are_limited() {
    let pawns = SetupFaults::TOO_MANY_PAWNS;
    let pieces = SetupFaults::TOO_MANY_PIECES;
    refused(
        "4k3/8/8/8/8/P7/PPPPPPPP/4K3 w - -",
        pawns,
        "more than eight pawns of a side",
    );
    refused(
        "4k3/pppppppp/p7/8/8/8/8/4K3 w - -",
        pawns,
        "more than eight pawns of a side",
    );
    for fen in [
        // One piece too many, with all pawns left.
        "4k3/8/8/8/8/8/PPPPPPPP/RNBQKBNQ w - -",
        "rrbqkbnr/pppppppp/8/8/8/8/8/4K3 b - -",
        "4k3/8/8/8/8/B2B4/PPPPPPPP/4KB2 w - -",
        // Ten queens.
        "4k3/pppp4/8/8/8/8/QQQQQQQQ/QQ2K3 b - -",
    ] {
        refused(fen, pieces, "more pieces of a side than promotions allow");
    }
    refused(
        "4k3/8/8/8/8/P7/PPPPPPPP/QQ2K3 w - -",
        pawns | pieces,
        "more than eight pawns of a side; more pieces of a side than promotions allow",
    );
}

#[test]
fn no_pawns_on_the_end_ranks() {
    refused(
        "P3k3/8/8/8/8/8/8/4K2p w - -",
        SetupFaults::PAWN_ON_END_RANK,
        "pawn on the first or last rank: h1, a8",
    );
}

#[test]
fn the_side_not_to_move_is_not_in_check() {
    for (fen, king) in [
        ("4k3/8/8/8/4R3/8/8/4K3 w - -", "e8"),
        ("4k3/8/8/8/7b/8/8/4K3 b - -", "e1"),
        ("8/8/8/8/8/8/4k3/4K3 w - -", "e2"),
        ("8/8/3k4/4P3/8/8/8/4K3 w - -", "d6"),
    ] {
        refused(
            fen,
            SetupFaults::OPPONENT_IN_CHECK,
            &format!("the side not to move is in check: {king}"),
        );
    }
}

#[test]
fn castling_rights_need_king_and_rook_at_home() {
    for (fen, rights) in [
        ("4k3/8/8/8/8/8/8/4K3 w K -", "K (no rook on h1)"),
        ("4k3/8/8/8/8/8/8/4K3 w Q -", "Q (no rook on a1)"),
        ("4k3/8/8/8/8/8/8/4K3 w k -", "k (no rook on h8)"),
        (
            "4k3/8/8/8/8/8/8/4K3 w KQkq -",
            "K (no rook on h1), Q (no rook on a1), k (no rook on h8), q (no rook on a8)",
        ),
        (
            "r3k2r/8/8/8/8/8/8/R2K3R w KQkq -",
            "K (no king on e1), Q (no king on e1)",
        ),
        ("3k4/8/8/8/8/8/8/4K3 b q -", "q (no king on e8)"),
        // The opponent's rook, or another piece.
        ("4k3/8/8/8/8/8/8/4K2r w K -", "K (no rook on h1)"),
        ("q3k3/8/8/8/8/8/8/4K3 w q -", "q (no rook on a8)"),
        // Chess960.
        ("r4k2/8/8/8/8/8/8/1R3K2 w Ba -", ""),
        ("4k3/8/8/8/8/8/8/1R3K2 w BC -", "C (no rook on c1)"),
        (
            "4k3/8/8/8/8/5K2/8/1R6 w B -",
            "B (the king is not on its first rank)",
        ),
        (
            "4k3/8/8/8/8/8/8/1RR2K2 w CB -",
            "C (the rook on b1 is on the same side of the king), \
             B (the rook on c1 is on the same side of the king)",
        ),
        ("1r3k2/8/8/8/8/8/8/4K3 w Kb -", "H (no rook on h1)"),
    ] {
        if rights.is_empty() {
            assert!(fen.parse::<Position>().is_ok(), "{fen}");
            continue;
        }
        refused(
            fen,
            SetupFaults::CASTLING,
            &format!("impossible castling right {rights}"),
        );
    }
}

#[test]
fn en_passant_squares_need_a_double_push() {
    for (fen, square) in [
        // No pawn, the wrong side's pawn, or another piece.
        ("4k3/8/8/8/8/8/8/4K3 w - e6", "e6"),
        ("4k3/8/8/4P3/8/8/8/4K3 w - e6", "e6"),
        ("4k3/8/8/4b3/8/8/8/4K3 w - e6", "e6"),
        // The wrong rank.
        ("4k3/8/8/8/4P3/8/8/4K3 w - e3", "e3"),
        ("4k3/8/8/4p3/8/8/8/4K3 b - e6", "e6"),
        ("4k3/8/8/4p3/8/8/8/4K3 w - e5", "e5"),
        ("4k3/8/8/8/8/8/8/4K3 w - e8", "e8"),
        // The pawn would have jumped over a piece, or its home square is occupied.
        ("4k3/8/3n4/3p4/8/8/8/4K3 w - d6", "d6"),
        ("4k3/3p4/8/3p4/8/8/8/4K3 w - d6", "d6"),
        ("4k3/8/8/8/3P4/8/3B4/4K3 b - d3", "d3"),
    ] {
        refused(
            fen,
            SetupFaults::EN_PASSANT,
            &format!("impossible en passant square: {square}"),
        );
    }
}

/// All 256 sets of faults. Without one king for each side, check cannot be determined.
#[test]
fn all_faults_at_once() {
    let messages = [
        "no white king",
        "several black kings: h5, e8",
        "more than eight pawns of a side",
        "more pieces of a side than promotions allow",
        "pawn on the first or last rank: h8",
        "the side not to move is in check: e8",
        "impossible castling right K (no rook on h1)",
        "impossible en passant square: e6",
    ];
    let piece = |color, role| Some(Piece::new(color, role));
    let kings = SetupFaults::WHITE_KINGS | SetupFaults::BLACK_KINGS;
    for bits in 0..=SetupFaults::all().bits() {
        let wanted = SetupFaults::from_bits(bits).expect("eight flags");
        let mut setup: Setup = "4k3/8/8/8/8/8/8/4K3 w - -".parse().expect("readable");
        if wanted.contains(SetupFaults::WHITE_KINGS) {
            setup.board[Square::E1.index()] = None;
        }
        if wanted.contains(SetupFaults::BLACK_KINGS) {
            setup.board[Square::H5.index()] = piece(Color::Black, Role::King);
        }
        if wanted.contains(SetupFaults::TOO_MANY_PAWNS) {
            for square in Bitboard::rank(Rank::R2) | Bitboard::of(Square::A3) {
                setup.board[square.index()] = piece(Color::White, Role::Pawn);
            }
        }
        if wanted.contains(SetupFaults::TOO_MANY_PIECES) {
            let sides = Bitboard::rank(Rank::R6) | Bitboard::rank(Rank::R7);
            for square in sides & !Bitboard::file(File::D) & !Bitboard::file(File::E) {
                setup.board[square.index()] = piece(Color::Black, Role::Knight);
            }
        }
        if wanted.contains(SetupFaults::PAWN_ON_END_RANK) {
            setup.board[Square::H8.index()] = piece(Color::White, Role::Pawn);
        }
        if wanted.contains(SetupFaults::OPPONENT_IN_CHECK) {
            setup.board[Square::D6.index()] = piece(Color::White, Role::Knight);
        }
        if wanted.contains(SetupFaults::CASTLING) {
            setup.castling = CastlingRights::WHITE_KING;
        }
        if wanted.contains(SetupFaults::EN_PASSANT) {
            setup.en_passant = Some(Square::E6);
        }

        let mut expected = wanted;
        if wanted.intersects(kings) {
            expected -= SetupFaults::OPPONENT_IN_CHECK;
        }
        let Err(illegal) = Position::from_setup(&setup) else {
            assert!(wanted.is_empty(), "{setup}");
            continue;
        };
        assert_eq!(illegal.faults(), expected, "{setup}");
        let mut message = String::new();
        for fault in expected {
            if !message.is_empty() {
                message += "; ";
            }
            message += messages[fault.bits().trailing_zeros() as usize];
            // If king and rook are missing, the king is named.
            if fault == SetupFaults::CASTLING && wanted.contains(SetupFaults::WHITE_KINGS) {
                message.truncate(message.len() - "(no rook on h1)".len());
                message += "(no king on e1)";
            }
        }
        assert_eq!(illegal.to_string(), message, "{setup}");
    }
}

#[test]
fn faults_have_squares() {
    let setup: Setup = "4k3/8/8/8/8/P7/PPPPPPPP/P3K3 w K -"
        .parse()
        .expect("readable");
    let illegal = Position::from_setup(&setup).expect_err("ten pawns");
    let pawns = setup.squares(|piece| piece.role() == Role::Pawn);
    assert_eq!(illegal.squares(SetupFaults::TOO_MANY_PAWNS), pawns);
    assert_eq!(
        illegal.squares(SetupFaults::PAWN_ON_END_RANK | SetupFaults::CASTLING),
        [Square::A1, Square::H1].into_iter().collect()
    );
    assert!(illegal.squares(SetupFaults::EN_PASSANT).is_empty());
    assert!(illegal.squares(SetupFaults::empty()).is_empty());
}

#[test]
fn unreadable_text_is_not_an_illegal_position() {
    let error = "8/8/8/8 w - -".parse::<Position>().expect_err("four ranks");
    assert!(matches!(error, PositionError::Text(_)));
    assert_eq!(error.to_string(), "column 1: 4 ranks, expected 8");
}

#[test]
fn unusual_but_legal() {
    for fen in [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        // All pawns promoted: to queens, then to rooks.
        "3qk3/qqqqqqqq/8/8/8/8/QQQQQQQQ/3QK3 w - - 0 1",
        "rrrrkrrr/rrr5/8/8/8/8/RRR5/RRRRKRRR w - - 0 1",
        "4k3/8/8/8/8/8/PPPPPPP1/RNBQKBNQ w Q - 0 1",
        // Pieces between king and rook, or an attacked king, do not end a castling right.
        "rn2kb1r/8/8/8/8/8/8/R2QK1NR b KQkq - 0 1",
        "r3k2r/8/8/8/4Q3/8/8/4K3 b kq - 0 1",
        // A double push with no possible en passant capture, or one that gives check.
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
        "8/8/8/3pP3/4K3/8/8/7k w - d6 0 1",
        // Double and triple check.
        "4k3/8/5N2/8/8/8/8/4RK2 b - - 0 1",
        "4k3/3P4/5N2/8/8/8/8/4RK2 b - - 0 1",
        // Pawns and bishops that cannot arise in a game.
        "4k3/8/P7/P7/P7/P7/P7/3BK3 w - - 0 1",
        "4k3/8/8/8/8/P7/PPPPPPP1/B1B1K3 w - - 0 1",
        // Checkmate, stalemate, and the highest counters.
        "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1",
        "7k/8/6Q1/8/8/8/8/K7 b - - 0 1",
        "4k3/8/8/8/8/8/8/4K3 b - - 65535 65535",
    ] {
        accepted(fen);
    }
}

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases,
        rng_seed: RngSeed::Fixed(0x0E90_DE01),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

/// Mostly bytes that occur in positions and moves, and some others.
fn bytes(most: usize) -> impl Strategy<Value = Vec<u8>> {
    const LETTERS: &[u8] = b"KQRBNPkqrbnp12345678/- wbabcdefghx=+#!?O0o:().;\"\t\0";
    vec(
        prop_oneof![8 => select(LETTERS), 1 => any::<u8>()],
        0..=most,
    )
}

/// No parser panics, and what it accepts can be written and read back.
fn read_everything(text: &str) {
    if let Ok(setup) = text.parse::<Setup>() {
        assert_eq!(setup.to_string().parse(), Ok(setup));
    } else if let Err(error) = text.parse::<Setup>() {
        assert!((1..=text.len() + 1).contains(&error.column), "{text:?}");
        assert!(text.is_char_boundary(error.column - 1), "{text:?}");
    }
    if let Ok(position) = text.parse::<Position>() {
        assert_eq!(
            position.count_moves(),
            position.legal_moves().len() as u64,
            "{text}"
        );
    }
    for word in words(text) {
        assert!(text[word.column - 1..].starts_with(word.text));
    }
    if let Ok(uci) = text.parse::<UciMove>() {
        assert_eq!(uci.to_string().parse(), Ok(uci));
        let _ = uci.find(&Position::start());
    }
    if let Ok(square) = text.parse::<Square>() {
        assert_eq!(square.to_string(), text);
    }
    let _ = san::parse_lenient(&Position::start(), text);
    let _ = san::parse(&Position::start(), text);
}

proptest! {
    #![proptest_config(config(20_000))]

    #[test]
    fn random_text_does_not_panic(bytes in bytes(80)) {
        read_everything(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn short_random_text_does_not_panic(bytes in bytes(8)) {
        read_everything(&String::from_utf8_lossy(&bytes));
    }

    /// A FEN with some bytes replaced, removed or inserted.
    #[test]
    fn damaged_fens_do_not_panic(
        fen in select(&[
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/8/8/K2pP2r/8/8/8/4k3 w - d6 12 345",
        ][..]),
        damage in vec((any::<Index>(), bytes(2)), 1..4),
    ) {
        let mut text = fen.as_bytes().to_vec();
        for (at, bytes) in damage {
            let at = at.index(text.len());
            text.splice(at..=at, bytes);
            prop_assume!(!text.is_empty());
        }
        read_everything(&String::from_utf8_lossy(&text));
    }
}

/// Illegal moves played unchecked can fill the board with queens. Their moves do not fit into a move
/// list, which must panic rather than write beyond its end.
#[test]
fn unchecked_queens_do_not_overflow_the_list() {
    let mut position = Position::start();
    for (from, to) in Square::all().zip(Square::all().skip(16)).take(32) {
        position.play_unchecked(Move::promotion(from, to, Promotion::Queen));
        position.play_unchecked(Move::normal(Square::A8, Square::B8));
    }
    let panic = std::panic::catch_unwind(|| position.legal_moves()).expect_err("too many queens");
    let message = panic.downcast_ref::<&str>().expect("a message");
    assert!(message.starts_with("more pieces than"), "{message}");
}

/// Impossible castling rights and unknown letters are dropped and reported.
#[test]
fn lenient_fen_drops_impossible_castling() {
    let home = "r3k2r/8/8/8/8/8/8/R3K2R";
    let odds = "1r2k2r/8/8/8/8/8/8/R2K3R";
    for (board, found, rights, dropped) in [
        (home, "KQkq", "KQkq", ""),
        (home, "qkQK", "KQkq", ""),
        (home, "HAha", "KQkq", ""),
        (home, "KQAb", "KQ", "Ab"),
        (home, "KK-", "K", "K-"),
        (odds, "KQkq", "k", "KQq"),
        (odds, "-", "-", ""),
        // Chess960.
        (odds, "HAhb", "HAhb", ""),
        (odds, "HBk", "Hh", "B"),
        (odds, "bH", "Hb", ""),
    ] {
        let fen = format!("{board} w {found} - 3 9");
        let (setup, dropped_castling) = Setup::from_fen_lenient(&fen).expect(&fen);
        let fields = setup.fields();
        assert_eq!(fields.split(' ').nth(2), Some(rights), "{fen}");
        assert_eq!((setup.halfmove_clock, setup.fullmove_number), (3, 9));
        assert!(setup.legality().is_ok(), "{fen}");
        let letters = dropped_castling.map_or(String::new(), |castling| castling.field.dropped);
        assert_eq!(letters, dropped, "{fen}");
    }
    // Texts that are no castling field.
    for found in ["x", "KQkqKQkqK", "e3"] {
        let fen = format!("{odds} w {found} -");
        let error = Setup::from_fen_lenient(&fen).expect_err(&fen);
        assert!(
            error.to_string().contains(&format!("is {found:?}")),
            "{error}"
        );
    }
}
