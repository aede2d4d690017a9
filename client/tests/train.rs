//! `epode train`: from stored positions to a network that plays.

mod common;

use std::fs;

use common::{FAILED, Folder, stderr};
use predicates::Predicate;
use predicates::str::contains;

/// A folder with some positions of self-play.
fn with_games() -> Folder {
    let folder = Folder::new();
    folder.run("datagen games --nodes 50 --games 6").success();
    folder
        .run("datagen more --nodes 50 --games 2 --seed 2")
        .success();
    folder
}

#[test]
fn what_is_trained_plays() {
    let folder = with_games();
    let lines = folder
        .run("train games more --out one.net --epochs 2 --batch 100")
        .success();
    let output = String::from_utf8_lossy(&lines.get_output().stdout).into_owned();
    let lines: Vec<_> = output.lines().collect();
    assert_eq!(lines.len(), 3, "{output}");
    assert!(lines[0].ends_with(" training positions, 0 validation positions"));
    assert!(lines[2].starts_with("epoch 2: loss 0.") && lines[2].ends_with(" positions a second"));
    folder.run("bench --depth 1 --net one.net").success();

    // The number of threads changes nothing, the seed does.
    folder
        .run("train games more --out two.net --epochs 2 --batch 100 --threads 3")
        .success();
    folder
        .run("train games more --out other.net --epochs 2 --batch 100 --seed 2")
        .success();
    let net = |name: &str| fs::read(folder.path(name)).expect("written");
    assert_eq!(net("one.net"), net("two.net"));
    assert_ne!(net("one.net"), net("other.net"));

    // To go on from a network begins where that one ended.
    let on = folder
        .run("train games more --out on.net --begin one.net --epochs 1 --rate 0.000001")
        .success();
    let on = String::from_utf8_lossy(&on.get_output().stdout).into_owned();
    let loss = |line: &str| -> f64 {
        let (_, rest) = line.split_once("loss ").expect("told");
        rest.split(' ')
            .next()
            .and_then(|word| word.parse().ok())
            .expect("a number")
    };
    let (last, first) = (loss(lines[2]), loss(on.lines().nth(1).expect("told")));
    assert!(first < 1.2 * last, "{last}, {first}");
}

/// Expanded positions and the games that they come from give the same network.
#[test]
fn games_and_expanded_positions_train_alike() {
    let folder = with_games();
    folder.run("unpack games more --out all.bin").success();
    let train = |data: &str, net: &str| {
        let line = format!("train {data} --out {net} --epochs 1 --batch 100");
        folder.run(&line).success();
        fs::read(folder.path(net)).expect("written")
    };
    assert_eq!(train("games more", "one.net"), train("all.bin", "two.net"));
}

#[test]
fn what_is_wrong_is_told() {
    let folder = with_games();
    folder.run("unpack games --out torn").success();
    let mut torn = fs::read(folder.path("torn")).expect("written");
    let whole = torn.len();
    torn.extend([7; 5]);
    fs::write(folder.path("torn"), torn).expect("written");
    fs::write(folder.path("nothing"), "").expect("written");
    for (line, message) in [
        (
            "train games torn --out new.net",
            format!("epode: torn: byte {whole}: not a position stored by datagen\n"),
        ),
        (
            "train nothing --out new.net",
            "epode: there are no positions to learn from\n".to_owned(),
        ),
        (
            "train games --out missing/new.net",
            "epode: cannot write missing/new.net".to_owned(),
        ),
        (
            "train missing --out new.net",
            "epode: cannot read missing: ".to_owned(),
        ),
        (
            "train games --out new.net --begin torn",
            "epode: torn: no network: it does not begin with EPODENET\n".to_owned(),
        ),
        (
            "train games --out new.net --rate 0",
            "expected a number above 0, at most 1".to_owned(),
        ),
        (
            "train games --out new.net --blend 1.5",
            "expected a number from 0 to 1".to_owned(),
        ),
    ] {
        let assert = folder.run(line).code(FAILED);
        assert!(
            contains(message.as_str()).eval(&stderr(&assert)),
            "{line}: {}",
            stderr(&assert)
        );
        assert!(!folder.path("new.net").exists(), "{line}");
    }
}
