//! The arbiter's orders, and how they are written.

use std::fmt;
use std::str::FromStr;

use movegen::pgn::Outcome;

use crate::core::text::shown;

/// The list of orders.
pub const HELP: &str = "\
status                      show the standings
games                       list the games in progress
pause                       start no new games
pause GAME                  stop the clocks of a game
resume                      start new games again
resume GAME                 go on with a paused game from its last position
message TEXT                tell all players in games something
adjudicate GAME RESULT      end a game as 1-0, 0-1 or 1/2
abort GAME                  end a game without a result
restart GAME                send the position again and go on (same game)
replay GAME                 cancel the result and play a new game
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
    /// Stop the clocks of a game.
    PauseGame(usize),
    /// Start new games again.
    Resume,
    /// Go on with a game that was paused.
    ResumeGame(usize),
    /// Tell all players in games something.
    Message(String),
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
            ["pause", number] => Self::PauseGame(game(number)?),
            ["resume"] => Self::Resume,
            ["resume", number] => Self::ResumeGame(game(number)?),
            ["message", _, ..] => Self::Message(rest(line, "message")),
            ["adjudicate", number, result] => {
                let outcome = outcome(result).ok_or_else(|| NoOrder::Result(shown(result)))?;
                Self::Adjudicate(game(number)?, outcome)
            }
            ["abort", number] => Self::Abort(game(number)?),
            ["restart", number] => Self::Restart(game(number)?),
            ["replay", number] => Self::Replay(game(number)?),
            ["kick", _, ..] => Self::Kick(rest(line, "kick")),
            ["quit"] => Self::Quit,
            _ => return Err(NoOrder::Unknown(shown(line))),
        })
    }
}

/// What follows the first word of an order.
fn rest(line: &str, word: &str) -> String {
    let rest = line.trim_start().strip_prefix(word);
    rest.unwrap_or_default().trim().to_owned()
}

/// The order as it is typed.
impl fmt::Display for Order {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Help => f.write_str("help"),
            Self::Status => f.write_str("status"),
            Self::Games => f.write_str("games"),
            Self::Pause => f.write_str("pause"),
            Self::PauseGame(game) => write!(f, "pause {game}"),
            Self::Resume => f.write_str("resume"),
            Self::ResumeGame(game) => write!(f, "resume {game}"),
            Self::Message(text) => write!(f, "message {text}"),
            Self::Adjudicate(game, outcome) => write!(f, "adjudicate {game} {outcome}"),
            Self::Abort(game) => write!(f, "abort {game}"),
            Self::Restart(game) => write!(f, "restart {game}"),
            Self::Replay(game) => write!(f, "replay {game}"),
            Self::Kick(name) => write!(f, "kick {name}"),
            Self::Quit => f.write_str("quit"),
        }
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
            ("pause 3", Ok(Order::PauseGame(3))),
            ("message a  b", Ok(Order::Message("a  b".to_owned()))),
            ("abort x", Err(NoOrder::Game("x".to_owned()))),
            ("adjudicate 1 2-0", Err(NoOrder::Result("2-0".to_owned()))),
            ("kick", Err(NoOrder::Unknown("kick".to_owned()))),
        ] {
            assert_eq!(line.parse(), order, "{line}");
            if let Ok(order) = order {
                assert_eq!(order.to_string().parse(), Ok(order), "{line}");
            }
        }
    }
}
