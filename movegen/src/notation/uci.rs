//! Moves in UCI notation.

use std::str::FromStr;

use crate::position::Position;
use crate::types::{Move, Role, Square};

/// A move in UCI notation, not yet checked against a position: `e2e4`, `e7e8q`; castling is written
/// as the move of the king, `e1g1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct UciMove {
    pub from: Square,
    pub to: Square,
    pub promotes_to: Option<Role>,
}

/// A text that is not a legal move in UCI notation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UciMoveError {
    /// The text is not in UCI notation.
    #[error("not the coordinates of a move")]
    Syntax,
    /// The move is not legal in the position.
    #[error("not a legal move here")]
    Illegal,
}

impl FromStr for UciMove {
    type Err = UciMoveError;

    fn from_str(text: &str) -> Result<Self, UciMoveError> {
        let square = |range| {
            text.get(range)
                .and_then(|name: &str| name.parse().ok())
                .ok_or(UciMoveError::Syntax)
        };
        let promotes_to = match text.get(4..) {
            Some("") => None,
            Some("q") => Some(Role::Queen),
            Some("r") => Some(Role::Rook),
            Some("b") => Some(Role::Bishop),
            Some("n") => Some(Role::Knight),
            _ => return Err(UciMoveError::Syntax),
        };
        Ok(Self {
            from: square(0..2)?,
            to: square(2..4)?,
            promotes_to,
        })
    }
}

impl UciMove {
    /// Finds the legal move of a position that has these squares and this promotion.
    pub fn find(self, position: &Position) -> Result<Move, UciMoveError> {
        position
            .legal_moves()
            .into_iter()
            .find(|mv| {
                mv.from() == self.from && mv.to() == self.to && mv.promotes_to() == self.promotes_to
            })
            .ok_or(UciMoveError::Illegal)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_move_is_found_by_its_coordinates() {
        let position: Position =
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q2/PPPBBPpP/R3K2R b KQkq - 0 1"
                .parse()
                .expect("legal");
        for mv in position.legal_moves() {
            let coordinates: UciMove = mv.to_string().parse().expect("coordinates");
            assert_eq!(coordinates.find(&position), Ok(mv));
        }
    }

    #[test]
    fn other_text_is_refused() {
        for text in ["", "e2", "e2e", "e2e9", "e7e8k", "e2e4qq", "éé2e"] {
            assert_eq!(text.parse::<UciMove>(), Err(UciMoveError::Syntax), "{text}");
        }
        let illegal: UciMove = "e2e5".parse().expect("coordinates");
        assert_eq!(illegal.find(&Position::start()), Err(UciMoveError::Illegal));
    }
}
