//! `--net`: evaluation with the network in a file.

use crate::common::{Folder, network, stdout};
use predicates::str::contains;

const FAILED: i32 = 2;

/// The score is that of the network, 400 centipawns for an output of 1, less some where pieces are missing.
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
    // The bias favours the side to move at the leaf, which is the other side here. With a queen as the only piece,
    // 85 % of 200 centipawns count.
    assert!((160..=180).contains(&score("--net glad.net").abs()));
}

/// `EvalFile` of UCI does what `--net` does. A file that is no network changes nothing.
#[test]
fn a_network_is_set_by_an_option() {
    let folder = Folder::with("glad.net", network(255 * 512 / 2));
    std::fs::write(folder.path("x.net"), "P5 768 1024").expect("written");
    let clocks = regex::Regex::new(r" (nps|time) \d+").expect("a pattern");
    let said = |options: &str, commands: &str| {
        let mut run = folder.command(format!("uci {options}").trim_end());
        let said = stdout(&run.write_stdin(commands).assert().success());
        clocks.replace_all(&said, "").into_owned()
    };
    let set = |name: &str| format!("setoption name EvalFile value {name}\n");
    let show = "position fen 4k3/3p4/8/8/8/8/3P4/3QK3 w - - 0 1\neval\ngo depth 1\n";
    let built_in = said("", show);
    let glad = said("--net glad.net", show);
    assert_ne!(built_in, glad);
    assert_eq!(said("", &format!("{}{show}", set("glad.net"))), glad);
    let empty = format!("{}{show}", set("<empty>"));
    assert_eq!(said("--net glad.net", &empty), built_in);
    let wrong = format!(
        "{}{}{}{show}",
        set("glad.net"),
        set("x.net"),
        set("missing.net")
    );
    let told = said("", &wrong);
    let (errors, rest) = told.split_at(told.find("\nOutputs").expect(&told));
    assert_eq!(rest, glad);
    let kept = "; the network stays as it was";
    let [first, second] = errors.trim_end().lines().collect::<Vec<_>>()[..] else {
        panic!("{errors}");
    };
    assert!(
        first.starts_with("info string EvalFile: x.net: no network: "),
        "{first}"
    );
    assert!(
        second.starts_with("info string EvalFile: missing.net: No such file"),
        "{second}"
    );
    assert!(first.ends_with(kept) && second.ends_with(kept), "{errors}");
    let declared = said("--net glad.net", "uci\n");
    assert!(declared.contains("\noption name EvalFile type string default glad.net\n"));
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
