//! The schedule of an event: who meets whom, in which order, with which colours, from which
//! opening.
//!
//! A schedule is a function of the [`Settings`] alone, so that an event that was interrupted is
//! resumed by computing it again.
//!
//! The games of two players are counted through the event. Each two of them, the first and second,
//! the third and fourth, are a *pair*: one opening, once with each colour. Thus colours alternate
//! between any two players, and statistics may take the two games of a pair as one observation.
//!
//! [`berger`] makes the Berger tables (FIDE Handbook C.05, Annex 1).

use std::collections::HashMap;
use std::fmt;

use rand::rngs::ChaCha8Rng;
use rand::{Rng, SeedableRng};

/// The most games that an event may have: a slip in a settings file must not eat up the memory.
pub const MAX_GAMES: usize = 1_000_000;

/// Who meets whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Everyone meets everyone, by Berger tables; with an odd number of players one has a bye in
    /// each round. Every second cycle has the colours reversed.
    RoundRobin {
        /// How often everyone meets everyone.
        cycles: usize,
    },
    /// Each of the first players, the seeds, meets each of the others. Seeds do not meet seeds.
    Gauntlet {
        /// How many of the first players are seeds.
        seeds: usize,
        /// How often each seed meets each of the others.
        cycles: usize,
    },
    /// Two players meet; each pair of games is a round.
    Match,
}

/// What a schedule is made from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The number of players.
    pub players: usize,
    /// Who meets whom.
    pub format: Format,
    /// The games that two players play whenever they meet, with alternating colours.
    pub games_per_pairing: usize,
    /// The number of openings to draw from; 1 where all games begin from the starting array.
    pub openings: usize,
    /// What the draw of the openings depends on.
    pub seed: u64,
}

/// A game to be played.
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
    /// The pair that the game belongs to, from 0: the same players, the same opening, once with
    /// each colour.
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

/// Settings from which no schedule can be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)]
pub enum ScheduleError {
    #[error("{0} players, expected at least 2")]
    Players(usize),
    #[error("{0} players in a match, expected 2")]
    MatchPlayers(usize),
    #[error("{seeds} seeds among {players} players, expected from 1 to {}", players - 1)]
    Seeds { seeds: usize, players: usize },
    #[error("no cycle, expected at least 1")]
    Cycles,
    #[error("no game per pairing, expected at least 1")]
    Games,
    #[error("no opening, expected at least 1")]
    Openings,
    #[error("more than {MAX_GAMES} games")]
    TooMany,
}

/// The games of an event, in the order in which they are to be started.
///
/// ```
/// use referee::pairing::{Format, Settings, schedule};
///
/// let games = schedule(&Settings {
///     players: 4,
///     format: Format::RoundRobin { cycles: 1 },
///     games_per_pairing: 2,
///     openings: 100,
///     seed: 1,
/// })?;
/// assert_eq!(games.len(), 12);
/// let (first, second) = (games[0], games[1]);
/// assert_eq!((first.white, first.black), (0, 3));
/// assert_eq!((second.white, second.black), (3, 0));
/// assert_eq!(first.opening, second.opening);
/// assert_eq!(games[4].round_tag().to_string(), "2.1");
/// # Ok::<(), referee::pairing::ScheduleError>(())
/// ```
pub fn schedule(settings: &Settings) -> Result<Vec<Pairing>, ScheduleError> {
    let games = count(settings)?;
    let mut schedule = Schedule {
        draw: draw(settings.openings, settings.seed),
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

/// Two players who meet; the first has White in the first of their games, the third, and so on.
type Meeting = (usize, usize);

/// A schedule that is being made.
struct Schedule {
    draw: Vec<usize>,
    /// How many pairs of games have been begun.
    pairs: usize,
    /// Of each two players how many games they have, who had White in the first, and which pair
    /// their last game belongs to. The key has the smaller number first.
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

/// The rounds of a round robin, one cycle after the other.
///
/// The last two rounds of each cycle that another one follows are played in reverse order, as the
/// Annex recommends: else a player would have one colour three times in a row, since most end a
/// cycle with the colour with which they begin the next.
fn round_robin(players: usize, cycles: usize) -> impl Iterator<Item = Vec<Meeting>> {
    (1..=cycles).flat_map(move |cycle| {
        let mut rounds = berger(players);
        let last = rounds.len() - 1;
        if cycle < cycles && last > 0 {
            rounds.swap(last - 1, last);
        }
        rounds
    })
}

/// The rounds of one cycle by Berger tables, White first; players are counted from 0. Of an odd
/// number of players, the one that would meet the next number has a bye.
#[must_use]
pub fn berger(players: usize) -> Vec<Vec<(usize, usize)>> {
    if players < 2 {
        return Vec::new();
    }
    let even = players.next_multiple_of(2);
    let last = even - 1;
    let round = |number: usize| {
        // All but the last player sit round a table in a ring. One of them meets the last player,
        // the others meet across: who sits as many seats after that one has White against who
        // sits as many seats before. From round to round the ring turns by half its length.
        let first = number * (even / 2) % last;
        let leader = if number.is_multiple_of(2) {
            (first, last)
        } else {
            (last, first)
        };
        let across = (1..even / 2).map(|k| ((first + k) % last, (first + last - k) % last));
        let present = |&(white, black): &Meeting| white.max(black) < players;
        std::iter::once(leader)
            .chain(across)
            .filter(present)
            .collect()
    };
    (0..last).map(round).collect()
}

/// The rounds in which each of the first players meets each of the others once. Nobody plays twice
/// in a round, and colours alternate like the squares of a chessboard whose ranks are the seeds and
/// whose files are the others, so that both have them in balance.
fn gauntlet(seeds: usize, others: usize) -> Vec<Vec<Meeting>> {
    let rounds = seeds.max(others);
    let round = |number: usize| {
        let meeting = |seat: usize| {
            let other_seat = (seat + number) % rounds;
            let (seed, other) = if seeds < others {
                (seat, other_seat)
            } else {
                (other_seat, seat)
            };
            if (seed + other) % 2 == 0 {
                (seed, seeds + other)
            } else {
                (seeds + other, seed)
            }
        };
        (0..seeds.min(others)).map(meeting).collect()
    };
    (0..rounds).map(round).collect()
}

/// All openings in an order that the seed decides.
///
/// Generator and shuffle are spelt out so that a schedule never changes: `ChaCha` is a published
/// cipher, and the library does not promise that its own shuffles and ranges stay as they are.
fn draw(openings: usize, seed: u64) -> Vec<usize> {
    let mut key = [0; 32];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    let mut rng = ChaCha8Rng::from_seed(key);
    let mut order: Vec<usize> = (0..openings).collect();
    // Fisher and Yates; the bias of the division is below openings / 2^64.
    for last in (1..openings).rev() {
        let drawn = rng.next_u64() % (last as u64 + 1);
        order.swap(last, drawn as usize);
    }
    order
}

#[cfg(test)]
mod tests;
