//! What the ledger holds, for the stream of events.

use crate::core::event::ledger::Ledger;
use crate::core::event::ledger::resume::ResumeError;
use crate::core::event::stream::{GameReport, Report, SCHEMA, Scheduled, Start};
use crate::core::journal::Entry;
use crate::core::standings::Replacement;
use crate::core::text::{shown, visible};

impl Ledger {
    /// A game in progress as it is now, for the stream of events.
    #[must_use]
    pub fn game_report(&self, number: usize) -> Option<GameReport> {
        let game = self.running.get(&number)?;
        let names = [game.pairing.white, game.pairing.black].map(|player| &*self.names[player]);
        let mode = self.config.variant.castling_mode();
        Some(game.report(names, self.elo(&game.pairing), mode, self.is_held(number)))
    }

    /// What the event is, for the stream of events.
    #[must_use]
    pub fn start_report(&self, address: &str) -> Start {
        Start {
            schema: SCHEMA,
            address: address.to_owned(),
            name: shown(&self.config.event),
            site: shown(&self.config.site),
            time_control: self.config.time_control.0.to_string(),
            variant: self.config.variant.to_string(),
            players: self.names.iter().map(|name| shown(name)).collect(),
            games: self.schedule().len(),
            schedule: self.schedule().iter().map(Scheduled::from).collect(),
            plan: self.results.plan().cloned(),
            meetings: self
                .results
                .meetings()
                .iter()
                .map(|played| played.meeting)
                .collect(),
            out: self.players_out().collect(),
            tie_breaks: self
                .results
                .tie_breaks()
                .iter()
                .map(ToString::to_string)
                .collect(),
            time_normalization: self.config.time_normalization,
            sprt: self.results.test(),
            replaced: self.replaced().cloned().collect(),
        }
    }

    /// Whose places others have taken, in the order of time.
    #[must_use]
    pub fn replaced(&self) -> impl DoubleEndedIterator<Item = &Replacement> {
        self.replaced.iter()
    }

    /// The finished games of this event's journal, in the order in which they ended, each as it was before
    /// its end, and its result. Those are left out for whose end `are_wanted` has false. The stream of events
    /// may lack some of them, if the disk was full when the referee was killed.
    pub fn finished_games(
        &self,
        entries: Vec<Entry>,
        are_wanted: &[bool],
    ) -> Result<Vec<[Report; 2]>, ResumeError> {
        let mut ledger = self.at_the_beginning();
        let mut finished = Vec::new();
        let mut are_wanted = are_wanted.iter();
        for entry in entries {
            if let Entry::Ended {
                game,
                result,
                termination,
                forfeit,
                text,
                ..
            } = &entry
                && are_wanted.next() == Some(&true)
                && let Some(report) = ledger.game_report(*game)
            {
                let end = Report::Result {
                    game: *game,
                    white: report.white.clone(),
                    black: report.black.clone(),
                    result: result.clone(),
                    termination: termination.clone(),
                    reason: visible(text).into_owned(),
                    verdict: forfeit.as_ref().and_then(|name| name.parse().ok()),
                    plies: report.opening_moves.len() + report.moves.len(),
                    is_unplayed: report.moves.is_empty(),
                };
                finished.push([Report::Game(Box::new(report)), end]);
            }
            ledger.restore(entry)?;
        }
        Ok(finished)
    }
}
