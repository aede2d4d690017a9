//! What the public may know of an event, and when: the stream of events without what is for the arbiter alone,
//! and without what a player could use against its opponent.
//!
//! The broadcast is a stream of the same form with numbers of its own. Addresses of peers and what was
//! refused are left out. A move of a game in progress comes without the mover's evaluation and line, which
//! follow as [`Report::Thinking`] once the opponent has replied or the game is over. With a delay by plies,
//! everything about a game waits until so many more moves have been made in it, or until it is over. What is
//! broadcast, and under which number, depends on the stream alone, so a referee that is resumed numbers it
//! as before.

use std::collections::{BTreeMap, VecDeque};
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use serde::Deserialize;

use crate::core::config::duration::duration;
use crate::core::event::Report;
use crate::core::event::stream::Search;

/// How far the broadcast is behind the games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Delay {
    /// Not at all.
    #[default]
    None,
    /// By a time.
    Time(Duration),
    /// Each game by so many moves of its players.
    Plies(usize),
}

/// A text that is no delay.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a delay, expected for example 30s, 2min or 3 plies")]
pub struct DelayError(String);

impl FromStr for Delay {
    type Err = DelayError;

    fn from_str(text: &str) -> Result<Self, DelayError> {
        let words: Vec<_> = text.split_whitespace().collect();
        let delay = match words[..] {
            [count, "ply" | "plies"] => count.parse().ok().map(Self::Plies),
            _ => humantime::parse_duration(text).ok().map(Self::Time),
        };
        match delay {
            Some(Self::Time(Duration::ZERO) | Self::Plies(0)) => Ok(Self::None),
            Some(delay) => Ok(delay),
            None => Err(DelayError(text.to_owned())),
        }
    }
}

impl fmt::Display for Delay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::None => write!(f, "none"),
            Self::Time(time) => humantime::format_duration(time).fmt(f),
            Self::Plies(1) => write!(f, "1 ply"),
            Self::Plies(plies) => write!(f, "{plies} plies"),
        }
    }
}

impl<'de> Deserialize<'de> for Delay {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

/// What is broadcast of an event, as the event file says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Broadcast {
    /// How far the broadcast is behind the games.
    pub delay: Delay,
    /// Whether evaluations and lines are shown at once.
    pub show_thinking: bool,
    /// How long the end of the event is shown before the referee exits.
    #[serde(deserialize_with = "duration")]
    pub linger: Duration,
}

impl Default for Broadcast {
    fn default() -> Self {
        Self {
            delay: Delay::None,
            show_thinking: false,
            linger: Duration::from_mins(1),
        }
    }
}

impl Broadcast {
    /// How far the broadcast is behind in time.
    #[must_use]
    pub const fn time_behind(&self) -> Duration {
        match self.delay {
            Delay::Time(delay) => delay,
            Delay::None | Delay::Plies(_) => Duration::ZERO,
        }
    }
}

/// An event of the broadcast.
#[derive(Clone, Debug, PartialEq)]
pub struct Published {
    /// Its number, which grows by 1 from one to the next.
    pub id: u64,
    /// When it happened.
    pub at: String,
    /// What happened.
    pub report: Report,
}

/// A game that is being broadcast.
#[derive(Debug, Default)]
struct Game {
    /// What waits, and how many moves had been made when it was reported, a move itself included.
    waiting: VecDeque<(usize, Report, String)>,
    /// The number of moves that have been made.
    moves: usize,
    /// What the last move's player thought, which is withheld: its ply, evaluation and search.
    withheld: Option<(usize, Option<i32>, Search)>,
}

/// Turns the stream of events into the broadcast.
#[derive(Debug)]
pub struct Broadcaster {
    delay_plies: usize,
    withholds: bool,
    games: BTreeMap<usize, Game>,
    last_id: u64,
    out: Vec<Published>,
}

impl Broadcaster {
    /// A broadcast by these rules. A delay by time is up to the caller, who pushes events only when it has
    /// passed; what players thought is not withheld any longer then.
    #[must_use]
    pub fn new(rules: Broadcast) -> Self {
        Self {
            delay_plies: match rules.delay {
                Delay::Plies(plies) => plies,
                Delay::None | Delay::Time(_) => 0,
            },
            withholds: !rules.show_thinking && !matches!(rules.delay, Delay::Time(_)),
            games: BTreeMap::new(),
            last_id: 0,
            out: Vec::new(),
        }
    }

    /// Takes in the next event of the stream; returns what is broadcast now.
    pub fn push(&mut self, report: Report, at: &str) -> Vec<Published> {
        match report {
            Report::Game(_) | Report::Clock { .. } | Report::Note { game: Some(_), .. } => {
                self.wait(report, at);
            }
            Report::Move { game, .. } => {
                self.games.entry(game).or_default().moves += 1;
                self.wait(report, at);
            }
            Report::Result { game, .. } | Report::Withdrawn { game, .. } => {
                self.release(game, 0);
                self.end(game, report, at);
            }
            Report::Refused { .. } | Report::MoreRefused { .. } | Report::PassedOver { .. } => {}
            Report::SignOn {
                player,
                equipment,
                time_control,
                ..
            } => {
                let sign_on = Report::SignOn {
                    player,
                    peer: String::new(),
                    equipment,
                    time_control,
                };
                self.publish(sign_on, at);
            }
            Report::Start(mut start) => {
                start.address.clear();
                self.publish(Report::Start(start), at);
            }
            report => self.publish(report, at),
        }
        std::mem::take(&mut self.out)
    }

    fn publish(&mut self, report: Report, at: &str) {
        self.last_id += 1;
        self.out.push(Published {
            id: self.last_id,
            at: at.to_owned(),
            report,
        });
    }

    /// An event about a game waits for its time, which may be now.
    fn wait(&mut self, report: Report, at: &str) {
        let number = match &report {
            Report::Game(game) => game.game,
            Report::Clock { game } | Report::Move { game, .. } => *game,
            Report::Note { game, .. } => game.unwrap_or_default(),
            _ => return,
        };
        let game = self.games.entry(number).or_default();
        game.waiting.push_back((game.moves, report, at.to_owned()));
        self.release(number, self.delay_plies);
    }

    /// Broadcasts what was reported of a game before its last `delay` moves.
    fn release(&mut self, number: usize, delay: usize) {
        while let Some(game) = self.games.get_mut(&number)
            && let Some((moves, ..)) = game.waiting.front()
            && game.moves >= moves + delay
            && let Some((_, report, at)) = game.waiting.pop_front()
        {
            self.publish_of_game(number, report, &at);
        }
    }

    /// Broadcasts an event of a game in progress, without what its last mover thought.
    fn publish_of_game(&mut self, number: usize, mut report: Report, at: &str) {
        if !self.withholds {
            self.publish(report, at);
            return;
        }
        let before = self.games.get_mut(&number).map(|game| game.withheld.take());
        let before = before.flatten();
        let withheld = match &mut report {
            Report::Move { half_move, .. } => {
                self.reveal(number, before, at);
                let search = std::mem::take(&mut half_move.search);
                Some((half_move.ply, half_move.eval.take(), search))
            }
            Report::Game(game) => {
                let last = game.moves.last_mut();
                last.map(|last| match before {
                    // The journal, which such an event comes from, has no search.
                    Some((ply, eval, search)) if ply == last.ply => {
                        last.eval = None;
                        (ply, eval, search)
                    }
                    _ => (last.ply, last.eval.take(), std::mem::take(&mut last.search)),
                })
            }
            _ => before,
        };
        if let Some(game) = self.games.get_mut(&number) {
            game.withheld = withheld;
        }
        self.publish(report, at);
    }

    fn reveal(&mut self, game: usize, withheld: Option<(usize, Option<i32>, Search)>, at: &str) {
        let Some((ply, eval, search)) = withheld else {
            return;
        };
        if eval.is_some() || search != Search::default() {
            let thinking = Report::Thinking {
                game,
                ply,
                eval,
                search,
            };
            self.publish(thinking, at);
        }
    }

    /// A game is over, or its result is cancelled.
    fn end(&mut self, number: usize, report: Report, at: &str) {
        if let Some(game) = self.games.remove(&number) {
            self.reveal(number, game.withheld, at);
        }
        self.publish(report, at);
    }
}

#[cfg(test)]
mod tests;
