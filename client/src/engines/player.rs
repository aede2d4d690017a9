//! What an engine is asked, and what it answers.

use std::time::Duration;

use engine::{Limits, Progress, Score, Signals};
use movegen::{Color, Game, Move, Position};
use thiserror::Error;

use crate::engines::lag::Margin;

/// The effort of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// By the clock, of which a margin is kept.
    Clock(ClockState, Margin),
    /// The same for every move.
    Fixed(Limits),
    /// Until stopped: on the opponent's time.
    Endless,
}

impl Effort {
    /// What is left when the side to move has used some of its time already.
    pub fn after(self, used: Duration, turn: Color) -> Self {
        match self {
            Self::Clock(mut clock_state, margin) => {
                let remaining = &mut clock_state.remaining[turn as usize];
                *remaining = remaining.saturating_sub(used);
                Self::Clock(clock_state, margin)
            }
            Self::Fixed(_) | Self::Endless => self,
        }
    }
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
    /// was stopped; but 0 for a move without an evaluation: of an opening book, or of an engine that tells
    /// the scores of other moves only.
    pub depth: u64,
    pub nodes: u64,
    pub time: Duration,
    /// Processor time, where the system tells it.
    pub processor_time: Option<Duration>,
    /// What the engine wants besides its move.
    pub wish: Wish,
    /// What is wrong with what the engine said, though not with its move.
    pub warning: Option<String>,
}

/// What an engine wants besides its move, or in place of it. A UCI engine has no words for this.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Wish {
    #[default]
    PlayOn,
    /// To offer, accept or claim a draw.
    Draw,
    Resign,
}

impl SearchResult {
    /// The score of the best move, or of a game that is over; none for a move without an evaluation.
    pub fn evaluation(&self) -> Option<Score> {
        (self.best.is_none() || self.depth > 0).then_some(self.score)
    }

    /// The result for a position without legal moves (decision 131); none if there are moves.
    pub fn of_finished(position: &Position) -> Option<Self> {
        Score::of_finished(position).map(|score| Self {
            score,
            processor_time: Some(Duration::ZERO),
            ..Self::default()
        })
    }
}

/// What is wrong with a word in place of a legal move.
fn illegal(name: &str, word: &str) -> String {
    // What engines print if they have no move.
    if ["", "(none)", "NULL", "0000"].contains(&word) {
        format!("{name} gives no move but {word:?}, and there are legal moves")
    } else {
        format!("{name} plays {word:?}, which is not a legal move")
    }
}

/// An error that the same engine would repeat after a restart.
#[derive(Debug, Error)]
pub enum LastingError {
    /// It chose a move that is not legal, or none where there are legal moves.
    #[error("{}", illegal(name, word))]
    IllegalMove { name: String, word: String },
    /// The game is one of Chess960, which it does not play.
    #[error("{name} has no {missing}: it does not play Chess960")]
    NoChess960 { name: String, missing: &'static str },
    /// It refuses a legal move or a position.
    #[error("{name} refuses what it was sent: {answer:?}")]
    Refusal { name: String, answer: String },
    /// It cannot take a position.
    #[error(
        "{name} has no feature setboard, and the older command edit cannot set castling rights and en \
         passant: {fen}"
    )]
    NoPosition { name: String, fen: String },
    /// It cannot limit a search in this way.
    #[error("{name} has no feature nps: it cannot limit a search to a number of nodes")]
    NoNodes { name: String },
}

/// An engine.
pub trait Player: Send {
    /// Its name.
    fn name(&self) -> &str;

    /// Clears everything learnt, for a new game.
    fn new_game(&mut self) -> anyhow::Result<()>;

    /// Tells it before its next move that the opponent offers a draw; its answer is the wish in its
    /// result. Engines that cannot be told decide by their scores alone.
    fn offer_draw(&mut self) -> anyhow::Result<()> {
        Ok(())
    }

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
