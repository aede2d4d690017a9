//! Engines that find moves: the built-in engine, or another program by UCI or the protocol of
//! xboard.

mod book_player;
mod builtin;
mod error_output;
pub mod lag;
mod lines;
pub mod opening_book;
mod options;
mod patience;
mod player;
mod restarting;
pub mod strength;
mod supervisor;
mod uci_child;
mod watchdog;
mod xboard_child;

use anyhow::Context;
use engine::{Probing, Searcher};

use crate::cli::{Engine, EngineOption, Protocol};
pub use book_player::BookPlayer;
use builtin::LimitedPlayer;
pub use lines::{Lines, ScoredLine};
pub use options::{NumberOption, unknown_option};
pub use patience::Patience;
pub use player::{ClockState, Effort, LastingError, Player, SearchResult, Wish};
use restarting::RestartingPlayer;
use strength::Strength;
pub use supervisor::{abandon_starts, exit_at_once, kill_engines};
pub use uci_child::UciPlayer;
use xboard_child::XboardPlayer;
pub use xboard_child::{Purpose, move_text, read_move};

/// Starts the requested engine for a game, like [`open`]. Another program that dies or hangs is restarted up
/// to this many times, with a message each time. The built-in engine runs in this process and has no
/// restarts; it can play at less than full strength.
pub fn open_player(
    args: &Engine,
    hash: u32,
    restarts: u32,
    strength: Option<Strength>,
    tell: impl FnMut(String) + Send + 'static,
) -> anyhow::Result<Box<dyn Player>> {
    if args.command.is_none() {
        let searcher = open_builtin(args, hash)?;
        return Ok(match strength {
            None => Box::new(searcher),
            Some(strength) => Box::new(LimitedPlayer { searcher, strength }),
        });
    }
    let args = args.clone();
    let start = Box::new(move || open(&args, hash, Purpose::Play));
    Ok(Box::new(RestartingPlayer::start(start, restarts, tell)?))
}

fn open_builtin(args: &Engine, hash: u32) -> anyhow::Result<Searcher> {
    let mut searcher = Searcher::with_hash(hash as usize)?;
    searcher.set_net(args.net.load()?);
    searcher.set_threads(args.threads.get());
    searcher.set_probing(args.syzygy.load()?.map(Probing::new));
    Ok(searcher)
}

/// Starts the requested engine, with a table of `hash` MiB.
pub fn open(args: &Engine, hash: u32, purpose: Purpose) -> anyhow::Result<Box<dyn Player>> {
    let Some(command) = &args.command else {
        return Ok(Box::new(open_builtin(args, hash)?));
    };
    if args.net.net.is_some() {
        anyhow::bail!(
            "--net sets the network of the built-in engine and cannot be combined with --engine"
        );
    }
    match args.protocol {
        Protocol::Uci => Ok(Box::new(open_uci(command, args, hash)?)),
        Protocol::Xboard => open_xboard(command, args, purpose),
    }
}

/// Starts a UCI engine with a table of `hash` MiB. Options given by the user must be accepted; our own defaults
/// need not be.
pub fn open_uci(command: &str, args: &Engine, hash: u32) -> anyhow::Result<UciPlayer> {
    let mut player = UciPlayer::start(command)?;
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
    Ok(player)
}

/// The same as [`open_uci`], with the commands `cores` and `memory` in place of options. Old engines choose
/// the size of their tables better than our default, with which Crafty does not start.
fn open_xboard(command: &str, args: &Engine, purpose: Purpose) -> anyhow::Result<Box<dyn Player>> {
    let mut player = XboardPlayer::start(command, purpose)?;
    match args.threads.get() {
        1 => player.use_one_core()?,
        threads => {
            let set = player.set("cores", &threads.to_string());
            set.with_context(|| format!("--threads {threads}"))?;
        }
    }
    if let Some(hash) = args.hash {
        let set = player.set("memory", &hash.to_string());
        set.with_context(|| format!("--hash {hash}"))?;
    }
    if let Some(path) = &args.syzygy.path {
        let set = player.set("egtpath", &format!("syzygy {path}"));
        set.with_context(|| format!("--syzygy {path}"))?;
    }
    for option @ EngineOption(name, value) in &args.options {
        let set = player.set(name, value);
        set.with_context(|| format!("--option {option}"))?;
    }
    player.new_game()?;
    Ok(Box::new(player))
}
