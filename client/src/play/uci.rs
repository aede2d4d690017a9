//! Another engine as a player, through the Universal Chess Interface.

use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow, bail};
use engine::Signals;
use movegen::{Coordinates, Game, Move, Position};

use super::player::{Effort, Player};
use super::session::Thought;

/// How long an engine may take to say that it is there.
const PATIENCE: Duration = Duration::from_secs(30);
/// How long it may take to stop.
const STOP_PATIENCE: Duration = Duration::from_secs(5);
/// How often a thinking engine is looked after.
const TICK: Duration = Duration::from_millis(5);

/// An engine in a process of its own, which ends with this value.
pub struct UciPlayer {
    child: Child,
    input: ChildStdin,
    /// What it says, line by line.
    output: Receiver<String>,
    name: String,
}

impl UciPlayer {
    /// Starts an engine, by its command line, and sets its options.
    pub fn start(command: &str, options: &[(String, String)]) -> anyhow::Result<Self> {
        let mut words = command.split_whitespace();
        let program = words.next().context("the command of the engine is empty")?;
        let mut command = Command::new(program);
        command.args(words);
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        // Ctrl-C is for us: the engine is told to quit when we leave.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command
            .spawn()
            .with_context(|| format!("cannot start the engine {program}"))?;
        let input = child.stdin.take().context("no input of the engine")?;
        let lines = child.stdout.take().context("no output of the engine")?;
        let (sender, output) = channel();
        thread::spawn(move || {
            let lines = BufReader::new(lines).split(b'\n');
            for line in lines.map_while(Result::ok) {
                let line = String::from_utf8_lossy(&line);
                if sender.send(line.trim_end().to_owned()).is_err() {
                    break;
                }
            }
        });
        let mut player = Self {
            child,
            input,
            output,
            name: program.to_owned(),
        };
        player.say("uci")?;
        player.wait_for("uciok")?;
        for (name, value) in options {
            player.say(&format!("setoption name {name} value {value}"))?;
        }
        player.new_game()?;
        Ok(player)
    }

    fn say(&mut self, line: &str) -> anyhow::Result<()> {
        // Its broken pipe is not that of our own output, which would be no failure.
        writeln!(self.input, "{line}")
            .map_err(|error| anyhow!("{} takes no input: {error}", self.name))
    }

    /// Waits for a word at the beginning of a line; other lines are passed over but for the name.
    fn wait_for(&mut self, word: &str) -> anyhow::Result<()> {
        let until = Instant::now() + PATIENCE;
        loop {
            let left = until.saturating_duration_since(Instant::now());
            match self.output.recv_timeout(left) {
                Ok(line) if line.split_whitespace().next() == Some(word) => return Ok(()),
                Ok(line) => {
                    if let Some(name) = line.strip_prefix("id name ") {
                        name.trim().clone_into(&mut self.name);
                    }
                }
                Err(RecvTimeoutError::Timeout) => {
                    bail!("{} does not say {word} within {PATIENCE:?}", self.name)
                }
                Err(RecvTimeoutError::Disconnected) => bail!("{} has ended", self.name),
            }
        }
    }

    /// The name that the engine gives itself.
    pub fn name(&self) -> &str {
        &self.name
    }
}

/// `position` with all moves, so that the engine sees repetitions.
fn position_command(game: &Game) -> String {
    let mut line = format!("position fen {}", game.start());
    for (i, &mv) in game.moves().iter().enumerate() {
        line.push_str(if i == 0 { " moves " } else { " " });
        let _ = write!(line, "{mv}");
    }
    line
}

fn go_command(effort: &Effort) -> String {
    let milliseconds = |time: Duration| time.as_millis().max(1);
    match effort {
        Effort::Endless => "go infinite".to_owned(),
        Effort::Fixed(limits) => {
            let mut line = "go".to_owned();
            if let Some(depth) = limits.depth {
                let _ = write!(line, " depth {depth}");
            }
            if let Some(nodes) = limits.nodes {
                let _ = write!(line, " nodes {nodes}");
            }
            if let Some(time) = limits.hard_time {
                let _ = write!(line, " movetime {}", milliseconds(time));
            }
            line
        }
        Effort::Clock(watch, overhead) => {
            let left = watch
                .remaining
                .map(|time| milliseconds(time.saturating_sub(*overhead)));
            let increment = watch.increment.map(|time| time.as_millis());
            let mut line = format!(
                "go wtime {} btime {} winc {} binc {}",
                left[0], left[1], increment[0], increment[1]
            );
            if let Some(moves) = watch.moves_to_go {
                let _ = write!(line, " movestogo {moves}");
            }
            line
        }
    }
}

/// Takes in what an `info` line says of the best line.
fn take_info(line: &str, position: &Position, thought: &mut Thought) {
    let words: Vec<_> = line.split_whitespace().collect();
    let after = |word: &str| {
        words
            .iter()
            .position(|other| *other == word)
            .map(|at| at + 1)
    };
    let number = |word: &str| -> Option<i64> { words.get(after(word)?)?.parse().ok() };
    // Of several lines only the best counts; bounds are no scores.
    if number("multipv").is_some_and(|line| line != 1)
        || after("upperbound").is_some()
        || after("lowerbound").is_some()
    {
        return;
    }
    let Some(pv) = after("pv") else {
        return;
    };
    if let Some(centipawns) = number("cp") {
        thought.score = centipawns.clamp(-30_000, 30_000) as i32;
    } else if let Some(moves) = number("mate") {
        // The scale of ce: 32767 less the plies to the mate (EPD 6.7).
        thought.score = if moves > 0 {
            32_767 - (2 * moves.min(380) - 1) as i32
        } else {
            -32_767 - 2 * moves.max(-380) as i32
        };
    }
    thought.depth = number("depth").unwrap_or(0).max(0) as u64;
    thought.nodes = number("nodes").unwrap_or(0).max(0) as u64;
    thought.pv = playable(&words[pv..], position);
}

/// The moves of a line up to the first word that is none.
fn playable(words: &[&str], position: &Position) -> Vec<Move> {
    let mut position = *position;
    let moves = words.iter().map_while(|word| {
        let mv = word.parse::<Coordinates>().ok()?.find(&position).ok()?;
        position.play(mv);
        Some(mv)
    });
    moves.collect()
}

impl Player for UciPlayer {
    fn new_game(&mut self) -> anyhow::Result<()> {
        self.say("ucinewgame")?;
        self.say("isready")?;
        self.wait_for("readyok")
    }

    fn think(
        &mut self,
        game: &Game,
        effort: &Effort,
        signals: &Signals,
    ) -> anyhow::Result<Thought> {
        let mut thought = Thought::default();
        let position = game.position();
        if position.count_moves() == 0 {
            return Ok(thought);
        }
        let begun = Instant::now();
        self.say(&position_command(game))?;
        self.say(&go_command(effort))?;
        let mut stopped: Option<Instant> = None;
        loop {
            if stopped.is_none() && signals.stop.load(Ordering::Relaxed) {
                self.say("stop")?;
                stopped = Some(Instant::now());
            }
            if stopped.is_some_and(|since| since.elapsed() > STOP_PATIENCE) {
                bail!("{} does not stop within {STOP_PATIENCE:?}", self.name);
            }
            let line = match self.output.recv_timeout(TICK) {
                Ok(line) => line,
                Err(RecvTimeoutError::Timeout) => continue,
                Err(RecvTimeoutError::Disconnected) => bail!("{} has ended", self.name),
            };
            let mut words = line.split_whitespace();
            let first = words.next();
            if first == Some("info") {
                take_info(&line, position, &mut thought);
            } else if first == Some("bestmove") {
                let word = words.next().unwrap_or_default();
                let best = playable(&[word], position);
                if best.is_empty() {
                    bail!("{} plays {word:?}, which is no move here", self.name);
                }
                if thought.pv.first() != best.first() {
                    thought.pv.clone_from(&best);
                }
                thought.best = best.first().copied();
                thought.time = begun.elapsed();
                return Ok(thought);
            }
        }
    }
}

impl Drop for UciPlayer {
    fn drop(&mut self) {
        // It may be gone already.
        let _ = self.say("quit");
        let until = Instant::now() + Duration::from_millis(500);
        while matches!(self.child.try_wait(), Ok(None)) && Instant::now() < until {
            thread::sleep(TICK);
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::session::Watch;
    use engine::Limits;

    #[test]
    fn commands() {
        let mut game = Game::default();
        assert!(position_command(&game).ends_with(" w KQkq - 0 1"));
        let mv = playable(&["e2e4"], game.position())[0];
        game.play(mv).expect("legal");
        assert!(position_command(&game).ends_with(" 0 1 moves e2e4"));
        let watch = Watch {
            remaining: [Duration::from_mins(1), Duration::from_millis(5)],
            increment: [Duration::from_secs(1), Duration::ZERO],
            moves_to_go: Some(7),
        };
        assert_eq!(
            go_command(&Effort::Clock(watch, Duration::from_millis(10))),
            "go wtime 59990 btime 1 winc 1000 binc 0 movestogo 7"
        );
        assert_eq!(
            go_command(&Effort::Fixed(Limits::nodes(500))),
            "go nodes 500"
        );
        assert_eq!(go_command(&Effort::Endless), "go infinite");
    }

    #[test]
    fn info_lines() {
        let position = Position::start();
        let mut thought = Thought::default();
        take_info(
            "info depth 9 seldepth 12 multipv 1 score cp 31 nodes 1234 nps 1 pv e2e4 e7e5 xx",
            &position,
            &mut thought,
        );
        assert_eq!(
            (
                thought.depth,
                thought.nodes,
                thought.score,
                thought.pv.len()
            ),
            (9, 1234, 31, 2)
        );
        for (score, ce) in [
            ("mate 3", 32_762),
            ("mate -2", -32_763),
            ("mate 1", 32_766),
            ("cp 99999", 30_000),
        ] {
            take_info(
                &format!("info depth 1 score {score} pv e2e4"),
                &position,
                &mut thought,
            );
            assert_eq!(thought.score, ce);
        }
        for other in [
            "info depth 9 multipv 2 score cp 1 pv d2d4",
            "info score cp 1 upperbound pv d2d4",
            "info string x",
            "info currmove e2e4",
        ] {
            take_info(other, &position, &mut thought);
            assert_eq!(thought.score, 30_000);
        }
    }
}
