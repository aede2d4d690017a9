//! Engines that find moves: the built-in engine, or another program through UCI.

mod builtin;
mod error_output;
pub mod lag;
mod player;
mod restarting;
mod supervisor;
mod uci_child;

use anyhow::Context;
use engine::{Probing, Searcher};

use crate::cli::{Engine, EngineOption};
pub use player::{ClockState, Effort, Player, SearchResult};
use restarting::RestartingPlayer;
pub use supervisor::{abandon_starts, exit_at_once};
use uci_child::UciPlayer;

/// Starts the requested engine like [`open`]. A UCI engine that dies or hangs is restarted up to this
/// many times, with a message each time. The built-in engine runs in this process and has no restarts.
pub fn open_restarting(
    args: &Engine,
    hash: u32,
    restarts: u32,
    tell: impl FnMut(String) + Send + 'static,
) -> anyhow::Result<Box<dyn Player>> {
    if args.command.is_none() {
        return open(args, hash);
    }
    let args = args.clone();
    let start = Box::new(move || open(&args, hash));
    Ok(Box::new(RestartingPlayer::start(start, restarts, tell)?))
}

/// Starts the requested engine, with a table of `hash` MiB.
pub fn open(args: &Engine, hash: u32) -> anyhow::Result<Box<dyn Player>> {
    let Some(command) = &args.command else {
        let mut searcher = Searcher::with_hash(hash as usize)?;
        searcher.set_net(args.net.load()?);
        searcher.set_threads(args.threads.get());
        searcher.set_probing(args.syzygy.load()?.map(Probing::new));
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
    if let Some(path) = &args.syzygy.path {
        let set = player.set("SyzygyPath", path);
        set.with_context(|| format!("--syzygy {path}"))?;
    }
    for option @ EngineOption(name, value) in &args.options {
        let set = player.set(name, value);
        set.with_context(|| format!("--option {option}"))?;
    }
    player.new_game()?;
    Ok(Box::new(player))
}
