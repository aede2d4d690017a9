//! The laws of schedules that grow, in events whose results are drawn by lot.

use ::pairing::tiebreaks::Kind;
use movegen::pgn::Outcome;
use proptest::prelude::*;

use super::super::knockout::{Bracket, Decision, Reached};
use super::super::*;
use super::config;
use crate::core::ranking::by_tie_breaks;
use crate::core::ratings::{GameResult, LiveRatings, Settings as RatingSettings, rate};

/// Numbers that look random.
#[derive(Clone, Debug)]
struct Lot(u64);

impl Lot {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// An event whose games are played in an instant.
#[derive(Clone, Debug)]
struct Trial {
    plan: Plan,
    presence: Vec<Presence>,
    meetings: Vec<Played>,
    games: usize,
    ended: usize,
}

impl Trial {
    fn new(format: Format, players: usize, games_per_pairing: usize) -> Self {
        Self {
            plan: Plan {
                format,
                games_per_pairing,
                entrants: vec![Entrant::default(); players],
                forbidden: Vec::new(),
            },
            presence: vec![Presence::Entered; players],
            meetings: Vec::new(),
            games: 0,
            ended: 0,
        }
    }

    fn situation(&self) -> Situation<'_> {
        Situation {
            games_per_pairing: self.plan.games_per_pairing,
            entrants: &self.plan.entrants,
            presence: &self.presence,
            forbidden: &self.plan.forbidden,
            meetings: &self.meetings,
        }
    }

    fn step(&self, is_free: &[bool], rating: &dyn Fn(usize) -> f64) -> Step {
        next_step(self.plan.format, &self.situation(), is_free, rating)
    }

    fn pair(&mut self, meeting: Meeting) {
        self.meetings.push(Played::new(meeting, self.games + 1));
        self.games += meeting.games;
    }

    /// Ends the games of a meeting.
    fn end(&mut self, index: usize, result: &mut dyn FnMut(usize, usize) -> Outcome) {
        let played = &mut self.meetings[index];
        let Some(black) = played.meeting.black else {
            return;
        };
        for game in 0..played.ends.len() {
            let players = [played.meeting.white, black];
            let [white, black] = [players[game % 2], players[1 - game % 2]];
            played.ends[game] = Some(GameEnd {
                result: Some(result(white, black)),
                is_walkover: false,
            });
        }
        self.ended += 1;
        played.ended_at = self.ended;
    }

    /// Plays until the schedule says that it is over; returns why, if that is early.
    fn play(&mut self, result: &mut dyn FnMut(usize, usize) -> Outcome) -> Option<String> {
        loop {
            match self.step(&[], &|_| 0.0) {
                Step::Over { early } => return early,
                Step::Wait => panic!("all games have ended"),
                Step::Pair(meetings) => {
                    assert!(!meetings.is_empty());
                    let first = self.meetings.len();
                    for meeting in meetings {
                        self.pair(meeting);
                    }
                    for index in first..self.meetings.len() {
                        self.end(index, result);
                    }
                }
            }
        }
    }
}

/// The stronger player wins, or draws, by lot.
fn by_strength(lot: &mut Lot, white: f64, black: f64) -> Outcome {
    let expected = 1.0 / (1.0 + 10_f64.powf((black - white) / 400.0));
    let draw = expected.min(1.0 - expected);
    match lot.unit() {
        x if x < expected - draw / 2.0 => Outcome::White,
        x if x < expected + draw / 2.0 => Outcome::Draw,
        _ => Outcome::Black,
    }
}

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

const LADDER: Format = Format::Ladder(Ladder { games: None });

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

/// In a ladder of fixed strengths the ratings become those; nobody waits while it could play, no siblings meet, and
/// colours are balanced.
#[test]
fn a_ladder_finds_the_strengths() {
    let players = 48;
    let mut trial = Trial::new(LADDER, players, 1);
    trial.plan.entrants[0].group = Some("a".to_owned());
    trial.plan.entrants[1].group = Some("a".to_owned());
    let strength = |player: usize| 2000.0 + 25.0 * player as f64;
    let mut ratings = LiveRatings::new(&vec![(None, false); players]);
    let mut lot = Lot(1);
    // Games that are being played, in the order in which they end.
    let mut running: Vec<usize> = Vec::new();
    let mut is_free = vec![true; players];
    let mut waits = vec![0; players];
    let mut whites = vec![0_i64; players];
    while trial.games < 4000 {
        while let Step::Pair(meetings) = trial.step(&is_free, &|player| ratings.elo(player)) {
            for meeting in meetings {
                let black = meeting.black.expect("an opponent");
                let pair = (meeting.white.min(black), meeting.white.max(black));
                assert_ne!(pair, (0, 1));
                (is_free[meeting.white], is_free[black]) = (false, false);
                whites[meeting.white] += 1;
                whites[black] -= 1;
                running.push(trial.meetings.len());
                trial.pair(meeting);
            }
        }
        for player in 0..players {
            waits[player] = if is_free[player] {
                waits[player] + 1
            } else {
                0
            };
            // Each game that ends lets two players wait, and those who wait longest are paired.
            assert!(waits[player] <= players / 8 + 2, "{player} waits");
        }
        let index = running.swap_remove(lot.next() as usize % running.len());
        trial.end(index, &mut |white, black| {
            by_strength(&mut lot, strength(white), strength(black))
        });
        let played = &trial.meetings[index];
        let black = played.meeting.black.expect("an opponent");
        let result = played.ends[0].and_then(|end| end.result).expect("a result");
        ratings.add(GameResult {
            white: played.meeting.white,
            black,
            half_points: result.half_points(movegen::Color::White) as u8,
        });
        (is_free[played.meeting.white], is_free[black]) = (true, true);
    }
    assert!(
        whites.iter().all(|balance| balance.abs() <= 2),
        "{whites:?}"
    );
    ratings.compute();
    let mean = (0..players).map(|player| ratings.elo(player)).sum::<f64>() / players as f64;
    let mean_strength = (0..players).map(strength).sum::<f64>() / players as f64;
    let is_within = |player: &usize| {
        let rating = ratings.of(*player).expect("rated");
        (rating.elo - mean - (strength(*player) - mean_strength)).abs() <= rating.error
    };
    let within = (0..players).filter(is_within).count();
    assert!(within >= players - 4, "{within} of {players}");
    // Close opponents meet more often.
    let differences = trial.meetings.iter().map(|played| {
        let black = played.meeting.black.expect("an opponent");
        played.meeting.white.abs_diff(black)
    });
    let mean = differences.sum::<usize>() as f64 / trial.meetings.len() as f64;
    assert!(
        mean < 11.0,
        "a difference of {mean} places; by chance it would be 16.3"
    );
}

/// The ratings that follow the games are close to the exact ones at any time, and equal to those of the crate's
/// equations when they are computed.
#[test]
fn live_ratings_follow_the_exact_ones() {
    let players = 8;
    let strength = |player: usize| 100.0 * player as f64;
    let mut live = LiveRatings::new(&vec![(None, false); players]);
    let mut lot = Lot(7);
    let mut games = Vec::new();
    for count in 1..=900 {
        let white = lot.next() as usize % players;
        let black = (white + 1 + lot.next() as usize % (players - 1)) % players;
        let result = by_strength(&mut lot, strength(white), strength(black));
        let game = GameResult {
            white,
            black,
            half_points: result.half_points(movegen::Color::White) as u8,
        };
        games.push(game);
        live.add(game);
        if count < 300 {
            continue;
        }
        let mut exact = live.clone();
        exact.compute();
        for player in 0..players {
            let difference = (live.elo(player) - exact.elo(player)).abs();
            assert!(difference < 25.0, "{player} after {count}: {difference}");
        }
    }
    live.compute();
    let exact = rate(players, &games, &RatingSettings::default());
    let elo = |player: usize| exact.of(player).expect("rated").elo;
    for player in 1..players {
        let live = live.elo(player) - live.elo(0);
        let exact = elo(player) - elo(0);
        // The draws that everybody begins with pull the ratings together.
        assert!(
            (live / exact - 1.0).abs() < 0.05,
            "{player}: {live} {exact}"
        );
    }
}

#[test]
fn anchors_stay() {
    let mut ratings =
        LiveRatings::new(&[(Some(3000.0), true), (None, false), (Some(2000.0), false)]);
    assert!((ratings.elo(1) - 2500.0).abs() < 1e-9);
    for _ in 0..200 {
        for (white, black) in [(0, 1), (1, 0), (2, 1)] {
            let half_points = u8::from(white != 2);
            ratings.add(GameResult {
                white,
                black,
                half_points,
            });
        }
    }
    assert!((ratings.elo(0) - 3000.0).abs() < 1e-9);
    assert!((ratings.elo(1) - 3000.0).abs() < 40.0, "{}", ratings.elo(1));
    assert_eq!(ratings.of(0).map(|rating| rating.error), Some(0.0));
    assert_eq!(ratings.course(0).len(), 400);
}

/// Two players alone meet again and again; with three, nobody meets the same one twice in a row.
#[test]
fn small_ladders() {
    let play = |players: usize| {
        let mut trial = Trial::new(LADDER, players, 2);
        for _ in 0..12 {
            let Step::Pair(meetings) = trial.step(&vec![true; players], &|_| 0.0) else {
                panic!("all are free");
            };
            trial.pair(meetings[0]);
            let index = trial.meetings.len() - 1;
            trial.end(index, &mut |_, _| Outcome::Draw);
        }
        trial.meetings
    };
    assert!(
        play(2)
            .iter()
            .all(|played| played.meeting.has(0) && played.meeting.has(1))
    );
    for two in play(3).windows(2) {
        assert!((0..3).any(|player| two[0].meeting.has(player) != two[1].meeting.has(player)));
    }
}
