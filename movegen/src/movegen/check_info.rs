//! Checks, pins and attacked squares, which restrict the moves of the side to move.

use crate::attacks::lanes::{self, Paths};
use crate::attacks::quad::Quad;
use crate::attacks::{
    COMPASS, between, bishop_attacks, king_attacks, knight_attacks, line, pawn_attacks,
    rook_attacks,
};
use crate::position::board::Board;
use crate::types::side::Side;
use crate::types::{Bitboard, Square};

/// What one side attacks.
pub(crate) struct Attacks {
    /// The squares that its sliders attack, by direction: ahead, then behind.
    ahead: Quad,
    behind: Quad,
    /// All squares that it attacks, including those of its own pieces.
    pub squares: Bitboard,
}

impl Attacks {
    /// The attacks of `S`. The paths are those over the empty squares of the board.
    #[inline(always)]
    pub fn new<S: Side>(board: &Board, paths: &Paths) -> Self {
        let ours = board.color(S::COLOR);
        let knights = board.knights & ours;
        let sliders = lanes::sliders(board.orthogonals & ours, board.diagonals & ours);
        let ahead = paths.ahead(sliders);
        let behind = paths.behind(sliders);
        let by_pawns = lanes::pawn_steps::<S>(lanes::all(board.pawns & ours));
        let mut attacked = ahead | behind | by_pawns & Quad::new([0, !0, !0, 0]);
        if knights.any() {
            attacked = attacked | lanes::jump_ahead(knights) | lanes::jump_behind(knights);
        }
        Self {
            ahead,
            behind,
            squares: Bitboard(attacked.union()) | king_attacks(board.king(S::COLOR)),
        }
    }
}

/// Checks and pins against the king of the side to move.
#[derive(Clone, Copy)]
pub(crate) struct CheckInfo {
    pub king: Square,
    /// The squares that the king must not enter, including those behind the king on the line of a
    /// checking slider.
    pub king_danger: Bitboard,
    /// The squares that a rook in place of the king would attack.
    pub king_lines: Bitboard,
    /// The pieces that give check.
    pub checkers: Bitboard,
    /// The squares to which pieces other than the king can move: all squares without check, those that
    /// capture or block a single checker, none in double check.
    pub check_mask: Bitboard,
    /// The pinned pieces, which can move only along their line with the king.
    pub pinned: Bitboard,
    /// For each direction, the squares from which a piece can move in it: all except those of pieces
    /// that are pinned along another line.
    pub free: Quad,
}

impl CheckInfo {
    /// Checks and pins against the king of `S`. The paths are those over the empty squares of the board.
    #[inline(always)]
    pub fn new<S: Side>(board: &Board, paths: &Paths) -> Self {
        let us = board.color(S::COLOR);
        let them = board.color(S::Other::COLOR);
        let occupied = us | them;
        let king = board.king(S::COLOR);
        let orthogonals = board.orthogonals & them;
        let diagonals = board.diagonals & them;
        let pawns = board.pawns & them;
        let knights = board.knights & them;

        let Attacks {
            ahead,
            behind,
            squares: mut king_danger,
        } = Attacks::new::<S::Other>(board, paths);

        // A piece is pinned if a slider attack and a ray from the king reach it from opposite
        // directions.
        let orthogonal = rook_attacks(king, occupied);
        let diagonal = bishop_attacks(king, occupied);
        let [rays_ahead, rays_behind] = &COMPASS[king.index()];
        let axes = ((ahead & Quad::load(rays_behind)) | (behind & Quad::load(rays_ahead)))
            & lanes::all((orthogonal | diagonal) & us);

        let mut checkers = Bitboard::EMPTY;
        let mut check_mask = Bitboard::ALL;
        if king_danger.contains(king) {
            let lines = (orthogonal & orthogonals) | (diagonal & diagonals);
            checkers =
                lines | (knight_attacks(king) & knights) | (pawn_attacks(S::COLOR, king) & pawns);
            check_mask = if checkers.many() {
                Bitboard::EMPTY
            } else {
                checkers | between(king, checkers.first_unchecked())
            };
            // The king cannot step back along the line of a check.
            for slider in lines {
                king_danger |= line(king, slider) & !Bitboard::of(slider);
            }
        }
        let pinned = Bitboard(axes.union());
        Self {
            king,
            king_danger,
            king_lines: orthogonal,
            checkers,
            check_mask,
            pinned,
            free: axes | lanes::all(!pinned),
        }
    }

    /// Restricts the targets of a pinned piece to the line of the pin.
    #[inline(always)]
    pub fn along_pin(&self, from: Square, targets: Bitboard) -> Bitboard {
        if self.pinned.contains(from) {
            targets & line(self.king, from)
        } else {
            targets
        }
    }

    /// Whether an en passant capture leaves the king safe. It removes two pawns from one rank at
    /// once, so slider attacks on the king are computed again.
    #[inline]
    pub fn allows_en_passant<S: Side>(&self, board: &Board, from: Square, to: Square) -> bool {
        let them = board.color(S::Other::COLOR);
        let captured = Bitboard::of(to).shift(-S::FORWARD);
        let occupied = board.occupied() ^ captured ^ Bitboard::of(from) ^ Bitboard::of(to);
        let leapers = self.checkers & !(board.diagonals | board.orthogonals);
        (leapers & !captured).is_empty()
            && (rook_attacks(self.king, occupied) & board.orthogonals & them).is_empty()
            && (bishop_attacks(self.king, occupied) & board.diagonals & them).is_empty()
    }
}
