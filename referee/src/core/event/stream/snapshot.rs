//! The state of an event in one piece, with which a viewer begins who has not read the stream so far. `view` has
//! what can be done with it.

use std::collections::{BTreeMap, VecDeque};

use movegen::Position;
use serde::{Deserialize, Serialize};

use super::game::{GameReport, Start};
use crate::core::ending::Forfeit;
use crate::core::equipment::Equipment;
use crate::core::standings::Replacement;

/// The state of an event. Finished games are in it by their results alone.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Snapshot {
    /// What the event is, with its schedule; `None` before the referee has started.
    pub start: Option<Start>,
    /// The names of the players.
    pub names: Vec<String>,
    /// Whose places others have taken.
    pub replaced: Vec<Replacement>,
    /// What the players run on, by their names, as they last said.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub equipment: BTreeMap<String, Equipment>,
    /// The games in progress.
    pub games: Vec<GameView>,
    /// The numbers of the finished games, in the order in which they ended, and how.
    pub ends: Vec<(usize, End)>,
    /// The logarithm of the likelihood ratio of the event's SPRT after each finished game.
    pub sprt_course: Vec<f64>,
    /// The last lines of the log.
    pub log: VecDeque<LogLine>,
    /// Why no new games are started, if so.
    pub paused: Option<String>,
    /// Why the referee has ended, if it has.
    pub ended: Option<String>,
}

/// A game that has begun.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameView {
    /// The game, with all its moves.
    #[serde(flatten)]
    pub game: GameReport,
    /// Its result, once it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<End>,
    /// When its last event happened: the clock of the side to move had been running for `turn_ms` then.
    pub at: String,
    /// The present position.
    #[serde(rename = "position", with = "as_fen")]
    pub position: Position,
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct End {
    /// The result as PGN has it.
    pub result: String,
    /// The value of the PGN tag `Termination`.
    pub termination: String,
    /// The result and its reason in words.
    pub reason: String,
    /// The fault that decided it, if any.
    pub verdict: Option<Forfeit>,
    /// The number of half-moves, those of the opening included.
    pub plies: usize,
    /// It ended before the first move of a player.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_unplayed: bool,
    /// When it ended.
    pub at: String,
}

/// A line of the log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LogLine {
    /// When it happened.
    pub at: String,
    /// What kind of thing happened.
    pub kind: LogKind,
    /// The game that it is about, if it is about one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub game: Option<usize>,
    /// What happened.
    pub text: String,
}

/// What kind of thing happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, strum::Display)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum LogKind {
    /// A player or the referee did something wrong, or a connection was lost.
    Fault,
    /// A game ended.
    Result,
    /// The arbiter gave an order.
    Order,
    /// Anything else.
    Note,
}

mod as_fen {
    use movegen::Position;
    use serde::{Deserialize, Deserializer, Serializer, de};

    pub fn serialize<S: Serializer>(position: &Position, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(position)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Position, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(de::Error::custom)
    }
}
