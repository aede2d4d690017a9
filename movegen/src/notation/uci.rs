//! Moves in UCI notation.

use std::fmt;
use std::str::FromStr;

use crate::position::Position;
use crate::types::{CastlingMode, CastlingSide, Move, MoveKind, Role, Square};

/// A move in UCI notation that is not yet checked against a position: `e2e4`, `e7e8q`. Castling is
/// written as the move of the king, `e1g1`, or in Chess960 as the king takes its own rook, `e1h1`.
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
    /// The text of a legal move. In Chess960 the king takes its own rook to castle; what other programs
    /// expect depends on the mode of the game, not on the position.
    ///
    /// ```
    /// use epode_movegen::{CastlingMode, Position, UciMove};
    ///
    /// let position: Position = "4k3/8/8/8/8/8/8/4K2R w K - 0 1".parse()?;
    /// let castling = "e1g1".parse::<UciMove>()?.find(&position)?;
    /// let uci = |mode| UciMove::of(&position, castling, mode).to_string();
    /// assert_eq!(uci(CastlingMode::Standard), "e1g1");
    /// assert_eq!(uci(CastlingMode::Chess960), "e1h1");
    /// assert_eq!("e1h1".parse::<UciMove>()?.find(&position)?, castling);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn of(position: &Position, mv: Move, mode: CastlingMode) -> Self {
        let mut uci = Self::from(mv);
        if mv.kind() == MoveKind::Castle && mode == CastlingMode::Chess960 {
            let side = CastlingSide::toward(mv.to());
            uci.to = position
                .castling_rook(position.turn(), side)
                .unwrap_or(mv.to());
        }
        uci
    }

    /// The legal move of the position with these squares and this promotion. Castling is found in both
    /// notations. A move of the king to the next square is castling only if its own rook is there.
    pub fn find(self, position: &Position) -> Result<Move, UciMoveError> {
        let moves = position.legal_moves();
        let find = |test: &dyn Fn(Move) -> bool| moves.iter().copied().find(|&mv| test(mv));
        let is_castling = |mv: Move| mv.kind() == MoveKind::Castle;
        find(&|mv| !is_castling(mv) && Self::from(mv) == self)
            .or_else(|| {
                find(&|mv| {
                    is_castling(mv) && Self::of(position, mv, CastlingMode::Chess960) == self
                })
            })
            .or_else(|| find(&|mv| is_castling(mv) && Self::from(mv) == self))
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
