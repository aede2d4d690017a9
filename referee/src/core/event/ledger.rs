//! What the journal of an event holds: its names, its games in progress and the finished ones, and what
//! the arbiter ordered. It is all that [`Ledger::resume`] rebuilds.

mod decisions;
mod growth;
mod pairing;
mod reports;
mod running;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use movegen::pgn::{self, Outcome, Ply};
use smol_str::SmolStr;

use epd::protocol::printable;

use crate::core::adjudication::Judge;
use crate::core::config::{Config, Player};
use crate::core::ending::{Ending, Forfeit};
use crate::core::equipment::{Conditions, Equipment};
use crate::core::event::results::{Finished, Results};
use crate::core::event::tags::tags;
use crate::core::game::{GameReferee, Rules};
use crate::core::journal::Entry;
use crate::core::openings::Opening;
use crate::core::schedule::{self, Pairing, ScheduleError};
use crate::core::sprt::SprtReport;
use crate::core::standings::{Replacement, Scored, Standings};

use self::growth::Growth;
pub use self::growth::Paired;
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

/// A journal that does not match the event.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)]
pub enum ResumeError {
    #[error("game {0} of the journal is not in the schedule")]
    Unknown(usize),
    #[error("game {0} of the journal has a move or a result, but did not begin")]
    NoBeginning(usize),
    #[error("game {game} of the journal: {what}")]
    Move { game: usize, what: String },
    #[error("the journal has an order that cannot be carried out: {order}: {what}")]
    Order { order: String, what: String },
    #[error(
        "game {game} of the journal is {was}, but by the event file it is {is}: the players or the \
         schedule have changed since the event began. Restore them in event.toml; to give a player's \
         place to another one, use the order `replace`"
    )]
    Changed {
        game: usize,
        was: String,
        is: String,
    },
    #[error(
        "the journal has pairings of an event whose schedule grows, but the format of the event file is \
         another one: restore `format` in event.toml"
    )]
    Format,
    #[error(
        "the journal pairs player {0}, but the event has only {1} players: restore them in event.toml"
    )]
    NoPlayer(usize, usize),
    #[error(
        "the journal pairs {was}, but by the event file player {number} is {is}: the players have changed \
         since the event began. Restore them in event.toml; to give a player's place to another one, use the \
         order `replace`"
    )]
    ChangedPlayer {
        number: usize,
        was: String,
        is: String,
    },
    #[error(
        "game {0} of the journal has another opening than by the event file: `openings` or `seed` have \
         changed since the event began. Restore them in the event's folder"
    )]
    Opening(usize),
    #[error(
        "game {game} of the journal has the time control {was}, but by the event file it is {is}: restore \
         `time_control` in event.toml; to give a player more time, use the order `extend`"
    )]
    TimeControl {
        game: usize,
        was: String,
        is: String,
    },
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

    /// The first game in the schedule's order that has not been started and that `can_begin` accepts.
    #[must_use]
    pub fn next_game(&self, can_begin: impl Fn(&Pairing) -> bool) -> Option<Pairing> {
        if !self.has_room() {
            return None;
        }
        // A game that cannot begin yet must not delay games of other players.
        let mut left = self.schedule()[self.next..].iter();
        let next = left.find(|pairing| can_begin(pairing) && !self.has_begun(pairing));
        next.copied()
    }

    /// Starts a game; returns its entry for the journal.
    ///
    /// # Panics
    /// If the pairing is not of this event.
    pub fn begin(&mut self, pairing: Pairing, date: &str) -> Entry {
        self.begin_under(Conditions::default(), pairing, date)
    }

    /// Starts a game under these conditions; returns its entry for the journal.
    ///
    /// # Panics
    /// If the pairing is not of this event.
    pub fn begin_under(&mut self, conditions: Conditions, pairing: Pairing, date: &str) -> Entry {
        let opening = self.openings[pairing.opening].clone();
        let entry = Entry::Begun {
            game: pairing.number,
            white: self.names[pairing.white].clone(),
            black: self.names[pairing.black].clone(),
            opening: opening.clone(),
            date: date.to_owned(),
            time_control: Some(self.config.time_control.0.to_string()),
            conditions: conditions.clone(),
        };
        self.set_up(pairing, opening, conditions, date);
        entry
    }

    fn set_up(&mut self, pairing: Pairing, opening: Opening, conditions: Conditions, date: &str) {
        let controls = conditions.controls(&self.config.time_control.0);
        let tags = self.tags(&pairing, &opening, date);
        let rules = Rules {
            judge: self.judge.clone(),
            ..self.config.rules()
        };
        let game = Running {
            pairing,
            referee: GameReferee::new(&opening, controls, rules, tags),
            seats: [0; 2],
            date: date.to_owned(),
            plies: opening.moves.iter().copied().map(Ply::new).collect(),
            moves: Vec::new(),
            extensions: Vec::new(),
            disconnections: [0; 2],
            clock_is_told: false,
            decision: None,
            conditions,
            opening,
        };
        self.running.insert(pairing.number, game);
        while let Some(pairing) = self.results.schedule().get(self.next).copied()
            && self.has_begun(&pairing)
        {
            self.next += 1;
        }
    }

    /// The tags that are sent to the players (EPD 8.1.5, decisions 34 and 39).
    fn tags(&self, pairing: &Pairing, opening: &Opening, date: &str) -> Vec<(SmolStr, SmolStr)> {
        let mut tags = vec![
            ("Event", self.config.event.clone()),
            ("Site", self.config.site.clone()),
            ("Date", date.to_owned()),
            ("Round", pairing.round_tag().to_string()),
            ("White", self.names[pairing.white].clone()),
            ("Black", self.names[pairing.black].clone()),
            ("Result", "*".to_owned()),
            ("TimeControl", self.config.time_control.0.to_string()),
        ];
        // PGN has no tags for search limits; players ignore tags that they do not know (EPD 5.3).
        let limits = self.config.limits;
        for (tag, count) in [("SearchNodes", limits.nodes), ("SearchDepth", limits.depth)] {
            tags.extend(count.map(|count| (tag, count.to_string())));
        }
        if opening.start != movegen::Position::start() {
            tags.push(("SetUp", "1".to_owned()));
            tags.push(("FEN", opening.start.to_string()));
        }
        let tags = tags.into_iter();
        tags.map(|(tag, value)| (SmolStr::new_static(tag), value.into()))
            .collect()
    }

    /// The ratings of White and Black that the event file gives.
    fn elo(&self, pairing: &Pairing) -> [Option<u32>; 2] {
        [pairing.white, pairing.black].map(|player| self.config.players.get(player)?.elo())
    }

    /// Ends a game; returns its PGN.
    pub fn end(&mut self, number: usize, ending: &Ending) -> Option<String> {
        let termination = Some(ending.termination());
        self.close(
            number,
            ending.outcome,
            termination,
            ending.forfeit(),
            // As the journal has it, so that a resumed event writes the same PGN.
            &printable(&ending.to_string()),
        )
    }

    fn close(
        &mut self,
        number: usize,
        result: Option<Outcome>,
        termination: Option<pgn::Termination>,
        forfeit: Option<Forfeit>,
        text: &str,
    ) -> Option<String> {
        let mut game = self.running.remove(&number)?;
        self.held.remove(&number);
        let finished = Finished {
            result,
            forfeit,
            is_unplayed: game.plies() == 0,
        };
        self.results.add(number, finished);
        self.growth.look_again();
        game.remark(text);
        let pgn = pgn::PgnGame {
            event: self.config.event.clone(),
            site: self.config.site.clone(),
            date: game.date,
            round: game.pairing.round_tag().to_string(),
            white: self.names[game.pairing.white].clone(),
            black: self.names[game.pairing.black].clone(),
            result,
            start: game.opening.start,
            time_control: Some(self.config.time_control.0.to_string()),
            termination,
            tags: [
                tags(self.elo(&game.pairing), self.results.plan()),
                game.conditions.tags(),
            ]
            .concat(),
            plies: game.plies,
        };
        pgn.export().ok()
    }

    /// Restores the state of an event from its journal; returns the PGN of its finished games.
    pub fn resume(&mut self, entries: Vec<Entry>) -> Result<String, ResumeError> {
        let mut games: Vec<(usize, String)> = Vec::new();
        for entry in entries {
            let begun = match &entry {
                Entry::Begun { game, .. } => Some(*game),
                _ => None,
            };
            if let Some(number) = begun.or(entry.withdrawn()) {
                games.retain(|(other, _)| *other != number);
            }
            let number = entry.game();
            if let (Some(pgn), Some(number)) = (self.restore(entry)?, number) {
                games.push((number, pgn));
            }
        }
        Ok(games.into_iter().map(|(_, pgn)| pgn).collect())
    }

    /// The PGN of the finished games of this event's journal.
    pub fn games_of(&self, entries: Vec<Entry>) -> Result<String, ResumeError> {
        self.at_the_beginning().resume(entries)
    }

    /// The event before its first game.
    fn at_the_beginning(&self) -> Self {
        let mut config = self.config.clone();
        config.players.clone_from(&self.entered);
        Self {
            names: names_of(&config),
            openings: self.openings.clone(),
            results: self.results.at_the_beginning(),
            growth: self.growth.at_the_beginning(),
            running: BTreeMap::new(),
            next: 0,
            entered: self.entered.clone(),
            replaced: Vec::new(),
            paused: None,
            held: BTreeSet::new(),
            out: BTreeMap::new(),
            judge: self.judge.clone(),
            term: 1,
            equipment: BTreeMap::new(),
            config,
        }
    }

    /// Applies an entry of the journal; returns the PGN of the game that it ends.
    fn restore(&mut self, entry: Entry) -> Result<Option<String>, ResumeError> {
        let number = entry.game().unwrap_or_default();
        match entry {
            Entry::Begun {
                white,
                black,
                opening,
                date,
                time_control,
                conditions,
                ..
            } => {
                let pairing = *self.pairing(number).ok_or(ResumeError::Unknown(number))?;
                self.set_missing_name(pairing.white, &white);
                self.set_missing_name(pairing.black, &black);
                self.compare(&pairing, [&white, &black], &opening)?;
                self.compare_time_control(number, time_control)?;
                // A game that began twice counts from its second beginning.
                self.withdraw(number);
                for (name, equipment) in [white, black].iter().zip(&conditions.equipment) {
                    self.set_equipment(name, equipment);
                }
                self.set_up(pairing, opening, conditions, &date);
            }
            Entry::Moved {
                mv,
                used,
                elapsed,
                eval,
                actions,
                judged,
                ..
            } => {
                let game = self.running.get_mut(&number);
                let game = game.ok_or(ResumeError::NoBeginning(number))?;
                game.restore(mv, used, elapsed, eval, actions, judged)
                    .map_err(|what| ResumeError::Move { game: number, what })?;
            }
            Entry::Ended {
                result,
                termination,
                forfeit,
                text: reason,
                ..
            } => {
                // A game without a result has none: `*`.
                let result = result.parse().ok();
                let termination = termination.parse().ok();
                let forfeit = forfeit.and_then(|name| name.parse().ok());
                let game = self.close(number, result, termination, forfeit, &reason);
                return game.map(Some).ok_or(ResumeError::NoBeginning(number));
            }
            Entry::Withdrawn { .. } => self.withdraw(number),
            Entry::Paired {
                meeting,
                names,
                board,
                boards,
            } => self.restore_board(meeting, &names, [board, boards])?,
            Entry::Term { term, .. } => self.term = self.term.max(term),
            Entry::Ordered { given, .. } => {
                self.apply(&given).map_err(|what| ResumeError::Order {
                    order: given.order.to_string(),
                    what,
                })?;
            }
        }
        Ok(None)
    }

    /// Compares a game of the journal with the schedule. What does not contradict a game that has begun is
    /// harmless: the games that are left are played as the schedule has them now.
    fn compare(
        &self,
        pairing: &Pairing,
        names: [&str; 2],
        opening: &Opening,
    ) -> Result<(), ResumeError> {
        let game = pairing.number;
        let players = [pairing.white, pairing.black];
        let scheduled = players.map(|player| printable(&self.names[player]));
        if scheduled != names.map(printable) {
            let [white, black] = scheduled;
            return Err(ResumeError::Changed {
                game,
                was: format!("{} - {}", names[0], names[1]),
                is: format!("{white} - {black}"),
            });
        }
        let scheduled = &self.openings[pairing.opening];
        if (scheduled.start, &scheduled.moves) != (opening.start, &opening.moves) {
            return Err(ResumeError::Opening(game));
        }
        Ok(())
    }

    /// Compares the time control of a game with the event's. Clocks of a game in progress would jump, and
    /// the PGN of finished games would tell another one than they had.
    fn compare_time_control(&self, game: usize, was: Option<String>) -> Result<(), ResumeError> {
        let is = self.config.time_control.0.to_string();
        match was {
            Some(was) if was != is => Err(ResumeError::TimeControl { game, was, is }),
            _ => Ok(()),
        }
    }

    /// The place of a game in the schedule.
    #[must_use]
    pub fn pairing(&self, number: usize) -> Option<&Pairing> {
        self.results.pairing(number)
    }

    /// Drops the result of a finished game, which is then played again.
    pub fn withdraw(&mut self, number: usize) {
        if self.results.withdraw(number) {
            self.next = self.next.min(number - 1);
            self.growth.reopen();
        }
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

    /// The journal's entry for [`Ledger::withdraw`].
    #[must_use]
    pub fn withdrawn_entry(&self, number: usize, why: &str) -> Option<Entry> {
        self.results.finished().get(&number)?;
        Some(Entry::Withdrawn {
            game: number,
            position: self.openings[self.pairing(number)?.opening].start,
            text: why.to_owned(),
        })
    }

    /// Sets a player's name from the journal, unless the event file has it.
    fn set_missing_name(&mut self, player: usize, name: &str) {
        if player >= self.config.players.len() {
            name.clone_into(&mut self.names[player]);
        }
    }

    /// The journal's entry for the end of a game.
    #[must_use]
    pub fn end_entry(&self, number: usize, ending: &Ending) -> Option<Entry> {
        let game = self.running.get(&number)?;
        Some(Entry::Ended {
            game: number,
            position: *game.referee.game().position(),
            result: ending.result_tag(),
            termination: ending.termination().to_string(),
            forfeit: ending.forfeit().map(|forfeit| forfeit.to_string()),
            text: printable(&ending.to_string()).into(),
        })
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
impl Ledger {
    /// The numbers of the finished games.
    pub(super) fn finished_numbers(&self) -> Vec<usize> {
        self.results.finished().keys().copied().collect()
    }

    /// All that the journal is to restore, as text.
    pub(super) fn snapshot(&self) -> String {
        use std::fmt::Write as _;

        use movegen::Color;
        let mut text = format!("{:?} {:?}", self.names, self.results.finished());
        let _ = write!(
            text,
            "\n{:?} {:?} {:?} {:?} {:?}",
            self.config.players, self.replaced, self.paused, self.held, self.out
        );
        for (number, game) in &self.running {
            let referee = &game.referee;
            let _ = write!(
                text,
                "\n{number} {} {:?} {:?} {:?} {:?} {:?} {:?} {:?} {:?}",
                game.date,
                game.conditions,
                referee.game().moves(),
                referee.clock().used(),
                [Color::White, Color::Black].map(|color| referee.clock().remaining(color)),
                [Color::White, Color::Black].map(|color| referee.tags(color)),
                referee.decided(),
                game.plies,
                game.extensions,
            );
        }
        let _ = write!(text, "\n{} {}", self.results.test_snapshot(), self.next);
        let _ = write!(
            text,
            "\n{:?} {:?}",
            self.results.meetings(),
            self.results.ratings()
        );
        text
    }
}

#[cfg(test)]
mod tests;
