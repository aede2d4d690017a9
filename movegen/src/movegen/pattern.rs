//! Finds legal moves by role and destination, as SAN names them.
//!
//! Few pieces of one role can reach a square, so testing each of them is cheaper than generating all
//! legal moves.

use crate::attacks::{
    bishop_attacks, king_attacks, knight_attacks, pawn_attacks, queen_attacks, rook_attacks,
};
use crate::position::board::Board;
use crate::types::side::Side;
use crate::types::{Bitboard, Move, MoveKind, Promotion, Role, Square};

/// A move without its origin square: a role, a destination and a promotion. It is not castling.
#[derive(Clone, Copy)]
pub(crate) struct MovePattern {
    /// The role of the piece before the move.
    pub role: Role,
    /// The destination square.
    pub to: Square,
    /// The promotion, if a pawn promotes.
    pub promotes_to: Option<Promotion>,
}

impl MovePattern {
    /// The squares from which `S` can legally play such a move.
    pub fn origins<S: Side>(self, board: &Board) -> Bitboard {
        self.reaching::<S>(board)
            .into_iter()
            .filter(|&from| leaves_king_safe::<S>(board, self.move_from(board, from)))
            .collect()
    }

    /// The move from one of the [`origins`](Self::origins).
    pub fn move_from(self, board: &Board, from: Square) -> Move {
        let to = self.to;
        match self.promotes_to {
            Some(promotion) => Move::promotion(from, to, promotion),
            None if self.role == Role::Pawn && board.en_passant == Some(to) => {
                Move::en_passant(from, to)
            }
            None => Move::normal(from, to),
        }
    }

    /// The squares from which `S` can play such a pseudo-legal move.
    fn reaching<S: Side>(self, board: &Board) -> Bitboard {
        let us = board.color(S::COLOR);
        let promotes = self.role == Role::Pawn && S::Other::FIRST_RANK.contains(self.to);
        if us.contains(self.to) || promotes != self.promotes_to.is_some() {
            return Bitboard::EMPTY;
        }
        let occupied = board.occupied();
        let around = match self.role {
            Role::Pawn => pawns_reaching::<S>(board, self.to),
            Role::Knight => knight_attacks(self.to),
            Role::Bishop => bishop_attacks(self.to, occupied),
            Role::Rook => rook_attacks(self.to, occupied),
            Role::Queen => queen_attacks(self.to, occupied),
            Role::King => king_attacks(self.to),
        };
        around & board.role(self.role) & us
    }
}

/// The squares from which a pawn of `S` can move to a square. No push reaches the en passant square,
/// because the pawn that skipped it is in the way.
fn pawns_reaching<S: Side>(board: &Board, to: Square) -> Bitboard {
    let occupied = board.occupied();
    if occupied.contains(to) || board.en_passant == Some(to) {
        return pawn_attacks(S::Other::COLOR, to);
    }
    let single = Bitboard::of(to).shift(-S::FORWARD);
    let skipped = single & S::THIRD_RANK & !occupied;
    single | skipped.shift(-S::FORWARD)
}

/// Whether a pseudo-legal move does not leave the king of `S` in check. Castling is not supported: it
/// would also need the squares that the king crosses.
fn leaves_king_safe<S: Side>(board: &Board, mv: Move) -> bool {
    let (from, to) = (mv.from(), mv.to());
    let captured = if mv.kind() == MoveKind::EnPassant {
        Bitboard::of(to).shift(-S::FORWARD)
    } else {
        Bitboard::of(to)
    };
    let occupied = (board.occupied() & !captured & !Bitboard::of(from)) | Bitboard::of(to);
    let king = board.king(S::COLOR);
    let king = if from == king { to } else { king };
    let them = board.color(S::Other::COLOR) & !captured;
    (board.attackers(king, occupied) & them).is_empty()
}
