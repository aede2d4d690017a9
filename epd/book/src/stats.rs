//! What is known about a move: the operand of its operation.

use std::fmt;
use std::str::FromStr;

/// How often a move was played and with what success, from the point of view of the side that plays it.
///
/// ```
/// use epode_book::Stats;
///
/// let stats: Stats = "12 5 3 4 13 2024".parse().unwrap();
/// assert_eq!((stats.games, stats.wins, stats.year), (12, 5, 2024));
/// assert_eq!(stats.to_string(), "12 5 3 4 13 2024");
/// assert!("3 2 1 1 5 0".parse::<Stats>().is_err(), "4 results of 3 games");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Stats {
    /// Games in which the move was played. Those without a result are in no other number.
    pub games: u64,
    /// Games won by the side that played the move.
    pub wins: u64,
    /// Drawn games.
    pub draws: u64,
    /// Games lost by the side that played the move.
    pub losses: u64,
    /// How often to play the move, in proportion to the other moves of the position; never if 0.
    pub weight: u64,
    /// The year of the last game; 0 if it is unknown.
    pub year: u16,
}

/// The text is not the operand of a book move.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?}: expected \"GAMES WINS DRAWS LOSSES WEIGHT YEAR\", six numbers")]
pub struct StatsError(String);

impl Stats {
    /// Adds the games and weights of others.
    pub fn add(&mut self, other: &Self) {
        self.games = self.games.saturating_add(other.games);
        self.wins = self.wins.saturating_add(other.wins);
        self.draws = self.draws.saturating_add(other.draws);
        self.losses = self.losses.saturating_add(other.losses);
        self.weight = self.weight.saturating_add(other.weight);
        self.year = self.year.max(other.year);
    }
}

impl fmt::Display for Stats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            games,
            wins,
            draws,
            losses,
            weight,
            year,
        } = self;
        write!(f, "{games} {wins} {draws} {losses} {weight} {year}")
    }
}

impl FromStr for Stats {
    type Err = StatsError;

    fn from_str(text: &str) -> Result<Self, StatsError> {
        let fail = || StatsError(text.to_owned());
        let mut words = text.split_ascii_whitespace();
        let mut number = || -> Result<u64, StatsError> {
            let number = words.next().and_then(|word| word.parse().ok());
            number.ok_or_else(fail)
        };
        let stats = Self {
            games: number()?,
            wins: number()?,
            draws: number()?,
            losses: number()?,
            weight: number()?,
            year: number()?.try_into().map_err(|_| fail())?,
        };
        let results = stats
            .wins
            .checked_add(stats.draws)
            .and_then(|sum| sum.checked_add(stats.losses));
        if words.next().is_some() || results.is_none_or(|results| results > stats.games) {
            return Err(fail());
        }
        Ok(stats)
    }
}
