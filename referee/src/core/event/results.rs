//! The results of a journal, as the stream of events has them.

use std::collections::HashMap;

use crate::core::event::interface::Report;
use crate::core::event::order::Order;
use crate::core::journal::Entry;
use crate::core::text::{shown, visible};

/// A report for each game that ended, in the journal's order. The stream of events may lack some of
/// them, if the disk was full when the referee was killed.
#[must_use]
pub fn results_of(entries: &[Entry]) -> Vec<Report> {
    // For each game its players and the number of its moves.
    let mut games: HashMap<usize, ([String; 2], usize)> = HashMap::new();
    let mut results = Vec::new();
    for entry in entries {
        // An order need not be about a game.
        let game = entry.game().unwrap_or_default();
        match entry {
            Entry::Begun {
                white,
                black,
                opening,
                ..
            } => {
                let names = [white, black].map(|name| shown(name));
                games.insert(game, (names, opening.moves.len()));
            }
            Entry::Moved { .. } => {
                if let Some((_, plies)) = games.get_mut(&game) {
                    *plies += 1;
                }
            }
            Entry::Ended {
                result,
                termination,
                forfeit,
                text,
                ..
            } => {
                if let Some(([white, black], plies)) = games.remove(&game) {
                    results.push(Report::Result {
                        game,
                        white,
                        black,
                        result: result.clone(),
                        termination: termination.clone(),
                        reason: visible(text).into_owned(),
                        verdict: forfeit.as_ref().and_then(|name| name.parse().ok()),
                        plies,
                    });
                }
            }
            Entry::Ordered { given, .. } => {
                if let (Order::Takeback { ply, .. }, Some((_, plies))) =
                    (&given.order, games.get_mut(&game))
                {
                    *plies = *ply;
                }
            }
            Entry::Withdrawn { .. } => {}
        }
    }
    results
}
