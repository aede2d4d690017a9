//! Tie-breaks by ratings (article 10).

use super::name::Cut;
use super::own::{over_the_board, tallies};
use super::table::{Did, Table};
use super::value::Value;
use crate::event::Tally;

/// The ratings of all players; none where a player is without one.
pub(super) struct Ratings<'t> {
    table: &'t Table<'t>,
    ratings: Option<Vec<i32>>,
}

/// The rating difference of each percentage from 50 to 100 (FIDE Rating Regulations, 8.1.1).
const DIFFERENCES: [i32; 51] = [
    0, 7, 14, 21, 29, 36, 43, 50, 57, 65, 72, 80, 87, 95, 102, 110, 117, 125, 133, 141, 149, 158,
    166, 175, 184, 193, 202, 211, 220, 230, 240, 251, 262, 273, 284, 296, 309, 322, 336, 351, 366,
    383, 401, 422, 444, 470, 501, 538, 589, 677, 800,
];

/// The largest rating difference of each percentage from 50 to 99 (FIDE Rating Regulations, 8.1.2).
const LIMITS: [i32; 50] = [
    3, 10, 17, 25, 32, 39, 46, 53, 61, 68, 76, 83, 91, 98, 106, 113, 121, 129, 137, 145, 153, 162,
    170, 179, 188, 197, 206, 215, 225, 235, 245, 256, 267, 278, 290, 302, 315, 328, 344, 357, 374,
    391, 411, 432, 456, 484, 517, 559, 619, 735,
];

/// The rating difference that belongs to a score in percent.
fn difference(percent: u32) -> i32 {
    let of = |percent: u32| DIFFERENCES[percent.saturating_sub(50).min(50) as usize];
    if percent < 50 {
        -of(100 - percent)
    } else {
        of(percent)
    }
}

/// The score in percent that is expected with a rating difference.
fn expected(difference: i32) -> i32 {
    let above = LIMITS.partition_point(|&limit| limit < difference.abs()) as i32;
    50 + above * difference.signum()
}

/// The average, halves rounded up.
fn average(values: &[i32]) -> Option<i32> {
    let count = i64::try_from(values.len())
        .ok()
        .filter(|&count| count > 0)?;
    let sum: i64 = values.iter().map(|&value| i64::from(value)).sum();
    i32::try_from((2 * sum + count).div_euclid(2 * count)).ok()
}

fn shown(rating: Option<i32>) -> Value {
    rating.map_or(Value::None, Value::Rating)
}

impl<'t> Ratings<'t> {
    pub(super) fn new(table: &'t Table<'t>) -> Self {
        let players = table.event.players.iter();
        let rating = |rating: u32| i32::try_from(rating).ok().filter(|&rating| rating > 0);
        Self {
            table,
            ratings: players.map(|player| rating(player.rating)).collect(),
        }
    }

    fn each(&self, value: impl Fn(&[i32], usize) -> Option<i32>) -> Vec<Option<i32>> {
        let players = 0..self.table.size();
        let of_player = |player| value(self.ratings.as_ref()?, player);
        players.map(of_player).collect()
    }

    /// The average of the values of the opponents met over the board.
    fn over_opponents(&self, values: &[Option<i32>]) -> Vec<Value> {
        let of_player = |player| {
            let opponents = self.table.opponents(player);
            let known: Vec<i32> = opponents.filter_map(|other| values[other]).collect();
            shown(average(&known))
        };
        (0..self.table.size()).map(of_player).collect()
    }

    /// 10.6
    pub(super) fn ratings(&self) -> Vec<Value> {
        let all = self.each(|ratings, player| Some(ratings[player]));
        all.into_iter().map(shown).collect()
    }

    /// 10.1
    pub(super) fn averages(&self, cut: Cut) -> Vec<Value> {
        let (least, most) = cut.counts();
        let all = self.each(|ratings, player| {
            let opponents = self.table.opponents(player);
            let mut known: Vec<i32> = opponents.map(|other| ratings[other]).collect();
            known.sort_unstable();
            let end = known.len().saturating_sub(most);
            average(known.get(least..end)?)
        });
        all.into_iter().map(shown).collect()
    }

    /// 10.2
    pub(super) fn performances(&self) -> Vec<Value> {
        self.performance_of_each().into_iter().map(shown).collect()
    }

    fn performance_of_each(&self) -> Vec<Option<i32>> {
        self.each(|ratings, player| {
            let opponents = self.table.opponents(player);
            let known: Vec<i32> = opponents.map(|other| ratings[other]).collect();
            let (half_points, games) = over_the_board(self.table, player);
            let percent = (100 * half_points + games) / (2 * games).max(1);
            Some(average(&known)? + difference(percent))
        })
    }

    /// 10.3
    pub(super) fn perfect_performances(&self) -> Vec<Value> {
        let all = self.perfect_performance_of_each();
        all.into_iter().map(shown).collect()
    }

    fn perfect_performance_of_each(&self) -> Vec<Option<i32>> {
        self.each(|ratings, player| {
            let (half_points, _) = over_the_board(self.table, player);
            let games = self.games(ratings, player);
            let (lowest, highest) = (
                games.iter().map(|game| game.0).min()?,
                games.iter().map(|game| game.0).max()?,
            );
            if half_points == 0 {
                return Some(lowest - 800);
            }
            let enough = |rating: i32| {
                let percent = games
                    .iter()
                    .map(|&(opponent, count)| i64::from(expected(rating - opponent)) * count);
                percent.sum::<i64>() >= 50 * i64::from(half_points)
            };
            // Below the first, the expected score is zero; with the last, it is full.
            let (mut below, mut above) = (lowest - 800, highest + 800);
            while below + 1 < above {
                let middle = i32::midpoint(below, above);
                if enough(middle) {
                    above = middle;
                } else {
                    below = middle;
                }
            }
            Some(above)
        })
    }

    /// For each round over the board: the opponent's rating, and how many games there were.
    fn games(&self, ratings: &[i32], player: usize) -> Vec<(i32, i64)> {
        let rounds = self.table.rounds(player).iter();
        let with_entries = rounds.zip(self.table.entries(player));
        let played = with_entries.filter(|(_, entry)| entry.did == Did::Played);
        played
            .filter_map(|(round, entry)| {
                let games: u32 = tallies(round).iter().map(Tally::games).sum();
                Some((ratings[entry.opponent?], i64::from(games)))
            })
            .collect()
    }

    /// 10.4
    pub(super) fn average_performances(&self) -> Vec<Value> {
        self.over_opponents(&self.performance_of_each())
    }

    /// 10.5
    pub(super) fn average_perfect_performances(&self) -> Vec<Value> {
        self.over_opponents(&self.perfect_performance_of_each())
    }
}
