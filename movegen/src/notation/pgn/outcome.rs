//! The result of a game, and why it ended.

use std::fmt;
use std::str::FromStr;

use crate::types::{Color, ParseError};

/// The result of a finished game. It prints as in PGN and is read from that text.
///
/// ```
/// use epode_movegen::pgn::Outcome;
///
/// assert_eq!("0-1".parse(), Ok(Outcome::Black));
/// assert!("*".parse::<Outcome>().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// White won.
    White,
    /// Black won.
    Black,
    /// A draw.
    Draw,
}

impl Outcome {
    /// All outcomes.
    pub const ALL: [Self; 3] = [Self::White, Self::Black, Self::Draw];

    /// The result in PGN: `1-0`, `0-1`, `1/2-1/2`.
    #[must_use]
    pub const fn result(self) -> &'static str {
        match self {
            Self::White => "1-0",
            Self::Black => "0-1",
            Self::Draw => "1/2-1/2",
        }
    }

    /// The score of a side in half points.
    #[must_use]
    pub fn half_points(self, side: Color) -> usize {
        match (self, side) {
            (Self::Draw, _) => 1,
            (Self::White, Color::White) | (Self::Black, Color::Black) => 2,
            _ => 0,
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.result())
    }
}

impl FromStr for Outcome {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        Self::ALL
            .into_iter()
            .find(|outcome| outcome.result() == text)
            .ok_or(ParseError::expected("a result (1-0, 0-1 or 1/2-1/2)"))
    }
}

/// Why a game ended: the `Termination` tag (PGN 9.8.1; decision 32). It prints as the value of the tag
/// and is read from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Termination {
    /// By the rules of chess or by the players.
    Normal,
    /// A player's time ran out.
    TimeForfeit,
    /// A player broke the rules of chess or of the protocol.
    RulesInfraction,
    /// A player left the game.
    Abandoned,
    /// The referee decided the result.
    Adjudication,
    /// The game has not ended.
    Unterminated,
}

impl Termination {
    /// All terminations.
    pub const ALL: [Self; 6] = [
        Self::Normal,
        Self::TimeForfeit,
        Self::RulesInfraction,
        Self::Abandoned,
        Self::Adjudication,
        Self::Unterminated,
    ];

    /// The value of the tag.
    #[must_use]
    pub const fn value(self) -> &'static str {
        match self {
            Self::Normal => "normal",
            Self::TimeForfeit => "time forfeit",
            Self::RulesInfraction => "rules infraction",
            Self::Abandoned => "abandoned",
            Self::Adjudication => "adjudication",
            Self::Unterminated => "unterminated",
        }
    }
}

impl fmt::Display for Termination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.value())
    }
}

impl FromStr for Termination {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        Self::ALL
            .into_iter()
            .find(|termination| termination.value() == text)
            .ok_or(ParseError::expected(
                "a termination of PGN, such as \"normal\"",
            ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_round_trip() {
        for outcome in Outcome::ALL {
            assert_eq!(outcome.to_string().parse(), Ok(outcome));
        }
        for termination in Termination::ALL {
            assert_eq!(termination.to_string().parse(), Ok(termination));
        }
        for other in ["", "*", "1-0 ", "Normal"] {
            assert!(other.parse::<Outcome>().is_err());
            assert!(other.parse::<Termination>().is_err());
        }
    }

    #[test]
    fn each_game_has_two_half_points() {
        for outcome in Outcome::ALL {
            let halves = [Color::White, Color::Black].map(|side| outcome.half_points(side));
            assert_eq!(halves.iter().sum::<usize>(), 2, "{outcome}");
        }
        assert_eq!(Outcome::Black.half_points(Color::Black), 2);
    }
}
