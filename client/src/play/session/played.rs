//! A game as the PGN has it, with what this player knows of each move.

use std::time::Duration;

use movegen::{Move, Position};

/// A move of the game, with score and times for the PGN.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ply {
    pub mv: Move,
    /// The score, if this player moved.
    pub score: Option<i32>,
    /// The time taken, if this player moved.
    pub time: Option<Duration>,
    /// The remaining time of the mover by the referee's clock.
    pub clock: Option<Duration>,
}

/// A finished game for the PGN.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Played {
    /// The starting position.
    pub start: Position,
    pub plies: Vec<Ply>,
    /// The tags from the referee.
    pub tags: Vec<(String, String)>,
}

impl Played {
    /// The value of a tag.
    pub fn tag(&self, name: &str) -> Option<&str> {
        let mut tags = self.tags.iter();
        tags.find(|(tag, _)| tag == name)
            .map(|(_, value)| value.as_str())
    }

    /// Whether it has a result.
    pub fn is_finished(&self) -> bool {
        self.tag("Result").is_some_and(|result| result != "*")
    }

    /// Whether this is a later part of the same game.
    pub fn continues(&self, before: &Self) -> bool {
        let same = |name| self.tag(name) == before.tag(name);
        self.start == before.start
            && ["Event", "Date", "Round", "White", "Black"]
                .into_iter()
                .all(same)
    }

    /// Takes over what an earlier part of the game knows of the moves that both have.
    pub fn learn_from(&mut self, before: &Self) {
        for (ply, old) in self.plies.iter_mut().zip(&before.plies) {
            if ply.mv != old.mv {
                break;
            }
            ply.score = ply.score.or(old.score);
            ply.time = ply.time.or(old.time);
            ply.clock = ply.clock.or(old.clock);
        }
    }
}
