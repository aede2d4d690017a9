//! `--net`: evaluation with the network in a file.

use crate::common::{Folder, network, stdout};
use predicates::str::contains;

const FAILED: i32 = 2;

/// The score is that of the network: 400 centipawns for an output of 1.
#[test]
fn the_network_evaluates() {
    let folder = Folder::with("level.net", network(0));
    std::fs::write(folder.path("glad.net"), network(255 * 512 / 2)).expect("written");
    let queen_up = "4k3/3p4/8/8/8/8/3P4/3QK3 w - - id \"queen\";\n";
    std::fs::write(folder.path("in.epd"), queen_up).expect("written");
    let score = |options: &str| {
        let line = format!("pfga in.epd --depth 1 {options}");
        let record = stdout(&folder.run(line.trim_end()).success());
        let ce = record.split(" ce ").nth(1).expect("analysed");
        let ce = ce.split(';').next().expect("an operand");
        ce.parse::<i32>().expect("a number")
    };
    assert!(score("") > 500);
    assert!(score("--net level.net").abs() < 20);
    // The bias favours the side to move at the leaf, which is the other side here.
    assert!((180..=220).contains(&score("--net glad.net").abs()));
}

#[test]
fn files_that_are_no_network_are_refused() {
    let folder = Folder::with("in.epd", "4k3/8/8/8/8/8/8/4K2R w - - id \"rook\";\n");
    let whole = network(0);
    let mut damaged = whole.clone();
    damaged[5000] ^= 4;
    for (content, why) in [
        (
            &b"P5 768 1024"[..],
            "no network: it does not begin with EPODENET",
        ),
        (
            &whole[..whole.len() - 1],
            &format!("bytes, expected the {} of a network", whole.len()),
        ),
        (
            &damaged,
            "the network is damaged: its checksum does not fit",
        ),
    ] {
        std::fs::write(folder.path("x.net"), content).expect("written");
        for verb in ["bench --depth 1", "uci", "pfga in.epd --depth 1"] {
            let assert = folder.run(&format!("{verb} --net x.net")).code(FAILED);
            assert
                .stderr(contains("x.net: "))
                .stdout("")
                .stderr(contains(why));
        }
    }
    let assert = folder.run("bench --net missing.net").code(FAILED);
    assert.stderr(contains("missing.net: No such file"));
}
