//! Engines that find moves: the built-in engine, or another program through UCI.

mod builtin;
mod error_output;
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

/// The effort of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// By the clock, with the move overhead.
    Clock(ClockState, Duration),
    /// The same for every move.
    Fixed(Limits),
    /// Until stopped: on the opponent's time.
    Endless,
}

/// The clock of the side to move, as the referee last told it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClockState {
    /// The time that White and Black have left.
    pub remaining: [Duration; 2],
    /// The increment of each per move.
    pub increment: [Duration; 2],
    /// The number of moves until the next time control.
    pub moves_to_go: Option<u32>,
}

/// The result of a search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SearchResult {
    /// The best move; none if there is no legal move.
    pub best: Option<Move>,
    /// The principal variation, which begins with the best move.
    pub pv: Vec<Move>,
    /// The evaluation on the scale of `ce`, for the side to move.
    pub score: Score,
    /// The last iteration in plies: at least 1 where a move was chosen, even if the first iteration
    /// was stopped.
    pub depth: u64,
    pub nodes: u64,
    pub time: Duration,
    /// Processor time, where the system tells it.
    pub processor_time: Option<Duration>,
}

impl SearchResult {
    /// The result for a position without legal moves (decision 131); none if there are moves.
    pub fn of_finished(position: &Position) -> Option<Self> {
        Score::of_finished(position).map(|score| Self {
            score,
            processor_time: Some(Duration::ZERO),
            ..Self::default()
        })
    }
}

/// An engine.
pub trait Player: Send {
    /// Its name.
    fn name(&self) -> &str;

    /// Clears everything learnt, for a new game.
    fn new_game(&mut self) -> anyhow::Result<()>;

    /// Sets the number of lines to find (`MultiPV`).
    fn set_lines(&mut self, lines: usize) -> anyhow::Result<()>;

    /// Searches the position of a game until the effort is spent or the signals stop it. The observer
    /// receives every line of every iteration.
    fn think(
        &mut self,
        game: &Game,
        effort: &Effort,
        signals: &Signals,
        observer: &mut dyn FnMut(&Progress<'_>),
    ) -> anyhow::Result<SearchResult>;
}

/// Starts the requested engine, with a table of `hash` MiB.
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
    // Options given by the user must be accepted; our own defaults need not be.
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
