//! Commands that are garbled, unknown, piped all at once, or for counting.

use super::{START, is_legal};
use crate::common::engine::Engine;

/// Errors in `go` are reported, and the search ends without `stop`.
#[test]
fn a_garbled_go_is_answered() {
    let mut engine = Engine::start("uci");
    engine.say("position startpos");
    for (go, word) in [
        ("go depth abc", "\"abc\""),
        ("go depth", "depth"),
        ("go nodes x", "\"x\""),
        ("go nodes", "nodes"),
        ("go movetime soon", "\"soon\""),
        ("go wtime", "wtime"),
        ("go btime now winc 5", "\"now\""),
        ("go movestogo 30", "wtime"),
        ("go mate", "mate"),
        ("go mate two", "\"two\""),
        ("go perft many", "\"many\""),
        ("go perft 1000000", "perft"),
        ("go searchmoves", "searchmoves"),
        ("go forever", "\"forever\""),
    ] {
        let (said, best) = engine.ask(go);
        assert!(said[0].starts_with("info string go: "), "{go}: {said:?}");
        assert!(said[0].contains(word), "{go}: {said:?}");
        assert!(is_legal(&best, START), "{go}: {best}");
    }
    let (said, best) = engine.ask("go searchmoves e7e5 e2e5");
    assert_eq!((said.len(), best.as_str()), (3, "0000"), "{said:?}");
    assert!(is_legal(
        &engine.ask("go mate 9223372036854775807 nodes 2000").1,
        START
    ));
}

/// A script that pipes all commands at once gets every answer, with `quit` or without.
#[test]
fn piped_commands_are_answered() {
    for quit in ["", "quit\n"] {
        for (commands, answers) in [
            ("uci\nisready\n", &["uciok", "readyok"][..]),
            ("isready\n", &["readyok"]),
            ("go perft 5\n", &["Nodes searched: 4865609"]),
            (
                "go perft 1\ngo perft 2\nd\n",
                &["Nodes searched: 20", "Nodes searched: 400", "Fen: "],
            ),
            ("go depth 12\n", &["bestmove "]),
            ("go infinite\n", &["bestmove "]),
            ("go nodes x\n", &["info string go: ", "bestmove "]),
        ] {
            let output = assert_cmd::Command::new(env!("CARGO_BIN_EXE_epode"))
                .arg("uci")
                .write_stdin(format!("{commands}{quit}"))
                .assert()
                .success();
            let said = String::from_utf8_lossy(&output.get_output().stdout).into_owned();
            for answer in answers {
                let is_said = said.lines().any(|line| line.starts_with(answer));
                assert!(is_said, "{commands}{quit}: {said}");
            }
        }
    }
}

/// Unknown commands are reported and change nothing.
#[test]
fn junk_does_no_harm() {
    let mut engine = Engine::start("uci");
    for junk in [
        "",
        "   ",
        "\u{1F600} \0 \u{7f}",
        "xyzzy plugh",
        "position",
        "position fen",
        "position fen 8/8/8/8 w - - 0 1",
        "position startpos moves e2e5",
        "position startpos moves e2e4 e2e4",
        "setoption",
        "setoption name",
        "setoption name Hash value lots",
        "setoption name Hash value 1048576",
        "setoption name Threads value 0",
        "setoption name Style value Tal",
        "go depth",
        "go wtime soon",
        "stop",
        "ponderhit",
        "debug on",
        "register later",
    ] {
        engine.say(junk);
    }
    engine.say("position startpos moves d2d4\nisready");
    let said = engine.until("readyok");
    // The position was invalid at `go`.
    let is_refusal = |line: &String| line.starts_with("info string ") || line == "bestmove 0000";
    assert!(said[..said.len() - 1].iter().all(is_refusal), "{said:?}");
    assert_eq!(
        said.iter()
            .filter(|line| line.starts_with("bestmove"))
            .count(),
        2
    );
    assert!(said.len() > 10, "{said:?}");
    let fen = "rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq d3 0 1";
    let (_, best) = engine.ask("joho go depth 3");
    assert!(is_legal(&best, fen));
    engine.say("ucinewgame\nsetoption name Clear Hash\nsetoption name Hash value 2\nisready");
    assert_eq!(engine.until("readyok"), ["readyok"]);
    assert!(engine.ends());
}

/// A user who starts the engine by hand is helped.
#[test]
fn help_names_the_commands() {
    let mut engine = Engine::start("uci");
    engine.say("help\nisready");
    let said = engine.until("readyok").join("\n");
    for command in ["setoption", "go perft N", "d ", "eval", "bench", "compiler"] {
        assert!(said.contains(command), "{command}: {said}");
    }
    assert!(engine.ends());
}

/// In the format of Stockfish.
#[test]
fn perft_divides() {
    let mut engine = Engine::start("uci");
    engine.say("position fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1");
    engine.say("go perft 3");
    let said = engine.until("Nodes");
    assert_eq!(said.last().expect("the sum"), "Nodes searched: 97862");
    let counts: Vec<u64> = said[..48]
        .iter()
        .map(|line| line.split(": ").nth(1).expect(line).parse().expect(line))
        .collect();
    assert_eq!(counts.iter().sum::<u64>(), 97862);
    assert!(said.iter().any(|line| line.starts_with("e1c1: ")));
    engine.say("go perft 0");
    assert_eq!(
        engine.until("Nodes").last().expect("the sum"),
        "Nodes searched: 1"
    );
    // A deep one can be stopped.
    engine.say("go perft 20\nisready");
    engine.until("readyok");
    engine.say("stop");
    assert!(
        engine
            .until("info")
            .last()
            .expect("told")
            .contains("perft was stopped")
    );
}

/// An interface that says `quit` and keeps the pipe open does not wait for the count.
#[test]
fn quit_ends_a_count() {
    for count in ["go perft 20", "bench 1 1 64"] {
        let mut engine = Engine::start("uci");
        engine.say(count);
        engine.say("isready");
        engine.until("readyok");
        assert!(engine.quits(), "{count}");
    }
}

/// `bench` as Stockfish and `OpenBench` call it: the same count as that of `epode bench`, in the last line.
#[test]
fn the_benchmark_runs_under_an_interface() {
    let mut engine = Engine::start("uci");
    engine.say("bench 2 1 4");
    let time = engine.until_where(|line| line.ends_with(" s"));
    assert_eq!(time.len(), 1, "{time:?}");
    let last = &engine.until_where(|line| line.ends_with(" nps"))[0];
    let assert = crate::common::run("bench 2 1 4", "").code(0);
    let printed = crate::common::stdout(&assert);
    let count = |line: &str| {
        // What OpenBench looks for.
        let pattern = regex::Regex::new(r"^(\d+)\s+nodes (\d+)\s+nps$").expect("a pattern");
        let found = pattern.captures(line).expect(line);
        found[1].parse::<u64>().expect("a number")
    };
    assert_eq!(count(last), count(printed.lines().last().expect("lines")));
    engine.say("bench 0");
    engine.say("bench 1 1 64");
    engine.say("stop");
    let said = engine.until_line("info string bench: stopped");
    let refused = "info string bench: HASH: \"0\" is not a number from 1 to 1048576";
    assert_eq!(said[0], refused);
    assert_eq!(said.len(), 2, "{said:?}");
    assert!(engine.ends());
}
