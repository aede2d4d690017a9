//! The state of an event as a viewer knows it who has read the stream of events, and nothing else.

mod game;
mod log;
pub mod rounds;
mod snapshot;

use std::collections::{BTreeMap, VecDeque};

use crate::core::equipment::Equipment;
use crate::core::event::results::{Finished, Results};
use crate::core::event::stream::{Report, Scheduled, Start};
use crate::core::schedule::Meeting;
use crate::core::standings::{Replacement, Standings};

pub use crate::core::event::stream::{End, GameView, LogKind, LogLine, Snapshot};

/// How many lines of the log are kept.
const LOG_LENGTH: usize = 200;

/// What the stream of events has told so far.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EventView {
    /// What the event is; `None` before the referee has started.
    pub start: Option<Start>,
    /// The names of the players, as they are now.
    pub names: Vec<String>,
    /// Whose places others have taken.
    pub replaced: Vec<Replacement>,
    /// What the players run on, by their names, as they last said.
    pub equipment: BTreeMap<String, Equipment>,
    /// The games in progress, and finished ones that [`EventView::take_finished`] has not taken.
    pub games: BTreeMap<usize, GameView>,
    /// How each finished game ended.
    pub ends: BTreeMap<usize, End>,
    /// The schedule and the results.
    pub results: Results,
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
    /// Takes in the next event of the stream, which happened at this time.
    pub fn apply(&mut self, report: &Report, at: &str) {
        if let Some(line) = LogLine::of(report, at) {
            self.log.push_back(line);
            if self.log.len() > LOG_LENGTH {
                self.log.pop_front();
            }
        }
        match report {
            Report::Snapshot(snapshot) => *self = Self::from((**snapshot).clone()),
            Report::Start(start) => self.start(start),
            Report::Game(game) => {
                let view = GameView::new((**game).clone(), at);
                self.set_names(game.game, [&game.white, &game.black]);
                self.ends.remove(&game.game);
                self.games.insert(game.game, view);
            }
            Report::Clock { game } => {
                if let Some(view) = self.games.get_mut(game) {
                    at.clone_into(&mut view.at);
                    view.game.turn_ms = Some(0.0);
                }
            }
            Report::Move {
                game, half_move, ..
            } => {
                if let Some(view) = self.games.get_mut(game) {
                    at.clone_into(&mut view.at);
                    view.add(half_move.clone());
                }
            }
            Report::Thinking {
                game,
                ply,
                eval,
                search,
            } => {
                if let Some(view) = self.games.get_mut(game) {
                    view.set_thinking(*ply, *eval, search);
                }
            }
            Report::Result { game, .. } => {
                if let Some(end) = End::of(report, at) {
                    self.end(*game, end);
                }
            }
            Report::Withdrawn { game, .. } => self.withdraw(*game),
            Report::Paired {
                meetings,
                games,
                names,
                ..
            } => {
                for (player, name) in names {
                    if let Some(known) = self.names.get_mut(*player) {
                        known.clone_from(name);
                    }
                }
                self.pair(meetings, games);
            }
            Report::Out { player, is_out } => self.results.set_out(*player, *is_out),
            Report::Replaced { name, replaced } => {
                if let Some(present) = self.names.get_mut(replaced.player) {
                    present.clone_from(name);
                }
                self.replaced.push(replaced.clone());
            }
            Report::SignOn {
                player, equipment, ..
            } => {
                if equipment.is_empty() {
                    self.equipment.remove(player);
                } else {
                    self.equipment.insert(player.clone(), equipment.clone());
                }
            }
            // One that may come under any name, and has left before its first game.
            Report::Lost { player, .. } if !self.names.contains(player) => {
                self.equipment.remove(player);
            }
            Report::Paused { why } => self.paused = Some(why.clone()),
            Report::Resumed => self.paused = None,
            Report::End { why } => self.ended = Some(why.clone()),
            Report::Note { .. }
            | Report::Lost { .. }
            | Report::Exit { .. }
            | Report::Refused { .. }
            | Report::MoreRefused { .. }
            | Report::PassedOver { .. }
            | Report::Order { .. } => {}
        }
    }

    /// The referee starts, or goes on.
    fn start(&mut self, start: &Start) {
        let games = (1..).zip(&start.schedule);
        let schedule: Vec<_> = games.map(|(number, game)| game.pairing(number)).collect();
        self.names.clone_from(&start.players);
        self.replaced.clone_from(&start.replaced);
        let tie_breaks = start.tie_breaks.iter();
        let tie_breaks: Vec<_> = tie_breaks.filter_map(|name| name.parse().ok()).collect();
        let is_new = self.results.schedule() != schedule
            || self.results.tie_breaks() != tie_breaks
            || self.results.test() != start.sprt
            || self.results.plan() != start.plan.as_ref()
            || !self.meetings().eq(start.meetings.iter().copied());
        if is_new {
            let order = self.results.order().to_vec();
            self.results = match &start.plan {
                None => Results::new(schedule, start.sprt),
                Some(plan) => Results::growing(plan.clone()),
            };
            self.results = std::mem::take(&mut self.results).ordered_by(tie_breaks);
            if start.plan.is_some() {
                self.pair(&start.meetings, &start.schedule);
            }
            self.count_again(&order);
        }
        for player in 0..self.names.len() {
            self.results.set_out(player, start.out.contains(&player));
        }
        self.ended = None;
        self.paused = None;
        self.start = Some(Start {
            // The results have it.
            schedule: Vec::new(),
            meetings: Vec::new(),
            out: Vec::new(),
            ..start.clone()
        });
    }

    /// Adds meetings and their games, which follow those of the schedule.
    fn pair(&mut self, meetings: &[Meeting], games: &[Scheduled]) {
        let mut games = games.iter();
        for meeting in meetings {
            let first = self.results.schedule().len() + 1;
            let games = games.by_ref().take(meeting.games);
            let games = (first..)
                .zip(games)
                .map(|(number, game)| game.pairing(number));
            let games = games.collect();
            self.results.pair(*meeting, games);
        }
    }

    /// Who has been paired so far, if the schedule grows.
    fn meetings(&self) -> impl Iterator<Item = Meeting> {
        self.results.meetings().iter().map(|played| played.meeting)
    }

    /// A player of any name is known from its first game on.
    fn set_names(&mut self, game: usize, names: [&String; 2]) {
        let Some(pairing) = self.results.pairing(game) else {
            return;
        };
        for (player, name) in [pairing.white, pairing.black].into_iter().zip(names) {
            if let Some(known) = self.names.get_mut(player) {
                known.clone_from(name);
            }
        }
    }

    fn end(&mut self, number: usize, end: End) {
        if let Some(view) = self.games.get_mut(&number) {
            end.at.clone_into(&mut view.at);
            view.game.turn_ms = None;
            view.end = Some(end.clone());
        }
        self.results.add(number, end.finished());
        self.ends.insert(number, end);
        self.sprt_course
            .extend(self.results.sprt().map(|report| report.llr));
    }

    fn withdraw(&mut self, number: usize) {
        self.games.remove(&number);
        self.ends.remove(&number);
        self.results.withdraw(number);
        if self.results.test().is_some() {
            let mut course = self.results.at_the_beginning();
            self.sprt_course.clear();
            for number in self.results.order() {
                course.add(*number, self.ends[number].finished());
                self.sprt_course
                    .extend(course.sprt().map(|report| report.llr));
            }
        }
    }

    /// Counts all results again, in the order in which the games ended.
    fn count_again(&mut self, order: &[usize]) {
        self.sprt_course.clear();
        for number in order {
            let finished: Finished = self.ends[number].finished();
            self.results.add(*number, finished);
            self.sprt_course
                .extend(self.results.sprt().map(|report| report.llr));
        }
    }

    /// The games in progress.
    pub fn running(&self) -> impl Iterator<Item = &GameView> {
        self.games.values().filter(|game| game.end.is_none())
    }

    /// The present standings.
    #[must_use]
    pub fn standings(&self) -> Standings {
        let is_running = |number| {
            let game: Option<&GameView> = self.games.get(&number);
            game.is_some_and(|game| game.end.is_none())
        };
        let standings = self
            .results
            .standings(&self.names, &self.replaced, is_running);
        standings.with_equipment(&self.equipment)
    }

    /// The finished games, in the order in which they ended.
    #[must_use]
    pub fn finished(&self) -> &[usize] {
        self.results.order()
    }

    /// Takes out a finished game, whose moves are kept elsewhere from now on. Its result stays.
    pub fn take_finished(&mut self, number: usize) -> Option<GameView> {
        self.games.get(&number)?.end.as_ref()?;
        self.games.remove(&number)
    }
}
