//! `train`: from stored games to a network that the engine loads.

mod common;

use common::{FAILED, Folder, stderr, stdout};
use engine::Net;
use predicates::Predicate;
use predicates::str::contains;

/// A folder with two game files.
fn with_games() -> Folder {
    let folder = Folder::new();
    folder.run("datagen games --nodes 50 --games 6").success();
    folder
        .run("datagen more --nodes 50 --games 2 --seed 2")
        .success();
    folder
}

#[test]
fn the_engine_loads_the_network() {
    let folder = with_games();
    let assert = folder
        .run("train games more --out one.net --epochs 2 --batch 100")
        .success();
    let output = stdout(&assert);
    let lines: Vec<_> = output.lines().collect();
    assert_eq!(lines.len(), 3, "{output}");
    assert!(lines[0].ends_with(" data points in the training set, 0 in the validation set"));
    assert!(
        lines[2].starts_with("epoch 2: training loss 0."),
        "{output}"
    );
    assert!(lines[2].ends_with(" data points a second"), "{output}");
    assert!(Net::from_bytes(&folder.read("one.net")).is_ok());

    // The number of threads changes nothing, the seed does.
    folder
        .run("train games more --out two.net --epochs 2 --batch 100 --threads 3")
        .success();
    folder
        .run("train games more --out other.net --epochs 2 --batch 100 --seed 2")
        .success();
    let net = |name: &str| folder.read(name);
    assert_eq!(net("one.net"), net("two.net"));
    assert_ne!(net("one.net"), net("other.net"));

    // The loss of a run that starts from a network is the last loss of that network.
    let on = folder
        .run("train games more --out on.net --begin one.net --epochs 1 --rate 0.000001")
        .success();
    let on = stdout(&on);
    let loss = |line: &str| -> f64 {
        let (_, rest) = line.split_once("loss ").expect("told");
        rest.split(',')
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
    let mut nets = Vec::new();
    for lambda in ["", "--td-lambda 0.8"] {
        let unpack = format!("unpack games more --out all.bin {lambda}");
        folder.run(&unpack).success();
        let train = |data: &str, net: &str| {
            let line = format!("train {data} --out {net} --epochs 1 --batch 100");
            folder.run(&line).success();
            folder.read(net)
        };
        let from_games = train(&format!("games more {lambda}"), "one.net");
        assert_eq!(from_games, train("all.bin", "two.net"));
        nets.push(from_games);
    }
    assert_ne!(nets[0], nets[1]);
}

#[test]
fn errors_are_reported() {
    let folder = with_games();
    folder.run("unpack games --out torn").success();
    folder.write("whole.bin", folder.read("torn"));
    let mut torn = folder.read("torn");
    let whole = torn.len();
    torn.extend([7; 5]);
    folder.write("torn", torn);
    folder.write("nothing", "");
    for (line, message) in [
        (
            "train games torn --out new.net",
            format!(
                "epode-train: torn: byte {whole}: not a data point written by epode-train unpack\n"
            ),
        ),
        (
            "train nothing --out new.net",
            "epode-train: there are no data points to train on\n".to_owned(),
        ),
        (
            "train games --out missing/new.net",
            "epode-train: cannot write missing/new.net".to_owned(),
        ),
        (
            "train missing --out new.net",
            "epode-train: cannot read missing: ".to_owned(),
        ),
        (
            "train games --out new.net --begin torn",
            "epode-train: torn: no network: it does not begin with EPODENET\n".to_owned(),
        ),
        (
            "train games --out new.net --rate 0",
            "expected a number above 0, at most 1".to_owned(),
        ),
        (
            "train games --out new.net --wdl-weight 1.5",
            "expected a number from 0 to 1".to_owned(),
        ),
        (
            "train games --out new.net --td-lambda 1.1",
            "expected a number from 0 to 1".to_owned(),
        ),
        (
            "train whole.bin --out new.net --td-lambda 0.8",
            "epode-train: whole.bin: --td-lambda needs game files; give it to unpack for data points\n"
                .to_owned(),
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
