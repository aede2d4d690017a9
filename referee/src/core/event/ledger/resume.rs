//! The ledger is rebuilt from its journal, and the journal is compared with the event file.

use std::collections::{BTreeMap, BTreeSet};

use epd::protocol::printable;

use crate::core::event::ledger::{Ledger, names_of};
use crate::core::journal::Entry;
use crate::core::openings::Opening;
use crate::core::schedule::Pairing;

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
    pub(super) fn at_the_beginning(&self) -> Self {
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
    pub(super) fn restore(&mut self, entry: Entry) -> Result<Option<String>, ResumeError> {
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

    /// Sets a player's name from the journal, unless the event file has it.
    pub(super) fn set_missing_name(&mut self, player: usize, name: &str) {
        if player >= self.config.players.len() {
            name.clone_into(&mut self.names[player]);
        }
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
}
