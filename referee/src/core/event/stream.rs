//! The stream of events: one numbered object for everything that happens in an event.
//!
//! Whatever is shown or polled comes from this stream alone; `events.jsonl` is its file. The storage adds
//! `seq`, a number that grows by 1 from event to event, also when the referee is resumed, and `at`, the time.
//! The guide for organisers (README.md) describes the fields. Rules for changes: a field may be added, and
//! readers ignore what they do not know; a field that changes its meaning or goes needs a new [`SCHEMA`].

mod game;
mod snapshot;

use serde::{Deserialize, Serialize};

use crate::core::ending::Forfeit;
use crate::core::equipment::Equipment;
use crate::core::schedule::Meeting;
use crate::core::standings::Replacement;
use crate::core::time_control::Control;

pub use self::game::{GameReport, HalfMove, Scheduled, Search, Start, milliseconds, sans};
pub use self::snapshot::{End, GameView, LogKind, LogLine, Snapshot};

/// The version of the stream.
pub const SCHEMA: u32 = 1;

/// Why the referee ends when all games have been played.
pub const OVER: &str = "the event is over";

/// A line of the stream: an event with its number and its time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Stamped<R = Report> {
    /// The number of the event; 0 in files of earlier versions.
    #[serde(default)]
    pub seq: u64,
    /// What happened.
    #[serde(flatten)]
    pub report: R,
    /// When it happened, in UTC.
    pub at: String,
}

/// An event of the stream.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
#[allow(missing_docs, reason = "the fields are named for what they hold")]
pub enum Report {
    /// The state of the event at this moment. A viewer of the broadcast begins with it.
    Snapshot(Box<Snapshot>),
    /// The referee listens.
    Start(Box<Start>),
    /// Something that the arbiter may want to know.
    Note {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        game: Option<usize>,
        text: String,
    },
    /// A player signed on, and may have said what it runs on.
    SignOn {
        player: String,
        peer: String,
        #[serde(flatten)]
        equipment: Equipment,
        /// Its own time control, if it is not the event's.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        time_control: Option<Control>,
    },
    /// The connection of a player ended.
    Lost {
        player: String,
        /// The game that it plays.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        game: Option<usize>,
        /// How many times that has happened in this game.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        disconnections: Option<usize>,
        /// So many times lose the game.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        max_disconnections: Option<usize>,
    },
    /// The program of a player ended.
    Exit { player: String, status: String },
    /// A peer was turned away.
    Refused {
        peer: String,
        /// The name that it gave.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        name: Option<String>,
        why: String,
    },
    /// So many more peers were turned away, too many to report each.
    MoreRefused { count: u64 },
    /// A record of a player was ignored.
    PassedOver { player: String, text: String },
    /// A game began, or is given as it is now: after a takeback, after the referee was resumed, or when it
    /// was paused or goes on. It replaces what earlier events said of the game.
    Game(Box<GameReport>),
    /// The clock of the side to move was started, if that is not plain from a move just before: a game begins,
    /// or goes on.
    Clock { game: usize },
    /// A move was made. The clock of the other side runs from now on.
    Move {
        game: usize,
        player: String,
        #[serde(flatten)]
        half_move: HalfMove,
        /// The time from the reading of the move to its handling by the referee.
        lag_ms: f64,
    },
    /// What a player thought of a move that it made before. Only the broadcast has it: there a move of a game in
    /// progress comes without it at first.
    Thinking {
        game: usize,
        ply: usize,
        eval: Option<i32>,
        #[serde(flatten)]
        search: Search,
    },
    /// A game ended.
    Result {
        game: usize,
        white: String,
        black: String,
        result: String,
        termination: String,
        reason: String,
        verdict: Option<Forfeit>,
        plies: usize,
        /// It ended before the first move of a player.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        is_unplayed: bool,
    },
    /// The arbiter gave an order.
    Order {
        order: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        by: Option<String>,
        is_refused: bool,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        why: Option<String>,
    },
    /// Another entrant has taken the place of a player.
    Replaced {
        /// The name of the new one.
        name: String,
        /// The one that has gone.
        replaced: Replacement,
    },
    /// Players were paired, in an event whose schedule grows.
    Paired {
        /// Who meets, and who has a bye.
        meetings: Vec<Meeting>,
        /// Their games, which follow those of the schedule.
        games: Vec<Scheduled>,
        /// The names of players who signed on with any name, by the numbers of the players.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        names: Vec<(usize, String)>,
        /// Who is away in this round of a Swiss event, for half the points.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        half_point_byes: Vec<usize>,
    },
    /// The arbiter has put a player out of the event, or lets it play again.
    Out { player: usize, is_out: bool },
    /// A result was withdrawn.
    Withdrawn { game: usize, text: String },
    /// No new games are started.
    Paused { why: String },
    /// New games are started again.
    Resumed,
    /// The referee ends.
    End { why: String },
}
