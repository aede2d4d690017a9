//! Laws that hold for all events.

use epode_pairing::tiebreaks::{Cut, Kind, Place, TieBreak, Value, rank};
use epode_pairing::{Event, Outcome, Player, Round, Tally};
use proptest::prelude::*;

use super::random_events::play_all;
use super::ranks;

/// All tie-breaks but those by the numbers of the players.
fn all() -> Vec<TieBreak> {
    "BH-C1 BH BH-M1 FB AOB AOB-F SB SB-C1 KS DE WIN WON BPG BWG PS PS-C1 REP STD ARO TPR PTP APRO APPO RTNG"
        .split(' ')
        .map(|name| name.parse().unwrap())
        .collect()
}

/// The event with other indices: the player `order[i]` becomes the player `i`.
fn relabelled(event: &Event, order: &[usize]) -> Event {
    let mut new_index = vec![0; order.len()];
    for (new, &old) in order.iter().enumerate() {
        new_index[old] = new;
    }
    let mut other = event.clone();
    other.players = order
        .iter()
        .map(|&old| event.players[old].clone())
        .collect();
    for round in other
        .players
        .iter_mut()
        .flat_map(|player| &mut player.rounds)
    {
        match round {
            Round::Played { opponent, .. }
            | Round::Match { opponent, .. }
            | Round::Forfeit { opponent, .. } => *opponent = new_index[*opponent],
            _ => {}
        }
    }
    other
}

/// The same event with meetings of two games that end 2-0, 1-1 or 0-2.
fn doubled(event: &Event) -> Event {
    let mut double = event.clone();
    double.games = 2;
    for round in double
        .players
        .iter_mut()
        .flat_map(|player| &mut player.rounds)
    {
        if let Round::Played {
            opponent,
            colour,
            outcome,
            ..
        } = *round
        {
            let mut tally = Tally::default();
            match outcome {
                Outcome::Win => tally.wins = 1,
                Outcome::Draw => tally.draws = 1,
                Outcome::Loss => tally.losses = 1,
            }
            *round = Round::Match {
                opponent,
                colour,
                white: tally,
                black: tally,
            };
        }
    }
    double.check().unwrap();
    double
}

fn value_of(places: &[Place], player: usize, index: usize) -> Value {
    places
        .iter()
        .find(|place| place.player == player)
        .expect("a place")
        .values[index]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn other_labels_give_the_same_places(seed: u64, robin: bool, random in any::<prop::sample::Index>()) {
        let (event, _) = play_all(seed);
        let count = event.players.len();
        // A rotation, and the first half reversed.
        let start = random.index(count);
        let mut order: Vec<usize> = (0..count).map(|place| (start + place) % count).collect();
        order[..count / 2].reverse();
        let kind = if robin { Kind::RoundRobin } else { Kind::Swiss };
        let places = |event: &Event, back: &dyn Fn(usize) -> usize| {
            let mut places = rank(event, kind, &all());
            for place in &mut places {
                place.player = back(place.player);
            }
            places.sort_by_key(|place| place.player);
            places
        };
        let other = relabelled(&event, &order);
        prop_assert_eq!(places(&event, &|player| player), places(&other, &|player| order[player]));
    }

    /// Each score counts once for each opponent over the board; dummies are the rest.
    #[test]
    fn the_sum_of_all_buchholz_scores(seed: u64) {
        let (mut event, _) = play_all(seed);
        let paired = event.paired;
        // Nobody missed a round.
        let keep = |player: &Player| player.rounds.iter().take(paired).all(Round::was_played);
        prop_assume!(event.players.iter().any(keep));
        for player in &mut event.players {
            player.rounds.truncate(paired);
        }
        let tenths = |value: Value| match value {
            Value::Points(points) => points.tenths,
            _ => panic!("not points"),
        };
        // In a round robin there are no dummies, and scores are not adjusted.
        let places = rank(&event, Kind::RoundRobin, &[TieBreak::Buchholz(Cut::None)]);
        let sum: u32 = places.iter().map(|place| tenths(place.values[0])).sum();
        let expected: u32 = (0..event.players.len())
            .map(|player| {
                let rounds = event.players[player].rounds.iter();
                let opponents = rounds.filter(|round| round.opponent().is_some()).count();
                event.score(player, paired).tenths * opponents as u32
            })
            .sum();
        prop_assert_eq!(sum, expected);
        for player in (0..event.players.len()).filter(|&player| keep(&event.players[player])) {
            let by_kind = |kind| value_of(&rank(&event, kind, &[TieBreak::Buchholz(Cut::None)]), player, 0);
            // Those without a missed round differ by the draws that their opponents' last absences count as.
            prop_assert!(tenths(by_kind(Kind::Swiss)) >= tenths(by_kind(Kind::RoundRobin)));
        }
    }

    /// A tie-break orders only those whom points and earlier tie-breaks leave tied.
    #[test]
    fn later_tie_breaks_only_refine(seed: u64) {
        let (event, _) = play_all(seed);
        let order = all();
        let mut before = ranks(&event, Kind::Swiss, &[]);
        for length in 1..=order.len() {
            let after = ranks(&event, Kind::Swiss, &order[..length]);
            for one in 0..before.len() {
                for two in 0..before.len() {
                    prop_assert!(before[one] >= before[two] || after[one] < after[two]);
                }
            }
            before = after;
        }
    }

    #[test]
    fn a_meeting_of_two_games_counts_like_a_game(seed: u64) {
        let (event, _) = play_all(seed);
        let double = doubled(&event);
        // Each of the two games has its colour.
        let by_colour = [TieBreak::BlackGames, TieBreak::BlackWins];
        let order: Vec<TieBreak> = all().into_iter().filter(|tie_break| !by_colour.contains(tie_break)).collect();
        prop_assert_eq!(ranks(&event, Kind::Swiss, &order), ranks(&double, Kind::Swiss, &order));
        let [single, double] = [&event, &double].map(|event| rank(event, Kind::Swiss, &order));
        for (one, two) in single.iter().zip(&double) {
            prop_assert_eq!(2 * one.points.tenths, two.points.tenths);
            for ((tie_break, one), two) in order.iter().zip(&one.values).zip(&two.values) {
                let factor = match tie_break {
                    TieBreak::SonnebornBerger(_) => 4.0,
                    TieBreak::Wins | TieBreak::GamesWon | TieBreak::Progressive(_) | TieBreak::Koya { .. }
                        | TieBreak::Buchholz(_) | TieBreak::ForeBuchholz(_)
                        | TieBreak::AverageBuchholz | TieBreak::AverageForeBuchholz => 2.0,
                    _ => 1.0,
                };
                prop_assert_eq!(one.number().is_some(), two.number().is_some());
                let [one, two] = [one, two].map(|value| value.number().unwrap_or(0.0));
                // Averages are rounded after doubling.
                prop_assert!((factor * one - two).abs() < 0.011, "{}: {} {}", tie_break, one, two);
            }
        }
    }
}
