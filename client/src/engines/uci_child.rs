//! Another program as an engine, through the Universal Chess Interface.

mod heard;
mod messages;

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use anyhow::{anyhow, bail};
use engine::{Limits, Progress, Signals};
use movegen::{CastlingMode, Game};

use super::options::{NumberOption, Options};
use super::patience::{Patience, START_PATIENCE, TICK};
use super::player::{Effort, LastingError, Player, SearchResult};
use super::supervisor::{Process, starts_are_abandoned};
use crate::text::printable;
use heard::Heard;
use messages::{go_command, position_command};

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
        Self::start_within(command, START_PATIENCE)
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
        let command = self.options.uci_command(name, value);
        let command = command.map_err(|why| anyhow!("{} {why}", self.name))?;
        self.send(&command)
    }

    /// The options whose values are numbers.
    pub fn numbers(&self) -> impl Iterator<Item = NumberOption<'_>> {
        self.options.numbers()
    }

    /// Sets an option that the user did not give, if the engine has it, to a number or the nearest
    /// valid one.
    pub fn offer(&mut self, name: &str, number: i64) -> anyhow::Result<()> {
        match self.options.uci_command_near(name, number) {
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
            let missing = "option UCI_Chess960";
            return Err(LastingError::NoChess960 { name, missing }.into());
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
                self.options.add_uci(option);
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

    /// Searches the position of a game as [`think`](Player::think) does, with a patience of the caller's, and
    /// without the processor time, which takes longer to read than a short search.
    pub fn think_within(
        &mut self,
        game: &Game,
        effort: &Effort,
        patience: Patience,
        signals: &Signals,
        observer: &mut dyn FnMut(&Progress<'_>),
    ) -> anyhow::Result<SearchResult> {
        if let Some(result) = SearchResult::of_finished(game.position()) {
            return Ok(result);
        }
        let mode = game.start().castling_mode();
        self.set_castling_mode(mode)?;
        self.send(&position_command(game, mode))?;
        self.send(&go_command(effort))?;
        self.listen(game, effort, patience, signals, observer)
    }

    /// Reads lines until `bestmove`, and stops the engine when a limit is exceeded.
    fn listen(
        &mut self,
        game: &Game,
        effort: &Effort,
        patience: Patience,
        signals: &Signals,
        observer: &mut dyn FnMut(&Progress<'_>),
    ) -> anyhow::Result<SearchResult> {
        let limits = match effort {
            Effort::Fixed(limits) => *limits,
            Effort::Clock(..) | Effort::Endless => Limits::default(),
        };
        let name = self.name.clone();
        let mut heard = Heard::new(&name, game.position(), limits);
        let started = Instant::now();
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
                    is_sufficient |= heard.take_info(&line, started.elapsed(), observer);
                }
                Some("bestmove") => {
                    heard.take_best(words.next().unwrap_or_default())?;
                    heard.result.time = started.elapsed();
                    return Ok(heard.result);
                }
                _ => {}
            }
        }
    }
}

impl Player for UciPlayer {
    fn name(&self) -> &str {
        &self.name
    }

    fn new_game(&mut self) -> anyhow::Result<()> {
        self.send("ucinewgame")?;
        self.send("isready")?;
        self.wait_for("readyok", "isready", START_PATIENCE)?;
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
        let patience = Patience::of(effort, game.position().turn());
        let before = self.process.processor_time();
        let mut result = self.think_within(game, effort, patience, signals, observer)?;
        if result.best.is_some() {
            let spent = |before| Some(self.process.processor_time()?.saturating_sub(before));
            result.processor_time = before.and_then(spent);
        }
        Ok(result)
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

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
