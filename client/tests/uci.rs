//! `epode uci` as a graphical interface uses it: over pipes, with whatever comes.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use movegen::{Coordinates, Position};

/// The engine, spoken to line by line.
struct Engine {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Engine {
    fn start() -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_epode"))
            .arg("uci")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .expect("started");
        let output = BufReader::new(child.stdout.take().expect("piped"));
        Self {
            input: child.stdin.take(),
            child,
            output,
        }
    }

    fn say(&mut self, lines: &str) {
        let input = self.input.as_mut().expect("open");
        writeln!(input, "{lines}").expect("it listens");
    }

    /// What it says until a line that begins with a word, that line last.
    fn until(&mut self, word: &str) -> Vec<String> {
        let mut said = Vec::new();
        loop {
            let mut line = String::new();
            let read = self.output.read_line(&mut line).expect("text");
            assert!(read > 0, "no {word} after {said:?}");
            said.push(line.trim_end().to_owned());
            if line.split_whitespace().next() == Some(word) {
                return said;
            }
        }
    }

    /// The answer to a question: what is told on the way, and the move.
    fn ask(&mut self, question: &str) -> (Vec<String>, String) {
        self.say(question);
        self.answer()
    }

    fn answer(&mut self) -> (Vec<String>, String) {
        let mut said = self.until("bestmove");
        let best = said.pop().expect("the last line");
        let best = best.split(' ').nth(1).expect("a move").to_owned();
        (said, best)
    }

    /// Ends by itself; true if with success.
    fn ends(mut self) -> bool {
        self.input = None;
        self.child.wait().expect("it ends").success()
    }
}

fn is_legal(mv: &str, fen: &str) -> bool {
    let position: Position = fen.parse().expect(fen);
    let coordinates: Coordinates = mv.parse().expect(mv);
    coordinates.find(&position).is_ok()
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

#[test]
fn chances_are_told_when_asked_for() {
    let mut engine = Engine::start();
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
    let mut engine = Engine::start();
    engine.say("uci");
    let said = engine.until("uciok");
    assert!(said[0].starts_with("id name Epode "));
    for option in ["Hash", "Threads", "MultiPV", "Move Overhead", "Ponder"] {
        let declaration = format!("option name {option} type ");
        assert!(said.iter().any(|line| line.starts_with(&declaration)));
    }
    engine.say("isready");
    assert_eq!(engine.until("readyok"), ["readyok"]);
    engine.say("quit");
    assert!(engine.ends());
}

/// Every limit ends a search with a legal move.
#[test]
fn limits_end_a_search() {
    let mut engine = Engine::start();
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
    let (said, best) = engine.ask("go depth 5 searchmoves a2a3 h2h3");
    assert!(["a2a3", "h2h3"].contains(&best.as_str()));
    assert!(said.iter().all(|line| line.starts_with("info depth ")));
}

/// What is played was told before, wherever the search was broken off.
#[test]
fn the_move_is_that_of_the_last_line_told() {
    let mut engine = Engine::start();
    // Here the choice changes within iterations.
    engine.say("position fen 1nk1r1r1/pp2n1pp/4p3/q2pPp1N/b1pP1P2/B1P2R2/2P1B1PP/R2Q2K1 w - - 0 1");
    for nodes in (200..=20_000).step_by(300) {
        engine.say("ucinewgame");
        let (said, best) = engine.ask(&format!("go nodes {nodes}"));
        let told = said.last().expect("depth 1 is always told");
        let words: Vec<_> = told.split(' ').collect();
        let after = |word| words[words.iter().position(|&w| w == word).expect("told") + 1];
        assert_eq!(after("pv"), best, "{told}");
    }
}

/// What runs without limits ends when told to, and listens meanwhile.
#[test]
fn endless_searches_end_when_told() {
    let mut engine = Engine::start();
    engine.say("position startpos\ngo infinite\nisready");
    let said = engine.until("readyok");
    assert!(said.iter().all(|line| !line.starts_with("bestmove")));
    let (_, best) = engine.ask("stop");
    assert!(is_legal(&best, START));

    // The clock is not touched before the opponent has moved; then the search ends by it.
    engine.say("go ponder wtime 100 btime 100\nisready");
    engine.until("readyok");
    let (_, best) = engine.ask("ponderhit");
    assert!(is_legal(&best, START));
    engine.say("go ponder depth 1\nisready");
    engine.until("readyok");
    let (_, best) = engine.ask("stop");
    assert!(is_legal(&best, START));

    // A mate that was found long ago is not told before the time.
    engine.say("position fen 6k1/5ppp/8/8/8/8/8/R6K w - - 0 1\ngo infinite\nisready");
    engine.until("readyok");
    let (_, best) = engine.ask("stop");
    assert_eq!(best, "a1a8");

    // It goes when its master goes, in the middle of a thought.
    engine.say("position startpos\ngo infinite");
    assert!(engine.ends());
}

#[test]
fn several_lines_are_told_with_their_scores() {
    let mut engine = Engine::start();
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
    // Nothing to play.
    engine.say("position fen 6k1/5ppp/8/8/8/8/8/R6K w - - 0 1 moves a1a8");
    assert_eq!(engine.ask("go depth 3").1, "0000");
}

/// Words that make no sense are told of and change nothing.
#[test]
fn junk_does_no_harm() {
    let mut engine = Engine::start();
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
    assert!(
        said[..said.len() - 1]
            .iter()
            .all(|line| line.starts_with("info string ")),
        "{said:?}"
    );
    assert!(said.len() > 10, "{said:?}");
    let fen = "rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq d3 0 1";
    let (_, best) = engine.ask("joho go depth 3");
    assert!(is_legal(&best, fen));
    engine.say("ucinewgame\nsetoption name Clear Hash\nsetoption name Hash value 2\nisready");
    assert_eq!(engine.until("readyok"), ["readyok"]);
    assert!(engine.ends());
}

/// A game on a clock that runs by our own measure: it never falls, and what the clock charged
/// beyond the engine's own time is learnt without harm.
#[test]
fn a_game_by_the_clock() {
    let mut engine = Engine::start();
    engine.say("ucinewgame");
    let mut moves = String::new();
    let mut position = Position::start();
    let mut clock: u32 = 2000;
    for _ in 0..12 {
        engine.say(&format!("position startpos moves{moves}"));
        let (_, best) = engine.ask(&format!("go wtime {clock} btime {clock} winc 20 binc 20"));
        let coordinates: Coordinates = best.parse().expect("a move");
        position.play(coordinates.find(&position).expect("a legal move"));
        moves.push(' ');
        moves.push_str(&best);
        // Each move costs more than it took.
        clock = clock.saturating_sub(60);
    }
}
