//! The state of a player in refereed play (EPD 8), without streams, clocks and engines: commands
//! and instants go in, requests and actions come out.

mod action;
mod clocks;
mod commands;
mod history;
mod played;
mod replies;

use std::time::{Duration, Instant};

use epd::protocol::{Message, Request, Supplied, Term};
use movegen::{Color, Game};

pub use self::action::Action;
pub use self::played::{Played, Ply};
use super::draw_resign_policy::DrawResignPolicy;
use super::equipment::Equipment;
use crate::engines::LastingError;
use crate::engines::lag::Lag;

/// The pending request of the referee.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Asked {
    at: Instant,
    /// The opponent offers a draw.
    offered: bool,
    /// Our draw claim for this position was rejected (decision 75).
    refused: bool,
}

/// The phase of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// The last game has ended, and no reset command has come.
    Idle,
    /// A reset command has come.
    SetUp,
    /// An execute or respond command has come.
    Playing,
}

/// The state of a connection: the game, its tags and clocks, and the pending request.
#[derive(Debug)]
pub struct Session {
    name: String,
    policy: DrawResignPolicy,
    /// Whether replies include our analysis.
    sends_analysis: bool,
    game: Game,
    plies: Vec<Ply>,
    /// The number of moves at the beginning whose clocks are unknown: those of an opening, or from
    /// before a reconnection.
    unclocked: usize,
    tags: Vec<(String, String)>,
    /// The time used by White and Black.
    used: Option<[Duration; 2]>,
    stage: Stage,
    /// Our side, known from the first respond (decision 20).
    color: Option<Color>,
    asked: Option<Asked>,
    /// The time charged by the referee beyond our own measurement.
    lag: Lag,
    /// Our last move, until the referee sends clocks that include it: the time used before it, and
    /// the time that it took by our own measurement.
    last_think: Option<(Duration, Duration)>,
    /// Why the referee closed the connection.
    farewell: Option<String>,
    /// The time between two pings of the referee.
    ping: Option<Duration>,
    /// The last referee of the event that this one knows of, if another one has taken over.
    term: Option<Term>,
    /// What the player runs on.
    equipment: Equipment,
}

impl Session {
    pub fn new(name: &str, policy: DrawResignPolicy, sends_analysis: bool) -> Self {
        Self {
            name: name.to_owned(),
            policy,
            sends_analysis,
            game: Game::default(),
            plies: Vec::new(),
            unclocked: 0,
            tags: Vec::new(),
            used: None,
            stage: Stage::Idle,
            color: None,
            asked: None,
            lag: Lag::default(),
            last_think: None,
            farewell: None,
            ping: None,
            term: None,
            equipment: Equipment::default(),
        }
    }

    /// Lets the first request say what the player runs on.
    pub fn running_on(self, equipment: Equipment) -> Self {
        Self { equipment, ..self }
    }

    /// The current game.
    pub const fn game(&self) -> &Game {
        &self.game
    }

    fn tag(&self, name: &str) -> Option<&str> {
        let mut tags = self.tags.iter();
        tags.find(|(tag, _)| tag == name)
            .map(|(_, value)| value.as_str())
    }

    /// The first request (decisions 15 and 16).
    pub fn sign_on(&self) -> Request {
        Request::SignOn(Message {
            name: Some(self.name.as_str().into()),
            text: Some(concat!("Epode ", env!("CARGO_PKG_VERSION")).into()),
            // We answer pings (decision 10).
            ping: Some(0),
            machine: self.equipment.machine.as_deref().map(Into::into),
            speed: self.equipment.speed,
            ..Message::at(self.game.position())
        })
    }

    /// The time between two pings of the referee, if it has told us.
    pub const fn ping(&self) -> Option<Duration> {
        self.ping
    }

    /// The term of the referee, if it has told us one (decision 143).
    pub const fn term(&self) -> Option<&Term> {
        self.term.as_ref()
    }

    /// The last request (decision 23).
    pub fn sign_off(&self) -> Request {
        Request::SignOff(Message::at(self.game.position()))
    }

    /// The request that reports a fault to the referee.
    pub fn fault_request(&self, why: &str) -> Request {
        Request::Fault(Message::at(self.game.position()).saying(why))
    }

    /// The report of an error of the engine. It has the illegal move, if that is the error, so that the referee can
    /// name the fault (decision 99).
    pub fn engine_fault(&self, error: &anyhow::Error) -> Request {
        let request = self.fault_request(&format!("{error:#}"));
        match (request, error.downcast_ref()) {
            (Request::Fault(mut content), Some(LastingError::IllegalMove { word, .. })) => {
                let is_plain = word.bytes().all(|byte| byte.is_ascii_alphanumeric());
                let illegal = || Supplied::Unplayable(word.as_str().into());
                content.supplied = (is_plain && !word.is_empty()).then(illegal);
                Request::Fault(content)
            }
            (request, _) => request,
        }
    }

    /// The measured lag.
    pub const fn lag(&self) -> Lag {
        self.lag
    }

    /// The limits of each move that the referee set, in nodes and plies.
    pub fn event_limits(&self) -> [Option<u64>; 2] {
        ["SearchNodes", "SearchDepth"]
            .map(|tag| self.tag(tag)?.parse().ok().filter(|&count| count > 0))
    }

    /// Whether the opponent offers a draw with the position that we are asked for.
    pub fn is_draw_offered(&self) -> bool {
        self.asked.is_some_and(|asked| asked.offered)
    }

    /// Whether the referee said why it closed the connection.
    pub const fn has_farewell(&self) -> bool {
        self.farewell.is_some()
    }

    /// Whether the referee closed the connection because it stopped before the end of its event.
    pub fn event_may_be_resumed(&self) -> bool {
        self.farewell.as_deref() == Some("the referee is shutting down")
    }

    /// Whether the reason why the referee closed the connection may pass: the old connection of a player
    /// that comes back may still look alive, there may be too many players at the moment, or we were too
    /// busy to answer a ping.
    pub fn may_try_again(&self) -> bool {
        let passing = [
            "this name is in use",
            "too many connections",
            "no sign_on in time",
            "all places are taken",
            "no answer to a ping",
        ];
        self.farewell
            .as_deref()
            .is_some_and(|why| passing.contains(&why))
    }
}

#[cfg(test)]
mod tests;
