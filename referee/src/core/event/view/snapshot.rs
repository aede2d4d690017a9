//! The state of an event in one piece, with which a viewer begins who has not read the stream so far.

use std::collections::{BTreeMap, VecDeque};

use serde::{Deserialize, Serialize};

use super::{End, EventView, GameView, LogLine};
use crate::core::event::stream::{Scheduled, Start};
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

impl EventView {
    /// The state of the event. Finished games whose moves are still here are in it by their results alone.
    #[must_use]
    pub fn snapshot(&self) -> Snapshot {
        let schedule = self.results.schedule().iter().map(Scheduled::from);
        Snapshot {
            start: self.start.clone().map(|start| Start {
                schedule: schedule.collect(),
                ..start
            }),
            names: self.names.clone(),
            replaced: self.replaced.clone(),
            games: self.running().cloned().collect(),
            ends: self
                .order
                .iter()
                .filter_map(|number| Some((*number, self.ends.get(number)?.clone())))
                .collect(),
            sprt_course: self.sprt_course.clone(),
            log: self.log.clone(),
            paused: self.paused.clone(),
            ended: self.ended.clone(),
        }
    }
}

impl From<Snapshot> for EventView {
    fn from(snapshot: Snapshot) -> Self {
        let order: Vec<_> = snapshot.ends.iter().map(|(number, _)| *number).collect();
        let ends: BTreeMap<_, _> = snapshot.ends.into_iter().collect();
        let games = snapshot
            .games
            .into_iter()
            .map(|game| (game.game.game, game));
        let mut view = Self {
            games: games.collect(),
            ends,
            order,
            ..Self::default()
        };
        if let Some(start) = &snapshot.start {
            view.start(start);
        }
        Self {
            names: snapshot.names,
            replaced: snapshot.replaced,
            sprt_course: snapshot.sprt_course,
            log: snapshot.log,
            paused: snapshot.paused,
            ended: snapshot.ended,
            ..view
        }
    }
}
