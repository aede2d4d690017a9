//! Ending games by what both sides think of them, where the event wants it.

use movegen::{Color, Game};
use serde::{Deserialize, Serialize};

use crate::ending::{Ending, Reason};

/// So many moves of both sides in a row with such a score.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Agreement {
    /// Centipawns: at most this for a draw, at least this for a win.
    pub score: i32,
    /// Moves of each side.
    pub moves: u32,
    /// Not before this move.
    #[serde(default)]
    pub from_move: u16,
}

/// When games are ended; never by default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Adjudication {
    /// A draw if both sides think so.
    pub draw: Option<Agreement>,
    /// A win if both sides think so.
    pub win: Option<Agreement>,
}

/// Follows the evaluations of a game.
#[derive(Clone, Debug)]
pub struct Adjudicator {
    rules: Adjudication,
    /// Plies in a row that look like a draw.
    level: u32,
    /// Plies in a row that look like a win, and for whom.
    decided: (u32, Option<Color>),
}

impl Adjudicator {
    /// At the start of a game.
    #[must_use]
    pub const fn new(rules: Adjudication) -> Self {
        Self {
            rules,
            level: 0,
            decided: (0, None),
        }
    }

    /// Takes in what the mover of the last move thinks, for itself; a move without an evaluation
    /// ends every row.
    pub fn judge(&mut self, game: &Game, mover: Color, eval: Option<i32>) -> Option<Ending> {
        let number = game.position().fullmove_number();
        let draw = self.rules.draw;
        let is_level = draw
            .zip(eval)
            .is_some_and(|(draw, eval)| eval.saturating_abs() <= draw.score);
        self.level = if is_level { self.level + 1 } else { 0 };
        if draw.is_some_and(|draw| self.level >= 2 * draw.moves && number >= draw.from_move) {
            return Some(Ending::draw(Reason::Adjudication));
        }
        let win = self.rules.win;
        let winner = win.zip(eval).and_then(|(win, eval)| {
            let decided = eval.saturating_abs() >= win.score;
            decided.then_some(if eval > 0 { mover } else { !mover })
        });
        self.decided = match (winner, self.decided) {
            (None, _) => (0, None),
            (Some(_), (plies, before)) if before == winner => (plies + 1, winner),
            (Some(_), _) => (1, winner),
        };
        let ripe =
            win.is_some_and(|win| self.decided.0 >= 2 * win.moves && number >= win.from_move);
        let winner = winner.filter(|_| ripe)?;
        Some(Ending::loss(!winner, Reason::Adjudication))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judge(rules: Adjudication, evals: &[Option<i32>]) -> Option<(usize, Ending)> {
        let mut adjudicator = Adjudicator::new(rules);
        let game = Game::default();
        evals.iter().enumerate().find_map(|(ply, &eval)| {
            let mover = if ply % 2 == 0 {
                Color::White
            } else {
                Color::Black
            };
            Some((ply, adjudicator.judge(&game, mover, eval)?))
        })
    }

    const DRAW: Agreement = Agreement {
        score: 10,
        moves: 2,
        from_move: 0,
    };

    #[test]
    fn nothing_is_ended_by_default() {
        assert_eq!(judge(Adjudication::default(), &[Some(0); 100]), None);
    }

    #[test]
    fn draws_need_both_sides() {
        let rules = Adjudication {
            draw: Some(DRAW),
            win: None,
        };
        let ending = Ending::draw(Reason::Adjudication);
        assert_eq!(
            judge(rules, &[Some(10), Some(-10), Some(0), Some(3)]),
            Some((3, ending))
        );
        assert_eq!(
            judge(
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
            judge(rules, &[Some(0), Some(0), None, Some(0), Some(0), Some(0)]),
            None
        );
        let late = Adjudication {
            draw: Some(Agreement {
                from_move: 2,
                ..DRAW
            }),
            win: None,
        };
        assert_eq!(judge(late, &[Some(0); 10]), None);
    }

    #[test]
    fn wins_need_both_sides() {
        let rules = Adjudication {
            draw: None,
            win: Some(Agreement { score: 500, ..DRAW }),
        };
        let black_loses = Ending::loss(Color::Black, Reason::Adjudication);
        assert_eq!(
            judge(rules, &[Some(600), Some(-500), Some(700), Some(-900)]),
            Some((3, black_loses))
        );
        // Both think that they win.
        assert_eq!(judge(rules, &[Some(600); 10]), None);
        assert_eq!(
            judge(rules, &[Some(600), Some(-499), Some(600), Some(-499)]),
            None
        );
    }
}
