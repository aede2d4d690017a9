//! The one legal move that fits what a text says, and how the text deviates from its exact SAN.

use super::deviations::Deviations;
use super::error::SanError;
use super::origin::{PartialSquare, origins};
use super::parsed::ParsedSan;
use super::text::San;
use crate::movegen::pattern::MovePattern;
use crate::position::Position;
use crate::types::{Bitboard, CastlingSide, Move, Role, Square};

impl ParsedSan {
    /// Whether the text has no piece letter but a complete origin square.
    const fn is_uci(&self) -> bool {
        self.role.is_none() && self.from.file.is_some() && self.from.rank.is_some()
    }

    /// The only legal move that fits, the role of its piece, and the part of the origin square in its
    /// exact SAN.
    pub(super) fn find(
        &self,
        position: &Position,
    ) -> Result<(Role, Move, PartialSquare), SanError> {
        if let Some(side) = self.side(position) {
            let us = position.turn();
            let mv = Move::castle(position.king(us), side.king_to(us));
            return if position.is_legal(mv) {
                Ok((Role::King, mv, PartialSquare::default()))
            } else {
                Err(SanError::Illegal)
            };
        }
        let pattern = MovePattern {
            role: self.role_on(position).ok_or(SanError::Illegal)?,
            to: self.to.ok_or(SanError::Syntax)?,
            promotes_to: self.promotes_to,
        };
        let origins = origins(position, pattern);
        let fitting = origins & self.from.squares();
        let from = fitting.first().ok_or(SanError::Illegal)?;
        if fitting.many() {
            return Err(ambiguous(position, pattern, fitting));
        }
        let mv = pattern.move_from(position.board(), from);
        let origin = PartialSquare::disambiguating(pattern.role, mv, origins);
        Ok((pattern.role, mv, origin))
    }

    /// The side of a castling move, written as castling, as the king's move from the e-file, or as the
    /// king that takes its own rook.
    fn side(&self, position: &Position) -> Option<CastlingSide> {
        let us = position.turn();
        let king = position.king(us);
        let by_squares =
            self.is_uci() && self.from.square() == Some(king) && self.promotes_to.is_none();
        let is_home = king == Square::E1.relative_to(us);
        self.castle.or_else(|| {
            CastlingSide::ALL.into_iter().find(|&side| {
                by_squares
                    && (is_home && self.to == Some(side.king_to(us))
                        || self.to.is_some() && self.to == position.castling_rook(us, side))
            })
        })
    }

    /// The role of the piece that moves. For UCI notation, the piece on the origin square.
    fn role_on(&self, position: &Position) -> Option<Role> {
        if self.is_uci() {
            position.role_at(self.from.square()?)
        } else {
            Some(self.role.unwrap_or(Role::Pawn))
        }
    }

    /// The deviations from exact SAN that show only in comparison with it.
    pub(super) fn differences(&self, san: &San, origin: PartialSquare) -> Deviations {
        let mut deviations = Deviations::empty();
        let sign = san.find(['+', '#']).map_or("", |at| &san[at..]);
        deviations.set(Deviations::CHECK_SIGN, sign != self.check);
        if self.is_uci() {
            deviations |= Deviations::UCI;
        } else if self.castle.is_none() {
            deviations.set(Deviations::CAPTURE_SIGN, san.contains('x') != self.captures);
            deviations.set(Deviations::DISAMBIGUATION, self.from != origin);
        }
        deviations
    }
}

/// The error for several moves that fit.
fn ambiguous(position: &Position, pattern: MovePattern, fitting: Bitboard) -> SanError {
    let mut texts = position
        .legal_moves()
        .into_iter()
        .filter(|mv| {
            fitting.contains(mv.from())
                && mv.to() == pattern.to
                && mv.promotes_to() == pattern.promotes_to.map(Role::from)
        })
        .map(|mv| San::of(position, mv));
    match (texts.next(), texts.next()) {
        (Some(a), Some(b)) => SanError::Ambiguous(a, b),
        _ => SanError::Illegal,
    }
}
