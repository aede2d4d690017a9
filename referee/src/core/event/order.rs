//! The arbiter's orders, and how they are written.

use std::str::FromStr;

use movegen::pgn::Outcome;

use crate::core::text::shown;

/// The list of orders.
pub const HELP: &str = "\
status                      show the standings
games                       list the games in progress
pause                       start no new games
resume                      start new games again
adjudicate GAME RESULT      end a game as 1-0, 0-1 or 1/2
abort GAME                  end a game without a result
restart GAME                reset both players of a game and replay its moves to them
replay GAME                 drop the result of a finished game and play it again
kick NAME                   disconnect a player
quit                        disconnect all players and exit; the event can be resumed";

/// An order of the arbiter.
#[derive(Clone, Debug, PartialEq)]
pub enum Order {
    /// List the orders.
    Help,
    /// Show the standings.
    Status,
    /// List the games in progress.
    Games,
    /// Start no new games.
    Pause,
    /// Start new games again.
    Resume,
    /// End a game with this result.
    Adjudicate(usize, Outcome),
    /// End a game without a result.
    Abort(usize),
    /// Reset both players of a game.
    Restart(usize),
    /// Play a finished game again.
    Replay(usize),
    /// Disconnect a player.
    Kick(String),
    /// Stop the referee.
    Quit,
}

/// A line that is not an order.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)]
pub enum NoOrder {
    #[error("")]
    Empty,
    #[error("unknown command {0:?}; the commands are:\n{HELP}")]
    Unknown(String),
    #[error("{0:?} is not the number of a game")]
    Game(String),
    #[error("{0:?} is not a result, expected 1-0, 0-1 or 1/2")]
    Result(String),
}

impl FromStr for Order {
    type Err = NoOrder;

    fn from_str(line: &str) -> Result<Self, NoOrder> {
        let words: Vec<_> = line.split_whitespace().collect();
        let game = |word: &str| word.parse().map_err(|_| NoOrder::Game(shown(word)));
        Ok(match words[..] {
            [] => return Err(NoOrder::Empty),
            ["help"] => Self::Help,
            ["status"] => Self::Status,
            ["games"] => Self::Games,
            ["pause"] => Self::Pause,
            ["resume"] => Self::Resume,
            ["adjudicate", number, result] => {
                let outcome = outcome(result).ok_or_else(|| NoOrder::Result(shown(result)))?;
                Self::Adjudicate(game(number)?, outcome)
            }
            ["abort", number] => Self::Abort(game(number)?),
            ["restart", number] => Self::Restart(game(number)?),
            ["replay", number] => Self::Replay(game(number)?),
            ["kick", _, ..] => {
                let name = line.trim_start().strip_prefix("kick").unwrap_or_default();
                Self::Kick(name.trim().to_owned())
            }
            ["quit"] => Self::Quit,
            _ => return Err(NoOrder::Unknown(shown(line))),
        })
    }
}

fn outcome(word: &str) -> Option<Outcome> {
    match word {
        "1-0" => Some(Outcome::White),
        "0-1" => Some(Outcome::Black),
        "1/2" | "1/2-1/2" => Some(Outcome::Draw),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_are_read() {
        for (line, order) in [
            (" status ", Ok(Order::Status)),
            (
                "adjudicate 12 1/2",
                Ok(Order::Adjudicate(12, Outcome::Draw)),
            ),
            ("kick Old  Ann", Ok(Order::Kick("Old  Ann".to_owned()))),
            ("replay 3", Ok(Order::Replay(3))),
            ("abort x", Err(NoOrder::Game("x".to_owned()))),
            ("adjudicate 1 2-0", Err(NoOrder::Result("2-0".to_owned()))),
            ("kick", Err(NoOrder::Unknown("kick".to_owned()))),
        ] {
            assert_eq!(line.parse(), order, "{line}");
        }
    }
}
