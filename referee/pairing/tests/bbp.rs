//! Random events against bbpPairings, where the environment variable `EPODE_BBP` names that program.

use epode_pairing::review::review;
use epode_pairing::trf::Report;
use epode_pairing::{Colour, Event, Forbidden, Outcome, PairError, Player, Round, Score, pair};
use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};
use std::path::PathBuf;
use std::process::Command;

struct Habits {
    draws: f64,
    forfeits: f64,
    absences: f64,
    withdrawals: f64,
}

fn random_event(random: &mut StdRng) -> (Event, Habits) {
    let count = random.random_range(5..=60);
    let rounds = random.random_range(5..=11);
    let players = (1..=count)
        .map(|number| Player {
            name: format!("Player {number}"),
            rating: 2800 - 10 * number as u32,
            ..Player::default()
        })
        .collect();
    let colour = if random.random() {
        Colour::White
    } else {
        Colour::Black
    };
    let mut event = Event::new(rounds, colour, players);
    if random.random_bool(0.3) {
        epode_pairing::baku::accelerate(&mut event);
    }
    if random.random_bool(0.1) {
        event.points.win = Score::tenths(30);
        event.points.draw = Score::tenths(10);
        event.points.pairing_bye = Score::tenths(30);
    }
    if random.random_bool(0.3) {
        let players = (0..random.random_range(2..=3))
            .map(|_| random.random_range(0..count))
            .collect();
        let rounds = random.random_bool(0.5).then_some(1..=3);
        event.forbidden.push(Forbidden { players, rounds });
    }
    let mut rate = |most: f64| {
        if random.random_bool(0.5) {
            random.random_range(0.0..most)
        } else {
            0.0
        }
    };
    let habits = Habits {
        draws: rate(0.9),
        forfeits: rate(0.2),
        absences: rate(0.2),
        withdrawals: rate(0.05),
    };
    (event, habits)
}

/// Adds the byes, absences, late entries and withdrawals of the next round.
fn announce(
    event: &mut Event,
    habits: &Habits,
    entries: &[std::ops::Range<usize>],
    random: &mut StdRng,
) {
    for (player, entry) in event.players.iter_mut().enumerate() {
        let bye = match random.random_range(0..4) {
            0 => Round::HalfPointBye,
            1 if random.random_bool(0.2) => Round::FullPointBye,
            _ => Round::Absent,
        };
        if !entries[player].contains(&event.paired) {
            entry.rounds.push(Round::Absent);
        } else if random.random_bool(habits.absences) {
            entry.rounds.push(bye);
        }
    }
}

fn play(event: &mut Event, habits: &Habits, random: &mut StdRng) -> Result<(), PairError> {
    let pairing = pair(event)?;
    for game in &pairing.pairs {
        let rated = random.random_bool(0.9);
        let outcome = if random.random_bool(habits.draws) {
            Outcome::Draw
        } else if random.random_bool(0.5 + (game.black as f64 - game.white as f64) / 200.0) {
            Outcome::Win
        } else {
            Outcome::Loss
        };
        let reply = match outcome {
            Outcome::Win => Outcome::Loss,
            Outcome::Draw => Outcome::Draw,
            Outcome::Loss => Outcome::Win,
        };
        let [white, black] = [
            (game.black, Colour::White, outcome),
            (game.white, Colour::Black, reply),
        ];
        let played = |(opponent, colour, outcome)| Round::Played {
            opponent,
            colour,
            outcome,
            rated,
        };
        let forfeit = |(opponent, colour, _), won| Round::Forfeit {
            opponent,
            colour: Some(colour),
            won,
        };
        let (white, black) = if random.random_bool(habits.forfeits) {
            let winner = random.random_range(0..5);
            (
                forfeit(white, winner < 2),
                forfeit(black, (2..4).contains(&winner)),
            )
        } else {
            (played(white), played(black))
        };
        event.players[game.white].rounds.push(white);
        event.players[game.black].rounds.push(black);
    }
    if let Some(bye) = pairing.bye {
        event.players[bye].rounds.push(Round::PairingBye);
    }
    event.paired += 1;
    Ok(())
}

/// Plays an event to its end, or until no pairing is left.
fn play_all(seed: u64) -> (Event, Option<PairError>) {
    let mut random = StdRng::seed_from_u64(seed);
    let (mut event, habits) = random_event(&mut random);
    let rounds = event.rounds;
    let entries: Vec<_> = event
        .players
        .iter()
        .map(|_| {
            let start = if random.random_bool(habits.withdrawals) {
                random.random_range(1..rounds)
            } else {
                0
            };
            let end = if random.random_bool(habits.withdrawals) {
                random.random_range(1..=rounds)
            } else {
                rounds
            };
            start..end
        })
        .collect();
    for _ in 0..rounds {
        announce(&mut event, &habits, &entries, &mut random);
        if let Err(error) = play(&mut event, &habits, &mut random) {
            return (event, Some(error));
        }
    }
    (event, None)
}

/// The rounds that bbpPairings would pair otherwise, with its output.
fn differing_rounds(program: &PathBuf, event: &Event, file: &std::path::Path) -> (usize, String) {
    std::fs::write(file, Report::new("Random", event.clone()).to_string()).unwrap();
    let output = Command::new(program)
        .arg("--dutch")
        .arg(file)
        .arg("-c")
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned()
        + &String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{text}");
    let checked = text.lines().filter(|line| line.contains("Round #")).count();
    assert_eq!(checked, event.paired, "{text}");
    let differs =
        |line: &&str| line.contains("Checker pairings") || line.contains("No valid pairing");
    (text.lines().filter(differs).count(), text)
}

/// Whether bbpPairings too finds no pairing for the next round.
fn also_refuses(program: &PathBuf, event: &Event, file: &std::path::Path) -> bool {
    std::fs::write(file, Report::new("Random", event.clone()).to_string()).unwrap();
    let output = Command::new(program)
        .arg("--dutch")
        .arg(file)
        .arg("-p")
        .output()
        .unwrap();
    output.status.code() == Some(1)
}

fn compare(events: u64) {
    let Some(program) = std::env::var_os("EPODE_BBP").map(PathBuf::from) else {
        println!("EPODE_BBP does not name bbpPairings: nothing compared");
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("event.trf");
    let first: u64 = std::env::var("EPODE_BBP_SEED").map_or(0, |seed| seed.parse().unwrap());
    let (mut rounds, mut differing, mut refused) = (0, Vec::new(), 0);
    for seed in first..first + events {
        let (event, error) = play_all(seed);
        if let Some(error) = error {
            let gone = matches!(error, PairError::TooFew { .. });
            assert!(
                gone || matches!(error, PairError::Impossible { .. }),
                "seed {seed}: {error}"
            );
            assert!(
                gone || also_refuses(&program, &event, &file),
                "seed {seed}: only we refuse: {error}"
            );
            refused += 1;
        }
        // The announced byes of a round that was not paired are no part of the comparison.
        let mut event = event;
        let paired = event.paired;
        event
            .players
            .iter_mut()
            .for_each(|player| player.rounds.truncate(paired));
        rounds += event.paired;
        if event.paired == 0 {
            continue;
        }
        let (count, text) = differing_rounds(&program, &event, &file);
        if count > 0 {
            println!("seed {seed}: {} players\n{text}", event.players.len());
            differing.push((seed, count));
        }
    }
    let total: usize = differing.iter().map(|&(_, count)| count).sum();
    println!(
        "{events} events, {rounds} rounds, {refused} ended early: {total} rounds differ: {differing:?}"
    );
    assert!(
        total == 0,
        "{total} of {rounds} rounds differ: {differing:?}"
    );
}

#[test]
fn pairs_like_bbp() {
    compare(100);
}

/// `EPODE_BBP=bbpPairings.exe cargo test -p epode-pairing --test bbp -- --ignored --nocapture`
#[test]
#[ignore = "minutes: 5,000 events"]
fn pairs_like_bbp_in_5000_events() {
    compare(5_000);
}

#[test]
fn reports_of_random_events_read_the_same() {
    for seed in 0..50 {
        let (mut event, _) = play_all(seed);
        let paired = event.paired;
        event
            .players
            .iter_mut()
            .for_each(|player| player.rounds.truncate(paired));
        let report = Report::new("Random", event);
        assert_eq!(
            Report::parse(&report.to_string()),
            Ok(report),
            "seed {seed}"
        );
    }
}

/// The comparison notices a single wrong colour.
#[test]
fn a_wrong_round_is_found() {
    let (mut event, _) = play_all(3);
    let last = event.paired - 1;
    event
        .players
        .iter_mut()
        .for_each(|player| player.rounds.truncate(last + 1));
    assert_eq!(review(&event), []);
    let (white, black) = (0..event.players.len())
        .find_map(|player| match event.players[player].rounds[last] {
            Round::Played { opponent, .. } => Some((player, opponent)),
            _ => None,
        })
        .unwrap();
    for player in [white, black] {
        if let Round::Played { colour, .. } = &mut event.players[player].rounds[last] {
            *colour = colour.other();
        }
    }
    let found: Vec<usize> = review(&event)
        .iter()
        .map(|difference| difference.round)
        .collect();
    assert_eq!(found, [last]);
    if let Some(program) = std::env::var_os("EPODE_BBP").map(PathBuf::from) {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(
            differing_rounds(&program, &event, &folder.path().join("event.trf")).0,
            1
        );
    }
}

/// The events that bbpPairings makes up are paired by our rules too.
#[test]
fn events_of_bbp_are_paired_by_our_rules() {
    let Some(program) = std::env::var_os("EPODE_BBP").map(PathBuf::from) else {
        println!("EPODE_BBP does not name bbpPairings: nothing compared");
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let (settings, file) = (
        folder.path().join("settings"),
        folder.path().join("event.trf"),
    );
    let (mut rounds, mut differing) = (0, Vec::new());
    for seed in 1..=100_usize {
        let players = if seed.is_multiple_of(50) {
            250
        } else {
            12 + seed
        };
        std::fs::write(
            &settings,
            format!(
                "PlayersNumber={players}
RoundsNumber={}
",
                5 + seed % 7
            ),
        )
        .unwrap();
        let mut command = Command::new(&program);
        command
            .args(["--dutch", "-g"])
            .arg(&settings)
            .arg("-o")
            .arg(&file)
            .args(["-s", &seed.to_string()]);
        // The program can come to a round without a pairing.
        if !command.output().unwrap().status.success() {
            continue;
        }
        let report = Report::parse(&std::fs::read_to_string(&file).unwrap()).unwrap();
        rounds += report.event.paired;
        differing.extend(
            review(&report.event)
                .into_iter()
                .map(|difference| (seed, difference)),
        );
    }
    println!("{rounds} rounds, {} differ", differing.len());
    assert!(
        rounds > 300 && differing.is_empty(),
        "of {rounds} rounds: {differing:?}"
    );
}
