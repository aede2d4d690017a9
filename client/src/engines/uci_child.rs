//! Another program as an engine, through the Universal Chess Interface.

mod messages;
mod options;

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use anyhow::{anyhow, bail};
use engine::{Limits, Progress, Signals};
use movegen::{CastlingMode, Color, Game, Position};

use super::player::{Effort, LastingError, Player, SearchResult};
use super::supervisor::{Process, starts_are_abandoned};
use crate::text::printable;
use messages::{Info, go_command, playable, position_command};
use options::Options;

/// The time an engine has to answer `uci` and `isready`.
const PATIENCE: Duration = Duration::from_secs(30);
/// The time it has to stop; with a clock it is a part of the remaining time, at least the second.
const STOP_PATIENCE: Duration = Duration::from_secs(5);
const LEAST_STOP_PATIENCE: Duration = Duration::from_secs(1);
/// The least time that it has for a move before it is stopped, however little is left on its clock.
const LEAST_SEARCH: Duration = Duration::from_millis(100);
/// By how much it may exceed the time limit before it is stopped.
const OVERTIME: Duration = Duration::from_secs(1);
/// The interval at which a searching engine is checked.
const TICK: Duration = Duration::from_millis(5);
/// The maximum size of all option declarations in bytes.
const MAX_DECLARATIONS: usize = 1 << 20;

/// An engine in a child process.
pub struct UciPlayer {
    process: Process,
    name: String,
    options: Options,
    /// Whether it has answered the first `isready`.
    is_ready: bool,
    /// Whether it was told last to play standard chess or Chess960.
    castling_mode: CastlingMode,
}

impl UciPlayer {
    /// Starts an engine, by its path or its command line.
    pub fn start(command: &str) -> anyhow::Result<Self> {
        Self::start_within(command, PATIENCE)
    }

    fn start_within(command: &str, patience: Duration) -> anyhow::Result<Self> {
        let (process, name) = Process::start(command)?;
        let mut player = Self {
            process,
            name,
            options: Options::default(),
            is_ready: false,
            castling_mode: CastlingMode::Standard,
        };
        player.send("uci")?;
        player.wait_for("uciok", "uci", patience)?;
        Ok(player)
    }

    /// Sets an option. An undeclared option or an invalid value is an error.
    pub fn set(&mut self, name: &str, value: &str) -> anyhow::Result<()> {
        let command = self.options.command(name, value);
        let command = command.map_err(|why| anyhow!("{} {why}", self.name))?;
        self.send(&command)
    }

    /// Sets an option that the user did not give, if the engine has it, to a number or the nearest
    /// valid one.
    pub fn offer(&mut self, name: &str, number: i64) -> anyhow::Result<()> {
        match self.options.command_near(name, number) {
            Some(command) => self.send(&command),
            None => Ok(()),
        }
    }

    /// Tells the engine whether the game is one of standard chess or of Chess960.
    fn set_castling_mode(&mut self, mode: CastlingMode) -> anyhow::Result<()> {
        if self.castling_mode == mode {
            return Ok(());
        }
        if !self.options.has("UCI_Chess960") {
            let name = self.name.clone();
            return Err(LastingError::NoChess960 { name }.into());
        }
        let is_chess960 = mode == CastlingMode::Chess960;
        self.set("UCI_Chess960", &is_chess960.to_string())?;
        self.castling_mode = mode;
        Ok(())
    }

    fn send(&mut self, line: &str) -> anyhow::Result<()> {
        let sent = self.process.send(line);
        sent.map_err(|error| anyhow!("{} {error}", self.name))
    }

    /// The next line; none if it does not come within this time.
    fn receive(&mut self, patience: Duration) -> anyhow::Result<Option<String>> {
        let received = self.process.receive(patience);
        received.map_err(|error| anyhow!("{} {error}", self.name))
    }

    /// Waits for a line that begins with the expected answer. Other lines are ignored, except for the
    /// name and the options.
    fn wait_for(&mut self, answer: &str, command: &str, patience: Duration) -> anyhow::Result<()> {
        let until = Instant::now() + patience;
        let mut declarations_left = MAX_DECLARATIONS;
        while Instant::now() < until {
            if !self.is_ready && starts_are_abandoned() {
                bail!(
                    "interrupted before {} answered {command} with {answer}",
                    self.name
                );
            }
            let Some(line) = self.receive(TICK)? else {
                continue;
            };
            if line.split_whitespace().next() == Some(answer) {
                return Ok(());
            }
            if let Some(name) = line.strip_prefix("id name ") {
                self.name = printable(name.trim());
            } else if let Some(option) = line.strip_prefix("option ") {
                declarations_left = declarations_left.saturating_sub(line.len());
                if declarations_left == 0 {
                    bail!("{} declares options without end", self.name);
                }
                self.options.add(option);
            }
        }
        let hint = if self.is_ready {
            ""
        } else {
            ": is it a UCI engine?"
        };
        Err(self.give_up(&format!(
            "has not answered {command} with {answer} within {patience:?}{hint}"
        )))
    }

    /// Kills an engine that hangs, with all processes that it started.
    fn give_up(&mut self, why: &str) -> anyhow::Error {
        let last_lines = self.process.kill();
        let last_lines = last_lines.map_or_else(String::new, |lines| format!(": {lines}"));
        anyhow!("{} {why}{last_lines}", self.name)
    }

    /// Reads lines until `bestmove`, and stops the engine when a limit is exceeded.
    fn listen(
        &mut self,
        game: &Game,
        effort: &Effort,
        signals: &Signals,
        observer: &mut dyn FnMut(&Progress<'_>),
    ) -> anyhow::Result<SearchResult> {
        let limits = match effort {
            Effort::Fixed(limits) => *limits,
            Effort::Clock(..) | Effort::Endless => Limits::default(),
        };
        let position = game.position();
        let patience = Patience::of(effort, position.turn());
        let started = Instant::now();
        let mut result = SearchResult::default();
        let mut stopped: Option<Instant> = None;
        // A soft limit is checked at the end of an iteration.
        let mut is_sufficient = false;
        loop {
            let overdue = patience.search.is_some_and(|time| started.elapsed() > time);
            if stopped.is_none()
                && (is_sufficient || overdue || signals.stop.load(Ordering::Relaxed))
            {
                self.send("stop")?;
                stopped = Some(Instant::now());
            }
            if stopped.is_some_and(|since| since.elapsed() > patience.stop) {
                let why = format!("does not stop within {:.1?}", patience.stop);
                return Err(self.give_up(&why));
            }
            let Some(line) = self.receive(TICK)? else {
                continue;
            };
            let mut words = line.split_whitespace();
            match words.next() {
                Some("info") => {
                    is_sufficient |=
                        take_info(&line, position, &limits, started, &mut result, observer);
                }
                Some("bestmove") => {
                    self.take_best(words.next().unwrap_or_default(), position, &mut result)?;
                    result.time = started.elapsed();
                    return Ok(result);
                }
                _ => {}
            }
        }
    }

    /// Puts the move of `bestmove` into the result.
    fn take_best(
        &self,
        word: &str,
        position: &Position,
        result: &mut SearchResult,
    ) -> anyhow::Result<()> {
        let best = playable(&[word], position);
        if best.is_empty() {
            let (name, word) = (self.name.clone(), word.to_owned());
            return Err(LastingError::IllegalMove { name, word }.into());
        }
        if result.pv.first() != best.first() {
            result.pv.clone_from(&best);
        }
        result.best = best.first().copied();
        result.depth = result.depth.max(1);
        Ok(())
    }

    /// The processor time of the engine so far, where the system provides it.
    fn processor_time(&self) -> Option<Duration> {
        let threads = std::fs::read_dir(format!("/proc/{}/task", self.process.id())).ok()?;
        let nanoseconds = threads.map_while(Result::ok).map(|thread| {
            // The first number is the run time of the thread (proc(5)).
            let text = std::fs::read_to_string(thread.path().join("schedstat")).ok()?;
            text.split_whitespace().next()?.parse::<u64>().ok()
        });
        nanoseconds.sum::<Option<u64>>().map(Duration::from_nanos)
    }
}

/// How long an engine may search until it is stopped, and then until it counts as hung.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Patience {
    search: Option<Duration>,
    stop: Duration,
}

impl Patience {
    /// With a clock, an engine is stopped when it has used nine tenths of its time for one move, so that
    /// another one can still play in place of one that hangs.
    fn of(effort: &Effort, turn: Color) -> Self {
        match effort {
            Effort::Clock(clock_state, overhead) => {
                let left = clock_state.remaining[turn as usize].saturating_sub(*overhead);
                Self {
                    search: Some((left * 9 / 10).max(LEAST_SEARCH)),
                    stop: (left / 20).clamp(LEAST_STOP_PATIENCE, STOP_PATIENCE),
                }
            }
            Effort::Fixed(limits) => Self {
                search: limits.hard_time.map(|time| time + OVERTIME),
                stop: STOP_PATIENCE,
            },
            Effort::Endless => Self {
                search: None,
                stop: STOP_PATIENCE,
            },
        }
    }
}

/// Puts the content of an `info` line into the result, and reports it to the observer; true if a soft
/// limit is reached.
fn take_info(
    line: &str,
    position: &Position,
    limits: &Limits,
    started: Instant,
    result: &mut SearchResult,
    observer: &mut dyn FnMut(&Progress<'_>),
) -> bool {
    let info = Info::read(line, position);
    // The last node count may be in a line without moves.
    result.nodes = info.nodes.unwrap_or(result.nodes);
    let Some((score, pv)) = info.found else {
        return false;
    };
    let progress = Progress {
        depth: info.depth,
        rank: info.rank,
        selective_depth: info.selective_depth,
        score,
        pv: &pv,
        nodes: result.nodes,
        time: started.elapsed(),
        table_permille: info.table_permille,
        tablebase_hits: 0,
    };
    observer(&progress);
    if info.rank > 1 {
        return false;
    }
    let is_enough = limits.soft_time.is_some_and(|soft| progress.time >= soft)
        || limits.soft_nodes.is_some_and(|soft| result.nodes >= soft);
    (result.score, result.depth) = (score, info.depth as u64);
    result.pv = pv;
    is_enough
}

impl Player for UciPlayer {
    fn name(&self) -> &str {
        &self.name
    }

    fn new_game(&mut self) -> anyhow::Result<()> {
        self.send("ucinewgame")?;
        self.send("isready")?;
        self.wait_for("readyok", "isready", PATIENCE)?;
        self.is_ready = true;
        Ok(())
    }

    fn set_lines(&mut self, lines: usize) -> anyhow::Result<()> {
        if lines == 1 {
            return self.offer("MultiPV", 1);
        }
        if !self.options.has("MultiPV") {
            bail!(
                "{} has no option MultiPV: it finds only one line",
                self.name
            );
        }
        self.set("MultiPV", &lines.to_string())
    }

    fn think(
        &mut self,
        game: &Game,
        effort: &Effort,
        signals: &Signals,
        observer: &mut dyn FnMut(&Progress<'_>),
    ) -> anyhow::Result<SearchResult> {
        if let Some(result) = SearchResult::of_finished(game.position()) {
            return Ok(result);
        }
        let before = self.processor_time();
        let mode = game.start().castling_mode();
        self.set_castling_mode(mode)?;
        self.send(&position_command(game, mode))?;
        self.send(&go_command(effort))?;
        let mut result = self.listen(game, effort, signals, observer)?;
        let spent = |before| Some(self.processor_time()?.saturating_sub(before));
        result.processor_time = before.and_then(spent);
        Ok(result)
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::engines::player::ClockState;

    #[test]
    fn patience_with_a_clock() {
        let seconds = Duration::from_secs;
        let clock_state = |left| ClockState {
            remaining: [left, seconds(7)],
            increment: [Duration::ZERO; 2],
            moves_to_go: None,
        };
        for (left, used, search, stop) in [
            (100, 0, 90_000, 5),
            (100, 60, 36_000, 2),
            (10, 0, 9000, 1),
            (10, 11, 100, 1),
        ] {
            let effort = Effort::Clock(clock_state(seconds(left)), Duration::ZERO);
            let effort = effort.after(seconds(used), Color::White);
            let expected = Patience {
                search: Some(Duration::from_millis(search)),
                stop: seconds(stop),
            };
            assert_eq!(Patience::of(&effort, Color::White), expected);
        }
        assert_eq!(Patience::of(&Effort::Endless, Color::White).search, None);
    }

    #[test]
    fn an_engine_that_says_nothing_is_no_engine() {
        let patience = Duration::from_millis(50);
        let error = UciPlayer::start_within("sh -c 'sleep 1000'", patience).err();
        assert_eq!(
            error.expect("an error").to_string(),
            "sh has not answered uci with uciok within 50ms: is it a UCI engine?"
        );
        // The same for a program that prints all the time.
        let error = UciPlayer::start_within("yes", patience).err();
        let error = error.expect("an error").to_string();
        assert!(error.starts_with("yes has not answered uci"), "{error}");
    }
}
