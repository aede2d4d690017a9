//! What the text of a position says, legal or not.

use std::fmt;

use crate::bitboard::Bitboard;
use crate::castling::CastlingRights;
use crate::color::Color;
use crate::piece::Piece;
use crate::square::Square;

/// The content of a FEN or of the four position fields of an EPD record (EPD 4), whatever the
/// rules say of it. [`Position`](crate::Position) is the legal kind.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Setup {
    /// The piece on each square, from A1 to H8.
    pub board: [Option<Piece>; Square::COUNT],
    /// The side to move.
    pub turn: Color,
    /// The castling availability.
    pub castling: CastlingRights,
    /// The en passant target square, as written.
    pub en_passant: Option<Square>,
    /// Plies since the last pawn move or capture (EPD 6.15).
    pub halfmove_clock: u16,
    /// The number of the move, from 1, incremented after Black's (EPD 6.14).
    pub fullmove_number: u16,
}

impl Setup {
    /// A board without pieces, White to move.
    #[must_use]
    pub const fn empty() -> Self {
        Self {
            board: [None; Square::COUNT],
            turn: Color::White,
            castling: CastlingRights::empty(),
            en_passant: None,
            halfmove_clock: 0,
            fullmove_number: 1,
        }
    }

    /// The squares of the pieces that a test picks out.
    pub fn squares(&self, test: impl Fn(Piece) -> bool) -> Bitboard {
        Square::all()
            .filter(|square| self.board[square.index()].is_some_and(&test))
            .collect()
    }

    /// The letters of the squares from A1 to H8, zero for an empty one. Without a branch, so that
    /// many squares go at once.
    pub(crate) fn letters(&self) -> [u8; Square::COUNT] {
        let mut letters = [0; Square::COUNT];
        for (letter, piece) in letters.iter_mut().zip(self.board) {
            *letter = piece.map_or(0, |piece| piece as u8);
        }
        letters
    }
}

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
    pub(crate) const fn none() -> Self {
        Self {
            faults: SetupFaults::empty(),
            squares: [Bitboard::EMPTY; 8],
        }
    }

    pub(crate) fn add(&mut self, fault: SetupFaults, squares: Bitboard) {
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
