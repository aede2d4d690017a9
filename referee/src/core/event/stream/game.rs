//! What the stream of events says of an event, a game and a move.

use std::time::Duration;

use epd::protocol::Message;
use movegen::{CastlingMode, Move, Position, San, UciMove};
use serde::{Deserialize, Serialize};

use crate::core::equipment::Conditions;
use crate::core::normalization::TimeNormalization;
use crate::core::schedule::{Meeting, Pairing, Plan};
use crate::core::sprt::Sprt;
use crate::core::standings::Replacement;

/// What an event is, at each start of its referee.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the fields are named for what they hold")]
pub struct Start {
    pub schema: u32,
    pub address: String,
    pub name: String,
    pub site: String,
    pub time_control: String,
    /// `standard`, `chess960` or `dfrc`.
    #[serde(default)]
    pub variant: String,
    /// Their names; empty for a player of any name that has not come yet.
    pub players: Vec<String>,
    /// The number of games in the schedule.
    pub games: usize,
    /// The games, in the order of their numbers.
    #[serde(default)]
    pub schedule: Vec<Scheduled>,
    /// How the schedule grows, if it does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plan: Option<Plan>,
    /// Who has been paired so far, and who has had a bye, if the schedule grows.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub meetings: Vec<Meeting>,
    /// The players that the arbiter has put out of the event.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub out: Vec<usize>,
    /// The tie-breaks that were chosen, by their acronyms.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tie_breaks: Vec<String>,
    /// How time is normalised, if it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_normalization: Option<TimeNormalization>,
    /// The event's SPRT, if it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sprt: Option<Sprt>,
    /// Whose places others have taken.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub replaced: Vec<Replacement>,
}

/// A game of the schedule: round, game of the round, White, Black (numbers of players, from 0), and the number of
/// the pair of games with the same opening and reversed colours, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Scheduled(pub usize, pub usize, pub usize, pub usize, pub usize);

impl Scheduled {
    /// The game with this number.
    #[must_use]
    pub const fn pairing(self, number: usize) -> Pairing {
        Pairing {
            number,
            round: self.0,
            game: self.1,
            white: self.2,
            black: self.3,
            pair: self.4,
            // Each game tells its opening itself.
            opening: 0,
        }
    }
}

impl From<&Pairing> for Scheduled {
    fn from(pairing: &Pairing) -> Self {
        Self(
            pairing.round,
            pairing.game,
            pairing.white,
            pairing.black,
            pairing.pair,
        )
    }
}

/// A game as it is at one moment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the fields are named for what they hold")]
pub struct GameReport {
    pub game: usize,
    pub round: String,
    pub white: String,
    pub black: String,
    /// The ratings of White and Black that the event file gives.
    #[serde(default, skip_serializing_if = "have_no_elo")]
    pub elo: [Option<u32>; 2],
    pub date: String,
    /// The position that the game starts from, as FEN.
    pub fen: String,
    /// The name of the opening, if it has one.
    pub opening: Option<String>,
    /// The moves of the opening.
    pub opening_moves: Vec<String>,
    /// The arbiter's remarks before the first move of the players.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opening_comment: Option<String>,
    /// The time that White and Black have left, without the present move.
    pub clocks_ms: [Option<f64>; 2],
    /// For how long the clock of the side to move has been running; `None` if no clock runs.
    #[serde(default)]
    pub turn_ms: Option<f64>,
    /// The arbiter has paused the game.
    pub is_paused: bool,
    /// What is particular to each side since the game began.
    #[serde(flatten)]
    pub conditions: Conditions,
    /// The moves of the players.
    pub moves: Vec<HalfMove>,
}

fn have_no_elo(elo: &[Option<u32>; 2]) -> bool {
    *elo == [None; 2]
}

/// A move of a player.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HalfMove {
    /// Its number in the game, from 1, the moves of the opening included.
    pub ply: usize,
    /// The move in standard algebraic notation.
    pub san: String,
    /// The move as UCI writes it.
    pub uci: String,
    /// The time that it took.
    pub elapsed_ms: f64,
    /// The time that the mover has left.
    pub remaining_ms: Option<f64>,
    /// The mover's evaluation, from its point of view, as `ce` has it.
    pub eval: Option<i32>,
    /// The arbiter's remarks after the move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub comment: Option<String>,
    /// What else the mover says of its search. The journal does not keep it.
    #[serde(flatten)]
    pub search: Search,
}

/// What a player says of the search for a move.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Search {
    /// `acd`: the depth in plies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u64>,
    /// `acn`: the number of nodes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// `pv`: the line that it expects from the position before the move on, in standard algebraic notation.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pv: Vec<String>,
}

impl Search {
    /// The analysis in a reply to this position. What cannot be read is left out.
    #[must_use]
    pub fn of(reply: &Message, before: &Position) -> Self {
        let operation = |opcode: &str| {
            let mut analysis = reply.analysis.iter();
            analysis.find(|operation| operation.opcode == opcode)
        };
        let count = |opcode| operation(opcode)?.count().ok();
        let line = operation("pv").and_then(|pv| pv.variation(before).ok());
        Self {
            depth: count("acd"),
            nodes: count("acn"),
            pv: sans(before, &line.unwrap_or_default()),
        }
    }
}

/// A time in milliseconds, in whole microseconds.
#[must_use]
pub fn milliseconds(time: Duration) -> f64 {
    time.as_micros() as f64 / 1000.0
}

/// Moves from a position on in standard algebraic notation.
#[must_use]
pub fn sans(start: &Position, moves: &[Move]) -> Vec<String> {
    let mut position = *start;
    let sans = moves.iter().map(|&mv| {
        let san = San::of(&position, mv).to_string();
        position.play(mv);
        san
    });
    sans.collect()
}

impl HalfMove {
    /// A move in a position, with its number in the game.
    #[must_use]
    pub fn new(ply: usize, before: &Position, mv: Move, mode: CastlingMode) -> Self {
        Self {
            ply,
            san: San::of(before, mv).to_string(),
            uci: UciMove::of(before, mv, mode).to_string(),
            elapsed_ms: 0.0,
            remaining_ms: None,
            eval: None,
            comment: None,
            search: Search::default(),
        }
    }
}
