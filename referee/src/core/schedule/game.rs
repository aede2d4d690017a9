//! A game of the schedule.

use std::fmt;

/// The highest number of games in an event, so that a typing error in an event file cannot use up the
/// memory.
pub const MAX_GAMES: usize = 1_000_000;

/// A game of the schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pairing {
    /// The number of the game in the event, from 1.
    pub number: usize,
    /// The round, from 1.
    pub round: usize,
    /// The number of the game in its round, from 1.
    pub game: usize,
    /// The player of the white pieces, from 0.
    pub white: usize,
    /// The player of the black pieces, from 0.
    pub black: usize,
    /// The opening, from 0.
    pub opening: usize,
    /// The pair that the game belongs to, from 0: same players and opening, colours reversed.
    pub pair: usize,
}

impl Pairing {
    /// The value of the `Round` tag, round and game: `2.1` (PGN 8.1.1.4).
    #[must_use]
    pub fn round_tag(&self) -> impl fmt::Display + use<> {
        let (round, game) = (self.round, self.game);
        fmt::from_fn(move |f| write!(f, "{round}.{game}"))
    }
}
