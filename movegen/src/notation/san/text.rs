//! The SAN text of a legal move.

use std::fmt;
use std::ops::Deref;

use arrayvec::ArrayString;

use super::origin::{PartialSquare, origins};
use crate::movegen;
use crate::movegen::pattern::MovePattern;
use crate::position::Position;
use crate::position::board::Board;
use crate::types::side::{Side, by_side};
use crate::types::{Bitboard, CastlingSide, Move, MoveKind, Role};

/// The SAN text of a legal move, at most seven characters: `Qa1xb2#`, `exd8=Q+`.
///
/// It has no `FromStr`, because a text has a meaning only in a position: see [`parse`](super::parse).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct San(ArrayString<8>);

impl San {
    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The SAN of a legal move.
    #[must_use]
    pub fn of(position: &Position, mv: Move) -> Self {
        let role = position.role_at(mv.from()).unwrap_or(Role::Pawn);
        let origins = if matches!(role, Role::Pawn | Role::King) {
            Bitboard::of(mv.from())
        } else {
            let pattern = MovePattern {
                role,
                to: mv.to(),
                promotes_to: None,
            };
            origins(position, pattern)
        };
        Self::write(
            position,
            role,
            mv,
            PartialSquare::disambiguating(role, mv, origins),
        )
    }

    /// The SAN of a legal move with this part of the origin square.
    pub(super) fn write(position: &Position, role: Role, mv: Move, origin: PartialSquare) -> Self {
        let mut text = ArrayString::new();
        let to = mv.to();
        if mv.kind() == MoveKind::Castle {
            text.push_str(CastlingSide::toward(to).san());
        } else {
            if role != Role::Pawn {
                text.push(role.to_char());
            }
            if let Some(file) = origin.file {
                text.push(file.to_char());
            }
            if let Some(rank) = origin.rank {
                text.push(rank.to_char());
            }
            if position.occupied().contains(to) || mv.kind() == MoveKind::EnPassant {
                text.push('x');
            }
            text.push(to.file().to_char());
            text.push(to.rank().to_char());
            if let Some(role) = mv.promotes_to() {
                text.push('=');
                text.push(role.to_char());
            }
        }
        text.push_str(by_side!(position.turn(), S => check_sign::<S>(position.board(), mv)));
        Self(text)
    }
}

/// The check sign of a legal move of `S`: `+`, `#` or nothing.
fn check_sign<S: Side>(board: &Board, mv: Move) -> &'static str {
    let mut after = *board;
    after.play::<S>(mv);
    let king = after.king(S::Other::COLOR);
    let checkers = after.attackers(king, after.occupied()) & after.color(S::COLOR);
    if checkers.is_empty() {
        ""
    } else if movegen::count::<S::Other>(&after) == 0 {
        "#"
    } else {
        "+"
    }
}

impl Deref for San {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for San {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self)
    }
}

impl fmt::Debug for San {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self)
    }
}
