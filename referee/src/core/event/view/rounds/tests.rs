//! What viewers see of events that go on by lot.

use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use super::*;
use crate::core::event::view::rounds::script::{Script, knockout, ladder, swiss};

const NAMES: [&str; 7] = ["Ann", "Bob", "Cid", "Dee", "Eve", "Fay", "Gus"];

/// The points of a player from a round.
fn points_of(round: &Round, player: usize) -> f64 {
    let boards = round.boards.iter();
    let all = boards.flat_map(|board| board.players.into_iter().zip(board.points));
    let all = all.chain(round.byes.iter().copied());
    all.filter(|(other, _)| *other == player)
        .map(|(_, points)| points)
        .sum()
}

fn config() -> ProptestConfig {
    let mut config = ProptestConfig {
        cases: 100,
        failure_persistence: None,
        ..ProptestConfig::default()
    };
    if config.rng_seed == RngSeed::Random {
        config.rng_seed = RngSeed::Fixed(0x0E90_DE25);
    }
    config
}

proptest! {
    #![proptest_config(config())]

    /// The points before a round are those of the rounds before it, and all of them together are those of the
    /// standings; each player is in each round once.
    #[test]
    fn swiss_rounds_add_up(
        players in 2..8_usize,
        games in 1..3_usize,
        seed in any::<u64>(),
        steps in 0..120_usize,
    ) {
        let format = swiss(3.min(players - 1));
        let script = Script::new(format, &NAMES[..players], games, seed).with_accidents();
        let view = script.steps(steps).view;
        let rounds = view.rounds();
        for round in &rounds {
            for board in &round.boards {
                prop_assert_eq!(board.games.len(), games);
                for (side, player) in board.players.into_iter().enumerate() {
                    let earlier = rounds[..round.number - 1].iter();
                    let sum: f64 = earlier.map(|earlier| points_of(earlier, player)).sum();
                    prop_assert_eq!(board.before.map(|before| before[side]), Some(sum));
                }
            }
            let boards = round.boards.iter().flat_map(|board| board.players);
            let byes = round.byes.iter().map(|&(player, _)| player);
            let mut all: Vec<_> = boards.chain(byes).chain(round.absent.iter().copied()).collect();
            all.sort_unstable();
            prop_assert_eq!(all, (0..players).collect::<Vec<_>>());
        }
        for standing in view.standings().players {
            let sum: f64 = rounds.iter().map(|round| points_of(round, standing.player)).sum();
            prop_assert_eq!((2.0 * standing.points) as usize, (2.0 * sum) as usize);
        }
    }

    /// The part of the event that is over never leaves 0 to 1, and reaches 1 at the end.
    #[test]
    fn progress_reaches_the_end(players in 5..8_usize, format in 0..3_usize, seed in any::<u64>()) {
        let format = [swiss(2), knockout(1), ladder(Some(10))][format];
        let mut script = Script::new(format, &NAMES[..players], 2, seed);
        let part = |script: &Script| script.view.progress().part;
        prop_assert_eq!(part(&script), Some(0.0));
        while script.step() {
            prop_assert!(part(&script).is_some_and(|part| (0.0..=1.0).contains(&part)));
        }
        prop_assert_eq!(part(&script), Some(1.0));
    }

    /// The games of all matches are those of the event, and a match that is decided has no game in progress.
    #[test]
    fn matches_have_their_games(players in 2..8_usize, seed in any::<u64>(), steps in 0..120_usize) {
        let script = Script::new(knockout(1), &NAMES[..players], 2, seed).steps(steps);
        let Some(knockout) = script.view.knockout() else { return Ok(()) };
        let matches = knockout.bracket.matches();
        let mut numbers: Vec<_> = matches
            .flat_map(|one| script.view.games_of_match(one))
            .map(|game| game.number)
            .collect();
        numbers.sort_unstable();
        let all: Vec<_> = (1..=script.view.results.schedule().len()).collect();
        prop_assert_eq!(numbers, all);
        for one in knockout.bracket.matches().filter(|one| one.is_over()) {
            let games = script.view.games_of_match(one);
            prop_assert!(games.iter().all(|game| matches!(game.state, GameState::Over(_))));
        }
    }
}

#[test]
fn words_for_what_comes() {
    let outlook = |format, steps: usize| {
        let script = Script::new(format, &NAMES[..4], 2, 1).steps(steps);
        (
            script.view.progress().text,
            script.view.outlook().expect("words"),
        )
    };
    for (format, steps, progress, expected) in [
        (
            swiss(2),
            0,
            "round 0 of 2, 0 games finished",
            "The first round is paired when",
        ),
        (
            swiss(2),
            2,
            "round 1 of 2, 0 games finished",
            "Round 2 is paired when all games of round 1 have ended.",
        ),
        (
            swiss(2),
            999,
            "round 2 of 2, 6 games finished",
            "All rounds have been played.",
        ),
        (
            knockout(1),
            0,
            "0 games finished",
            "The first round is paired when",
        ),
        (
            knockout(1),
            2,
            "semifinal, 0 games finished",
            "A match has 2 games, two at a time",
        ),
        (knockout(1), 999, "final, ", "All matches are decided."),
        (
            ladder(Some(9)),
            0,
            "0 of 9 games finished",
            "Whoever is there is paired as soon as it is free. The ladder ends after 9 games.",
        ),
        (
            ladder(None),
            0,
            "0 games finished",
            "The ladder has no end.",
        ),
    ] {
        let (text, words) = outlook(format, steps);
        assert!(text.starts_with(progress), "{text}");
        assert!(words.contains(expected), "{words}");
    }
}
