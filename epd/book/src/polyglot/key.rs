//! The keys of positions in Polyglot books.

use movegen::{CastlingSide, Color, Position, Role, Square, attacks};

use super::random::RANDOM;

/// Where the numbers for castling begin; those for pieces on squares come before them.
const CASTLING: usize = 768;
/// Where the numbers for the files of en passant squares begin.
const EN_PASSANT: usize = 772;
/// The number for White to move.
const TURN: usize = 780;

/// The key of a position. The en passant square counts if a pawn stands ready to capture there, whether or not the
/// capture is legal.
///
/// ```
/// use epode_book::polyglot::key;
///
/// let position: movegen::Position = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1".parse()?;
/// assert_eq!(key(&position), 0x463B_9618_1691_FC9C);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn key(position: &Position) -> u64 {
    let mut key = 0;
    for square in position.occupied() {
        if let Some(piece) = position.piece_at(square) {
            let is_white = usize::from(piece.color() == Color::White);
            let kind = 2 * kind(piece.role()) + is_white;
            key ^= RANDOM[64 * kind + square.index()];
        }
    }
    for (i, (color, side)) in [
        (Color::White, CastlingSide::King),
        (Color::White, CastlingSide::Queen),
        (Color::Black, CastlingSide::King),
        (Color::Black, CastlingSide::Queen),
    ]
    .into_iter()
    .enumerate()
    {
        if position.castling_rook(color, side).is_some() {
            key ^= RANDOM[CASTLING + i];
        }
    }
    if let Some(square) = position
        .en_passant()
        .filter(|&square| is_attacked(position, square))
    {
        key ^= RANDOM[EN_PASSANT + square.file() as usize];
    }
    if position.turn() == Color::White {
        key ^= RANDOM[TURN];
    }
    key
}

/// The numbers of the format: pawn, knight, bishop, rook, queen, king.
const fn kind(role: Role) -> usize {
    match role {
        Role::Pawn => 0,
        Role::Knight => 1,
        Role::Bishop => 2,
        Role::Rook => 3,
        Role::Queen => 4,
        Role::King => 5,
    }
}

/// Whether a pawn of the side to move attacks a square.
fn is_attacked(position: &Position, square: Square) -> bool {
    let turn = position.turn();
    let pawns = position.pieces(turn, Role::Pawn);
    (attacks::pawn_attacks(!turn, square) & pawns).any()
}
