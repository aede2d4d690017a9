//! A position in this library and in shakmaty, and the checks that both say the same of it.

use epode_movegen::{
    CastlingMode, Move, MoveGenKind, MoveList, Position, San, Setup, UciMove, san, words,
};
use proptest::sample::Index;
use shakmaty::fen::Fen;
use shakmaty::san::SanPlus;
use shakmaty::uci::UciMove as TheirUciMove;
use shakmaty::{CastlingMode as TheirMode, Chess, EnPassantMode};
use shakmaty::{Position as _, PositionError};

/// One position in both libraries.
#[derive(Clone, Debug)]
pub struct Pair {
    pub ours: Position,
    pub theirs: Chess,
    mode: CastlingMode,
}

impl Pair {
    /// shakmaty also refuses checks that cannot arise in a game, and counts bishops by square color.
    /// Such positions are compared all the same.
    pub fn new(ours: Position) -> Self {
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
    pub fn check(&self) {
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

    pub fn check_facts(&self) {
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
pub fn walk(start: Position, choices: &[Index], mut visit: impl FnMut(&Pair)) -> Pair {
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
