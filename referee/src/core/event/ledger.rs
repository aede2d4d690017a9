//! What the journal of an event holds: its names, its games in progress and the finished ones, and what
//! the arbiter ordered. It is all that [`Ledger::resume`] rebuilds.

mod decisions;
mod games;
mod growth;
mod pairing;
mod reports;
mod resume;
mod running;
#[cfg(test)]
mod snapshot;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::core::adjudication::Judge;
use crate::core::config::{Config, Player};
use crate::core::ending::Forfeit;
use crate::core::equipment::Equipment;
use crate::core::event::results::Results;
use crate::core::openings::Opening;
use crate::core::schedule::{self, Pairing, ScheduleError};
use crate::core::sprt::SprtReport;
use crate::core::standings::{Replacement, Scored, Standings};

use self::growth::Growth;
pub use self::growth::Paired;
pub use self::resume::ResumeError;
pub use self::running::Running;

/// The games of an event, as its journal records them.
#[derive(Clone, Debug)]
pub struct Ledger {
    config: Config,
    /// The tablebases of the adjudication.
    judge: Option<Arc<dyn Judge>>,
    names: Vec<String>,
    openings: Vec<Opening>,
    running: BTreeMap<usize, Running>,
    /// The schedule and the finished games.
    results: Results,
    /// Index of the first game of the schedule that has not been started.
    next: usize,
    /// How far the schedule has grown, if it grows.
    growth: Growth,
    /// The players as the event file has them.
    entered: Vec<Player>,
    /// Entrants whose places others have taken.
    replaced: Vec<Replacement>,
    /// Why the arbiter has paused the event, if so.
    paused: Option<String>,
    /// Games that the arbiter has paused.
    held: BTreeSet<usize>,
    /// Players that the arbiter has put out of the event, each with the reason.
    out: BTreeMap<usize, Option<String>>,
    /// The number of the event's present referee, which grows by 1 with each take-over.
    term: u64,
    /// What the players run on, by their names, as they last said.
    equipment: BTreeMap<String, Equipment>,
}

impl Ledger {
    /// An event before its first game.
    pub fn new(config: Config, openings: Vec<Opening>) -> Result<Self, ScheduleError> {
        let settings = config.pairings(openings.len());
        let schedule = schedule::schedule(&settings)?;
        // The settings have been checked.
        let sprt = config.sprt.and_then(|sprt| sprt.test().ok());
        let results = match config.plan() {
            Some(plan) => Results::growing(plan),
            None => Results::new(schedule, sprt),
        };
        let results = results.ordered_by(config.tie_breaks.0.clone());
        Ok(Self {
            names: names_of(&config),
            entered: config.players.clone(),
            replaced: Vec::new(),
            paused: None,
            held: BTreeSet::new(),
            out: BTreeMap::new(),
            config,
            judge: None,
            openings,
            growth: Growth::new(schedule::openings(&settings)),
            results,
            running: BTreeMap::new(),
            next: 0,
            term: 1,
            equipment: BTreeMap::new(),
        })
    }

    /// Sets the tablebases that adjudicate the games that begin, or are restored, from now on.
    pub fn set_judge(&mut self, judge: Option<Arc<dyn Judge>>) {
        self.judge = judge;
    }

    /// The event's settings.
    #[must_use]
    pub const fn config(&self) -> &Config {
        &self.config
    }

    /// The players' names; empty for a player of any name that has not signed on yet.
    #[must_use]
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The schedule and the results.
    #[must_use]
    pub const fn results(&self) -> &Results {
        &self.results
    }

    /// Sets the name of a player of any name.
    pub fn set_name(&mut self, player: usize, name: &str) {
        name.clone_into(&mut self.names[player]);
        self.growth.look_again();
    }

    /// The number of the event's present referee.
    #[must_use]
    pub const fn term(&self) -> u64 {
        self.term
    }

    /// All games, in the order in which they are started.
    #[must_use]
    pub fn schedule(&self) -> &[Pairing] {
        self.results.schedule()
    }

    /// The games in progress, by number.
    #[must_use]
    pub const fn running(&self) -> &BTreeMap<usize, Running> {
        &self.running
    }

    /// A game in progress.
    pub fn game_mut(&mut self, number: usize) -> Option<&mut Running> {
        self.running.get_mut(&number)
    }

    /// The games in progress, mutable.
    pub fn games_mut(&mut self) -> impl Iterator<Item = (usize, &mut Running)> {
        self.running
            .iter_mut()
            .map(|(&number, game)| (number, game))
    }

    /// Whether a player has games that have not begun, or may get some. A linear search, for when a player is
    /// started.
    #[must_use]
    pub fn has_games_left(&self, player: usize) -> bool {
        !self.is_decided()
            && !self.out.contains_key(&player)
            && (self.may_be_paired(player)
                || self.schedule()[self.next..].iter().any(|pairing| {
                    (pairing.white == player || pairing.black == player) && !self.has_begun(pairing)
                }))
    }

    /// Whether a game of a player has begun.
    #[must_use]
    pub fn has_begun_a_game(&self, player: usize) -> bool {
        let plays = |pairing: &Pairing| pairing.white == player || pairing.black == player;
        let mut games = self.running.keys().chain(self.results.finished().keys());
        games.any(|&number| self.pairing(number).is_some_and(plays))
    }

    /// Whether the journal knows a player: it is in the event file, or it has a place in the schedule.
    #[must_use]
    pub fn is_entrant(&self, player: usize) -> bool {
        player < self.config.players.len()
            || self.has_begun_a_game(player)
            || self.has_been_paired(player)
    }

    fn has_begun(&self, pairing: &Pairing) -> bool {
        self.results.finished().contains_key(&pairing.number)
            || self.running.contains_key(&pairing.number)
    }

    /// The number of finished games.
    #[must_use]
    pub fn finished(&self) -> usize {
        self.results.finished().len()
    }

    /// Whether a game is finished.
    #[must_use]
    pub fn is_finished(&self, number: usize) -> bool {
        self.results.finished().contains_key(&number)
    }

    /// Whether no game is in progress and none will be started.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.running.is_empty()
            && (self.is_decided()
                || self.is_complete() && self.results.finished().len() == self.schedule().len())
    }

    /// Whether another game may be started.
    #[must_use]
    pub fn has_room(&self) -> bool {
        !self.is_decided() && self.running.len() < self.config.concurrency
    }

    /// The first game in the schedule's order that has not been started and that `can_begin` accepts, unless one
    /// before it `is_awaited`.
    #[must_use]
    pub fn next_game(
        &self,
        can_begin: impl Fn(&Pairing) -> bool,
        is_awaited: impl Fn(&Pairing) -> bool,
    ) -> Option<Pairing> {
        if !self.has_room() {
            return None;
        }
        // A game that cannot begin yet must not delay games of other players.
        let mut left = self.schedule()[self.next..].iter();
        let next = left.find(|pairing| {
            (can_begin(pairing) || is_awaited(pairing)) && !self.has_begun(pairing)
        });
        next.copied().filter(can_begin)
    }

    /// The place of a game in the schedule.
    #[must_use]
    pub fn pairing(&self, number: usize) -> Option<&Pairing> {
        self.results.pairing(number)
    }

    /// The finished games that were forfeited before any player made a move, because a program could
    /// not be started for example.
    #[must_use]
    pub fn forfeited_without_a_move(&self) -> Vec<usize> {
        let games = self.results.finished().iter();
        let games = games.filter(|(_, game)| {
            game.is_unplayed
                && matches!(
                    game.forfeit,
                    Some(Forfeit::Crash | Forfeit::Disconnect | Forfeit::NeverCame)
                )
        });
        games.map(|(&number, _)| number).collect()
    }

    /// The results of all games that have been started.
    #[must_use]
    pub fn scored(&self) -> Vec<Scored> {
        self.results
            .scored(|number| self.running.contains_key(&number))
    }

    /// The current standings.
    #[must_use]
    pub fn standings(&self) -> Standings {
        let standings = self
            .results
            .standings(&self.names, &self.replaced, |number| {
                self.running.contains_key(&number)
            });
        standings.with_equipment(&self.equipment)
    }

    /// A player says what it runs on; returns whether that is new.
    pub fn set_equipment(&mut self, name: &str, equipment: &Equipment) -> bool {
        if equipment.is_empty() {
            return self.equipment.remove(name).is_some();
        }
        let before = self.equipment.insert(name.to_owned(), equipment.clone());
        before.as_ref() != Some(equipment)
    }

    /// The state of the event's SPRT, if it has one: when it was decided, or now.
    #[must_use]
    pub fn sprt(&self) -> Option<SprtReport> {
        self.results.sprt()
    }

    /// Whether the event's SPRT has been decided: no new games are started then.
    #[must_use]
    pub const fn is_decided(&self) -> bool {
        self.results.is_decided()
    }

    /// The number of games that were forfeited.
    #[must_use]
    pub fn forfeits(&self) -> usize {
        self.results
            .finished()
            .values()
            .filter(|game| game.forfeit.is_some())
            .count()
    }
}

/// The names of the players before anybody has signed on.
fn names_of(config: &Config) -> Vec<String> {
    let players = config.players.iter();
    let mut names: Vec<_> = players.map(|player| player.name.clone()).collect();
    names.resize(config.player_count(), String::new());
    names
}

#[cfg(test)]
mod tests;
