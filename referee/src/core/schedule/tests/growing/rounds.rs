//! Swiss events and knockouts: who meets whom in each round, who has a bye, and who wins.

use ::pairing::tiebreaks::Kind;
use movegen::pgn::Outcome;
use proptest::prelude::*;

use super::{Lot, Trial};
use crate::core::ranking::by_tie_breaks;
use crate::core::schedule::knockout::{Bracket, Decision, Reached};
use crate::core::schedule::tests::config;
use crate::core::schedule::{Format, GameEnd, Knockout, Presence, Step, Swiss, swiss};

fn swiss(rounds: usize) -> Format {
    Format::Swiss(Swiss {
        rounds,
        is_accelerated: false,
        first_is_white: true,
    })
}

fn knockout(extra_pairs: usize) -> Format {
    Format::Knockout(Knockout {
        has_third_place: true,
        extra_pairs,
    })
}

proptest! {
    #![proptest_config(config())]

    /// Nobody meets the same player twice or gets two byes, and everybody present is paired in each round.
    #[test]
    fn swiss_rounds(
        players in 2..20_usize,
        rounds in 1..7_usize,
        games in 1..4_usize,
        seed in any::<u64>(),
        is_accelerated in any::<bool>(),
    ) {
        let rounds = rounds.min(players - 1 + players % 2);
        let format = Format::Swiss(Swiss { rounds, is_accelerated, first_is_white: seed % 2 == 0 });
        let mut trial = Trial::new(format, players, games);
        let mut lot = Lot(seed);
        let early = trial.play(&mut |_, _| Outcome::ALL[lot.next() as usize % 3]);
        let mut met = vec![Vec::new(); players];
        for played in &trial.meetings {
            let meeting = played.meeting;
            prop_assert_eq!(meeting.games, if meeting.black.is_some() { games } else { 0 });
            for player in std::iter::once(meeting.white).chain(meeting.black) {
                met[player].push(meeting.opponent(player));
            }
        }
        let played = swiss::rounds_paired(&trial.meetings);
        prop_assert!(played == rounds || early.is_some());
        for opponents in met {
            prop_assert_eq!(opponents.len(), played);
            let mut different = opponents.clone();
            different.sort_unstable();
            different.dedup();
            prop_assert_eq!(different.len(), opponents.len());
        }
    }

    /// A knockout has one winner; nobody plays after a loss but for the third place; each pair of games has both
    /// colours.
    #[test]
    fn knockouts(
        players in 2..40_usize,
        pairs in 1..4_usize,
        extra in 0..3_usize,
        seed in any::<u64>(),
        out in prop::option::of(0..40_usize),
    ) {
        let mut trial = Trial::new(knockout(extra), players, 2 * pairs);
        let mut lot = Lot(seed);
        if let Some(out) = out.filter(|out| *out < players) {
            // It plays the first round, and then the arbiter puts it out.
            let Step::Pair(meetings) = trial.step(&[], &|_| 0.0) else { panic!("a round") };
            for meeting in meetings {
                trial.pair(meeting);
                let index = trial.meetings.len() - 1;
                trial.end(index, &mut |_, _| Outcome::Draw);
            }
            trial.presence[out] = Presence::Out;
        }
        let early = trial.play(&mut |_, _| Outcome::ALL[lot.next() as usize % 3]);
        prop_assert_eq!(early, None);
        let Format::Knockout(settings) = trial.plan.format else { panic!("a knockout") };
        let bracket = Bracket::of(settings, &trial.situation());
        prop_assert_eq!(bracket.rounds[0].len(), players.next_power_of_two() / 2);
        let places: Vec<_> = (0..players).map(|player| bracket.reached(player).expect("in the bracket")).collect();
        let count = |place| places.iter().filter(|reached| **reached == Reached::Place(place)).count();
        prop_assert_eq!((count(1), count(2)), (1, 1));
        prop_assert_eq!(count(3), usize::from(players > 2));
        prop_assert_eq!(count(4), usize::from(players > 3));
        trial.plan.entrants[players - 1].rating = Some(1);
        prop_assert_eq!(&Bracket::of(settings, &trial.situation()), &bracket, "ratings have changed");
        for one in bracket.matches() {
            let [Some(first), Some(second)] = one.players else { continue };
            prop_assert_eq!(one.games % 2, 0);
            prop_assert!(one.games <= 2 * (pairs + extra));
            let (more, less) = (one.half_points[0].max(one.half_points[1]), one.half_points[0].min(one.half_points[1]));
            match one.how {
                None => {
                    prop_assert!(more > less);
                    let winner = if one.half_points[0] > one.half_points[1] { first } else { second };
                    prop_assert_eq!(one.winner, Some(winner));
                }
                Some(Decision::Seed) => prop_assert_eq!((more - less, one.winner), (0, Some(first.min(second)))),
                Some(Decision::Withdrawal) => prop_assert_eq!(one.loser(), out),
                Some(Decision::Bye) => prop_assert!(false, "both are there"),
            }
        }
    }
}

#[test]
fn seeds_are_far_apart() {
    let mut trial = Trial::new(knockout(0), 6, 2);
    // Ratings go before numbers.
    trial.plan.entrants[5].rating = Some(3000);
    let Step::Pair(meetings) = trial.step(&[], &|_| 0.0) else {
        panic!("a round");
    };
    let couples: Vec<_> = meetings
        .iter()
        .map(|meeting| (meeting.white, meeting.black, meeting.games))
        .collect();
    let expected = [(5, None, 0), (2, Some(3), 2), (0, None, 0), (1, Some(4), 2)];
    assert_eq!(couples, expected);
    let Format::Knockout(settings) = trial.plan.format else {
        panic!("a knockout");
    };
    for meeting in meetings {
        trial.pair(meeting);
    }
    // What the event file says later does not matter.
    trial.plan.entrants[3].rating = Some(3500);
    let bracket = Bracket::of(settings, &trial.situation());
    let names: Vec<_> = (1..=3).map(|round| bracket.round_name(round)).collect();
    assert_eq!(names, ["quarterfinal", "semifinal", "final"]);
    assert_eq!(bracket.rounds[1][0].players, [Some(5), None]);
}

/// Four games, two at a time: who is three points ahead plays no more.
#[test]
fn a_match_that_is_won_ends() {
    let mut trial = Trial::new(knockout(0), 2, 6);
    trial.play(&mut |white, _| match white {
        0 => Outcome::White,
        _ => Outcome::Black,
    });
    assert_eq!(trial.games, 4, "4-0 of six games");
}

#[test]
fn a_tied_match_goes_on_in_pairs() {
    for (extra, games, winner) in [(0, 2, 0), (1, 4, 1), (5, 4, 1)] {
        let mut trial = Trial::new(knockout(extra), 2, 2);
        let mut count = 0;
        trial.play(&mut |white, _| {
            count += 1;
            match (count > 2, white) {
                (false, _) => Outcome::Draw,
                (true, 1) => Outcome::White,
                (true, _) => Outcome::Black,
            }
        });
        assert_eq!(trial.games, games);
        let Format::Knockout(settings) = trial.plan.format else {
            panic!("a knockout");
        };
        let bracket = Bracket::of(settings, &trial.situation());
        assert_eq!(bracket.rounds[0][0].winner, Some(winner));
    }
}

#[test]
fn groups_and_lists_never_meet() {
    let mut trial = Trial::new(swiss(3), 6, 1);
    trial.plan.entrants[0].group = Some("fish".to_owned());
    trial.plan.entrants[3].group = Some("fish".to_owned());
    trial.plan.forbidden = vec![vec![1, 4, 5]];
    trial.play(&mut |_, _| Outcome::Draw);
    for played in &trial.meetings {
        let meeting = played.meeting;
        let black = meeting.black.expect("an opponent");
        assert!(
            !trial.situation().is_forbidden(meeting.white, black),
            "{meeting:?}"
        );
    }
}

#[test]
fn byes_withdrawals_and_late_entries() {
    let mut trial = Trial::new(swiss(4), 7, 2);
    trial.plan.entrants[2].byes = vec![1, 3];
    trial.presence[6] = Presence::Vacant;
    let round = |trial: &mut Trial| {
        let Step::Pair(meetings) = trial.step(&[], &|_| 0.0) else {
            panic!("a round");
        };
        let first = trial.meetings.len();
        for meeting in meetings {
            trial.pair(meeting);
        }
        let mut paired = Vec::new();
        for index in first..trial.meetings.len() {
            trial.end(index, &mut |_, _| Outcome::White);
            let meeting = trial.meetings[index].meeting;
            paired.extend(std::iter::once(meeting.white).chain(meeting.black));
        }
        paired.sort_unstable();
        paired
    };
    assert_eq!(round(&mut trial), [0, 1, 3, 4, 5]);
    trial.presence[6] = Presence::Entered;
    trial.presence[0] = Presence::Out;
    assert_eq!(round(&mut trial), [1, 2, 3, 4, 5, 6]);
    assert_eq!(round(&mut trial), [1, 3, 4, 5, 6]);
    trial.presence[0] = Presence::Entered;
    assert_eq!(round(&mut trial), [0, 1, 2, 3, 4, 5, 6]);
    assert_eq!(trial.step(&[], &|_| 0.0), Step::Over { early: None });
    // Two half-point byes of two games each.
    let Format::Swiss(settings) = trial.plan.format else {
        panic!("a Swiss event");
    };
    let ranking = by_tie_breaks(settings, &trial.situation(), Kind::Swiss, &[]);
    let points = |player| {
        let mut players = ranking.players.iter();
        let ranked = players.find(|ranked| ranked.player == player);
        ranked.expect("ranked").bye_points
    };
    assert!((points(2) - 2.0).abs() < 1e-9);
}

/// Games that end before the first move are forfeits, unless the arbiter gave both players points.
#[test]
fn games_without_a_move() {
    use Outcome::{Black, Draw, White};
    for (results, points, plays_again) in [
        ([Some(White), Some(Black)], [4, 0], true),
        ([None, None], [0, 0], true),
        ([Some(Draw), Some(Draw)], [2, 2], false),
        ([Some(White), Some(White)], [2, 2], false),
    ] {
        let mut trial = Trial::new(swiss(1), 2, 2);
        trial.play(&mut |_, _| Draw);
        for (end, result) in trial.meetings[0].ends.iter_mut().zip(results) {
            *end = Some(GameEnd {
                result,
                is_walkover: true,
            });
        }
        let Format::Swiss(settings) = trial.plan.format else {
            panic!("a Swiss event");
        };
        let (event, seeds) = swiss::event(settings, &trial.situation());
        event.check().expect("no contradiction");
        for (place, &player) in seeds.iter().enumerate() {
            let tenths = 5 * points[usize::from(player != trial.meetings[0].meeting.white)];
            assert_eq!(event.score(place, 1).tenths, tenths, "{results:?}");
            let forfeit = matches!(
                event.players[place].rounds[0],
                ::pairing::Round::Forfeit { .. }
            );
            assert_eq!(forfeit, plays_again, "{results:?}");
        }
    }
}

#[test]
fn a_round_that_cannot_be_paired_ends_the_event() {
    let mut trial = Trial::new(swiss(3), 4, 1);
    trial.plan.forbidden = vec![vec![0, 1, 2]];
    let early = trial.play(&mut |_, _| Outcome::Draw);
    assert!(early.is_some_and(|why| why.starts_with("round 1 cannot be paired")));
}
