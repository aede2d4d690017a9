//! Positions that random games seldom or never reach: protected checkers, dead positions, castling.

use epode_movegen::{Bitboard, CastlingRights, CastlingSide, Color, Move, Position, Role};

use crate::pair::Pair;

/// Two checks along one line cannot arise in a game, but can on a set-up board: one checker protects
/// the other.
#[test]
fn the_king_cannot_capture_a_protected_checker() {
    for fen in [
        "4k3/8/8/8/8/8/8/3rK2q w - - 0 1",
        "4k3/8/8/8/8/2q5/3K4/4b3 w - - 0 1",
    ] {
        Pair::new(fen.parse().expect(fen)).check();
    }
}

/// Decision 77. Random games seldom end so.
#[test]
fn insufficient_material() {
    for (pieces, insufficient) in [
        ("", true),
        ("N", true),
        ("n", true),
        ("B", true),
        ("b", true),
        // Any number of bishops on squares of one color, of either side.
        ("B1B", true),
        ("B1b", true),
        ("B1b1b1B", true),
        ("Bb", false),
        ("BB", false),
        ("NN", false),
        ("Nn", false),
        ("NB", false),
        ("N1b", false),
        ("R", false),
        ("q", false),
    ] {
        let width: usize = pieces
            .chars()
            .map(|letter| letter.to_digit(10).unwrap_or(1) as usize)
            .sum();
        let rank = match 8 - width {
            0 => pieces.to_owned(),
            rest => format!("{pieces}{rest}"),
        };
        let fen = format!("1k6/8/8/{rank}/8/8/8/7K w - - 0 1");
        let pair = Pair::new(fen.parse().expect("legal"));
        assert_eq!(pair.ours.is_insufficient_material(), insufficient, "{fen}");
        pair.check_facts();
    }
    let pawn: Position = "8/2k5/8/P7/8/8/8/7K w - - 0 1".parse().expect("legal");
    assert!(!pawn.is_insufficient_material());
}

/// The squares of king and rook, for both sides.
#[test]
fn castling_moves_king_and_rook() {
    let start: Position = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
        .parse()
        .expect("legal");
    for (right, color, side) in CastlingRights::each() {
        let mut position = start;
        if color == Color::Black {
            position.play_null();
        }
        position.play(Move::castle(position.king(color), side.king_to(color)));
        assert_eq!(position.king(color), side.king_to(color));
        let other = start.pieces(color, Role::Rook) & !Bitboard::of(side.rook_from(color));
        assert_eq!(
            position.pieces(color, Role::Rook),
            other | Bitboard::of(side.rook_to(color))
        );
        assert!(!position.castling().intersects(right));
        assert_eq!(CastlingSide::toward(side.king_to(color)), side);
        Pair::new(position).check();
    }
}
