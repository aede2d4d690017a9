//! Who finds the moves: the engine of this program, or another one through UCI.

mod builtin;
pub mod lag;
mod supervisor;
mod uci_child;

use std::time::Duration;

use anyhow::Context;
use engine::{Limits, Progress, Score, Searcher, Signals};
use movegen::{Game, Move, Position};

use crate::cli::{Engine, EngineOption};
pub use supervisor::{abandon_starts, exit_at_once};
use uci_child::UciPlayer;

/// How long to think.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// By the clock, of which so much is lost on the way.
    Clock(ClockState, Duration),
    /// The same for every move.
    Fixed(Limits),
    /// Until stopped: on the opponent's time.
    Endless,
}

/// The clock of the side to move, as the referee last told it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClockState {
    /// What White and Black have left.
    pub remaining: [Duration; 2],
    /// What the next move of each adds.
    pub increment: [Duration; 2],
    /// The moves until the side to move is given more time.
    pub moves_to_go: Option<u32>,
}

/// The result of a search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SearchResult {
    /// The move; none if there is none.
    pub best: Option<Move>,
    /// The line, the move first.
    pub pv: Vec<Move>,
    /// The evaluation on the scale of `ce`, for the side to move.
    pub score: Score,
    /// Plies.
    pub depth: u64,
    pub nodes: u64,
    pub time: Duration,
    /// Processor time, where the system tells it.
    pub processor_time: Option<Duration>,
}

impl SearchResult {
    /// What there is to say of a position without moves (decision 131); none if there are moves.
    pub fn of_finished(position: &Position) -> Option<Self> {
        Score::of_finished(position).map(|score| Self {
            score,
            processor_time: Some(Duration::ZERO),
            ..Self::default()
        })
    }
}

/// Something that finds moves.
pub trait Player: Send {
    /// What it calls itself.
    fn name(&self) -> &str;

    /// Forgets everything: another game begins.
    fn new_game(&mut self) -> anyhow::Result<()>;

    /// Finds so many lines from now on, the best ones first.
    fn set_lines(&mut self, lines: usize) -> anyhow::Result<()>;

    /// Thinks about a game's position until the effort is spent or the signals stop it, and tells
    /// the observer of every line of every iteration.
    fn think(
        &mut self,
        game: &Game,
        effort: &Effort,
        signals: &Signals,
        observer: &mut dyn FnMut(&Progress<'_>),
    ) -> anyhow::Result<SearchResult>;
}

/// The engine that was asked for, with a table of so many MiB.
pub fn open(args: &Engine, hash: u32) -> anyhow::Result<Box<dyn Player>> {
    let Some(command) = &args.command else {
        let mut searcher = Searcher::with_hash(hash as usize)?;
        searcher.set_net(args.net.load()?);
        searcher.set_threads(args.threads.get());
        return Ok(Box::new(searcher));
    };
    if args.net.net.is_some() {
        anyhow::bail!(
            "--net sets the network of the built-in engine and cannot be combined with --engine"
        );
    }
    let mut player = UciPlayer::start(command)?;
    // What was asked for has to be possible; what we would like without being asked has not.
    match args.threads.get() {
        1 => player.offer("Threads", 1)?,
        threads => {
            let set = player.set("Threads", &threads.to_string());
            set.with_context(|| format!("--threads {threads}"))?;
        }
    }
    match args.hash {
        None => player.offer("Hash", hash.into())?,
        Some(hash) => {
            let set = player.set("Hash", &hash.to_string());
            set.with_context(|| format!("--hash {hash}"))?;
        }
    }
    for option @ EngineOption(name, value) in &args.options {
        let set = player.set(name, value);
        set.with_context(|| format!("--option {option}"))?;
    }
    player.new_game()?;
    Ok(Box::new(player))
}
