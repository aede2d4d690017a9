//! Whether a king can castle: the squares that must be empty and those that must not be attacked.

use crate::movegen::check_info::CheckInfo;
use crate::position::board::Board;
use crate::types::side::Side;
use crate::types::{Bitboard, CastlingRights, CastlingSide, Color, File, Square};

/// What prevents castling, by the file of the king and the files of the rooks with which it might
/// castle. The lower half is for kingside, the upper for queenside. Each has two sets of squares of the
/// first rank; bit 0 is the a-file:
/// 1. the squares that must be empty: those that king and rook cross, and their destinations, without
///    the two pieces themselves. If there is no rook it is the square of the king, which is never empty;
/// 2. the squares that must not be attacked: the king's origin, its way and its destination.
static OBSTACLES: [[u32; 256]; 8] = {
    let mut obstacles = [[0; 256]; 8];
    let mut king = 0;
    while king < 8 {
        let mut files = 0;
        while files < 256 {
            let rights = CastlingRights::from_bits_retain(files as u16);
            let king_file = File::ALL[king];
            obstacles[king][files] = toward(CastlingSide::King, rights, king_file)
                | toward(CastlingSide::Queen, rights, king_file) << 16;
            files += 1;
        }
        king += 1;
    }
    obstacles
};

/// The obstacles of one side.
const fn toward(side: CastlingSide, white: CastlingRights, king: File) -> u32 {
    let Some(rook) = white.rook_file(Color::White, side, king) else {
        return 1 << king as u8;
    };
    let safe = span(king, side.king_to(Color::White).file());
    let crossed = safe | span(rook, side.rook_to(Color::White).file());
    let (king, rook) = (1 << king as u8, 1 << rook as u8);
    let empty = crossed & !(king | rook);
    empty as u32 | (safe as u32) << 8
}

/// The files from one to the other, both included.
const fn span(from: File, to: File) -> u8 {
    let (low, high) = if (from as u8) < to as u8 {
        (from, to)
    } else {
        (to, from)
    };
    (0xFF << low as u8) & (0xFF >> (7 - high as u8))
}

/// Passes on the sides toward which `S` can castle.
#[inline(always)]
pub(crate) fn sides<S: Side>(
    board: &Board,
    check_info: &CheckInfo,
    mut each: impl FnMut(CastlingSide),
) {
    let on_first_rank =
        |set: Bitboard| (set.0 >> (Square::A1.relative_to(S::COLOR) as u32)) as u32 & 0xFF;
    // Nothing may be between king and rook. A pinned rook shields the king along the rank and has to
    // stay; in standard chess nothing is beyond the rook.
    let reached = on_first_rank(check_info.king_lines & !check_info.pinned);
    let rooks = u32::from(board.castling.files(S::COLOR)) & reached;
    if rooks == 0 {
        return;
    }
    let king = check_info.king.file();
    let found = on_first_rank(board.occupied()) | on_first_rank(check_info.king_danger) << 8;
    let in_the_way = (found | found << 16) & OBSTACLES[king as usize][rooks as usize];
    if in_the_way as u16 == 0 {
        each(CastlingSide::King);
    }
    if in_the_way >> 16 == 0 {
        each(CastlingSide::Queen);
    }
}
