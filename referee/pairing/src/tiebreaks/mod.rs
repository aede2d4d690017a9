//! Tie-breaks by the Play-Off and Tie-Break Regulations of FIDE (Handbook C.07), the edition applied from 1 March 2026.
//!
//! [`rank`] puts the players of an event in order: by points, then, within each group of players still tied, by one
//! tie-break after the other (4.2). Players whom no tie-break separates share a rank.
//!
//! # Unplayed rounds
//!
//! [`Kind`] says which rules apply. In a round robin, a forfeit counts like a game against that opponent (15.2), but not
//! where games over the board or ratings are counted; a round without an opponent counts for nothing. In a Swiss event
//! (article 16):
//! - For the tie-breaks of the opponents, the score of a player is adjusted: half-point byes and absences after which
//!   the player was present no more count as draws (16.3).
//! - For the player's own tie-breaks, an unplayed round is one against a dummy with the player's own score, but for a
//!   forfeit at most the adjusted score of the opponent, for other rounds at most the points of a draw in each round
//!   (16.4). The number of rounds is that of the rounds paired so far.
//! - A cut takes the lowest contribution of a round that the player missed (half-point bye, absence, forfeit lost), unless
//!   that is lower than the one that would be cut otherwise (16.5).
//!
//! # Meetings of several games
//!
//! Where players meet in several games ([`Event::games`]), an opponent counts once a round, with the points of the whole
//! meeting. Wins, games with Black and performances count games.

mod direct;
mod kind;
mod name;
mod opponents;
mod own;
mod ratings;
mod table;
mod value;

use crate::event::{Event, Score};
use direct::DirectEncounter;
pub use kind::Kind;
pub use name::{Cut, ParseTieBreakError, TieBreak};
use ratings::Ratings;
use std::cmp::Reverse;
use table::Table;
pub use value::Value;

/// A player's place in the standings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The index in [`Event::players`].
    pub player: usize,
    /// From one on. Players whom no tie-break separates have the same rank.
    pub rank: usize,
    /// The points won.
    pub points: Score,
    /// The values of the tie-breaks, in their order.
    pub values: Vec<Value>,
}

/// The standings of an event after the rounds that were paired, best first; players of the same rank by their index.
///
/// The event must be free of faults ([`Event::check`]).
#[must_use]
pub fn rank(event: &Event, kind: Kind, order: &[TieBreak]) -> Vec<Place> {
    let table = Table::new(event, kind);
    let players: Vec<usize> = (0..event.players.len()).collect();
    let mut values: Vec<Vec<Value>> = vec![Vec::with_capacity(order.len()); players.len()];
    let mut groups = split(&[players], |player| table.score(player));
    for &tie_break in order {
        let column = if tie_break == TieBreak::DirectEncounter {
            DirectEncounter::new(&table).ranks(&groups)
        } else {
            column(&table, tie_break)
        };
        groups = split(&groups, |player| column[player].key());
        for (row, value) in values.iter_mut().zip(column) {
            row.push(value);
        }
    }
    let mut places = Vec::with_capacity(values.len());
    for group in groups {
        let rank = places.len() + 1;
        places.extend(group.into_iter().map(|player| Place {
            player,
            rank,
            points: Score::tenths(table.score(player)),
            values: std::mem::take(&mut values[player]),
        }));
    }
    places
}

/// Splits each group into those of the same key, the highest key first. Players stay in their order otherwise.
fn split<K: Ord>(groups: &[Vec<usize>], key: impl Fn(usize) -> K) -> Vec<Vec<usize>> {
    let mut parts = Vec::new();
    for group in groups {
        let mut sorted = group.clone();
        sorted.sort_by_key(|&player| Reverse(key(player)));
        let equal = |&one: &usize, &two: &usize| key(one) == key(two);
        parts.extend(sorted.chunk_by(equal).map(<[usize]>::to_vec));
    }
    parts
}

/// The value of a tie-break for each player.
fn column(table: &Table, tie_break: TieBreak) -> Vec<Value> {
    let each = |value: &dyn Fn(usize) -> Value| (0..table.size()).map(value).collect();
    match tie_break {
        TieBreak::DirectEncounter => vec![Value::None; table.size()],
        TieBreak::Wins => each(&|player| own::wins(table, player)),
        TieBreak::GamesWon => each(&|player| own::games_won(table, player)),
        TieBreak::BlackGames => each(&|player| own::black_games(table, player)),
        TieBreak::BlackWins => each(&|player| own::black_wins(table, player)),
        TieBreak::Progressive(cut) => each(&|player| own::progressive(table, player, cut)),
        TieBreak::RoundsElected => each(&|player| own::rounds_elected(table, player)),
        TieBreak::StandardPoints => each(&|player| own::standard_points(table, player)),
        TieBreak::PairingNumber => each(&|player| Value::Rank(player + 1)),
        TieBreak::Buchholz(cut) => each(&|player| opponents::buchholz(table, player, cut)),
        TieBreak::ForeBuchholz(cut) => {
            let fore = table.fore();
            each(&|player| opponents::buchholz(&fore, player, cut))
        }
        TieBreak::AverageBuchholz => opponents::average_buchholz(table, table),
        TieBreak::AverageForeBuchholz => opponents::average_buchholz(table, &table.fore()),
        TieBreak::SonnebornBerger(cut) => {
            each(&|player| opponents::sonneborn_berger(table, player, cut))
        }
        TieBreak::Koya { half_points } => opponents::koya(table, half_points),
        TieBreak::AverageRating(cut) => Ratings::new(table).averages(cut),
        TieBreak::Performance => Ratings::new(table).performances(),
        TieBreak::PerfectPerformance => Ratings::new(table).perfect_performances(),
        TieBreak::AveragePerformance => Ratings::new(table).average_performances(),
        TieBreak::AveragePerfectPerformance => Ratings::new(table).average_perfect_performances(),
        TieBreak::Rating => Ratings::new(table).ratings(),
    }
}
