//! How a game ended, and why.

use std::fmt;

use crate::types::Color;

/// How a game ended.
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
    /// All of them.
    pub const ALL: [Self; 3] = [Self::White, Self::Black, Self::Draw];

    /// The outcome that a result stands for; none for `*`, a game that has not ended.
    ///
    /// ```
    /// use epode_movegen::pgn::Outcome;
    ///
    /// assert_eq!(Outcome::of_result("0-1"), Some(Outcome::Black));
    /// assert_eq!(Outcome::of_result("*"), None);
    /// ```
    #[must_use]
    pub fn of_result(text: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|outcome| outcome.result() == text)
    }

    /// The result as PGN has it: `1-0`, `0-1`, `1/2-1/2`.
    #[must_use]
    pub const fn result(self) -> &'static str {
        match self {
            Self::White => "1-0",
            Self::Black => "0-1",
            Self::Draw => "1/2-1/2",
        }
    }

    /// What a side scored, in half points.
    #[must_use]
    pub fn half_points(self, side: Color) -> usize {
        match (self, side) {
            (Self::Draw, _) => 1,
            (Self::White, Color::White) | (Self::Black, Color::Black) => 2,
            _ => 0,
        }
    }
}

/// Prints the result.
impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.result())
    }
}

/// Why a game ended (PGN 9.8.1; decision 32).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Termination {
    /// By the rules of chess or by the players.
    Normal,
    /// A player's time ran out.
    TimeForfeit,
    /// A player broke the rules of chess or of the protocol.
    RulesInfraction,
    /// A player went away.
    Abandoned,
    /// By the referee.
    Adjudication,
    /// It has not ended.
    Unterminated,
}

impl Termination {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::Normal,
        Self::TimeForfeit,
        Self::RulesInfraction,
        Self::Abandoned,
        Self::Adjudication,
        Self::Unterminated,
    ];

    /// What a value of the tag stands for, if it is one of the standard's.
    #[must_use]
    pub fn of_value(text: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|termination| termination.value() == text)
    }

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

/// Prints the value of the tag.
impl fmt::Display for Termination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.value())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_read_as_they_are_written() {
        for outcome in Outcome::ALL {
            assert_eq!(Outcome::of_result(&outcome.to_string()), Some(outcome));
        }
        for termination in Termination::ALL {
            assert_eq!(
                Termination::of_value(&termination.to_string()),
                Some(termination)
            );
        }
        for other in ["", "*", "1-0 ", "Normal"] {
            assert_eq!(Outcome::of_result(other), None);
            assert_eq!(Termination::of_value(other), None);
        }
    }

    #[test]
    fn a_point_is_shared_out() {
        for outcome in Outcome::ALL {
            let halves = [Color::White, Color::Black].map(|side| outcome.half_points(side));
            assert_eq!(halves.iter().sum::<usize>(), 2, "{outcome}");
        }
        assert_eq!(Outcome::Black.half_points(Color::Black), 2);
    }
}
