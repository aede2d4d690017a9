//! The results of an event: finished games, standings, and the state of its SPRT. The ledger counts them
//! from the journal, and a viewer from the stream of events, by the same code.

use std::collections::{BTreeMap, HashMap};

use movegen::Color;
use movegen::pgn::Outcome;

use crate::core::elo::Tally;
use crate::core::ending::Forfeit;
use crate::core::schedule::Pairing;
use crate::core::sprt::{Sample, Sprt, SprtReport, SprtState};
use crate::core::standings::{Replacement, Scored, Standings};

/// A finished game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Finished {
    /// Its result, if it has one.
    pub result: Option<Outcome>,
    /// The fault that decided it, if any.
    pub forfeit: Option<Forfeit>,
    /// Half-moves that the players made.
    pub plies: usize,
}

/// The results of the first player that count in a test, kept up to date game by game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct TestTally {
    tally: Tally,
    /// The half points of the first player in pairs of which one game is finished.
    halves: HashMap<usize, usize>,
}

impl TestTally {
    fn add(&mut self, pairing: &Pairing, game: &Finished) {
        // Forfeits say nothing about strength.
        let (Some(result), None) = (game.result, game.forfeit) else {
            return;
        };
        let side = match 0 {
            player if player == pairing.white => Color::White,
            player if player == pairing.black => Color::Black,
            _ => return,
        };
        let half_points = result.half_points(side);
        self.tally.add_game(half_points);
        match self.halves.remove(&pairing.pair) {
            Some(other) => self.tally.add_pair(half_points + other),
            None => {
                self.halves.insert(pairing.pair, half_points);
            }
        }
    }
}

/// The schedule of an event, and the results so far.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Results {
    schedule: Vec<Pairing>,
    sprt: Option<Sprt>,
    finished: BTreeMap<usize, Finished>,
    test: TestTally,
    /// How the event's SPRT was decided. Games that were in progress then do not change it.
    verdict: Option<SprtReport>,
}

impl Results {
    /// An event before its first result.
    #[must_use]
    pub fn new(schedule: Vec<Pairing>, sprt: Option<Sprt>) -> Self {
        Self {
            schedule,
            sprt,
            ..Self::default()
        }
    }

    /// All games, in the order in which they are started.
    #[must_use]
    pub fn schedule(&self) -> &[Pairing] {
        &self.schedule
    }

    /// The event's test, if it has one.
    #[must_use]
    pub const fn test(&self) -> Option<Sprt> {
        self.sprt
    }

    /// The place of a game in the schedule.
    #[must_use]
    pub fn pairing(&self, number: usize) -> Option<&Pairing> {
        // Games are numbered from 1 in the order of the schedule.
        self.schedule.get(number.checked_sub(1)?)
    }

    /// The finished games, by number.
    #[must_use]
    pub const fn finished(&self) -> &BTreeMap<usize, Finished> {
        &self.finished
    }

    /// Adds the result of a game of the schedule.
    pub fn add(&mut self, number: usize, game: Finished) {
        let Some(&pairing) = self.pairing(number) else {
            return;
        };
        self.finished.insert(number, game);
        self.count(&pairing, &game);
    }

    /// Counts a finished game in the event's SPRT, until that is decided.
    fn count(&mut self, pairing: &Pairing, game: &Finished) {
        self.test.add(pairing, game);
        if self.verdict.is_none() {
            let report = self.sprt();
            self.verdict = report.filter(|report| report.state != SprtState::Continue);
        }
    }

    /// Drops the result of a game; returns whether it had one.
    pub fn withdraw(&mut self, number: usize) -> bool {
        if self.finished.remove(&number).is_none() {
            return false;
        }
        self.test = TestTally::default();
        self.verdict = None;
        for (number, game) in self.finished.clone() {
            let pairing = self.schedule[number - 1];
            self.count(&pairing, &game);
        }
        true
    }

    /// The state of the event's SPRT, if it has one: when it was decided, or now.
    #[must_use]
    pub fn sprt(&self) -> Option<SprtReport> {
        if self.verdict.is_some() {
            return self.verdict;
        }
        Some(self.sprt?.report(&self.test.tally, Sample::Pairs))
    }

    /// Whether the event's SPRT has been decided.
    #[must_use]
    pub const fn is_decided(&self) -> bool {
        self.verdict.is_some()
    }

    /// The results of all games that have been started.
    #[must_use]
    pub fn scored(&self, is_running: impl Fn(usize) -> bool) -> Vec<Scored> {
        let games = self.schedule.iter().filter_map(|pairing| {
            let finished = self.finished.get(&pairing.number);
            (finished.is_some() || is_running(pairing.number)).then(|| Scored {
                white: pairing.white,
                black: pairing.black,
                pair: pairing.pair,
                result: finished.and_then(|finished| finished.result),
                forfeit: finished.and_then(|finished| finished.forfeit),
            })
        });
        games.collect()
    }

    /// The standings.
    #[must_use]
    pub fn standings(
        &self,
        names: &[String],
        replaced: &[Replacement],
        is_running: impl Fn(usize) -> bool,
    ) -> Standings {
        let mut standings = Standings::new(names, &self.scored(is_running));
        standings.sprt = self.sprt();
        standings.replaced = replaced.to_vec();
        standings
    }
}

#[cfg(test)]
impl Results {
    /// The state of the test, as text.
    pub(super) fn test_snapshot(&self) -> String {
        let mut halves: Vec<_> = self.test.halves.iter().collect();
        halves.sort();
        format!("{:?} {halves:?} {:?}", self.test.tally, self.verdict)
    }
}
