//! The engine against itself: it never plays an illegal move nor tells a line that cannot be
//! played, and what is stored of its games is what is said of it.

use std::sync::atomic::Ordering::Relaxed;

use epode_engine::{GameResult, Played, Sample, Searcher, SelfPlay, Signals, Unplayed};
use movegen::{Color, Position};

fn selfplay(seed: u64) -> SelfPlay {
    SelfPlay {
        starts: Vec::new(),
        nodes: 200,
        seed,
    }
}

/// Plays games of a seed; [`SelfPlay::play`] holds every line against the rules.
fn play(play: &SelfPlay, numbers: impl Iterator<Item = u64>) -> Vec<Played> {
    let mut searcher = Searcher::new(1);
    numbers
        .map(|number| {
            play.play(number, &mut searcher, &Signals::default())
                .unwrap_or_else(|unplayed| panic!("game {number}: {unplayed}"))
        })
        .collect()
}

#[test]
fn two_hundred_games_without_a_fault() {
    let games = play(&selfplay(1), 0..200);
    let mut aside = 0;
    for played in &games {
        assert!(played.plies >= 8);
        let mut ply = 0;
        for sample in &played.samples {
            let position = sample.position;
            assert_eq!(Color::ALL[usize::from(sample.ply % 2)], position.turn());
            let number = u32::from(sample.ply) / 2 + 1;
            assert_eq!(number, position.fullmove_number().into());
            if let Some(result) = sample.result {
                assert_eq!(result, played.result);
                assert!(sample.ply >= 16 && sample.ply > ply, "{position}");
                ply = sample.ply;
            } else {
                assert!(sample.ply > 16, "{position}");
                aside += 1;
            }
            assert!(!position.is_check() && position.count_moves() > 0);
            assert!(sample.score.unsigned_abs() <= 30_000, "{position}");
            let again = Sample::from_bytes(&sample.to_bytes()).expect("legal");
            assert_eq!(again, *sample);
        }
    }
    // Random openings make games of every kind.
    for result in [GameResult::WhiteWon, GameResult::Draw, GameResult::BlackWon] {
        let count = games.iter().filter(|played| played.result == result);
        assert!(count.count() > 0, "{result:?}");
    }
    let samples: usize = games.iter().map(|played| played.samples.len()).sum();
    assert!(samples >= 10_000, "{samples}");
    let share = aside * 100 / samples;
    assert!((30..60).contains(&share), "{share} in a hundred are aside");
}

#[test]
#[ignore = "hours: cargo test --release -p epode-engine --test selfplay -- --ignored"]
fn a_hundred_thousand_games_without_a_fault() {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for thread in 0..threads {
            scope.spawn(move || {
                for number in (thread as u64..100_000).step_by(threads) {
                    play(&selfplay(2), std::iter::once(number));
                }
            });
        }
    });
}

/// Not of the games before it, nor of what the searcher has seen.
#[test]
fn a_game_depends_on_its_seed_and_number() {
    let forward = play(&selfplay(7), 0..6);
    let mut backward = play(&selfplay(7), (0..6).rev());
    backward.reverse();
    assert_eq!(forward, backward);
    let other = play(&selfplay(8), 0..6);
    assert!(forward.iter().zip(&other).all(|(one, two)| one != two));
    assert!(forward.windows(2).all(|pair| pair[0] != pair[1]));
}

#[test]
fn openings_come_from_the_book() {
    let start: Position = "4k3/pppp4/8/8/8/8/PPPP4/4K3 w - - 0 1"
        .parse()
        .expect("legal");
    let endings = SelfPlay {
        starts: vec![start],
        ..selfplay(1)
    };
    for played in play(&endings, 0..10) {
        for sample in &played.samples {
            assert!(sample.position.occupied().len() <= 10);
        }
    }
}

#[test]
fn a_raised_signal_leaves_no_game() {
    let signals = Signals::default();
    signals.stop.store(true, Relaxed);
    let played = selfplay(1).play(0, &mut Searcher::new(1), &signals);
    assert_eq!(played, Err(Unplayed::Stopped));
}
