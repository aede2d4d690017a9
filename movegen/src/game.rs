//! A position and the moves that led to it.

use std::fmt;

use crate::position::{IllegalMove, Position};
use crate::types::Move;

/// A start position and the moves played since. Repetition depends on them.
///
/// ```
/// use epode_movegen::{Draw, Game, UciMove};
///
/// let mut game = Game::default();
/// for _ in 0..2 {
///     for text in ["g1f3", "g8f6", "f3g1", "f6g8"] {
///         let mv = text.parse::<UciMove>()?.find(game.position())?;
///         game.play(mv)?;
///     }
/// }
/// assert_eq!((game.repetitions(), game.draw()), (3, Some(Draw::Repetition)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Game {
    start: Position,
    moves: Vec<Move>,
    /// The keys of all positions before the current one.
    keys: Vec<u64>,
    position: Position,
}

impl Default for Game {
    fn default() -> Self {
        Self::new(Position::start())
    }
}

impl From<Position> for Game {
    fn from(position: Position) -> Self {
        Self::new(position)
    }
}

impl Game {
    /// A game that begins with this position. The position occurs for the first time, even if its
    /// halfmove clock is not 0 (decision 51).
    #[must_use]
    pub const fn new(start: Position) -> Self {
        Self {
            start,
            moves: Vec::new(),
            keys: Vec::new(),
            position: start,
        }
    }

    /// The position before the first move.
    #[must_use]
    pub const fn start(&self) -> &Position {
        &self.start
    }

    /// The moves played.
    #[must_use]
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// The current position.
    #[must_use]
    pub const fn position(&self) -> &Position {
        &self.position
    }

    /// The keys of the earlier positions, from the start.
    #[must_use]
    pub fn earlier_keys(&self) -> &[u64] {
        &self.keys
    }

    /// Plays a move if it is legal.
    pub fn play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        let before = self.position.key();
        self.position.try_play(mv)?;
        self.keys.push(before);
        self.moves.push(mv);
        Ok(())
    }

    /// How often the current position has occurred, including now (EPD 6.22). Positions are the same if
    /// they allow the same moves (decision 47).
    #[must_use]
    pub fn repetitions(&self) -> u32 {
        // No position before the last capture or pawn move can occur again.
        let reversible = usize::from(self.position.halfmove_clock());
        let key = self.position.key();
        let earlier = self
            .keys
            .iter()
            .rev()
            .take(reversible)
            .filter(|&&earlier| earlier == key);
        1 + earlier.count() as u32
    }

    /// Why the game is drawn, or why a player can claim a draw.
    #[must_use]
    pub fn draw(&self) -> Option<Draw> {
        // Checkmate takes precedence over the fifty-move rule (decision 78).
        if self.position.is_stalemate() {
            Some(Draw::Stalemate)
        } else if self.position.is_insufficient_material() {
            Some(Draw::InsufficientMaterial)
        } else if self.repetitions() >= 3 {
            Some(Draw::Repetition)
        } else if self.position.halfmove_clock() >= 100 && !self.position.is_checkmate() {
            Some(Draw::FiftyMoves)
        } else {
            None
        }
    }
}

/// Why a game is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Draw {
    /// The side to move has no legal move and is not in check.
    Stalemate,
    /// Neither side has enough material for checkmate.
    InsufficientMaterial,
    /// The position has occurred at least three times (decision 140).
    Repetition,
    /// Both sides have made fifty moves without a capture or pawn move.
    FiftyMoves,
}

impl fmt::Display for Draw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Stalemate => "stalemate",
            Self::InsufficientMaterial => "insufficient material",
            Self::Repetition => "threefold repetition",
            Self::FiftyMoves => "fifty-move rule",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::uci::UciMove;
    use crate::types::Square;

    fn play(game: &mut Game, moves: &str) {
        for text in moves.split(' ') {
            let uci: UciMove = text.parse().expect(text);
            let mv = uci.find(game.position()).expect(text);
            game.play(mv).expect(text);
        }
    }

    #[test]
    fn the_third_occurrence_is_a_draw() {
        let mut game = Game::default();
        play(&mut game, "g1f3 g8f6 f3g1 f6g8");
        assert_eq!((game.repetitions(), game.draw()), (2, None));
        play(&mut game, "g1f3 g8f6 f3g1 f6g8");
        assert_eq!(
            (game.repetitions(), game.draw()),
            (3, Some(Draw::Repetition))
        );
        play(&mut game, "e2e4");
        assert_eq!(game.repetitions(), 1);
    }

    /// Decision 47: an en passant square without a legal capture does not make another position.
    #[test]
    fn an_en_passant_square_without_capture_does_not_delay_repetition() {
        let mut game = Game::default();
        play(&mut game, "e2e4 g8f6 g1f3 f6g8 f3g1");
        assert_eq!(game.repetitions(), 2);
        // Here the capture is legal the first time but not the second.
        let mut game = Game::default();
        play(&mut game, "e2e4 a7a6 e4e5 d7d5 g1f3 g8f6 f3g1 f6g8");
        assert_eq!(game.repetitions(), 1);
    }

    /// Decision 51: a halfmove clock does not imply earlier occurrences.
    #[test]
    fn history_begins_at_the_start_position() {
        let start: Position = "7k/8/8/8/8/8/R7/K7 w - - 98 60".parse().expect("legal");
        let mut game = Game::new(start);
        assert_eq!((game.repetitions(), game.draw()), (1, None));
        play(&mut game, "a2b2 h8g8");
        assert_eq!(game.draw(), Some(Draw::FiftyMoves));
    }

    /// Decision 78.
    #[test]
    fn checkmate_takes_precedence_over_fifty_moves() {
        let start: Position = "7k/R7/1R6/8/8/8/8/K7 w - - 99 60".parse().expect("legal");
        let mut game = Game::new(start);
        play(&mut game, "b6b8");
        assert!(game.position().is_checkmate());
        assert_eq!(game.draw(), None);
    }

    #[test]
    fn an_illegal_move_changes_nothing() {
        let mut game = Game::default();
        let mv = Move::normal(Square::E2, Square::E5);
        assert_eq!(game.play(mv), Err(IllegalMove(mv)));
        assert!(game.moves().is_empty() && *game.position() == Position::start());
    }
}
