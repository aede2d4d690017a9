//! Meetings of several games: pairing, points, contradictions, report files.

use epode_pairing::faults::FaultKind;
use epode_pairing::review::review;
use epode_pairing::trf::Report;
use epode_pairing::{Colour, Event, Outcome, Player, Round, Score, Tally, pair};
use proptest::prelude::*;
use rand::SeedableRng as _;
use rand::rngs::StdRng;

fn tally(wins: u32, draws: u32, losses: u32) -> Tally {
    Tally {
        wins,
        draws,
        losses,
    }
}

fn event(players: usize, rounds: usize, games: u32) -> Event {
    let player = |number: usize| Player {
        name: format!("Player {number}"),
        ..Player::default()
    };
    let mut event = Event::new(rounds, Colour::White, (1..=players).map(player).collect());
    event.games = games;
    event
}

/// A meeting, for White of the first game and for the other.
fn meeting(pair: [usize; 2], white: Tally, black: Tally) -> [(usize, Round); 2] {
    let first = Round::Match {
        opponent: pair[1],
        colour: Colour::White,
        white,
        black,
    };
    let second = Round::Match {
        opponent: pair[0],
        colour: Colour::Black,
        white: black.reversed(),
        black: white.reversed(),
    };
    [(pair[0], first), (pair[1], second)]
}

fn enter(event: &mut Event, rounds: impl IntoIterator<Item = (usize, Round)>) {
    for (player, round) in rounds {
        event.players[player].rounds.push(round);
    }
}

/// The two games of a meeting that has the result of one game.
fn doubled(pair: [usize; 2], outcome: Outcome, of_two_draws: bool) -> [(usize, Round); 2] {
    match outcome {
        Outcome::Win => meeting(pair, tally(1, 0, 0), tally(1, 0, 0)),
        Outcome::Draw if of_two_draws => meeting(pair, tally(0, 1, 0), tally(0, 1, 0)),
        Outcome::Draw => meeting(pair, tally(0, 0, 1), tally(1, 0, 0)),
        Outcome::Loss => meeting(pair, tally(0, 0, 1), tally(0, 0, 1)),
    }
}

/// Announces byes and absences in both events.
fn announce(events: &mut [Event; 2], random: &mut StdRng) {
    for player in 0..events[0].players.len() {
        let bye = match random.random_range(0..30) {
            0 => Round::HalfPointBye,
            1 => Round::FullPointBye,
            2 | 3 => Round::Absent,
            _ => continue,
        };
        for event in &mut *events {
            event.players[player].rounds.push(bye);
        }
    }
}

/// Plays a round of both events, which have the same pairing; false where the rules leave none.
fn play(events: &mut [Event; 2], random: &mut StdRng) -> bool {
    let [single, double] = [0, 1].map(|index| pair(&events[index]));
    assert_eq!(single, double);
    let Ok(pairing) = single else {
        return false;
    };
    for game in &pairing.pairs {
        let sides = [game.white, game.black];
        let outcome = [Outcome::Win, Outcome::Draw, Outcome::Loss][random.random_range(0..3_usize)];
        if random.random_bool(0.05) {
            let winner = random.random_range(0..3);
            for (event, side) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
                let colour = [Colour::White, Colour::Black][side];
                let forfeit = Round::Forfeit {
                    opponent: sides[1 - side],
                    colour: Some(colour),
                    won: winner == side,
                };
                enter(&mut events[event], [(sides[side], forfeit)]);
            }
            continue;
        }
        let played = |side: usize, outcome| Round::Played {
            opponent: sides[1 - side],
            colour: [Colour::White, Colour::Black][side],
            outcome,
            rated: true,
        };
        let both = [played(0, outcome), played(1, outcome.reversed())];
        enter(&mut events[0], sides.into_iter().zip(both));
        // A win and a loss are as good as two draws only where a draw is half a win.
        let usual = events[0].points.win.tenths == 10;
        let of_two_draws = !usual || random.random_bool(0.5);
        enter(&mut events[1], doubled(sides, outcome, of_two_draws));
    }
    for event in events {
        enter(event, pairing.bye.map(|player| (player, Round::PairingBye)));
        event.paired += 1;
    }
    true
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// An event of meetings that end 2-0, 1-1 or 0-2 is paired like the event of single games with the same winners.
    #[test]
    fn two_games_are_paired_like_one(seed: u64, players in 2..24_usize, rounds in 1..10_usize, three_points: bool, baku: bool) {
        let mut random = StdRng::seed_from_u64(seed);
        let mut events = [1, 2].map(|games| event(players, rounds, games));
        for event in &mut events {
            if three_points {
                event.points.win = Score::tenths(30);
                event.points.draw = Score::tenths(10);
                event.points.pairing_bye = Score::tenths(30);
            }
            if baku {
                epode_pairing::baku::accelerate(event);
            }
        }
        for _ in 0..rounds {
            announce(&mut events, &mut random);
            if !play(&mut events, &mut random) {
                break;
            }
        }
        for player in 0..players {
            let [single, double] = [0, 1].map(|index| events[index].score(player, rounds).tenths);
            prop_assert_eq!(2 * single, double);
        }
        for event in &mut events {
            let paired = event.paired;
            event.players.iter_mut().for_each(|player| player.rounds.truncate(paired));
            prop_assert_eq!(event.check(), Ok(()));
            prop_assert_eq!(review(event), []);
        }
        // In the file, each game is a round.
        let read = Report::parse(&Report::new("Pairs", events[1].clone()).to_string()).unwrap().event;
        prop_assert_eq!((read.rounds, read.games), (2 * rounds, 1));
        prop_assert_eq!(read.paired, 2 * events[1].paired);
        for player in 0..players {
            prop_assert_eq!(read.score(player, read.paired), events[1].score(player, rounds));
        }
    }
}

#[test]
fn points_count_for_each_game() {
    let mut event = event(5, 3, 3);
    event.points.forfeit_loss = Score::tenths(2);
    event.points.absence = Score::tenths(1);
    enter(&mut event, meeting([0, 1], tally(1, 1, 0), tally(0, 0, 1)));
    // Of this meeting, one game was not played.
    enter(&mut event, meeting([2, 3], tally(0, 1, 0), tally(1, 0, 0)));
    enter(&mut event, [(4, Round::PairingBye)]);
    event.paired = 1;
    event.check().unwrap();
    let points =
        |event: &Event| [0, 1, 2, 3, 4].map(|player| event.score(player, event.rounds).tenths);
    assert_eq!(points(&event), [15, 15, 17, 7, 30]);
    enter(&mut event, [(0, Round::HalfPointBye), (1, Round::Absent)]);
    assert_eq!(points(&event)[..2], [30, 18]);
    event.check().unwrap();
}

#[test]
fn results_that_do_not_fit_the_games_are_found() {
    let kind = |event: &Event| event.check().unwrap_err().kind;
    let of_two = |white: Tally, black: Tally| {
        let mut event = event(2, 3, 2);
        enter(&mut event, meeting([0, 1], white, black));
        event.paired = 1;
        event
    };
    let mut event = of_two(tally(1, 0, 0), tally(0, 1, 0));
    assert_eq!(event.check(), Ok(()));
    if let Round::Match { black, .. } = &mut event.players[0].rounds[0] {
        *black = tally(1, 0, 0);
    }
    assert_eq!(kind(&event), FaultKind::OpponentDisagrees(1));
    let too_many = of_two(tally(1, 1, 0), tally(0, 0, 0));
    assert_eq!(kind(&too_many), FaultKind::WrongGames(2));
    assert_eq!(
        kind(&of_two(tally(0, 0, 0), tally(0, 0, 0))),
        FaultKind::WrongGames(2)
    );
    event.games = 0;
    assert_eq!(
        event.check().unwrap_err().to_string(),
        "found 0 games for each meeting, expected 1 or more"
    );
    let mut single = of_two(tally(1, 0, 0), tally(0, 1, 0));
    let played = |opponent, colour, outcome| Round::Played {
        opponent,
        colour,
        outcome,
        rated: true,
    };
    single.players[0].rounds[0] = played(1, Colour::White, Outcome::Win);
    single.players[1].rounds[0] = played(0, Colour::Black, Outcome::Loss);
    assert_eq!(kind(&single), FaultKind::WrongGames(2));
}

/// The results of three games stand in three columns, in the same order for both players.
#[test]
fn a_report_has_a_column_for_each_game() {
    let mut event = event(4, 5, 3);
    event.players[3].virtual_points = vec![Score::tenths(30)];
    event.forbidden.push(epode_pairing::Forbidden {
        players: vec![0, 3],
        rounds: Some(1..=2),
    });
    enter(&mut event, meeting([1, 0], tally(1, 0, 1), tally(0, 1, 0)));
    let forfeit = |opponent, colour, won| Round::Forfeit {
        opponent,
        colour: Some(colour),
        won,
    };
    enter(
        &mut event,
        [
            (2, forfeit(3, Colour::White, true)),
            (3, forfeit(2, Colour::Black, false)),
        ],
    );
    event.paired = 1;
    // Announced for the round to pair: it stands in the first of its columns.
    enter(&mut event, [(3, Round::HalfPointBye)]);
    let text = Report::new("Three games", event).to_string();
    let tail = |number: usize| {
        let line = text
            .lines()
            .find(|line| line.starts_with(&format!("001    {number}")))
            .unwrap();
        line[80..].to_owned()
    };
    assert_eq!(tail(1), " 1.5          2 b 0     2 w =     2 b 1");
    assert_eq!(tail(2), " 1.5          1 w 1     1 b =     1 w 0");
    assert_eq!(tail(3), " 3.0          4 w +     4 b +     4 w +");
    assert_eq!(tail(4), " 0.0          3 b -     3 w -     3 b -  0000 - H");
    for line in ["XXR 15", "XXA    4  3.0  3.0  3.0", "260   4   9    1    4"] {
        assert!(text.lines().any(|found| found == line), "{line} in {text}");
    }
    let read = Report::parse(&text).unwrap().event;
    assert_eq!((read.paired, read.rounds), (3, 15));
}
