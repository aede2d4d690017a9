//! Random games and random boards: both libraries agree on every position, and on what is illegal.

use epode_movegen::{IllegalMove, Move, Position};
use proptest::collection::vec;
use proptest::prelude::*;
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode as TheirMode, Chess, PositionErrorKinds};

use crate::boards::{
    castling_boards, choices, pieces, positions, setups, squares, standard_rights, starts,
    starts_of_960,
};
use crate::config;
use crate::pair::{Pair, walk};

proptest! {
    #![proptest_config(config(1000))]

    #[test]
    fn properties_hold_in_games(start in starts(), choices in choices(150)) {
        walk(start, &choices, Pair::check);
    }
}

proptest! {
    #![proptest_config(config(400))]

    #[test]
    fn properties_hold_in_games_of_960(start in starts_of_960(), choices in choices(150)) {
        walk(start, &choices, Pair::check);
    }
}

proptest! {
    #![proptest_config(config(8000))]

    #[test]
    fn castling_of_960_is_that_of_others(start in castling_boards(), choices in choices(3)) {
        walk(start, &choices, Pair::check);
    }

    #[test]
    fn properties_hold_on_random_boards(start in positions(), choices in choices(6)) {
        walk(start, &choices, Pair::check);
    }

    /// We accept what shakmaty accepts. What only we accept, it calls unlikely, not illegal.
    #[test]
    fn illegal_boards_agree(
        setup in setups(),
        changes in vec((squares(), proptest::option::of(pieces())), 0..3),
        en_passant in proptest::option::weighted(0.1, squares()),
        rights in proptest::option::weighted(0.1, standard_rights()),
    ) {
        let mut setup = setup;
        for (square, piece) in changes {
            setup.board[square.index()] = piece;
        }
        setup.en_passant = en_passant.or(setup.en_passant);
        setup.castling = rights.unwrap_or(setup.castling);
        let fen: Fen = setup.to_string().parse().expect("a FEN");
        let refused = match fen.into_position::<Chess>(TheirMode::Standard) {
            Ok(_) => PositionErrorKinds::empty(),
            Err(error) => error.kinds(),
        };
        let improbable =
            PositionErrorKinds::IMPOSSIBLE_CHECK | PositionErrorKinds::TOO_MUCH_MATERIAL;
        match Position::from_setup(&setup) {
            Ok(position) => {
                prop_assert!(improbable.contains(refused), "{setup}: {refused:?}");
                prop_assert_eq!(position.setup(), setup);
            }
            Err(illegal) => prop_assert!(!refused.is_empty(), "{setup}: {illegal}"),
        }
    }
}

proptest! {
    #![proptest_config(config(100))]

    /// Any 16 bits are legal if and only if they are a generated move.
    #[test]
    fn legal_is_what_is_generated(
        start in prop_oneof![starts(), positions()],
        choices in choices(60),
    ) {
        let position = walk(start, &choices, |_| ()).ours;
        let legal = position.legal_moves();
        prop_assert_eq!(Move::from_bits(0), None);
        for bits in 1..=u16::MAX {
            let mv = Move::from_bits(bits).expect("not zero");
            let mut after = position;
            let expected = if legal.contains(&mv) { Ok(()) } else { Err(IllegalMove(mv)) };
            prop_assert_eq!(after.try_play(mv), expected, "{:?} in {}", mv, position);
            prop_assert_eq!(position.is_legal(mv), expected.is_ok());
            if expected.is_err() {
                prop_assert_eq!(after.setup(), position.setup());
            }
        }
    }
}
