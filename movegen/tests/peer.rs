//! Properties of every position, tested in random games and on random boards against shakmaty, an
//! independent move generator.
//!
//! Seeds are fixed, so the tests are reproducible. To run more cases with another seed:
//! `PROPTEST_CASES=20000 PROPTEST_RNG_SEED=1 cargo test -p epode-movegen --test peer`.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use epode_movegen::{
    BackRank, Bitboard, CastlingMode, CastlingRights, CastlingSide, Color, File, IllegalMove, Move,
    MoveGenKind, MoveKind, MoveList, Piece, Position, Rank, Role, San, Setup, SetupFaults, Square,
    UciMove, perft, san, words,
};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use proptest::test_runner::RngSeed;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use shakmaty::fen::Fen;
use shakmaty::san::SanPlus;
use shakmaty::uci::UciMove as TheirUciMove;
use shakmaty::{CastlingMode as TheirMode, Chess, EnPassantMode, PositionErrorKinds};
use shakmaty::{Position as _, PositionError};

/// The positions from which random games start.
const STARTS: [&str; 17] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 0 1",
    // Much castling.
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
    "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R b KQkq - 3 9",
    // Opposing pawns: en passant, then promotions.
    "4k3/1p1p1p1p/8/P1P1P1P1/1p1p1p1p/8/P1P1P1P1/4K3 w - - 0 1",
    "8/1p1p1p2/8/K1P1P2r/R2p1p1k/8/2P1P1P1/8 w - - 0 1",
    "rnbqkbnr/ppp3pp/4p3/3pPp2/3P4/8/PPP2PPP/RNBQKBNR w KQkq f6 0 4",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    // Many pieces of a kind.
    "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
    "3qk3/qqqqqqqq/8/8/8/8/QQQQQQQQ/3QK3 w - - 0 1",
    "nnnnknnn/nnn5/8/8/8/8/NNN5/NNNNKNNN w - - 0 1",
    "rrrrkrrr/rrr5/8/8/8/8/RRR5/RRRRKRRR b - - 0 1",
    // Few pieces: repetitions, checkmates, stalemates, dead positions.
    "8/8/1k6/2b5/2pP4/8/5K2/8 b - d3 0 1",
    "7k/8/8/8/3b4/8/1P6/KN6 w - - 90 200",
];

fn config(cases: u32) -> ProptestConfig {
    let default = ProptestConfig::default();
    // A seed from the environment takes precedence.
    let chosen = std::env::var_os("PROPTEST_RNG_SEED").is_some();
    ProptestConfig {
        cases: if chosen { default.cases } else { cases },
        rng_seed: if chosen {
            default.rng_seed
        } else {
            RngSeed::Fixed(0x0E90_DE00)
        },
        failure_persistence: None,
        max_global_rejects: 100_000,
        ..default
    }
}

/// One position in both libraries.
#[derive(Clone, Debug)]
struct Pair {
    ours: Position,
    theirs: Chess,
    mode: CastlingMode,
}

impl Pair {
    /// shakmaty also refuses checks that cannot arise in a game, and counts bishops by square color.
    /// Such positions are compared all the same.
    fn new(ours: Position) -> Self {
        let mode = ours.castling_mode();
        let their_mode = match mode {
            CastlingMode::Standard => TheirMode::Standard,
            CastlingMode::Chess960 => TheirMode::Chess960,
        };
        let fen: Fen = ours.to_string().parse().expect("a FEN");
        let theirs = fen
            .into_position(their_mode)
            .or_else(PositionError::ignore_impossible_check)
            .or_else(PositionError::ignore_too_much_material)
            .unwrap_or_else(|error| panic!("{ours}: {error}"));
        Self { ours, theirs, mode }
    }

    /// The UCI notation of a move in this kind of chess.
    fn uci(&self, mv: Move) -> String {
        UciMove::of(&self.ours, mv, self.mode).to_string()
    }

    fn play(&mut self, mv: Move) {
        let theirs = self.their_move(mv);
        self.theirs.play_unchecked(theirs);
        self.ours.play_unchecked(mv);
    }

    fn their_move(&self, mv: Move) -> shakmaty::Move {
        let uci: TheirUciMove = self.uci(mv).parse().expect("coordinates");
        uci.to_move(&self.theirs)
            .unwrap_or_else(|_| panic!("the peer has no {mv} in {}", self.ours))
    }

    /// All properties of a single position.
    fn check(&self) {
        self.check_facts();
        self.check_moves();
        self.check_texts();
        self.check_key();
        self.check_null();
        self.check_with_cozy_chess();
    }

    /// A second independent generator, where it accepts the position.
    fn check_with_cozy_chess(&self) {
        let fen = self.ours.setup().to_shredder_fen();
        let Ok(board) = cozy_chess::Board::from_fen(&fen, true) else {
            return;
        };
        let mut expected = Vec::new();
        board.generate_moves(|moves| {
            expected.extend(moves.into_iter().map(|mv| mv.to_string()));
            false
        });
        let moves = self.ours.legal_moves();
        let uci = |&mv| UciMove::of(&self.ours, mv, CastlingMode::Chess960).to_string();
        let mut texts: Vec<String> = moves.iter().map(uci).collect();
        texts.sort_unstable();
        expected.sort_unstable();
        assert_eq!(texts, expected, "{fen}");
    }

    fn check_facts(&self) {
        let Self { ours, theirs, .. } = self;
        let fen = Fen::from_position(theirs, EnPassantMode::Always).to_string();
        assert_eq!(ours.setup().to_x_fen(), fen);
        assert_eq!(ours.checkers().0, u64::from(theirs.checkers()), "{fen}");
        let (board, opponent) = (theirs.board(), theirs.turn().other());
        let attacked = shakmaty::Square::ALL.into_iter().filter(|&square| {
            let attackers = board.attacks_to(square, opponent, board.occupied());
            attackers.any()
        });
        let attacked: shakmaty::Bitboard = attacked.collect();
        assert_eq!(ours.attacked().0, u64::from(attacked), "{fen}");
        assert_eq!(ours.is_check(), theirs.is_check(), "{fen}");
        assert_eq!(ours.is_checkmate(), theirs.is_checkmate(), "{fen}");
        assert_eq!(ours.is_stalemate(), theirs.is_stalemate(), "{fen}");
        assert_eq!(
            ours.is_insufficient_material(),
            theirs.is_insufficient_material(),
            "{fen}"
        );
        assert_eq!(
            ours.legal_en_passant().map(|square| square.to_string()),
            theirs.legal_ep_square().map(|square| square.to_string()),
            "{fen}"
        );
    }

    fn check_moves(&self) {
        let Self { ours, theirs, .. } = self;
        let all = ours.legal_moves();
        let mut texts: Vec<String> = all.iter().map(|&mv| self.uci(mv)).collect();
        let their_uci = match self.mode {
            CastlingMode::Standard => TheirUciMove::from_standard,
            CastlingMode::Chess960 => TheirUciMove::from_chess960,
        };
        let mut expected: Vec<String> = theirs
            .legal_moves()
            .iter()
            .map(|&mv| their_uci(mv).to_string())
            .collect();
        texts.sort_unstable();
        expected.sort_unstable();
        assert_eq!(texts, expected, "{ours}");
        assert_eq!(ours.count_moves(), all.len() as u64, "{ours}");

        let mut noisy = MoveList::new();
        let mut quiet = MoveList::new();
        ours.moves(MoveGenKind::Noisy, &mut noisy);
        ours.moves(MoveGenKind::Quiet, &mut quiet);
        let is_noisy = |mv: &Move| {
            let mv = self.their_move(*mv);
            mv.is_capture() || mv.is_promotion()
        };
        assert!(noisy.iter().all(is_noisy), "{noisy:?} of {ours}");
        assert!(!quiet.iter().any(is_noisy), "{quiet:?} of {ours}");
        let mut parts: Vec<Move> = noisy.into_iter().chain(quiet).collect();
        let mut all = all.to_vec();
        parts.sort_unstable_by_key(|mv| mv.bits());
        all.sort_unstable_by_key(|mv| mv.bits());
        assert_eq!(parts, all, "{ours}");
        assert!(all.iter().all(|&mv| ours.is_legal(mv)), "{ours}");
    }

    /// Every text form of moves and of the position can be read back.
    fn check_texts(&self) {
        let Self { ours, theirs, .. } = self;
        for mv in ours.legal_moves() {
            let text = San::of(ours, mv);
            let expected = SanPlus::from_move(theirs.clone(), self.their_move(mv));
            assert_eq!(*text, *expected.to_string(), "{mv} in {ours}");
            assert_eq!(san::parse(ours, &text), Ok(mv), "{text} in {ours}");
            let lenient = san::parse_lenient(ours, &text);
            let expected = Ok((mv, san::Deviations::empty()));
            assert_eq!(lenient, expected, "{text} in {ours}");
            let uci: UciMove = self.uci(mv).parse().expect("UCI notation");
            assert_eq!(uci.find(ours), Ok(mv), "{mv} in {ours}");
        }

        let setup = ours.setup();
        assert_eq!(setup.to_string().parse(), Ok(setup.clone()));
        for fen in [setup.to_x_fen(), setup.to_shredder_fen()] {
            assert_eq!(Setup::from_fen(&fen, self.mode), Ok(setup.clone()), "{fen}");
        }
        let fields = setup.fields().to_string();
        let mut words = words(&fields);
        let four = std::array::from_fn(|_| words.next().expect("four fields"));
        let mut reread = Setup::from_fields(four).expect("its own fields");
        assert_eq!(words.next(), None);
        reread.halfmove_clock = ours.halfmove_clock();
        reread.fullmove_number = ours.fullmove_number();
        assert_eq!(reread, setup);
    }

    /// The incrementally updated key equals the key of the position read from text.
    fn check_key(&self) {
        let fresh: Position = self.ours.to_string().parse().expect("its own FEN");
        assert_eq!(self.ours.key(), fresh.key(), "{fresh}");
        assert_eq!(self.ours, fresh, "{fresh}");
        assert_eq!(self.ours.setup(), fresh.setup());

        // The en passant square makes a difference only if a capture is legal.
        let mut setup = fresh.setup();
        setup.en_passant = None;
        let without = Position::from_setup(&setup).expect("legal without en passant");
        let legal = fresh.legal_en_passant().is_some();
        assert_eq!(without.key() != fresh.key(), legal, "{fresh}");
        assert_eq!(without != fresh, legal, "{fresh}");
    }

    fn check_null(&self) {
        if self.ours.is_check() {
            return;
        }
        let mut passed = self.ours;
        passed.play_null();
        let theirs = self
            .theirs
            .clone()
            .swap_turn()
            .or_else(PositionError::ignore_impossible_check)
            .or_else(PositionError::ignore_too_much_material)
            .expect("no check to pass in");
        let fresh: Position = passed.to_string().parse().expect("its own FEN");
        assert_eq!((passed, passed.key()), (fresh, fresh.key()), "{passed}");
        assert_eq!(passed.en_passant(), None);
        assert_eq!(passed.count_moves(), theirs.legal_moves().len() as u64);
    }
}

/// Plays a game of chosen moves and visits each position.
fn walk(start: Position, choices: &[Index], mut visit: impl FnMut(&Pair)) -> Pair {
    let mut pair = Pair::new(start);
    visit(&pair);
    for choice in choices {
        let moves = pair.ours.legal_moves();
        if moves.is_empty() {
            break;
        }
        pair.play(*choice.get(&moves));
        visit(&pair);
    }
    pair
}

fn starts() -> impl Strategy<Value = Position> {
    select(&STARTS[..]).prop_map(|fen| fen.parse().expect(fen))
}

/// Starting positions of Chess960 and, most of them, of double Chess960.
fn starts_of_960() -> impl Strategy<Value = Position> {
    let back_rank =
        || (0..BackRank::COUNT).prop_map(|number| BackRank::new(number).expect("small"));
    let same = back_rank().prop_map(|rank| [rank; 2]);
    let different = [back_rank(), back_rank()];
    prop_oneof![1 => same, 3 => different].prop_map(Position::chess960)
}

/// Few pieces on the first ranks around kings and rooks that may castle, so that most castling is
/// possible or prevented by one piece.
fn castling_boards() -> impl Strategy<Value = Position> {
    let files = || proptest::sample::subsequence((0..8_usize).collect::<Vec<_>>(), 3);
    let attackers = vec((squares(), pieces()), 0..8);
    let parts = (
        [files(), files()],
        attackers,
        select(&Color::ALL[..]),
        any::<[bool; 4]>(),
    );
    parts.prop_filter_map("illegal", |(files, attackers, turn, wanted)| {
        let mut setup = Setup::empty();
        for (square, piece) in attackers {
            let on_end_rank = matches!(square.rank(), Rank::R1 | Rank::R8);
            if piece.role() != Role::Pawn || !on_end_rank {
                setup.board[square.index()] = Some(piece);
            }
        }
        let mut wanted = wanted.into_iter();
        for (color, files) in Color::ALL.into_iter().zip(files) {
            for (file, role) in files.into_iter().zip([Role::Rook, Role::King, Role::Rook]) {
                let file = File::ALL[file];
                let square = Square::new(file, Rank::R1).relative_to(color);
                setup.board[square.index()] = Some(Piece::new(color, role));
                if role == Role::Rook && wanted.next() == Some(true) {
                    setup.castling |= CastlingRights::of_rook(color, file);
                }
            }
        }
        setup.turn = turn;
        setup.castling_mode = CastlingMode::Chess960;
        Position::from_setup(&setup).ok()
    })
}

fn choices(most: usize) -> impl Strategy<Value = Vec<Index>> {
    vec(any::<Index>(), 0..=most)
}

fn pieces() -> impl Strategy<Value = Piece> {
    let roles = [Role::Pawn, Role::Pawn, Role::Knight, Role::Bishop]
        .into_iter()
        .chain([Role::Rook, Role::Queen]);
    let colored = roles.flat_map(|role| Color::ALL.map(|color| Piece::new(color, role)));
    select(colored.collect::<Vec<_>>())
}

fn squares() -> impl Strategy<Value = Square> {
    (0..Square::COUNT).prop_map(Square::from_index)
}

/// Random boards. Half of them have kings and rooks at home, for castling rights; many have a pawn that
/// has just made a double push past another.
fn setups() -> impl Strategy<Value = Setup> {
    let homes = Just([Square::E1, Square::E8]);
    let anywhere = [squares(), squares()];
    let kings = prop_oneof![homes, anywhere];
    let crowd = vec((squares(), pieces()), 0..24);
    let color = select(&Color::ALL[..]);
    let pushed = proptest::option::of((0..8_usize, any::<[bool; 2]>()));
    let parts = (kings, standard_rights(), crowd, color, pushed);
    parts.prop_map(|(kings, rights, crowd, turn, pushed)| {
        let mut setup = Setup::empty();
        let mut put = |square: Square, color, role| {
            let place = &mut setup.board[square.index()];
            if place.is_none() {
                *place = Some(Piece::new(color, role));
            }
        };
        for (square, color) in kings.into_iter().zip(Color::ALL) {
            put(square, color, Role::King);
        }
        for (right, color, side) in CastlingRights::each() {
            if rights.contains(right) {
                put(side.rook_from(color), color, Role::Rook);
            }
        }
        let at = |file: usize, rank: Rank| Square::new(File::ALL[file], rank.relative_to(!turn));
        if let Some((file, neighbours)) = pushed {
            put(at(file, Rank::R4), !turn, Role::Pawn);
            for (beside, wanted) in [file.wrapping_sub(1), file + 1].into_iter().zip(neighbours) {
                if wanted && beside < 8 {
                    put(at(beside, Rank::R4), turn, Role::Pawn);
                }
            }
        }
        let passed = pushed.map(|(file, _)| [at(file, Rank::R2), at(file, Rank::R3)]);
        for (square, piece) in crowd {
            let role = piece.role();
            let on_end_rank = matches!(square.rank(), Rank::R1 | Rank::R8);
            if passed.is_some_and(|passed| passed.contains(&square)) {
                continue;
            }
            put(
                square,
                piece.color(),
                if role == Role::Pawn && on_end_rank {
                    Role::Queen
                } else {
                    role
                },
            );
        }
        setup.turn = turn;
        setup.en_passant = passed.map(|[_, skipped]| skipped);
        for (right, ..) in rights.rooks() {
            setup.castling |= right;
            if faults(&setup).contains(SetupFaults::CASTLING) {
                setup.castling -= right;
            }
        }
        if faults(&setup).contains(SetupFaults::EN_PASSANT) {
            setup.en_passant = None;
        }
        if faults(&setup).contains(SetupFaults::OPPONENT_IN_CHECK) {
            setup.turn = !setup.turn;
            setup.en_passant = None;
        }
        setup
    })
}

/// Any of the castling rights of standard chess.
fn standard_rights() -> impl Strategy<Value = CastlingRights> {
    any::<[bool; 4]>().prop_map(|wanted| {
        let rights = CastlingRights::each().zip(wanted);
        rights
            .filter_map(|((right, ..), is_wanted)| is_wanted.then_some(right))
            .collect()
    })
}

fn faults(setup: &Setup) -> SetupFaults {
    match Position::from_setup(setup) {
        Ok(_) => SetupFaults::empty(),
        Err(illegal) => illegal.faults(),
    }
}

/// Random boards that are legal.
fn positions() -> impl Strategy<Value = Position> {
    setups().prop_filter_map("illegal", |setup| Position::from_setup(&setup).ok())
}

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

/// All counts of the suite with both generators:
/// `cargo test --release -p epode-movegen --test peer -- --ignored`.
#[test]
#[ignore = "ten seconds of a release build"]
fn suite_counts_agree() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../suites/perft.epd");
    let text = fs::read_to_string(path).expect("the suite");
    for line in text.lines() {
        let fields: Vec<&str> = line.splitn(5, ' ').collect();
        let pair = Pair::new(fields[..4].join(" ").parse().expect(line));
        pair.check();
        for operation in fields[4].split("; ") {
            let Some((depth, leaves)) = operation
                .strip_prefix('D')
                .and_then(|count| count.split_once(' '))
            else {
                continue;
            };
            let depth = depth.parse().expect(line);
            let leaves: u64 = leaves.parse().expect(line);
            assert_eq!(shakmaty::perft(&pair.theirs, depth), leaves, "{line}");
            assert_eq!(perft(&pair.ours, depth), leaves, "{line}");
        }
    }
}
