//! Moves in UCI notation.

use std::fmt;
use std::str::FromStr;

use crate::position::Position;
use crate::types::{Move, Role, Square};

/// A move in UCI notation that is not yet checked against a position: `e2e4`, `e7e8q`. Castling is
/// written as the move of the king: `e1g1`.
///
/// ```
/// use epode_movegen::{Position, UciMove};
///
/// let uci: UciMove = "e2e4".parse()?;
/// let mv = uci.find(&Position::start())?;
/// assert_eq!(UciMove::from(mv), uci);
/// assert_eq!(uci.to_string(), "e2e4");
/// # Ok::<(), epode_movegen::UciMoveError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct UciMove {
    /// The origin square.
    pub from: Square,
    /// The destination square.
    pub to: Square,
    /// The new role of a pawn that promotes.
    pub promotes_to: Option<Role>,
}

impl From<Move> for UciMove {
    fn from(mv: Move) -> Self {
        Self {
            from: mv.from(),
            to: mv.to(),
            promotes_to: mv.promotes_to(),
        }
    }
}

impl fmt::Display for UciMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from, self.to)?;
        match self.promotes_to {
            Some(role) => write!(f, "{}", role.to_char().to_ascii_lowercase()),
            None => Ok(()),
        }
    }
}

/// A text is not a legal move in UCI notation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum UciMoveError {
    /// The text is not in UCI notation.
    #[error("not a move in UCI notation")]
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
    /// The legal move of the position with these squares and this promotion.
    pub fn find(self, position: &Position) -> Result<Move, UciMoveError> {
        position
            .legal_moves()
            .into_iter()
            .find(|&mv| Self::from(mv) == self)
            .ok_or(UciMoveError::Illegal)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_move_is_found_by_its_text() {
        let position: Position =
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q2/PPPBBPpP/R3K2R b KQkq - 0 1"
                .parse()
                .expect("legal");
        for mv in position.legal_moves() {
            let uci: UciMove = mv.to_string().parse().expect("UCI notation");
            assert_eq!(uci.find(&position), Ok(mv));
            assert_eq!(uci.to_string(), mv.to_string());
        }
    }

    #[test]
    fn other_text_is_refused() {
        for text in ["", "e2", "e2e", "e2e9", "e7e8k", "e2e4qq", "éé2e"] {
            assert_eq!(text.parse::<UciMove>(), Err(UciMoveError::Syntax), "{text}");
        }
        let illegal: UciMove = "e2e5".parse().expect("UCI notation");
        assert_eq!(illegal.find(&Position::start()), Err(UciMoveError::Illegal));
    }
}
