//! Tie-breaks by the scores of the opponents (articles 8, 9, 14 and 16).

use super::kind::Kind;
use super::name::Cut;
use super::table::{Did, Entry, Table};
use super::value::Value;
use crate::event::Score;

/// What a round adds to a sum over opponents. Points are in tenths, so that products are in hundredths.
#[derive(Clone, Copy, Debug)]
struct Contribution {
    /// The score of the opponent or dummy.
    score: u32,
    value: u64,
    /// Whether the player was not there (16.1.2).
    voluntary: bool,
}

/// The scores of the player's opponents and dummies, each with the player's own points of that round.
fn scores(table: &Table, player: usize) -> Vec<(Contribution, u32)> {
    let event = table.event;
    let rounds = u32::try_from(event.paired).unwrap_or(u32::MAX);
    let most = table.draw().saturating_mul(rounds);
    let of_round = |entry: &Entry| {
        let (score, voluntary) = match (entry.opponent, table.kind) {
            (Some(opponent), _) if entry.did == Did::Played => (table.adjusted(opponent), false),
            (Some(opponent), Kind::RoundRobin) => (table.adjusted(opponent), false),
            (None, Kind::RoundRobin) => return None,
            (opponent, Kind::Swiss) => {
                let most = opponent.map_or(most, |opponent| table.adjusted(opponent));
                (table.score(player).min(most), entry.did.is_voluntary())
            }
        };
        let contribution = Contribution {
            score,
            value: score.into(),
            voluntary,
        };
        Some((contribution, entry.points))
    };
    table.entries(player).iter().filter_map(of_round).collect()
}

/// 8.1
pub(super) fn buchholz(table: &Table, player: usize, cut: Cut) -> Value {
    let scores = scores(table, player);
    let parts = scores.into_iter().map(|(contribution, _)| contribution);
    let sum = cut_sum(parts.collect(), cut);
    Value::Points(Score::tenths(u32::try_from(sum).unwrap_or(u32::MAX)))
}

/// 8.2: by the Buchholz of `table`, over the opponents met in `games`.
pub(super) fn average_buchholz(games: &Table, table: &Table) -> Vec<Value> {
    let tenths = |player| match buchholz(table, player, Cut::None) {
        Value::Points(points) => u64::from(points.tenths),
        _ => 0,
    };
    let all: Vec<u64> = (0..table.size()).map(tenths).collect();
    let average = |player| {
        let opponents: Vec<u64> = games.opponents(player).map(|other| all[other]).collect();
        let (sum, count) = (opponents.iter().sum::<u64>(), opponents.len() as u64);
        if count == 0 {
            Value::None
        } else {
            // Tenths times 10 are hundredths; halves are rounded up.
            Value::Hundredths((20 * sum + count) / (2 * count))
        }
    };
    (0..table.size()).map(average).collect()
}

/// 9.1
pub(super) fn sonneborn_berger(table: &Table, player: usize, cut: Cut) -> Value {
    let product = |(contribution, points): (Contribution, u32)| Contribution {
        value: contribution.value * u64::from(points),
        ..contribution
    };
    let parts = scores(table, player).into_iter().map(product);
    Value::Hundredths(cut_sum(parts.collect(), cut))
}

/// The sum of what is left after a cut (article 14).
fn cut_sum(mut parts: Vec<Contribution>, cut: Cut) -> u64 {
    let (least, most) = cut.counts();
    for _ in 0..least {
        if let Some(index) = least_significant(&parts) {
            parts.swap_remove(index);
        }
    }
    for _ in 0..most {
        let key = |&index: &usize| (parts[index].score, parts[index].value);
        if let Some(index) = (0..parts.len()).max_by_key(key) {
            parts.swap_remove(index);
        }
    }
    parts.iter().map(|part| part.value).sum()
}

/// The part to cut first (14.1.1 and 16.5): of the opponent with the lowest score, or else of a round that the player
/// missed, if that is not less.
fn least_significant(parts: &[Contribution]) -> Option<usize> {
    let by_score = |&index: &usize| (parts[index].score, parts[index].value);
    let least = (0..parts.len()).min_by_key(by_score)?;
    let missed = (0..parts.len()).filter(|&index| parts[index].voluntary);
    let by_value = |&index: &usize| (parts[index].value, parts[index].score);
    let missed = missed.min_by_key(by_value);
    missed
        .filter(|&index| parts[index].value >= parts[least].value)
        .or(Some(least))
}

/// 9.2 and 14.5. The possible points are those of wins in all rounds, in a round robin in as many as a player has
/// opponents.
pub(super) fn koya(table: &Table, half_points: i8) -> Vec<Value> {
    let paired = |player| {
        let entries = table.entries(player).iter();
        entries.filter(|entry| entry.opponent.is_some()).count()
    };
    let rounds = match table.kind {
        Kind::Swiss => table.event.paired,
        Kind::RoundRobin => (0..table.size()).map(paired).max().unwrap_or(0),
    };
    let win = i64::from(table.event.points.win.tenths) * i64::from(table.event.games);
    let twice_limit = win * rounds as i64 + 10 * i64::from(half_points);
    let of_player = |player| {
        let counts = |opponent: usize| 2 * i64::from(table.score(opponent)) >= twice_limit;
        let points = table.entries(player).iter().filter_map(|entry| {
            let opponent = entry.opponent.filter(|&opponent| counts(opponent));
            opponent.map(|_| entry.points)
        });
        Value::Points(Score::tenths(points.sum()))
    };
    (0..table.size()).map(of_player).collect()
}
