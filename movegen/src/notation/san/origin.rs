//! Where the piece of a move comes from: what a text says of it, and what it has to say.

use crate::movegen::pattern::MovePattern;
use crate::position::Position;
use crate::types::side::by_side;
use crate::types::{Bitboard, File, Move, Rank, Role, Square};

/// The squares from which the side to move can legally play such a move.
pub(super) fn origins(position: &Position, pattern: MovePattern) -> Bitboard {
    by_side!(position.turn(), S => pattern.origins::<S>(position.board()))
}

/// The part of a square that a text names: its file, its rank, both or neither.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct PartialSquare {
    pub(super) file: Option<File>,
    pub(super) rank: Option<Rank>,
}

impl PartialSquare {
    /// The part of the origin square that exact SAN has, where pieces of the same kind on `origins` can
    /// legally move to the same square.
    pub(super) fn disambiguating(role: Role, mv: Move, origins: Bitboard) -> Self {
        let (from, to) = (mv.from(), mv.to());
        let rivals = origins & !Bitboard::of(from);
        let (file, rank) = (Some(from.file()), Some(from.rank()));
        let captures = from.file() != to.file();
        if role == Role::Pawn && captures {
            Self { file, rank: None }
        } else if role == Role::Pawn || rivals.is_empty() {
            Self::default()
        } else if (rivals & Bitboard::file(from.file())).is_empty() {
            Self { file, rank: None }
        } else if (rivals & Bitboard::rank(from.rank())).is_empty() {
            Self { file: None, rank }
        } else {
            Self { file, rank }
        }
    }

    /// The squares that fit.
    pub(super) fn squares(self) -> Bitboard {
        self.file.map_or(Bitboard::ALL, Bitboard::file)
            & self.rank.map_or(Bitboard::ALL, Bitboard::rank)
    }

    pub(super) const fn is_empty(self) -> bool {
        self.file.is_none() && self.rank.is_none()
    }

    /// The square, if both its file and its rank are known.
    pub(super) fn square(self) -> Option<Square> {
        Some(Square::new(self.file?, self.rank?))
    }
}
