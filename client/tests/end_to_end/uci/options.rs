//! The introduction of the engine, and what its options change.

use super::{START, is_legal};
use crate::common::engine::Engine;

#[test]
fn it_introduces_itself() {
    let mut engine = Engine::start("uci");
    engine.say("uci");
    let said = engine.until("uciok");
    assert!(said[0].starts_with("id name Epode "));
    let options = ["Hash", "Threads", "MultiPV", "Move Overhead", "Ponder"];
    let syzygy = ["Path", "ProbeDepth", "ProbeLimit", "50MoveRule"].map(|of| format!("Syzygy{of}"));
    for option in options.map(str::to_owned).iter().chain(&syzygy) {
        let declaration = format!("option name {option} type ");
        assert!(said.iter().any(|line| line.starts_with(&declaration)));
    }
    engine.say("isready");
    assert_eq!(engine.until("readyok"), ["readyok"]);
    engine.say("quit");
    assert!(engine.ends());
}

#[test]
fn chances_are_told_when_asked_for() {
    let mut engine = Engine::start("uci");
    engine.say("position startpos");
    let (said, _) = engine.ask("go depth 3");
    assert!(said.iter().all(|line| !line.contains(" wdl ")), "{said:?}");
    engine.say("setoption name UCI_ShowWDL value true");
    let (said, _) = engine.ask("go depth 3");
    for line in said.iter().filter(|line| line.starts_with("info depth")) {
        let chances = line.split(" wdl ").nth(1).expect(line).split(' ').take(3);
        let chances = chances.map(|number| number.parse::<u32>().expect(line));
        assert_eq!(chances.sum::<u32>(), 1000, "{line}");
    }
    assert!(engine.ends());
}

/// With the option, FEN is read as X-FEN and the king takes its own rook to castle.
#[test]
fn games_of_960_are_played() {
    let mut engine = Engine::start("uci");
    engine.say("uci");
    let said = engine.until("uciok");
    let declaration = "option name UCI_Chess960 type check default false";
    assert!(said.iter().any(|line| line == declaration), "{said:?}");
    engine.say("setoption name UCI_Chess960 value true");
    let fen = "qrk3r1/pppppppp/8/8/8/8/PPPPPPPP/QRK3R1 w KQkq - 0 1";
    engine.say(&format!("position fen {fen}"));
    engine.say("go perft 1");
    let said = engine.until("Nodes");
    assert!(said.iter().any(|line| line == "c1g1: 1"), "{said:?}");
    let (said, best) = engine.ask("go nodes 1000 searchmoves c1g1");
    assert_eq!(best, "c1g1");
    let has_line = said.iter().any(|line| line.contains(" pv c1g1"));
    assert!(has_line, "{said:?}");
    engine.say(&format!("position fen {fen} moves c1g1 c8g8"));
    engine.say("d");
    let said = engine.until("Checkers:");
    let castled = "Fen: qr3rk1/pppppppp/8/8/8/8/PPPPPPPP/QR3RK1 w - - 2 2";
    assert!(said.iter().any(|line| line == castled), "{said:?}");
    engine.say("quit");
    assert!(engine.ends());
}

/// With any number of threads, the node limit is not exceeded.
#[test]
fn threads_keep_to_the_nodes() {
    let mut engine = Engine::start("uci");
    engine.say("setoption name Threads value 64\nposition startpos");
    for nodes in [1, 10, 1000] {
        let (said, best) = engine.ask(&format!("go nodes {nodes}"));
        assert!(is_legal(&best, START));
        let told = said
            .last()
            .expect("a line")
            .split(" nodes ")
            .nth(1)
            .expect("told");
        let told: u64 = told
            .split(' ')
            .next()
            .expect("a number")
            .parse()
            .expect(told);
        assert!(told <= nodes, "{said:?}");
    }
}

/// With limited strength few nodes are searched, and `MultiPV` is that of the interface again afterwards.
#[test]
fn strength_is_limited() {
    let mut engine = Engine::start("uci");
    engine.say("uci");
    let said = engine.until("uciok");
    let elo = said
        .iter()
        .find(|line| line.starts_with("option name UCI_Elo type spin "));
    let elo = elo.expect("UCI_Elo");
    let least = elo.split(' ').nth(8).expect("min");
    assert!(said.contains(&"option name UCI_LimitStrength type check default false".to_owned()));
    engine.say(&format!("setoption name UCI_Elo value {least}"));
    engine.say("setoption name UCI_LimitStrength value true");
    let nodes = |said: &[String]| {
        let last = said.last().expect("a line");
        let count = last.split(" nodes ").nth(1).expect(last).split(' ').next();
        count
            .and_then(|count| count.parse::<u64>().ok())
            .expect(last)
    };
    let (said, best) = engine.ask("position startpos\ngo wtime 60000 btime 60000");
    assert!(is_legal(&best, START), "{best}");
    assert!(nodes(&said) < 1000, "{said:?}");
    assert!(
        said.iter().all(|line| line.contains(" multipv 1 ")),
        "{said:?}"
    );
    engine.say("setoption name UCI_LimitStrength value false");
    let (said, _) = engine.ask("go nodes 20000");
    assert!(
        said.iter().all(|line| line.contains(" multipv 1 ")),
        "{said:?}"
    );
    assert!(nodes(&said) > 10_000, "{said:?}");
    assert!(engine.ends());
}

/// The probe depth concerns positions with as many pieces as the limit: here those after the capture.
#[test]
fn tablebases_are_probed_from_a_depth_on() {
    let tables = concat!(env!("CARGO_MANIFEST_DIR"), "/../movegen/syzygy/tables");
    for (depth, are_probed) in [(1, true), (100, false)] {
        let mut engine = Engine::start("uci");
        engine.say(&format!("setoption name SyzygyPath value {tables}"));
        engine.say(&format!("setoption name SyzygyProbeDepth value {depth}"));
        engine.say("position fen 7k/8/8/3p4/8/3K4/8/1Q6 w - - 0 1");
        let (said, _) = engine.ask("go depth 8");
        assert_eq!(said[0], "info string Found 5 tablebases (up to 3 pieces)");
        let last = said.last().expect("a report");
        assert_eq!(!last.contains(" tbhits 0 "), are_probed, "{last}");
    }
}

/// What cannot be set is named, with what was meant.
#[test]
fn what_cannot_be_set_is_told() {
    let mut engine = Engine::start("uci");
    for (option, told) in [
        (
            "Evalfile value /x/y.net",
            "Evalfile: /x/y.net: No such file",
        ),
        (
            "EvalFlie value x",
            "Epode has no option EvalFlie; did you mean EvalFile?",
        ),
        (
            "zzz",
            "Epode has no option zzz; it has Hash, Threads, MultiPV, ",
        ),
        (
            "BookFile value /x/y.bin",
            "BookFile: cannot read /x/y.bin: ",
        ),
        (
            "Hash value 0",
            "Hash: \"0\" is not a number from 1 to 1048576",
        ),
    ] {
        engine.say(&format!("setoption name {option}\nisready"));
        let said = engine.until("readyok");
        let expected = format!("info string {told}");
        assert!(
            said.len() == 2 && said[0].starts_with(&expected),
            "{said:?}"
        );
    }
    assert!(engine.ends());
}

/// A row of the table of options in the guide: name, default and values.
fn documented(row: &str) -> Option<[String; 3]> {
    let mut cells = row.strip_prefix("| `")?.split('|');
    let mut cell = || Some(cells.next()?.trim().trim_matches('`').to_owned());
    Some([cell()?, cell()?, cell()?])
}

/// The same for a declaration; the values of a string are left open.
fn declared(line: &str) -> [String; 3] {
    let (name, rest) = line.split_once(" type ").expect(line);
    let (kind, rest) = rest.split_once(' ').unwrap_or((rest, ""));
    let mut words = rest.split(' ').skip(1).step_by(2).map(str::to_owned);
    let mut next = || words.next().unwrap_or_default();
    let default = next();
    let values = match kind {
        "spin" => format!("{} to {}", next(), next()),
        "check" => "true, false".to_owned(),
        "string" => String::new(),
        other => other.to_owned(),
    };
    [name.to_owned(), default, values]
}

/// The guide lists the options as the engine declares them.
#[test]
fn the_guide_lists_the_options() {
    if cfg!(feature = "tune") {
        return;
    }
    let mut engine = Engine::start("uci");
    engine.say("uci");
    let said = engine.until("uciok");
    let options = said
        .iter()
        .filter_map(|line| line.strip_prefix("option name "));
    let declared: Vec<_> = options.map(declared).collect();
    let guide = include_str!("../../../guide/uci.md");
    let (_, section) = guide.split_once("\n## Options\n").expect("a section");
    let (section, _) = section.split_once("\n## ").expect("another section");
    let mut documented: Vec<_> = section.lines().filter_map(documented).collect();
    for [_, _, values] in &mut documented {
        if ["file", "folders"].contains(&values.as_str()) {
            values.clear();
        }
    }
    assert_eq!(documented, declared);
    assert!(engine.ends());
}
