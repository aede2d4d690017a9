//! Legality of a setup.

use std::fmt;

use crate::position::board::Board;
use crate::position::setup::{CastlingFault, Setup};
use crate::types::{Bitboard, Color, Piece, Rank, Role, Square};

bitflags::bitflags! {
    /// The reasons why a [`Setup`] is illegal.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub struct SetupFaults: u16 {
        /// White does not have exactly one king.
        const WHITE_KINGS = 1;
        /// Black does not have exactly one king.
        const BLACK_KINGS = 2;
        /// A side has more than eight pawns.
        const TOO_MANY_PAWNS = 4;
        /// A side has more pieces than the promotion of its missing pawns can explain.
        const TOO_MANY_PIECES = 8;
        /// A pawn is on the first or last rank.
        const PAWN_ON_END_RANK = 16;
        /// The side that is not to move is in check.
        const OPPONENT_IN_CHECK = 32;
        /// A castling right without its king or rook (see [`CastlingFault`]).
        const CASTLING = 64;
        /// An en passant square that no double push can have just skipped.
        const EN_PASSANT = 128;
    }
}

/// A [`Setup`] is illegal: all its faults, and the squares that show each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IllegalPosition {
    faults: SetupFaults,
    /// The squares that show each fault, in the order of the flags.
    squares: [Bitboard; SetupFaults::all().bits().count_ones() as usize],
    /// The impossible castling rights with their letters.
    castling: Vec<(char, CastlingFault)>,
}

impl IllegalPosition {
    const fn none() -> Self {
        Self {
            faults: SetupFaults::empty(),
            squares: [Bitboard::EMPTY; 8],
            castling: Vec::new(),
        }
    }

    fn add(&mut self, fault: SetupFaults, squares: Bitboard) {
        self.faults |= fault;
        self.squares[fault.bits().trailing_zeros() as usize] |= squares;
    }

    /// All faults.
    #[must_use]
    pub const fn faults(&self) -> SetupFaults {
        self.faults
    }

    /// The squares that show a fault: the kings, the pawns, the king in check, the square of a king or
    /// rook that is missing for castling, or the en passant square. A missing king has none.
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
                SetupFaults::CASTLING => "impossible castling right",
                _ => "impossible en passant square",
            })?;
            // A list of a dozen squares would not help.
            let counted = SetupFaults::TOO_MANY_PAWNS | SetupFaults::TOO_MANY_PIECES;
            if fault == SetupFaults::CASTLING {
                for (i, (letter, why)) in self.castling.iter().enumerate() {
                    write!(f, "{} {letter} ({why})", if i == 0 { "" } else { "," })?;
                }
            } else if !counted.contains(fault) {
                for (i, square) in squares.into_iter().enumerate() {
                    write!(f, "{}{square}", if i == 0 { ": " } else { ", " })?;
                }
            }
        }
        Ok(())
    }
}

impl Setup {
    /// Checks that the setup is legal, and returns all its faults if not. This is faster than making a
    /// [`Position`](crate::Position).
    pub fn legality(&self) -> Result<(), IllegalPosition> {
        board(self).map(|_| ())
    }
}

/// The board of a legal setup, or all faults of an illegal one.
pub(crate) fn board(setup: &Setup) -> Result<Board, IllegalPosition> {
    let board = Board::of(setup);
    let mut illegal = IllegalPosition::none();
    check_material(&board, &mut illegal);
    check_castling(setup, &mut illegal);
    check_en_passant(setup, &mut illegal);
    // Check can be determined only if each side has one king.
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

/// The number of kings and pawns, and of pieces that must have been promoted.
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

/// The king and rook of each castling right.
fn check_castling(setup: &Setup, illegal: &mut IllegalPosition) {
    for (right, color, rook) in setup.castling.rooks() {
        let Some(fault) = setup.castling_fault(right) else {
            continue;
        };
        illegal
            .castling
            .push((right.letter(setup.castling_mode), fault));
        let kings = setup.squares(|piece| piece == Piece::new(color, Role::King));
        let squares = match fault {
            CastlingFault::NoKing(square) | CastlingFault::NoRook(square) => Bitboard::of(square),
            CastlingFault::KingNotOnFirstRank => kings,
            CastlingFault::NotStandard => Bitboard::of(rook),
            CastlingFault::TwoRooks(other) => Bitboard::of(rook) | Bitboard::of(other),
        };
        illegal.add(SetupFaults::CASTLING, squares);
    }
}

/// The pawn that made the double push, and the two squares that it left empty.
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
