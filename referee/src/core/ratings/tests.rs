use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

use super::*;

/// Plays a game between players of known strengths.
fn play(
    random: &mut ChaCha8Rng,
    elo: &[f64],
    white: usize,
    black: usize,
    advantage: f64,
    parameter: f64,
) -> GameResult {
    let expected = expected_score(elo[white] - elo[black] + advantage);
    let draw = draw_probability(expected, parameter);
    let number: f64 = random.random();
    let win = expected - draw / 2.0;
    let half_points = if number < win {
        2
    } else {
        u8::from(number < win + draw)
    };
    GameResult {
        white,
        black,
        half_points,
    }
}

/// Every player meets every other one with both colors, some times over.
fn tournament(
    random: &mut ChaCha8Rng,
    elo: &[f64],
    times: usize,
    advantage: f64,
    parameter: f64,
) -> Vec<GameResult> {
    let mut games = Vec::new();
    for white in 0..elo.len() {
        for black in (0..elo.len()).filter(|&black| black != white) {
            for _ in 0..times {
                games.push(play(random, elo, white, black, advantage, parameter));
            }
        }
    }
    games
}

/// Ordo's method as published: each rating rises as long as the player has scored more than expected. Draws are
/// half points, and White's advantage is given.
fn ordo(players: usize, games: &[GameResult], advantage: f64) -> Vec<f64> {
    let mut elo = vec![0.0; players];
    for _ in 0..20_000 {
        let mut surplus = vec![0.0; players];
        for game in games {
            let expected =
                1.0 / (1.0 + 10_f64.powf(-(elo[game.white] - elo[game.black] + advantage) / 400.0));
            let points = f64::from(game.half_points) / 2.0;
            surplus[game.white] += points - expected;
            surplus[game.black] -= points - expected;
        }
        let played = games.len() as f64 * 2.0 / players as f64;
        elo.iter_mut()
            .zip(&surplus)
            .for_each(|(elo, surplus)| *elo += 300.0 * surplus / played);
        if surplus.iter().all(|surplus| surplus.abs() < 1e-7) {
            break;
        }
    }
    let mean = elo.iter().sum::<f64>() / players as f64;
    elo.iter().map(|elo| elo - mean).collect()
}

#[test]
fn as_ordo_rates() {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let elo: Vec<f64> = (0..12).map(|i| f64::from(i) * 45.0).collect();
    let games = tournament(&mut random, &elo, 5, 30.0, 2.5);
    for advantage in [0.0, 35.0] {
        let settings = Settings {
            white_advantage: Some(advantage),
            ..Settings::default()
        };
        let ratings = rate(elo.len(), &games, &settings);
        for (player, expected) in ordo(elo.len(), &games, advantage).into_iter().enumerate() {
            let rating = ratings.of(player).expect("a rating").elo;
            assert!((rating - expected).abs() < 0.01, "{rating} {expected}");
        }
    }
}

/// The intervals have the true strength in 95 of 100 cases, and so has that of White's advantage.
#[test]
fn intervals_hold_what_they_promise() {
    const TRIALS: usize = 400;
    let mut random = ChaCha8Rng::seed_from_u64(2);
    let elo = [-150.0, -60.0, 0.0, 30.0, 180.0];
    for parameter in [0.5, 4.0] {
        let (mut inside, mut all, mut advantage_inside, mut draws) = (0_usize, 0_usize, 0, 0.0);
        for _ in 0..TRIALS {
            let games = tournament(&mut random, &elo, 20, 25.0, parameter);
            let ratings = rate(elo.len(), &games, &Settings::default());
            for (player, elo) in elo.iter().enumerate() {
                let Rating { elo: found, error } = ratings.of(player).expect("a rating");
                inside += usize::from((found - elo).abs() < error.expect("known"));
                all += 1;
            }
            let off = (ratings.white_advantage.expect("found") - 25.0).abs();
            advantage_inside += usize::from(off < ratings.white_advantage_error);
            draws += ratings.draw_rate.expect("games") / TRIALS as f64;
        }
        // The standard deviations are 0.5 % and 1.1 %.
        let part = inside as f64 / all as f64;
        assert!((0.93..0.97).contains(&part), "{part}");
        let part = advantage_inside as f64 / TRIALS as f64;
        assert!((0.91..0.985).contains(&part), "{part}");
        assert!(
            (draws - draw_probability(0.5, parameter)).abs() < 0.01,
            "{draws}"
        );
    }
}

#[test]
fn anchors_fix_the_scale() {
    let mut random = ChaCha8Rng::seed_from_u64(3);
    let elo = [0.0, 100.0, 200.0, 300.0];
    let games = tournament(&mut random, &elo, 50, 0.0, 2.0);
    let free = rate(
        4,
        &games,
        &Settings {
            average: 2000.0,
            ..Settings::default()
        },
    );
    let mean: f64 = (0..4)
        .map(|player| free.of(player).expect("it").elo / 4.0)
        .sum();
    assert!((mean - 2000.0).abs() < 1e-6);
    let anchors = BTreeMap::from([(1, 3000.0)]);
    let one = rate(
        4,
        &games,
        &Settings {
            anchors,
            ..Settings::default()
        },
    );
    assert_eq!(
        one.of(1),
        Some(Rating {
            elo: 3000.0,
            error: Some(0.0)
        })
    );
    for player in 0..4 {
        let difference = |ratings: &Ratings| {
            ratings.of(player).expect("it").elo - ratings.of(1).expect("it").elo
        };
        assert!((difference(&one) - difference(&free)).abs() < 1e-6);
    }
    // Two anchors are both kept, and the others come between.
    let anchors = BTreeMap::from([(0, 0.0), (3, 600.0)]);
    let two = rate(
        4,
        &games,
        &Settings {
            anchors,
            ..Settings::default()
        },
    );
    let found: Vec<_> = (0..4)
        .map(|player| two.of(player).expect("it").elo)
        .collect();
    assert!(
        found[0].abs() < 1e-9 && (found[3] - 600.0).abs() < 1e-9 && found.is_sorted(),
        "{found:?}"
    );
    assert!(free.superiority(3, 0) > Some(0.999) && free.superiority(0, 3) < Some(0.001));
    let even = free.superiority(2, 2).expect("it");
    assert!((even - 0.5).abs() < 1e-9, "{even}");
}

/// Who has won or lost everything, and who has met nobody of the others, has no rating.
#[test]
fn some_cannot_be_rated() {
    let game = |white, black, half_points| GameResult {
        white,
        black,
        half_points,
    };
    let games = [
        game(0, 1, 2),
        game(1, 0, 2),
        game(1, 2, 1),
        // 3 has won all, 4 lost all; 5 and 6 have met each other only.
        game(3, 0, 2),
        game(4, 1, 0),
        game(5, 6, 1),
    ];
    let ratings = rate(8, &games, &Settings::default());
    let rated: Vec<_> = (0..8)
        .filter(|&player| ratings.of(player).is_some())
        .collect();
    assert_eq!(rated, [0, 1, 2]);
    assert_eq!(ratings.superiority(0, 3), None);
    let anchors = BTreeMap::from([(5, 10.0)]);
    let ratings = rate(
        8,
        &games,
        &Settings {
            anchors,
            ..Settings::default()
        },
    );
    let rated: Vec<_> = (0..8)
        .filter(|&player| ratings.of(player).is_some())
        .collect();
    assert_eq!(rated, [0, 1, 2, 5, 6]);
    let none = rate(2, &[], &Settings::default());
    assert_eq!((none.of(0), none.draw_rate), (None, None));
    // Draws alone tell that players are equal, without error.
    let drawn = rate(2, &[game(0, 1, 1), game(1, 0, 1)], &Settings::default());
    let Rating { elo, error } = drawn.of(0).expect("it");
    assert!(
        elo.abs() < 1e-9 && error.is_some_and(|error| error < 1e-3),
        "{elo} {error:?}"
    );
}

/// Davidson's relation.
#[test]
fn draws_follow_davidson() {
    for parameter in [0.0, 0.3, 2.0, 7.0, 1e6] {
        for expected in [0.01, 0.3, 0.5, 0.9] {
            let draw = draw_probability(expected, parameter);
            let (win, loss) = (expected - draw / 2.0, 1.0 - expected - draw / 2.0);
            assert!(win > -1e-9 && loss > -1e-9);
            let relation = parameter * (win.max(0.0) * loss.max(0.0)).sqrt();
            assert!(
                (draw - relation).abs() < 1e-4,
                "{parameter} {expected}: {draw} {relation}"
            );
        }
    }
}

/// Where one colour wins all games, its advantage would be infinite: ratings are those without one, and nothing is said
/// of their errors.
#[test]
fn an_advantage_without_bound_is_not_found() {
    let win = |white, black, half_points| GameResult {
        white,
        black,
        half_points,
    };
    let draw_of_one = [win(0, 1, 2), win(1, 0, 1), win(0, 1, 2), win(1, 0, 1)];
    for games in [
        vec![win(0, 1, 2), win(1, 0, 2)],
        vec![win(0, 1, 0), win(1, 0, 0), win(1, 2, 0), win(2, 1, 0)],
        draw_of_one.to_vec(),
    ] {
        let ratings = rate(3, &games, &Settings::default());
        assert_eq!(ratings.white_advantage, None, "{games:?}");
        let one = ratings.of(0).expect("rated");
        assert!(one.elo.abs() < 500.0 && one.error.is_none(), "{one:?}");
        assert_eq!(ratings.superiority(0, 1), None);
        let given = Settings {
            white_advantage: Some(30.0),
            ..Settings::default()
        };
        let ratings = rate(3, &games, &given);
        assert_eq!(ratings.white_advantage, Some(30.0));
        assert!(
            ratings
                .of(0)
                .expect("rated")
                .error
                .is_some_and(f64::is_finite)
        );
    }
}
