//! The connection to an engine: its features, its board, and the commands that it is sent.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use anyhow::{anyhow, bail};
use engine::{Limits, Signals};
use movegen::{CastlingMode, Color, Game, Position};

use super::features::{self, Features};
use super::messages::{Answer, centiseconds, edit_commands, level_command, move_text};
use crate::engines::patience::{START_PATIENCE, TICK};
use crate::engines::player::{Effort, LastingError, SearchResult};
use crate::engines::supervisor::{Process, starts_are_abandoned};

/// How long an engine that declares no features may stay silent after `protover`, by the protocol.
const FEATURE_PATIENCE: Duration = Duration::from_secs(2);
/// The same if it has not said anything: it may still be starting.
const START_SILENCE: Duration = Duration::from_secs(4);
/// GNU Chess reads its first commands, if they come while it starts, only when something follows.
const NUDGE: Duration = Duration::from_millis(500);
/// How often `ping` is repeated while nothing comes.
const PING_INTERVAL: Duration = Duration::from_secs(1);
/// The maximum number of lines before the features are complete.
const MAX_FIRST_LINES: usize = 10_000;
/// The fixed time of a search that only the depth ends, in seconds.
const LONG: u64 = 3600;

/// What an engine is started for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    Play,
    Analysis,
}

/// Whose advantage the scores of an engine tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PointOfView {
    Engine,
    White,
}

/// What the engine knows of the game.
#[derive(Debug)]
pub enum Board {
    /// It has been told `new`, and nothing since.
    New,
    /// It has played the last move of this game and waits for the next.
    Playing(Box<Game>),
    /// Nothing that could be relied on.
    Unknown,
}

/// How the engine was told to use its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Control {
    None,
    /// By `level`, with so many moves in each period.
    Level(u32),
    Fixed(Limits),
}

/// An engine in a child process.
pub struct XboardPlayer {
    pub(super) command: String,
    pub(super) purpose: Purpose,
    pub(super) process: Process,
    pub(super) name: String,
    pub(super) features: Features,
    /// Whether it has answered the handshake. After that, an interrupt lets the current position finish.
    pub(super) is_ready: bool,
    /// The commands that set options, for another process.
    pub(super) settings: Vec<String>,
    pub(super) board: Board,
    pub(super) control: Control,
    pub(super) point_of_view: PointOfView,
    /// Whether the engine has been told to think on the opponent's time.
    pub(super) ponders: bool,
    /// The number of the last ping.
    pub(super) pings: u32,
    /// Whether the opponent offers a draw.
    pub(super) is_draw_offered: bool,
    /// The last result, whose score stands for that of a move from a book.
    pub(super) last: SearchResult,
}

impl XboardPlayer {
    /// Starts an engine, by its path or its command line.
    pub fn start(command: &str, purpose: Purpose) -> anyhow::Result<Self> {
        let (process, name) = Process::start(command)?;
        let mut player = Self {
            command: command.to_owned(),
            purpose,
            process,
            name,
            features: Features::default(),
            is_ready: false,
            settings: Vec::new(),
            board: Board::Unknown,
            control: Control::None,
            point_of_view: PointOfView::Engine,
            ponders: false,
            pings: 0,
            is_draw_offered: false,
            last: SearchResult::default(),
        };
        player.negotiate()?;
        if player.name.starts_with("Crafty") {
            player.point_of_view = PointOfView::White;
        }
        Ok(player)
    }

    /// Sets an option that the engine declares, or one of the protocol: `memory`, `cores`, `egtpath`. With
    /// `scores` the user tells whose point of view its scores have.
    pub fn set(&mut self, name: &str, value: &str) -> anyhow::Result<()> {
        let features = &self.features;
        let needs = |feature: &str, is_there| {
            let name = &self.name;
            if is_there {
                return Ok(());
            }
            Err(anyhow!("{name} has no feature {feature}"))
        };
        let command = match name {
            "scores" => {
                self.point_of_view = match value {
                    "white" => PointOfView::White,
                    "engine" => PointOfView::Engine,
                    _ => bail!("expected scores=white or scores=engine"),
                };
                return Ok(());
            }
            "memory" | "cores" => {
                let is_memory = name == "memory";
                needs(
                    if is_memory { "memory" } else { "smp" },
                    if is_memory {
                        features.memory
                    } else {
                        features.smp
                    },
                )?;
                if !value.parse().is_ok_and(|number: u32| number > 0) {
                    bail!("{} takes a whole number from 1 for {name}", self.name);
                }
                format!("{name} {value}")
            }
            "egtpath" => {
                let kind = value.split(' ').next().unwrap_or_default();
                needs(
                    &format!("egt for {kind:?} (egtpath=KIND PATH)"),
                    features.tables.iter().any(|table| table == kind) && value.len() > kind.len(),
                )?;
                format!("egtpath {value}")
            }
            _ => {
                let command = features.options.xboard_command(name, value);
                command.map_err(|why| anyhow!("{} {why}", self.name))?
            }
        };
        self.send(&command)?;
        self.settings.push(command);
        Ok(())
    }

    /// Sets the number of threads that the user did not give, if the engine can have more.
    pub fn use_one_core(&mut self) -> anyhow::Result<()> {
        if self.features.smp {
            self.set("cores", "1")?;
        }
        Ok(())
    }

    /// Introduces ourselves, and answers the features of the engine. One of version 1 declares none.
    fn negotiate(&mut self) -> anyhow::Result<()> {
        self.send("xboard")?;
        self.send("protover 2")?;
        let mut last = Instant::now();
        let mut nudged = last;
        let mut lines = 0;
        while self.features.done != Some(true) {
            let patience = match self.features.done {
                Some(_) => START_PATIENCE,
                None if lines == 0 => START_SILENCE,
                None => FEATURE_PATIENCE,
            };
            if !self.is_ready && starts_are_abandoned() {
                bail!("interrupted before {} declared its features", self.name);
            }
            if last.elapsed() > patience {
                break;
            }
            if nudged.elapsed() > NUDGE {
                self.send("")?;
                nudged = Instant::now();
            }
            let Some(line) = self.receive(TICK)? else {
                continue;
            };
            lines += 1;
            if lines > MAX_FIRST_LINES {
                bail!(
                    "{} prints lines without end: is it an xboard engine?",
                    self.name
                );
            }
            (last, nudged) = (Instant::now(), Instant::now());
            if let Some(declared) = features::declaration(&line) {
                for answer in self.features.take(declared) {
                    self.send(&answer)?;
                }
            }
        }
        if self.features.done == Some(false) {
            let why = format!("has declared features, but not done=1 within {START_PATIENCE:?}");
            return Err(self.give_up(&why));
        }
        if let Some(name) = self.features.name.take() {
            self.name = name;
        }
        Ok(())
    }

    /// Starts another process for an engine that plays only one game in each.
    fn start_again(&mut self) -> anyhow::Result<()> {
        let (process, _) = Process::start(&self.command)?;
        self.process = process;
        self.features = Features::default();
        self.negotiate()?;
        for setting in self.settings.clone() {
            self.send(&setting)?;
        }
        Ok(())
    }

    pub fn send(&mut self, line: &str) -> anyhow::Result<()> {
        let sent = self.process.send(line);
        sent.map_err(|error| anyhow!("{} {error}", self.name))
    }

    /// The next line; none if it does not come within this time.
    pub fn receive(&mut self, patience: Duration) -> anyhow::Result<Option<String>> {
        let received = self.process.receive(patience);
        received.map_err(|error| anyhow!("{} {error}", self.name))
    }

    /// Kills an engine that hangs, with all processes that it started.
    pub fn give_up(&mut self, why: &str) -> anyhow::Error {
        let last_lines = self.process.kill();
        let last_lines = last_lines.map_or_else(String::new, |lines| format!(": {lines}"));
        anyhow!("{} {why}{last_lines}", self.name)
    }

    /// Waits until the engine has done all that it was told, if it has the feature `ping`. What it says
    /// meanwhile concerns earlier searches.
    pub fn synchronise(&mut self, patience: Duration) -> anyhow::Result<()> {
        if !self.features.ping {
            return Ok(());
        }
        let first = self.pings + 1;
        let until = Instant::now() + patience;
        let mut pinged: Option<Instant> = None;
        while Instant::now() < until {
            if !self.is_ready && starts_are_abandoned() {
                bail!("interrupted before {} answered ping", self.name);
            }
            if pinged.is_none_or(|pinged| pinged.elapsed() > PING_INTERVAL) {
                self.pings += 1;
                self.send(&format!("ping {}", self.pings))?;
                pinged = Some(Instant::now());
            }
            let line = self.receive(TICK)?;
            if let Some(Answer::Pong(number)) = line.as_deref().map(Answer::read_reply)
                && number.parse().is_ok_and(|number: u32| number >= first)
            {
                return Ok(());
            }
        }
        Err(self.give_up(&format!("has not answered ping within {patience:?}")))
    }

    /// Tells the engine that a new game begins.
    pub fn start_new(&mut self) -> anyhow::Result<()> {
        if !matches!(self.board, Board::New) {
            let is_used = matches!(self.board, Board::Playing(_)) || self.control != Control::None;
            if is_used && !self.features.reuse {
                self.start_again()?;
            }
            self.send("new")?;
        }
        self.ponders = false;
        self.board = Board::New;
        self.control = Control::None;
        Ok(())
    }

    /// Sets up a game on the board of the engine, which then waits in `force` mode.
    pub fn set_up(&mut self, game: &Game) -> anyhow::Result<()> {
        self.start_new()?;
        // What it has said about commands before does not concern this game.
        self.drain()?;
        self.board = Board::Unknown;
        let mode = game.start().castling_mode();
        if mode == CastlingMode::Chess960 {
            if !self.features.plays("fischerandom") {
                let (name, missing) = (self.name.clone(), "variant fischerandom");
                return Err(LastingError::NoChess960 { name, missing }.into());
            }
            self.send("variant fischerandom")?;
        }
        for word in ["force", "easy", "post"] {
            self.send(word)?;
        }
        let mut position = *game.start();
        self.place(&position)?;
        for &mv in game.moves() {
            let text = move_text(&position, mv, mode, self.features.san);
            self.send_move(&text)?;
            position.play(mv);
        }
        Ok(())
    }

    /// Sets a position other than the starting position.
    fn place(&mut self, position: &Position) -> anyhow::Result<()> {
        let start = Position::start();
        if *position == start && position.to_string() == start.to_string() {
            return Ok(());
        }
        if self.features.setboard {
            return self.send(&format!("setboard {position}"));
        }
        let Some(commands) = edit_commands(position) else {
            let (name, fen) = (self.name.clone(), position.to_string());
            return Err(LastingError::NoPosition { name, fen }.into());
        };
        commands.iter().try_for_each(|command| self.send(command))
    }

    fn send_move(&mut self, text: &str) -> anyhow::Result<()> {
        if self.features.usermove {
            self.send(&format!("usermove {text}"))
        } else {
            self.send(text)
        }
    }

    /// Tells the engine how long it may think about its next move.
    fn set_time(&mut self, game: &Game, effort: &Effort) -> anyhow::Result<()> {
        match effort {
            Effort::Clock(clock_state, margin) => {
                let turn = game.position().turn();
                let moves = game.moves().len() as u32 / 2;
                let to_go = clock_state.moves_to_go.unwrap_or(0);
                let is_known = match self.control {
                    Control::Level(0) => to_go == 0,
                    // The engine counts the moves since the start of the game.
                    Control::Level(period) => period - moves % period == to_go,
                    Control::None | Control::Fixed(_) => false,
                };
                if !is_known || !self.features.time {
                    let period = if to_go == 0 { 0 } else { moves + to_go };
                    self.send(&level_command(period, clock_state, turn))?;
                    self.control = Control::Level(period);
                }
                if self.features.time {
                    let left = |color: Color| {
                        let remaining = clock_state.remaining[color as usize];
                        centiseconds(remaining.saturating_sub(margin.total()))
                    };
                    self.send(&format!("time {}", left(turn)))?;
                    self.send(&format!("otim {}", left(!turn)))?;
                }
                Ok(())
            }
            Effort::Fixed(limits) if self.control != Control::Fixed(*limits) => {
                self.set_limits(limits)?;
                self.control = Control::Fixed(*limits);
                Ok(())
            }
            Effort::Fixed(_) | Effort::Endless => Ok(()),
        }
    }

    /// The same limits for every move. The protocol counts time in whole seconds; a search that has less is
    /// stopped by `?`.
    fn set_limits(&mut self, limits: &Limits) -> anyhow::Result<()> {
        if let Some(nodes) = limits.nodes {
            if !self.features.nps {
                let name = self.name.clone();
                return Err(LastingError::NoNodes { name }.into());
            }
            // So many nodes are a second.
            self.send("st 1")?;
            self.send(&format!("nps {nodes}"))?;
        } else {
            let seconds = limits.hard_time.map_or(LONG, |time| {
                time.as_secs() + u64::from(time.subsec_nanos() > 0)
            });
            self.send(&format!("st {}", seconds.min(LONG)))?;
        }
        match limits.depth {
            Some(depth) => self.send(&format!("sd {depth}")),
            None => Ok(()),
        }
    }

    /// Starts the engine on a game that is set up.
    pub fn go(&mut self, game: &Game, effort: &Effort) -> anyhow::Result<()> {
        self.set_time(game, effort)?;
        self.pass_draw_offer()?;
        if self.features.colors {
            self.send(match game.position().turn() {
                Color::White => "white",
                Color::Black => "black",
            })?;
        }
        self.send("go")
    }

    fn pass_draw_offer(&mut self) -> anyhow::Result<()> {
        if self.is_draw_offered && self.features.draw {
            self.send("draw")?;
        }
        Ok(())
    }

    /// Asks for a move: by the opponent's move alone if the engine has played the one before it.
    pub fn ask(&mut self, game: &Game, effort: &Effort) -> anyhow::Result<()> {
        let moves = game.moves();
        let last = match (&self.board, moves.split_last()) {
            (Board::Playing(played), Some((&last, before)))
                if played.moves() == before && played.start() == game.start() =>
            {
                let mode = game.start().castling_mode();
                Some(move_text(played.position(), last, mode, self.features.san))
            }
            _ => None,
        };
        let Some(text) = last.filter(|_| self.drain().is_ok_and(|is_playing| is_playing)) else {
            self.set_up(game)?;
            return self.go(game, effort);
        };
        self.board = Board::Unknown;
        self.set_time(game, effort)?;
        self.pass_draw_offer()?;
        self.send_move(&text)
    }

    /// Reads what the engine has said since its move; false if it holds the game to be over.
    fn drain(&mut self) -> anyhow::Result<bool> {
        let mut is_playing = true;
        while let Some(line) = self.receive(Duration::ZERO)? {
            let answer = Answer::read_reply(&line);
            is_playing &= !matches!(answer, Answer::Result(_) | Answer::Resigns);
        }
        Ok(is_playing)
    }

    /// Thinks on the opponent's time until told to stop, as the engine likes.
    pub fn ponder(&mut self, game: &Game, signals: &Signals) -> anyhow::Result<SearchResult> {
        let is_playing =
            matches!(&self.board, Board::Playing(played) if played.moves() == game.moves());
        if is_playing && !self.ponders {
            self.send("hard")?;
            self.ponders = true;
        }
        while !signals.stop.load(Ordering::Relaxed) {
            let Some(line) = self.receive(TICK)? else {
                continue;
            };
            let answer = Answer::read_reply(&line);
            if matches!(answer, Answer::Result(_) | Answer::Resigns) {
                self.board = Board::Unknown;
            }
        }
        Ok(SearchResult::default())
    }
}
