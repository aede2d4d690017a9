//! Where random games start: known positions, those of Chess960, and random boards.

use epode_movegen::{
    BackRank, CastlingMode, CastlingRights, Color, File, Piece, Position, Rank, Role, Setup,
    SetupFaults, Square,
};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};

/// The positions from which random games start.
pub const STARTS: [&str; 17] = [
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

pub fn starts() -> impl Strategy<Value = Position> {
    select(&STARTS[..]).prop_map(|fen| fen.parse().expect(fen))
}

/// Starting positions of Chess960 and, most of them, of double Chess960.
pub fn starts_of_960() -> impl Strategy<Value = Position> {
    let back_rank =
        || (0..BackRank::COUNT).prop_map(|number| BackRank::new(number).expect("small"));
    let same = back_rank().prop_map(|rank| [rank; 2]);
    let different = [back_rank(), back_rank()];
    prop_oneof![1 => same, 3 => different].prop_map(Position::chess960)
}

/// Few pieces on the first ranks around kings and rooks that may castle, so that most castling is
/// possible or prevented by one piece.
pub fn castling_boards() -> impl Strategy<Value = Position> {
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

pub fn choices(most: usize) -> impl Strategy<Value = Vec<Index>> {
    vec(any::<Index>(), 0..=most)
}

pub fn pieces() -> impl Strategy<Value = Piece> {
    let roles = [Role::Pawn, Role::Pawn, Role::Knight, Role::Bishop]
        .into_iter()
        .chain([Role::Rook, Role::Queen]);
    let colored = roles.flat_map(|role| Color::ALL.map(|color| Piece::new(color, role)));
    select(colored.collect::<Vec<_>>())
}

pub fn squares() -> impl Strategy<Value = Square> {
    (0..Square::COUNT).prop_map(Square::from_index)
}

/// Random boards. Half of them have kings and rooks at home, for castling rights; many have a pawn that
/// has just made a double push past another.
pub fn setups() -> impl Strategy<Value = Setup> {
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
pub fn standard_rights() -> impl Strategy<Value = CastlingRights> {
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
pub fn positions() -> impl Strategy<Value = Position> {
    setups().prop_filter_map("illegal", |setup| Position::from_setup(&setup).ok())
}
