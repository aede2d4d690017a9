//! Tie-breaks by a player's own results (article 7).

use super::name::Cut;
use super::table::{Entry, Table};
use super::value::Value;
use crate::event::{Colour, Outcome, Round, Score, Tally};

/// The games that a player played with White and with Black in a round.
pub(super) fn tallies(round: &Round) -> [Tally; 2] {
    match *round {
        Round::Match { white, black, .. } => [white, black],
        Round::Played {
            colour, outcome, ..
        } => {
            let mut tally = Tally::default();
            match outcome {
                Outcome::Win => tally.wins = 1,
                Outcome::Draw => tally.draws = 1,
                Outcome::Loss => tally.losses = 1,
            }
            match colour {
                Colour::White => [tally, Tally::default()],
                Colour::Black => [Tally::default(), tally],
            }
        }
        _ => [Tally::default(); 2],
    }
}

fn count(table: &Table, player: usize, of_round: impl Fn(&Round) -> u32) -> Value {
    Value::Count(table.rounds(player).iter().map(of_round).sum())
}

/// 7.1
pub(super) fn wins(table: &Table, player: usize) -> Value {
    let event = table.event;
    let win = event.points.win;
    count(table, player, |round| {
        if round.was_played() {
            tallies(round).iter().map(|tally| tally.wins).sum()
        } else if round.score(&event.points, 1) >= win {
            event.games
        } else {
            0
        }
    })
}

/// 7.2
pub(super) fn games_won(table: &Table, player: usize) -> Value {
    count(table, player, |round| {
        tallies(round).iter().map(|tally| tally.wins).sum()
    })
}

/// 7.3
pub(super) fn black_games(table: &Table, player: usize) -> Value {
    count(table, player, |round| tallies(round)[1].games())
}

/// 7.4
pub(super) fn black_wins(table: &Table, player: usize) -> Value {
    count(table, player, |round| tallies(round)[1].wins)
}

/// 7.5
pub(super) fn progressive(table: &Table, player: usize, cut: Cut) -> Value {
    let entries = table.entries(player);
    let (first, last) = cut.counts();
    let end = entries.len().saturating_sub(last);
    let mut score = 0;
    let after_each = entries.iter().map(|entry| {
        score += entry.points;
        score
    });
    Value::Points(Score::tenths(after_each.take(end).skip(first).sum()))
}

/// 7.6
pub(super) fn rounds_elected(table: &Table, player: usize) -> Value {
    let elected = |entry: &&Entry| !entry.did.is_voluntary();
    let rounds = table.entries(player).iter().filter(elected).count();
    Value::Count(u32::try_from(rounds).unwrap_or(u32::MAX))
}

/// 7.7
pub(super) fn standard_points(table: &Table, player: usize) -> Value {
    let of_round = |(round, entry): (usize, &Entry)| {
        let measure = match entry.opponent {
            Some(opponent) => table.entries(opponent)[round].points,
            None => table.draw(),
        };
        match entry.points.cmp(&measure) {
            std::cmp::Ordering::Greater => 10,
            std::cmp::Ordering::Equal => 5,
            std::cmp::Ordering::Less => 0,
        }
    };
    let rounds = table.entries(player).iter().enumerate();
    Value::Points(Score::tenths(rounds.map(of_round).sum()))
}

/// The half points by the results over the board, and the number of those games.
pub(super) fn over_the_board(table: &Table, player: usize) -> (u32, u32) {
    let mut sum = (0, 0);
    for round in table.rounds(player) {
        for tally in tallies(round) {
            sum.0 += 2 * tally.wins + tally.draws;
            sum.1 += tally.games();
        }
    }
    sum
}
