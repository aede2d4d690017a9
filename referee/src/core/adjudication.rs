//! Adjudication: ending a game when the evaluations of both players agree on its result.

use movegen::{Color, Game};
use serde::{Deserialize, Serialize};

use crate::core::ending::{Ending, Reason};

/// A condition: scores like this for a number of moves in a row, by both sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Agreement {
    /// Limit of the score in centipawns: at most this for a draw, at least this for a win.
    pub score: i32,
    /// Number of moves by each side.
    pub moves: u32,
    /// The first move at which a game may be ended.
    #[serde(default)]
    pub from_move: u16,
}

/// When games are adjudicated; by default never.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Adjudication {
    /// When a game is a draw.
    pub draw: Option<Agreement>,
    /// When a game is won.
    pub win: Option<Agreement>,
}

/// Tracks the evaluations of a game.
#[derive(Clone, Debug)]
pub struct Adjudicator {
    rules: Adjudication,
    /// Plies in a row with a drawish score.
    drawish_plies: u32,
    /// Plies in a row with a winning score, and for which side.
    winning: (u32, Option<Color>),
}

impl Adjudicator {
    /// At the start of a game.
    #[must_use]
    pub const fn new(rules: Adjudication) -> Self {
        Self {
            rules,
            drawish_plies: 0,
            winning: (0, None),
        }
    }

    /// Adds the evaluation of the last move, from the mover's point of view; a move without one starts
    /// the count again. Returns the game's ending if a condition is now met.
    pub fn add(&mut self, game: &Game, mover: Color, eval: Option<i32>) -> Option<Ending> {
        let number = game.position().fullmove_number();
        let draw = self.rules.draw;
        let is_drawish = draw
            .zip(eval)
            .is_some_and(|(draw, eval)| eval.saturating_abs() <= draw.score);
        self.drawish_plies = if is_drawish {
            self.drawish_plies + 1
        } else {
            0
        };
        if draw.is_some_and(|draw| self.drawish_plies >= 2 * draw.moves && number >= draw.from_move)
        {
            return Some(Ending::draw(Reason::Adjudication));
        }
        let win = self.rules.win;
        let winner = win.zip(eval).and_then(|(win, eval)| {
            let is_winning = eval.saturating_abs() >= win.score;
            is_winning.then_some(if eval > 0 { mover } else { !mover })
        });
        self.winning = match (winner, self.winning) {
            (None, _) => (0, None),
            (Some(_), (plies, before)) if before == winner => (plies + 1, winner),
            (Some(_), _) => (1, winner),
        };
        let is_met =
            win.is_some_and(|win| self.winning.0 >= 2 * win.moves && number >= win.from_move);
        let winner = winner.filter(|_| is_met)?;
        Some(Ending::loss(!winner, Reason::Adjudication))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn adjudicate(rules: Adjudication, evals: &[Option<i32>]) -> Option<(usize, Ending)> {
        let mut adjudicator = Adjudicator::new(rules);
        let game = Game::default();
        evals.iter().enumerate().find_map(|(ply, &eval)| {
            let mover = if ply % 2 == 0 {
                Color::White
            } else {
                Color::Black
            };
            Some((ply, adjudicator.add(&game, mover, eval)?))
        })
    }

    const DRAW: Agreement = Agreement {
        score: 10,
        moves: 2,
        from_move: 0,
    };

    #[test]
    fn nothing_is_ended_by_default() {
        assert_eq!(adjudicate(Adjudication::default(), &[Some(0); 100]), None);
    }

    #[test]
    fn draws_need_both_sides() {
        let rules = Adjudication {
            draw: Some(DRAW),
            win: None,
        };
        let ending = Ending::draw(Reason::Adjudication);
        assert_eq!(
            adjudicate(rules, &[Some(10), Some(-10), Some(0), Some(3)]),
            Some((3, ending))
        );
        assert_eq!(
            adjudicate(
                rules,
                &[
                    Some(0),
                    Some(0),
                    Some(0),
                    Some(11),
                    Some(0),
                    Some(0),
                    Some(0)
                ]
            ),
            None
        );
        assert_eq!(
            adjudicate(rules, &[Some(0), Some(0), None, Some(0), Some(0), Some(0)]),
            None
        );
        let late = Adjudication {
            draw: Some(Agreement {
                from_move: 2,
                ..DRAW
            }),
            win: None,
        };
        assert_eq!(adjudicate(late, &[Some(0); 10]), None);
    }

    #[test]
    fn wins_need_both_sides() {
        let rules = Adjudication {
            draw: None,
            win: Some(Agreement { score: 500, ..DRAW }),
        };
        let black_loses = Ending::loss(Color::Black, Reason::Adjudication);
        assert_eq!(
            adjudicate(rules, &[Some(600), Some(-500), Some(700), Some(-900)]),
            Some((3, black_loses))
        );
        // Both think that they win.
        assert_eq!(adjudicate(rules, &[Some(600); 10]), None);
        assert_eq!(
            adjudicate(rules, &[Some(600), Some(-499), Some(600), Some(-499)]),
            None
        );
    }
}
