//! The jobs that a front end gives to the search thread.

use std::sync::Arc;

use engine::{Limits, Net, Progress, Score, Signals};
use movegen::{Game, Move};

use super::tablebases::Setting;
use crate::engines::strength::Strength;

/// A job of the search thread.
pub enum Job {
    Think(Box<Task>),
    /// Do this when all earlier jobs are done.
    Run(Box<dyn FnOnce() + Send>),
    Clear,
    Hash(usize),
    Threads(usize),
    Lines(usize),
    Tablebases(Setting),
    Net(Arc<Net>),
}

/// A search.
pub struct Task {
    pub game: Game,
    pub limits: Limits,
    /// Look first for a mate within this number of moves.
    pub mate: Option<usize>,
    /// The moves to choose from; if empty, all legal moves.
    pub moves: Vec<Move>,
    /// Answer only when stopped.
    pub is_infinite: bool,
    /// The strength to play at; none for full strength.
    pub strength: Option<Strength>,
    pub signals: Arc<Signals>,
    pub reporter: Box<dyn Reporter>,
}

/// How a front end reports the progress of a search and its result.
pub trait Reporter: Send {
    /// A line of an iteration.
    fn progress(&mut self, progress: &Progress<'_>);

    /// A remark for people.
    fn note(&mut self, text: &str);

    /// The answer: the best move, none if there is no legal one, and the expected reply.
    fn answer(&mut self, best: Option<Move>, reply: Option<Move>, score: Score);
}
