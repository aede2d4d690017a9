//! `epode uci` as a graphical interface uses it, over pipes.

use crate::common::engine::Engine;

use movegen::{Position, UciMove};

fn is_legal(mv: &str, fen: &str) -> bool {
    let position: Position = fen.parse().expect(fen);
    let coordinates: UciMove = mv.parse().expect(mv);
    coordinates.find(&position).is_ok()
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

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

/// Every limit ends a search with a legal move.
#[test]
fn limits_end_a_search() {
    let mut engine = Engine::start("uci");
    engine.say("position startpos moves e2e4 e7e5");
    let fen = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 0 2";
    for go in [
        "go depth 4",
        "go nodes 3000",
        "go movetime 20",
        "go wtime 300 btime 300 winc 10 binc 10",
        "go wtime 1000 btime 1000 movestogo 3",
        "go wtime 0 btime 0",
        "go wtime -50 btime 100",
        "go mate 1",
        "go depth 3 tomorrow",
    ] {
        let (_, best) = engine.ask(go);
        assert!(is_legal(&best, fen), "{go}: {best}");
    }
    // Errors and proofs must be reported.
    let (said, _) = engine.ask("go depth 3 tomorrow");
    assert!(
        said[0].starts_with("info string go: column 12: "),
        "{said:?}"
    );
    let (said, best) = engine.ask("go depth 5 searchmoves a2a3 h2h3");
    assert!(["a2a3", "h2h3"].contains(&best.as_str()));
    assert!(said.iter().all(|line| line.starts_with("info depth ")));
}

/// The move was reported before, wherever the search is stopped.
#[test]
fn the_move_is_that_of_the_last_line_told() {
    let mut engine = Engine::start("uci");
    // Here the best move changes within iterations.
    engine.say("position fen 1nk1r1r1/pp2n1pp/4p3/q2pPp1N/b1pP1P2/B1P2R2/2P1B1PP/R2Q2K1 w - - 0 1");
    for nodes in (1..=60).chain((200..=20_000).step_by(300)) {
        engine.say("ucinewgame");
        let (said, best) = engine.ask(&format!("go nodes {nodes}"));
        let told = said.last().expect("a line is always told");
        let words: Vec<_> = told.split(' ').collect();
        let after = |word| words[words.iter().position(|&w| w == word).expect("told") + 1];
        assert_eq!(after("pv"), best, "{told}");
    }
}

/// A search without limits ends at `stop`, and commands are answered meanwhile.
#[test]
fn endless_searches_end_when_told() {
    let mut engine = Engine::start("uci");
    engine.say("position startpos\ngo infinite\nisready");
    let said = engine.until("readyok");
    assert!(said.iter().all(|line| !line.starts_with("bestmove")));
    let (_, best) = engine.ask("stop");
    assert!(is_legal(&best, START));

    // While pondering the clock does not matter; after `ponderhit` it ends the search.
    engine.say("go ponder wtime 100 btime 100\nisready");
    engine.until("readyok");
    let (_, best) = engine.ask("ponderhit");
    assert!(is_legal(&best, START));
    engine.say("go ponder depth 1\nisready");
    engine.until("readyok");
    let (_, best) = engine.ask("stop");
    assert!(is_legal(&best, START));

    // A proven mate is not reported before `stop`.
    engine.say("position fen 6k1/5ppp/8/8/8/8/8/R6K w - - 0 1\ngo infinite\nisready");
    engine.until("readyok");
    let (_, best) = engine.ask("stop");
    assert_eq!(best, "a1a8");

    // The engine exits when its input ends, even while it searches.
    engine.say("position startpos\ngo infinite");
    assert!(engine.ends());
}

#[test]
fn several_lines_are_told_with_their_scores() {
    let mut engine = Engine::start("uci");
    engine.say("setoption name MultiPV value 3\nsetoption name Threads value 2");
    engine.say("position fen 6k1/5ppp/8/8/8/8/8/R6K w - - 0 1");
    let (said, best) = engine.ask("go depth 6");
    assert_eq!(best, "a1a8");
    for rank in 1..=3 {
        let wanted = format!(" multipv {rank} score ");
        assert!(
            said.iter()
                .any(|said| said.contains("depth 6 seldepth ") && said.contains(&wanted)),
            "{said:?}"
        );
    }
    assert!(said.iter().any(|line| line.contains("score mate 1 ")));
    // No legal moves.
    engine.say("position fen 6k1/5ppp/8/8/8/8/8/R6K w - - 0 1 moves a1a8");
    let (said, best) = engine.ask("go depth 3");
    assert_eq!(
        (said, best.as_str()),
        (vec!["info depth 0 score mate 0".to_owned()], "0000")
    );
    engine.say("position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1");
    let (said, best) = engine.ask("go nodes 5");
    assert_eq!(
        (said, best.as_str()),
        (vec!["info depth 0 score cp 0".to_owned()], "0000")
    );
}

/// In check there are often fewer legal moves than lines.
#[test]
fn more_lines_than_moves_are_no_trap() {
    let mut engine = Engine::start("uci");
    engine.say("setoption name MultiPV value 4");
    engine.say("position fen kq6/8/8/8/8/8/8/R6K b - -");
    let (said, best) = engine.ask("go depth 4");
    assert!(is_legal(&best, "kq6/8/8/8/8/8/8/R6K b - -"), "{best}");
    assert!(
        said.iter()
            .any(|line| line.contains("depth 4 ") && line.contains("multipv 2 "))
    );
    assert!(
        said.iter().all(|line| !line.contains("multipv 3 ")),
        "{said:?}"
    );
}

/// An invalid position is not searched, nor is the one before it.
#[test]
fn a_wrong_position_is_not_searched() {
    let mut engine = Engine::start("uci");
    for (line, column) in [
        ("position", 9),
        ("position here", 10),
        ("position fen", 13),
        ("position fen 8/8/8/8 w - - 0 1", 14),
        ("position fen 8/8/8/8/8/8/8/K7 w - - 0 1", 14),
        ("position startpos e2e4", 19),
        ("position startpos moves e2e4 e7e5 e2e4 g8f6", 35),
        ("position startpos moves e2e4 %&", 30),
    ] {
        engine.say("position startpos moves g1f3");
        engine.say(line);
        for go in ["go depth 2", "go infinite", "go mate 1", "go perft 2"] {
            let (said, best) = engine.ask(go);
            assert_eq!(best, "0000", "{line}");
            let reason = format!("column {column}: ");
            let is_told =
                |line: &String| line.starts_with("info string ") && line.contains(&reason);
            assert!(
                !said.is_empty() && said.iter().all(is_told),
                "{line}: {said:?}"
            );
        }
    }
    // Until a valid position is set.
    engine.say("ucinewgame\nposition startpos moves e2e4 e7e5 g1f3");
    let fen = "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2";
    assert!(is_legal(&engine.ask("go depth 2").1, fen));
}

#[test]
fn castling_rights_without_a_rook_are_dropped_with_a_note() {
    let mut engine = Engine::start("uci");
    engine.say("position fen r3k2r/8/8/8/8/8/8/4K2R w KQkq - 0 1 moves e1g1\nd");
    let said = engine.until("Checkers:");
    assert_eq!(
        said[0],
        "info string position: column 39: castling right Q dropped: no rook on a1"
    );
    assert!(said.contains(&"Fen: r3k2r/8/8/8/8/8/8/5RK1 b kq - 1 1".to_owned()));
}

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

/// Mates are proven first, so that none is missed.
#[test]
fn mates_are_found() {
    let mut engine = Engine::start("uci");
    for (fen, moves, first) in [
        ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 2, "a1a6"),
        ("r6k/6pp/8/6N1/8/1Q6/8/6K1 w - - 0 1", 4, "g5f7"),
        ("8/5P1k/5K2/8/8/8/8/8 w - - 0 1", 2, "f7f8r"),
    ] {
        engine.say(&format!("position fen {fen}"));
        for go in [
            format!("go mate {moves}"),
            format!("go mate {} nodes 9000000", moves + 1),
        ] {
            let (said, best) = engine.ask(&go);
            assert_eq!(best, first, "{fen}");
            let told = said.last().expect("a line");
            assert!(told.contains(&format!(" score mate {moves} ")), "{told}");
            let pv = told.split(" pv ").nth(1).expect("a line").split(' ');
            assert_eq!(pv.count(), 2 * moves - 1, "{told}");
        }
        let (said, best) = engine.ask(&format!("go mate {} nodes 100000", moves - 1));
        assert!(is_legal(&best, fen));
        assert!(said[0].starts_with("info string no mate in "), "{said:?}");
    }
    // `searchmoves` is respected.
    engine.say("position fen kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1");
    assert_eq!(engine.ask("go mate 2 searchmoves a1a2").1, "a1a2");
}

/// A mate search respects limits and `stop`.
#[test]
fn searches_for_mates_end() {
    let mut engine = Engine::start("uci");
    engine.say("position startpos");
    for go in [
        "go mate 30 nodes 5000",
        "go mate 30 movetime 20",
        "go mate 30 wtime 100 btime 100",
    ] {
        assert!(is_legal(&engine.ask(go).1, START), "{go}");
    }
    engine.say("go mate 30\nisready");
    engine.until("readyok");
    let (said, best) = engine.ask("stop");
    assert!(is_legal(&best, START));
    let told = said.last().expect("a line");
    assert!(told.contains(&format!(" pv {best}")), "{told}");
    engine.say("go mate 30 ponder\nisready");
    engine.until("readyok");
    assert!(is_legal(&engine.ask("stop").1, START));
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

#[test]
fn the_board_and_the_evaluation_are_shown() {
    let mut engine = Engine::start("uci");
    engine.say("position startpos moves e2e4 d7d5 f1b5\nd");
    let said = engine.until("Checkers:");
    assert!(
        said.contains(&" |   | B |   | p |   |   |   |   | 5".to_owned()),
        "{said:?}"
    );
    let fen = "Fen: rnbqkbnr/ppp1pppp/8/1B1p4/4P3/8/PPPP1PPP/RNBQK1NR b KQkq - 1 2";
    assert!(said.contains(&fen.to_owned()), "{said:?}");
    assert_eq!(said.last().expect("checkers"), "Checkers: b5");
    let key = said.iter().find_map(|line| line.strip_prefix("Key: "));
    assert!(u64::from_str_radix(key.expect("a key"), 16).is_ok());
    engine.say("eval");
    assert_eq!(
        engine.until("Final").last().expect("it"),
        "Final evaluation: none (in check)"
    );

    // From White's view for either side to move: an extra queen is good for White.
    for turn in ["w", "b"] {
        engine.say(&format!(
            "position fen 4k3/8/8/8/8/8/8/Q3K3 {turn} - - 0 1\neval"
        ));
        let said = engine.until("Final");
        let pawns = |word: &str| -> f64 {
            let line = said.iter().find(|line| line.starts_with(word)).expect(word);
            line.split_whitespace()
                .nth(2)
                .expect(line)
                .parse()
                .expect(line)
        };
        assert!(pawns("Final") > 3.0 && pawns("Network") > 3.0, "{said:?}");
        assert_eq!(
            said.iter()
                .filter(|line| line.contains("<- in use"))
                .count(),
            1
        );
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

/// A game with a simulated clock: the time never runs out, although each move is charged with a
/// lag.
#[test]
fn a_game_by_the_clock() {
    let mut engine = Engine::start("uci");
    engine.say("ucinewgame");
    let mut moves = String::new();
    let mut position = Position::start();
    let mut clock: u32 = 2000;
    for _ in 0..12 {
        engine.say(&format!("position startpos moves{moves}"));
        let (_, best) = engine.ask(&format!("go wtime {clock} btime {clock} winc 20 binc 20"));
        let coordinates: UciMove = best.parse().expect("a move");
        position.play(coordinates.find(&position).expect("a legal move"));
        moves.push(' ');
        moves.push_str(&best);
        // Each move is charged more than it took.
        clock = clock.saturating_sub(60);
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
