//! Random events against bbpPairings, where the environment variable `EPODE_BBP` names that program.

mod random_events;

use epode_pairing::review::review;
use epode_pairing::trf::Report;
use epode_pairing::{Event, PairError, Round};
use random_events::play_all;
use std::path::PathBuf;
use std::process::Command;

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
