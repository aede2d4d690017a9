//! The jobs that the main thread gives to the search thread.

use std::sync::{Arc, OnceLock};
use std::time::Instant;

use engine::{Limits, Signals};
use movegen::{CastlingMode, Game, Move, Position};

use super::tablebases::Setting;

/// A job of the search thread.
pub enum Job {
    Think(Box<Task>),
    /// Print why there is nothing to search.
    Refuse(Vec<String>),
    Perft(Box<Position>, u32, CastlingMode, Arc<Signals>),
    Clear,
    Hash(usize),
    Threads(usize),
    Lines(usize),
    Tablebases(Setting),
    /// Print `readyok`: all earlier jobs are done.
    Ready,
}

/// A search.
pub struct Task {
    pub game: Game,
    pub limits: Limits,
    /// Look first for a mate within this number of moves.
    pub mate: Option<usize>,
    /// The moves to choose from; if empty, all legal moves.
    pub moves: Vec<Move>,
    /// Print `bestmove` only when stopped.
    pub is_infinite: bool,
    pub signals: Arc<Signals>,
    /// Set to the time at which `bestmove` was printed.
    pub answered: Arc<OnceLock<Instant>>,
    /// Print `wdl` with every score.
    pub show_wdl: bool,
    /// How castling is printed.
    pub castling_mode: CastlingMode,
}
