//! What each player did in each round, as far as tie-breaks ask.

use super::kind::Kind;
use crate::event::{Event, Round};

/// How a round counts for tie-breaks (16.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Did {
    /// Over the board.
    Played,
    /// A forfeit won.
    ForfeitWin,
    /// A forfeit lost.
    ForfeitLoss,
    /// A pairing-allocated or full-point bye.
    AwardedBye,
    /// A half-point bye or an absence: a requested bye (16.1.1).
    RequestedBye,
}

impl Did {
    /// Whether the player was not there (16.1.2).
    pub(super) fn is_voluntary(self) -> bool {
        matches!(self, Self::ForfeitLoss | Self::RequestedBye)
    }
}

/// A round of a player. Points are in tenths.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub(super) did: Did,
    pub(super) opponent: Option<usize>,
    pub(super) points: u32,
}

/// The rounds of all players.
#[derive(Clone, Debug)]
pub(super) struct Table<'e> {
    pub(super) event: &'e Event,
    pub(super) kind: Kind,
    /// By player, by round.
    entries: Vec<Vec<Entry>>,
    /// By player: the points of all rounds.
    scores: Vec<u32>,
    /// By player: the score as the opponents' tie-breaks see it.
    adjusted: Vec<u32>,
}

impl<'e> Table<'e> {
    pub(super) fn new(event: &'e Event, kind: Kind) -> Self {
        let entries = event.players.iter().map(|player| {
            let rounds = player.rounds.iter().take(event.paired);
            rounds.map(|round| entry(event, round)).collect()
        });
        Self::with_entries(event, kind, entries.collect())
    }

    fn with_entries(event: &'e Event, kind: Kind, entries: Vec<Vec<Entry>>) -> Self {
        let draw = event.points.draw.tenths * event.games;
        let sum = |rounds: &Vec<Entry>| rounds.iter().map(|entry| entry.points).sum();
        let adjusted = |rounds: &Vec<Entry>| match kind {
            Kind::Swiss => adjusted_score(rounds, draw),
            Kind::RoundRobin => sum(rounds),
        };
        Self {
            scores: entries.iter().map(sum).collect(),
            adjusted: entries.iter().map(adjusted).collect(),
            event,
            kind,
            entries,
        }
    }

    /// The table as if all pairings of the last round had ended in draws (8.3).
    pub(super) fn fore(&self) -> Self {
        let mut entries = self.entries.clone();
        if self.event.paired == self.event.rounds {
            let last = entries.iter_mut().filter_map(|rounds| rounds.last_mut());
            for entry in last.filter(|entry| entry.opponent.is_some()) {
                entry.did = Did::Played;
                entry.points = self.draw();
            }
        }
        Self::with_entries(self.event, self.kind, entries)
    }

    pub(super) fn size(&self) -> usize {
        self.entries.len()
    }

    /// The points that a draw gives in a round, in all games of the meeting.
    pub(super) fn draw(&self) -> u32 {
        self.event.points.draw.tenths * self.event.games
    }

    pub(super) fn entries(&self, player: usize) -> &[Entry] {
        &self.entries[player]
    }

    /// The player's rounds, as the event has them.
    pub(super) fn rounds(&self, player: usize) -> &'e [Round] {
        &self.event.players[player].rounds[..self.entries[player].len()]
    }

    pub(super) fn score(&self, player: usize) -> u32 {
        self.scores[player]
    }

    pub(super) fn adjusted(&self, player: usize) -> u32 {
        self.adjusted[player]
    }

    /// Those met over the board, once for each round.
    pub(super) fn opponents(&self, player: usize) -> impl Iterator<Item = usize> {
        let played = self.entries[player]
            .iter()
            .filter(|entry| entry.did == Did::Played);
        played.filter_map(|entry| entry.opponent)
    }
}

fn entry(event: &Event, round: &Round) -> Entry {
    let did = match round {
        Round::Played { .. } | Round::Match { .. } => Did::Played,
        Round::Forfeit { won: true, .. } => Did::ForfeitWin,
        Round::Forfeit { won: false, .. } => Did::ForfeitLoss,
        Round::PairingBye | Round::FullPointBye => Did::AwardedBye,
        Round::HalfPointBye | Round::Absent => Did::RequestedBye,
    };
    Entry {
        did,
        opponent: round.opponent(),
        points: round.score(&event.points, event.games).tenths,
    }
}

/// 16.3: requested byes that no round follows in which the player was there count as draws.
fn adjusted_score(rounds: &[Entry], draw: u32) -> u32 {
    let there = |entry: &Entry| !entry.did.is_voluntary();
    let end = rounds.iter().rposition(there).map_or(0, |last| last + 1);
    let points = |(round, entry): (usize, &Entry)| {
        if round >= end && entry.did == Did::RequestedBye {
            draw
        } else {
            entry.points
        }
    };
    rounds.iter().enumerate().map(points).sum()
}
