//! The finished games of a journal, for the stream of events.

use crate::core::event::ledger::{Ledger, ResumeError};
use crate::core::event::stream::Report;
use crate::core::journal::Entry;
use crate::core::text::visible;

impl Ledger {
    /// The finished games of this event's journal, in the order in which they ended, each as it was before
    /// its end, and its result. `is_wanted` is asked for each number of a game. The stream of events may
    /// lack some of them, if the disk was full when the referee was killed.
    pub fn finished_games(
        &self,
        entries: Vec<Entry>,
        mut is_wanted: impl FnMut(usize) -> bool,
    ) -> Result<Vec<[Report; 2]>, ResumeError> {
        let mut ledger = self.at_the_beginning();
        let mut finished = Vec::new();
        for entry in entries {
            if let Entry::Ended {
                game,
                result,
                termination,
                forfeit,
                text,
                ..
            } = &entry
                && is_wanted(*game)
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
                };
                finished.push([Report::Game(Box::new(report)), end]);
            }
            ledger.restore(entry)?;
        }
        Ok(finished)
    }
}
