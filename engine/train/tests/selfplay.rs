//! Self-play games: every move and every reported line is legal, and the data points obey the rules of
//! `PlayedGame::data_points`.

use std::num::NonZeroU8;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

use engine::syzygy::{Rule50, Tablebases, Wdl};
use engine::{Searcher, Signals};
use epode_train::data_point::{DataPoint, GameResult};
use epode_train::expectation;
use epode_train::selfplay::{PlayedGame, PlayedPly, SelfPlay, Unplayed};
use movegen::{Color, Game, Position};

fn selfplay(seed: u64) -> SelfPlay {
    SelfPlay {
        nodes: 200,
        seed,
        side_lines: 100,
        checked: true,
        ..SelfPlay::default()
    }
}

/// Plays games of a seed.
fn play(play: &SelfPlay, numbers: impl Iterator<Item = u64>) -> Vec<PlayedGame> {
    let mut searcher = Searcher::new(1);
    numbers
        .map(|number| {
            play.play(number, &mut searcher, &Signals::default())
                .unwrap_or_else(|unplayed| panic!("game {number}: {unplayed}"))
        })
        .collect()
}

#[test]
fn two_hundred_games_are_legal() {
    let games = play(&selfplay(1), 0..200);
    let mut aside = 0;
    for played in &games {
        assert!(played.opening.len() >= 8);
        assert_eq!(played.result, result(played));
        let mut ply = 0;
        let found = played.data_points(0.0).expect("legal moves");
        for point in &found {
            let position = point.position;
            assert_eq!(Color::ALL[usize::from(point.ply % 2)], position.turn());
            let number = u32::from(point.ply) / 2 + 1;
            assert_eq!(number, u32::from(position.fullmove_number()));
            if let Some(result) = point.result {
                assert_eq!(result, played.result);
                assert!(point.ply >= 16 && point.ply > ply, "{position}");
                ply = point.ply;
            } else {
                assert!(point.ply > 16, "{position}");
                aside += 1;
            }
            assert!(!position.is_check() && position.count_moves() > 0);
            assert!(point.score.unsigned_abs() <= 30_000, "{position}");
            let again = DataPoint::from_bytes(&point.to_bytes()).expect("legal");
            assert_eq!(again, *point);
        }
    }
    // Random openings make games of every kind.
    for result in [GameResult::WhiteWon, GameResult::Draw, GameResult::BlackWon] {
        let count = games.iter().filter(|played| played.result == result);
        assert!(count.count() > 0, "{result:?}");
    }
    let count = games
        .iter()
        .map(|played| played.data_points(0.0).map_or(0, |found| found.len()));
    let count: usize = count.sum();
    assert!(count >= 10_000, "{count}");
    let share = aside * 100 / count;
    assert!((45..75).contains(&share), "{share} in a hundred are aside");
}

#[test]
#[ignore = "hours: cargo test --release -p epode-train --test selfplay -- --ignored"]
fn a_hundred_thousand_games_are_legal() {
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

/// Neither earlier games nor what the searcher did before change a game.
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

/// The expected points of a position are the mean of those of its own score and of what follows, at the end
/// the result of the game. Nothing but the score changes, and side lines keep theirs.
#[test]
fn scores_look_ahead() {
    let mut compared = 0;
    for played in play(&selfplay(3), 0..20) {
        let of = |td_lambda| played.data_points(td_lambda).expect("legal moves");
        let (own, ahead) = (of(0.0), of(0.5));
        assert_eq!(own.len(), ahead.len());

        let mut position = played.start;
        for &mv in &played.opening {
            position.play(mv);
        }
        // The ply and the expected points of each search.
        let mut searched = Vec::new();
        for ply in &played.plies {
            let points = expectation::points(ply.score.ce().into());
            let number = 2 * (position.fullmove_number() - 1) + position.turn() as u16;
            searched.push((number, points));
            position.play(ply.best);
        }
        for (own, ahead) in own.iter().zip(&ahead) {
            let other = DataPoint {
                score: own.score,
                ..*ahead
            };
            assert_eq!(other.to_bytes(), own.to_bytes());
            if own.result.is_none() {
                assert_eq!(ahead.score, own.score);
                continue;
            }
            let (mut weight, mut expected) = (0.5, 0.0);
            let later = searched.iter().filter(|(number, _)| *number >= own.ply);
            for (_, points) in later {
                expected += weight * points;
                weight /= 2.0;
            }
            expected += 2.0 * weight * played.result.points();
            let score = expectation::score(expected);
            assert!((f64::from(ahead.score) - score).abs() < 0.51, "{ahead:?}");
            compared += 1;
        }
    }
    assert!(compared > 500, "{compared}");
}

/// A game begins with the given number of random moves, or up to two more, from a start of the book.
#[test]
fn openings_have_the_given_number_of_random_moves() {
    let start: Position = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3"
        .parse()
        .expect("legal");
    let play_with = SelfPlay {
        nodes: 20,
        starts: vec![start],
        random_moves: 3,
        ..selfplay(4)
    };
    let mut lengths = [0; 3];
    for played in play(&play_with, 0..20) {
        assert_eq!(played.start, start);
        lengths[played.opening.len() - 3] += 1;
    }
    assert!(lengths.iter().all(|&count| count > 0), "{lengths:?}");
}

/// Side lines are searched before the given share of the moves.
#[test]
fn side_lines_are_searched_before_a_share_of_the_moves() {
    // How many of 100 moves have a side line.
    let share = |side_lines| {
        let play_with = SelfPlay {
            nodes: 50,
            side_lines,
            ..selfplay(9)
        };
        let games = play(&play_with, 0..40);
        let plies: Vec<_> = games.iter().flat_map(|game| &game.plies).collect();
        let aside = plies.iter().filter(|ply| ply.branch.is_some()).count();
        100 * aside / plies.len()
    };
    let all = share(100);
    assert!(all > 50, "{all}");
    assert_eq!(share(0), 0);
    let some = share(30);
    assert!((all / 5..all * 2 / 5).contains(&some), "{some} of {all}");
}

/// With a limit, a position with a greater score gets no side line, and few side lines end in one.
#[test]
fn decided_positions_get_no_side_lines() {
    let play_with = SelfPlay {
        nodes: 50,
        side_line_limit: Some(200),
        ..selfplay(9)
    };
    let games = play(&play_with, 0..20);
    let plies: Vec<_> = games.iter().flat_map(|game| &game.plies).collect();
    let is_decided = |ply: &&&PlayedPly| ply.score.ce().abs() > 200;
    let mut decided = plies.iter().filter(is_decided).peekable();
    assert!(decided.peek().is_some());
    assert!(decided.all(|ply| ply.branch.is_none()));
    let ends: Vec<_> = plies.iter().filter_map(|ply| ply.branch.as_ref()).collect();
    assert!(ends.len() > 100, "{}", ends.len());
    // The replies are searched with fewer nodes than the last position, so some scores differ.
    let beyond = ends.iter().filter(|end| end.score.ce().abs() > 200).count();
    assert!(beyond * 5 < ends.len(), "{beyond} of {}", ends.len());
}

/// With `label_every`, only the first move after the opening and then every so many-th may have a side line and be a
/// data point.
#[test]
fn every_so_many_th_position_is_a_data_point() {
    let label_every = NonZeroU8::new(3).expect("not 0");
    let play_with = SelfPlay {
        label_every,
        nodes: 50,
        ..selfplay(9)
    };
    let (mut labelled, mut aside) = (0, 0);
    for played in play(&play_with, 0..20) {
        assert_eq!(played.label_every, label_every);
        let branches = played.plies.iter().map(|ply| ply.branch.is_some());
        for (ply, has_branch) in branches.enumerate() {
            assert!(!has_branch || ply % 3 == 0, "ply {ply}");
            aside += usize::from(has_branch);
        }
        let first = played.opening.len();
        for point in played.data_points(0.5).expect("legal moves") {
            if point.result.is_some() {
                assert_eq!((usize::from(point.ply) - first) % 3, 0);
                labelled += 1;
            }
        }
    }
    assert!(labelled > 200 && aside > 200, "{labelled}, {aside}");
}

/// With `resign`, a game ends with the fourth score in a row that is ten pawns in favour of one side; a share of
/// the games is played on.
#[test]
fn lost_games_are_resigned() {
    let all = SelfPlay {
        resign: 100,
        nodes: 50,
        side_lines: 0,
        ..selfplay(10)
    };
    let some = SelfPlay {
        resign: 50,
        ..all.clone()
    };
    // For each ply from the fourth on, whether the last four scores decide the game.
    let decided = |played: &PlayedGame| {
        let scores: Vec<_> = played.plies.iter().map(|ply| ply.score.ce()).collect();
        scores
            .windows(4)
            .map(|last| last.iter().all(|&ce| ce >= 1000) || last.iter().all(|&ce| ce <= -1000))
            .collect::<Vec<_>>()
    };
    let mut resigned = 0;
    for played in play(&all, 0..40) {
        let decided = decided(&played);
        let (last, before) = decided.split_last().expect("four plies");
        assert!(!before.contains(&true));
        if *last {
            resigned += 1;
            let is_ahead = played.plies.last().expect("a ply").score.ce() > 0;
            let winner = if is_ahead {
                GameResult::WhiteWon
            } else {
                GameResult::BlackWon
            };
            assert_eq!(played.result, winner);
        }
    }
    assert!(resigned > 20, "{resigned}");
    let games = play(&some, 0..40);
    let played_on = games.iter().filter(|played| {
        let decided = decided(played);
        decided[..decided.len() - 1].contains(&true)
    });
    let played_on = played_on.count();
    assert!((5..35).contains(&played_on), "{played_on}");
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
        assert_eq!(played.start, start);
        for point in played.data_points(0.0).expect("legal moves") {
            assert!(point.position.occupied().len() <= 10);
        }
    }
}

/// A share of the games starts from shuffled back ranks, another from endings without an opening, and the
/// others from the starting position.
#[test]
fn games_start_from_shuffled_back_ranks_and_endings() {
    let mixed = SelfPlay {
        nodes: 20,
        chess960: 30,
        endings: 40,
        ..selfplay(5)
    };
    let (mut shuffled, mut endings, mut normal) = (0, 0, 0);
    for played in play(&mixed, 0..100) {
        let pieces = played.start.occupied().len();
        if pieces == 32 {
            let is_normal = played.start.to_string() == Position::start().to_string();
            *(if is_normal {
                &mut normal
            } else {
                &mut shuffled
            }) += 1;
            assert!(played.opening.len() >= 8);
            assert_eq!(result(&played), played.result);
        } else {
            endings += 1;
            assert!(pieces <= 22, "{}", played.start);
            assert!(played.opening.is_empty());
        }
    }
    assert!((15..=45).contains(&shuffled), "{shuffled}");
    assert!((25..=55).contains(&endings), "{endings}");
    assert!((15..=45).contains(&normal), "{normal}");
}

/// With tablebases a game ends after the first position that they have, with their result.
#[test]
fn tablebases_end_games() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../movegen/syzygy/tables");
    let tablebases = Arc::new(Tablebases::open(folder).expect("tables"));
    let endings = SelfPlay {
        endings: 100,
        tablebases: Some(Arc::clone(&tablebases)),
        ..selfplay(6)
    };
    let mut decided = 0;
    for played in play(&endings, 0..100) {
        let mut game = Game::new(played.start);
        for ply in &played.plies[..played.plies.len() - 1] {
            assert!(game.position().occupied().len() > 3);
            game.play(ply.best).expect("a legal move");
        }
        let last = game.position();
        if last.occupied().len() <= 3 {
            decided += 1;
            let wdl = Rule50::Counts.apply(tablebases.wdl(last).expect("a table"));
            let expected = match wdl {
                Wdl::Win => GameResult::won_by(last.turn()),
                Wdl::Loss => GameResult::won_by(!last.turn()),
                _ => GameResult::Draw,
            };
            assert_eq!(played.result, expected, "{last}");
        }
    }
    assert!(decided > 10, "{decided}");
}

/// The result of a game by the rules, or by the mate score of the last move.
fn result(played: &PlayedGame) -> GameResult {
    let mut game = Game::new(played.start);
    let chosen = played.plies.iter().map(|ply| ply.best);
    for mv in played.opening.iter().copied().chain(chosen) {
        assert!(game.draw().is_none(), "the game was over");
        game.play(mv).expect("a legal move");
    }
    let score = played.plies.last().expect("a move").score;
    match (score.is_mate(), score.ce() > 0) {
        (true, true) => GameResult::WhiteWon,
        (true, false) => GameResult::BlackWon,
        (false, _) => {
            assert!(game.draw().is_some(), "neither a draw nor a mate");
            GameResult::Draw
        }
    }
}

/// Checking the lines does not change the games.
#[test]
fn unchecked_games_are_the_same() {
    let unchecked = SelfPlay {
        checked: false,
        ..selfplay(3)
    };
    assert_eq!(play(&unchecked, 0..10), play(&selfplay(3), 0..10));
}

/// Openings move pieces of every role.
#[test]
fn openings_move_every_kind_of_piece() {
    let mut moved = [0; 6];
    for played in play(
        &SelfPlay {
            nodes: 1,
            ..selfplay(4)
        },
        0..60,
    ) {
        let mut position = played.start;
        for mv in played.opening {
            let role = position.role_at(mv.from()).expect("a piece");
            moved[role as usize] += 1;
            position.play_unchecked(mv);
        }
    }
    let all: usize = moved.iter().sum();
    for (role, share) in [(0, 25..75), (1, 10..40), (4, 2..25), (5, 2..25)] {
        let found = moved[role] * 100 / all;
        assert!(
            share.contains(&found),
            "role {role}: {found} of a hundred moves"
        );
    }
}

#[test]
fn the_stop_signal_ends_a_game() {
    let signals = Signals::default();
    signals.stop.store(true, Relaxed);
    let played = selfplay(1).play(0, &mut Searcher::new(1), &signals);
    assert_eq!(played, Err(Unplayed::Stopped));
}
