//! Zobrist keys (<https://www.chessprogramming.org/Zobrist_Hashing>).
//!
//! The random numbers come from a fixed mixing function, not from a library. So keys, and with them
//! the node counts of a search, are the same in all builds.

use crate::position::board::Code;
use crate::types::{CastlingRights, Color, File, Piece, Square};

/// The finaliser of `SplitMix64` (S. Vigna, <https://prng.di.unimi.it/splitmix64.c>).
const fn mix(n: u64) -> u64 {
    let n = n.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let n = (n ^ (n >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let n = (n ^ (n >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    n ^ (n >> 31)
}

const fn keys<const N: usize>(first: u64) -> [u64; N] {
    let mut keys = [0; N];
    let mut i = 0;
    while i < N {
        keys[i] = mix(first + i as u64);
        i += 1;
    }
    keys
}

const PIECES: usize = 2 * 6 * Square::COUNT;
const ROWS: usize = 2 * Code::COUNT;
/// The keys of pieces by [row] and square. The row of no piece is zero.
static PIECE: [[u64; Square::COUNT]; ROWS] = {
    let keys: [u64; PIECES] = keys(1);
    let mut table = [[0; Square::COUNT]; ROWS];
    let mut i = 0;
    while i < PIECES {
        let (piece, square) = (Piece::ALL[i / Square::COUNT], i % Square::COUNT);
        table[row(piece.color(), Code::of(piece.role()))][square] = keys[i];
        i += 1;
    }
    table
};
/// The keys of the rights of standard chess, by one bit for each of `KQkq`.
static CASTLING: [u64; 16] = keys(1 + PIECES as u64);
/// The keys of rooks that can castle only in Chess960, by the bit of their right.
static OTHER_ROOKS: [u64; 16] = keys(26 + PIECES as u64);
static EN_PASSANT: [u64; 8] = keys(17 + PIECES as u64);

/// The key of Black to move.
pub(crate) const BLACK_TO_MOVE: u64 = mix(25 + PIECES as u64);

/// The row of a color and a code in [`PIECE`].
#[inline(always)]
const fn row(color: Color, code: Code) -> usize {
    color as usize * Code::COUNT + code.0 as usize % Code::COUNT
}

/// The key of a piece on a square; zero for none.
#[inline(always)]
pub(crate) fn piece(color: Color, code: Code, square: Square) -> u64 {
    PIECE[row(color, code)][square.index()]
}

/// The key of a set of castling rights.
#[inline(always)]
pub(crate) fn castling(rights: CastlingRights) -> u64 {
    let bits = usize::from(rights.bits());
    let standard = bits >> 7 & 1 | (bits & 1) << 1 | bits >> 13 & 4 | bits >> 5 & 8;
    let mut key = CASTLING[standard];
    let mut others = rights.difference(CastlingRights::STANDARD).bits();
    while others != 0 {
        key ^= OTHER_ROOKS[others.trailing_zeros() as usize];
        others &= others - 1;
    }
    key
}

/// The key of a legal en passant capture on a file.
#[inline(always)]
pub(crate) fn en_passant(file: File) -> u64 {
    EN_PASSANT[file as usize]
}
