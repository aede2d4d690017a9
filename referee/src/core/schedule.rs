//! The schedule of an event: who plays whom, in which order, with which colours and opening.
//!
//! A schedule depends on its [`Settings`] only, so a resumed event computes the same one again.
//!
//! Two consecutive games of the same two players (their first and second, third and fourth, ...) are a
//! *pair*: the same opening with colours reversed. So colours alternate, and statistics can take a pair
//! as one observation.

mod gauntlet;
mod round_robin;

use std::collections::HashMap;
use std::fmt;

use rand::rngs::ChaCha8Rng;
use rand::{Rng, SeedableRng};
use serde::Deserialize;

pub use self::round_robin::berger;

use self::gauntlet::gauntlet;
use self::round_robin::{Meeting, round_robin};

/// The highest number of games in an event, so that a typing error in an event file cannot use up the
/// memory.
pub const MAX_GAMES: usize = 1_000_000;

/// The format of an event: who plays whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Everyone plays everyone, by Berger tables. With an odd number of players, one has a bye in each
    /// round. Colours are reversed in every second cycle.
    RoundRobin {
        /// How many times everyone meets everyone.
        cycles: usize,
    },
    /// Each of the first players, the seeds, plays each of the others. Seeds do not play each other.
    Gauntlet {
        /// The number of seeds.
        seeds: usize,
        /// How many times each seed meets each of the others.
        cycles: usize,
    },
    /// Two players; each pair of games is a round.
    Match,
}

/// The parameters of a schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The number of players.
    pub players: usize,
    /// The format of an event: who plays whom.
    pub format: Format,
    /// The number of games each time two players meet, with alternating colours.
    pub games_per_pairing: usize,
    /// The number of openings to draw from; 1 if all games begin from the starting position.
    pub openings: usize,
    /// The random seed for the order of openings.
    pub seed: u64,
    /// The order of the openings.
    pub order: OpeningOrder,
    /// The place in this order of the opening that is played first, from 0.
    pub first_opening: usize,
}

/// The order in which openings are played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OpeningOrder {
    /// That of the book.
    Sequential,
    /// An order that is drawn by the seed.
    #[default]
    Random,
}

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

/// Invalid settings of a schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)]
pub enum ScheduleError {
    #[error("{0} players, expected at least 2")]
    Players(usize),
    #[error("{0} players in a match, expected 2")]
    MatchPlayers(usize),
    #[error("{seeds} seeds among {players} players, expected from 1 to {}", players - 1)]
    Seeds { seeds: usize, players: usize },
    #[error("rounds is 0, expected at least 1")]
    Cycles,
    #[error("games_per_pairing is 0, expected at least 1")]
    Games,
    #[error("no opening, expected at least 1")]
    Openings,
    #[error("more than {MAX_GAMES} games")]
    TooMany,
}

/// The games of an event, in the order in which they are to be started.
///
/// ```
/// use referee::schedule::{Format, OpeningOrder, Settings, schedule};
///
/// let games = schedule(&Settings {
///     players: 4,
///     format: Format::RoundRobin { cycles: 1 },
///     games_per_pairing: 2,
///     openings: 100,
///     seed: 1,
///     order: OpeningOrder::Random,
///     first_opening: 0,
/// })?;
/// assert_eq!(games.len(), 12);
/// let (first, second) = (games[0], games[1]);
/// assert_eq!((first.white, first.black), (0, 3));
/// assert_eq!((second.white, second.black), (3, 0));
/// assert_eq!(first.opening, second.opening);
/// assert_eq!(games[4].round_tag().to_string(), "2.1");
/// # Ok::<(), referee::schedule::ScheduleError>(())
/// ```
pub fn schedule(settings: &Settings) -> Result<Vec<Pairing>, ScheduleError> {
    let games = count(settings)?;
    let mut schedule = Schedule {
        draw: openings(settings),
        pairs: 0,
        meetings: HashMap::new(),
        games: Vec::with_capacity(games),
    };
    let games_per_pairing = settings.games_per_pairing;
    match settings.format {
        Format::RoundRobin { cycles } => {
            for (round, meetings) in (1..).zip(round_robin(settings.players, cycles)) {
                schedule.add_round(round, &meetings, games_per_pairing);
            }
        }
        Format::Gauntlet { seeds, cycles } => {
            let table = gauntlet(seeds, settings.players - seeds);
            for (round, meetings) in (1..=cycles * table.len()).zip(table.iter().cycle()) {
                schedule.add_round(round, meetings, games_per_pairing);
            }
        }
        Format::Match => {
            for round in 1..=games_per_pairing.div_ceil(2) {
                let left = games_per_pairing - 2 * (round - 1);
                schedule.add_round(round, &[(0, 1)], left.min(2));
            }
        }
    }
    debug_assert_eq!(schedule.games.len(), games);
    Ok(schedule.games)
}

/// A schedule under construction.
struct Schedule {
    draw: Vec<usize>,
    /// The number of pairs so far.
    pairs: usize,
    /// For each two players (smaller number first): their number of games, who had White in the first
    /// one, and the pair of their last game.
    meetings: HashMap<(usize, usize), (usize, Meeting, usize)>,
    games: Vec<Pairing>,
}

impl Schedule {
    fn add_round(&mut self, round: usize, meetings: &[Meeting], games_per_pairing: usize) {
        let mut game = 0;
        for &meeting in meetings {
            for _ in 0..games_per_pairing {
                game += 1;
                self.add_game(round, game, meeting);
            }
        }
    }

    fn add_game(&mut self, round: usize, game: usize, meeting: Meeting) {
        let key = (meeting.0.min(meeting.1), meeting.0.max(meeting.1));
        let (played, (white, black), pair) =
            self.meetings.entry(key).or_insert((0, meeting, self.pairs));
        let reversed = *played % 2 == 1;
        if !reversed {
            *pair = self.pairs;
            self.pairs += 1;
        }
        *played += 1;
        self.games.push(Pairing {
            number: self.games.len() + 1,
            round,
            game,
            white: if reversed { *black } else { *white },
            black: if reversed { *white } else { *black },
            opening: self.draw[*pair % self.draw.len()],
            pair: *pair,
        });
    }
}

/// The number of games, if there can be a schedule.
fn count(settings: &Settings) -> Result<usize, ScheduleError> {
    let players = settings.players;
    if players < 2 {
        return Err(ScheduleError::Players(players));
    }
    let (meetings, cycles) = match settings.format {
        Format::RoundRobin { cycles } => (players.saturating_mul(players - 1) / 2, cycles),
        Format::Gauntlet { seeds, .. } if seeds == 0 || seeds >= players => {
            return Err(ScheduleError::Seeds { seeds, players });
        }
        Format::Gauntlet { seeds, cycles } => (seeds.saturating_mul(players - seeds), cycles),
        Format::Match if players != 2 => return Err(ScheduleError::MatchPlayers(players)),
        Format::Match => (1, 1),
    };
    if cycles == 0 {
        return Err(ScheduleError::Cycles);
    }
    if settings.games_per_pairing == 0 {
        return Err(ScheduleError::Games);
    }
    if settings.openings == 0 {
        return Err(ScheduleError::Openings);
    }
    let games = meetings
        .saturating_mul(cycles)
        .saturating_mul(settings.games_per_pairing);
    if games > MAX_GAMES {
        return Err(ScheduleError::TooMany);
    }
    Ok(games)
}

/// All openings in the order in which they are played.
fn openings(settings: &Settings) -> Vec<usize> {
    let mut order = match settings.order {
        OpeningOrder::Sequential => (0..settings.openings).collect(),
        OpeningOrder::Random => draw(settings.openings, settings.seed),
    };
    order.rotate_left(settings.first_opening % settings.openings);
    order
}

/// All openings, shuffled by the seed.
///
/// The shuffle is written out so that a schedule never changes: `ChaCha` is a published cipher, but the
/// `rand` crate may change its shuffles and ranges.
pub(crate) fn draw(openings: usize, seed: u64) -> Vec<usize> {
    let mut key = [0; 32];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    let mut rng = ChaCha8Rng::from_seed(key);
    let mut order: Vec<usize> = (0..openings).collect();
    // Fisher-Yates shuffle; the bias of the division is below openings / 2^64.
    for last in (1..openings).rev() {
        let drawn = rng.next_u64() % (last as u64 + 1);
        order.swap(last, drawn as usize);
    }
    order
}

#[cfg(test)]
mod tests;
