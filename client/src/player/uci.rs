//! Another engine as a player, through the Universal Chess Interface.

mod words;

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow, bail};
use engine::{Limits, Progress, Signals};
use movegen::Game;

use super::{Effort, Player, Thought};
use words::{Info, go_command, playable, position_command};

/// How long an engine may take to say that it is there.
const PATIENCE: Duration = Duration::from_secs(30);
/// How long it may take to stop.
const STOP_PATIENCE: Duration = Duration::from_secs(5);
/// How long it may think beyond the limit of time before it is stopped.
const OVERTIME: Duration = Duration::from_secs(1);
/// How often a thinking engine is looked after.
const TICK: Duration = Duration::from_millis(5);

/// An engine in a process of its own, which ends with this value.
pub struct UciPlayer {
    child: Child,
    input: ChildStdin,
    /// What it says, line by line.
    output: Receiver<String>,
    name: String,
    /// The names of the options that it says to have, in small letters.
    options: Vec<String>,
}

impl UciPlayer {
    /// Starts an engine, by its command line.
    pub fn start(command: &str) -> anyhow::Result<Self> {
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
            options: Vec::new(),
        };
        player.say("uci")?;
        player.wait_for("uciok")?;
        Ok(player)
    }

    /// Sets an option.
    pub fn set(&mut self, name: &str, value: &str) -> anyhow::Result<()> {
        self.say(&format!("setoption name {name} value {value}"))
    }

    /// Sets an option if the engine has it; returns whether it has.
    pub fn offer(&mut self, name: &str, value: &str) -> anyhow::Result<bool> {
        let has = self.options.contains(&name.to_ascii_lowercase());
        if has {
            self.set(name, value)?;
        }
        Ok(has)
    }

    fn say(&mut self, line: &str) -> anyhow::Result<()> {
        // Its broken pipe is not that of our own output, which would be no failure.
        writeln!(self.input, "{line}")
            .map_err(|error| anyhow!("{} takes no input: {error}", self.name))
    }

    /// Waits for a word at the beginning of a line; other lines are passed over but for the name and
    /// the options.
    fn wait_for(&mut self, word: &str) -> anyhow::Result<()> {
        let until = Instant::now() + PATIENCE;
        loop {
            let left = until.saturating_duration_since(Instant::now());
            match self.output.recv_timeout(left) {
                Ok(line) if line.split_whitespace().next() == Some(word) => return Ok(()),
                Ok(line) => {
                    if let Some(name) = line.strip_prefix("id name ") {
                        name.trim().clone_into(&mut self.name);
                    } else if let Some(option) = line.strip_prefix("option name ") {
                        let name = option.split(" type ").next().unwrap_or_default();
                        self.options.push(name.trim().to_ascii_lowercase());
                    }
                }
                Err(RecvTimeoutError::Timeout) => {
                    bail!("{} does not say {word} within {PATIENCE:?}", self.name)
                }
                Err(RecvTimeoutError::Disconnected) => bail!("{} has ended", self.name),
            }
        }
    }

    /// Takes in lines until the answer, and stops the engine when that is due.
    fn listen(
        &mut self,
        game: &Game,
        limits: &Limits,
        signals: &Signals,
        observer: &mut dyn FnMut(&Progress<'_>),
    ) -> anyhow::Result<Thought> {
        let position = game.position();
        let begun = Instant::now();
        let mut thought = Thought::default();
        let mut stopped: Option<Instant> = None;
        // A soft limit is over when an iteration ends beyond it.
        let mut enough = false;
        loop {
            let overdue = limits
                .hard_time
                .is_some_and(|time| begun.elapsed() > time + OVERTIME);
            if stopped.is_none() && (enough || overdue || signals.stop.load(Ordering::Relaxed)) {
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
            match words.next() {
                Some("info") => {
                    let info = Info::read(&line, position);
                    // Lines without a move can be the last to tell how many there were.
                    thought.nodes = info.nodes.unwrap_or(thought.nodes);
                    let Some((score, pv)) = info.found else {
                        continue;
                    };
                    let progress = Progress {
                        depth: info.depth,
                        rank: info.rank,
                        selective_depth: info.selective_depth,
                        score,
                        pv: &pv,
                        nodes: thought.nodes,
                        time: begun.elapsed(),
                        table_permille: info.table_permille,
                    };
                    observer(&progress);
                    if info.rank == 1 {
                        enough |= limits.soft_time.is_some_and(|soft| progress.time >= soft)
                            || limits.soft_nodes.is_some_and(|soft| thought.nodes >= soft);
                        (thought.score, thought.depth) = (score, info.depth as u64);
                        thought.pv = pv;
                    }
                }
                Some("bestmove") => {
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
                _ => {}
            }
        }
    }

    /// The processor time of the engine so far, where the system tells it.
    fn processor_time(&self) -> Option<Duration> {
        let threads = std::fs::read_dir(format!("/proc/{}/task", self.child.id())).ok()?;
        let nanoseconds = threads.map_while(Result::ok).map(|thread| {
            // Its first number is what the thread has run (proc(5)).
            let text = std::fs::read_to_string(thread.path().join("schedstat")).ok()?;
            text.split_whitespace().next()?.parse::<u64>().ok()
        });
        nanoseconds.sum::<Option<u64>>().map(Duration::from_nanos)
    }
}

impl Player for UciPlayer {
    fn name(&self) -> &str {
        &self.name
    }

    fn new_game(&mut self) -> anyhow::Result<()> {
        self.say("ucinewgame")?;
        self.say("isready")?;
        self.wait_for("readyok")
    }

    fn set_lines(&mut self, lines: usize) -> anyhow::Result<()> {
        if !self.offer("MultiPV", &lines.to_string())? && lines > 1 {
            bail!(
                "{} has no option MultiPV, and finds one line only",
                self.name
            );
        }
        Ok(())
    }

    fn think(
        &mut self,
        game: &Game,
        effort: &Effort,
        signals: &Signals,
        observer: &mut dyn FnMut(&Progress<'_>),
    ) -> anyhow::Result<Thought> {
        if let Some(thought) = Thought::of_finished(game.position()) {
            return Ok(thought);
        }
        let limits = match effort {
            Effort::Fixed(limits) => *limits,
            Effort::Clock(..) | Effort::Endless => Limits::default(),
        };
        let before = self.processor_time();
        self.say(&position_command(game))?;
        self.say(&go_command(effort))?;
        let mut thought = self.listen(game, &limits, signals, observer)?;
        let spent = |before| Some(self.processor_time()?.saturating_sub(before));
        thought.processor_time = before.and_then(spent);
        Ok(thought)
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
