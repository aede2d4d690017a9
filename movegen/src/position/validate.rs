//! What the rules of chess have against a setup.

use std::fmt;

use crate::position::board::Board;
use crate::position::setup::Setup;
use crate::types::{Bitboard, CastlingRights, Color, Piece, Rank, Role, Square};

bitflags::bitflags! {
    /// The rules that a [`Setup`] breaks.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub struct SetupFaults: u16 {
        /// White has no king or several.
        const WHITE_KINGS = 1;
        /// Black has no king or several.
        const BLACK_KINGS = 2;
        /// A side has more than eight pawns.
        const TOO_MANY_PAWNS = 4;
        /// A side has more pieces than it can have had by promoting the pawns it lacks.
        const TOO_MANY_PIECES = 8;
        /// A pawn stands on the first or last rank.
        const PAWN_ON_END_RANK = 16;
        /// The side that is not to move is in check.
        const OPPONENT_IN_CHECK = 32;
        /// A castling right without king or rook at home.
        const CASTLING = 64;
        /// An en passant square that no double push can have skipped.
        const EN_PASSANT = 128;
    }
}

/// A [`Setup`] that no rule of chess allows: every fault, with the squares where it shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IllegalPosition {
    faults: SetupFaults,
    /// For each fault, in the order of the flags, where it shows.
    squares: [Bitboard; SetupFaults::all().bits().count_ones() as usize],
}

impl IllegalPosition {
    const fn none() -> Self {
        Self {
            faults: SetupFaults::empty(),
            squares: [Bitboard::EMPTY; 8],
        }
    }

    fn add(&mut self, fault: SetupFaults, squares: Bitboard) {
        self.faults |= fault;
        self.squares[fault.bits().trailing_zeros() as usize] |= squares;
    }

    /// All rules that are broken.
    #[must_use]
    pub const fn faults(&self) -> SetupFaults {
        self.faults
    }

    /// The squares where a fault shows: the kings, the pawns, the king in check, the castling
    /// king's or rook's missing place, the en passant square. None for a missing king.
    #[must_use]
    pub fn squares(&self, fault: SetupFaults) -> Bitboard {
        fault.iter().fold(Bitboard::EMPTY, |set, flag| {
            set | self.squares[flag.bits().trailing_zeros() as usize]
        })
    }
}

impl std::error::Error for IllegalPosition {}

impl fmt::Display for IllegalPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, fault) in self.faults.iter().enumerate() {
            if i > 0 {
                f.write_str("; ")?;
            }
            let squares = self.squares(fault);
            f.write_str(match fault {
                SetupFaults::WHITE_KINGS if squares.is_empty() => "no white king",
                SetupFaults::WHITE_KINGS => "several white kings",
                SetupFaults::BLACK_KINGS if squares.is_empty() => "no black king",
                SetupFaults::BLACK_KINGS => "several black kings",
                SetupFaults::TOO_MANY_PAWNS => "more than eight pawns of a side",
                SetupFaults::TOO_MANY_PIECES => "more pieces of a side than promotions allow",
                SetupFaults::PAWN_ON_END_RANK => "pawn on the first or last rank",
                SetupFaults::OPPONENT_IN_CHECK => "the side not to move is in check",
                SetupFaults::CASTLING => "castling right without king or rook at home",
                _ => "impossible en passant square",
            })?;
            // A row of a dozen pawns' squares helps nobody.
            let counted = SetupFaults::TOO_MANY_PAWNS | SetupFaults::TOO_MANY_PIECES;
            if !counted.contains(fault) {
                for (i, square) in squares.into_iter().enumerate() {
                    write!(f, "{}{square}", if i == 0 { ": " } else { ", " })?;
                }
            }
        }
        Ok(())
    }
}

impl Setup {
    /// Whether the rules allow the setup; else every fault it has. A
    /// [`Position`](crate::Position) costs more, and only moves need one.
    pub fn legality(&self) -> Result<(), IllegalPosition> {
        board(self).map(|_| ())
    }
}

/// The board of a setup that the rules allow; else every fault it has.
pub(crate) fn board(setup: &Setup) -> Result<Board, IllegalPosition> {
    let board = Board::of(setup);
    let mut illegal = IllegalPosition::none();
    check_material(&board, &mut illegal);
    check_castling(setup, &mut illegal);
    check_en_passant(setup, &mut illegal);
    // With one king a side it can be asked who attacks it.
    let kings = SetupFaults::WHITE_KINGS | SetupFaults::BLACK_KINGS;
    if !illegal.faults().intersects(kings) {
        let king = board.king(!setup.turn);
        let attackers = board.attackers(king, board.occupied());
        if (attackers & board.color(setup.turn)).any() {
            illegal.add(SetupFaults::OPPONENT_IN_CHECK, Bitboard::of(king));
        }
    }
    if illegal.faults().is_empty() {
        Ok(board)
    } else {
        Err(illegal)
    }
}

/// Kings, pawns and what can have come of them.
fn check_material(board: &Board, illegal: &mut IllegalPosition) {
    let end_ranks = Bitboard::rank(Rank::R1) | Bitboard::rank(Rank::R8);
    for color in Color::ALL {
        let of = |role| board.role(role) & board.color(color);
        let kings = of(Role::King);
        if kings.len() != 1 {
            let fault = [SetupFaults::WHITE_KINGS, SetupFaults::BLACK_KINGS][color as usize];
            illegal.add(fault, kings);
        }
        let pawns = of(Role::Pawn);
        if pawns.len() > 8 {
            illegal.add(SetupFaults::TOO_MANY_PAWNS, pawns);
        }
        if (pawns & end_ranks).any() {
            illegal.add(SetupFaults::PAWN_ON_END_RANK, pawns & end_ranks);
        }
        let promoted: u32 = [
            (Role::Knight, 2),
            (Role::Bishop, 2),
            (Role::Rook, 2),
            (Role::Queen, 1),
        ]
        .into_iter()
        .map(|(role, first)| of(role).len().saturating_sub(first))
        .sum();
        if promoted > 8_u32.saturating_sub(pawns.len()) {
            illegal.add(SetupFaults::TOO_MANY_PIECES, board.color(color));
        }
    }
}

/// King and rook of each castling right at home.
fn check_castling(setup: &Setup, illegal: &mut IllegalPosition) {
    let impossible = setup.impossible_castling();
    for (right, color, side) in CastlingRights::each() {
        if impossible.contains(right) {
            let king = Square::E1.relative_to(color);
            for (square, role) in [(king, Role::King), (side.rook_from(color), Role::Rook)] {
                if setup.board[square.index()] != Some(Piece::new(color, role)) {
                    illegal.add(SetupFaults::CASTLING, Bitboard::of(square));
                }
            }
        }
    }
}

/// The pawn that made the double push, and the two squares it left empty.
fn check_en_passant(setup: &Setup, illegal: &mut IllegalPosition) {
    if let Some(skipped) = setup.en_passant {
        let pusher = !setup.turn;
        let at = |rank: Rank| {
            setup.board[Square::new(skipped.file(), rank)
                .relative_to(pusher)
                .index()]
        };
        let possible = skipped.rank().relative_to(pusher) == Rank::R3
            && at(Rank::R2).is_none()
            && at(Rank::R3).is_none()
            && at(Rank::R4) == Some(Piece::new(pusher, Role::Pawn));
        if !possible {
            illegal.add(SetupFaults::EN_PASSANT, Bitboard::of(skipped));
        }
    }
}
