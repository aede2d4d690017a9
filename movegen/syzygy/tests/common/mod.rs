//! Random positions with few pieces.

#![allow(dead_code, reason = "each test file uses a part")]

use std::path::{Path, PathBuf};

use epode_syzygy::movegen::{Bitboard, Color, Piece, Position, Rank, Role, Setup, Square};
use rand::RngExt;
use rand::rngs::StdRng;

/// All roles but the king.
pub const ROLES: [Role; 5] = [
    Role::Pawn,
    Role::Knight,
    Role::Bishop,
    Role::Rook,
    Role::Queen,
];

/// The tables of the repository: three pieces.
pub fn small_tables() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tables")
}

/// The tables of three and four pieces, which only the developers' machines have.
pub fn shared_tables() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/syzygy");
    if !folder.exists() {
        println!("skipped: {} does not exist", folder.display());
        return None;
    }
    Some(folder)
}

/// A setup with these pieces and no en passant square.
pub fn setup(pieces: &[(Piece, Square)], turn: Color) -> Setup {
    let mut setup = Setup::empty();
    setup.turn = turn;
    for &(piece, square) in pieces {
        setup.board[square.index()] = Some(piece);
    }
    setup
}

fn random_square(rng: &mut StdRng, taken: Bitboard) -> Square {
    loop {
        let square = Square::from_index(rng.random_range(0..64));
        if !taken.contains(square) {
            return square;
        }
    }
}

/// A random legal position with two kings and some other pieces of any color. If a double push may have
/// been the last move, there is an en passant square half of the time.
pub fn random_position(rng: &mut StdRng, others: usize) -> Position {
    loop {
        let mut taken = Bitboard::EMPTY;
        let mut pieces = Color::ALL
            .map(|color| Piece::new(color, Role::King))
            .to_vec();
        for _ in 0..others {
            let color = Color::ALL[rng.random_range(0..2)];
            pieces.push(Piece::new(color, ROLES[rng.random_range(0..5)]));
        }
        let pieces: Vec<_> = pieces
            .into_iter()
            .map(|piece| {
                let square = random_square(rng, taken);
                taken |= Bitboard::of(square);
                (piece, square)
            })
            .collect();
        let mut setup = setup(&pieces, Color::ALL[rng.random_range(0..2)]);
        if rng.random_bool(0.5) {
            setup.en_passant = pieces.iter().find_map(|&(piece, square)| {
                let is_double_push = piece == Piece::new(!setup.turn, Role::Pawn)
                    && square.relative_to(!setup.turn).rank() == Rank::R4;
                is_double_push.then(|| {
                    let skipped = Square::new(square.file(), Rank::R3);
                    skipped.relative_to(!setup.turn)
                })
            });
        }
        if let Ok(position) = Position::from_setup(&setup) {
            return position;
        }
    }
}
