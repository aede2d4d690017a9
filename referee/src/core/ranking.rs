//! The order of the players where it is not by points and Sonneborn-Berger score alone.

use pairing::tiebreaks::{Kind, TieBreak, rank};
use pairing::{Event, Round};

use crate::core::ratings::LiveRatings;
use crate::core::schedule::knockout::{Bracket, Reached};
use crate::core::schedule::{Knockout, Situation, Swiss, swiss};
use crate::core::standings::{Ranked, Ranking};

/// By points, then by tie-breaks (FIDE Handbook C.07).
#[must_use]
pub fn by_tie_breaks(
    settings: Swiss,
    situation: &Situation<'_>,
    kind: Kind,
    tie_breaks: &[TieBreak],
) -> Ranking {
    let (event, seeds) = swiss::event(settings, situation);
    let places = rank(&event, kind, tie_breaks).into_iter();
    let mut players: Vec<_> = places
        .map(|place| {
            let player = seeds[place.player];
            Ranked {
                player,
                rank: place.rank,
                bye_points: bye_points(&event, place.player),
                values: place.values.iter().map(ToString::to_string).collect(),
            }
        })
        .collect();
    // Players who have never come are last.
    let last = players.len() + 1;
    let mut is_in = vec![false; situation.entrants.len()];
    for &player in &seeds {
        is_in[player] = true;
    }
    let others = (0..is_in.len()).filter(|&player| !is_in[player]);
    players.extend(others.map(|player| Ranked {
        player,
        rank: last,
        bye_points: 0.0,
        values: vec!["-".to_owned(); tie_breaks.len()],
    }));
    Ranking {
        columns: tie_breaks.iter().map(ToString::to_string).collect(),
        players,
    }
}

/// The points that byes have given a player.
fn bye_points(event: &Event, player: usize) -> f64 {
    let rounds = event.players[player].rounds.iter().take(event.paired);
    let byes = rounds.map(|round| match round {
        Round::PairingBye => f64::from(event.games),
        Round::HalfPointBye => f64::from(event.games) / 2.0,
        _ => 0.0,
    });
    byes.sum()
}

/// By the rounds that they have reached, then by seed.
#[must_use]
pub fn knockout(knockout: Knockout, situation: &Situation<'_>) -> Ranking {
    let bracket = Bracket::of(knockout, situation);
    let rounds = bracket.rounds.len();
    let rank = |player: usize| match bracket.reached(player) {
        Some(reached) => reached.rank(rounds),
        None => usize::MAX,
    };
    let mut order = situation.seeds(|_| true);
    order.sort_by_key(|&player| rank(player));
    let value = |player: usize| match bracket.reached(player) {
        Some(Reached::Place(1)) => "winner".to_owned(),
        Some(Reached::Place(2)) => "final".to_owned(),
        Some(Reached::Place(place)) => format!("place {place}"),
        Some(Reached::Round(round)) => bracket.round_name(round),
        None => "-".to_owned(),
    };
    ranking(
        vec!["Reached".to_owned()],
        &order,
        |one, other| rank(one) == rank(other),
        |player| vec![value(player)],
    )
}

/// By rating.
#[must_use]
pub fn ladder(ratings: &LiveRatings, players: usize) -> Ranking {
    let key = |player: usize| {
        ratings
            .of(player)
            .map_or(f64::NEG_INFINITY, |rating| rating.elo)
    };
    let mut order: Vec<usize> = (0..players).collect();
    order.sort_by(|&one, &other| key(other).total_cmp(&key(one)));
    let values = |player: usize| match ratings.of(player) {
        Some(rating) if ratings.is_anchor(player) => {
            vec![format!("{:.0}", rating.elo), "fixed".to_owned()]
        }
        Some(rating) => {
            let error = rating.error.map(|error| format!("{error:.0}"));
            vec![
                format!("{:.0}", rating.elo),
                error.unwrap_or_else(|| "-".to_owned()),
            ]
        }
        None => vec!["-".to_owned(), "-".to_owned()],
    };
    ranking(
        vec!["Rating".to_owned(), "\u{b1}".to_owned()],
        &order,
        |one, other| key(one).total_cmp(&key(other)).is_eq(),
        values,
    )
}

/// A ranking of players in this order: those share a rank that are equal.
fn ranking(
    columns: Vec<String>,
    order: &[usize],
    are_equal: impl Fn(usize, usize) -> bool,
    values: impl Fn(usize) -> Vec<String>,
) -> Ranking {
    let mut players: Vec<Ranked> = Vec::with_capacity(order.len());
    for (i, &player) in order.iter().enumerate() {
        let rank = match players.last() {
            Some(above) if are_equal(above.player, player) => above.rank,
            _ => i + 1,
        };
        players.push(Ranked {
            player,
            rank,
            bye_points: 0.0,
            values: values(player),
        });
    }
    Ranking { columns, players }
}
