//! Ladders, which pair whoever is free, and the ratings by which they pair.

use movegen::pgn::Outcome;

use super::{Lot, Trial};
use crate::core::ratings::{GameResult, LiveRatings, Settings as RatingSettings, rate};
use crate::core::schedule::{Format, Ladder, Step};

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

const LADDER: Format = Format::Ladder(Ladder { games: None });

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
        (rating.elo - mean - (strength(*player) - mean_strength)).abs()
            <= rating.error.expect("known")
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
    assert_eq!(ratings.of(0).and_then(|rating| rating.error), Some(0.0));
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
