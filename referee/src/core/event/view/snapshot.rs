//! From the state of an event to a snapshot and back.

use std::collections::BTreeMap;

use super::EventView;
use crate::core::event::stream::{Scheduled, Snapshot, Start};

impl EventView {
    /// The state of the event. Finished games whose moves are still here are in it by their results alone.
    #[must_use]
    pub fn snapshot(&self) -> Snapshot {
        let schedule = self.results.schedule().iter().map(Scheduled::from);
        Snapshot {
            start: self.start.clone().map(|start| Start {
                schedule: schedule.collect(),
                meetings: self.meetings().collect(),
                out: self.results.out().iter().copied().collect(),
                ..start
            }),
            names: self.names.clone(),
            replaced: self.replaced.clone(),
            equipment: self.equipment.clone(),
            games: self.running().cloned().collect(),
            ends: self
                .results
                .order()
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
            ..Self::default()
        };
        if let Some(start) = &snapshot.start {
            view.start(start);
            view.count_again(&order);
        }
        Self {
            names: snapshot.names,
            replaced: snapshot.replaced,
            equipment: snapshot.equipment,
            sprt_course: snapshot.sprt_course,
            log: snapshot.log,
            paused: snapshot.paused,
            ended: snapshot.ended,
            ..view
        }
    }
}
