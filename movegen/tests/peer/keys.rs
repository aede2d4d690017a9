//! Keys of positions: equal where all is equal that legal moves depend on, and different elsewhere.

use std::collections::HashMap;

use epode_movegen::{Move, MoveKind, Position, Setup, Square};
use proptest::prelude::*;
use proptest::sample::Index;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};

use crate::boards::{STARTS, choices, starts};
use crate::config;
use crate::pair::{Pair, walk};

proptest! {
    #![proptest_config(config(8000))]

    /// Move order does not affect the key, unless an en passant capture is legal.
    #[test]
    fn transpositions_have_one_key(
        start in starts(),
        choices in choices(80),
        [first, reply, second] in any::<[Index; 3]>(),
    ) {
        let position = walk(start, &choices, |_| ()).ours;
        let mut straight = position;
        let mut line = Vec::new();
        for choice in [first, reply, second] {
            let moves = straight.legal_moves();
            prop_assume!(!moves.is_empty());
            line.push(*choice.get(&moves));
            straight.play(line[line.len() - 1]);
        }
        line.reverse();
        let mut crossed = position;
        for mv in line {
            prop_assume!(crossed.try_play(mv).is_ok());
        }
        let same = reduced(&straight) == reduced(&crossed);
        prop_assert_eq!(straight == crossed, same, "{} {}", straight, crossed);
        prop_assert_eq!(straight.key() == crossed.key(), same, "{} {}", straight, crossed);
    }
}

/// The parts of a position on which its legal moves depend.
fn reduced(position: &Position) -> Setup {
    Setup {
        en_passant: position.legal_en_passant(),
        halfmove_clock: 0,
        fullmove_number: 1,
        ..position.setup()
    }
}

/// A long random game that reaches the same positions in many ways.
#[test]
fn keys_and_positions_belong_together() {
    let mut random = StdRng::seed_from_u64(1);
    let mut key_of: HashMap<Setup, u64> = HashMap::new();
    let mut setup_of: HashMap<u64, Setup> = HashMap::new();
    let mut visits = 0;
    for fen in STARTS.into_iter().cycle().take(20 * STARTS.len()) {
        let mut position: Position = fen.parse().expect(fen);
        for _ in 0..random.random_range(50..400) {
            let setup = reduced(&position);
            let key = position.key();
            assert_eq!(*key_of.entry(setup.clone()).or_insert(key), key, "{setup}");
            assert_eq!(*setup_of.entry(key).or_insert(setup.clone()), setup);
            visits += 1;
            match position.legal_moves().choose(&mut random) {
                Some(&mv) => position.play(mv),
                None => break,
            }
        }
    }
    assert_eq!(key_of.len(), setup_of.len());
    // Make sure that there were repetitions.
    assert!(key_of.len() + 1000 < visits, "{} of {visits}", key_of.len());
}

/// Cases that are rare in random games.
#[test]
fn en_passant_is_in_the_key_where_it_is_legal() {
    for (fen, legal) in [
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", true),
        ("4k3/8/8/3p1P2/8/8/8/4K3 w - d6 0 1", false),
        // Pinned along the file; along the rank, with the captured pawn; along the capture's diagonal.
        ("4r2k/8/8/3pP3/8/8/8/4K3 w - d6 0 1", false),
        ("7k/8/8/K2pP2r/8/8/8/8 w - d6 0 1", false),
        ("1b5k/8/8/3pP3/8/6K1/8/8 w - d6 0 1", true),
        // In check from the pawn that can be captured, and from another piece.
        ("7k/8/8/3pP3/4K3/8/8/8 w - d6 0 1", true),
        ("4b2k/8/8/3pP3/K7/8/8/8 w - d6 0 1", false),
    ] {
        let pair = Pair::new(fen.parse().expect(fen));
        assert_eq!(pair.ours.en_passant(), Some(Square::D6));
        assert_eq!(pair.ours.legal_en_passant().is_some(), legal, "{fen}");
        let captures = |mv: &Move| mv.kind() == MoveKind::EnPassant;
        assert_eq!(pair.ours.legal_moves().iter().any(captures), legal, "{fen}");
        pair.check();
    }
}
