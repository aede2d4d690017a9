//! The schedule of an event: who plays whom, in which order, with which colours and opening.
//!
//! The schedule of a round robin, a gauntlet or a match depends on its [`Settings`] only, so a resumed event computes
//! the same one again. Those of Swiss and knockout events and of ladders grow: [`next_step`] says who is paired next,
//! as a function of the settings and of what has been played ([`Situation`]). The journal keeps each [`Meeting`].
//!
//! Two consecutive games of the same two players (their first and second, third and fourth, ...) are a
//! *pair*: the same opening with colours reversed. So colours alternate, and statistics can take a pair
//! as one observation.

mod format;
mod game;
mod gauntlet;
pub mod knockout;
mod ladder;
mod meeting;
mod round_robin;
pub mod swiss;

use std::collections::HashMap;

use rand::rngs::ChaCha8Rng;
use rand::{Rng, SeedableRng};
use serde::Deserialize;

pub use self::format::{Format, Plan, next_step};
pub use self::game::{MAX_GAMES, Pairing};
pub use self::knockout::Knockout;
pub use self::ladder::Ladder;
pub use self::meeting::{Entrant, GameEnd, Meeting, Played, Presence, Situation, Step};
pub use self::round_robin::berger;
pub use self::swiss::Swiss;
use crate::core::text::counted;

use self::gauntlet::gauntlet;
use self::round_robin::{Couple, round_robin};

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

/// Invalid settings of a schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)]
pub enum ScheduleError {
    #[error("{}, expected at least 2", counted(*.0, "player"))]
    Players(usize),
    #[error("{} in a match, expected 2", counted(*.0, "player"))]
    MatchPlayers(usize),
    #[error("{seeds} seeds among {players} players, expected from 1 to {}", players - 1)]
    Seeds { seeds: usize, players: usize },
    #[error("rounds is 0, expected at least 1")]
    Cycles,
    #[error("games_per_pairing is 0, expected at least 1")]
    Games,
    #[error(
        "games_per_pairing is {0}, but the matches of a knockout consist of pairs of games: expected an even number"
    )]
    OddGames(usize),
    #[error("{rounds} rounds for {players} players, expected at most {}, as nobody meets the same player twice", players - 1 + players % 2)]
    Rounds { rounds: usize, players: usize },
    #[error("no opening, expected at least 1")]
    Openings,
    #[error("more than {MAX_GAMES} games")]
    TooMany,
}

/// The games of an event, in the order in which they are to be started; none if the schedule grows.
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
        Format::Swiss(_) | Format::Knockout(_) | Format::Ladder(_) => {}
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
    meetings: HashMap<(usize, usize), (usize, Couple, usize)>,
    games: Vec<Pairing>,
}

impl Schedule {
    fn add_round(&mut self, round: usize, meetings: &[Couple], games_per_pairing: usize) {
        let mut game = 0;
        for &meeting in meetings {
            for _ in 0..games_per_pairing {
                game += 1;
                self.add_game(round, game, meeting);
            }
        }
    }

    fn add_game(&mut self, round: usize, game: usize, meeting: Couple) {
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
        Format::Swiss(swiss) if swiss.rounds > players - 1 + players % 2 => {
            let rounds = swiss.rounds;
            return Err(ScheduleError::Rounds { rounds, players });
        }
        Format::Swiss(swiss) => (0, swiss.rounds),
        Format::Knockout(_) if !settings.games_per_pairing.is_multiple_of(2) => {
            return Err(ScheduleError::OddGames(settings.games_per_pairing));
        }
        Format::Knockout(_) | Format::Ladder(_) => (0, 1),
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
pub(crate) fn openings(settings: &Settings) -> Vec<usize> {
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
