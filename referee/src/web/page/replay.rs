//! A game move by move.

use movegen::pgn::Eval;
use movegen::{Color, Move, Position, San, san};

use crate::core::event::stream::{HalfMove, Search};
use crate::core::event::view::GameView;

/// A half-move of a game.
pub struct Step<'g> {
    pub mv: Move,
    pub before: Position,
    /// What is known of a move of a player; `None` for a move of the opening.
    pub played: Option<&'g HalfMove>,
}

/// A game with the position before each of its half-moves.
pub struct Replay<'g> {
    pub view: &'g GameView,
    pub start: Position,
    pub steps: Vec<Step<'g>>,
}

/// A game at one of its positions.
#[derive(Clone, Copy)]
pub struct Scene<'r> {
    pub replay: &'r Replay<'r>,
    /// The number of half-moves made.
    pub ply: usize,
}

impl Step<'_> {
    pub fn mover(&self) -> Color {
        self.before.turn()
    }

    pub fn san(&self) -> String {
        San::of(&self.before, self.mv).to_string()
    }

    /// The mover's evaluation, from White's point of view.
    pub fn eval(&self) -> Option<Eval> {
        let score = self.played?.eval?;
        Some(Eval::after_move(score, self.mover()))
    }

    /// Whether anything is known of what the mover thought.
    fn has_thought(&self) -> bool {
        self.played
            .is_some_and(|played| played.eval.is_some() || played.search != Search::default())
    }

    /// The move with its number: `12. Nf3`, `12... Nf6`.
    pub fn numbered(&self) -> String {
        format!("{}\u{a0}{}", number(&self.before), self.san())
    }

    /// The number of the move, and half a move more for Black.
    pub fn x(&self) -> f64 {
        let half = if self.mover() == Color::Black {
            0.5
        } else {
            0.0
        };
        f64::from(self.before.fullmove_number()) + half
    }

    /// The line that the mover expected, from the position before the move on.
    pub fn line(&self) -> Vec<Move> {
        let mut position = self.before;
        let mut moves = Vec::new();
        let pv = self.played.map_or(&[][..], |played| &played.search.pv);
        for text in pv {
            let Ok(mv) = san::parse(&position, text) else {
                break;
            };
            moves.push(mv);
            position.play(mv);
        }
        moves
    }
}

impl<'g> Replay<'g> {
    pub fn new(view: &'g GameView) -> Self {
        let start = view.start();
        let mut position = start;
        let openings = view.game.opening_moves.len();
        let plies = view.plies().0.into_iter().enumerate();
        let steps = plies.map(|(i, ply)| {
            let before = position;
            position.play(ply.mv);
            Step {
                mv: ply.mv,
                before,
                played: i.checked_sub(openings).and_then(|i| view.game.moves.get(i)),
            }
        });
        Self {
            view,
            start,
            steps: steps.collect(),
        }
    }

    /// The game after so many half-moves, or as it is now.
    pub fn at(&self, ply: Option<usize>) -> Scene<'_> {
        let last = self.steps.len();
        Scene {
            replay: self,
            ply: ply.map_or(last, |ply| ply.min(last)),
        }
    }
}

impl<'r> Scene<'r> {
    pub fn is_last(&self) -> bool {
        self.ply == self.replay.steps.len()
    }

    /// The half-moves made so far.
    pub fn made(&self) -> &'r [Step<'r>] {
        &self.replay.steps[..self.ply]
    }

    pub fn position(&self) -> Position {
        match self.replay.steps.get(self.ply) {
            Some(next) => next.before,
            None => self.replay.view.position,
        }
    }

    pub fn last(&self) -> Option<&'r Step<'r>> {
        self.made().last()
    }

    /// The last move that a side made itself.
    pub fn last_of(&self, side: Color) -> Option<&'r Step<'r>> {
        let mut made = self.made().iter().rev();
        made.find(|step| step.mover() == side && step.played.is_some())
    }

    /// The last move of a side of which something is known that the side thought, or else its last move: what
    /// a player thinks is broadcast after the reply.
    pub fn last_thought(&self, side: Color) -> Option<&'r Step<'r>> {
        let mut made = self.made().iter().rev();
        let thought = made.find(|step| step.mover() == side && step.has_thought());
        thought.or_else(|| self.last_of(side))
    }

    /// The last evaluation, of either side.
    pub fn eval(&self) -> Option<Eval> {
        self.made().iter().rev().find_map(Step::eval)
    }
}

/// The number of the next move of a position: `12.` or `12...`.
fn number(position: &Position) -> String {
    let dots = match position.turn() {
        Color::White => ".",
        Color::Black => "...",
    };
    format!("{}{dots}", position.fullmove_number())
}

/// Moves from a position on with their numbers: `12. Nf3 Nf6 13. c4`.
pub fn numbered(start: &Position, moves: &[Move]) -> String {
    let mut position = *start;
    let mut words = Vec::new();
    for (i, &mv) in moves.iter().enumerate() {
        let san = San::of(&position, mv);
        if i == 0 || position.turn() == Color::White {
            words.push(format!("{}\u{a0}{san}", number(&position)));
        } else {
            words.push(san.to_string());
        }
        position.play(mv);
    }
    words.join(" ")
}

/// The name of a side.
pub fn side_name(side: Color) -> &'static str {
    match side {
        Color::White => "White",
        Color::Black => "Black",
    }
}
